#include "capi/lockstep.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "machine/chosen.h"
#include "machine/machine.h"
#include "machine/occupancy.h"
#include "report/occupancy_json.h"
#include "report/view.h"
#include "run/argument_types.h"
#include "run/comparison.h"
#include "run/limits.h"
#include "run/parallel.h"
#include "run/request.h"
#include "run/tune.h"
#include "run/what_if.h"
#include "time/timing.h"

using namespace lockstep;

struct lockstep_error {
  Diagnostic diagnostic;
  std::string text;
};

struct lockstep_launch {
  LaunchRequest request;
  SimulationOptions simulation;
  bool functional = false, what_if = false;
  lockstep_progress progress = nullptr;
  void* user = nullptr;
  // Of the last run: what its buffers hold.
  std::unique_ptr<RequestedLaunch> last;
};

struct lockstep_report {
  std::string json, text, status, printed;
  f64 time_ns = -1;
};

namespace {

constexpr int good = 0, failed = 1;

int tell(Diagnostic diagnostic, lockstep_error** error) {
  if (error != nullptr) {
    std::string text = to_string(diagnostic);
    *error = new lockstep_error{std::move(diagnostic), std::move(text)};
  }
  return failed;
}

// Nothing that a library throws leaves ours.
template <class Work>
int guarded(lockstep_error** error, const Work& work) {
  if (error != nullptr) *error = nullptr;
  try {
    const Status status = work();
    return status ? good : tell(status.error(), error);
  } catch (const std::bad_alloc&) {
    return failed;
  } catch (const std::exception& thrown) {
    return tell({"failed", {}, thrown.what(), ""}, error);
  }
}

Diagnostic missing(std::string what) {
  return {"bad-call", {}, std::move(what) + " is null", "see lockstep.h"};
}

char* copy(const std::string& text) {
  char* made = static_cast<char*>(std::malloc(text.size() + 1));
  if (made == nullptr) throw std::bad_alloc();
  std::memcpy(made, text.c_str(), text.size() + 1);
  return made;
}

Status give(char** to, const Json& data) {
  *to = copy(json_text(data));
  return Success{};
}

// "12", within limits.
Expected<u64> number(const std::string& key, const std::string& text, u64 most) {
  u64 value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || value > most)
    return Diagnostic{
        "bad-option", {}, fmt::format("{}={}: wanted is a number from 0 to {}", key, text, most), ""};
  return value;
}

Status set(lockstep_launch& launch, const std::string& key, const std::string& value) {
  LaunchRequest& request = launch.request;
  const std::pair<const char*, std::string*> texts[] = {{"file", &request.file},
                                                        {"gpu", &request.gpu},
                                                        {"kernel", &request.kernel},
                                                        {"clock", &request.clock},
                                                        {"global", &request.range.global},
                                                        {"grid", &request.range.grid},
                                                        {"local", &request.range.local},
                                                        {"offset", &request.range.offset},
                                                        {"options", &request.build_options},
                                                        {"check", &request.checks}};
  for (const auto& [name, text] : texts) {
    if (key != name) continue;
    *text = value;
    return Success{};
  }
  const std::pair<const char*, std::vector<std::string>*> lists[] = {
      {"arg", &request.arguments}, {"symbol", &request.symbols}, {"define", &request.defines}};
  for (const auto& [name, list] : lists) {
    if (key != name) continue;
    list->push_back(value);
    return Success{};
  }
  struct Number {
    const char* name;
    u64 most;
    std::function<void(u64)> take;
  };
  SimulationOptions& simulation = launch.simulation;
  const Number numbers[] = {
      {"dynamic-local", 1u << 30, [&](u64 v) { request.dynamic_local_bytes = static_cast<u32>(v); }},
      {"bank-bytes", 64, [&](u64 v) { request.bank_bytes = static_cast<u32>(v); }},
      {"O", 3, [&](u64 v) { request.optimisation = static_cast<u32>(v); }},
      {"functional", 1, [&](u64 v) { launch.functional = v != 0; }},
      {"what-if", 1, [&](u64 v) { launch.what_if = v != 0; }},
      {"cold", 1, [&](u64 v) { simulation.cold = v != 0; }},
      {"repeat", 1000, [&](u64 v) { simulation.repeat = static_cast<u32>(std::max<u64>(v, 1)); }},
      {"threads", 4096, [&](u64 v) { simulation.threads = static_cast<u32>(std::max<u64>(v, 1)); }},
      {"max-instructions", ~u64{0} >> 1,
       [&](u64 v) { simulation.instructions_per_wave = std::max<u64>(v, 1); }}};
  for (const Number& one : numbers) {
    if (key != one.name) continue;
    const Expected<u64> read = number(key, value, one.most);
    if (!read) return read.error();
    one.take(*read);
    return Success{};
  }
  return Diagnostic{
      "bad-option", {}, fmt::format("a launch has no '{}'", key), "lockstep.h lists what it has"};
}

f64 share_done(const RunProgress& so_far) {
  return so_far.groups == 0 ? 0 : static_cast<f64>(so_far.groups_done) / static_cast<f64>(so_far.groups);
}

Status answer(const lockstep_launch& launch, const LaunchRecord& record, RunData& data) {
  WhatIfWork work;
  work.record = &record;
  work.threads = std::max(1u, launch.simulation.threads);
  std::atomic<bool> go_on{true};
  work.go_on = [&] { return go_on.load(); };
  work.progress = [&](u64 done, u64 all) {
    const f64 share = static_cast<f64>(done) / static_cast<f64>(std::max<u64>(1, all));
    if (launch.progress != nullptr &&
        launch.progress(launch.user, "timing it with one thing changed", share) != 0)
      go_on = false;
  };
  return ask_what_if(data, work);
}

Status run(lockstep_launch& launch, lockstep_report** report) {
  Expected<std::unique_ptr<RequestedLaunch>> prepared = RequestedLaunch::prepare(launch.request);
  if (!prepared) return prepared.error();
  SimulationOptions simulation = launch.simulation;
  const Status timed = launch.functional ? Status(Success{}) : timing_model((*prepared)->machine);
  if (!timed && timed.error().code != "not-timed") return timed.error();
  simulation.timed = !launch.functional && timed.ok();
  if (!simulation.timed) simulation.repeat = 1;
  simulation.counted = true;
  LaunchRecord record;
  if (launch.what_if) {
    if (!simulation.timed)
      return Diagnostic{"bad-option",
                        {},
                        "what-if: the launch has no time of which anything could be taken away",
                        "a timed GPU, without functional"};
    simulation.record = &record;
  }
  if (launch.progress != nullptr)
    simulation.progress = [&](std::string_view what, const RunProgress& so_far) {
      return launch.progress(launch.user, std::string(what).c_str(), share_done(so_far)) == 0;
    };
  Expected<RunData> data = (*prepared)->run(simulation);
  if (!data) return data.error();
  if (data->stopped) data->failed = Diagnostic{"stopped", {}, "the caller ended it", ""};
  if (launch.what_if && !data->failed) {
    const Status asked = answer(launch, record, *data);
    if (!asked) return asked.error();
  }
  auto made = std::make_unique<lockstep_report>();
  made->json = json_report(*data);
  made->text = text_report(*data);
  made->status = status_of(*data);
  made->printed = data->printed;
  if (data->timing)
    made->time_ns = static_cast<f64>(data->timing->cycles) * 1e9 / static_cast<f64>(data->clock_hz());
  launch.last = std::move(*prepared);
  *report = made.release();
  return Success{};
}

Status read(const lockstep_launch& launch, const std::string& name, void* data, size_t bytes, size_t* size) {
  if (launch.last == nullptr) return Diagnostic{"not-run", {}, "the launch has not run yet", ""};
  const std::vector<LaunchArgument>& arguments = launch.last->arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const LaunchArgument& one = arguments[i];
    const corpus::ArgumentKind kind = one.argument.kind;
    const bool memory =
        (kind == corpus::ArgumentKind::buffer || kind == corpus::ArgumentKind::image) && !one.null_pointer;
    if (one.argument.name != name || !memory) continue;
    const Expected<std::vector<u8>> contents = launch.last->buffers->read(launch.last->memory, i);
    if (!contents) return contents.error();
    if (size != nullptr) *size = contents->size();
    if (data == nullptr) return Success{};
    if (bytes < contents->size())
      return Diagnostic{
          "bad-size",
          {},
          fmt::format("'{}' has {} bytes, and there is room for {}", name, contents->size(), bytes),
          ""};
    if (!contents->empty()) std::memcpy(data, contents->data(), contents->size());
    return Success{};
  }
  return Diagnostic{
      "wrong-arguments", {}, fmt::format("'{}' is no buffer or image argument of the kernel", name), ""};
}

Expected<Json> parse_report(const char* text) {
  Json report = Json::parse(text, nullptr, false);
  if (!is_report(report)) return Diagnostic{"bad-report", {}, "the text is no report of this version", ""};
  return report;
}

ArgumentText argument_of(const char* name, const void* data, size_t bytes) {
  ArgumentText text;
  text.text = fmt::format("{}=({} bytes)", name, bytes);
  text.name = name;
  const u8* first = static_cast<const u8*>(data);
  if (bytes != 0) text.bytes.assign(first, first + bytes);
  return text;
}

std::vector<std::string> texts(const char* const* list) {
  std::vector<std::string> made;
  for (; list != nullptr && *list != nullptr; ++list) made.emplace_back(*list);
  return made;
}

}  // namespace

extern "C" {

int lockstep_api_version(void) {
  return LOCKSTEP_API_VERSION;
}
const char* lockstep_version(void) {
  return LOCKSTEP_VERSION;
}

const char* lockstep_error_code(const lockstep_error* error) {
  return error->diagnostic.code.c_str();
}
const char* lockstep_error_message(const lockstep_error* error) {
  return error->diagnostic.message.c_str();
}
const char* lockstep_error_hint(const lockstep_error* error) {
  return error->diagnostic.hint.c_str();
}
const char* lockstep_error_file(const lockstep_error* error) {
  return error->diagnostic.place.file.c_str();
}
unsigned lockstep_error_line(const lockstep_error* error) {
  return error->diagnostic.place.line;
}
unsigned lockstep_error_column(const lockstep_error* error) {
  return error->diagnostic.place.column;
}
const char* lockstep_error_text(const lockstep_error* error) {
  return error->text.c_str();
}
void lockstep_error_free(lockstep_error* error) {
  delete error;
}
void lockstep_free(char* text) {
  std::free(text);
}

int lockstep_gpus(char** json, lockstep_error** error) {
  return guarded(error, [&]() -> Status {
    if (json == nullptr) return missing("json");
    const Expected<std::vector<MachineSummary>> machines = list_machines(machine_directory());
    if (!machines) return machines.error();
    Json list = Json::array();
    for (const MachineSummary& one : *machines) {
      const Expected<Machine> machine = load_machine(machine_directory(), one.id);
      if (!machine) return machine.error();
      list.push_back({{"id", one.id},
                      {"name", one.name},
                      {"vendor", to_string(one.target->vendor)},
                      {"target", one.target->name},
                      {"timed", timing_model(*machine).ok()}});
    }
    return give(json, list);
  });
}

int lockstep_occupancy(const char* gpu, unsigned group_items, unsigned vector_registers,
                       unsigned scalar_registers, size_t local_bytes, char** json, lockstep_error** error) {
  return guarded(error, [&]() -> Status {
    if (gpu == nullptr || json == nullptr) return missing(gpu == nullptr ? "gpu" : "json");
    const Expected<Machine> machine = load_machine(machine_directory(), gpu);
    if (!machine) return machine.error();
    OccupancyInput input;
    input.work_group_size = group_items;
    input.vector_registers = vector_registers;
    input.scalar_registers = scalar_registers;
    input.local_bytes = local_bytes;
    const Expected<Occupancy> result = occupancy(*machine, input);
    if (!result) return result.error();
    return give(json, occupancy_json(*result));
  });
}

lockstep_launch* lockstep_launch_create(const char* file, const char* gpu) {
  auto* launch = new (std::nothrow) lockstep_launch;
  if (launch == nullptr) return nullptr;
  if (file != nullptr) launch->request.file = file;
  const std::vector<std::string> chosen = gpu == nullptr ? chosen_gpus() : std::vector<std::string>{gpu};
  launch->request.gpu = chosen.empty() ? "mi25" : chosen[0];
  return launch;
}
void lockstep_launch_free(lockstep_launch* launch) {
  delete launch;
}

int lockstep_launch_set(lockstep_launch* launch, const char* key, const char* value, lockstep_error** error) {
  return guarded(error, [&]() -> Status {
    if (launch == nullptr || key == nullptr || value == nullptr) return missing("launch, key or value");
    return set(*launch, key, value);
  });
}

int lockstep_launch_buffer(lockstep_launch* launch, const char* name, const char* type, const void* data,
                           size_t bytes, lockstep_error** error) {
  return guarded(error, [&]() -> Status {
    if (launch == nullptr || name == nullptr || (data == nullptr && bytes != 0))
      return missing("launch, name or data");
    ArgumentText text = argument_of(name, data, bytes);
    text.form = ArgumentText::Form::buffer;
    text.raw = true;
    text.count = bytes;
    if (type != nullptr) {
      text.type = find_type(type);
      if (!text.type)
        return Diagnostic{
            "bad-argument", {name, 0, 0}, fmt::format("there is no type '{}'", type), "float, int, uchar"};
    }
    launch->request.read_arguments.push_back(std::move(text));
    return Success{};
  });
}

int lockstep_launch_value(lockstep_launch* launch, const char* name, const void* data, size_t bytes,
                          lockstep_error** error) {
  return guarded(error, [&]() -> Status {
    if (launch == nullptr || name == nullptr || data == nullptr) return missing("launch, name or data");
    ArgumentText text = argument_of(name, data, bytes);
    text.form = ArgumentText::Form::bytes;
    launch->request.read_arguments.push_back(std::move(text));
    return Success{};
  });
}

void lockstep_launch_progress(lockstep_launch* launch, lockstep_progress progress, void* user) {
  launch->progress = progress;
  launch->user = user;
}

int lockstep_launch_run(lockstep_launch* launch, lockstep_report** report, lockstep_error** error) {
  return guarded(error, [&]() -> Status {
    if (launch == nullptr || report == nullptr) return missing("launch or report");
    return run(*launch, report);
  });
}

int lockstep_launch_read(lockstep_launch* launch, const char* name, void* data, size_t bytes, size_t* size,
                         lockstep_error** error) {
  return guarded(error, [&]() -> Status {
    if (launch == nullptr || name == nullptr) return missing("launch or name");
    return read(*launch, name, data, bytes, size);
  });
}

const char* lockstep_report_json(const lockstep_report* report) {
  return report->json.c_str();
}
const char* lockstep_report_text(const lockstep_report* report) {
  return report->text.c_str();
}
const char* lockstep_report_status(const lockstep_report* report) {
  return report->status.c_str();
}
const char* lockstep_report_printed(const lockstep_report* report) {
  return report->printed.c_str();
}
double lockstep_report_time_ns(const lockstep_report* report) {
  return report->time_ns;
}
void lockstep_report_free(lockstep_report* report) {
  delete report;
}

int lockstep_compare(const lockstep_launch* launch, const char* gpus, unsigned threads, char** json,
                     lockstep_error** error) {
  return guarded(error, [&]() -> Status {
    if (launch == nullptr || gpus == nullptr || json == nullptr) return missing("launch, gpus or json");
    const std::vector<std::string> names = gpus_of_list(gpus);
    if (names.empty()) return Diagnostic{"bad-option", {}, "there is no GPU to compare on", "mi25,v100"};
    std::vector<ComparedLaunch> launches(names.size());
    MeasureOptions how;
    how.functional = launch->functional;
    for_each_parallel(
        names.size(), threads,
        [&](std::size_t i) {
          LaunchRequest request = launch->request;
          request.gpu = names[i];
          launches[i] = measure_launch(request, how);
        },
        [] { return true; });
    return give(json, {{"version", 1}, {"launches", comparison_rows(launches)}});
  });
}

int lockstep_compare_reports(const char* before, const char* after, char** json, lockstep_error** error) {
  return guarded(error, [&]() -> Status {
    if (before == nullptr || after == nullptr || json == nullptr) return missing("before, after or json");
    const Expected<Json> first = parse_report(before), second = parse_report(after);
    if (!first) return first.error();
    if (!second) return second.error();
    const Expected<Json> change = compare_reports(*first, *second);
    if (!change) return change.error();
    return give(json, *change);
  });
}

int lockstep_tune(const lockstep_launch* launch, const char* const* space, const char* const* where,
                  const char* database, unsigned jobs, char** json, lockstep_error** error) {
  return guarded(error, [&]() -> Status {
    if (launch == nullptr || space == nullptr || json == nullptr) return missing("launch, space or json");
    std::vector<TuneAxis> axes;
    for (const std::string& text : texts(space)) {
      Expected<TuneAxis> axis = parse_axis(text);
      if (!axis) return axis.error();
      axes.push_back(std::move(*axis));
    }
    const Expected<std::vector<TunePoint>> points = tune_points(launch->request, axes, texts(where));
    if (!points) return points.error();
    TuneOptions options;
    options.database = database != nullptr ? database : "";
    options.jobs = std::max(1u, jobs);
    const Expected<TuneResults> results = tune(axes, *points, options);
    if (!results) return results.error();
    return give(json, {{"version", 1},
                       {"points", results->rows},
                       {"measured", results->measured},
                       {"found", results->found}});
  });
}
}

#include "opencl/launch_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/environment.h"
#include "base/files.h"
#include "base/take_line.h"
#include "opencl/platform.h"
#include "opencl/program.h"
#include "opencl/types.h"
#include "report/counted_lines.h"
#include "report/html.h"
#include "report/verdict.h"
#include "report/view.h"

namespace lockstep::opencl {
namespace {

struct Settings {
  std::string timeline;  // the file with a line for each command; empty: none
  std::string log;       // the file with a line for each launch; empty: none
  std::string folder;    // of the reports; empty: none
  std::string pictures;  // the folder of what a page draws beside the reports; empty: none
  bool text = true, json = false;
  std::string_view wrong;
};

std::string variable(std::string_view name) {
  const char* value = environment(name);
  return value != nullptr ? value : "";
}

Settings read_settings() {
  Settings settings;
  settings.folder = variable("LOCKSTEP_REPORT");
  settings.pictures = variable("LOCKSTEP_PICTURES");
  settings.timeline = variable("LOCKSTEP_TIMELINE");
  settings.log = variable("LOCKSTEP_LAUNCHES");
  if (settings.log.empty() && !settings.folder.empty()) settings.log = settings.folder + "/launches.jsonl";
  const std::string format = variable("LOCKSTEP_REPORT_FORMAT");
  if (format == "json" || format == "text,json") settings.json = true;
  if (format == "json") settings.text = false;
  if (!format.empty() && format != "text" && !settings.json)
    settings.wrong = "LOCKSTEP_REPORT_FORMAT: known are text, json and text,json";
  return settings;
}

const Settings& settings() {
  static const Settings read = read_settings();
  return read;
}

void complain_once(std::string_view text) {
  static std::atomic<bool> told{false};
  if (!told.exchange(true)) message(text);
}

// The log, locked against other threads and processes while this lives: launches get their numbers in turn.
class LockedLog {
 public:
  explicit LockedLog(const std::string& path)
      : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
    if (file_ < 0) return;
    while (::flock(file_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~LockedLog() {
    if (file_ >= 0) ::close(file_);
  }
  LockedLog(const LockedLog&) = delete;
  LockedLog& operator=(const LockedLog&) = delete;

  bool open() const { return file_ >= 0; }

  // One more than the last line's number.
  u64 next_number() const {
    struct stat status{};
    if (::fstat(file_, &status) != 0 || status.st_size == 0) return 1;
    std::string tail(static_cast<std::size_t>(std::min<off_t>(status.st_size, 65536)), '\0');
    const ssize_t got =
        ::pread(file_, tail.data(), tail.size(), status.st_size - static_cast<off_t>(tail.size()));
    if (got <= 0) return 1;
    tail.resize(static_cast<std::size_t>(got));
    constexpr std::string_view key = "{\"launch\":";
    const std::size_t at = tail.rfind(key);
    return at == std::string::npos ? 1 : std::strtoull(tail.c_str() + at + key.size(), nullptr, 10) + 1;
  }

  bool append(std::string_view line) const {
    return ::write(file_, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  }

 private:
  int file_;
};

std::string file_stem(u64 number, const std::string& kernel) {
  std::string name = kernel.substr(0, 100);
  for (char& letter : name) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') || letter == '_';
    if (!plain) letter = '_';
  }
  return fmt::format("{:04}-{}", number, name);
}

// The process's command line, word by word.
const std::vector<std::string>& own_command() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> read;
    std::ifstream in("/proc/self/cmdline", std::ios::binary);
    for (std::string word; std::getline(in, word, '\0');) read.push_back(word);
    return read;
  }();
  return words;
}

Json log_line(const RunData& run, u64 number, u64 host_ns) {
  Json line;
  line["launch"] = number;
  line["kernel"] = run.program->name;
  line["gpu"] = run.machine->id;
  line["gpu_name"] = run.machine->name;
  line["global"] = run.range.global;
  line["local"] = run.range.local;
  line["status"] = status_of(run);
  if (run.failed) {
    line["failure"] = run.failed->code;
    line["message"] = to_string(*run.failed);
  }
  if (run.violations.count() != 0) {
    line["violations"] = run.violations.count();
    line["violation"] = to_string(run.violations.kept().front());
    line["code"] = run.violations.kept().front().code;
  }
  if (run.timing) {
    line["cycles"] = run.timing->cycles;
    line["time_ns"] = static_cast<f64>(run.timing->cycles) * 1e9 / static_cast<f64>(run.clock_hz());
    line["instructions"] = run.timing->instructions;
    const Verdict verdict = judge(run).found.front();
    line["bound"] = verdict.cause;
    line["bound_title"] = verdict.title;
    if (run.device_launch != 0) {
      line["device_launch"] = run.device_launch;
      line["kernel_launch"] = run.kernel_launch;
    }
  }
  if (run.functional) {
    line["instructions"] = run.functional->wave_instructions;
    line["order"] = run.functional->order;
  }
  if (run.counts) {
    const std::vector<Remark> found = remarks(run, counted_lines(run));
    if (!found.empty()) line["stands_out"] = found.front().text;
  }
  line["host_ns"] = host_ns;
  line["process"] = ::getpid();
  line["command"] = own_command();
  return line;
}

void write_report(const RunData& run, const std::string& stem, const LaunchTrace* trace) {
  const std::string path = settings().folder + "/" + stem;
  const auto write = [](const std::string& file, const std::string& content) {
    const Status written = write_whole_file(file, content);
    if (!written) complain_once(to_string(written.error()));
  };
  if (settings().text) write(path + ".txt", text_report(run));
  if (settings().json) write(path + ".json", json_report(run));
  if (settings().pictures.empty()) return;
  ::mkdir(settings().pictures.c_str(), 0777);
  write(settings().pictures + "/" + stem + ".json", json_text(launch_pictures(run, trace)));
}

// Puts the program's source beside the reports, once for each text; its name there.
std::string keep_source(std::string_view source) {
  if (source.empty()) return "";
  const std::string name = fmt::format("source-{:016x}.cl", std::hash<std::string_view>()(source));
  const std::string path = settings().folder + "/" + name;
  struct stat info{};
  if (::lstat(path.c_str(), &info) == 0) return name;
  const Status written = write_whole_file(path, std::string(source));
  if (!written) complain_once(to_string(written.error()));
  return name;
}

// A launch that has a report.
struct Reported {
  u64 launch = 0;
  std::string stem;
};

// The launch of this process whose report is the same but for which launch it is; `made` where there is none
// yet, which then is the one.
Reported same_report(RunData& run, const Reported& made) {
  static std::mutex mutex;
  static std::map<std::size_t, Reported> reported;
  const u64 device = std::exchange(run.device_launch, 0), kernel = std::exchange(run.kernel_launch, 0);
  std::optional<WhatIfs> asked = std::exchange(run.what_if, std::nullopt);
  const std::size_t content = std::hash<std::string>()(json_report(run));
  run.what_if = std::move(asked);
  run.device_launch = device;
  run.kernel_launch = kernel;
  const std::lock_guard lock(mutex);
  return reported.try_emplace(content, made).first->second;
}

bool report_exists(const std::string& stem) {
  const std::string path = settings().folder + "/" + stem;
  struct stat info{};
  return ::lstat((path + ".txt").c_str(), &info) == 0 || ::lstat((path + ".json").c_str(), &info) == 0;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) lines.emplace_back(take_line(text));
  return lines;
}

}  // namespace

bool launches_wanted() {
  return !settings().log.empty();
}

bool reports_wanted() {
  return !settings().folder.empty();
}

std::string_view wrong_setting() {
  return settings().wrong;
}

void log_command(const _cl_event& event) {
  if (settings().timeline.empty() || event.cost.engine == Engine::none) return;
  const LockedLog log(settings().timeline);
  if (!log.open()) {
    complain_once(
        fmt::format("{}: commands cannot be logged there: {}", settings().timeline, std::strerror(errno)));
    return;
  }
  static std::mutex mutex;
  static std::map<const _cl_command_queue*, u64> queues;
  u64 queue = 0;
  {
    const std::lock_guard lock(mutex);
    queue = queues.try_emplace(event.queue.get(), queues.size() + 1).first->second;
  }
  const std::string_view engine = event.cost.engine == Engine::compute ? "kernels"
                                  : event.cost.engine == Engine::copy  ? "copies"
                                                                       : "copies to the host";
  const Json line = {{"process", ::getpid()},
                     {"gpu", event.queue->device->machine.id},
                     {"queue", queue},
                     {"engine", engine},
                     {"name", event.name},
                     {"bytes", event.cost.host_bytes + event.cost.device_bytes},
                     {"share", event.cost.share ? event.cost.share->share : 0},
                     {"queued_ns", event.times_ns[0]},
                     {"begin_ns", event.times_ns[2]},
                     {"end_ns", event.times_ns[3]},
                     {"alone_ns", event.cost.kernel_ns}};
  if (!log.append(line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"))
    complain_once(fmt::format("{}: commands cannot be logged there", settings().timeline));
}

void log_launch(RunData& run, std::string_view source, u64 host_ns, const LaunchTrace* trace) {
  if (!launches_wanted()) return;
  if (!settings().folder.empty()) {
    ::mkdir(settings().folder.c_str(), 0777);
    run.source_file = source_name;
    run.source_lines = lines_of(source);
    run.command = own_command();
  }
  const LockedLog log(settings().log);
  if (!log.open()) {
    complain_once(
        fmt::format("{}: launches cannot be logged there: {}", settings().log, std::strerror(errno)));
    return;
  }
  u64 number = log.next_number();
  // A file that is there is nobody's report of this launch, and stays.
  while (!settings().folder.empty() && report_exists(file_stem(number, run.program->name))) ++number;
  Json line = log_line(run, number, host_ns);
  if (!settings().folder.empty()) {
    run.source_copy = keep_source(source);
    if (!run.source_copy.empty()) line["source"] = run.source_copy;
    const Reported made{number, file_stem(number, run.program->name)};
    const Reported reported = same_report(run, made);
    if (reported.launch == number)
      write_report(run, reported.stem, trace);
    else
      line["same_as"] = reported.launch;
    line["report"] = reported.stem;
  }
  if (!log.append(line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"))
    complain_once(fmt::format("{}: launches cannot be logged there", settings().log));
}

}  // namespace lockstep::opencl

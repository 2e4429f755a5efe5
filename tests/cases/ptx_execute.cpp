#include "cases/ptx_execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <map>
#include <numeric>
#include <set>

#include "cases/messages.h"
#include "cases/register_check.h"
#include "cases/ways.h"
#include "exec/check/checked_run.h"
#include "exec/functional.h"
#include "exec/printf.h"
#include "isa/nv/module.h"

namespace lockstep::cases {
namespace {

struct Register {
  std::string name;
  std::string type;  // as PTX declares it: "b32", "pred"
  u32 bytes = 4;     // in the test's buffer
};

u32 slot_bytes(const std::string& type) {
  return type.ends_with("64") ? 8 : 4;
}

// The type that a name without a declaration has: %r1 %rd1 %rs1 %f1 %fd1 %h1 %p1.
std::string type_by_name(std::string_view name) {
  static const std::map<std::string, std::string, std::less<>> types = {
      {"%r", "b32"},  {"%rd", "b64"}, {"%rs", "b16"}, {"%f", "f32"},
      {"%fd", "f64"}, {"%h", "b16"},  {"%p", "pred"}};
  const std::size_t digits = name.find_last_not_of("0123456789");
  if (digits == std::string_view::npos || digits + 1 == name.size()) return {};
  const auto found = types.find(name.substr(0, digits + 1));
  return found == types.end() ? std::string() : found->second;
}

std::set<std::string> names_in(const std::vector<std::string>& lines) {
  std::set<std::string> names;
  for (const std::string& line : lines) {
    for (std::size_t at = line.find('%'); at != std::string::npos; at = line.find('%', at + 1)) {
      std::size_t end = at + 1;
      while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_'))
        ++end;
      names.insert(line.substr(at, end - at));
    }
  }
  return names;
}

// Registers that the case's own .reg lines declare, each alone.
std::map<std::string, std::string> declared_in(const std::vector<std::string>& lines) {
  std::map<std::string, std::string> types;
  for (const std::string& line : lines) {
    const std::size_t reg = line.find(".reg");
    if (reg == std::string::npos) continue;
    const std::size_t dot = line.find('.', reg + 4);
    if (dot == std::string::npos) continue;
    const std::string type = line.substr(dot + 1, line.find_first_of(" \t", dot) - dot - 1);
    for (const std::string& name : names_in({line.substr(dot)})) types[name] = type;
  }
  return types;
}

struct World {
  std::vector<Register> registers;          // with a slot in every thread's record
  std::vector<u8> records, memory, shared;  // as they are before or after
  u32 record_bytes = 0;
  u32 threads = 32;
  std::vector<bool> active;
};

const Register* find_register(const World& world, const std::string& name, u32& offset) {
  offset = 0;
  for (const Register& reg : world.registers) {
    if (reg.name == name) return &reg;
    offset += 8;
  }
  return nullptr;
}

u64 read_bits(const std::vector<u8>& bytes, std::size_t at, u32 count) {
  u64 bits = 0;
  std::memcpy(&bits, bytes.data() + at, count);
  return bits;
}

bool is_region(const Setting& setting) {
  return setting.where == Setting::Where::local || setting.where == Setting::Where::memory;
}

std::string kernel_text(const Case& entry, const World& world, const std::string& target) {
  std::string text = fmt::format(".version 8.5\n.target {}\n.address_size 64\n", target);
  for (const std::string& line : entry.module) text += line + "\n";
  text += ".visible .entry test(.param .u64 io_records, .param .u64 io_mem, .param .u64 io_shared)\n{\n";
  const auto declared = declared_in(entry.code);
  std::set<std::string> names = names_in(entry.code);
  for (const Register& reg : world.registers) names.insert(reg.name);
  for (const std::string& name : names) {
    const std::string type = type_by_name(name);
    if (!type.empty() && !declared.contains(name)) text += fmt::format("  .reg .{} {};\n", type, name);
  }
  text += "  .reg .b64 %io, %mem, %io_shared;\n  .reg .b32 %io_t, %io_n, %io_w;\n  .reg .pred %io_p;\n";
  text += fmt::format("  .shared .align 16 .b8 lds[{}];\n", ptx_buffer_bytes);
  text += "  ld.param.u64 %mem, [io_mem];\n  ld.param.u64 %io, [io_records];\n  mov.u32 %io_t, %tid.x;\n";
  // Shared memory from its buffer, and back.
  const auto copy = [&](const char* label, bool in) {
    text += fmt::format(
        "  ld.param.u64 %io_shared, [io_shared];\n  mov.u32 %io_n, %io_t;\n{0}:\n  shl.b32 %io_w, %io_n, 2;\n"
        "  {{ .reg .b64 %io_a; .reg .b32 %io_s; cvt.u64.u32 %io_a, %io_w; add.u64 %io_a, %io_a, %io_shared;\n"
        "  mov.u32 %io_s, lds; add.u32 %io_s, %io_s, %io_w;\n"
        "  {1}; }}\n  add.u32 %io_n, %io_n, {2};\n  setp.lt.u32 %io_p, %io_n, {3};\n  @%io_p bra {0};\n",
        label,
        in ? "ld.global.u32 %io_w, [%io_a]; st.shared.u32 [%io_s], %io_w"
           : "ld.shared.u32 %io_w, [%io_s]; st.global.u32 [%io_a], %io_w",
        world.threads, ptx_buffer_bytes / 4);
  };
  const auto uses_shared = [](const std::vector<Setting>& list) {
    return std::any_of(list.begin(), list.end(),
                       [](const Setting& s) { return s.where == Setting::Where::local; });
  };
  const bool shared = uses_shared(entry.before) || uses_shared(entry.after);
  if (shared) {
    copy("IO_IN", true);
    text += "  bar.sync 0;\n";
  }
  text += fmt::format("  {{ .reg .b64 %io_o; mul.wide.u32 %io_o, %io_t, {}; add.u64 %io, %io, %io_o; }}\n",
                      world.record_bytes);
  u32 offset = 0;
  for (const Register& reg : world.registers) {
    if (reg.type == "pred") {
      text += fmt::format("  ld.global.u32 %io_w, [%io+{}]; setp.ne.u32 {}, %io_w, 0;\n", offset, reg.name);
    } else {
      text += fmt::format("  ld.global.{} {}, [%io+{}];\n", reg.type, reg.name, offset);
    }
    offset += 8;
  }
  const bool some_inactive = std::find(world.active.begin(), world.active.end(), false) != world.active.end();
  if (some_inactive)
    text += fmt::format(
        "  ld.global.u32 %io_w, [%io+{}]; setp.eq.u32 %io_p, %io_w, 0;\n  @%io_p bra IO_END;\n", offset);
  text += "  // ---- the case\n";
  for (const std::string& line : entry.code) text += "  " + line + "\n";
  text += "  // ----\n";
  offset = 0;
  for (const Register& reg : world.registers) {
    if (reg.type == "pred") {
      text += fmt::format("  selp.u32 %io_w, 1, 0, {}; st.global.u32 [%io+{}], %io_w;\n", reg.name, offset);
    } else {
      text += fmt::format("  st.global.{} [%io+{}], {};\n", reg.type, offset, reg.name);
    }
    offset += 8;
  }
  text += "IO_END:\n";
  if (shared) {
    text += "  bar.sync 0;\n";
    copy("IO_OUT", false);
  }
  return text + "  ret;\n}\n";
}

std::string prepare(World& world, const Case& entry) {
  world.threads = entry.threads != 0 ? entry.threads : 32;
  world.active.assign(world.threads, true);
  const auto declared = declared_in(entry.code);
  for (const auto* list : {&entry.before, &entry.after}) {
    for (const Setting& setting : *list) {
      if (is_region(setting)) {
        if (setting.index % 4 != 0 || setting.index + 4 * setting.values.size() > ptx_buffer_bytes)
          return fmt::format("{} is outside of the memory or not a multiple of 4\n", setting.place);
        continue;
      }
      if (setting.place == "active") continue;
      u32 offset = 0;
      if (find_register(world, setting.place, offset) != nullptr) continue;
      const auto found = declared.find(setting.place);
      const std::string type = found != declared.end() ? found->second : type_by_name(setting.place);
      if (type.empty())
        return fmt::format("{} has no type that its name tells or a .reg line declares\n", setting.place);
      world.registers.push_back({setting.place, type, slot_bytes(type)});
    }
  }
  world.record_bytes = static_cast<u32>(8 * world.registers.size()) + 8;
  world.records.assign(std::size_t{world.record_bytes} * world.threads, 0);
  world.memory.assign(ptx_buffer_bytes, 0);
  world.shared.assign(ptx_buffer_bytes, 0);
  for (const Setting& setting : entry.before) {
    if (is_region(setting)) {
      std::vector<u8>& bytes = setting.where == Setting::Where::local ? world.shared : world.memory;
      for (u32 i = 0; i < setting.values.size(); ++i) {
        const u64 bits = contents(setting.values[i], i, 4);
        std::memcpy(bytes.data() + setting.index + 4 * i, &bits, 4);
      }
      continue;
    }
    if (setting.place == "active") {
      for (u32 i = 0; i < world.threads; ++i)
        world.active[i] = ((setting.values[0].bits >> (i % 32)) & 1) != 0;
      continue;
    }
    u32 offset = 0;
    const Register* reg = find_register(world, setting.place, offset);
    for (u32 i = 0; i < world.threads; ++i) {
      const Value& value = setting.values[std::min<std::size_t>(i, setting.values.size() - 1)];
      const u64 bits = contents(value, i, reg->bytes);
      std::memcpy(world.records.data() + std::size_t{world.record_bytes} * i + offset, &bits, 8);
    }
  }
  for (u32 i = 0; i < world.threads; ++i) {
    const u32 flag = world.active[i] ? 1 : 0;
    std::memcpy(world.records.data() + std::size_t{world.record_bytes} * (i + 1) - 8, &flag, 4);
  }
  return {};
}

struct Ran {
  std::string fault;  // a message when something went wrong
  std::string printed;
  std::vector<std::string> alarms;  // of a checked run
  Record record;                    // of a timed run
};

// Steps the launch in the given way; the functional runner itself where nobody wants outcomes.
std::optional<Diagnostic> step(const PreparedLaunch& launch, Way way, ViolationLog& log, Record& record) {
  constexpr u64 most_steps = 1'000'000;
  if (way == Way::timed) {
    Group group;
    std::vector<u32> slots(launch.state().waves_per_group);
    std::iota(slots.begin(), slots.end(), 0u);
    group.begin(launch, 0, slots);
    return step_group(launch, group, nullptr, &record, most_steps);
  }
  std::optional<CheckedRun> checker;
  if (way == Way::checked) checker.emplace(launch, CheckSelection::all(), &log);
  FunctionalOptions options;
  options.instructions_per_wave = most_steps;
  std::optional<RegisterWatch> watch;
  if (way == Way::registers) watch.emplace(launch.module(), launch.program());
  options.checker = checker ? static_cast<StepChecker*>(&*checker) : watch ? &*watch : nullptr;
  const auto done = run_functional(launch, options);
  if (watch && !watch->story().empty()) return Diagnostic{"wrong-registers", {}, watch->story(), ""};
  return done ? std::nullopt : std::optional(done.error());
}

// Runs the kernel on `world`.
Ran run(const Module& module, World& world, Way way) {
  const auto failed = [](const Diagnostic& error) {
    Ran ran;
    ran.fault = to_string(error);
    return ran;
  };
  DeviceMemory memory(u64{1} << 28);
  if (way == Way::checked) memory.track_written();
  std::vector<ArgumentValue> arguments;
  std::vector<u64> places;
  for (const std::vector<u8>* bytes : {&world.records, &world.memory, &world.shared}) {
    const auto place = memory.allocate(bytes->size(), 256, "test");
    if (!place) return failed(place.error());
    if (const Status written = memory.write(*place, *bytes); !written) return failed(written.error());
    places.push_back(*place);
    ArgumentValue value;
    value.bytes.resize(8);
    std::memcpy(value.bytes.data(), &places.back(), 8);
    arguments.push_back(std::move(value));
  }
  constexpr u64 printf_bytes = 65536;
  const auto print_buffer = memory.allocate(printf_bytes, 256, "printf");
  if (!print_buffer) return failed(print_buffer.error());
  if (const Status ready = prepare_printf_buffer(memory, *print_buffer, printf_bytes, {}); !ready)
    return failed(ready.error());
  NdRange range;
  range.global[0] = world.threads;
  range.local[0] = world.threads;
  const u32 waves = functional_resident_waves(range, 32, 64);
  const Program* program = module.find("test");
  if (program == nullptr) return failed({"bad-case", {}, "the kernel is not in the module", ""});
  const auto launch = PreparedLaunch::make(memory, module, *program, range, arguments, waves, *print_buffer);
  if (!launch) return failed(launch.error());
  ViolationLog log;
  Ran ran;
  if (const auto fault = step(**launch, way, log, ran.record)) return failed(*fault);
  for (const Diagnostic& alarm : log.kept()) ran.alarms.push_back(to_string(alarm));
  u32 i = 0;
  for (std::vector<u8>* bytes : {&world.records, &world.memory, &world.shared}) {
    if (const Status read = memory.read(places[i++], *bytes); !read) return failed(read.error());
  }
  std::vector<u8> records(printf_bytes);
  if (const Status read = memory.read(*print_buffer, records); !read) return failed(read.error());
  ran.printed = printf_text(records, module.printf_formats);
  return ran;
}

std::string show(const Value& value, u32 lane, u32 bytes) {
  switch (value.kind) {
    case Value::Kind::anything:
      return "anything";
    case Value::Kind::keep:
      return "as before";
    case Value::Kind::any_nan:
      return "a NaN";
    case Value::Kind::near:
      return fmt::format("{:#x} within {} steps", value.bits, value.tolerance);
    default:
      return fmt::format("{:#x}", contents(value, lane, bytes));
  }
}

std::string compare_registers(const World& before, const World& after, const Case& entry) {
  std::string story;
  for (const Setting& setting : entry.after) {
    if (is_region(setting)) continue;
    u32 offset = 0;
    const Register* reg = find_register(after, setting.place, offset);
    if (reg == nullptr) continue;
    int shown = 0;
    for (u32 i = 0; i < after.threads; ++i) {
      static const Value keep{Value::Kind::keep, Value::Format::integer, 0, 0};
      const Value& value = i < setting.values.size() ? setting.values[i]
                           : after.active[i]         ? setting.values.back()
                                                     : keep;
      const u32 width = reg->type.ends_with("16") ? 2 : reg->bytes;
      const std::size_t at = std::size_t{after.record_bytes} * i + offset;
      const u64 was = read_bits(before.records, at, width), is = read_bits(after.records, at, width);
      if (matches(value, is, was, i, width)) continue;
      if (++shown <= 4)
        story += fmt::format("  * {} thread {}: is {:#x}, was {:#x}, expected {}\n", setting.place, i, is,
                             was, show(value, i, width));
    }
    if (shown > 4) story += fmt::format("    and {} more in {}\n", shown - 4, setting.place);
  }
  return story;
}

// Memory: what `after` names must be so, the rest as before.
std::string compare_region(const std::vector<u8>& before, const std::vector<u8>& after, const Case& entry,
                           Setting::Where where, const char* name) {
  std::string story;
  std::vector<bool> named(ptx_buffer_bytes / 4, false);
  for (const Setting& setting : entry.after) {
    if (setting.where != where || !is_region(setting)) continue;
    for (u32 i = 0; i < setting.values.size(); ++i) {
      const u32 at = setting.index + 4 * i;
      named[at / 4] = true;
      const u64 was = read_bits(before, at, 4), is = read_bits(after, at, 4);
      if (!matches(setting.values[i], is, was, i, 4))
        story += fmt::format("  * {}[{:#x}]: is {:#x}, was {:#x}, expected {}\n", name, at, is, was,
                             show(setting.values[i], i, 4));
    }
  }
  for (u32 at = 0; at < ptx_buffer_bytes; at += 4) {
    const u64 was = read_bits(before, at, 4), is = read_bits(after, at, 4);
    if (!named[at / 4] && was != is)
      story += fmt::format("  * {}[{:#x}]: is {:#x}, was {:#x}, must not change\n", name, at, is, was);
  }
  return story;
}

}  // namespace

std::string run_ptx_case(const Case& entry, const std::string& target_name, Coverage& coverage) {
  const Target* target = find_target(target_name);
  if (target == nullptr) return fmt::format("no target is called {}\n", target_name);
  World before;
  if (const std::string problem = prepare(before, entry); !problem.empty()) return problem;
  const std::string text = kernel_text(entry, before, target_name);
  const auto module = nv::load_module(text, *target, "case.ptx");
  std::string story;
  if (!module) {
    story = compare_message(entry.refused, to_string(module.error()), "loader");
  } else if (!entry.refused.empty()) {
    story = "  * it is not refused\n";
  } else {
    std::optional<World> first;
    for (const Way way : every_way) {
      World after = before;
      const Ran ran = run(**module, after, way);
      std::string wrong = way == Way::checked ? compare_alarms(entry, ran.alarms) : "";
      if (!ran.fault.empty()) {
        wrong += compare_message(entry.faults, ran.fault, "run");
      } else if (!entry.faults.empty()) {
        wrong += "  * it runs without a fault\n";
      } else {
        wrong += compare_registers(before, after, entry) +
                 compare_region(before.memory, after.memory, entry, Setting::Where::memory, "mem") +
                 compare_region(before.shared, after.shared, entry, Setting::Where::local, "shared");
        if (ran.printed != entry.prints)
          wrong += fmt::format("  * prints '{}', expected '{}'\n", ran.printed, entry.prints);
        if (first && (first->records != after.records || first->memory != after.memory ||
                      first->shared != after.shared))
          wrong += fmt::format("  * {} and functional differ\n", name_of(way));
      }
      if (wrong.empty()) coverage.add(target_name, (*module)->code, ran.record.executed);
      if (!wrong.empty()) story += fmt::format("  {}:\n{}", name_of(way), wrong);
      if (!first) first = std::move(after);
    }
  }
  return story.empty() ? story : story + "  kernel:\n" + text;
}

std::string emit_ptx_job(const Case& entry, const std::string& target_name, const std::string& folder,
                         const std::string& label) {
  const Target* target = find_target(target_name);
  World before;
  if (target == nullptr || !entry.refused.empty() || !entry.faults.empty() || !entry.prints.empty())
    return {};
  if (const std::string problem = prepare(before, entry); !problem.empty()) return problem;
  const std::string text = kernel_text(entry, before, target_name);
  const auto module = nv::load_module(text, *target, "case.ptx");
  if (!module) return to_string(module.error());
  World after = before;
  if (const Ran ran = run(**module, after, Way::functional); !ran.fault.empty()) return ran.fault;
  const auto write = [&](const std::string& name, const void* data, std::size_t bytes) {
    std::ofstream out(folder + "/" + label + name, std::ios::binary);
    out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  };
  write(".ptx", text.data(), text.size());
  std::string job =
      fmt::format("# {}:{} {}\nmodule {}.ptx {}\n", entry.file, entry.line, entry.name, label, label);
  std::string expectations;
  const auto buffer = [&](const char* name, const std::vector<u8>& was, const std::vector<u8>& is) {
    write(fmt::format(".{}.in", name), was.data(), was.size());
    write(fmt::format(".{}.expected", name), is.data(), is.size());
    job += fmt::format("buffer {0} {1} {2}.{0}.in\n", name, was.size(), label);
    expectations += fmt::format("expect {0} {1}.{0}.expected {1}.{0}\n", name, label);
  };
  buffer("records", before.records, after.records);
  buffer("memory", before.memory, after.memory);
  buffer("shared", before.shared, after.shared);
  job += fmt::format("launch test 1 1 1 {} 1 1 @records @memory @shared\n", before.threads) + expectations;
  write(".job", job.data(), job.size());
  return {};
}

}  // namespace lockstep::cases

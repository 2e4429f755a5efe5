#include "run/instruction_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include "isa/launch.h"
#include "isa/step.h"
#include "isa/wave.h"
#include "run/register_name.h"

namespace lockstep {
namespace {

constexpr u32 lanes_a_row = 8;     // of values that follow no rule
constexpr u32 listed_around = 5;   // instructions before and behind the present one
constexpr u64 most_memory = 1024;  // bytes that one command shows

// A register's value: one for each lane, or one for the wave. Intel's registers are no lanes' but eight
// dwords.
struct Value {
  RegisterFile file = RegisterFile::vector;
  u32 index = 0;
  std::vector<u32> lanes;
  bool dwords = false;
  u64 wave = 0;
  u32 at = 0;  // when it has its name: register_name.h
  bool operator==(const Value&) const = default;
};

std::optional<Value> read_register(const WaveState& wave, RegisterFile file, u32 index) {
  Value value{file, index, {}, false, 0, 2 * wave.pc};
  if (wave.isa && wave.isa->read_dwords(wave, file, index, value.lanes)) {
    if (value.lanes.empty()) return std::nullopt;
    value.dwords = true;
    value.wave = value.lanes[0];
    return value;
  }
  switch (file) {
    case RegisterFile::vector:
      if (index >= wave.vector_rows()) return std::nullopt;
      value.lanes.assign(wave.row(index), wave.row(index) + wave.lanes);
      break;
    case RegisterFile::scalar:
      if (index >= wave.scalars()) return std::nullopt;
      value.wave = wave.read_scalar(index);
      break;
    case RegisterFile::condition:
      value.wave = wave.scc ? 1 : 0;
      break;
    case RegisterFile::exec:
      value.wave = wave.exec();
      break;
  }
  return value;
}

std::string item_text(u32 value) {
  const f32 number = std::bit_cast<f32>(value);
  const u32 exponent = value >> 23 & 0xFF;
  // A float only where one is likely: not for small integers and addresses' halves.
  if (exponent > 64 && exponent < 192)
    return fmt::format("0x{:08x} ({}, {:g}f)", value, static_cast<i32>(value), number);
  return fmt::format("0x{:08x} ({})", value, static_cast<i32>(value));
}

// Lanes' values in one line where they follow a rule, else in rows; lanes that do not run are left out.
std::string lanes_text(const std::vector<u32>& values, u64 lanes) {
  std::vector<u32> numbers;
  for (u32 lane = 0; lane < values.size(); ++lane)
    if ((lanes >> lane & 1) != 0) numbers.push_back(lane);
  if (numbers.empty()) return "no lane runs";
  const u32 first = values[numbers[0]];
  if (std::ranges::all_of(numbers, [&](u32 lane) { return values[lane] == first; }))
    return fmt::format("{} in {}", item_text(first),
                       numbers.size() == 1 ? fmt::format("lane {}", numbers[0]) : std::string("all lanes"));
  const u32 step = (values[numbers[1]] - first) / (numbers[1] - numbers[0]);
  if (numbers.size() > 2 && std::ranges::all_of(numbers, [&](u32 lane) {
        return values[lane] == first + step * (lane - numbers[0]);
      }))
    return fmt::format("0x{:08x}, {:+d} from lane to lane", first, static_cast<i32>(step));
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i % lanes_a_row == 0) text += fmt::format("{}[{:>2}]", i == 0 ? "" : "\n               ", numbers[i]);
    text += fmt::format(" {:08x}", values[numbers[i]]);
  }
  return text;
}

std::string value_text(const Value& value, i64 lane, u64 lanes) {
  if (value.file != RegisterFile::vector) return fmt::format("0x{:x}", value.wave);
  if (value.dwords) return lanes_text(value.lanes, ~u64{0});
  if (lane >= 0) return item_text(value.lanes[static_cast<std::size_t>(lane)]);
  return lanes_text(value.lanes, lanes);
}

// The registers of one instruction, as they are.
struct Registers {
  std::vector<Value> read, written;
};

class Watched : public StepRunner {
 public:
  Watched(const Module& module, const Program& program, const TracedPart& part, TraceWriter write)
      : module_(module), program_(program), part_(part), write_(std::move(write)) {}

  u64 run(WaveState& wave, StepContext& context, const Instruction* code, u64 budget) override {
    const bool traced = wave.group == part_.group && (part_.wave < 0 || wave.index_in_group == part_.wave);
    if (!traced) return steps(wave, context, code, budget);
    u64 done = 0;
    while (done < budget && context.event == Event::none) {
      before(wave, context, code[wave.pc]);
      done += steps(wave, context, code, 1);
      after(wave, context);
    }
    return done;
  }

 protected:
  virtual void before(WaveState& wave, StepContext& context, const Instruction& instruction) = 0;
  virtual void after(WaveState& wave, StepContext& context) = 0;

  void say(std::string_view text) const { write_(text); }

  bool concerns(const WaveState& wave) const {
    return part_.lane < 0 || (wave.exec() >> part_.lane & 1) != 0;
  }

  std::string where(const WaveState& wave, u32 pc) const {
    const Code& code = module_.code;
    const SourcePosition at = code.position(pc);
    const std::string line =
        at.line != 0 && at.file < code.files.size() ? fmt::format("{}:{}", code.files[at.file], at.line) : "";
    const std::string text = pc < code.text.size() ? code.text[pc] : "";
    return fmt::format("wave {}.{}  #{:<5} 0x{:<6x} {:<24} {}\n", wave.group, wave.index_in_group, pc,
                       code.instructions[pc].address, line, text);
  }

  Registers registers_of(const WaveState& wave, const Instruction& instruction) const {
    RegisterUse use;
    Instruction room = instruction;
    const bool moves = module_.isa->indexed != nullptr;
    module_.isa->register_use(program_, moves ? module_.isa->indexed(wave, instruction, room) : instruction,
                              use);
    Registers registers;
    for (const RegisterRange& range : use.ranges()) {
      for (u32 i = 0; i < range.count; ++i) {
        std::optional<Value> value = read_register(wave, range.file, range.first + i);
        if (value && range.written) ++value->at;
        if (value) (range.written ? registers.written : registers.read).push_back(*value);
      }
    }
    return registers;
  }

  std::string named(const Value& value, const char* how, u64 lanes) const {
    return fmt::format("    {:<3} {:<7} {}\n", how,
                       register_name(module_, program_, value.file, value.index, value.at),
                       value_text(value, part_.lane, lanes));
  }

  std::string mask_text(const WaveState& wave) const {
    if (part_.lane >= 0) return "";
    return fmt::format("    {} of {} lanes run: 0x{:x}\n", std::popcount(wave.exec()), wave.lanes,
                       wave.exec());
  }

  const Module& module_;
  const Program& program_;
  const TracedPart part_;

 private:
  u64 steps(WaveState& wave, StepContext& context, const Instruction* code, u64 budget) {
    NoWatch nobody;
    return context.checker != nullptr ? run_wave<true>(wave, context, code, budget, nobody)
                                      : run_wave<false>(wave, context, code, budget, nobody);
  }
  const TraceWriter write_;
};

// What an instruction changed, of the registers that it may write.
std::vector<Value> written_now(const WaveState& wave, const std::vector<Value>& before) {
  std::vector<Value> now;
  for (const Value& one : before) {
    if (const auto value = read_register(wave, one.file, one.index)) {
      now.push_back(*value);
      now.back().at = one.at;
    }
  }
  return now;
}

class Tracer final : public Watched {
 public:
  using Watched::Watched;

 private:
  void before(WaveState& wave, StepContext&, const Instruction& instruction) override {
    shown_ = concerns(wave);
    if (!shown_) return;
    lanes_ = wave.exec();
    registers_ = registers_of(wave, instruction);
    std::string text = where(wave, wave.pc);
    if (lanes_ != told_lanes_ || wave.index_in_group != told_wave_) text += mask_text(wave);
    told_lanes_ = lanes_;
    told_wave_ = wave.index_in_group;
    for (const Value& value : registers_.read)
      if (value.file != RegisterFile::exec) text += named(value, "in", lanes_);
    say(text);
  }
  void after(WaveState& wave, StepContext& context) override {
    if (!shown_) return;
    std::string text;
    const std::vector<Value> now = written_now(wave, registers_.written);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i].file == RegisterFile::exec) continue;
      if (now[i] == registers_.written[i]) {
        text += named(now[i], "out", lanes_);
        continue;
      }
      text += named(registers_.written[i], "was", lanes_) + named(now[i], "out", lanes_);
    }
    if (context.event == Event::fault) text += "    the launch fails here\n";
    say(text);
  }

  Registers registers_;
  u64 lanes_ = 0, told_lanes_ = ~u64{0};
  u32 told_wave_ = ~u32{0};
  bool shown_ = false;
};

constexpr std::string_view help_text =
    "  s [N]          execute one instruction, or N, of this part of the launch\n"
    "  c              go on to the next breakpoint, else to the end\n"
    "  b LINE         stop before each instruction of a source line; b #N before instruction N; b alone "
    "lists\n"
    "  d LINE, d #N   no longer\n"
    "  p NAME [LANE]  a register: v3, s0, exec_lo, scc, T1.x, 'row 7', lanes\n"
    "  r              the registers of this instruction\n"
    "  l              the instructions around this one\n"
    "  x ADDRESS [N]  N bytes of memory; x l:OFFSET of the group's local memory\n"
    "  w              where this wave is\n"
    "  q              end the run\n"
    "  an empty line  the last command again\n";

class Stepper final : public Watched {
 public:
  Stepper(const Module& module, const Program& program, const TracedPart& part, TraceWriter write,
          std::function<bool(std::string&)> read, std::function<void()> quit)
      : Watched(module, program, part, std::move(write)), read_(std::move(read)), quit_(std::move(quit)) {}

 private:
  void before(WaveState& wave, StepContext& context, const Instruction& instruction) override {
    changed_ = false;
    if (over_ || !concerns(wave)) return;
    const bool stop = steps_ != 0 && --steps_ == 0;
    if (!stop && !at_breakpoint(wave.pc)) return;
    steps_ = 0;
    say(where(wave, wave.pc));
    while (!over_ && steps_ == 0 && !going_) command(wave, context);
    going_ = false;
    changed_ = !over_;
    if (changed_) registers_ = registers_of(wave, instruction);
    lanes_ = wave.exec();
  }
  void after(WaveState& wave, StepContext& context) override {
    if (!changed_) return;
    std::string text;
    const std::vector<Value> now = written_now(wave, registers_.written);
    for (std::size_t i = 0; i < now.size(); ++i)
      if (!(now[i] == registers_.written[i])) text += named(now[i], "out", lanes_);
    if (context.event == Event::fault) text += "    the launch fails here\n";
    say(text);
  }

  bool at_breakpoint(u32 pc) const {
    if (instructions_.contains(pc)) return true;
    const u32 line = module_.code.position(pc).line;
    // A line is met where it begins: not at each of its instructions.
    return line != 0 && lines_.contains(line) && (pc == 0 || module_.code.position(pc - 1).line != line);
  }

  void command(WaveState& wave, StepContext& context) {
    std::string line;
    if (!read_(line)) {
      over_ = true;
      return;
    }
    if (line.empty()) line = last_;
    last_ = line;
    std::istringstream words(line);
    std::string name, first, second;
    words >> name >> first >> second;
    name = short_name(name);
    if (name == "s") {
      const std::optional<u64> count = first.empty() ? 1 : number(first);
      if (!count || *count == 0) return say("  wanted is a number of instructions: s 10\n");
      steps_ = *count;
    } else if (name == "c") {
      going_ = true;
    } else if (name == "b" || name == "d") {
      breakpoints(name == "b", first);
    } else if (name == "p") {
      print(wave, first, second);
    } else if (name == "r") {
      const Registers registers = registers_of(wave, module_.code.instructions[wave.pc]);
      std::string text = mask_text(wave);
      for (const Value& value : registers.read) text += named(value, "in", wave.exec());
      for (const Value& value : registers.written) text += named(value, "out", wave.exec());
      say(text);
    } else if (name == "l") {
      list(wave);
    } else if (name == "x") {
      memory(wave, context, first, second);
    } else if (name == "w") {
      say(where(wave, wave.pc) + mask_text(wave));
    } else if (name == "q") {
      over_ = true;
      quit_();
    } else {
      if (name != "h" && !name.empty()) say(fmt::format("  '{}' is no command here\n", name));
      say(help_text);
    }
  }

  // As people know it from other debuggers; what they do not know stays as it is.
  static std::string short_name(const std::string& name) {
    static const std::map<std::string, std::string, std::less<>> known = {
        {"step", "s"},   {"stepi", "s"}, {"si", "s"},   {"n", "s"},         {"next", "s"},
        {"ni", "s"},     {"nexti", "s"}, {"cont", "c"}, {"continue", "c"},  {"break", "b"},
        {"delete", "d"}, {"print", "p"}, {"regs", "r"}, {"registers", "r"}, {"list", "l"},
        {"where", "w"},  {"bt", "w"},    {"quit", "q"}, {"exit", "q"},      {"help", "h"},
        {"?", "h"}};
    const auto found = known.find(name);
    return found == known.end() ? name : found->second;
  }

  static std::optional<u64> number(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x");
    if (hexadecimal) text.remove_prefix(2);
    u64 value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
    return value;
  }

  void breakpoints(bool add, const std::string& at) {
    const bool instruction = at.starts_with("#");
    const std::optional<u64> value = number(std::string_view(at).substr(instruction ? 1 : 0));
    std::set<u32>& set = instruction ? instructions_ : lines_;
    if (!at.empty() && !value) return say("  wanted is a source line or an instruction: b 12, b #40\n");
    if (value) {
      const u32 wanted = static_cast<u32>(*value);
      if (add && !instruction && !has_line(wanted))
        return say(fmt::format("  no instruction is of line {}\n", wanted));
      if (add && instruction && wanted >= module_.code.instructions.size())
        return say(fmt::format("  there are {} instructions\n", module_.code.instructions.size()));
      if (add)
        set.insert(wanted);
      else
        set.erase(wanted);
    }
    std::string text = "  stops at:";
    for (const u32 line : lines_) text += fmt::format(" line {}", line);
    for (const u32 pc : instructions_) text += fmt::format(" #{}", pc);
    say(text + (lines_.empty() && instructions_.empty() ? " nothing\n" : "\n"));
  }

  bool has_line(u32 line) const {
    return std::ranges::any_of(module_.code.instructions, [&](const Instruction& instruction) {
      return module_.code.positions[instruction.line].line == line;
    });
  }

  void print(const WaveState& wave, const std::string& first, const std::string& second) {
    std::string name = first, lane_text = second;
    // "row 7" has a blank in it.
    if ((name == "row" || name == "scalar") && !second.empty()) {
      name += " " + second;
      lane_text.clear();
    }
    RegisterFile file = RegisterFile::vector;
    u32 index = 0;
    std::optional<Value> value;
    if (find_register(module_, program_, name, 2 * wave.pc, file, index))
      value = read_register(wave, file, index);
    if (!value) return say(fmt::format("  there is no register '{}' here\n", name));
    const std::optional<u64> lane = lane_text.empty() ? std::nullopt : number(lane_text);
    if (!lane_text.empty() && (!lane || *lane >= wave.lanes))
      return say(fmt::format("  a lane is 0 to {}\n", wave.lanes - 1));
    const i64 which = lane ? static_cast<i64>(*lane) : part_.lane;
    say(fmt::format("  {} {}\n", name, value_text(*value, which, wave.exec())));
  }

  void list(const WaveState& wave) {
    const u32 begin = wave.pc > listed_around ? wave.pc - listed_around : 0;
    const u32 end =
        std::min<u32>(wave.pc + listed_around + 1, static_cast<u32>(module_.code.instructions.size()));
    std::string text;
    for (u32 pc = begin; pc < end; ++pc) text += (pc == wave.pc ? "> " : "  ") + where(wave, pc);
    say(text);
  }

  void memory(const WaveState& wave, const StepContext& context, const std::string& at,
              const std::string& count) {
    const bool local = at.starts_with("l:");
    const std::optional<u64> address = number(std::string_view(at).substr(local ? 2 : 0));
    const std::optional<u64> bytes = count.empty() ? 16 : number(count);
    if (!address || !bytes || *bytes == 0 || *bytes > most_memory)
      return say(fmt::format("  wanted are an address and 1 to {} bytes: x 0x1000000000 64\n", most_memory));
    const bool inside = local ? *address <= wave.local.size() && *bytes <= wave.local.size() - *address
                              : context.global.contains(*address, *bytes);
    if (!inside) return say("  the address lies in no memory\n");
    const u8* data = local ? wave.local.data() + *address : context.global.at(*address);
    std::string text;
    for (u64 i = 0; i < *bytes; ++i) {
      if (i % 16 == 0) text += fmt::format("{}  0x{:x}:", i == 0 ? "" : "\n", *address + i);
      text += fmt::format(" {:02x}", data[i]);
    }
    say(text + "\n");
  }

  const std::function<bool(std::string&)> read_;
  const std::function<void()> quit_;
  std::set<u32> lines_, instructions_;
  std::string last_ = "s";
  Registers registers_;
  u64 lanes_ = 0;
  u64 steps_ = 1;  // until the next stop; 0: to a breakpoint
  bool going_ = false, over_ = false, changed_ = false;
};

Diagnostic bad_part(const std::string& text, std::string message) {
  return {"bad-trace", {text, 0, 0}, std::move(message), "item:X,Y,Z; wave:GROUP,WAVE; group:GROUP"};
}

}  // namespace

Expected<TracedPart> parse_traced_part(const std::string& text, const NdRange& range, u32 wave_lanes) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return bad_part(text, "wanted is a part of the launch");
  const std::string kind = text.substr(0, colon);
  std::vector<u64> numbers;
  for (std::size_t at = colon + 1; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    u64 value = 0;
    const auto parsed = std::from_chars(text.data() + at, text.data() + end, value);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + end)
      return bad_part(text, "a number is missing");
    numbers.push_back(value);
    at = end + 1;
  }
  TracedPart part;
  if (kind == "item" && numbers.size() <= 3) {
    numbers.resize(3, 0);
    u64 index = 0, group = 0;
    for (u32 i = 3; i-- > 0;) {
      if (numbers[i] >= range.global[i])
        return bad_part(text,
                        fmt::format("the launch has {} work-items in dimension {}", range.global[i], i));
      index = index * range.local[i] + numbers[i] % range.local[i];
      group = group * range.groups(i) + numbers[i] / range.local[i];
    }
    part.group = group;
    part.wave = static_cast<i64>(index / wave_lanes);
    part.lane = static_cast<i64>(index % wave_lanes);
    return part;
  }
  const bool wave = kind == "wave" && numbers.size() <= 2;
  if (!wave && !(kind == "group" && numbers.size() == 1))
    return bad_part(text, "wanted is a part of the launch");
  const u64 waves = (range.group_items() + wave_lanes - 1) / wave_lanes;
  if (numbers[0] >= range.total_groups())
    return bad_part(text, fmt::format("the launch has {} groups, from 0", range.total_groups()));
  part.group = numbers[0];
  if (wave) part.wave = numbers.size() == 2 ? static_cast<i64>(numbers[1]) : 0;
  if (wave && static_cast<u64>(part.wave) >= waves)
    return bad_part(text, fmt::format("a group has {} waves, from 0", waves));
  return part;
}

std::unique_ptr<StepRunner> make_tracer(const Module& module, const Program& program, const TracedPart& part,
                                        TraceWriter write) {
  return std::make_unique<Tracer>(module, program, part, std::move(write));
}

std::unique_ptr<StepRunner> make_stepper(const Module& module, const Program& program, const TracedPart& part,
                                         TraceWriter write, std::function<bool(std::string&)> read,
                                         std::function<void()> quit) {
  return std::make_unique<Stepper>(module, program, part, std::move(write), std::move(read), std::move(quit));
}

}  // namespace lockstep

#include "exec/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "isa/memory_shapes.h"

namespace lockstep {
namespace {

constexpr u64 steps_of_a_wave = u64{1} << 20, steps_of_all = u64{1} << 25;
constexpr u32 most_listed = 16;

// What shows best where the instruction belongs: itself, or where it has no line of its own the nearest one
// before it that has, in the same kernel; in a library's code without lines, `lined`.
u32 with_line(const PreparedLaunch& launch, u32 instruction, u32 lined) {
  const Code& code = launch.module().code;
  const Program& program = launch.program();
  const auto has_line = [&](u32 at) { return at < code.instructions.size() && code.position(at).line != 0; };
  if (has_line(instruction)) return instruction;
  if (instruction >= program.entry && instruction < program.end) {
    for (u32 at = instruction; at != program.entry; --at) {
      if (has_line(at - 1)) return at - 1;
    }
  }
  return has_line(lined) ? lined : instruction;
}

// The call of the function in which the wave is, if it has not called others since; ~0 where that is not
// known. On AMD's GPUs the return address lies in s[30:31] (LLVM, "User Guide for AMDGPU Backend", Non-Kernel
// Functions).
u32 caller(const PreparedLaunch& launch, const WaveState& wave) {
  const Module& module = launch.module();
  if (module.target->isa != IsaFamily::amdgcn) return ~u32{0};
  const u64 address = wave.read_scalar(30) | u64{wave.read_scalar(31)} << 32;
  const u64 text = launch.state().image_address + (module.code.text_address - module.image.address);
  const u64 word = (address - text) / 4;
  if (word >= module.code.index_of_word.size()) return ~u32{0};
  const u32 behind = module.code.index_of_word[word];
  return behind == ~u32{0} || behind == 0 ? ~u32{0} : behind - 1;
}

// The same for the wave's place now.
u32 with_line(const PreparedLaunch& launch, const WaveState& wave, u32 instruction) {
  return with_line(launch, instruction, caller(launch, wave));
}

std::string line_of(const PreparedLaunch& launch, u32 instruction) {
  const Code& code = launch.module().code;
  if (instruction >= code.instructions.size()) return "in code without source lines";
  const SourcePosition position = code.position(instruction);
  if (position.line == 0)
    return fmt::format("at instruction {:#x} ({})", code.instructions[instruction].address,
                       instruction < code.text.size() ? code.text[instruction] : "");
  return fmt::format("at {}:{}", code.files[position.file], position.line);
}

// The part of a diagnostic's message behind its first line.
std::string details(const Diagnostic& diagnostic) {
  const std::size_t at = diagnostic.message.find('\n');
  return at == std::string::npos ? "" : diagnostic.message.substr(at);
}

std::string wave_name(const PreparedLaunch& launch, const WaveState& wave) {
  const GroupId group = launch.group(wave.group);
  return fmt::format("group ({}, {}, {}) wave {}", group.id[0], group.id[1], group.id[2],
                     wave.index_in_group);
}

// Who of the group is not at the barrier.
std::string missing_at_barrier(const Group& group) {
  std::string out;
  u32 missing = 0;
  for (u32 i = 0; i < group.waves.size(); ++i) {
    if (group.status[i] == WaveStatus::at_barrier) continue;
    if (++missing > 4) continue;
    out += fmt::format("{}wave {}{}", missing == 1 ? "" : ", ", i,
                       group.status[i] == WaveStatus::ended ? " (ended)" : "");
  }
  if (missing > 4) out += fmt::format(" and {} more", missing - 4);
  return out;
}

// What a wave that comes round and round read last.
struct Spin {
  u32 instruction = ~u32{0};  // of the read; ~0: it reads no memory
  u32 lined = ~u32{0};        // the last one with a source line before it
  Space space = Space::global;
  u64 address = 0;
  u32 bytes = 0;
};

std::string describe(const PreparedLaunch& launch, const Group& group, u32 wave, const Spin* spin) {
  const WaveState& state = group.waves[wave];
  std::string out = wave_name(launch, state);
  if (group.status[wave] == WaveStatus::at_barrier) {
    return out + fmt::format(" waits at the barrier {}; missing there: {}",
                             line_of(launch, with_line(launch, state, state.pc - 1)),
                             missing_at_barrier(group));
  }
  if (spin == nullptr) {
    out += fmt::format(" is {}", line_of(launch, with_line(launch, state, state.pc)));
  } else if (spin->instruction == ~u32{0}) {
    out += fmt::format(" loops for ever {}", line_of(launch, with_line(launch, state, state.pc)));
  } else {
    std::string what = fmt::format("byte {} of local memory", spin->address);
    u64 value = 0;
    const u32 bytes = std::min(spin->bytes, 8u);
    if (spin->space == Space::local) {
      if (spin->address + bytes <= group.local.size())
        std::memcpy(&value, &group.local[spin->address], bytes);
    } else {
      const auto allocation = launch.memory().find(spin->address, 1);
      what = allocation ? fmt::format("'{}', byte {}", allocation->name, spin->address - allocation->address)
                        : fmt::format("address {:#x}", spin->address);
      const GlobalMemory memory = launch.memory().view();
      if (memory.contains(spin->address, bytes)) std::memcpy(&value, memory.at(spin->address), bytes);
    }
    out += fmt::format(" waits {} for {} to change, which holds {}",
                       line_of(launch, with_line(launch, spin->instruction, spin->lined)), what, value);
  }
  const auto waiting = launch.module().isa->waiting_lanes;
  const u32 others = waiting != nullptr ? waiting(state) : ~u32{0};
  if (others != ~u32{0}) {
    out += fmt::format("; its other lanes wait {} and do not run before these have come there",
                       line_of(launch, with_line(launch, others, ~u32{0})));
  }
  return out;
}

// Registers, private memory and all else that decides what a wave does next.
struct Snapshot {
  u32 pc = 0, mode = 0;
  bool scc = false, ieee_mode = false, dx10_clamp = false;
  u64 exec = 0, instructions = 0;
  std::vector<u32> vector, scalar;
  std::vector<u8> own_memory;
  std::unique_ptr<IsaWaveState> isa;
  u64 fingerprint = 0;

  static std::span<const u8> memory_of(const WaveState& wave, const GlobalMemory& memory) {
    const u64 bytes = wave.private_bytes_per_lane * wave.lanes;
    if (!memory.contains(wave.private_base, bytes)) return {};
    return {memory.at(wave.private_base), bytes};
  }
  void take(const WaveState& wave, const GlobalMemory& memory, bool with_isa) {
    pc = wave.pc;
    mode = wave.mode;
    scc = wave.scc;
    ieee_mode = wave.ieee_mode;
    dx10_clamp = wave.dx10_clamp;
    exec = wave.exec();
    instructions = wave.instructions;
    vector.assign(wave.row(0), wave.row(0) + std::size_t{wave.vector_rows()} * wave.lanes);
    scalar.resize(wave.scalars());
    for (u32 i = 0; i < wave.scalars(); ++i) scalar[i] = wave.read_scalar(i);
    const std::span<const u8> own = memory_of(wave, memory);
    own_memory.assign(own.begin(), own.end());
    if (wave.isa == nullptr) return;
    fingerprint = wave.isa->fingerprint();
    if (with_isa) isa = wave.isa->clone();
  }
  bool equals(const WaveState& wave, const GlobalMemory& memory) const {
    if (pc != wave.pc || scc != wave.scc || mode != wave.mode || exec != wave.exec()) return false;
    for (u32 i = 0; i < scalar.size(); ++i) {
      if (scalar[i] != wave.read_scalar(i)) return false;
    }
    const std::span<const u8> own = memory_of(wave, memory);
    return std::memcmp(vector.data(), wave.row(0), vector.size() * 4) == 0 &&
           std::equal(own.begin(), own.end(), own_memory.begin(), own_memory.end()) &&
           (wave.isa == nullptr || wave.isa->fingerprint() == fingerprint);
  }
  void restore(WaveState& wave) {
    wave.pc = pc;
    wave.mode = mode;
    wave.scc = scc;
    wave.ieee_mode = ieee_mode;
    wave.dx10_clamp = dx10_clamp;
    wave.instructions = instructions;
    std::copy(vector.begin(), vector.end(), wave.row(0));
    for (u32 i = 0; i < scalar.size(); ++i) wave.write_scalar(i, scalar[i]);
    wave.set_exec(exec);
    if (isa != nullptr) wave.isa = std::move(isa);
  }
};

// Watches memory while a wave is tried out: what it wrote is undone, whether anything changed is told.
class Trial final : public StepChecker {
 public:
  explicit Trial(const PreparedLaunch& launch) : code_(launch.module().code) {
    const LaunchState& state = launch.state();
    for (const u64 address : {state.arguments_address, state.dispatch_packet_address}) {
      if (const auto fixed = launch.memory().find(address, 1)) fixed_.push_back(*fixed);
    }
    // What NVIDIA's vprintf leaves in its buffer is no access of the wave: the word that counts the bytes
    // tells.
    const GlobalMemory memory = launch.memory().view();
    if (state.printf_buffer_address == 0 || !memory.contains(state.printf_buffer_address, sizeof(printed_)))
      return;
    printed_at_ = memory.at(state.printf_buffer_address);
    std::memcpy(&printed_, printed_at_, sizeof(printed_));
  }

  bool changed = false;  // memory that others see
  Spin spin;
  u32 lined = ~u32{0};  // the last instruction with a source line

  // The instruction is about to run.
  void see(u32 instruction) {
    if (code_.position(instruction).line != 0) lined = instruction;
  }
  void before(WaveState&, const Instruction&, StepContext&) override { settle(); }
  void access(WaveState& wave, const Instruction& in, const Access& access, StepContext& context) override {
    if (access.lanes == 0) return;
    const bool own = access.space == Space::private_memory;
    const u64 first = access.address[static_cast<u32>(std::countr_zero(access.lanes))];
    if (access.kind != AccessKind::store && !own && !is_fixed(access.space, first))
      spin = {wave.pc - 1, lined, access.space, first, access.bytes};
    (void)in;
    if (access.kind == AccessKind::load) return;
    memory::for_lanes(access.lanes, [&](u32 lane) {
      for (u64 at = 0; at < access.bytes; at += 4) {
        // Dwords of private memory lie apart.
        const u64 address = own ? access.address[lane] + at * wave.lanes : access.address[lane] + at;
        const u32 bytes = static_cast<u32>(std::min<u64>(access.bytes - at, 4));
        u8* host = nullptr;
        if (access.space == Space::local) {
          if (address + bytes <= wave.local.size()) host = wave.local.data() + address;
        } else if (context.global.contains(address, bytes)) {
          host = context.global.at(address);
        }
        if (host == nullptr) continue;
        Written written{host, bytes, own, {}};
        std::memcpy(written.old.data(), host, bytes);
        written_.push_back(written);
      }
    });
  }
  // Whether what the last instructions wrote was there before.
  void settle() {
    for (; settled_ < written_.size(); ++settled_) {
      const Written& written = written_[settled_];
      changed =
          changed || (!written.own && std::memcmp(written.host, written.old.data(), written.bytes) != 0);
    }
  }
  // Whether the wave has printed, which is no standing still.
  bool printed() const {
    return printed_at_ != nullptr && std::memcmp(&printed_, printed_at_, sizeof(printed_)) != 0;
  }
  bool is_full() const { return written_.size() > most_written; }
  void undo() {
    if (printed_at_ != nullptr) std::memcpy(printed_at_, &printed_, sizeof(printed_));
    for (auto at = written_.rbegin(); at != written_.rend(); ++at)
      std::memcpy(at->host, at->old.data(), at->bytes);
    written_.clear();
    settled_ = 0;
  }

 private:
  // What nobody can change: the arguments and the like.
  bool is_fixed(Space space, u64 address) const {
    return space != Space::local && std::any_of(fixed_.begin(), fixed_.end(), [&](const Allocation& fixed) {
             return address - fixed.address < fixed.bytes;
           });
  }

  struct Written {
    u8* host;
    u32 bytes;
    bool own;
    std::array<u8, 4> old;
  };
  static constexpr std::size_t most_written = std::size_t{1} << 20;
  const Code& code_;
  u8* printed_at_ = nullptr;
  u32 printed_ = 0;
  std::vector<Allocation> fixed_;
  std::vector<Written> written_;
  std::size_t settled_ = 0;
};

// Whether the wave, run on its own, comes back to where it was and changes no memory that others see.
bool spins(const PreparedLaunch& launch, WaveState& wave, u64 now_cycles, u64& budget, Spin& spin) {
  const Instruction* code = launch.module().code.instructions.data();
  Snapshot begin, mark;
  std::unique_ptr<CheckerWaveState> checked = std::move(wave.checked);
  const std::shared_ptr<IsaGroupState> group_state = wave.group_state;
  if (group_state != nullptr) wave.group_state = group_state->clone();
  StepContext context = make_context(launch);
  begin.take(wave, context.global, true);
  Trial trial(launch);
  context.checker = &trial;
  context.now_cycles = now_cycles;
  bool found = false;
  u64 next_mark = 1;
  mark.take(wave, context.global, false);
  for (u64 steps = 1; steps < steps_of_a_wave && budget != 0; ++steps, --budget) {
    const Instruction& instruction = code[wave.pc];
    trial.see(wave.pc);
    ++wave.pc;
    ++context.now_cycles;  // time passes, so that who waits for that does not look as if for ever
    instruction.run(wave, instruction, context);
    ++wave.instructions;
    if (context.event == Event::yield) context.event = Event::none;
    if (context.event != Event::none) break;
    trial.settle();
    if (trial.changed || trial.printed() || trial.is_full()) break;
    if (group_state != nullptr && wave.group_state->fingerprint() != group_state->fingerprint()) break;
    if (mark.equals(wave, context.global)) {
      found = true;
      break;
    }
    if (steps == next_mark) {
      next_mark *= 2;
      mark.take(wave, context.global, false);
    }
  }
  spin = trial.spin;
  if (spin.lined == ~u32{0}) spin.lined = trial.lined;  // from before the round's begin, as it comes round
  trial.undo();
  begin.restore(wave);
  wave.checked = std::move(checked);
  wave.group_state = group_state;
  return found;
}

std::string not_begun(const PreparedLaunch& launch, u64 begun, std::size_t resident) {
  const u64 total = launch.state().range.total_groups();
  if (begun >= total) return "";
  return fmt::format(
      "\n  {} of the {} work-groups have not begun: the GPU holds no more than these {} at once",
      total - begun, total, resident);
}

}  // namespace

Diagnostic endless_loop(const PreparedLaunch& launch, const WaveState& wave, u64 most_instructions,
                        std::span<const Group* const> active, const StepChecker* checker) {
  Diagnostic diagnostic = describe_fault(launch, wave, with_line(launch, wave, wave.pc), {}, checker);
  diagnostic.code = "endless-loop";
  diagnostic.message =
      fmt::format("a wave executed more than {} instructions{}", most_instructions, details(diagnostic));
  u32 others = 0;
  for (const Group* group : active) {
    for (u32 i = 0; i < group->waves.size(); ++i) {
      if (group->status[i] == WaveStatus::ended || &group->waves[i] == &wave) continue;
      if (++others <= most_listed) {
        diagnostic.message +=
            fmt::format("\n  {}{}", others == 1 ? "meanwhile " : "", describe(launch, *group, i, nullptr));
      }
    }
  }
  if (others > most_listed) diagnostic.message += fmt::format("\n  and {} more waves", others - most_listed);
  diagnostic.hint = "an endless loop, or a longer kernel than the limit allows";
  return diagnostic;
}

Diagnostic uneven_barrier(const PreparedLaunch& launch, const Group& group, const StepChecker* checker) {
  u32 waiting = 0;
  while (group.status[waiting] != WaveStatus::at_barrier) ++waiting;
  const WaveState& wave = group.waves[waiting];
  Diagnostic diagnostic = describe_fault(launch, wave, with_line(launch, wave, wave.pc - 1), {}, checker);
  diagnostic.code = "barrier-not-reached";
  diagnostic.message =
      fmt::format("{} of the group's {} waves wait at a barrier that the others, ended, did not reach{}",
                  group.at_barrier, group.waves.size(), details(diagnostic));
  diagnostic.hint = "every work-item of a group must reach the same barriers";
  return diagnostic;
}

std::optional<Diagnostic> different_barriers(const PreparedLaunch& launch, const Group& group,
                                             const StepChecker* checker) {
  if (!launch.module().opencl_c) return std::nullopt;
  const Code& code = launch.module().code;
  u32 waiting = 0;
  while (group.status[waiting] != WaveStatus::at_barrier) ++waiting;
  const WaveState& first = group.waves[waiting];
  for (const WaveState& wave : group.waves) {
    if (wave.pc == first.pc || group.status[wave.index_in_group] != WaveStatus::at_barrier) continue;
    // The compiler may have made several of one in the source.
    const SourcePosition here = code.position(checker->place(wave, with_line(launch, wave, wave.pc - 1)));
    const SourcePosition there = code.position(checker->place(first, with_line(launch, first, first.pc - 1)));
    if (here.line == 0 || there.line == 0 || (here.line == there.line && here.file == there.file)) continue;
    Diagnostic diagnostic = describe_fault(launch, wave, with_line(launch, wave, wave.pc - 1), {}, checker);
    diagnostic.code = "divergent-barrier";
    diagnostic.message = fmt::format("work-items of one group wait at different barriers, others at {}:{}{}",
                                     code.files[there.file], there.line, details(diagnostic));
    diagnostic.hint = "every work-item of a group must reach the same barriers";
    return diagnostic;
  }
  return std::nullopt;
}

std::optional<Diagnostic> find_deadlock(const PreparedLaunch& launch, std::span<Group* const> active,
                                        u64 begun, u64 now_cycles) {
  struct Blocked {
    const Group* group;
    u32 wave;
    Spin spin;
  };
  std::vector<Blocked> blocked;
  u64 budget = steps_of_all;
  for (Group* group : active) {
    for (u32 i = 0; i < group->waves.size(); ++i) {
      if (group->status[i] == WaveStatus::ended) continue;
      Spin spin;
      if (group->status[i] == WaveStatus::running &&
          !spins(launch, group->waves[i], now_cycles, budget, spin))
        return std::nullopt;
      blocked.push_back({group, i, spin});
    }
  }
  if (blocked.empty()) return std::nullopt;
  // Who spins tells more than who waits at a barrier for them.
  const auto first = std::find_if(blocked.begin(), blocked.end(), [](const Blocked& one) {
    return one.group->status[one.wave] == WaveStatus::running;
  });
  const Blocked& shown = first != blocked.end() ? *first : blocked.front();
  const WaveState& wave = shown.group->waves[shown.wave];
  const u32 at = shown.spin.instruction != ~u32{0}
                     ? with_line(launch, shown.spin.instruction, shown.spin.lined)
                     : with_line(launch, wave, wave.pc);
  Fault fault;
  fault.lane = wave.exec() != 0 ? static_cast<u32>(std::countr_zero(wave.exec())) : 0;
  Diagnostic diagnostic = describe_fault(launch, wave, at, fault);
  diagnostic.code = "deadlock";
  diagnostic.message = fmt::format("no wave can go on any more: {} of them {}{}", blocked.size(),
                                   blocked.size() == 1 ? "is blocked" : "are blocked", details(diagnostic));
  for (std::size_t i = 0; i < std::min<std::size_t>(blocked.size(), most_listed); ++i) {
    diagnostic.message += "\n  " + describe(launch, *blocked[i].group, blocked[i].wave, &blocked[i].spin);
  }
  if (blocked.size() > most_listed)
    diagnostic.message += fmt::format("\n  and {} more waves", blocked.size() - most_listed);
  diagnostic.message += not_begun(launch, begun, active.size());
  diagnostic.hint = begun < launch.state().range.total_groups()
                        ? "work-groups may wait only for groups that run at the same time: launch no more "
                          "than the GPU holds"
                        : "who is to change what they wait for, and what does it wait for itself?";
  return diagnostic;
}

}  // namespace lockstep

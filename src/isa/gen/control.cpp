#include "isa/gen/control.h"

#include <bit>
#include <cstring>

#include "isa/gen/operation.h"
#include "isa/gen/register_use.h"
#include "isa/gen/wave.h"

namespace lockstep::gen {
namespace {

u32 running(const WaveState& wave) {
  return static_cast<u32>(wave.exec());
}

// Channels stop running until the thread comes to the instruction.
void suspend(WaveState& wave, u32 channels, u32 until) {
  if (channels == 0) return;
  GenWave& own = gen(wave);
  for (u32 rest = channels; rest != 0; rest &= rest - 1)
    own.wait[static_cast<u32>(std::countr_zero(rest))] = until;
  own.waiting |= channels;
  wave.set_exec(wave.exec() & ~u64{channels});
}

// The thread is at the instruction: channels that wait for it run again.
void arrive(WaveState& wave, u32 at) {
  GenWave& own = gen(wave);
  u32 woken = 0;
  for (u32 rest = own.waiting; rest != 0; rest &= rest - 1) {
    const u32 channel = static_cast<u32>(std::countr_zero(rest));
    if (own.wait[channel] == at) woken |= u32{1} << channel;
  }
  if (woken == 0) return;
  own.waiting &= ~woken;
  wave.set_exec(wave.exec() | woken);
}

void go(WaveState& wave, u32 to) {
  wave.pc = to;
  arrive(wave, to);
}

// Channels of the instruction that run and fulfil its predicate, as the thread's channels.
u32 chosen(const WaveState& wave, const Operation& operation) {
  return active_of(wave, operation) << operation.first;
}

void run_if(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  const u32 scope = channel_mask(operation.lanes) << operation.first;
  suspend(wave, running(wave) & scope & ~chosen(wave, operation), operation.jump);
  if (running(wave) == 0) go(wave, operation.jump);
}

void run_else(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  const u32 scope = channel_mask(operation.lanes) << operation.first;
  suspend(wave, running(wave) & scope, operation.other_jump);
  arrive(wave, wave.pc);
  if (running(wave) == 0) go(wave, operation.jump);
}

void run_join(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  const u32 here = wave.pc - 1;
  arrive(wave, here);
  if (running(wave) == 0 && operation.jump != here && operation.jump != wave.pc) go(wave, operation.jump);
}

// Channels that fulfil the predicate begin the loop again; those that have left it go on behind it.
void run_while(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  const u32 scope = channel_mask(operation.lanes) << operation.first;
  arrive(wave, wave.pc - 1);
  const u32 again = running(wave) & chosen(wave, operation);
  suspend(wave, running(wave) & scope & ~again, wave.pc);
  if (again != 0)
    go(wave, operation.jump);
  else
    arrive(wave, wave.pc);
}

// UIP is the loop's while: those that break wait behind it, those that continue at it.
void run_break(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  suspend(wave, chosen(wave, operation), operation.other_jump + 1);
  if (running(wave) == 0) go(wave, operation.jump);
}

void run_continue(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  suspend(wave, chosen(wave, operation), operation.other_jump);
  if (running(wave) == 0) go(wave, operation.jump);
}

void run_halt(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  arrive(wave, wave.pc - 1);
  suspend(wave, chosen(wave, operation), operation.other_jump);
  if (running(wave) == 0) go(wave, operation.jump);
}

// Channels that fulfil the predicate go on, the others go to UIP.
void run_goto(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  const u32 scope = channel_mask(operation.lanes) << operation.first;
  suspend(wave, running(wave) & scope & ~chosen(wave, operation), operation.other_jump);
  if (running(wave) == 0) go(wave, operation.jump);
}

// Backwards: where any channel goes there, the thread does, and the others wait behind.
void run_goto_back(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  const u32 back = chosen(wave, operation);
  if (back == 0) return;
  suspend(wave, running(wave) & ~back, operation.jump);
  go(wave, operation.other_jump);
}

void run_jump(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  if (operation.predicated && (predicate_of(wave, operation) & 1) == 0) return;
  go(wave, operation.jump);
}

// Where a function goes back to: the instruction pointer, in bytes, and the channels that called it.
void run_call(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  const u32 callers = chosen(wave, operation);
  if (callers == 0) return;
  u8* to = bytes_of(wave) + operation.result.offset;
  const u32 back = static_cast<u32>(in.address + in.size);
  std::memcpy(to, &back, 4);
  std::memcpy(to + 4, &callers, 4);
  suspend(wave, running(wave) & ~callers, wave.pc);
  go(wave, operation.jump);
}

// The instruction at an address of the program's code. False after a fault.
bool find_target(u32 address, StepContext& context, u32& index) {
  const u64 word = (address - context.text_address) / 4;
  index = address % 4 == 0 && word < context.text_words ? context.index_of_word[word] : ~u32{0};
  if (index != ~u32{0}) return true;
  Fault fault;
  fault.kind = FaultKind::unknown_target;
  fault.address = address;
  context.raise(fault);
  return false;
}

void run_return(WaveState& wave, const Instruction& in, StepContext& context) {
  const Operation& operation = operation_of(wave, in);
  u32 back;
  std::memcpy(&back, bytes_of(wave) + operation.source[0].offset, 4);
  u32 to = 0;
  if (!find_target(back, context, to)) return;
  suspend(wave, chosen(wave, operation), to);
  if (running(wave) == 0) go(wave, to);
}

// The notification of the barrier that the thread has signalled.
void run_wait(WaveState& wave, const Instruction&, StepContext& context) {
  GenWave& own = gen(wave);
  if (own.signalled) context.event = Event::barrier;
  own.signalled = false;
}

void run_nothing(WaveState&, const Instruction&, StepContext&) {}

void run_illegal(WaveState&, const Instruction&, StepContext& context) {
  Fault fault;
  fault.kind = FaultKind::trap;
  context.raise(fault);
}

constexpr Semantic control(std::string_view name, u16 implied, Role role = Role::none) {
  Semantic made;
  made.name = name;
  made.shape = Shape::control;
  made.flow = Flow::own;
  made.role = role;
  made.implied = implied;
  return made;
}
constexpr u16 masks = implies::reads_exec | implies::writes_exec;
constexpr Semantic if_ = control("if", masks), else_ = control("else", masks),
                   endif = control("endif", masks), while_ = control("while", masks),
                   break_ = control("break", masks), continue_ = control("cont", masks),
                   halt = control("halt", masks), goto_ = control("goto", masks),
                   join = control("join", masks), jump = control("jmpi", masks),
                   call = control("call", masks), ret = control("ret", masks),
                   wait = control("wait", 0, Role::barrier), nothing = control("nop", 0),
                   illegal = control("illegal", 0);

constexpr ControlOperation operations[] = {
    {"if", Control::if_, 2, run_if, &if_},
    {"else", Control::else_, 2, run_else, &else_},
    {"endif", Control::endif, 1, run_join, &endif},
    {"while", Control::while_, 1, run_while, &while_},
    {"break", Control::break_, 2, run_break, &break_},
    {"cont", Control::continue_, 2, run_continue, &continue_},
    {"halt", Control::halt, 2, run_halt, &halt},
    {"goto", Control::goto_, 2, run_goto, &goto_},
    {"goto.b", Control::goto_back, 2, run_goto_back, &goto_},
    {"join", Control::join, 1, run_join, &join},
    {"jmpi", Control::jump, 1, run_jump, &jump},
    {"call", Control::call, 1, run_call, &call},
    {"ret", Control::ret, 0, run_return, &ret},
    {"wait", Control::wait, 0, run_wait, &wait},
    {"nop", Control::nothing, 0, run_nothing, &nothing},
    {"illegal", Control::illegal, 0, run_illegal, &illegal},
};

}  // namespace

void run_jump_by_register(WaveState& wave, const Instruction& in, StepContext& context) {
  const Operation& operation = operation_of(wave, in);
  if (operation.predicated && (predicate_of(wave, operation) & 1) == 0) return;
  u32 distance, to = 0;
  std::memcpy(&distance, bytes_of(wave) + operation.source[0].offset, 4);
  if (find_target(static_cast<u32>(in.address) + in.size + distance, context, to)) go(wave, to);
}

const Semantic& jump_meaning() {
  return jump;
}
const Semantic& call_meaning() {
  return call;
}
const Semantic& return_meaning() {
  return ret;
}

const ControlOperation* find_control(std::string_view mnemonic) {
  for (const ControlOperation& one : operations)
    if (one.mnemonic == mnemonic) return &one;
  return nullptr;
}

u64 GenWave::fingerprint() const {
  u64 hash = 0xCBF29CE484222325u;
  const auto add = [&](u64 value) { hash = (hash ^ value) * 0x100000001B3u; };
  add(waiting);
  for (u32 rest = waiting; rest != 0; rest &= rest - 1) add(wait[static_cast<u32>(std::countr_zero(rest))]);
  for (const u64 value : accumulator) add(value);
  add(signalled);
  return hash;
}

bool GenWave::read_dwords(const WaveState& wave, RegisterFile file, u32 index,
                          std::vector<u32>& dwords) const {
  if (file != RegisterFile::vector && file != RegisterFile::scalar) return false;
  const u32 bytes = register_bytes_of(file), at = register_place(file, index);
  dwords.assign(at == no_place ? 0 : bytes / 4, 0);
  if (!dwords.empty()) std::memcpy(dwords.data(), bytes_of(wave) + at, bytes);
  return true;
}

}  // namespace lockstep::gen

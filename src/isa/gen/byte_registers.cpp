// Which bytes an instruction's operands are, channel by channel, for checked runs.
#include "isa/gen/byte_registers.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/gen/message.h"
#include "isa/gen/operation.h"
#include "isa/program.h"
#include "isa/semantic.h"

namespace lockstep::gen {
namespace {

NumberForm form_of(Type type) {
  return {static_cast<u8>(bytes_of(type)), is_signed(type), is_float(type)};
}

NumberForm form_of(Class computes) {
  switch (computes) {
    case Class::i32:
      return {4, true, false};
    case Class::u32:
      return {4, false, false};
    case Class::i64:
      return {8, true, false};
    case Class::u64:
      return {8, false, false};
    case Class::f16:
      return {2, true, true};
    case Class::f32:
      return {4, true, true};
    case Class::f64:
      break;
  }
  return {8, true, true};
}

Relation relation_of(Condition condition) {
  switch (condition) {
    case Condition::equal:
      return Relation::equal;
    case Condition::not_equal:
      return Relation::not_equal;
    case Condition::greater:
      return Relation::greater;
    case Condition::greater_equal:
      return Relation::greater_equal;
    case Condition::less:
      return Relation::less;
    case Condition::less_equal:
      return Relation::less_equal;
    default:
      return Relation::unknown;
  }
}

// Symbols' addresses are constants.
u32 place_in_file(u32 at) {
  return at < file::symbols ? at : no_byte;
}

u32 address_register(u32 element) {
  return file::address + 2 * element;
}

u32 mantissa_place(i32 number, u32 channel) {
  return place::mantissa + most_channels * static_cast<u32>(number) + channel % most_channels;
}

void describe_source(const WaveState& wave, const Operation& operation, u32 number, ByteSource& made) {
  const Source& source = operation.source[number];
  made.form = form_of(source.type);
  made.negate = source.negate;
  made.absolute = source.absolute;
  made.beside_bytes = 0;
  for (u32 i = 0; i < operation.lanes; ++i) {
    u32& at = made.at[i];
    const u32 within = i / source.width * source.vertical + i % source.width * source.horizontal;
    switch (source.place) {
      case Where::file:
        at = place_in_file(static_cast<u32>(source.offset) + within);
        break;
      case Where::indirect: {
        const u32 element = source.address + (source.by_row ? i / source.width : 0u);
        const u32 column = i % source.width * source.horizontal;
        at = place_in_file(indexed_place(wave, element, source.offset) + (source.by_row ? column : within));
        made.beside_bytes = 2;
        made.beside[i] = address_register(element);
        break;
      }
      case Where::accumulator:
        at = place::accumulator + 8 * ((i + static_cast<u32>(source.offset)) % most_channels);
        break;
      default:
        at = no_byte;
    }
    if (source.mantissa >= 0) {
      made.beside_bytes = 1;
      made.beside[i] = mantissa_place(source.mantissa, operation.first + i);
    }
  }
}

void describe_result(const WaveState& wave, const Operation& operation, ByteResult& made) {
  const Result& result = operation.result;
  made.exists = result.place != Where::none;
  if (!made.exists) return;
  made.saturate = result.saturate;
  made.form = form_of(result.type);
  u32 begin = static_cast<u32>(result.offset);
  if (result.place == Where::indirect) {
    begin = indexed_place(wave, result.address, result.offset);
    made.address_at = address_register(result.address);
  }
  const bool accumulates = result.place == Where::accumulator;
  // An accumulator has all bits of what was computed, but of floats.
  if (accumulates && operation.computes < Class::f16) made.form = {8, false, false};
  for (u32 i = 0; i < operation.lanes; ++i)
    made.at[i] = accumulates
                     ? place::accumulator + 8 * ((i + static_cast<u32>(result.offset)) % most_channels)
                     : place_in_file(begin + i * result.step);
}

// A carry, a product's sum, a mantissa: beside the result.
void describe_second(const Operation& operation, const Instruction& in, ByteStep& made) {
  const bool extends = operation.result.mantissa >= 0;
  made.second.exists = extends || operation.writes_accumulator;
  if (!made.second.exists) return;
  made.second.form = {static_cast<u8>(extends ? 1 : 8), false, false};
  made.second_bits = !extends && in.meaning->flow == Flow::carries_up ? 1 : ~u64{0};
  for (u32 i = 0; i < operation.lanes; ++i)
    made.second.at[i] =
        extends ? mantissa_place(operation.result.mantissa, operation.first + i) : place::accumulator + 8 * i;
}

// The values as the operation sees them, and what it makes of them.
void compute(const WaveState& wave, const Instruction& in, const Operation& operation, ByteStep& made) {
  Work work;
  work.lanes = operation.lanes;
  work.predicate = made.channels.predicated ? predicate_of(wave, operation) : 0;
  std::memcpy(&work.control, bytes_of(wave) + file::control, sizeof(work.control));
  const u32 bytes = form_of(operation.computes).bytes;
  Lanes* const lanes[] = {&work.a, &work.b, &work.c};
  const auto take = [&](const Lanes& from, u32 i) {
    u64 bits = 0;
    std::memcpy(&bits, from.bytes.data() + std::size_t{bytes} * i, bytes);
    return bits;
  };
  for (u32 number = 0; number < operation.sources; ++number) {
    ByteSource& source = made.source[number];
    if (operation.fetch[number] == nullptr) continue;
    operation.fetch[number](wave, operation.source[number], operation.lanes, *lanes[number]);
    for (u32 i = 0; i < operation.lanes; ++i) source.value[i] = take(*lanes[number], i);
  }
  made.test_known = operation.compute != nullptr;
  if (operation.compute == nullptr) return;
  operation.compute(work);
  for (u32 i = 0; i < operation.lanes; ++i) made.out[i] = take(work.out, i);
  if (operation.test != nullptr) made.test_result = operation.test(work.out, operation.lanes);
  if (in.meaning->flow != Flow::scalar_select) return;
  // Of ones and zeros each channel shows which of the two it has.
  work.a.bytes.fill(0xFF);
  work.b.bytes.fill(0);
  operation.compute(work);
  made.chosen = 0;
  for (u32 i = 0; i < operation.lanes; ++i) made.chosen |= u32{take(work.out, i) != 0} << i;
}

// As an instruction's own flow says, which is that of integers: of floats only moves show how bits go.
Flow flow_of(const Operation& operation, const Instruction& in) {
  const Flow flow = in.meaning->flow;
  if (operation.computes < Class::f16 || flow == Flow::compare || flow == Flow::scalar_select) return flow;
  return flow == Flow::move ? flow : Flow::any;
}

void describe_values(const WaveState& wave, const Instruction& in, const Operation& operation,
                     ByteStep& made) {
  made.computes = form_of(operation.computes);
  made.sources = operation.sources;
  for (u32 i = 0; i < operation.sources; ++i) describe_source(wave, operation, i, made.source[i]);
  describe_result(wave, operation, made.result);
  describe_second(operation, in, made);
  compute(wave, in, operation, made);
  made.flow = flow_of(operation, in);
  if (operation.reads_accumulator) {
    ByteSource& sum = made.source[made.sources++];
    sum.form = {8, false, false};
    for (u32 i = 0; i < operation.lanes; ++i) sum.at[i] = place::accumulator + 8 * i;
    sum.negate = sum.absolute = false;
    sum.beside_bytes = 0;
    sum.value.fill(0);
  }
  made.selects_by_predicate = operation.selects;
  // smov: its immediate says which channels move.
  if (operation.sources == 1 && operation.source[1].place == Where::immediate)
    made.channels.taken &= static_cast<u32>(operation.source[1].value);
  made.compares = made.flow == Flow::compare;
  if (made.compares) made.relation = relation_of(operation.condition);
  made.tests = operation.condition != Condition::none;
  made.condition_bit = operation.condition_bit;
  made.tested_relation = relation_of(operation.condition);
  made.tested = made.computes;
  const Result& result = operation.result;
  if (result.place != Where::none && !made.computes.is_float && !is_float(result.type) && !result.saturate &&
      bytes_of(result.type) < made.computes.bytes)
    made.tested = form_of(result.type);
}

void describe_branch(const WaveState& wave, const Operation& operation, ByteStep& made) {
  made.branches = true;
  made.sources = 0;
  // Those that wait for this instruction take part in it (while, halt).
  const GenWave& own = gen(wave);
  for (u32 rest = own.waiting; rest != 0 && !operation.every_channel; rest &= rest - 1) {
    const u32 channel = static_cast<u32>(std::countr_zero(rest));
    if (own.wait[channel] == wave.pc - 1) made.channels.running |= (u32{1} << channel) >> operation.first;
  }
  made.channels.running &= channel_mask(operation.lanes);
  made.sources = operation.sources;
  if (made.sources != 0) describe_source(wave, operation, 0, made.source[0]);
  // Of a call: where the function goes back to, and the channels that called it.
  made.result.exists = operation.result.place == Where::file && made.sources == 0;
  made.result.form = {8, false, false};
  made.result.at.fill(static_cast<u32>(operation.result.offset));
}

u32 reach_of(const Source& source, u32 lanes) {
  const u32 rows = (lanes - 1u) / source.width, rest = std::min<u32>(lanes, source.width) - 1u;
  return rows * source.vertical + rest * source.horizontal + bytes_of(source.type);
}

void reach_message(const Operation& operation, ByteReach& reach) {
  const PayloadRegisters needs = registers_of(operation.message);
  constexpr u32 bytes = file::register_bytes;
  reach.reads.add(bytes * operation.payload, bytes * needs.addresses);
  reach.reads.add(bytes * operation.second_payload, bytes * needs.data);
  if (operation.responds) reach.writes.add(bytes * operation.response, bytes * needs.response);
}

void reach(const Program& program, const Instruction& in, ByteReach& made) {
  const Operation& operation = (*static_cast<const GenProgram&>(*program.isa).operations)[in.detail];
  const u32 lanes = operation.lanes;
  if (operation.predicated) made.reads.add(file::flag, 8);
  if (operation.condition != Condition::none) {
    made.reads.add(file::flag, 8);
    made.writes.add(file::flag, 8);
  }
  if (operation.reads_accumulator || operation.writes_accumulator) {
    made.reads.add(place::accumulator, 8 * most_channels);
    made.writes.add(place::accumulator, 8 * most_channels);
  }
  for (u32 i = 0; i < operation.sources; ++i) {
    const Source& source = operation.source[i];
    if (source.place == Where::file && source.offset < static_cast<i32>(file::symbols))
      made.reads.add(static_cast<u32>(source.offset), reach_of(source, lanes));
    if (source.place == Where::indirect) made.reads.add(0, file::address + 32);
    if (source.place == Where::accumulator) made.reads.add(place::accumulator, 8 * most_channels);
    if (source.mantissa >= 0) made.reads.add(mantissa_place(source.mantissa, 0), most_channels);
  }
  const Result& result = operation.result;
  if (result.place == Where::file)
    made.writes.add(static_cast<u32>(result.offset),
                    std::max((lanes - 1u) * result.step + bytes_of(result.type), 8u));
  if (result.place == Where::indirect) {
    made.reads.add(file::address, 32);
    made.writes.add(0, file::address);
  }
  if (result.place == Where::accumulator) made.writes.add(place::accumulator, 8 * most_channels);
  if (result.mantissa >= 0) made.writes.add(mantissa_place(result.mantissa, 0), most_channels);
  if (operation.message.kind != Message::Kind::none) reach_message(operation, made);
}

void describe(const WaveState& wave, const Instruction& in, ByteStep& made) {
  const Operation& operation = operation_of(wave, in);
  describe_channels(wave, operation, made.channels);
  if (in.meaning->shape == Shape::control) return describe_branch(wave, operation, made);
  describe_values(wave, in, operation, made);
  // The first instruction does the dispatcher's work: until then the registers do not have it.
  made.known = gen(wave).begun;
}

}  // namespace

void describe_channels(const WaveState& wave, const Operation& operation, ByteChannels& channels) {
  const u32 all = channel_mask(operation.lanes);
  channels.lanes = operation.lanes;
  channels.first = operation.first;
  channels.running = operation.every_channel ? all : static_cast<u32>(wave.exec() >> operation.first) & all;
  channels.taken = channels.running & (operation.predicated ? predicate_of(wave, operation) : all);
  channels.predicated = operation.predicated;
  channels.inverse = operation.inverse;
  channels.group = static_cast<ByteChannels::Group>(operation.group);
  channels.group_lanes = operation.group_lanes;
  channels.predicate_bit = operation.predicate_bit;
  channels.flags_at = file::flag;
  std::memcpy(&channels.flags, bytes_of(wave) + file::flag, sizeof(channels.flags));
}

const ByteRegisters byte_registers{
    place::end,       file::control,    file::symbols - file::control, reach, describe,
    describe_message, describe_transfer};

}  // namespace lockstep::gen

// Every meaning against what it declares of definedness (isa/flow.h): whatever the undefined bits of its
// sources are, the bits of its result that count as defined stay the same.
#include "exec/check/flow.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "isa/amd/table.h"
#include "isa/nv/opcodes.h"
#include "isa/step.h"

namespace lockstep {
namespace {

using check::Action;
using check::Bits;
using check::Rule;

constexpr u32 source_row = 8, source_scalar = 20, result_scalar = 60, carry_scalar = 70;

// Packed f32 and moves like it take pairs of registers, whatever the kind of their halves.
bool takes_pairs(const Semantic& meaning) {
  return meaning.flow == Flow::pairs || meaning.flow == Flow::move_pairs;
}
u32 source_width(const Semantic& meaning, u32 source) {
  return takes_pairs(meaning) ? 64 : check::value_width(meaning.source[source]);
}

struct Trial {
  std::string name;
  const Semantic* meaning;
  bool ptx;
  Instruction in{};
  Rule rule{};
  bool scalar = false;  // one value for the whole wave

  u32 lanes() const { return meaning->run64 != nullptr ? 64 : 32; }
  bool by_constant(u32 source) const { return in.operand[1 + source].kind == OperandKind::immediate; }

  void prepare(std::mt19937_64& random) {
    in.meaning = meaning;
    in.run = run_function(*meaning, lanes());
    scalar = meaning->shape == Shape::scalar;
    const bool gives_mask = meaning->result == Kind::mask;
    in.operand[0].kind = scalar || gives_mask ? OperandKind::scalar : OperandKind::vector;
    in.operand[0].index = scalar || gives_mask ? result_scalar : 0;
    in.operand[0].registers = static_cast<u8>(registers_of(meaning->result, lanes()));
    if (meaning->result == Kind::none) in.operand[0].kind = OperandKind::none;
    in.operand[4].index = carry_scalar;
    if (meaning->mask_result) in.operand[4].kind = OperandKind::scalar;
    u32 slot = 1;
    for (u32 i = 0; i < meaning->sources; ++i) {
      const Kind kind = meaning->source[i];
      if (kind == Kind::condition) continue;
      Operand& operand = in.operand[slot++];
      const bool in_scalar = scalar || kind == Kind::mask;
      operand.kind = in_scalar ? OperandKind::scalar : OperandKind::vector;
      operand.index = (in_scalar ? source_scalar : source_row) + 2 * i;
      operand.registers = static_cast<u8>(takes_pairs(*meaning) ? 2 : registers_of(kind, lanes()));
    }
    const Flow flow = meaning->flow;
    if (ptx && (flow == Flow::shift_left || flow == Flow::shift_right || flow == Flow::shift_right_signed)) {
      in.operand[2].kind = OperandKind::immediate;
      in.operand[2].value = random() % check::value_width(meaning->result);
    }
    if (takes_pairs(*meaning)) in.amd.packed_select = static_cast<u8>(random());
    rule = ptx ? check::rule_of_ptx(in) : check::rule_of(in);
  }
  bool says_something() const {
    if (rule.action != Action::lanes && rule.action != Action::scalar) return false;
    const bool counts = rule.flow == Flow::count_below_low || rule.flow == Flow::count_below_high;
    if (rule.custom && !counts && !takes_pairs(*meaning)) return false;
    return rule.flow != Flow::any && rule.flow != Flow::own && meaning->sources != 0 &&
           meaning->role == Role::none;
  }
};

// Often small, often with few bits: what decides comparisons, carries and fields.
u64 value_of(std::mt19937_64& random, u32 width) {
  u64 value = random();
  switch (random() % 5) {
    case 0:
      value = random() % 40;
      break;
    case 1:
      value = ~(random() % 40);
      break;
    case 2:
      value &= random() & random();
      break;
    default:
      break;
  }
  return value & check::ones(width);
}

void put(WaveState& wave, const Trial& trial, const std::vector<std::array<Bits, 4>>& bits,
         std::mt19937_64* vary) {
  const u32 lanes = trial.lanes();
  u32 slot = 1;
  for (u32 i = 0; i < trial.meaning->sources; ++i) {
    const Kind kind = trial.meaning->source[i];
    const auto value = [&](u32 lane) {
      const Bits& of = bits[lane][i];
      return vary == nullptr ? of.value : of.value ^ ((*vary)() & of.undefined);
    };
    if (kind == Kind::condition) {
      wave.scc = value(0) != 0;
      continue;
    }
    const Operand& operand = trial.in.operand[slot++];
    if (operand.kind == OperandKind::immediate) continue;
    if (kind == Kind::mask) {
      u64 mask = 0;
      for (u32 lane = 0; lane < lanes; ++lane) mask |= value(lane) << lane;
      wave.write_mask(operand.index, mask);
    } else if (trial.scalar) {
      wave.write_scalar64(operand.index, value(0));
    } else {
      for (u32 lane = 0; lane < lanes; ++lane) {
        const u64 whole = value(lane);
        wave.row(operand.index)[lane] = static_cast<u32>(whole);
        wave.row(operand.index + 1)[lane] = static_cast<u32>(whole >> 32);
      }
    }
  }
}

u64 result_of(WaveState& wave, const Trial& trial, u32 lane) {
  const Operand& result = trial.in.operand[0];
  if (trial.meaning->result == Kind::none) return wave.scc ? 1 : 0;
  if (trial.meaning->result == Kind::mask) return (wave.read_mask(result.index) >> lane) & 1;
  const u32 width = check::value_width(trial.meaning->result);
  u64 value = trial.scalar ? wave.read_scalar(result.index) : wave.row(result.index)[lane];
  if (width == 64)
    value |= u64{trial.scalar ? wave.read_scalar(result.index + 1) : wave.row(result.index + 1)[lane]} << 32;
  return value & check::ones(width);
}

std::string text_of(const std::array<Bits, 4>& bits, u32 count) {
  std::string text;
  for (u32 i = 0; i < count; ++i) {
    text += " " + std::to_string(bits[i].value) + " undefined " + std::to_string(bits[i].undefined);
  }
  return text;
}

// The message of the first disagreement, empty where there is none.
std::string disagreement(Trial& trial, std::mt19937_64& random) {
  const u32 lanes = trial.lanes(), used = trial.scalar ? 1 : lanes, sources = trial.meaning->sources;
  WaveState wave;
  wave.allocate(lanes, 32, 256);
  wave.set_exec(wave.all_lanes());
  wave.valid_lanes = wave.all_lanes();
  StepContext context;
  std::vector<std::array<Bits, 4>> bits(lanes);
  std::vector<u64> undefined(used), base(used);
  const u32 width = trial.meaning->result == Kind::none ? 1 : check::value_width(trial.meaning->result);
  for (u32 lane = 0; lane < used; ++lane) {
    for (u32 i = 0; i < sources; ++i) {
      Bits& source = bits[lane][i];
      source.width = source_width(*trial.meaning, i);
      source.value = value_of(random, source.width);
      if (random() % 3 != 0) source.undefined = value_of(random, source.width);
      if (trial.scalar && source.width == 16) {
        // A constant of the encoding, extended.
        source.undefined = 0;
        if (trial.meaning->source[i] == Kind::i16)
          source.value = static_cast<u32>(static_cast<i16>(source.value));
        source.width = 32;
      }
      const bool constant =
          trial.meaning->source[i] != Kind::condition && !trial.scalar && trial.by_constant(i);
      if (constant) source = {trial.in.operand[1 + i].value, 0, source.width};
    }
    undefined[lane] = check::flow(trial.rule, std::span(bits[lane]).first(sources), width, lane).undefined;
  }
  bool condition_defined = false;
  if (trial.scalar && trial.rule.condition_is_nonzero) {
    const Bits out = check::flow(trial.rule, std::span(bits[0]).first(sources), width, 0);
    condition_defined = out.undefined == 0 || (out.value & ~out.undefined) != 0;
  }
  put(wave, trial, bits, nullptr);
  trial.in.run(wave, trial.in, context);
  const bool condition = wave.scc;
  for (u32 lane = 0; lane < used; ++lane) base[lane] = result_of(wave, trial, lane);
  for (int variation = 0; variation < 12; ++variation) {
    put(wave, trial, bits, &random);
    trial.in.run(wave, trial.in, context);
    for (u32 lane = 0; lane < used; ++lane) {
      const u64 changed = result_of(wave, trial, lane) ^ base[lane];
      if ((changed & ~undefined[lane]) != 0)
        return trial.name + ":" + text_of(bits[lane], sources) + " changes " + std::to_string(changed) +
               ", of which " + std::to_string(undefined[lane]) + " counts as undefined";
    }
    if (condition_defined && wave.scc != condition)
      return trial.name + ":" + text_of(bits[0], sources) + " changes the condition code";
  }
  return "";
}

void expect_sound(std::vector<Trial> trials, std::size_t at_least) {
  std::mt19937_64 random(20240);
  std::set<const Semantic*> seen;
  for (Trial& trial : trials) {
    if (trial.meaning == nullptr) continue;
    trial.prepare(random);
    if (!trial.says_something() || !seen.insert(trial.meaning).second) continue;
    for (int round = 0; round < (trial.scalar ? 200 : 20); ++round) {
      trial.prepare(random);
      const std::string message = disagreement(trial, random);
      EXPECT_EQ(message, "");
      if (!message.empty()) break;
    }
  }
  EXPECT_GE(seen.size(), at_least);
}

TEST(Flow, OfEveryAmdMeaningIsSound) {
  std::vector<Trial> trials;
  for (const amd::Row& row : amd::all_rows())
    trials.push_back({std::string(row.mnemonic), row.meaning, false});
  expect_sound(std::move(trials), 250);
}

TEST(Flow, OfEveryPtxMeaningIsSound) {
  std::vector<Trial> trials;
  for (const auto& [name, opcode] : nv::opcodes().rows()) trials.push_back({name, opcode.meaning, true});
  expect_sound(std::move(trials), 150);
}

// A value combined with itself does not depend on it.
TEST(Flow, CancelsAValueAndItself) {
  u32 found = 0;
  for (const amd::Row& row : amd::all_rows()) {
    const Semantic* meaning = row.meaning;
    if (meaning == nullptr || meaning->shape != Shape::lanewise || meaning->sources != 2) continue;
    Instruction in;
    in.meaning = meaning;
    in.operand[0].kind = OperandKind::vector;
    for (const u32 i : {1u, 2u}) {
      in.operand[i].kind = OperandKind::vector;
      in.operand[i].index = source_row;
      in.operand[i].registers = 2;
    }
    in.operand[4].kind = OperandKind::scalar;
    in.operand[4].index = carry_scalar;
    if (check::rule_of(in).flow != Flow::constant) continue;
    ++found;
    WaveState wave;
    wave.allocate(64, 32, 256);
    wave.set_exec(wave.all_lanes());
    std::mt19937_64 random(7);
    for (u32 lane = 0; lane < 64; ++lane) {
      wave.row(source_row)[lane] = static_cast<u32>(random());
      wave.row(source_row + 1)[lane] = static_cast<u32>(random());
    }
    StepContext context;
    meaning->run64(wave, in, context);
    for (u32 lane = 1; lane < 64; ++lane) EXPECT_EQ(wave.row(0)[lane], wave.row(0)[0]) << row.mnemonic;
  }
  EXPECT_GE(found, 8u);
}

}  // namespace
}  // namespace lockstep

// One meaning, one definition: no two computing semantics of a vendor's tables do the same with the same
// kinds of sources. What they do is found out by running them: on edge values and noise, in several modes,
// clamped and not. And what tells itself apart from another by the width in its name alone is no definition
// of its own either.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "isa/amd/table.h"
#include "isa/amd/text.h"
#include "isa/nv/opcodes.h"
#include "isa/step.h"

namespace lockstep {
namespace {

constexpr u32 lanes = 32;
constexpr u32 result_row = 20, result_scalar = 40, mask_scalar = 44, source_mask = 48;

constexpr u64 edges[] = {0,
                         1,
                         2,
                         31,
                         32,
                         63,
                         0x7F,
                         0x80,
                         0xFFFF,
                         0x8000,
                         0x7FFFFFFF,
                         0x80000000,
                         0xFFFFFFFF,
                         0x3C00,
                         0x7C00,
                         0x7E01,
                         0x7D01,
                         0x0001,
                         0x3F800000,
                         0x7F800000,
                         0x7FC00001,
                         0x7F800001,
                         0x00000001'00000001,
                         0x3FF0000000000000,
                         0x7FF0000000000000,
                         0x7FF8000000000001,
                         0x7FF0000000000001,
                         0x8000000000000000,
                         0xFFFFFFFFFFFFFFFF};

u64 mixed(u64 hash, u64 value) {
  hash ^= value + 0x9E3779B97F4A7C15 + (hash << 6) + (hash >> 2);
  return hash * 0xFF51AFD7ED558CCD;
}

// What a computing semantic does, as a number; equal ones do the same on all that was tried.
class Prober {
 public:
  Prober() { wave_.allocate(lanes, 64, amd::scalar_registers); }

  u64 run(const Semantic& meaning) {
    std::mt19937_64 noise(7);
    u64 hash = 0;
    for (const u32 mode : {0xF0u, 0xC0u, 0x00u, 0xF5u, 0x0Fu}) {
      for (const u16 flags : {u16{0}, Instruction::clamp}) {
        for (u32 round = 0; round < 24; ++round) {
          fill(noise, round);
          wave_.mode = mode;
          wave_.ieee_mode = (mode & 1) == 0;
          hash = mixed(hash, outcome(meaning, flags));
        }
      }
    }
    return hash;
  }

 private:
  void fill(std::mt19937_64& noise, u32 round) {
    const auto value = [&] {
      const u64 random = noise();
      if (random % 3 == 0) return noise();
      if (random % 3 == 1 || round % 2 == 0) return edges[random / 3 % std::size(edges)];
      return noise() >> (random % 64);
    };
    for (u32 row = 0; row < 32; row += 2) {
      for (u32 lane = 0; lane < lanes; ++lane) {
        const u64 v = value();
        wave_.row(row)[lane] = static_cast<u32>(v);
        wave_.row(row + 1)[lane] = static_cast<u32>(v >> 32);
      }
    }
    for (u32 scalar = 0; scalar < 100; scalar += 2) wave_.write_scalar64(scalar, value());
    wave_.scc = (noise() & 1) != 0;
    wave_.set_exec(wave_.all_lanes());
  }

  u64 outcome(const Semantic& meaning, u16 flags) {
    const bool scalar = meaning.shape == Shape::scalar;
    Instruction in;
    in.meaning = &meaning;
    in.flags = flags;
    in.amd.packed_select = 0x70;
    u32 slot = 1;
    for (u32 i = 0; i < meaning.sources; ++i) {
      if (meaning.source[i] == Kind::condition) continue;
      Operand& operand = in.operand[slot];
      operand.kind = scalar || meaning.source[i] == Kind::mask ? OperandKind::scalar : OperandKind::vector;
      operand.index = meaning.source[i] == Kind::mask ? source_mask : 2 * slot;
      operand.registers = static_cast<u8>(registers_of(meaning.source[i], lanes));
      ++slot;
    }
    const bool to_scalar = scalar || meaning.result == Kind::mask;
    in.operand[0].kind = to_scalar ? OperandKind::scalar : OperandKind::vector;
    in.operand[0].index = to_scalar ? result_scalar : result_row;
    if (meaning.mask_result) in.operand[4] = {OperandKind::scalar, 1, 0, Part::dword, mask_scalar, 0};
    meaning.run32(wave_, in, context_);
    u64 hash = wave_.scc ? 1 : 0;
    for (u32 i = 0; i < 8; ++i) hash = mixed(hash, wave_.read_scalar(result_scalar + i));
    for (u32 row = result_row; row < result_row + 2; ++row) {
      for (u32 lane = 0; lane < lanes; ++lane) hash = mixed(hash, wave_.row(row)[lane]);
    }
    return hash;
  }

  WaveState wave_;
  StepContext context_;
};

bool computes(const Semantic& meaning) {
  return meaning.shape == Shape::lanewise || meaning.shape == Shape::scalar || meaning.shape == Shape::packed;
}

// PTX spells a template's arguments behind the first dot; where two spellings do the same, as cvt.rm and
// cvt.rz of an unsigned source do, they are one definition nevertheless.
std::string_view definition_of(const Semantic& meaning) {
  return meaning.name.substr(0, meaning.name.find('.'));
}

// Each meaning that has more than one definition: "a, b".
std::vector<std::string> defined_twice(const std::set<const Semantic*>& meanings) {
  using Signature = std::tuple<Shape, Kind, bool, bool, std::array<Kind, 4>, u64>;
  std::map<Signature, std::map<std::string_view, std::string_view>> names;  // by definition
  Prober prober;
  for (const Semantic* meaning : meanings) {
    if (!computes(*meaning) || meaning->run32 == nullptr) continue;
    names[{meaning->shape, meaning->result, meaning->mask_result, meaning->sets_condition, meaning->source,
           prober.run(*meaning)}]
        .emplace(definition_of(*meaning), meaning->name);
  }
  std::vector<std::string> list;
  for (const auto& [signature, same] : names) {
    if (same.size() < 2) continue;
    std::string text;
    for (const auto& [definition, name] : same) text += (text.empty() ? "" : ", ") + std::string(name);
    list.push_back(text);
  }
  return list;
}

// "add_f16" and "add_f64" are "add_f#": types lose their widths.
std::string without_widths(std::string_view name) {
  std::string text;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find_first_of("_. ", at), name.size());
    const std::string_view word = name.substr(at, end - at);
    const std::size_t digit = std::min(word.find_first_of("0123456789"), word.size());
    const std::string_view letters = word.substr(0, digit), rest = word.substr(digit);
    const std::size_t behind = std::min(rest.find_first_not_of("0123456789"), rest.size());
    constexpr std::string_view types[] = {"b", "i", "u", "s", "f"}, widths[] = {"16", "32", "64"};
    const bool is_type = std::ranges::find(types, letters) != std::end(types) &&
                         std::ranges::find(widths, rest.substr(0, behind)) != std::end(widths);
    text += is_type ? std::string(letters) + "#" + std::string(rest.substr(behind)) : std::string(word);
    if (end < name.size()) text += name[end];
    at = end + 1;
  }
  return text;
}

using Named = std::map<std::string_view, const Semantic*>;

// Each meaning that has more than one definition by width: "add_f16 (A), add_f32 (B)".
std::vector<std::string> defined_by_width(const Named& named) {
  using Signature = std::tuple<std::string, Shape, bool, bool, u8>;
  std::map<Signature, std::map<std::string_view, std::string_view>> definitions;
  for (const auto& [name, meaning] : named) {
    if (!computes(*meaning)) continue;
    definitions[{without_widths(name), meaning->shape, meaning->mask_result, meaning->sets_condition,
                 meaning->sources}]
        .emplace(meaning->definition, name);
  }
  std::vector<std::string> list;
  for (const auto& [signature, names] : definitions) {
    if (names.size() < 2) continue;
    std::string text;
    for (const auto& [definition, name] : names)
      text += (text.empty() ? "" : ", ") + std::string(name) + " (" + std::string(definition) + ")";
    list.push_back(text);
  }
  return list;
}

TEST(OneMeaning, NamesLoseTheirWidths) {
  EXPECT_EQ(without_widths("add_f16"), "add_f#");
  EXPECT_EQ(without_widths("frexp_exp_i32_f64"), "frexp_exp_i#_f#");
  EXPECT_EQ(without_widths("fma.rn.ftz.f16x2"), "fma.rn.ftz.f#x2");
  EXPECT_EQ(without_widths("lshl1_add_u32"), "lshl1_add_u#");
  EXPECT_EQ(without_widths("cvt_pk_u8_f32"), "cvt_pk_u8_f#");
}

TEST(OneMeaning, OfAmdIsDefinedOncePerWidth) {
  Named named;
  for (const amd::Row& row : amd::all_rows()) named.emplace(row.meaning->name, row.meaning);
  EXPECT_GT(named.size(), 600u);
  for (const std::string& twice : defined_by_width(named)) ADD_FAILURE() << twice;
}

TEST(OneMeaning, OfPtxIsDefinedOncePerWidth) {
  Named named;
  for (const auto& [name, opcode] : nv::opcodes().rows()) named.emplace(name, opcode.meaning);
  EXPECT_GT(named.size(), 600u);
  for (const std::string& twice : defined_by_width(named)) ADD_FAILURE() << twice;
}

TEST(OneMeaning, OfAmdIsDefinedOnce) {
  std::set<const Semantic*> meanings;
  for (const amd::Row& row : amd::all_rows()) meanings.insert(row.meaning);
  EXPECT_GT(meanings.size(), 700u);
  for (const std::string& twice : defined_twice(meanings)) ADD_FAILURE() << twice;
}

TEST(OneMeaning, OfPtxIsDefinedOnce) {
  std::set<const Semantic*> meanings;
  for (const auto& [name, opcode] : nv::opcodes().rows()) meanings.insert(opcode.meaning);
  EXPECT_GT(meanings.size(), 300u);
  for (const std::string& twice : defined_twice(meanings)) ADD_FAILURE() << twice;
}

}  // namespace
}  // namespace lockstep

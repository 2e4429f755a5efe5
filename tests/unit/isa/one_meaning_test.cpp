// One meaning, one definition: no two computing semantics of a vendor's tables do the same with the same
// kinds of sources. What they do is found out by running them: on edge values and noise, in several modes,
// clamped and not. And no two definitions differ in the width that their names tell alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>

#include "isa/amd/table.h"
#include "isa/amd/text.h"
#include "isa/gen/compute.h"
#include "isa/nv/opcodes.h"
#include "isa/step.h"
#include "isa/vliw/operations.h"

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
  using Signature = std::tuple<Shape, Kind, bool, bool, Division, std::array<Kind, 4>, u64>;
  std::map<Signature, std::map<std::string_view, std::string_view>> names;  // by definition
  Prober prober;
  for (const Semantic* meaning : meanings) {
    if (!computes(*meaning) || meaning->run32 == nullptr) continue;
    names[{meaning->shape, meaning->result, meaning->mask_result, meaning->sets_condition, meaning->division,
           meaning->source, prober.run(*meaning)}]
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

// "add_f16" and "AddF64" are "add_f#" and "AddF#": types lose their widths. `types`: how many there are.
std::string without_widths(std::string_view name, u32& types) {
  constexpr std::string_view widths[] = {"16", "32", "64"}, kinds = "bisuf";
  const auto lower = [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  types = 0;
  std::string text;
  for (std::size_t at = 0; at < name.size(); ++at) {
    text += name[at];
    if (kinds.find(lower(name[at])) == std::string_view::npos) continue;
    // A type begins a word: behind a sign, as a capital, or behind bfloat's b.
    const bool begins = at == 0 || std::isupper(static_cast<unsigned char>(name[at])) ||
                        !std::isalnum(static_cast<unsigned char>(name[at - 1])) || lower(name[at - 1]) == 'b';
    const std::string_view width = name.substr(at + 1, 2);
    if (!begins || std::ranges::find(widths, width) == std::end(widths) ||
        (at + 3 < name.size() && digit(name[at + 3])))
      continue;
    text += '#';
    at += 2;
    ++types;
  }
  return text;
}

// A struct at a file's outermost level that defines a meaning: the texts of its names, and how it gives its
// result.
struct Definition {
  std::string name;
  std::vector<std::string> texts;
  std::string result;
};

std::vector<Definition> definitions_in(const std::string& path) {
  std::ifstream file(path);
  std::vector<Definition> list;
  std::string line, head, body;
  const auto finish = [&] {
    const std::size_t begin = body.find("std::string_view name");
    if (begin == std::string::npos) return;
    Definition definition{head,
                          {},
                          body.find("WithMask<") != std::string::npos  ? "value and mask"
                          : body.find("Flagged<") != std::string::npos ? "value and flag"
                                                                       : "value"};
    const std::string names = body.substr(begin, body.find(';', begin) - begin);
    for (std::size_t at = names.find('"'); at != std::string::npos; at = names.find('"', at + 1)) {
      const std::size_t end = names.find('"', at + 1);
      definition.texts.push_back(names.substr(at + 1, end - at - 1));
      at = end;
    }
    list.push_back(definition);
  };
  while (std::getline(file, line)) {
    if (line.starts_with("struct ")) {
      head = line.substr(7, line.find_first_of(" :;{<", 7) - 7);
      body.clear();
    } else if (line.starts_with("};")) {
      finish();
      body.clear();
    }
    body += line + "\n";
  }
  return list;
}

// Each meaning of a room that has a definition for every width: "AddF16, AddF32". Two types in a name are a
// conversion's, of which each pair has a meaning of its own; and every width's approximation is another one.
std::vector<std::string> defined_by_width(const std::string& room) {
  // By what is left without widths: places by name with its width.
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::set<std::string>>> same;
  u32 definitions = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LOCKSTEP_SOURCE_DIR "/src/isa/" + room)) {
    for (const Definition& definition : definitions_in(entry.path().string())) {
      ++definitions;
      const std::string place = entry.path().filename().string() + ": " + definition.name;
      u32 types = 0;
      const std::string head = without_widths(definition.name, types);
      if (types == 1) same[{head, definition.result}][definition.name].insert(place);
      for (const std::string& text : definition.texts) {
        const std::string key = without_widths(text, types);
        if (types == 1 && key.find(".approx") == std::string::npos)
          same[{key, definition.result}][text].insert(place);
      }
    }
  }
  EXPECT_GT(definitions, 100u) << room;
  std::vector<std::string> list;
  for (const auto& [key, widths] : same) {
    std::set<std::string> all;
    for (const auto& [name, places] : widths) all.insert(places.begin(), places.end());
    if (widths.size() < 2 || all.size() < 2) continue;
    std::string text = key.first + ":";
    for (const std::string& place : all) text += " " + place;
    list.push_back(text);
  }
  return list;
}

TEST(OneMeaning, NamesLoseTheirWidths) {
  u32 types = 0;
  EXPECT_EQ(without_widths("add_f16", types), "add_f#");
  EXPECT_EQ(types, 1u);
  EXPECT_EQ(without_widths("frexp_exp_i32_f64", types), "frexp_exp_i#_f#");
  EXPECT_EQ(types, 2u);
  EXPECT_EQ(without_widths("fma.rn.bf16x2", types), "fma.rn.bf#x2");
  EXPECT_EQ(without_widths("lshl1_add_u32", types), "lshl1_add_u#");
  EXPECT_EQ(without_widths("AddBf16", types), "AddBf#");
  EXPECT_EQ(without_widths("MinF64", types), "MinF#");
  EXPECT_EQ(without_widths("sad_u8", types), "sad_u8");
  EXPECT_EQ(types, 0u);
}

TEST(OneMeaning, HasOneDefinitionForAllWidths) {
  for (const char* room : {"amd", "nv"}) {
    for (const std::string& list : defined_by_width(room)) ADD_FAILURE() << list;
  }
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

// What a computation of Gen9 does with a class of values, as a number.
u64 outcome_of(gen::Compute compute) {
  std::mt19937_64 noise(7);
  u64 hash = 0;
  for (u32 round = 0; round < 64; ++round) {
    gen::Work work;
    work.lanes = gen::most_channels;
    work.out.bytes.fill(0);
    for (gen::Lanes* lanes : {&work.a, &work.b, &work.c}) {
      for (u32 k = 0; k < gen::most_channels; ++k) {
        const u64 random = noise();
        const u64 value =
            random % 2 == 0 ? edges[random / 2 % std::size(edges)] : noise() >> (random / 2 % 64);
        std::memcpy(lanes->bytes.data() + 8 * k, &value, 8);
      }
    }
    compute(work);
    for (u32 k = 0; k < gen::most_channels; ++k) {
      u64 value;
      std::memcpy(&value, work.out.bytes.data() + 8 * k, 8);
      hash = mixed(hash, value);
    }
  }
  return hash;
}

// No two operations of Gen9 do the same with every class of values that they take. (asr and shr do with
// unsigned ones: Skylake PRM, volume 2a, asr.)
TEST(OneMeaning, OfGen9IsDefinedOnce) {
  std::map<std::pair<u8, std::vector<u64>>, std::set<std::string_view>> names;
  u32 tried = 0;
  for (const auto operations : {gen::integer_operations(), gen::float_operations(), gen::math_operations()}) {
    for (const gen::ValueOperation& operation : operations) {
      std::vector<u64> outcomes;
      for (const gen::Compute compute : operation.compute) {
        outcomes.push_back(compute == nullptr ? 0 : outcome_of(compute));
        tried += compute == nullptr ? 0 : 1;
      }
      names[{operation.sources, outcomes}].insert(operation.mnemonic);
    }
  }
  EXPECT_GT(tried, 60u);
  for (const auto& [key, same] : names) {
    if (same.size() == 1) continue;
    std::string text;
    for (const std::string_view name : same) text += " " + std::string(name);
    ADD_FAILURE() << "defined twice:" << text;
  }
}

// VLIW's meanings are AMD's where later GPUs have them.
TEST(OneMeaning, OfVliwIsDefinedOnce) {
  std::set<const Semantic*> meanings;
  for (const amd::Row& row : amd::all_rows()) meanings.insert(row.meaning);
  u32 own = 0;
  for (const vliw::Operation& operation : vliw::all_operations()) {
    const bool fresh = meanings.insert(operation.meaning).second;
    if (fresh && computes(*operation.meaning) && operation.meaning->run32 != nullptr) ++own;
  }
  EXPECT_GT(own, 10u);
  for (const std::string& twice : defined_twice(meanings)) ADD_FAILURE() << twice;
}

}  // namespace
}  // namespace lockstep

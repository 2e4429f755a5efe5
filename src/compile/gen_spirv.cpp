#include "compile/gen_spirv.h"

#include <cstring>
#include <map>
#include <vector>

#include "base/types.h"

namespace lockstep {
namespace {

// SPIR-V specification, section "Binary Form".
constexpr u32 magic = 0x07230203, header_words = 5, bound_word = 3;
enum Opcode : u32 { type_vector = 23, composite_construct = 80, composite_extract = 81, negate = 127 };

struct VectorType {
  u32 component = 0, count = 0;
};

void put(std::vector<u32>& words, Opcode opcode, const std::vector<u32>& operands) {
  words.push_back(static_cast<u32>(operands.size() + 1) << 16 | opcode);
  words.insert(words.end(), operands.begin(), operands.end());
}

}  // namespace

bool is_spirv(std::string_view bytes) {
  u32 word = 0;
  if (bytes.size() < sizeof(word)) return false;
  std::memcpy(&word, bytes.data(), sizeof(word));
  return word == magic;
}

bool negate_by_component(std::string& spirv) {
  if (spirv.size() % 4 != 0 || spirv.size() < 4 * header_words) return false;
  std::vector<u32> words(spirv.size() / 4);
  std::memcpy(words.data(), spirv.data(), spirv.size());
  if (words[0] != magic) return false;
  std::map<u32, VectorType> vectors;
  std::vector<u32> made(words.begin(), words.begin() + header_words);
  bool changed = false;
  for (std::size_t at = header_words; at < words.size();) {
    const u32 opcode = words[at] & 0xFFFF, count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) return false;
    const u32* operand = &words[at + 1];
    if (opcode == type_vector && count == 4) vectors[operand[0]] = {operand[1], operand[2]};
    const auto type = opcode == negate && count == 4 ? vectors.find(operand[0]) : vectors.end();
    if (type == vectors.end()) {
      made.insert(made.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                  words.begin() + static_cast<std::ptrdiff_t>(at + count));
    } else {
      std::vector<u32> whole{operand[0], operand[1]};
      for (u32 i = 0; i < type->second.count; ++i) {
        const u32 one = made[bound_word], negated = one + 1;
        made[bound_word] += 2;
        put(made, composite_extract, {type->second.component, one, operand[2], i});
        put(made, negate, {type->second.component, negated, one});
        whole.push_back(negated);
      }
      put(made, composite_construct, whole);
      changed = true;
    }
    at += count;
  }
  if (changed) spirv.assign(reinterpret_cast<const char*>(made.data()), made.size() * 4);
  return changed;
}

}  // namespace lockstep

#include "compile/nvptx_rotate.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

// Takes `begin` from the front of `text`, and what follows up to `end`, which it takes as well.
bool take(std::string_view& text, std::string_view begin, std::string_view end, std::string_view& between) {
  if (!text.starts_with(begin)) return false;
  const std::size_t at = text.find(end, begin.size());
  if (at == std::string_view::npos) return false;
  between = text.substr(begin.size(), at - begin.size());
  text.remove_prefix(at + end.size());
  return true;
}

}  // namespace

std::string with_whole_rotations(std::string_view ptx) {
  constexpr std::string_view declared = "\t.reg .b32 %amt2;\n";
  std::string made;
  for (;;) {
    const std::size_t at = ptx.find(declared);
    if (at == std::string_view::npos) break;
    made += ptx.substr(0, at + declared.size());
    ptx.remove_prefix(at + declared.size());
    std::string_view rest = ptx, shift, value, amount, same;
    const bool rotation = take(rest, "\tsh", ".b32 \t%lhs, ", shift) && take(rest, "", ", ", value) &&
                          take(rest, "", ";\n", amount) &&
                          take(rest, "\tsub.s32 \t%amt2, 32, ", ";\n", same) && same == amount;
    if (!rotation) continue;
    made += fmt::format(
        "\tand.b32 \t%amt2, {}, 31;\n\tsh{}.b32 \t%lhs, {}, %amt2;\n\tsub.s32 \t%amt2, 32, %amt2;\n", amount,
        shift, value);
    ptx = rest;
  }
  return made + std::string(ptx);
}

}  // namespace lockstep

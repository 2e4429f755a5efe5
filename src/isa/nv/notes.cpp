#include "isa/nv/notes.h"

#include <algorithm>
#include <charconv>

namespace lockstep::nv {
namespace {

std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

}  // namespace

void read_notes(const std::vector<std::string_view>& notes, ModuleTree& tree) {
  for (std::string_view note : notes) {
    const std::string_view what = take_word(note);
    if (what == "constant") {
      tree.constants.emplace(note);
      continue;
    }
    SourceKernel& kernel = tree.source_kernels[std::string(take_word(note))];
    if (what == "argument") {
      const std::string_view name = take_word(note);
      kernel.arguments.push_back({std::string(name), std::string(note)});
    } else if (what == "qualifiers") {
      SourceQualifiers qualifiers{std::string(take_word(note))};
      while (!note.empty()) {
        const std::string_view word = take_word(note);
        qualifiers.is_const |= word == "const";
        qualifiers.is_restrict |= word == "restrict";
        qualifiers.is_volatile |= word == "volatile";
      }
      kernel.qualifiers.push_back(std::move(qualifiers));
    } else if (what == "work_group_size_hint") {
      for (u32& size : kernel.hinted_group) {
        const std::string_view word = take_word(note);
        std::from_chars(word.data(), word.data() + word.size(), size);
      }
    } else if (what == "vec_type_hint") {
      kernel.vector_hint = note;
    }
  }
}

bool is_image_type(std::string_view name) {
  constexpr std::string_view types[] = {
      "image1d_t",       "image1d_array_t", "image1d_buffer_t",      "image2d_t",
      "image2d_array_t", "image2d_depth_t", "image2d_array_depth_t", "image3d_t"};
  // A qualifier may stand before it: "read_only image2d_t".
  const std::size_t blank = name.rfind(' ');
  if (blank != std::string_view::npos) name.remove_prefix(blank + 1);
  return std::find(std::begin(types), std::end(types), name) != std::end(types);
}

}  // namespace lockstep::nv

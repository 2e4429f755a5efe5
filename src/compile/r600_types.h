// LLVM's types and definitions, as a module of IR for AMD's VLIW GPUs has them as text.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/types.h"

namespace lockstep::r600 {

struct Size {
  u64 bytes = 0, align = 1;
};

// Sizes of LLVM's types, as r600's data layout has them. The module's text must outlive it.
class Types {
 public:
  explicit Types(std::string_view module);
  // Takes a type off the text's front; nothing where there is none of a size.
  std::optional<Size> take(std::string_view& text, int depth = 0) const;

 private:
  std::optional<Size> take_named(std::string_view& text, int depth) const;
  std::optional<Size> take_structure(std::string_view& text, std::string_view close, bool packed,
                                     int depth) const;

  std::map<std::string, std::string_view> named_;
};

// "define dso_local amdgpu_kernel void @name(": the name, and the parameters' text without its parentheses.
struct Definition {
  std::string name;
  std::string_view parameters;
  std::size_t end = 0;  // of the parameters, in the line
  bool kernel = false;
};
// Nothing where the line begins no function.
std::optional<Definition> definition_of(std::string_view line);

}  // namespace lockstep::r600

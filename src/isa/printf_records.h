// Kinds of printf records beside those that isa/program.h names.
#pragma once
#include <string_view>

namespace lockstep {

// Module::printf_formats of a module whose records have the addresses of their formats, and each argument's
// type (Intel's compiler): exec/printf_typed.h.
inline constexpr std::string_view printf_typed_format = "typed";

}  // namespace lockstep

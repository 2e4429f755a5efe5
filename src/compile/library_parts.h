// AMD's OpenCL library, taken apart: clang reads the declarations of all its 12000 functions, half of them
// conversions, before it takes what a program needs, and that is a third of a small program's compilation. A
// part holds all that its functions need of the library.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/job.h"

namespace lockstep {

// The library's parts, in the order in which they are linked. "core" holds work-items, barriers, atomics and
// all that the compiler itself calls; every program needs it.
inline constexpr std::string_view library_part_names[] = {"other", "convert", "memory", "core"};

// The part that has a function by its name in OpenCL C: "convert_int4" is in "convert".
std::string_view library_part_of(std::string_view function);

// The prebuilt files of a library's parts, and the list of its functions ("<function> <part>" a line).
std::vector<std::string> library_part_files(const std::string& library);

// Makes them in `scratch`.
Status make_library_parts(const std::string& library, CompileJob& job, const ScratchDirectory& scratch);

// Whether a part may be needed by a program: it is when an identifier of the text is a function's name.
// Nothing when the text does not tell: names can be put together (##, universal character names), come from
// another file, or be given in assembly.
std::optional<std::vector<std::string_view>> parts_needed(std::string_view text,
                                                          const std::map<std::string, std::string>& names);

// The files to link in place of `library` for an OpenCL C source compiled with these words; the library
// itself when they cannot be told or were not made.
std::vector<std::string> library_files(const std::string& library, const std::string& source,
                                       const std::vector<std::string>& words);

}  // namespace lockstep

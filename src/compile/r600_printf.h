// printf of OpenCL C for LLVM's r600 back end, which has none.
#pragma once
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace lockstep::r600 {

// Each call becomes one of a function that takes room in the launch's buffer and stores a record there, as
// exec/printf.h has them. The buffer's pointer stands behind the NDRange's offset among what the launch adds
// to the parameters. notes: what each record's number means, a line each, in quotes:
//   //@lockstep printf "NUMBER:ARGUMENTS:BYTES:...:FORMAT"
struct Printed {
  std::string module, notes;
};

// Errors: "compile-failed" for a format or a text of %s that is no literal, and for a type that has no
// conversion. `path` is the source's.
Expected<Printed> with_printf(std::string_view module, const std::string& path);

}  // namespace lockstep::r600

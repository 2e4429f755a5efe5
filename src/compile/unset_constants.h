// HIP and CUDA C++: which __constant__ variables the source gives no initial value, so that a host program
// was to write them. Machine code does not tell: such a variable is zeros there, as one with zeros for its
// value.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "compile/request.h"
#include "isa/listing.h"

namespace lockstep {

struct PtxText;

// Whether the code has a variable of zeros that may be such a one.
bool may_have_unset_constants(const CompiledObject& object);
bool may_have_unset_constants(const PtxText& ptx);

// Their names without scopes, by what clang makes of the source. Errors: those of CompileJob::run.
Expected<std::vector<std::string>> unset_constants(const CompileRequest& request, SourceLanguage language,
                                                   const std::string& source);

// The same from the program as clang -ast-print writes it.
std::vector<std::string> unset_constants_in(std::string_view printed);

}  // namespace lockstep

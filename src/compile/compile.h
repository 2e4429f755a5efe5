// The room's door: a program in a file or in memory, for one target, to machine code that an ISA room reads.
#pragma once
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "compile/nvptx.h"
#include "compile/request.h"
#include "isa/listing.h"

namespace lockstep {

struct CompileResult {
  SourceLanguage language = SourceLanguage::automatic;  // what the source was
  std::optional<CompiledObject> object;                 // for AMD GCN targets
  // For NVIDIA targets. For AMD's VLIW targets this holds assembly text (compile/r600.h).
  std::optional<PtxText> ptx;
  bool from_cache = false;

  // The compiler's warnings, unchanged.
  const std::string& log() const { return object ? object->log : ptx->log; }
  // Of HIP and CUDA C++: __constant__ variables that the source gives no initial value, without their scopes.
  const std::vector<std::string>& unset_constants() const {
    return object ? object->unset_constants : ptx->unset_constants;
  }
};

// What a file holds, by its first bytes and its name's ending: .cl, .s/.S, .co/.hsaco/.o/.elf, .ptx,
// .hip, .cu; C++ files by the runtime header that they include.
// Error: "unknown-language".
Expected<SourceLanguage> detect_language(const std::string& path, const std::string& content);

// Results are cached by the content of everything that they depend on: the source, the files that it
// includes, all options, the target, the compilers and device libraries (by path, size and modification
// time). A hit takes a few milliseconds; one of a source with #include takes a run of the preprocessor more.
// Errors: "no-such-file", "unknown-language", "unsupported-target", "bad-option", "wrong-target" and those of
// CompileJob::run.
Expected<CompileResult> compile(const CompileRequest& request);

}  // namespace lockstep

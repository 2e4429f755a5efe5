#include "dissect/ptx_folder.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

#include "base/files.h"
#include "compile/compile.h"
#include "compile/job.h"

namespace lockstep::dissect {
namespace {

// FNV-1a of the kernel's source and of what it includes: the suite's own files.
Expected<u64> hash_of_source(const std::string& folder, const std::string& file) {
  u64 hash = 0xCBF29CE484222325u;
  for (const std::string& name : {file + ".cl", std::string("repeat.h")}) {
    const Expected<std::string> text = read_file((std::filesystem::path(folder) / name).string());
    if (!text) return text.error();
    for (const char c : *text) hash = (hash ^ static_cast<u8>(c)) * 0x100000001B3u;
  }
  return hash;
}

std::string file_name(const KernelSource& source, const Target& target) {
  std::string name = source.file;
  for (const std::string& define : source.defines) {
    name += '.';
    for (const char c : define)
      name += std::isalnum(static_cast<u8>(c)) || c == '_' || c == '=' || c == '-' ? c : '+';
  }
  return fmt::format("{}.{}.ptx", name, target.name);
}

}  // namespace

Expected<std::string> PtxFolder::text(const KernelSource& source, const Target& target) const {
  const Expected<u64> hash = hash_of_source(kernels_, source.file);
  if (!hash) return hash.error();
  const std::string first_line = fmt::format("// lockstep dissect, source {:016x}\n", *hash);
  const std::string kept =
      folder_.empty() ? std::string() : (std::filesystem::path(folder_) / file_name(source, target)).string();
  if (!kept.empty() && std::filesystem::exists(kept)) {
    Expected<std::string> text = read_file(kept);
    if (text && !text->starts_with(first_line))
      return Diagnostic{"stale-ptx",
                        {kept, 1, 0},
                        "this was made from another source of the suite's kernels",
                        "remove it, or name an empty folder"};
    return text;
  }
  CompileRequest request;
  request.path = (std::filesystem::path(kernels_) / (source.file + ".cl")).string();
  request.target = &target;
  request.defines = source.defines;
  request.line_table = false;  // the assembler optimises nothing in a module with lines for debuggers
  const Expected<CompileResult> compiled = compile(request);
  if (!compiled) return compiled.error();
  std::string text = first_line + compiled->ptx->ptx;
  if (!kept.empty()) {
    if (const Status written = write_whole_file(kept, text); !written) return written.error();
  }
  return text;
}

}  // namespace lockstep::dissect

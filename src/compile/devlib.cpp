#include "compile/devlib.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "compile/cache.h"
#include "compile/sha256.h"

namespace lockstep {
namespace {

Expected<std::vector<std::string>> bitcode_of(CompileJob& job, const ScratchDirectory& scratch,
                                              bool use_cache, const std::vector<std::string>& sources,
                                              const std::vector<std::string>& options,
                                              std::string_view what) {
  auto clang = find_tool(Tool::clang);
  if (!clang) return clang.error();
  const Cache cache = use_cache ? Cache() : Cache(std::string());
  std::vector<std::string> made;
  for (const std::string& source : sources) {
    auto text = read_file(source);
    if (!text) return text.error();
    Sha256 hasher;
    hasher.field(what);
    for (const std::string& option : options) hasher.field(option);
    hasher.field(file_identity(*clang));
    hasher.field(*text);
    const std::string key = hasher.finish();
    const std::string output =
        scratch.file(fmt::format("devlib_{}.bc", std::filesystem::path(source).stem().string()));
    if (const auto bitcode = cache.load(key)) {
      std::ofstream(output, std::ios::binary) << *bitcode;
    } else {
      std::vector<std::string> arguments = options;
      arguments.insert(arguments.end(), {source, "-o", output});
      if (auto done = job.run(Tool::clang, arguments); !done) return done.error();
      auto bitcode_made = read_file(output);
      if (!bitcode_made) return bitcode_made.error();
      cache.store(key, *bitcode_made);
    }
    made.push_back(output);
  }
  return made;
}

}  // namespace

Expected<std::vector<std::string>> amd_devlib_sources(const Target& target) {
  auto directory = find_devlib();
  if (!directory) return directory.error();
  std::vector<std::string> sources;
  if (target.major == 6) sources.push_back(*directory + "/amdgcn/gfx6.cl");
  if (target.major < 8) sources.push_back(*directory + "/amdgcn/without_half.cl");
  sources.push_back(*directory + "/amdgcn/repairs.cl");
  return sources;
}

Expected<std::vector<std::string>> amd_devlib_bitcode(const Target& target, CompileJob& job,
                                                      const ScratchDirectory& scratch, bool use_cache) {
  auto sources = amd_devlib_sources(target);
  if (!sources) return sources.error();
  // Not optimised here: the optimiser would write its conclusions about no GPU in particular into the
  // functions' attributes. It works on them once they are linked.
  const std::vector<std::string> options = {
      "-x",  "cl",         "-target", "amdgcn-amd-amdhsa",    "-nogpulib", "-cl-std=CL1.2",
      "-O1", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-c"};
  return bitcode_of(job, scratch, use_cache, *sources, options, "amdgcn device library 1");
}

Expected<std::vector<std::string>> nvptx_devlib_sources() {
  auto directory = find_devlib();
  if (!directory) return directory.error();
  return std::vector<std::string>{*directory + "/nvptx/builtins.cl"};
}

Expected<std::vector<std::string>> nvptx_devlib_bitcode(CompileJob& job, const ScratchDirectory& scratch,
                                                        bool use_cache) {
  auto sources = nvptx_devlib_sources();
  if (!sources) return sources.error();
  const std::vector<std::string> options = {
      "-x",
      "cl",
      "-target",
      "nvptx64-nvidia-nvcl",
      "-cl-std=CL1.2",
      "-O1",
      "-emit-llvm",
      "-Xclang",
      "-disable-llvm-passes",
      "-Xclang",
      "-cl-ext=+cl_khr_fp16,+cl_khr_fp64,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics",
      "-c"};
  return bitcode_of(job, scratch, use_cache, *sources, options, "nvptx device library 1");
}

}  // namespace lockstep

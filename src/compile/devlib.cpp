#include "compile/devlib.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "compile/cache.h"
#include "compile/gpu_cxx.h"
#include "compile/nvptx.h"
#include "compile/prebuilt.h"
#include "compile/r600.h"
#include "compile/sha256.h"

namespace lockstep {

std::vector<std::string> devlib_headers(const std::string& source) {
  std::vector<std::string> headers;
  const std::filesystem::path folder = std::filesystem::absolute(source).parent_path();
  for (const std::filesystem::path& place : {folder, folder.parent_path()}) {
    std::error_code ignored;
    for (const auto& item : std::filesystem::directory_iterator(place, ignored)) {
      if (item.path().extension() == ".h") headers.push_back(item.path().string());
    }
  }
  std::sort(headers.begin(), headers.end());
  return headers;
}

namespace {

bool has_c11_atomics(const std::string& source) {
  return source.ends_with("/atomics.cl");
}

Expected<std::vector<DevlibPart>> parts_of(const std::vector<std::string>& sources,
                                           const std::vector<std::string>& options, std::string_view what) {
  auto clang = find_tool(Tool::clang);
  if (!clang) return clang.error();
  std::vector<DevlibPart> parts;
  for (const std::string& source : sources) {
    auto text = read_file(source);
    if (!text) return text.error();
    // The atomics' types came with OpenCL C 2.0; all else has version 1.2's declarations.
    std::vector<std::string> arguments = options;
    arguments.push_back(has_c11_atomics(source) ? "-cl-std=CL2.0" : "-cl-std=CL1.2");
    Sha256 hasher;
    hasher.field(what);
    for (const std::string& argument : arguments) hasher.field(argument);
    hasher.field(file_version(*clang));
    hasher.field(*text);
    for (const std::string& header : devlib_headers(source)) {
      const auto included = read_file(header);
      if (!included) return included.error();
      hasher.field(*included);
    }
    parts.push_back({source, arguments, hasher.finish()});
  }
  return parts;
}

}  // namespace

std::string devlib_file_name(const DevlibPart& part) {
  const std::filesystem::path source(part.source);
  return prebuilt_name(
      fmt::format("devlib_{}_{}", source.parent_path().filename().string(), source.stem().string()),
      part.digest, "bc");
}

Status compile_devlib_part(const DevlibPart& part, const std::string& output, CompileJob& job) {
  std::vector<std::string> arguments = part.arguments;
  arguments.insert(arguments.end(), {part.source, "-o", output});
  if (auto done = job.run(Tool::clang, arguments); !done) return done.error();
  return Success{};
}

Expected<std::vector<std::string>> devlib_bitcode(const Expected<std::vector<DevlibPart>>& parts,
                                                  CompileJob& job, const ScratchDirectory& scratch,
                                                  bool use_cache) {
  if (!parts) return parts.error();
  const Cache cache = use_cache ? Cache() : Cache(std::string());
  std::vector<std::string> files;
  for (const DevlibPart& part : *parts) {
    const std::string name = devlib_file_name(part);
    if (auto ready = find_prebuilt(name)) {
      files.push_back(std::move(*ready));
      continue;
    }
    const std::string output = scratch.file(name);
    files.push_back(output);
    if (const auto kept = cache.load(part.digest)) {
      std::ofstream(output, std::ios::binary) << *kept;
      continue;
    }
    if (Status made = compile_devlib_part(part, output, job); !made) return made.error();
    auto bitcode = read_file(output);
    if (!bitcode) return bitcode.error();
    cache.store(part.digest, *bitcode);
  }
  return files;
}

Expected<std::vector<std::string>> amd_devlib_sources(const Target& target) {
  auto directory = find_devlib();
  if (!directory) return directory.error();
  // What one needs of another is taken from those after it.
  std::vector<std::string> sources = {*directory + "/amdgcn/repairs.cl", *directory + "/amdgcn/atomics.cl"};
  if (target.major < 8) sources.push_back(*directory + "/amdgcn/without_half.cl");
  if (target.major == 6) sources.push_back(*directory + "/amdgcn/gfx6.cl");
  return sources;
}

Expected<std::vector<DevlibPart>> amd_devlib_parts(const Target& target, bool c11_atomics) {
  auto sources = amd_devlib_sources(target);
  if (!sources) return sources.error();
  if (!c11_atomics) std::erase_if(*sources, has_c11_atomics);
  // Not optimised here: the optimiser would write its conclusions about no GPU in particular into the
  // functions' attributes. It works on them once they are linked.
  const std::vector<std::string> options = {
      "-x",  "cl",         "-target", "amdgcn-amd-amdhsa",    "-nogpulib",
      "-O1", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-c"};
  return parts_of(*sources, options, "amdgcn device library 2");
}

Expected<std::vector<std::string>> r600_devlib_sources() {
  auto directory = find_devlib();
  if (!directory) return directory.error();
  return std::vector<std::string>{*directory + "/r600/builtins.cl", *directory + "/r600/images.cl"};
}

Expected<std::vector<DevlibPart>> r600_devlib_parts() {
  auto sources = r600_devlib_sources();
  if (!sources) return sources.error();
  const std::vector<std::string> options = {"-x",
                                            "cl",
                                            "-target",
                                            "r600--",
                                            "-cl-no-stdinc",
                                            "-Xclang",
                                            "-finclude-default-header",
                                            "-Xclang",
                                            fmt::format("-cl-ext={}", r600_extensions),
                                            "-O1",
                                            "-emit-llvm",
                                            "-Xclang",
                                            "-disable-llvm-passes",
                                            "-c"};
  return parts_of(*sources, options, "r600 device library 2");
}

Expected<std::vector<std::string>> nvptx_devlib_sources(SourceLanguage language) {
  auto directory = find_devlib();
  if (!directory) return directory.error();
  // What one needs of another is taken from those after it.
  std::vector<std::string> sources;
  if (is_gpu_cxx(language)) sources.push_back(*directory + "/nvptx/libdevice.cl");
  for (const char* name :
       {"images.cl", "subgroups.cl", "half.cl", "math.cl", "atomics.cl", "builtins.cl", "originals.cl"})
    sources.push_back(*directory + "/nvptx/" + name);
  return sources;
}

Expected<std::vector<DevlibPart>> nvptx_devlib_parts(SourceLanguage language, bool c11_atomics) {
  auto sources = nvptx_devlib_sources(language);
  if (!sources) return sources.error();
  if (!c11_atomics) std::erase_if(*sources, has_c11_atomics);
  auto library = find_nvptx_library();
  if (!library) return library.error();
  std::vector<std::string> options = {"-x", "cl", "-target", "nvptx64-nvidia-nvcl",
                                      // All builtins' declarations at once: a function that is defined before
                                      // the others of its name are seen would hide them.
                                      "-cl-no-stdinc", "-Xclang", "-finclude-default-header", "-O1",
                                      "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-Xclang",
                                      fmt::format("-cl-ext={}", nvptx_extensions), "-c"};
  const std::vector<std::string> originals = {sources->back()};
  sources->pop_back();
  auto parts = parts_of(*sources, options, "nvptx device library 2");
  if (!parts) return parts;
  // libclc's functions become this file's own: what repairs them may have their names.
  options.insert(options.end(),
                 {"-Wno-linker-warnings", "-Xclang", "-mlink-builtin-bitcode", "-Xclang", *library});
  auto with_library = parts_of(originals, options, "nvptx device library 2 of " + file_version(*library));
  if (!with_library) return with_library;
  parts->insert(parts->end(), with_library->begin(), with_library->end());
  return parts;
}

}  // namespace lockstep

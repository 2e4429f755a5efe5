#include "compile/toolchain.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vector>

#include "base/environment.h"
#include "base/installation.h"

namespace lockstep {
namespace {

struct ToolName {
  const char* name;
  const char* variable;
  const char* package;
  const char* version = "-19";
};

ToolName tool_name(Tool tool) {
  switch (tool) {
    case Tool::clang:
      return {"clang", "LOCKSTEP_CLANG", "clang-19"};
    case Tool::llvm_mc:
      return {"llvm-mc", "LOCKSTEP_LLVM_MC", "llvm-19"};
    case Tool::lld:
      return {"ld.lld", "LOCKSTEP_LLD", "lld-19"};
    case Tool::opt:
      return {"opt", "LOCKSTEP_OPT", "llvm-19"};
    case Tool::objdump:
      return {"llvm-objdump", "LOCKSTEP_OBJDUMP", "llvm-19"};
    case Tool::llc:
      return {"llc", "LOCKSTEP_LLC", "llvm-19"};
    case Tool::dwarfdump:
      return {"llvm-dwarfdump", "LOCKSTEP_DWARFDUMP", "llvm-19"};
    case Tool::ocloc:
      return {"ocloc", "LOCKSTEP_OCLOC", "intel-opencl-icd", ""};
    case Tool::iga:
      return {"iga64", "LOCKSTEP_IGA", "libigc-tools", ""};
  }
  LOCKSTEP_ASSERT(false, "every tool has a name");
}

bool executable_file(const std::string& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

bool readable(const std::string& path) {
  return ::access(path.c_str(), R_OK) == 0;
}

}  // namespace

Expected<std::string> find_tool(Tool tool) {
  const ToolName name = tool_name(tool);
  if (const char* chosen = environment(name.variable)) {
    if (executable_file(chosen)) return std::string(chosen);
    return Diagnostic{"tool-missing",
                      {chosen, 0, 0},
                      fmt::format("{} names '{}', which is not a program", name.variable, chosen),
                      fmt::format("unset {} to use {}{}", name.variable, name.name, name.version)};
  }
  const std::string wanted = fmt::format("{}{}", name.name, name.version);
  if (const char* path = environment("PATH")) {
    std::string_view rest(path);
    while (!rest.empty()) {
      const std::size_t colon = rest.find(':');
      const std::string candidate = fmt::format("{}/{}", rest.substr(0, colon), wanted);
      if (candidate[0] == '/' && executable_file(candidate)) return candidate;
      if (colon == std::string_view::npos) break;
      rest.remove_prefix(colon + 1);
    }
  }
  const std::string fallback =
      fmt::format("{}/{}", *name.version == 0 ? "/usr/bin" : "/usr/lib/llvm-19/bin", name.name);
  if (executable_file(fallback)) return fallback;
  return Diagnostic{"tool-missing",
                    {},
                    fmt::format("the program {} is not installed", wanted),
                    fmt::format("install the package {} (apt-get install {}), or set {} to its path",
                                name.package, name.package, name.variable)};
}

Expected<std::string> find_amd_device_libraries() {
  std::vector<std::string> candidates;
  const char* chosen = environment("LOCKSTEP_AMD_DEVICE_LIBS");
  if (chosen != nullptr) {
    candidates = {chosen};
  } else {
    candidates = {"/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "/usr/lib/aarch64-linux-gnu/amdgcn/bitcode",
                  "/usr/lib/amdgcn/bitcode", "/opt/rocm/amdgcn/bitcode"};
  }
  for (const std::string& directory : candidates)
    if (readable(directory + "/opencl.bc") && readable(directory + "/ocml.bc")) return directory;
  return Diagnostic{"device-library-missing",
                    {candidates.front(), 0, 0},
                    "AMD's device library (opencl.bc, ocml.bc, ockl.bc) is not installed there",
                    "install the package rocm-device-libs, or set LOCKSTEP_AMD_DEVICE_LIBS to its directory"};
}

Expected<std::string> find_nvptx_library() {
  std::vector<std::string> candidates;
  if (const char* chosen = environment("LOCKSTEP_NVPTX_LIBRARY")) {
    candidates = {chosen};
  } else {
    candidates = {"/usr/lib/clc/nvptx64--nvidiacl.bc", "/usr/share/clc/nvptx64--nvidiacl.bc",
                  "/usr/lib/llvm-19/share/clc/nvptx64--nvidiacl.bc"};
  }
  for (const std::string& path : candidates)
    if (readable(path)) return path;
  return Diagnostic{"device-library-missing",
                    {candidates.front(), 0, 0},
                    "libclc's library for NVIDIA is not installed there",
                    "install the package libclc-19, or set LOCKSTEP_NVPTX_LIBRARY to nvptx64--nvidiacl.bc"};
}

Expected<std::string> find_r600_library(std::string_view chip) {
  std::vector<std::string> candidates;
  if (const char* chosen = environment("LOCKSTEP_R600_LIBRARIES")) {
    candidates = {chosen};
  } else {
    candidates = {"/usr/lib/clc", "/usr/share/clc", "/usr/lib/llvm-19/share/clc"};
  }
  for (const std::string& directory : candidates) {
    const std::string path = fmt::format("{}/{}-r600--.bc", directory, chip);
    if (readable(path)) return path;
  }
  return Diagnostic{
      "device-library-missing",
      {candidates.front(), 0, 0},
      fmt::format("libclc's library for {} is not installed there", chip),
      "install the package libclc-19, or set LOCKSTEP_R600_LIBRARIES to the directory of its files"};
}

Expected<std::string> find_devlib() {
  std::vector<std::string> candidates;
  if (const char* chosen = environment("LOCKSTEP_DEVLIB")) {
    candidates = {chosen};
  } else {
    if (auto installed = installed_folder("devlib", "amdgcn/repairs.cl")) return *installed;
    candidates = {LOCKSTEP_SOURCE_DIR "/devlib"};
  }
  for (const std::string& directory : candidates)
    if (readable(directory + "/amdgcn/repairs.cl")) return directory;
  return Diagnostic{"device-library-missing",
                    {candidates.front(), 0, 0},
                    "Lockstep's own device library (devlib) is not there",
                    "set LOCKSTEP_DEVLIB to its directory"};
}

std::string file_version(const std::string& path) {
  char resolved[4096];
  struct stat info{};
  if (::realpath(path.c_str(), resolved) == nullptr || ::stat(resolved, &info) != 0)
    return fmt::format("missing:{}", path);
  return fmt::format("{} {} {}.{:09}", resolved, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

std::string file_identity(const std::string& path) {
  struct stat info{};
  const std::string version = file_version(path);
  return ::stat(path.c_str(), &info) != 0 ? version : fmt::format("{} {}", version, info.st_ino);
}

}  // namespace lockstep

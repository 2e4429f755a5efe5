#include "compile/prebuilt.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files.h"
#include "base/installation.h"
#include "compile/devlib.h"
#include "compile/library_parts.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

const std::string& prebuilt_folder() {
  static const std::string folder = [] {
    const std::string own = own_folder(), tree = LOCKSTEP_BINARY_DIR;
    // Programs of the build tree below its top, the tests.
    if (own == tree || own.starts_with(tree + "/")) return tree + "/bitcode";
    return installed_folder("bitcode", ".").value_or(std::string());
  }();
  return folder;
}

}  // namespace

std::string prebuilt_name(std::string_view name, const std::string& digest, std::string_view ending) {
  return fmt::format("{}-{}.{}", name, digest.substr(0, 16), ending);
}

std::optional<std::string> find_prebuilt(const std::string& name) {
  std::string path = prebuilt_folder() + "/" + name;
  if (prebuilt_folder().empty() || ::access(path.c_str(), R_OK) != 0) return std::nullopt;
  return path;
}

Status prebuild(IsaFamily family, const std::string& directory) {
  auto scratch = ScratchDirectory::create();
  if (!scratch) return scratch.error();
  CompileRequest request;
  request.path = "device libraries";
  request.time_limit_ms = 600'000;
  CompileJob job(request, &*scratch);

  std::error_code error;
  fs::create_directories(directory, error);
  std::set<std::string> wanted;
  const auto missing = [&](const std::string& name) {
    wanted.insert(name);
    return !fs::exists(directory + "/" + name, error);
  };
  const auto keep = [&](const std::string& name) -> Status {
    const auto content = read_file(scratch->file(name));
    if (!content) return content.error();
    return write_whole_file(directory + "/" + name, *content);
  };
  const bool amd = family == IsaFamily::amdgcn;
  // GCN 1 has all of AMD's sources, CUDA C++ all of NVIDIA's.
  Target gcn1{};
  gcn1.major = 6;
  const auto parts = amd ? amd_devlib_parts(gcn1) : nvptx_devlib_parts(SourceLanguage::cuda);
  if (!parts) return parts.error();
  for (const DevlibPart& part : *parts) {
    const std::string name = devlib_file_name(part);
    if (!missing(name)) continue;
    if (Status done = compile_devlib_part(part, scratch->file(name), job); !done) return done;
    if (Status done = keep(name); !done) return done;
  }
  if (amd) {
    const auto libraries = find_amd_device_libraries();
    if (!libraries) return libraries.error();
    const std::string library = *libraries + "/opencl.bc";
    std::vector<std::string> files = library_part_files(library);
    std::erase_if(files, [&](const std::string& name) { return !missing(name); });
    if (!files.empty())
      if (Status done = make_library_parts(library, job, *scratch); !done) return done;
    for (const std::string& name : files)
      if (Status done = keep(name); !done) return done;
  }
  const auto stem = [](std::string_view name) { return name.substr(0, name.rfind('-')); };
  for (const auto& item : fs::directory_iterator(directory, error)) {
    const std::string name = item.path().filename().string();
    const bool ours = std::any_of(wanted.begin(), wanted.end(), [&](const std::string& other) {
      return stem(name) == stem(other) && name.size() == other.size();
    });
    if (ours && !wanted.contains(name)) fs::remove(item.path(), error);
  }
  return Success{};
}

}  // namespace lockstep

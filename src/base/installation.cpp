#include "base/installation.h"

#include <dlfcn.h>
#include <sys/auxv.h>

#include <filesystem>

namespace lockstep {

std::string own_folder() {
  namespace fs = std::filesystem;
  std::error_code error;
  Dl_info self{}, program{};
  fs::path file;
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &self) != 0 && self.dli_fname != nullptr)
    file = self.dli_fname;
  // Of the program itself the loader knows no more than how it was called.
  const auto* headers = reinterpret_cast<const void*>(getauxval(AT_PHDR));
  const bool is_program =
      headers != nullptr && dladdr(headers, &program) != 0 && program.dli_fbase == self.dli_fbase;
  if (is_program || file.empty()) file = "/proc/self/exe";
  file = fs::canonical(file, error);
  return error ? std::string() : file.parent_path().string();
}

std::optional<std::string> installed_folder(const std::string& name, const std::string& witness) {
  namespace fs = std::filesystem;
  const std::string own = own_folder();
  if (own.empty()) return std::nullopt;
  const fs::path up = fs::path(own).parent_path();
  const fs::path share = fs::path("share/lockstep") / name;
  std::error_code error;
  for (const fs::path& candidate :
       {up / name, up / share, up.parent_path() / share, up.parent_path().parent_path() / share}) {
    if (fs::exists(candidate / witness, error)) return candidate.string();
  }
  return std::nullopt;
}

}  // namespace lockstep

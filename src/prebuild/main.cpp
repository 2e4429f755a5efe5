// lockstep_prebuild amd|nvidia DIRECTORY: makes the device library's bitcode. The build runs it.
#include <cstdio>
#include <string_view>

#include "compile/prebuilt.h"

int main(int count, char** words) {
  using namespace lockstep;
  const std::string_view family = count == 3 ? words[1] : "";
  if (family != "amd" && family != "nvidia") {
    std::fputs("usage: lockstep_prebuild amd|nvidia DIRECTORY\n", stderr);
    return 2;
  }
  const Status made = prebuild(family == "amd" ? IsaFamily::amdgcn : IsaFamily::ptx, words[2]);
  if (made) return 0;
  std::fprintf(stderr, "lockstep_prebuild: %s\n", to_string(made.error()).c_str());
  return 1;
}

// lockstep_prebuild DIRECTORY: makes the device libraries' bitcode. The build runs it.
#include <cstdio>

#include "compile/prebuilt.h"

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: lockstep_prebuild DIRECTORY\n", stderr);
    return 2;
  }
  const lockstep::Status made = lockstep::prebuild(words[1]);
  if (made) return 0;
  std::fprintf(stderr, "lockstep_prebuild: %s\n", lockstep::to_string(made.error()).c_str());
  return 1;
}

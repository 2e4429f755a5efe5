// The program's first instructions: .preinit_array comes before every constructor, also those of static
// objects that are compiled for newer processors.
#include <string.h>
#include <unistd.h>

#include "door/host.h"

namespace {

void say(const char* text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

}  // namespace

extern "C" void lockstep_check_host() {
  if (lockstep_host_is_able()) return;
  say("lockstep: error: this build is for processors of ");
  say(lockstep_host_level());
  say(" (AVX2, BMI2, FMA), which this host's is not [host-too-old]\n"
      "  hint: configure with -DLOCKSTEP_MARCH=x86-64\n");
  _exit(1);
}

extern "C" [[gnu::section(".preinit_array"), gnu::used]] void (*const lockstep_first)() = lockstep_check_host;

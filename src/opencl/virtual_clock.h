// The process's clock of modelled time, where liblockstep_clock.so was loaded before everything else
// (`lockstep exec --virtual-clock`), and the driver's part in it.
#pragma once
#include "base/types.h"

namespace lockstep::opencl {

// Whether this process has one.
bool has_virtual_clock();

// The host's monotonic clock, whatever the application is shown.
u64 host_monotonic_ns();

// The virtual clock's time, ns; the host's monotonic clock where there is none.
u64 application_now_ns();

// Moves it forward to a time on the modelled timeline. Nothing happens without a virtual clock.
void advance_application_clock(u64 ns);

// While one of these lives the virtual clock stands still: a thread of the application waits for the
// modelled GPU, and what the host spends on modelling is nobody's time.
class StoppedClock {
 public:
  StoppedClock();
  ~StoppedClock();
  StoppedClock(const StoppedClock&) = delete;
  StoppedClock& operator=(const StoppedClock&) = delete;
};

}  // namespace lockstep::opencl

// The functions of liblockstep_clock.so, the library that gives a process a clock of modelled device time
// (docs/opencl.md, "The virtual clock"). The driver looks them up in the process; where the library was not
// loaded before it, there is no virtual clock.
#pragma once

extern "C" {

// The process's CLOCK_MONOTONIC as the application sees it, in nanoseconds.
long long lockstep_clock_now_ns();

// The clock stands still from the first stop to the last go; both nest and may come from any thread.
void lockstep_clock_stop();
void lockstep_clock_go();

// Moves the clock forward to this time of lockstep_clock_now_ns; never back.
void lockstep_clock_advance_to(long long ns);
}

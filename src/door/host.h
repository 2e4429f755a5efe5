// Whether the host's processor has the instructions that Lockstep is compiled for. The objects of this room
// are compiled for every x86-64 and use no C++ library: they run before anything that is not.
#pragma once

// True where it has them; where the build is for this very host, or for another architecture, too.
extern "C" bool lockstep_host_is_able();

// The level that is needed, "x86-64-v3".
extern "C" const char* lockstep_host_level();

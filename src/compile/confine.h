// What a child may do beside computing, where the kernel can hold it to that (Landlock, Linux 5.13 and
// later): reading files, and writing below one folder. No other change to the file system, no TCP, no signals
// to and no abstract sockets of processes outside.
#pragma once
#include <string>

namespace lockstep {

// A descriptor of the rules, close-on-exec, for confine_self(); -1 where the kernel has none of this.
// `writable` is a folder; empty: none.
int confinement(const std::string& writable);

// Puts the calling process under the rules for good; what it executes stays under them. Async-signal-safe.
// False when that failed.
bool confine_self(int rules);

}  // namespace lockstep

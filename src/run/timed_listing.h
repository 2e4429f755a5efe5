// Times code that is written by hand in the form of NVIDIA's instructions (time/program/nv/listing.h).
#pragma once
#include <map>
#include <string>

#include "time/program/nv/listing.h"
#include "time/timing.h"

namespace lockstep {

// Of a file that may hold several listings the one that is `named`; in it the names of `values` stand for
// them. Errors: "bad-listing" (there is none of that name, and those of reading it), "unreadable-file".
Expected<TimingListing> load_listing(const std::string& path, const std::string& named,
                                     const std::map<std::string, i64>& values);

// One launch of the listing on a device that nothing ran on before. Errors: "bad-listing" where the machine
// is no NVIDIA GPU of the listing's target; those of time_launch().
Expected<TimingResult> time_listing(const Machine& machine, const TimingListing& listing,
                                    const TimingOptions& options = {});

}  // namespace lockstep

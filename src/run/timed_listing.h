// Times code that is written by hand in the form of NVIDIA's instructions (time/program/nv/listing.h).
#pragma once
#include "time/program/nv/listing.h"
#include "time/timing.h"

namespace lockstep {

// One launch of the listing on a device that nothing ran on before. Errors: "bad-listing" where the machine
// is no NVIDIA GPU of the listing's target; those of time_launch().
Expected<TimingResult> time_listing(const Machine& machine, const TimingListing& listing,
                                    const TimingOptions& options = {});

}  // namespace lockstep

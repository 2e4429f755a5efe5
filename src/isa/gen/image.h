// Images and samplers as a kernel is told of them.
#pragma once
#include "isa/step.h"

namespace lockstep::gen {

// Fills the fields of the cross-thread data that say how arguments' images and samplers are made: their
// sizes, formats and modes, which the driver puts there. A descriptor that is none raises a fault.
void fill_described_fields(WaveState& wave, StepContext& context, u8* cross_thread);

}  // namespace lockstep::gen

// Images and samplers as a kernel is told of them.
#pragma once
#include "isa/gen/operation.h"
#include "isa/step.h"

namespace lockstep::gen {

// Fills the fields of the cross-thread data that say how arguments' images and samplers are made: their
// sizes, formats and modes, which the driver puts there. A descriptor that is none raises a fault.
void fill_described_fields(WaveState& wave, StepContext& context, u8* cross_thread);

// Which elements of its payload a message to an image is led by, for checked runs: a bit each.
u32 image_elements(const WaveState& wave, const Operation& operation, const StepContext& context);

}  // namespace lockstep::gen

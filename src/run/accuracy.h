// How far the timing model was from published measurements, by GPU: experiments/accuracy.json, which
// `lockstep experiment all --accuracy FILE` makes from the experiments' results; and from what was measured
// on a device: experiments/measured.json, of which `lockstep dissect --accuracy FILE` makes a GPU's part.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "report/run_data.h"
#include "run/experiment.h"

namespace lockstep {

// The file's text: of each GPU the judged figures that have a published number, and their relative errors.
std::string accuracy_text(std::span<const ExperimentResult> results);

// What is known of a GPU; nothing where no figure of it was compared, or where the file is not there.
std::optional<ModelAccuracy> model_accuracy(const std::string& gpu);

}  // namespace lockstep

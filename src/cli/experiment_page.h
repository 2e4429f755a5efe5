// Finished experiments as a page of Markdown: every published figure with the model's error.
#pragma once
#include <string>
#include <vector>

#include "run/experiment.h"

namespace lockstep::cli {

// `results` with their experiments in the order of the page. The same results give the same bytes.
std::string experiment_page(const std::vector<ExperimentResult>& results);

}  // namespace lockstep::cli

// The modelled GPU as a device of the suite.
#pragma once
#include <functional>
#include <memory>

#include "dissect/backend.h"
#include "machine/machine.h"

namespace lockstep::dissect {

struct ModelOptions {
  u32 threads = 1;              // of the host; any number gives the same times
  std::function<bool()> go_on;  // asked now and then; false ends a launch with the error "stopped"
  std::string directory;        // of the suite's kernels
  std::string ptx_directory;    // where their PTX is kept for another host (ptx_folder.h); empty: nowhere
};

// The machine must outlive the backend. Its caches, translations and open rows stay between launches.
// Errors: those of timing_model, "not-timed" first.
Expected<std::unique_ptr<Backend>> make_model_backend(const Machine& machine, ModelOptions options);

}  // namespace lockstep::dissect

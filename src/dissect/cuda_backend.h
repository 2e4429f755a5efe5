// NVIDIA GPUs of the host through their driver: the suite's kernels as PTX, which the driver's own assembler
// makes into the machine's code, and events for the times.
#pragma once
#include <memory>
#include <string>

#include "dissect/backend.h"

namespace lockstep::dissect {

struct CudaOptions {
  std::string device;         // a part of the GPU's name, case ignored, or its number; empty: the only one
  std::string directory;      // of the suite's kernels
  std::string ptx_directory;  // where their PTX is kept (ptx_folder.h); empty: nowhere
};

// Errors: "no-cuda" without a driver or a GPU; "no-device" with the GPUs that there are, where none or
// several fit; "unsupported-target" for one older than all known targets; "cuda-failed" with what was called
// and its code.
Expected<std::unique_ptr<Backend>> make_cuda_backend(const CudaOptions& options);

}  // namespace lockstep::dissect

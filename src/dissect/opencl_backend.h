// Devices of OpenCL drivers, through the ICD loader that the host has when the program runs.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "dissect/backend.h"

namespace lockstep::dissect {

struct OpenClOptions {
  std::string device;     // a part of the device's or its platform's name, case ignored; empty: the only one
  std::string directory;  // of the suite's kernels
};

// Errors: "no-opencl" without a loader, or in a build without OpenCL's headers; "no-device" with the devices
// that there are, where none or several fit; "opencl-failed" with what was called and its code.
Expected<std::unique_ptr<Backend>> make_opencl_backend(const OpenClOptions& options);

}  // namespace lockstep::dissect

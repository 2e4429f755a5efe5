// The suite's kernels as PTX in a folder: written where there is a compiler, read where there is none, as on
// a host that has the GPU and little else.
#pragma once
#include <string>

#include "dissect/backend.h"
#include "machine/target.h"

namespace lockstep::dissect {

class PtxFolder {
 public:
  // `folder`: empty for none, then every kernel is compiled. `kernels`: the folder of the suite's kernels.
  PtxFolder(std::string folder, std::string kernels)
      : folder_(std::move(folder)), kernels_(std::move(kernels)) {}

  // The kernel's PTX for the target: the folder's where it is there, else compiled, and then kept in the
  // folder. Errors: those of compile(); "no-such-file" for a kernel that is not there; "stale-ptx" where the
  // folder's was made from another source; "cannot-write".
  Expected<std::string> text(const KernelSource& source, const Target& target) const;

 private:
  std::string folder_, kernels_;
};

}  // namespace lockstep::dissect

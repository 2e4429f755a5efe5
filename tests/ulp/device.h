// Runs the functions on a modelled GPU: all arguments of one function in one launch.
#pragma once
#include <memory>

#include "exec/device_memory.h"
#include "run/loader.h"
#include "ulp/reference.h"

namespace lockstep::ulp {

struct Kernels {
  const Target* target = nullptr;
  LoadedProgram program;
};

// A kernel k<i> for each function; all have the same options.
Expected<Kernels> compile_functions(const std::vector<const Function*>& functions, Type type,
                                    const Target& target);
// Results as f64; integer ones too.
Expected<std::vector<f64>> run_function(const Kernels& kernels, std::size_t number, const Function& function,
                                        Type type, const std::vector<Arguments>& arguments);

}  // namespace lockstep::ulp

#include "isa/absent/absent.h"
#include "isa/vliw/module.h"

namespace lockstep::vliw {

Expected<std::unique_ptr<Module>> load_module(const std::string&, const Target&, const std::string&) {
  return not_built("VLIW");
}

}  // namespace lockstep::vliw

// What an application's queues did on the modelled devices over the time, for Perfetto.
#pragma once
#include <string>

#include "base/diagnostic.h"

namespace lockstep::cli {

// `timeline`: what the driver wrote (LOCKSTEP_TIMELINE); none where the file is not there. Error: "bad-log".
Expected<std::string> application_trace(const std::string& timeline);

}  // namespace lockstep::cli

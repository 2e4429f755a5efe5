// One page over all launches of an application, made of its log and its JSON reports.
#pragma once
#include <string>
#include <vector>

#include "cli/exec_summary.h"

namespace lockstep::cli {

// `reports`: the folder that holds them; `pictures`: the driver's other one (LOCKSTEP_PICTURES). Those of the
// launches that cost most are on the page.
std::string application_page(const std::vector<std::string>& command, const Summary& summary,
                             const std::string& log, const std::string& reports, const std::string& pictures);

}  // namespace lockstep::cli

// Occupancy as data and text: the run report and `lockstep occupancy` show the same.
#pragma once
#include "report/view.h"

namespace lockstep {

Json occupancy_json(const Occupancy& occupancy);
std::string occupancy_text(const Json& data);

}  // namespace lockstep

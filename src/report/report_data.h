// The JSON report as data, for what is made of it.
#pragma once
#include "report/view.h"

namespace lockstep {

Json report_data(const RunData& run);

}  // namespace lockstep

// Comparing what a loader or a run says with what a case expects of it.
#pragma once
#include <string>
#include <vector>

#include "cases/case_file.h"

namespace lockstep::cases {

// Whether the message that came holds the words that the case wants; `wanted` is empty where none was
// expected.
std::string compare_message(const std::string& wanted, const std::string& message, const char* what);

// What a checked run reported beside its result: all of it must hold the words of `alarms`.
std::string compare_alarms(const Case& entry, const std::vector<std::string>& alarms);

}  // namespace lockstep::cases

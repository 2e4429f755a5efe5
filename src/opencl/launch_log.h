// What a process leaves behind about its kernel launches: a log with a line for each, and a report for each.
// docs/opencl.md, "Reports", has the environment variables and the log's keys.
#pragma once
#include <CL/cl.h>

#include <string_view>

#include "report/run_data.h"
#include "time/attribution/trace.h"

namespace lockstep::opencl {

// Whether anybody wants to know of launches (LOCKSTEP_LAUNCHES or LOCKSTEP_REPORT).
bool launches_wanted();

// Whether there shall be a report of each (LOCKSTEP_REPORT).
bool reports_wanted();

// What is wrong with these variables, as a sentence; empty when nothing is.
std::string_view wrong_setting();

// One launch that has ended; what ended it early and what checks found are in `run`. `source` is the
// program's text, where the driver has it; `host_ns` is what the launch took on the host; `trace`, where
// there is one, is what its waves did. What cannot be written is a message on standard error, once.
void log_launch(RunData& run, std::string_view source, u64 host_ns, const LaunchTrace* trace);

// One command that has its place on the modelled timeline: a line of LOCKSTEP_TIMELINE's file, where somebody
// wants to know. The scheduler's mutex is held.
void log_command(const _cl_event& event);

}  // namespace lockstep::opencl

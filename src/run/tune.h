// Searching a launch's sizes, macros and arguments for the fastest: every point of a grid, on the model.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/view.h"
#include "run/experiment.h"
#include "run/request.h"

namespace lockstep {

// One dimension of the grid. What a name means: local, global, grid: sizes (16x16 is 16,16); gpu; O: the
// optimisation level; define:NAME a macro; arg:NAME an argument; any other name is a variable. {NAME} in the
// request's sizes, arguments, macros and options stands for the value.
struct TuneAxis {
  std::string name;
  std::vector<std::string> values;
};
// "local=64,128,256", "define:TS=8,16". Error: "bad-space".
Expected<TuneAxis> parse_axis(const std::string& text);

struct TunePoint {
  std::vector<std::string> values;  // one for each axis
  LaunchRequest request;
};

// The points of the grid for which all constraints hold, the last axis the fastest. A constraint is an
// integer expression (evaluate(), experiment.h) of the axes whose values are integers, by their names behind
// a colon, and of the launch's sizes: local, local_x, local_y, local_z, global and so on. Errors:
// "bad-space", "bad-expression", "no-points".
Expected<std::vector<TunePoint>> tune_points(const LaunchRequest& request, const std::vector<TuneAxis>& axes,
                                             const std::vector<std::string>& constraints);

struct TuneOptions {
  std::string database;  // a file of SQLite's; results that are there are taken from it
  u32 jobs = 1;          // points at a time
  // Processes that share a database and this name share its queue: each point is measured by one of them.
  std::string search;
  bool look_only = false;  // nothing is measured: what the database has
  std::function<void(u64 done, u64 all)> progress;
  std::function<bool()> go_on;
};

struct TuneResults {
  // For each point, in their order: the axes' values by name, then the figures of comparison_rows().
  Json rows = Json::array();
  u64 measured = 0, found = 0;  // points that ran now, and those whose results were there
  u64 missing = 0;              // points that another process has, or that nobody measured yet
  bool stopped = false;         // go_on() ended it; what was measured is in the database
};

// Measures the points. A point that does not compile or does not run has a row with its error. Errors:
// "bad-database".
Expected<TuneResults> tune(const std::vector<TuneAxis>& axes, const std::vector<TunePoint>& points,
                           const TuneOptions& options);

// The fastest points that ended well, as text.
std::string tune_text(const std::vector<TuneAxis>& axes, const TuneResults& results);

}  // namespace lockstep

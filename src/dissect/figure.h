// What a run of the suite yields.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "dissect/analysis.h"

namespace lockstep::dissect {

// The same quantity as the machine file has it.
struct Stated {
  f64 value = 0;           // in the figure's unit
  std::string key;         // or how it follows from keys
  std::string confidence;  // "measured", "documented", ...
  std::string source;
};

struct Figure {
  std::string name;  // "f32_fma latency"
  std::string unit;  // "cycles", "results/cycle", "B/cycle", "GB/s", "ns", "B"
  f64 value = 0;
  std::string refused;  // why the value is no result; empty for one
  std::string note;     // in words, may be empty
  std::optional<Stated> stated;
  // Of the machine file, with its unit there, where this figure is the key's; what is measured is in `value`.
  std::string writes_key, writes_unit;
  f64 writes_value = 0;
};

struct Curve {
  std::string name;
  std::string x, x_unit, y, y_unit;
  std::vector<Point> points;
};

struct Outcome {
  std::string benchmark;
  std::vector<Figure> figures;
  std::vector<Curve> curves;
  std::string skipped;  // why it does not apply to this device
  std::optional<Diagnostic> failed;
};

}  // namespace lockstep::dissect

// [[measure]] and [[log]] of an experiment: what a benchmark measures, written once, and what its users' logs
// state for one board each.
#pragma once
#include "run/experiment.h"
#include "run/toml_reader.h"

namespace lockstep {

// "clock" of a table, Hz; 0 where it has none. Errors: no clock.
u64 read_clock(TomlReader& reader, const toml::table& table);

// Errors, with the key's name: no figure is of such a kind.
FigureKind read_figure_kind(TomlReader& reader, const toml::table& table, std::string_view key);

// Adds the configurations "MACHINE: MEASURE" and, where a measure has `fewer`, "MACHINE: MEASURE, fewer",
// with a figure for each that a log states. Errors: a key that is not known, a log without figures, a figure
// of no measure.
void read_logs(TomlReader& reader, const toml::table& file, Experiment& experiment);

}  // namespace lockstep

// A run of the suite as text, as JSON and as lines of a machine file.
#pragma once
#include <optional>
#include <string>

#include "dissect/suite.h"
#include "report/view.h"

namespace lockstep::dissect {

// What an earlier run of the suite measured on a device, as to_json() wrote it.
struct Published {
  std::string where;  // the file
  Json data;
  // Nothing where the run has no such figure, or refused it.
  std::optional<f64> figure(std::string_view benchmark, std::string_view name) const;
};

// Of experiments/GPU/dissect.json; nothing where there is none. Error: "bad-json" for a file that is none of
// to_json()'s.
Expected<std::optional<Published>> read_published(const std::string& experiments, const std::string& gpu);

// How far a model's figures are from those that a device gave: relative errors of what both have. Nothing
// where they share no figure.
struct Deviation {
  u32 figures = 0;
  f64 mean_error = 0, median_error = 0, worst_error = 0;
  std::string worst;  // the figure
};
std::optional<Deviation> deviation(const SuiteResult& result, const Published& published);

Json to_json(const SuiteResult& result, const Machine* machine, const Published* published);
std::string to_text(const SuiteResult& result, const Machine* machine, const Published* published);
// Figures that are keys of machine files, by tables.
std::string to_toml(const SuiteResult& result);

}  // namespace lockstep::dissect

#include "run/accuracy.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

Json read_file(const std::string& name) {
  std::ifstream in(experiment_directory() + "/" + name);
  const Json data = in ? Json::parse(in, nullptr, false) : Json();
  return data.is_object() && data.contains("gpus") && data["gpus"].is_object() ? data["gpus"]
                                                                               : Json::object();
}

}  // namespace

std::string accuracy_text(std::span<const ExperimentResult> results) {
  struct Errors {
    u32 figures = 0;
    f64 sum = 0, worst = 0;
  };
  std::map<std::string, Errors> by_gpu;
  for (const ExperimentResult& result : results) {
    for (const ExperimentRow& row : result.rows) {
      if (!row.ratio || !row.ok) continue;
      Errors& errors = by_gpu[row.gpu];
      const f64 error = std::fabs(*row.ratio - 1);
      ++errors.figures;
      errors.sum += error;
      errors.worst = std::max(errors.worst, error);
    }
  }
  const auto rounded = [](f64 error) { return std::round(error * 1e4) / 1e4; };
  Json data{{"version", 1}, {"made_by", "lockstep experiment all --accuracy FILE"}, {"gpus", Json::object()}};
  for (const auto& [gpu, errors] : by_gpu)
    data["gpus"][gpu] = {{"figures", errors.figures},
                         {"mean_error", rounded(errors.sum / errors.figures)},
                         {"worst_error", rounded(errors.worst)}};
  return data.dump(2) + "\n";
}

std::optional<ModelAccuracy> model_accuracy(const std::string& gpu) {
  static const Json published = read_file("accuracy.json"), measured = read_file("measured.json");
  if (!published.contains(gpu) && !measured.contains(gpu)) return std::nullopt;
  ModelAccuracy made;
  made.gpus = {gpu};
  if (published.contains(gpu)) {
    const Json& one = published[gpu];
    made.figures = one.value("figures", 0u);
    made.mean_error = one.value("mean_error", 0.0);
    made.worst_error = one.value("worst_error", 0.0);
  }
  if (measured.contains(gpu)) {
    const Json& one = measured[gpu];
    made.measured_figures = one.value("figures", 0u);
    made.measured_mean_error = one.value("mean_error", 0.0);
    made.measured_median_error = one.value("median_error", 0.0);
    made.measured_worst_error = one.value("worst_error", 0.0);
  }
  return made;
}

}  // namespace lockstep

// Texts that people write: machine files, experiments, corpus cases.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "corpus/case.h"
#include "fuzz/kind.h"
#include "machine/machine.h"
#include "run/experiment.h"

namespace lockstep::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> contents_of(const std::vector<std::string>& paths, std::size_t most) {
  std::vector<std::string> texts;
  for (const std::string& path : paths) {
    std::string text = read_whole(path);
    if (text.size() <= most) texts.push_back(std::move(text));
  }
  return texts;
}

// ---- machine files

std::vector<std::string> machine_seeds() {
  std::vector<std::string> paths;
  for (const std::string& path : files_of("machines", ".toml")) {
    if (!path.ends_with("/sources.toml")) paths.push_back(path);
  }
  return contents_of(paths, 1 << 20);
}

void mutate_machine(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  static const std::vector<std::string> words = {"base = \"gcn5\"",
                                                 "base = \"x\"",
                                                 "id = \"x\"",
                                                 "aliases = [\"a\"]",
                                                 "target = \"gfx900\"",
                                                 "[compute]",
                                                 "value = 1",
                                                 "unit = \"B\"",
                                                 "source = \"\"",
                                                 "confidence = \"assumed\"",
                                                 "why = \"\"",
                                                 "[[a]]",
                                                 "= {}",
                                                 "= []",
                                                 "= [1, 2]",
                                                 "= 1.5",
                                                 "= true",
                                                 "= \"\"",
                                                 "= 1979-05-27",
                                                 "\"\"\"",
                                                 "[compute.units]",
                                                 "= inf",
                                                 "KiB",
                                                 "'"};
  mutate_text(input, seeds, random, words);
}

std::optional<std::string> read_machine(const std::string& input) {
  static const Folder folder;
  const std::string path = folder.path + "/m.toml";
  std::ofstream(path, std::ios::binary) << input;
  const auto machine = load_machine(LOCKSTEP_SOURCE_DIR "/machines", path);
  return machine ? std::nullopt : check_diagnostic(machine.error(), false);
}

// ---- experiments

std::vector<std::string> experiment_seeds() {
  return contents_of(files_of("experiments", "experiment.toml"), 1 << 20);
}

void mutate_experiment(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  static const std::vector<std::string> words = {"kernel =",
                                                 "global =",
                                                 "local =",
                                                 "\"wg * 2\"",
                                                 "\"wg / 0\"",
                                                 "\"(((\"",
                                                 "[[figure]]",
                                                 "of =",
                                                 "to =",
                                                 "tolerance =",
                                                 "[search]",
                                                 "= []",
                                                 "= {}",
                                                 "defines =",
                                                 "init = \"ramp\"",
                                                 "count = \"-1\"",
                                                 "\"1 + \"",
                                                 "\"99999999999999999999\"",
                                                 "machine = \"mi25\""};
  mutate_text(input, seeds, random, words);
}

std::optional<std::string> read_experiment(const std::string& input) {
  static const Folder folder;
  fs::create_directories(folder.path + "/e");
  std::ofstream(folder.path + "/e/experiment.toml", std::ios::binary) << input;
  const auto experiment = load_experiment(folder.path, "e");
  if (!experiment) return check_diagnostic(experiment.error(), false);
  // Its expressions, with and without the names they want.
  for (const std::string* text :
       {&experiment->global, &experiment->local, &experiment->flop, &experiment->bytes}) {
    (void)evaluate(*text, {}).ok();
    (void)evaluate(*text, {{"wg", 64}, {"n", 1 << 20}, {"vectors", 0}}).ok();
  }
  return std::nullopt;
}

// ---- corpus cases: the directives, and the contents that they ask for

std::vector<std::string> corpus_seeds() {
  std::vector<std::string> seeds = contents_of(files_of("tests/corpus", ".cl"), 1 << 16);
  for (std::string& seed : seeds) {
    // Only the directives count.
    std::size_t end = 0;
    while (seed.compare(end, 2, "//") == 0) end = std::min(seed.find('\n', end), seed.size() - 1) + 1;
    seed.resize(end);
  }
  return seeds;
}

void mutate_corpus(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  static const std::vector<std::string> words = {
      "arg:",      "launch:",   "options:",      "float4",    "half3",    "uchar16",
      "float[16]", "int[0]",    "[99999999999]", "random",    "ramp",     "zero",
      "in",        "out",       "inout",         "local",     "image2d",  "sampler",
      "rgba8",     "(0, 1)",    "-1e39",         "ulp",       "relative", "0x10000000000000000",
      "nan",       "float3[5]", "double[7]",     "[64,64,64]"};
  mutate_text(input, seeds, random, words);
}

std::optional<std::string> read_corpus(const std::string& input) {
  const auto parsed = corpus::parse_case("case.cl", input);
  return parsed ? std::nullopt : check_diagnostic(parsed.error(), false);
}

}  // namespace

std::vector<Kind> text_kinds() {
  return {{"machine", machine_seeds, mutate_machine, read_machine},
          {"experiment", experiment_seeds, mutate_experiment, read_experiment},
          {"corpus", corpus_seeds, mutate_corpus, read_corpus}};
}

}  // namespace lockstep::fuzz

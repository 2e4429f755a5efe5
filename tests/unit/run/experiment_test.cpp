#include "run/experiment.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "machine/machine.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

std::string source_directory() {
  return LOCKSTEP_SOURCE_DIR "/experiments";
}

TEST(Expression, FollowsArithmetic) {
  const ExperimentValues values{{"vectors", 1048576}, {"n_b", 32}, {"wg", 128}, {"n_m", 4}};
  const auto value = [&](const char* text) { return *evaluate(text, values); };
  EXPECT_EQ(value("vectors / n_b"), 32768);
  EXPECT_EQ(value("wg * n_b * n_m"), 16384);
  EXPECT_EQ(value("2 * n_m * n_m * vectors"), 33554432);
  EXPECT_EQ(value("2 + 3 * 4"), 14);
  EXPECT_EQ(value("(2 + 3) * 4"), 20);
  EXPECT_EQ(value("20 - 3 - 4"), 13);
  EXPECT_EQ(value("64 / 4 / 2"), 8);
  EXPECT_EQ(value("wg % 100 * 2"), 56);
}

TEST(Expression, ComparesToOneAndZero) {
  const ExperimentValues values{{"n", 10}, {"m", 3}};
  const auto value = [&](const char* text) { return *evaluate(text, values); };
  for (const char* text : {"n > m", "n >= 10", "m < n", "m <= 3", "n == 10", "n != m", "n % m == 1",
                           "n > 1 && m > 1", "(n > m) + 1 == 2", "n - m * 3 == 1 && n && m != 4"})
    EXPECT_EQ(value(text), 1) << text;
  for (const char* text :
       {"n < m", "n <= 9", "m > n", "m >= 4", "n == 9", "n != 10", "n > 1 && m > 3", "0 && n"})
    EXPECT_EQ(value(text), 0) << text;
}

TEST(Expression, RefusesWhatItCannotMean) {
  const ExperimentValues values{{"n", 10}};
  for (const char* text :
       {"", "n +", "n / 3", "n / 0", "m", "(n", "n n", "n % 0", "n <", "n = 10", "n && ", "n & 1",
        "1 < n < 3", "3x", "9223372036854775807 + 1", "9223372036854775807 * 2"}) {
    const Expected<i64> value = evaluate(text, values);
    ASSERT_FALSE(value.ok()) << text;
    EXPECT_EQ(value.error().code, "bad-expression") << text;
  }
}

TEST(Expression, SaysWhatItWouldHaveTaken) {
  const ExperimentValues values{{"n", 10}, {"tile", 3}};
  EXPECT_EQ(evaluate("n = 10", values).error().hint, "equal is ==");
  EXPECT_EQ(evaluate("n & 1", values).error().hint, "both conditions: &&");
  EXPECT_EQ(evaluate("tiles > 1", values).error().hint, "there are n, tile");
  EXPECT_EQ(evaluate("n <", values).error().message, "'n <': a number or a name is missing at its end");
  EXPECT_EQ(evaluate("n < && 1", values).error().message,
            "'n < && 1': a number or a name is missing in front of '&& 1'");
}

TEST(ExperimentFile, BatchedMatvecReadsAsWritten) {
  const Expected<Experiment> experiment = load_experiment(source_directory(), "batched-matvec");
  ASSERT_TRUE(experiment.ok()) << to_string(experiment.error());
  EXPECT_EQ(experiment->machine, "mi60");
  EXPECT_EQ(experiment->function, "batched_matvec");
  EXPECT_EQ(experiment->problem.at("vectors"), 1048576);
  EXPECT_EQ(experiment->varied, "vectors");
  EXPECT_EQ(experiment->also, (std::vector<i64>{524288, 2097152}));
  EXPECT_EQ(experiment->arguments.size(), 5U);
  EXPECT_TRUE(experiment->arguments[4].local);
  ASSERT_TRUE(experiment->search.has_value());
  ASSERT_EQ(experiment->search->axes.size(), 3U);
  EXPECT_EQ(experiment->search->axes[0].first, "wg");  // the file's order, not the alphabet's
  EXPECT_EQ(experiment->search->axes[2].first, "n_u");
  EXPECT_EQ(experiment->figures.size(), 13U);
}

// Of a log's figures each makes a configuration, one with fewer where the measure says so, and a row.
TEST(ExperimentFile, LogsAreReadByTheirMeasures) {
  const Expected<Experiment> experiment = load_experiment(source_directory(), "published-logs");
  ASSERT_TRUE(experiment.ok()) << to_string(experiment.error());
  const auto configuration = [&](std::string_view name) {
    const auto found = std::find_if(experiment->configurations.begin(), experiment->configurations.end(),
                                    [&](const ExperimentConfiguration& one) { return one.name == name; });
    EXPECT_NE(found, experiment->configurations.end()) << name;
    return found == experiment->configurations.end() ? ExperimentConfiguration{} : *found;
  };
  const ExperimentConfiguration whole = configuration("gtx480: float"),
                                less = configuration("gtx480: float, fewer");
  EXPECT_EQ(whole.machine, "gtx480");
  EXPECT_EQ(whole.clock_hz, 1'550'000'000u);
  EXPECT_EQ(whole.function, "f32_1");
  EXPECT_EQ(whole.values.at("units"), 15) << "the log's own";
  EXPECT_EQ(whole.values.at("waves"), 9) << "the measure's";
  EXPECT_EQ(less.values.at("waves"), 5);
  EXPECT_EQ(less.values.at("rounds"), whole.values.at("rounds"));
  const auto figure = [&](std::string_view name) {
    const auto found = std::find_if(experiment->figures.begin(), experiment->figures.end(),
                                    [&](const ExperimentFigure& one) { return one.configuration == name; });
    EXPECT_NE(found, experiment->figures.end()) << name;
    return found == experiment->figures.end() ? ExperimentFigure{} : *found;
  };
  EXPECT_EQ(figure("gtx480: float").published, 1475.08);
  EXPECT_EQ(figure("gtx480: float").beyond, "gtx480: float, fewer");
  EXPECT_TRUE(figure("gtx480: float").judged);
  EXPECT_FALSE(figure("gtx660: double").judged) << "the clock was taken from it";
}

// Where the benchmark runs two kernels and prints the faster one's rate, both are configurations.
TEST(ExperimentFile, MeasuresOfTwoKernels) {
  const Expected<Experiment> experiment = load_experiment(source_directory(), "amd-logs");
  ASSERT_TRUE(experiment.ok()) << to_string(experiment.error());
  const auto function = [&](const std::string& name) {
    for (const ExperimentConfiguration& one : experiment->configurations) {
      if (one.name == name) return one.function + " " + std::to_string(one.values.at("items"));
    }
    return std::string("none of this name");
  };
  const auto& figures = experiment->figures;
  const auto found = std::find_if(figures.begin(), figures.end(), [](const ExperimentFigure& one) {
    return one.configuration == "mi100: reads by 4 floats";
  });
  ASSERT_NE(found, figures.end());
  EXPECT_EQ(function(found->configuration), "read_4 524288");
  EXPECT_EQ(function(found->beyond), "read_4 262144");
  EXPECT_EQ(function(found->other), "group_read_4 524288");
  EXPECT_EQ(function(found->other_beyond), "group_read_4 262144");
  EXPECT_EQ(
      std::count_if(figures.begin(), figures.end(),
                    [](const ExperimentFigure& one) { return !one.other.empty() && one.name == "float"; }),
      0);
}

TEST(ExperimentFile, KeepsWhatIsOfOneGpu) {
  Experiment experiment = load_experiment(experiment_directory(), "published-logs").value();
  const std::vector<std::string> gpus = experiment_gpus(experiment);
  ASSERT_GT(gpus.size(), 20u);
  EXPECT_EQ(std::count(gpus.begin(), gpus.end(), "k40c"), 1);
  const std::size_t figures = experiment.figures.size();
  keep_gpu(experiment, "k40c", "folder/k40c.toml");
  ASSERT_FALSE(experiment.configurations.empty());
  for (const ExperimentConfiguration& configuration : experiment.configurations) {
    EXPECT_EQ(configuration.machine, "folder/k40c.toml");
    EXPECT_TRUE(configuration.name.starts_with("k40c: ")) << configuration.name;
  }
  ASSERT_FALSE(experiment.figures.empty());
  EXPECT_LT(experiment.figures.size(), figures);
  for (const ExperimentFigure& figure : experiment.figures)
    EXPECT_TRUE(figure.configuration.starts_with("k40c: ")) << figure.configuration;

  Experiment search = load_experiment(experiment_directory(), "batched-matvec").value();
  EXPECT_EQ(experiment_gpus(search), std::vector<std::string>{"mi60"});
}

TEST(ExperimentFile, UnknownNamesAreToldTheNearest) {
  const Expected<Experiment> experiment = load_experiment(source_directory(), "batched-matvek");
  ASSERT_FALSE(experiment.ok());
  EXPECT_EQ(experiment.error().code, "no-such-experiment");
  EXPECT_NE(experiment.error().hint.find("batched-matvec"), std::string::npos);
}

// The experiment with one text replaced by another, in a directory of its own.
class Changed : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::temp_directory_path() / ("lockstep-experiment-" + std::to_string(getpid()));
    fs::create_directories(directory_ / "batched-matvec");
  }
  void TearDown() override { fs::remove_all(directory_); }

  Diagnostic error_of(const std::string& from, const std::string& to) {
    std::ifstream in(source_directory() + "/batched-matvec/experiment.toml");
    std::string text(std::istreambuf_iterator<char>(in), {});
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    line_ =
        static_cast<u32>(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    text.replace(at, from.size(), to);
    std::ofstream(directory_ / "batched-matvec/experiment.toml") << text;
    const Expected<Experiment> experiment = load_experiment(directory_.string(), "batched-matvec");
    EXPECT_FALSE(experiment.ok()) << from << " -> " << to;
    return experiment.ok() ? Diagnostic{} : experiment.error();
  }

  fs::path directory_;
  u32 line_ = 0;
};

TEST_F(Changed, UnknownKeyIsNamedWithItsLine) {
  const Diagnostic error = error_of("limiter = \"local memory\"", "limit = \"local memory\"");
  EXPECT_NE(error.message.find("'limit'"), std::string::npos) << error.message;
  EXPECT_EQ(error.place.line, line_);
}

TEST_F(Changed, WrongTypeIsNamedWithItsLine) {
  const Diagnostic error = error_of("vectors = 1048576", "vectors = \"many\"");
  EXPECT_NE(error.message.find("'vectors' is an integer"), std::string::npos) << error.message;
  EXPECT_EQ(error.place.line, line_);
}

TEST_F(Changed, AClockIsANumberWithAUnit) {
  const Diagnostic error = error_of("machine = \"mi60\"", "machine = \"mi60\"\nclock = \"quick\"");
  EXPECT_NE(error.message.find("'quick' is no clock"), std::string::npos) << error.message;
  EXPECT_EQ(error.place.line, line_ + 1);
}

TEST_F(Changed, RepeatsAreACountAndColdIsTrueOrFalse) {
  const std::string launch = "[launch]\n";
  EXPECT_NE(error_of(launch, launch + "repeat = 0\n").message.find("1 to 1000"), std::string::npos);
  EXPECT_NE(error_of(launch, launch + "repeat = \"often\"\n").message.find("integer"), std::string::npos);
  EXPECT_NE(error_of(launch, launch + "cold = 1\n").message.find("true or false"), std::string::npos);
}

TEST_F(Changed, ALogStatesFiguresOfMeasures) {
  const std::string head = "[problem]";
  const std::string measure =
      "[[measure]]\nname = \"float\"\nkind = \"flop_rate\"\nunit = \"GFLOP/s\"\ntolerance = 0.1\n";
  const std::string log = "[[log]]\nmachine = \"mi60\"\nsource = \"S1\"\n";
  EXPECT_NE(error_of(head, measure + log + "[log.figures]\ndouble = 1.0\n" + head).message.find("'double'"),
            std::string::npos);
  EXPECT_NE(error_of(head, measure + log + head).message.find("figures"), std::string::npos);
  EXPECT_NE(error_of(head, measure + log + "shown = [\"int\"]\n[log.figures]\nfloat = 1.0\n" + head)
                .message.find("'int'"),
            std::string::npos);
  EXPECT_NE(
      error_of(head,
               "[[measure]]\nname = \"float\"\nkind = \"occupancy\"\nunit = \"1\"\ntolerance = 1\n" + head)
          .message.find("flop_rate"),
      std::string::npos);
}

TEST_F(Changed, MissingKeyIsAnError) {
  const Diagnostic error = error_of("machine = \"mi60\"", "");
  EXPECT_NE(error.message.find("'machine' is missing"), std::string::npos) << error.message;
}

TEST_F(Changed, FigureOfNoConfigurationIsAnError) {
  const Diagnostic error = error_of("configuration = \"V1\"", "configuration = \"V9\"");
  EXPECT_NE(error.message.find("'V9'"), std::string::npos) << error.message;
  EXPECT_NE(error.hint.find("V0"), std::string::npos);
}

// Rows from made-up runs: no timing is needed to check what is judged, and how.
class RowsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Expected<Experiment> experiment = load_experiment(source_directory(), "batched-matvec");
    ASSERT_TRUE(experiment.ok()) << to_string(experiment.error());
    experiment_ = std::move(*experiment);
    Expected<Machine> machine = load_machine(LOCKSTEP_SOURCE_DIR "/machines", "mi60");
    ASSERT_TRUE(machine.ok()) << to_string(machine.error());
    machine_ = std::move(*machine);
    result_.experiment = &experiment_;
    result_.machines.insert({"mi60", machine_});
    result_.best = "V4(made up)";
    for (const ExperimentConfiguration& configuration : experiment_.configurations)
      add(configuration.name, configuration.values.at("wg"), configuration.values.at("n_b"));
    add("V4(made up)", 64, 4);
    rate("V0", 33e9);
    rate("V1", 215e9);
    rate("V2", 215e9);
    rate("V4(made up)", 580e9);
  }

  void add(const std::string& name, i64 wg, i64 n_b) {
    ExperimentRun run;
    run.configuration = name;
    run.gpu = "mi60";
    run.values = experiment_.problem;
    run.values["wg"] = wg;
    run.values["n_b"] = n_b;
    run.needs.wave_lanes = 64;
    run.needs.vector_registers = 8;
    run.needs.scalar_registers = 16;
    run.local_bytes = static_cast<u64>(wg * n_b * 16);
    run.occupancy.wave_width = 64;
    run.occupancy.waves_per_group = static_cast<u32>(wg / 64);
    run.seconds = 1e-3;
    run.flop = 1e6;
    result_.runs.push_back(std::move(run));
  }

  void rate(const std::string& name, f64 flop_rate) {
    for (ExperimentRun& run : result_.runs) {
      if (run.configuration == name) run.flop = flop_rate * run.seconds;
    }
  }

  ExperimentRow row(const std::string& figure) {
    for (const ExperimentRow& candidate : result_.rows) {
      if (candidate.figure == figure) return candidate;
    }
    ADD_FAILURE() << "no row " << figure;
    return {};
  }

  void make_rows() {
    Expected<std::vector<ExperimentRow>> rows = experiment_rows(result_);
    ASSERT_TRUE(rows.ok()) << to_string(rows.error());
    result_.rows = std::move(*rows);
  }

  Experiment experiment_;
  Machine machine_;
  ExperimentResult result_;
};

// S1's worked examples: 64 KB a group of two waves; 16 groups of two; 16 groups of four, and 27 registers.
TEST_F(RowsTest, OccupanciesAreTheDecks) {
  make_rows();
  EXPECT_DOUBLE_EQ(row("V0 occupancy").modelled, 0.05);
  EXPECT_DOUBLE_EQ(row("V1 occupancy").modelled, 0.8);
  EXPECT_DOUBLE_EQ(row("V2 occupancy").modelled, 1.0);
  EXPECT_DOUBLE_EQ(row("V3 occupancy at 27 VGPRs").modelled, 0.9);
  for (const char* name : {"V0 occupancy", "V1 occupancy", "V2 occupancy", "V3 occupancy at 27 VGPRs"})
    EXPECT_TRUE(row(name).ok.value_or(false)) << name << ": " << row(name).note;
  EXPECT_DOUBLE_EQ(row("V1 occupancy, local memory alone, uncapped").modelled, 1.6);
  EXPECT_DOUBLE_EQ(row("V4 occupancy").modelled, 0.4);
  EXPECT_FALSE(row("V4 occupancy").ok.has_value());
  EXPECT_TRUE(result_.all_ok());
}

TEST_F(RowsTest, RatiosAreJudgedByTheirTolerance) {
  rate("V0", 215e9 / (6.5 * 1.24));
  make_rows();
  EXPECT_TRUE(row("V1 / V0").ok.value_or(false));
  rate("V0", 215e9 / (6.5 * 1.26));
  make_rows();
  EXPECT_FALSE(row("V1 / V0").ok.value_or(true));
  EXPECT_FALSE(result_.all_ok());
  EXPECT_NEAR(*row("V1 / V0").ratio, 1.26, 1e-12);
}

TEST_F(RowsTest, AnotherLimiterIsOutside) {
  for (ExperimentFigure& figure : experiment_.figures) {
    if (figure.name == "V0 occupancy") figure.limiter = "vector registers";
  }
  make_rows();
  EXPECT_FALSE(row("V0 occupancy").ok.value_or(true));
}

// A figure of its own kind, and the row that it makes.
TEST_F(RowsTest, WorkBeyondAnotherRunIsOfTheDifference) {
  ExperimentFigure figure;
  figure.name = "rate";
  figure.kind = FigureKind::byte_rate;
  figure.configuration = "V1";
  figure.beyond = "V0";
  figure.published = 2.0;
  figure.tolerance = 0.01;
  experiment_.figures = {figure};
  for (ExperimentRun& run : result_.runs) {
    const bool longer = run.configuration == "V1";
    run.bytes = longer ? 5e6 : 1e6;
    run.seconds = longer ? 3e-3 : 1e-3;
  }
  make_rows();
  EXPECT_NEAR(row("rate").modelled, 2.0, 1e-9);  // GB/s: 4 MB in 2 ms
  EXPECT_TRUE(row("rate").ok.value_or(false));
}

TEST_F(RowsTest, DirectionsAreJudgedByTheirBounds) {
  ExperimentFigure figure;
  figure.name = "faster";
  figure.kind = FigureKind::ratio;
  figure.of = FigureKind::time;
  figure.configuration = "V0";
  figure.to = "V1";
  figure.at_least = 1.1;
  experiment_.figures = {figure};
  const auto verdict = [&](f64 seconds) {
    for (ExperimentRun& run : result_.runs) {
      if (run.configuration == "V0") run.seconds = seconds;
    }
    make_rows();
    return row("faster").ok;
  };
  EXPECT_EQ(verdict(1.2e-3), true);
  EXPECT_EQ(verdict(1.05e-3), false);
  EXPECT_FALSE(row("faster").ratio.has_value());
}

TEST_F(RowsTest, CountersAreAskedByName) {
  ExperimentFigure figure;
  figure.name = "each";
  figure.kind = FigureKind::counter;
  figure.configuration = "V0";
  figure.counter = "lines";
  figure.counter_per = "loads";
  experiment_.figures = {figure};
  for (ExperimentRun& run : result_.runs) run.counters = {{"lines", "", "", 64}, {"loads", "", "", 4}};
  make_rows();
  EXPECT_DOUBLE_EQ(row("each").modelled, 16.0);
  experiment_.figures[0].counter = "nothing";
  const Expected<std::vector<ExperimentRow>> rows = experiment_rows(result_);
  ASSERT_FALSE(rows.ok());
  EXPECT_NE(rows.error().message.find("'nothing'"), std::string::npos) << rows.error().message;
}

TEST_F(Changed, AFigureHasANumberOrADirection) {
  const Diagnostic error = error_of("limiter = \"local memory\"", "at_least = 0.04");
  EXPECT_NE(error.message.find("not both"), std::string::npos) << error.message;
}

}  // namespace
}  // namespace lockstep

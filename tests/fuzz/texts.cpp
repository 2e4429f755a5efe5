// What people write: machine files, experiments, corpus cases, kernels' arguments, files of checks,
// dimensions of a search; reports that they hand back; and numpy's files of numbers.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "corpus/case.h"
#include "corpus/npy.h"
#include "fuzz/kind.h"
#include "machine/machine.h"
#include "run/argument_text.h"
#include "run/check_file.h"
#include "run/comparison.h"
#include "run/experiment.h"
#include "run/limits.h"
#include "run/tune.h"
#include "time/program/nv/listing.h"
#include "time/program/nv/text.h"

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

// ---- arguments of `lockstep run`

std::vector<std::string> argument_seeds() {
  return {"a=2.5",
          "n=int:42",
          "v=float4:1,2,3,4",
          "s={int:1,float4:(1,2,3,4),char[3]:(1,2,3)}",
          "s=bytes:0a0b0c0d",
          "x=float[1024]:ramp",
          "x=[16]:random(seed=1,min=0,max=2)",
          "x=half[8]:values(1,2,3)",
          "x=@data.npy",
          "x=bytes[4]:0a0b0c0d",
          "x=null",
          "t=float[256]:local",
          "p=image2d:rgba8[64,64]:ramp",
          "s=sampler:normalized,repeat,linear"};
}

void mutate_argument(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  static const std::vector<std::string> words = {"=",
                                                 ":",
                                                 "[",
                                                 "]",
                                                 "(",
                                                 ")",
                                                 "{",
                                                 "}",
                                                 ",",
                                                 "@",
                                                 "int",
                                                 "uchar16",
                                                 "double3",
                                                 "ramp",
                                                 "random",
                                                 "fill",
                                                 "bits",
                                                 "local",
                                                 "null",
                                                 "bytes",
                                                 "zero",
                                                 "-1",
                                                 "1e999",
                                                 "nan",
                                                 "0x",
                                                 "size_t",
                                                 "image1d_buffer",
                                                 "rgba32f",
                                                 "sampler",
                                                 "seed=",
                                                 "half[99999999999]"};
  mutate_text(input, seeds, random, words);
}

std::optional<std::string> read_argument(const std::string& input) {
  const auto argument = parse_argument_text(input);
  if (!argument) {
    if (argument.error().code.empty() || argument.error().message.empty())
      return "a diagnostic without a message: " + to_string(argument.error());
    return std::nullopt;
  }
  if (!argument->initial.empty() && argument->type && argument->count)
    (void)parse_initial(argument->initial, *argument->type, *argument->count).ok();
  return std::nullopt;
}

// ---- .npy files

std::vector<std::string> npy_seeds() {
  std::vector<std::string> seeds;
  for (const corpus::Scalar scalar :
       {corpus::Scalar::f32, corpus::Scalar::i32, corpus::Scalar::f64, corpus::Scalar::u8}) {
    for (const std::vector<u64>& shape : {std::vector<u64>{}, std::vector<u64>{4}, std::vector<u64>{2, 2}})
      seeds.push_back(corpus::npy_header(scalar, shape) + std::string(32, '\1'));
  }
  for (std::string& seed : seeds) {
    // As long as its header says.
    for (std::size_t bytes : {1u, 4u, 8u, 16u, 32u}) {
      std::string exact = seed.substr(0, seed.size() - 32 + bytes);
      if (corpus::parse_npy("seed.npy", exact)) {
        seed = exact;
        break;
      }
    }
  }
  return seeds;
}

void mutate_npy(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  static const std::vector<std::string> words = {
      "'descr'", "'<f4'", "'>i8'", "'|O'", "'fortran_order'",      "True", "False",  "'shape'", "(", ")",
      ",",       "{",     "}",     "(4,)", "99999999999999999999", "-1",   "'<U16'", "None"};
  std::string head = input.substr(0, 80);
  if (below(random, 3) == 0)
    mutate_bytes(head, seeds, random);
  else
    mutate_text(head, seeds, random, words);
  input.replace(0, std::min<std::size_t>(80, input.size()), head);
}

std::optional<std::string> read_npy_file(const std::string& input) {
  const auto array = corpus::parse_npy("x.npy", input);
  if (!array) return check_diagnostic(array.error(), false);
  return array->data.size() > input.size() ? std::optional<std::string>("more data than the file has")
                                           : std::nullopt;
}

std::vector<std::string> lowered_seeds() {
  return {R"(.lowered k sm_80
.registers 12
.uniform 2
.predicates 1
.spilled 0
.bytes 160
.region 0 3
  [B------:R-:W0:-:S01] S2R R0 <- SR_TID.X; # from 0
  [B0-----:R-:W-:-:S05] IMAD.WIDE R2:R3 <- R0, 0x4, c[0x0][0x160]:2; # from 1
  [B------:R1:W2:Y:S12] @!P0 LDG.E R4 <- [R2:R3.64+-0x10]; # from 2 # access 0
.region 3 1 predicated
  [B-12---:R-:W-:-:S04] FFMA R5 <- -R4.reuse, |R4|, R0; # from 3 # every 4
  [B------:R-:W-:-:S01] CS2R R6, R8 <-; # from 3
.branch 2 taken 1
)",
          R"(.timing sgemm sm_70
.registers 128
.local 8192
.launch 160 128
.lanes 0xffffffff
.loop 512
  LDS.128 R80, [R4+0x100]; {load shared 16 at 0x100 stride 16 turn 512}
  FFMA R17, R12.reuse, R80.reuse, R17;
  ISETP.NE.AND P0, PT, R4, RZ, PT;
  IADD3 R4, P1, R4, 0x10, RZ;
  STG.E desc[UR4][R2.64], R17; {store global 4 at 0 stride 4}
.end
)"};
}

void mutate_lowered(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  static const std::vector<std::string> words = {
      "R255", "RZ",     "UR63",  "P7",       "PT", "[B",    ":S15", "@!P0", ".reuse", "c[0x3][",
      "<-",   "# from", ".loop", ".end",     "{",  "}",     ";",    "turn", "LOP3",   ".region",
      "0x",   "-",      "1.5",   "SR_TID.X", "|",  "desc[", ":",    "`(1)", "B0",     "4294967295"};
  mutate_text(input, seeds, random, words);
}

std::optional<std::string> read_lowered_text(const std::string& input) {
  if (const auto listing = read_listing(input, "x.txt"); !listing) {
    if (const auto wrong = check_diagnostic(listing.error(), true)) return wrong;
  }
  const auto program = read_lowered(input, "x.txt");
  if (!program) return check_diagnostic(program.error(), true);
  const std::string printed = print_lowered(*program);
  const auto again = read_lowered(printed, "x.txt");
  if (!again) return "what was printed is refused: " + to_string(again.error());
  return print_lowered(*again) == printed
             ? std::nullopt
             : std::optional<std::string>("what was printed reads back as another");
}

// ---- files of checks

std::vector<std::string> check_seeds() {
  std::vector<std::string> seeds = contents_of(files_of("examples", "checks.toml"), 1 << 16);
  seeds.push_back(
      "[[application]]\ncommand = [\"./a\", \"-q\"]\nfolder = \"x\"\n[[application.kernel]]\nname = \"k*\"\n"
      "limits = {counters_at_most = {\"l2.misses\" = 1000}, time_ns_at_most = 5.5}\n");
  return seeds;
}

void mutate_check(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  static const std::vector<std::string> words = {"[[kernel]]",
                                                 "[kernel]",
                                                 "[[application]]",
                                                 "[kernel.limits]",
                                                 "limits =",
                                                 "gpus =",
                                                 "= []",
                                                 "= {}",
                                                 "= [1, 2, 3, 4]",
                                                 "= -1",
                                                 "= 1e308",
                                                 "= nan",
                                                 "= \"{gpu}\"",
                                                 "checks = \"all\"",
                                                 "command = []",
                                                 "baseline = \"\"",
                                                 "time_within_percent = 5",
                                                 "= 9223372036854775807",
                                                 "args = [1]",
                                                 "name = \"*\""};
  mutate_text(input, seeds, random, words);
}

std::optional<std::string> read_check(const std::string& input) {
  static const Folder folder;
  const std::string path = folder.path + "/c.toml";
  std::ofstream(path, std::ios::binary) << input;
  const auto checks = read_check_file(path, "mi25");
  return checks ? std::nullopt : check_diagnostic(checks.error(), false);
}

// ---- reports that are compared

std::vector<std::string> report_seeds() {
  return {R"({"version": 2, "gpu": "mi25", "kernel": "k", "status": "done", "time_ns": 10.5, "cycles": 15,
"clock_hz": 1500000000, "occupancy": {"waves_per_cu": 40, "limit": 40, "limiter": "waves"}, "counters": {"instructions": 7},
"bound": "tlb", "views": {"launch": {"gpu": "x", "target": "gfx900"}, "occupancy": {"occupancy": 1.0}, "lines": {"lines": [
{"file": "k.cl", "line": 3, "text": "a", "wave_cycles": 5, "instructions": 3, "transactions": 1, "bank_conflict_cycles": 0}]},
"memory": {"transactions": {"made": 4, "ideal": 2}, "local": {"conflict_cycles": 0, "busy_cycles": 0}}}})",
          R"({"version": 2, "gpu": "v100", "kernel": "k", "status": "failed", "time_ns": null, "cycles": null,
"clock_hz": 1, "occupancy": {"limiter": ""}, "counters": {}, "bound": null, "views": {"launch": {"gpu": "x", "target": "sm_70"},
"violations": {"count": 1, "kept": [{"code": "c", "file": "f", "line": 1, "column": 2, "message": "m", "hint": "", "text": "t"}]},
"lines": {"lines": [{"file": "k.cl", "line": 3, "text": "a", "work": 5, "local_passes": 4, "ideal_local_passes": 2}]}}})"};
}

void mutate_report(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  static const std::vector<std::string> words = {"null",
                                                 "{}",
                                                 "[]",
                                                 "\"\"",
                                                 "-1",
                                                 "1e999",
                                                 "[{}]",
                                                 "\"lines\":",
                                                 "\"kept\":",
                                                 "\"views\":",
                                                 "\"version\": 2,",
                                                 "true"};
  mutate_text(input, seeds, random, words);
}

std::optional<std::string> read_compared(const std::string& input) {
  static const Folder folder;
  const std::string path = folder.path + "/r.json";
  std::ofstream(path, std::ios::binary) << input;
  const auto report = read_report(path);
  if (!report) return check_diagnostic(report.error(), false);
  (void)violations_of(*report);
  std::vector<Limit> limits;
  for (const LimitKind& kind : limit_kinds()) limits.push_back({std::string(kind.key), "", 0, {"c", 1, 1}});
  (void)judge_limits(*report, limits);
  const auto change = compare_reports(*report, *report);
  if (!change) return "a report cannot be compared with itself: " + to_string(change.error());
  (void)change_text(*change);
  (void)rows_csv((*change)["lines"]);
  return std::nullopt;
}

// ---- dimensions of a search

std::vector<std::string> space_seeds() {
  return {"local=64,128,256", "define:TS=8,16", "arg:n=1", "local=8x8,16x16", "O=0,3",
          "gpu=mi25,v100",    "TS=1,2"};
}

void mutate_space(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  static const std::vector<std::string> words = {
      "=", ",", "x", ":", "define:", "arg:", "99999999999999999999", "{TS}"};
  mutate_text(input, seeds, random, words);
}

std::optional<std::string> read_space(const std::string& input) {
  const auto axis = parse_axis(input);
  if (!axis) return check_diagnostic(axis.error(), false);
  LaunchRequest request;
  request.range.global = "{TS},64";
  const auto points = tune_points(request, {*axis}, {"local <= 256 && global_x % 2 == 0"});
  return points ? std::nullopt : check_diagnostic(points.error(), false);
}

}  // namespace

std::vector<Kind> text_kinds() {
  return {{"machine", machine_seeds, mutate_machine, read_machine},
          {"experiment", experiment_seeds, mutate_experiment, read_experiment},
          {"corpus", corpus_seeds, mutate_corpus, read_corpus},
          {"argument", argument_seeds, mutate_argument, read_argument},
          {"npy", npy_seeds, mutate_npy, read_npy_file},
          {"lowered", lowered_seeds, mutate_lowered, read_lowered_text},
          {"check", check_seeds, mutate_check, read_check},
          {"report", report_seeds, mutate_report, read_compared},
          {"space", space_seeds, mutate_space, read_space}};
}

}  // namespace lockstep::fuzz

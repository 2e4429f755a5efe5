#include "compile/build_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/nearest.h"
#include "compile/gpu_cxx.h"

namespace lockstep {
namespace {

// An option's word. One that ends in '=', ',' or '*' takes what follows in the same word: values of letters,
// digits and signs, so that no path to a file is among them.
using Words = std::span<const std::string_view>;

// OpenCL 3.0, 5.8.6, and clang's own of the same kind.
constexpr std::string_view for_opencl[] = {"-cl-std=",
                                           "-cl-ext=",
                                           "-cl-single-precision-constant",
                                           "-cl-denorms-are-zero",
                                           "-cl-fp32-correctly-rounded-divide-sqrt",
                                           "-cl-opt-disable",
                                           "-cl-strict-aliasing",
                                           "-cl-mad-enable",
                                           "-cl-no-signed-zeros",
                                           "-cl-unsafe-math-optimizations",
                                           "-cl-finite-math-only",
                                           "-cl-fast-relaxed-math",
                                           "-cl-uniform-work-group-size",
                                           "-cl-kernel-arg-info",
                                           "-cl-no-stdinc"};

constexpr std::string_view for_any[] = {"-w",
                                        "-W",
                                        "-W*",
                                        "-pedantic",
                                        "-pedantic-errors",
                                        "-O",
                                        "-O0",
                                        "-O1",
                                        "-O2",
                                        "-O3",
                                        "-O4",
                                        "-O5",
                                        "-O6",
                                        "-O7",
                                        "-O8",
                                        "-O9",
                                        "-Os",
                                        "-Oz",
                                        "-Ofast",
                                        "-g",
                                        "-std=",
                                        "--std=",
                                        "-Rpass=",
                                        "-Rpass-missed=",
                                        "-Rpass-analysis=",
                                        "-ffast-math",
                                        "-fno-fast-math",
                                        "-ffp-contract=",
                                        "-ffinite-math-only",
                                        "-fno-finite-math-only",
                                        "-fmath-errno",
                                        "-fno-math-errno",
                                        "-fsigned-zeros",
                                        "-fno-signed-zeros",
                                        "-fassociative-math",
                                        "-fno-associative-math",
                                        "-freciprocal-math",
                                        "-fno-reciprocal-math",
                                        "-funsafe-math-optimizations",
                                        "-fno-unsafe-math-optimizations",
                                        "-ftrapping-math",
                                        "-fno-trapping-math",
                                        "-frounding-math",
                                        "-fno-rounding-math",
                                        "-fhonor-nans",
                                        "-fno-honor-nans",
                                        "-fhonor-infinities",
                                        "-fno-honor-infinities",
                                        "-fdenormal-fp-math=",
                                        "-funroll-loops",
                                        "-fno-unroll-loops",
                                        "-fvectorize",
                                        "-fno-vectorize",
                                        "-fslp-vectorize",
                                        "-fno-slp-vectorize",
                                        "-finline-functions",
                                        "-fno-inline-functions",
                                        "-fno-inline",
                                        "-fbuiltin",
                                        "-fno-builtin",
                                        "-fno-builtin-*",
                                        "-fstrict-aliasing",
                                        "-fno-strict-aliasing",
                                        "-fwrapv",
                                        "-fno-wrapv",
                                        "-fsigned-char",
                                        "-funsigned-char",
                                        "-fshort-enums",
                                        "-fno-short-enums",
                                        "-fno-jump-tables",
                                        "-fms-extensions",
                                        "-ferror-limit=",
                                        "-fbracket-depth=",
                                        "-fmacro-backtrace-limit=",
                                        "-fno-caret-diagnostics",
                                        "-fno-color-diagnostics",
                                        "-fdiagnostics-absolute-paths"};

constexpr std::string_view for_cxx[] = {"-fexceptions",
                                        "-fno-exceptions",
                                        "-frtti",
                                        "-fno-rtti",
                                        "-ftemplate-depth=",
                                        "-fconstexpr-depth=",
                                        "-fconstexpr-steps=",
                                        "-fgpu-flush-denormals-to-zero",
                                        "-fno-gpu-flush-denormals-to-zero",
                                        "-fcuda-flush-denormals-to-zero",
                                        "-fgpu-approx-transcendentals",
                                        "-fhip-fp32-correctly-rounded-divide-sqrt",
                                        "-fno-hip-fp32-correctly-rounded-divide-sqrt",
                                        "-fgpu-default-stream=",
                                        "-fcuda-short-ptr"};

constexpr std::string_view for_amd[] = {"-mwavefrontsize64",
                                        "-mno-wavefrontsize64",
                                        "-mcumode",
                                        "-mno-cumode",
                                        "-mtgsplit",
                                        "-mno-tgsplit",
                                        "-munsafe-fp-atomics",
                                        "-mno-unsafe-fp-atomics",
                                        "-mamdgpu-ieee",
                                        "-mno-amdgpu-ieee"};

// Values of -Xclang and of -mllvm.
constexpr std::string_view for_front_end[] = {
    "-fdenormal-fp-math=",         "-fdenormal-fp-math-f32=",
    "-ffloat16-excess-precision=", "-cl-ext=",
    "-finclude-default-header",    "-fdeclare-opencl-builtins",
    "-fnative-half-type",          "-fallow-half-arguments-and-returns"};
constexpr std::string_view for_llvm[] = {"-inline-threshold=",
                                         "-unroll-threshold=",
                                         "-amdgpu-early-inline-all=",
                                         "-amdgpu-function-calls=",
                                         "-amdgpu-unroll-threshold-private=",
                                         "-amdgpu-unroll-threshold-local=",
                                         "-enable-post-misched=",
                                         "-enable-misched="};

// Options whose value is anything, in the same word or in the next.
constexpr std::string_view with_value[] = {"-D",       "-U",         "-include", "-imacros",
                                           "-isystem", "-idirafter", "-iquote",  "-I"};

// Options of NVIDIA's, AMD's, Intel's and others' compilers that choose effort, output files or messages.
constexpr std::string_view of_others[] = {"-cl-nv-*",
                                          "-cl-intel-*",
                                          "-cl-amd-*",
                                          "-cl-arm-*",
                                          "-cl-auto-vectorize-enable",
                                          "-cl-auto-vectorize-disable",
                                          "-cl-no-subgroup-ifp",
                                          "-qcom-*",
                                          "-save-temps",
                                          "-save-temps=",
                                          "-fbin-*",
                                          "-fno-bin-*",
                                          "-fno-alias",
                                          "-fuse-native",
                                          "-fuse-native=",
                                          "-legacy",
                                          "-m64",
                                          "-g0",
                                          "-g1",
                                          "-g2",
                                          "-g3",
                                          "-ggdb",
                                          "-gline-tables-only",
                                          "-gdwarf-*"};
// Of these the value may be the next word, a number or a name.
constexpr std::string_view of_others_with_value[] = {"-cl-nv-maxrregcount", "-cl-nv-opt-level", "-cl-nv-arch",
                                                     "-cl-nv-cstd"};

bool plain(std::string_view value) {
  return std::all_of(value.begin(), value.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("+-_=.#").find(c) != std::string_view::npos;
  });
}

enum class Values { plain, any };

bool matches(std::string_view option, std::string_view word, Values values) {
  const char last = word.back();
  if (last != '=' && last != '*') return option == word;
  if (last == '*') word.remove_suffix(1);
  if (!option.starts_with(word)) return false;
  // Extensions are listed by commas; elsewhere a comma hands a word on to another program (-Wl,...).
  std::string value(option.substr(word.size()));
  if (word.ends_with("-cl-ext=")) std::replace(value.begin(), value.end(), ',', '_');
  return !value.empty() && (values == Values::any || plain(value));
}

bool among(std::string_view option, Words words, Values values = Values::plain) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return matches(option, word, values); });
}

// The option of this list that `option` begins with; the longest, so that -include is not -I.
std::string_view valued(std::string_view option) {
  std::string_view found;
  for (const std::string_view word : with_value)
    if (option.starts_with(word) && word.size() > found.size()) found = word;
  return found;
}

Diagnostic refused(const std::string& path, const std::string& option) {
  const std::vector<std::string> known(std::begin(for_opencl), std::end(for_opencl));
  const std::vector<std::string> near = nearest_names(option, known, 1);
  return Diagnostic{
      "bad-option",
      {path, 0, 0},
      option.starts_with('-') ? fmt::format("the build option {} is not accepted", option)
                              : fmt::format("'{}' among the build options is no option", option),
      near.empty() ? "docs/opencl.md lists the accepted ones" : "did you mean " + near.front() + "?"};
}

}  // namespace

Expected<BuildOptions> check_build_options(const std::vector<std::string>& options, SourceLanguage language,
                                           const std::string& path) {
  BuildOptions checked;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& option = options[i];
    const bool last = i + 1 == options.size();
    const auto needs_value = [&] {
      return Diagnostic{
          "bad-option", {path, 0, 0}, fmt::format("the build option {} needs a value", option), ""};
    };
    if (option.empty()) continue;
    if (option == "-Xclang" || option == "-mllvm") {
      if (last) return needs_value();
      const std::string& value = options[++i];
      if (!(option == "-Xclang" ? among(value, for_front_end) : among(value, for_llvm)))
        return refused(path, option + " " + value);
      checked.accepted.insert(checked.accepted.end(), {option, value});
    } else if (among(option, for_opencl) || among(option, for_any) || among(option, for_amd) ||
               (is_gpu_cxx(language) && among(option, for_cxx))) {
      checked.accepted.push_back(option);
    } else if (among(option, of_others, Values::any)) {
      checked.ignored.push_back(option);
      if (!last && !options[i + 1].starts_with('-') && among(option, of_others_with_value))
        checked.ignored.back() += " " + options[++i];
    } else if (const std::string_view word = valued(option); !word.empty()) {
      std::string value = option.substr(word.size());
      if (value.empty()) {
        if (last) return needs_value();
        value = options[++i];
      }
      // -include with -pch would be another option.
      const bool macro = word == "-D" || word == "-U";
      if (!macro && value.starts_with('-'))
        return refused(path, option == word ? option + " " + value : option);
      if (!value.empty())
        checked.accepted.push_back(fmt::format("{}{}", word, value));
      else if (word != "-I")  // applications name an empty folder when they have none
        return needs_value();
    } else {
      return refused(path, option);
    }
  }
  return checked;
}

std::string ignored_options_note(const std::vector<std::string>& ignored) {
  if (ignored.empty()) return {};
  return fmt::format("note: no effect here, options of other compilers: {}\n", fmt::join(ignored, " "));
}

Expected<std::vector<std::string>> split_build_options(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
      in_word = true;
    } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != 0)
    return Diagnostic{
        "bad-option", {}, fmt::format("a quote ({}) among the options is not closed", quote), ""};
  if (in_word) words.push_back(std::move(word));
  return words;
}

}  // namespace lockstep

#include "compile/clang_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "compile/gpu_cxx.h"

namespace lockstep {
namespace {

// Options whose value is the next word.
constexpr std::array<std::string_view, 9> with_value = {
    "-D", "-U", "-I", "-include", "-isystem", "-iquote", "-idirafter", "-Xclang", "-imacros"};
// Options that change what is produced, or from what.
constexpr std::array<std::string_view, 18> refused = {"-o",
                                                      "-c",
                                                      "-S",
                                                      "-E",
                                                      "-M",
                                                      "-MM",
                                                      "-MD",
                                                      "-MMD",
                                                      "-MF",
                                                      "-fsyntax-only",
                                                      "-emit-llvm",
                                                      "-x",
                                                      "-target",
                                                      "-###",
                                                      "-save-temps",
                                                      "--version",
                                                      "--cuda-host-only",
                                                      "-fgpu-rdc"};
constexpr std::array<std::string_view, 8> refused_prefixes = {
    "--target=", "-mcpu=", "-mcode-object-version", "-march=",
    "-fplugin",  "-load",  "--offload-arch",        "--cuda-gpu-arch"};

Diagnostic bad_option(const CompileRequest& request, std::string message) {
  return Diagnostic{"bad-option", {request.path, 0, 0}, std::move(message), ""};
}

template <std::size_t n>
bool among(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Expected<ClangOptions> clang_options(const CompileRequest& request, SourceLanguage language) {
  ClangOptions made;
  const bool cxx = is_gpu_cxx(language);
  made.correctly_rounded_divide_sqrt = cxx;  // the default of HIP and CUDA
  made.optimisation = std::min<u32>(request.optimisation, 3);
  bool standard = false;
  std::vector<std::string> user;
  for (std::size_t i = 0; i < request.options.size(); ++i) {
    const std::string& option = request.options[i];
    if (option.empty()) continue;
    if (option[0] != '-')
      return bad_option(request, fmt::format("'{}' among the options is not an option", option));
    const bool prefixed = std::any_of(refused_prefixes.begin(), refused_prefixes.end(),
                                      [&](std::string_view prefix) { return option.starts_with(prefix); });
    if (among(option, refused) || prefixed)
      return bad_option(request, fmt::format("the option {} cannot be given here: it would change what is "
                                             "compiled or what comes out",
                                             option));
    if (option == "-cl-opt-disable") {
      made.optimisation = 0;
      continue;
    }
    if (option.size() == 3 && option.starts_with("-O") && option[2] >= '0' && option[2] <= '9') {
      made.optimisation = std::min(3, option[2] - '0');
      continue;
    }
    if (option == "-O") {
      made.optimisation = 1;
      continue;
    }
    if (option == "-g" || option == "-cl-kernel-arg-info") continue;  // both are always on
    standard |= option.starts_with("-cl-std=");
    if (option == "-cl-denorms-are-zero") made.denormals_are_zero = true;
    if (option == "-cl-finite-math-only") made.finite_math = true;
    if (option == "-cl-unsafe-math-optimizations") made.unsafe_math = true;
    if (option == "-cl-fast-relaxed-math") made.unsafe_math = made.finite_math = true;
    if (option == "-cl-fp32-correctly-rounded-divide-sqrt") made.correctly_rounded_divide_sqrt = true;
    if (cxx && option == "-ffast-math") made.unsafe_math = made.finite_math = true;
    if (cxx && option == "-fno-hip-fp32-correctly-rounded-divide-sqrt")
      made.correctly_rounded_divide_sqrt = false;
    if (cxx && option == "-fgpu-flush-denormals-to-zero") made.denormals_are_zero = true;
    if (cxx && option == "-fno-gpu-flush-denormals-to-zero") made.denormals_are_kept = true;
    if (option == "-mwavefrontsize64") made.wave64 = true, made.wave32 = false;
    if (option == "-mno-wavefrontsize64") made.wave32 = true, made.wave64 = false;
    user.push_back(option);
    if (among(option, with_value)) {
      if (i + 1 >= request.options.size())
        return bad_option(request, fmt::format("the option {} needs a value", option));
      user.push_back(request.options[++i]);
      if (user.back() == "-fdenormal-fp-math-f32=ieee") made.denormals_are_kept = true;
    }
  }
  if (!cxx) {
    if (!standard) made.arguments.push_back("-cl-std=CL1.2");
    made.arguments.push_back(
        "-cl-kernel-arg-info");  // parameter names, for the command line and for messages
  }
  made.arguments.push_back(fmt::format("-O{}", made.optimisation));
  if (request.target != nullptr && request.target->isa == IsaFamily::amdgcn && request.target->major < 8) {
    // Without 16-bit instructions clang would round a half expression once, at its end.
    made.arguments.insert(made.arguments.end(), {"-Xclang", "-ffloat16-excess-precision=none"});
  }
  for (const std::string& define : request.defines) made.arguments.push_back("-D" + define);
  made.arguments.insert(made.arguments.end(), user.begin(), user.end());
  return made;
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

ClangInput clang_input(const CompileRequest& request, const std::string& source) {
  if (!request.source) return {request.path, {}, {}};
  const std::string directory = std::filesystem::path(request.path).parent_path().string();
  std::string name;
  for (const char c : request.path) {
    if (c == '"' || c == '\\') name += '\\';
    name += c == '\n' ? ' ' : c;
  }
  return {"-", fmt::format("# 1 \"{}\"\n{}", name, source), {"-iquote", directory.empty() ? "." : directory}};
}

bool mentions(std::string_view text, std::vector<std::string_view> words) {
  std::string spliced;
  if (text.find("\\\n") != std::string_view::npos || text.find("\\\r") != std::string_view::npos) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
        ++i;
      } else if (text[i] == '\\' && i + 2 < text.size() && text[i + 1] == '\r' && text[i + 2] == '\n') {
        i += 2;
      } else {
        spliced += text[i];
      }
    }
    text = spliced;
  }
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

}  // namespace lockstep

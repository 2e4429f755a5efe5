#include "compile/clang_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "compile/build_options.h"
#include "compile/gpu_cxx.h"

namespace lockstep {

std::vector<std::string_view> opencl_c_features(const Target& target) {
  std::vector<std::string_view> features = {"__opencl_c_atomic_order_seq_cst",
                                            "__opencl_c_atomic_scope_device"};
  // Intel's compiler has neither for the low-power parts of Gen9.
  const bool low_power = target.isa == IsaFamily::gen && target.minor == 4;
  if (!low_power) features.push_back("__opencl_c_atomic_order_acq_rel");
  // LLVM's r600 back end has no variables in global memory.
  if (target.isa != IsaFamily::r600 && !low_power)
    features.push_back("__opencl_c_program_scope_global_variables");
  // GCN 1 and NVIDIA's GPUs before Fermi have no instructions for addresses in any memory.
  const bool generic = target.isa == IsaFamily::amdgcn
                           ? target.major >= 7
                           : target.isa == IsaFamily::ptx && target.compute_capability() >= 20;
  if (generic) features.push_back("__opencl_c_generic_address_space");
  return features;
}

bool may_have_c11_atomics(SourceLanguage language, const ClangOptions& options) {
  return language == SourceLanguage::bitcode ||
         (!is_gpu_cxx(language) && !options.standard.empty() && !options.standard.starts_with("CL1."));
}

Expected<ClangOptions> clang_options(const CompileRequest& request, SourceLanguage language) {
  ClangOptions made;
  const bool cxx = is_gpu_cxx(language);
  made.correctly_rounded_divide_sqrt = cxx;  // the default of HIP and CUDA
  made.optimisation = std::min<u32>(request.optimisation, 3);
  auto checked = check_build_options(request.options, language, request.path);
  if (!checked) return checked.error();
  made.ignored = std::move(checked->ignored);
  std::vector<std::string> user;
  for (const std::string& option : checked->accepted) {
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
    for (const std::string_view word : {"-cl-std=", "-std=", "--std="})
      if (option.starts_with(word)) made.standard = option.substr(word.size());
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
    if (option == "-fdenormal-fp-math-f32=ieee") made.denormals_are_kept = true;
    if (option == "-mwavefrontsize64") made.wave64 = true, made.wave32 = false;
    if (option == "-mno-wavefrontsize64") made.wave32 = true, made.wave64 = false;
    user.push_back(option);
  }
  if (!cxx) {
    if (made.standard.empty()) made.arguments.push_back("-cl-std=CL1.2");
    if (made.standard == "CL3.0" && request.target != nullptr) {
      // Those that clang knows are its own; the others are macros that its headers look at.
      std::string known;
      for (const std::string_view feature : opencl_c_features(*request.target)) {
        if (feature == "__opencl_c_atomic_scope_device")
          made.arguments.push_back(fmt::format("-D{}=1", feature));
        else
          known += fmt::format("{}+{}", known.empty() ? "" : ",", feature);
      }
      made.arguments.insert(made.arguments.end(), {"-Xclang", "-cl-ext=" + known});
    }
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

ClangInput clang_input(const CompileRequest& request, const std::string& source) {
  // A word that begins with - is an option to the compilers, one with @ a file of more words.
  const bool odd = request.path.starts_with('-') || request.path.starts_with('@');
  if (!request.source) return {(odd ? "./" : "") + request.path, {}, {}};
  const std::string directory = std::filesystem::path(request.path).parent_path().string();
  std::string name;
  for (const char c : request.path) {
    if (c == '"' || c == '\\') name += '\\';
    name += c == '\n' ? ' ' : c;
  }
  return {
      "-", fmt::format("# 1 \"{}\"\n{}", name, source), {"-iquote" + (directory.empty() ? "." : directory)}};
}

std::string without_continuations(std::string_view text) {
  std::string spliced;
  spliced.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\\\n"))
      ++i;
    else if (text.substr(i).starts_with("\\\r\n"))
      i += 2;
    else
      spliced += text[i];
  }
  return spliced;
}

bool mentions(std::string_view text, std::vector<std::string_view> words) {
  std::string spliced;
  if (text.find("\\\n") != std::string_view::npos || text.find("\\\r") != std::string_view::npos)
    text = spliced = without_continuations(text);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

}  // namespace lockstep

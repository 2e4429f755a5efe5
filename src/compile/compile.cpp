#include "compile/compile.h"

#include <fmt/format.h>

#include "base/elf.h"
#include "compile/amdgcn.h"
#include "compile/archive.h"
#include "compile/build_options.h"
#include "compile/bundle.h"
#include "compile/cache.h"
#include "compile/cache_key.h"
#include "compile/clang_options.h"
#include "compile/gen.h"
#include "compile/gpu_cxx.h"
#include "compile/r600.h"
#include "compile/unset_constants.h"

namespace lockstep {
namespace {

std::string_view to_string(SourceLanguage language) {
  switch (language) {
    case SourceLanguage::automatic:
      return "automatic";
    case SourceLanguage::opencl_c:
      return "OpenCL C";
    case SourceLanguage::assembly:
      return "assembly";
    case SourceLanguage::code_object:
      return "a code object";
    case SourceLanguage::ptx:
      return "PTX";
    case SourceLanguage::bitcode:
      return "LLVM bitcode";
    case SourceLanguage::hip:
      return "HIP";
    case SourceLanguage::cuda:
      return "CUDA C++";
  }
  return "unknown";
}

// Text that is read as it is.
bool is_own_text(const CompileRequest& request, SourceLanguage language) {
  return (request.target->isa == IsaFamily::r600 || request.target->isa == IsaFamily::gen) &&
         language == SourceLanguage::assembly;
}

Expected<CompileResult> compile_now(const CompileRequest& request, SourceLanguage language,
                                    const std::string& source) {
  CompileResult result;
  result.language = language;
  if (request.target->isa == IsaFamily::amdgcn) {
    auto object = compile_amdgcn(request, language, source);
    if (!object) return object.error();
    result.object = std::move(*object);
  } else if (language == SourceLanguage::ptx || is_own_text(request, language)) {
    result.ptx = PtxText{std::string(request.target->name), source, {}};
  } else {
    auto ptx = request.target->isa == IsaFamily::r600  ? compile_r600(request, language, source)
               : request.target->isa == IsaFamily::gen ? compile_gen(request, language, source)
                                                       : compile_nvptx(request, language, source);
    if (!ptx) return ptx.error();
    result.ptx = std::move(*ptx);
  }
  const bool may_lack = is_gpu_cxx(language) && (result.object ? may_have_unset_constants(*result.object)
                                                               : may_have_unset_constants(*result.ptx));
  if (may_lack) {
    auto names = unset_constants(request, language, source);
    if (!names) return names.error();
    (result.object ? result.object->unset_constants : result.ptx->unset_constants) = std::move(*names);
  }
  return result;
}

// Whether the target's compilers take the language at all.
Status check_target(const CompileRequest& request, SourceLanguage language) {
  const Place place{request.path, 0, 0};
  if (request.target == nullptr)
    return Diagnostic{"unsupported-target", place, "no target was chosen", "choose a GPU"};
  if (request.target->isa == IsaFamily::r600) {
    if (language == SourceLanguage::opencl_c || language == SourceLanguage::bitcode ||
        language == SourceLanguage::assembly)
      return Success{};
    return Diagnostic{
        "unsupported-language", place,
        fmt::format("this is {}, which {} does not run", to_string(language), request.target->name),
        "AMD's VLIW GPUs run OpenCL C and the assembly text of LLVM's r600 back end"};
  }
  if (request.target->isa == IsaFamily::gen) {
    if (language == SourceLanguage::opencl_c || language == SourceLanguage::code_object ||
        language == SourceLanguage::bitcode || language == SourceLanguage::assembly)
      return Success{};
    return Diagnostic{
        "unsupported-language", place,
        fmt::format("this is {}, which {} does not run", to_string(language), request.target->name),
        "Intel's GPUs run OpenCL C, the objects of ocloc (zebin) and the text that Lockstep makes of them"};
  }
  const bool amd = request.target->isa == IsaFamily::amdgcn;
  if (!amd && request.target->isa != IsaFamily::ptx)
    return Diagnostic{"unsupported-target", place,
                      fmt::format("there is no compiler for {} yet", request.target->name), ""};
  const bool fits = language == SourceLanguage::opencl_c || is_gpu_cxx(language) ||
                    language == SourceLanguage::bitcode || amd == (language != SourceLanguage::ptx);
  if (!fits)
    return Diagnostic{
        "unsupported-language", place,
        fmt::format("this is {}, which {} does not run", to_string(language), request.target->name),
        amd ? "choose an NVIDIA GPU for PTX" : "choose an AMD GPU"};
  return Success{};
}

}  // namespace

Expected<SourceLanguage> detect_language(const std::string& path, const std::string& content) {
  if (content.starts_with("\x7f"
                          "ELF") ||
      is_bundle(content))
    return SourceLanguage::code_object;
  const std::size_t dot = path.rfind('.');
  const std::string ending = dot == std::string::npos ? std::string() : path.substr(dot);
  if (ending == ".cl") return SourceLanguage::opencl_c;
  if (ending == ".s" || ending == ".S") return SourceLanguage::assembly;
  if (ending == ".ptx") return SourceLanguage::ptx;
  if (ending == ".hip") return SourceLanguage::hip;
  if (ending == ".cu") return SourceLanguage::cuda;
  if (ending == ".cpp" || ending == ".cc" || ending == ".cxx") {
    if (mentions(content, {"hip_runtime.h"})) return SourceLanguage::hip;
    if (mentions(content, {"cuda_runtime.h"})) return SourceLanguage::cuda;
  }
  if (ending == ".co" || ending == ".hsaco" || ending == ".o" || ending == ".elf")
    return Diagnostic{"bad-elf",
                      {path, 0, 0},
                      "this is not an ELF file",
                      "a code object begins with the bytes 7f 45 4c 46"};
  return Diagnostic{
      "unknown-language",
      {path, 0, 0},
      ending.empty() ? std::string("the file's name has no ending that tells its language")
                     : fmt::format("files ending in {} are not understood", ending),
      "known are .cl (OpenCL C), .hip, .cu (CUDA C++), .s (assembly), .co and .hsaco (code objects), .ptx"};
}

Expected<CompileResult> compile(const CompileRequest& request) {
  std::string read;
  if (!request.source) {
    auto text = read_file(request.path);
    if (!text) return text.error();
    read = std::move(*text);
  }
  const std::string& source = request.source ? *request.source : read;
  SourceLanguage language = request.language;
  if (language == SourceLanguage::automatic) {
    auto detected = detect_language(request.path, source);
    if (!detected) return detected.error();
    language = *detected;
  }
  if (Status status = check_target(request, language); !status) return status.error();
  const auto options = clang_options(request, language);
  if (!options) return options.error();
  const auto with_note = [&](CompileResult& result) {
    std::string& log = result.object ? result.object->log : result.ptx->log;
    log.insert(0, ignored_options_note(options->ignored));
  };

  const Cache cache = request.use_cache ? Cache() : Cache(std::string());
  const bool cached =
      !cache.directory().empty() && language != SourceLanguage::ptx && !is_own_text(request, language);
  const auto key = cached ? cache_key(request, language, source) : std::nullopt;
  if (key) {
    if (const auto bytes = cache.load(*key)) {
      CompileResult result;
      result.language = language;
      result.from_cache = true;
      if (request.target->isa == IsaFamily::amdgcn)
        result.object = unpack_object(*bytes);
      else
        result.ptx = unpack_ptx(*bytes);
      if (result.object || result.ptx) {
        with_note(result);
        return result;
      }
    }
  }
  auto made = compile_now(request, language, source);
  if (made && key) {
    // A file that was edited while the compiler ran must not be kept under its former content's key.
    const auto again = request.source ? Expected<std::string>(source) : read_file(request.path);
    if (again && cache_key(request, language, *again) == key)
      cache.store(*key, made->object ? pack(*made->object) : pack(*made->ptx));
  }
  if (made) with_note(*made);
  return made;
}

}  // namespace lockstep

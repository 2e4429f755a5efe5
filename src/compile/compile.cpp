#include "compile/compile.h"

#include <fmt/format.h>

#include "base/elf.h"
#include "compile/amdgcn.h"
#include "compile/archive.h"
#include "compile/bundle.h"
#include "compile/cache.h"
#include "compile/clang_options.h"
#include "compile/devlib.h"
#include "compile/gpu_cxx.h"
#include "compile/sha256.h"

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

// The source with its #include directives replaced by the files' text, byte for byte, and with the results of
// __has_include; nothing when the preprocessor fails, whose errors the compiler is going to repeat.
std::optional<std::string> with_includes(const CompileRequest& request, SourceLanguage language,
                                         const std::string& source) {
  auto options = clang_options(request, language);
  if (!options) return std::nullopt;
  const ClangInput input = clang_input(request, source);
  const bool amd = request.target->isa == IsaFamily::amdgcn;
  std::vector<std::string> arguments;
  if (is_gpu_cxx(language)) {
    auto begin = gpu_cxx_arguments(request, language);
    if (!begin) return std::nullopt;
    arguments = std::move(*begin);
  } else if (amd) {
    arguments = {"-x",
                 "cl",
                 "-target",
                 "amdgcn-amd-amdhsa",
                 fmt::format("-mcpu={}", request.target->compiler_target),
                 "-nogpulib"};
  } else {
    arguments = nvptx_front_arguments(request);
  }
  arguments.insert(arguments.end(), {"-E", "-frewrite-includes"});
  const std::vector<std::string>& flags = options->arguments;
  for (const auto* more : {&flags, &input.arguments})
    arguments.insert(arguments.end(), more->begin(), more->end());
  arguments.insert(arguments.end(), {input.name, "-o", "-"});
  CompileJob job(request);
  auto text = job.run(Tool::clang, arguments, input.text);
  if (!text) return std::nullopt;
  return std::move(*text);
}

void add_identity(Sha256& hasher, const Expected<std::string>& path) {
  hasher.field(path ? file_identity(*path) : "missing");
}

void add_devlib(Sha256& hasher, const Expected<std::vector<std::string>>& sources) {
  if (!sources) return;
  for (const std::string& path : *sources) {
    add_identity(hasher, path);
    for (const std::string& header : devlib_headers(path)) add_identity(hasher, header);
  }
}

// Nothing when the result depends on what cannot be hashed: the date, or files that only the compiler finds.
std::optional<std::string> cache_key(const CompileRequest& request, SourceLanguage language,
                                     const std::string& source) {
  Sha256 hasher;
  hasher.field(archive_version);
  hasher.field(request.path);
  hasher.field(request.target->name);
  hasher.field(request.target->compiler_target);
  hasher.field(fmt::format("{} {} {} {}", static_cast<int>(language), request.optimisation,
                           request.line_table, request.source.has_value()));
  for (const auto* list : {&request.options, &request.defines}) {
    hasher.field(std::to_string(list->size()));
    for (const std::string& word : *list) hasher.field(word);
  }
  for (const Tool tool : {Tool::clang, Tool::llvm_mc, Tool::lld, Tool::opt, Tool::objdump})
    add_identity(hasher, find_tool(tool));
  if (request.target->isa == IsaFamily::amdgcn) {
    for (const std::string& word : amd_target_arguments(request)) hasher.field(word);
    if (const auto completed = clang_options(request, language))
      for (const std::string& word : completed->arguments) hasher.field(word);
    auto directory = find_amd_device_libraries();
    for (const char* file : {"opencl.bc", "ocml.bc", "ockl.bc"})
      add_identity(hasher, directory ? Expected<std::string>(*directory + "/" + file) : directory);
    add_devlib(hasher, amd_devlib_sources(*request.target));
  } else {
    // What is written into the text changes with this number.
    hasher.field("PTX with notes 2, pairs 2");
    for (const std::string& word : nvptx_front_arguments(request)) hasher.field(word);
    add_identity(hasher, find_nvptx_library());
    add_devlib(hasher, nvptx_devlib_sources(language));
  }
  hasher.field(source);
  if (language == SourceLanguage::assembly && mentions(source, {".inc"})) return std::nullopt;
  if (is_gpu_cxx(language)) {
    // The headers come first, whatever the source includes. The system's own have these words in comments
    // only.
    const auto text = with_includes(request, language, source);
    if (!text || mentions(fmt::format("{} {}", source, fmt::join(request.defines, " ")),
                          {"__DATE__", "__TIME", "embed"}))
      return std::nullopt;
    hasher.field(*text);
  }
  if (language == SourceLanguage::opencl_c) {
    const std::string options = fmt::format("{}", fmt::join(request.options, " "));
    std::string whole = source;
    if (mentions(source, {"include", "import", "__has_"}) || mentions(options, {"-include", "-imacros"})) {
      auto text = with_includes(request, language, source);
      if (!text) return std::nullopt;
      whole = std::move(*text);
      hasher.field(whole);
    }
    if (mentions(whole, {"__DATE__", "__TIME", "embed"}) ||
        mentions(fmt::format("{} {}", options, fmt::join(request.defines, " ")), {"__DATE__", "__TIME"}))
      return std::nullopt;
  }
  return hasher.finish();
}

Expected<CompileResult> compile_now(const CompileRequest& request, SourceLanguage language,
                                    const std::string& source) {
  CompileResult result;
  result.language = language;
  if (request.target->isa == IsaFamily::amdgcn) {
    auto object = compile_amdgcn(request, language, source);
    if (!object) return object.error();
    result.object = std::move(*object);
  } else if (language == SourceLanguage::ptx) {
    result.ptx = PtxText{std::string(request.target->name), source, {}};
  } else {
    auto ptx = compile_nvptx(request, language, source);
    if (!ptx) return ptx.error();
    result.ptx = std::move(*ptx);
  }
  return result;
}

// Whether the target's compilers take the language at all.
Status check_target(const CompileRequest& request, SourceLanguage language) {
  const Place place{request.path, 0, 0};
  if (request.target == nullptr)
    return Diagnostic{"unsupported-target", place, "no target was chosen", "choose a GPU"};
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
  if (auto options = clang_options(request, language); !options) return options.error();

  const Cache cache = request.use_cache ? Cache() : Cache(std::string());
  const bool cached = !cache.directory().empty() && language != SourceLanguage::ptx;
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
      if (result.object || result.ptx) return result;
    }
  }
  auto made = compile_now(request, language, source);
  if (made && key) {
    // A file that was edited while the compiler ran must not be kept under its former content's key.
    const auto again = request.source ? Expected<std::string>(source) : read_file(request.path);
    if (again && cache_key(request, language, *again) == key)
      cache.store(*key, made->object ? pack(*made->object) : pack(*made->ptx));
  }
  return made;
}

}  // namespace lockstep

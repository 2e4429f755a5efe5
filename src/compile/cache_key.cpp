#include "compile/cache_key.h"

#include <fmt/format.h>

#include "compile/amdgcn.h"
#include "compile/archive.h"
#include "compile/bitcode.h"
#include "compile/clang_options.h"
#include "compile/devlib.h"
#include "compile/gpu_cxx.h"
#include "compile/job.h"
#include "compile/nvptx.h"
#include "compile/r600.h"
#include "compile/sha256.h"

namespace lockstep {
namespace {

// The source with its #include directives replaced by the files' text, byte for byte, and with the results of
// __has_include; nothing when the preprocessor fails, whose errors the compiler is going to repeat.
std::optional<std::string> with_includes(const CompileRequest& request, SourceLanguage language,
                                         const std::string& source, std::string_view header_directory) {
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
    arguments = request.target->isa == IsaFamily::r600 ? r600_front_arguments(request)
                                                       : nvptx_front_arguments(request);
  }
  arguments.insert(arguments.end(), {"-E", "-frewrite-includes"});
  if (!header_directory.empty()) arguments.insert(arguments.end(), {"-I", std::string(header_directory)});
  const std::vector<std::string>& flags = options->arguments;
  for (const auto* more : {&flags, &input.arguments})
    arguments.insert(arguments.end(), more->begin(), more->end());
  arguments.insert(arguments.end(), {input.name, "-o", "-"});
  CompileJob job(request);
  auto text = job.run(Tool::clang, arguments, input.text);
  if (!text) return std::nullopt;
  // The directory's own name is another one each time.
  for (std::size_t at = 0;
       !header_directory.empty() && (at = text->find(header_directory, at)) != text->npos;)
    text->erase(at, header_directory.size());
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

}  // namespace

std::optional<std::string> cache_key(const CompileRequest& request, SourceLanguage language,
                                     const std::string& source, const CacheKind& kind) {
  Sha256 hasher;
  hasher.field(archive_version);
  hasher.field(kind.name);
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
  } else if (request.target->isa == IsaFamily::r600) {
    hasher.field("r600 with notes 14");
    add_identity(hasher, find_tool(Tool::llc));
    for (const std::string& word : r600_front_arguments(request)) hasher.field(word);
    add_identity(hasher, find_r600_library(request.target->compiler_target));
    add_devlib(hasher, r600_devlib_sources());
  } else if (request.target->isa == IsaFamily::gen) {
    hasher.field("gen 6");
    for (const Tool tool : {Tool::ocloc, Tool::iga, Tool::dwarfdump}) add_identity(hasher, find_tool(tool));
    for (const char* library : {"libigc.so.1", "libigdfcl.so.1", "libiga64.so.1"})
      hasher.field(file_identity(fmt::format("/usr/lib/x86_64-linux-gnu/{}", library)));
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
    const auto text = with_includes(request, language, source, kind.header_directory);
    if (!text || mentions(fmt::format("{} {}", source, fmt::join(request.defines, " ")),
                          {"__DATE__", "__TIME", "embed"}))
      return std::nullopt;
    hasher.field(*text);
  }
  if (language == SourceLanguage::opencl_c) {
    const std::string options = fmt::format("{}", fmt::join(request.options, " "));
    std::string whole = source;
    if (mentions(source, {"include", "import", "__has_"}) || mentions(options, {"-include", "-imacros"})) {
      auto text = with_includes(request, language, source, kind.header_directory);
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

std::string link_key(const CompileRequest& request, const std::vector<std::string>& modules) {
  Sha256 hasher;
  hasher.field(archive_version);
  hasher.field("linked modules");
  hasher.field(request.target->name);
  if (request.target->isa == IsaFamily::gen) {
    add_identity(hasher, find_tool(Tool::ocloc));
  } else {
    for (const std::string& word : module_arguments(request)) hasher.field(word);
    add_identity(hasher, find_tool(Tool::clang));
  }
  for (const std::string& module : modules) hasher.field(module);
  return hasher.finish();
}

}  // namespace lockstep

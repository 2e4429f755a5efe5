#include "compile/bitcode.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>

#include "compile/amdgcn.h"
#include "compile/build_options.h"
#include "compile/cache.h"
#include "compile/cache_key.h"
#include "compile/clang_options.h"
#include "compile/gen_ocloc.h"
#include "compile/nvptx.h"
#include "compile/r600.h"

namespace lockstep {
namespace {

// Writes the headers below `directory`.
Status write_headers(const std::string& directory, const std::vector<Header>& headers,
                     const std::string& program) {
  for (const Header& header : headers) {
    const std::filesystem::path root(directory);
    const std::filesystem::path file = (root / header.name).lexically_normal();
    const bool inside = std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first == root.end();
    std::error_code error;
    if (inside) std::filesystem::create_directories(file.parent_path(), error);
    if (!inside || error || !(std::ofstream(file, std::ios::binary) << header.text))
      return Diagnostic{"bad-header",
                        {program, 0, 0},
                        fmt::format("'{}' cannot be a header's name", header.name),
                        "a relative path, as the source includes it"};
  }
  return Success{};
}

std::string without(std::string text, std::string_view part) {
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos;) text.erase(at, part.size());
  return text;
}

// As the cache keeps it: the log's length in decimal digits and a line end, the log, the module.
std::string pack(const Bitcode& module) {
  return fmt::format("{}\n{}", module.log.size(), module.log) + module.bytes;
}

std::optional<Bitcode> unpack(std::string_view bytes) {
  u64 size = 0;
  const auto [end, error] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), size);
  const auto digits = static_cast<std::size_t>(end - bytes.data());
  if (error != std::errc{} || digits >= bytes.size() || bytes[digits] != '\n') return std::nullopt;
  bytes.remove_prefix(digits + 1);
  if (size > bytes.size()) return std::nullopt;
  return Bitcode{std::string(bytes.substr(size)), std::string(bytes.substr(0, size)), true};
}

// Makes the module, or takes it from the cache. Without a key nothing is kept.
template <class Make>
Expected<Bitcode> cached(const CompileRequest& request, const std::optional<std::string>& key,
                         const Make& make) {
  const Cache cache = request.use_cache && key ? Cache() : Cache(std::string());
  if (key) {
    if (const auto bytes = cache.load(*key))
      if (auto kept = unpack(*bytes)) return std::move(*kept);
  }
  Expected<Bitcode> made = make();
  if (made && key) cache.store(*key, pack(*made));
  return made;
}

}  // namespace

std::vector<std::string> module_arguments(const CompileRequest& request) {
  if (request.target->isa == IsaFamily::ptx) return nvptx_bitcode_arguments(request);
  if (request.target->isa != IsaFamily::r600) return amd_target_arguments(request);
  const std::vector<std::string> front = r600_front_arguments(request);
  return {front.begin() + 2, front.end()};  // without the language
}

Expected<Bitcode> compile_to_bitcode(const CompileRequest& request, const std::vector<Header>& headers) {
  LOCKSTEP_ASSERT(request.target != nullptr && request.source, "bitcode is made for a target, from a text");
  auto options = clang_options(request);
  if (!options) return options.error();
  auto scratch = ScratchDirectory::create();
  if (!scratch) return scratch.error();
  const std::string directory = scratch->file("headers");
  if (Status done = write_headers(directory, headers, request.path); !done) return done.error();
  const CacheKind kind{"module", headers.empty() ? std::string_view() : std::string_view(directory)};
  const auto key =
      request.use_cache ? cache_key(request, SourceLanguage::opencl_c, *request.source, kind) : std::nullopt;
  auto made = cached(request, key, [&]() -> Expected<Bitcode> {
    CompileJob job(request, &*scratch);
    if (request.target->isa == IsaFamily::gen) {
      auto spirv = gen_module(job, *scratch, request, headers.empty() ? std::string() : directory);
      if (!spirv) return spirv.error();
      return Bitcode{std::move(*spirv), without(job.log(), directory + "/")};
    }
    std::vector<std::string> arguments;
    if (request.target->isa == IsaFamily::ptx) {
      arguments = nvptx_front_arguments(request);
    } else if (request.target->isa == IsaFamily::r600) {
      arguments = r600_front_arguments(request);
    } else {
      arguments = {"-x", "cl"};
      append_options(arguments, amd_target_arguments(request));
    }
    // The directory's name is another one each time: lines and __FILE__ name the header alone.
    if (!headers.empty())
      append_options(arguments, {"-I", directory, fmt::format("-ffile-prefix-map={}/=", directory)});
    append_options(arguments, options->arguments);
    if (request.line_table) append_options(arguments, {"-gline-tables-only", "-fdebug-compilation-dir=."});
    // The texts of PTX and r600 know no other .file directive.
    if (request.line_table && request.target->isa != IsaFamily::amdgcn) arguments.push_back("-gdwarf-2");
    const ClangInput given = clang_input(request, *request.source);
    append_options(arguments, given.arguments);
    const std::string bitcode = scratch->file("program.bc");
    append_options(arguments,
                   {"-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", given.name, "-o", bitcode});
    if (auto done = job.run(Tool::clang, arguments, given.text); !done) {
      Diagnostic failed = done.error();
      failed.message = without(failed.message, directory + "/");
      failed.place.file = without(failed.place.file, directory + "/");
      return failed;
    }
    auto bytes = read_file(bitcode);
    if (!bytes) return bytes.error();
    return Bitcode{std::move(*bytes), without(job.log(), directory + "/")};
  });
  if (made) made->log.insert(0, ignored_options_note(options->ignored));
  return made;
}

Expected<Bitcode> link_bitcode(const CompileRequest& request, const std::vector<std::string>& modules) {
  LOCKSTEP_ASSERT(!modules.empty(), "there is a module to link");
  const auto key = request.use_cache ? std::optional(link_key(request, modules)) : std::nullopt;
  return cached(request, key, [&]() -> Expected<Bitcode> {
    auto scratch = ScratchDirectory::create();
    if (!scratch) return scratch.error();
    CompileJob job(request, &*scratch);
    if (request.target->isa == IsaFamily::gen) {
      auto linked = link_gen_modules(job, *scratch, modules);
      if (!linked) return linked.error();
      return Bitcode{std::move(*linked), job.log()};
    }
    std::vector<std::string> arguments = {"-x", "ir", "-O0"};
    append_options(arguments, module_arguments(request));
    for (std::size_t i = 0; i < modules.size(); ++i) {
      const std::string file = scratch->file(fmt::format("module{}.bc", i));
      std::ofstream(file, std::ios::binary) << modules[i];
      if (i != 0) append_options(arguments, {"-Xclang", "-mlink-bitcode-file", "-Xclang", file});
    }
    const std::string linked = scratch->file("linked.bc");
    append_options(arguments, {"-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c",
                               scratch->file("module0.bc"), "-o", linked});
    if (auto done = job.run(Tool::clang, arguments); !done) return done.error();
    auto bytes = read_file(linked);
    if (!bytes) return bytes.error();
    return Bitcode{std::move(*bytes), job.log()};
  });
}

}  // namespace lockstep

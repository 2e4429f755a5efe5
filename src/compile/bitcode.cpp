#include "compile/bitcode.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "compile/amdgcn.h"
#include "compile/clang_options.h"
#include "compile/nvptx.h"

namespace lockstep {
namespace {

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

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

Status check_family(const CompileRequest& request) {
  if (request.target->isa == IsaFamily::amdgcn || request.target->isa == IsaFamily::ptx) return Success{};
  return Diagnostic{"unsupported-target",
                    {request.path, 0, 0},
                    fmt::format("programs for {} cannot be compiled apart", request.target->name),
                    ""};
}

}  // namespace

Expected<Bitcode> compile_to_bitcode(const CompileRequest& request, const std::vector<Header>& headers) {
  LOCKSTEP_ASSERT(request.target != nullptr && request.source, "bitcode is made for a target, from a text");
  if (Status known = check_family(request); !known) return known.error();
  auto options = clang_options(request);
  if (!options) return options.error();
  auto scratch = ScratchDirectory::create();
  if (!scratch) return scratch.error();
  CompileJob job(request);
  std::vector<std::string> arguments;
  if (request.target->isa == IsaFamily::ptx) {
    arguments = nvptx_front_arguments(request);
  } else {
    arguments = {"-x", "cl"};
    append(arguments, amd_target_arguments(request));
  }
  if (!headers.empty()) append(arguments, {"-I", scratch->file("headers")});
  if (Status done = write_headers(scratch->file("headers"), headers, request.path); !done)
    return done.error();
  append(arguments, options->arguments);
  if (request.line_table) append(arguments, {"-gline-tables-only", "-fdebug-compilation-dir=."});
  // PTX knows no other .file directive.
  if (request.line_table && request.target->isa == IsaFamily::ptx) arguments.push_back("-gdwarf-2");
  const ClangInput given = clang_input(request, *request.source);
  append(arguments, given.arguments);
  const std::string bitcode = scratch->file("program.bc");
  append(arguments, {"-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", given.name, "-o", bitcode});
  if (auto done = job.run(Tool::clang, arguments, given.text); !done) return done.error();
  auto bytes = read_file(bitcode);
  if (!bytes) return bytes.error();
  return Bitcode{std::move(*bytes), job.log()};
}

Expected<Bitcode> link_bitcode(const CompileRequest& request, const std::vector<std::string>& modules) {
  LOCKSTEP_ASSERT(!modules.empty(), "there is a module to link");
  if (Status known = check_family(request); !known) return known.error();
  auto scratch = ScratchDirectory::create();
  if (!scratch) return scratch.error();
  CompileJob job(request);
  std::vector<std::string> arguments = {"-x", "ir", "-O0"};
  append(arguments, request.target->isa == IsaFamily::ptx ? nvptx_bitcode_arguments(request)
                                                          : amd_target_arguments(request));
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const std::string file = scratch->file(fmt::format("module{}.bc", i));
    std::ofstream(file, std::ios::binary) << modules[i];
    if (i != 0) append(arguments, {"-Xclang", "-mlink-bitcode-file", "-Xclang", file});
  }
  const std::string linked = scratch->file("linked.bc");
  append(arguments,
         {"-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", scratch->file("module0.bc"), "-o", linked});
  if (auto done = job.run(Tool::clang, arguments); !done) return done.error();
  auto bytes = read_file(linked);
  if (!bytes) return bytes.error();
  return Bitcode{std::move(*bytes), job.log()};
}

}  // namespace lockstep

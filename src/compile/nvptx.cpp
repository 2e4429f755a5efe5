#include "compile/nvptx.h"

#include <fmt/format.h>

#include "compile/clang_options.h"
#include "compile/devlib.h"

namespace lockstep {

Expected<PtxText> compile_nvptx(const CompileRequest& request, const std::string& source) {
  LOCKSTEP_ASSERT(request.target != nullptr && request.target->isa == IsaFamily::ptx,
                  "compile_nvptx is for NVIDIA targets");
  auto options = clang_options(request);
  if (!options) return options.error();
  auto library = find_nvptx_library();
  if (!library) return library.error();
  if (request.progress)
    request.progress(fmt::format("compiling {} for {}", request.path, request.target->name));

  CompileJob job(request);
  auto scratch = ScratchDirectory::create();
  if (!scratch) return scratch.error();
  auto repairs = nvptx_devlib_bitcode(job, *scratch, request.use_cache);
  if (!repairs) return repairs.error();

  // The OpenCL extensions must go to the front end itself: clang's driver ignores -cl-ext for this target.
  // DWARF 2, because PTX knows no other .file directive.
  std::vector<std::string> arguments = {
      "-x",
      "cl",
      "-target",
      "nvptx64-nvidia-nvcl",
      "-Xclang",
      "-target-cpu",
      "-Xclang",
      std::string(request.target->compiler_target),
      "-Xclang",
      "-cl-ext=+cl_khr_fp16,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,"
      "+cl_khr_3d_image_writes",
      "-Wno-linker-warnings"};   // the library's triple says nvidiacl
  repairs->push_back(*library);  // the first definition of a function wins
  for (const std::string& bitcode : *repairs)
    arguments.insert(arguments.end(), {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", bitcode});
  if (request.line_table)
    for (const char* option : {"-gline-tables-only", "-gdwarf-2", "-fdebug-compilation-dir=."})
      arguments.push_back(option);
  arguments.insert(arguments.end(), options->arguments.begin(), options->arguments.end());
  const ClangInput input = clang_input(request, source);
  arguments.insert(arguments.end(), input.arguments.begin(), input.arguments.end());
  arguments.insert(arguments.end(), {"-S", input.name, "-o", "-"});
  auto text = job.run(Tool::clang, arguments, input.text);
  if (!text) return text.error();
  return PtxText{std::string(request.target->name), std::move(*text), job.log()};
}

}  // namespace lockstep

#include "compile/amdgcn.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "base/elf.h"
#include "compile/bundle.h"
#include "compile/clang_options.h"
#include "compile/code_object_v2.h"
#include "compile/devlib.h"
#include "compile/gpu_cxx.h"
#include "compile/library_parts.h"
#include "compile/listing_reader.h"

namespace lockstep {

// LLVM turns calls of floor, ceil and rint into its own expansions before the library is looked at; on GCN 1
// they are not exact, and devlib/amdgcn/gfx6.cl has better ones.
static constexpr const char* keep_library_calls = "-amdgpu-simplify-libcall=0";

// Functions that are no kernels and that no kernel reaches are dropped before anything is optimised. Nobody
// can call them from outside, and each would get everything that it calls inlined: programs that include
// large libraries of functions (hashcat's kernels) compile several times as fast.
static constexpr const char* only_what_kernels_reach = "-amdgpu-internalize-symbols";

// LLVM 19 takes b - a for a - b, and b << a for a << b, where both are made of parts of registers: the pass
// that merges equal instructions turns the operands of v_sub_f32_sdwa or v_lshlrev_b32_sdwa round, but not
// the operation. Before GFX8 and from GFX11 on there are no such parts.
static constexpr const char* whole_registers = "-amdgpu-sdwa-peephole=0";

std::vector<std::string> amd_target_arguments(const CompileRequest& request) {
  std::vector<std::string> arguments = {"-target",
                                        "amdgcn-amd-amdhsa",
                                        fmt::format("-mcpu={}", request.target->compiler_target),
                                        fmt::format("-mcode-object-version={}", amd_code_object_version),
                                        "-nogpulib",
                                        "-mllvm",
                                        only_what_kernels_reach};
  if (request.target->major == 6) arguments.insert(arguments.end(), {"-mllvm", keep_library_calls});
  if (request.target->major >= 8 && request.target->major <= 10)
    arguments.insert(arguments.end(), {"-mllvm", whole_registers});
  return arguments;
}

namespace {

bool readable(const std::string& path) {
  return std::ifstream(path).is_open();
}

// gfx90a's file is oclc_isa_version_90a.bc. rocm-device-libs 5 ends before gfx942 and gfx11: the nearest
// older generation links and means the same, for these switches only choose between instruction sequences.
std::string isa_version(const Target& target, const std::string& directory) {
  const std::string own(target.compiler_target.substr(target.compiler_target.find_first_of("0123456789")));
  auto exists = [&](const std::string& version) {
    return readable(fmt::format("{}/oclc_isa_version_{}.bc", directory, version));
  };
  if (exists(own)) return own;
  if (target.major == 9 && target.minor == 4) return "940";
  if (target.major >= 11) return "1036";
  return own;
}

// The device library's modules, as arguments that let clang link what the kernel uses of them, and no more.
// What is still undefined is taken from one module after the other, and is private to the program then: so
// ours stand before each of the two whose functions they replace. `opencl` are the files of the first: the
// library as it is installed, or the parts of it that the program can need.
Expected<std::vector<std::string>> library_arguments(const CompileRequest& request, SourceLanguage language,
                                                     const ClangOptions& options,
                                                     const std::vector<std::string>& opencl, CompileJob& job,
                                                     const ScratchDirectory& scratch) {
  auto directory = find_amd_device_libraries();
  if (!directory) return directory.error();
  const Target& target = *request.target;
  const auto own = devlib_bitcode(amd_devlib_parts(target, may_have_c11_atomics(language, options)), job,
                                  scratch, request.use_cache);
  if (!own) return own.error();
  // f32 denormals cost full speed before gfx9, so the compiler switches them off there by default.
  const bool flush = options.denormals_are_zero || (target.major < 9 && !options.denormals_are_kept);
  const bool wave64 = options.wave64 || (!options.wave32 && target.default_width == 64);
  auto on_off = [](bool on) { return on ? "on" : "off"; };
  std::vector<std::string> paths;
  paths.insert(paths.end(), own->begin(), own->end());
  paths.insert(paths.end(), opencl.begin(), opencl.end());
  paths.insert(paths.end(), own->begin(), own->end());
  for (const std::string& file :
       {std::string("ocml"), std::string("ockl"),
        fmt::format("oclc_isa_version_{}", isa_version(target, *directory)),
        fmt::format("oclc_abi_version_{}00", amd_code_object_version),
        fmt::format("oclc_daz_opt_{}", on_off(flush)),
        fmt::format("oclc_finite_only_{}", on_off(options.finite_math)),
        fmt::format("oclc_unsafe_math_{}", on_off(options.unsafe_math)),
        fmt::format("oclc_correctly_rounded_sqrt_{}", on_off(options.correctly_rounded_divide_sqrt)),
        fmt::format("oclc_wavefrontsize64_{}", on_off(wave64))})
    paths.push_back(fmt::format("{}/{}.bc", *directory, file));
  std::vector<std::string> arguments;
  for (const std::string& path : paths) {
    if (!readable(path))
      return Diagnostic{"device-library-missing",
                        {path, 0, 0},
                        fmt::format("AMD's device library has no part for {}", target.name),
                        "install the package rocm-device-libs"};
    for (const char* word : {"-Xclang", "-mlink-builtin-bitcode", "-Xclang"}) arguments.push_back(word);
    arguments.push_back(path);
  }
  return arguments;
}

// OpenCL C, HIP or linked bitcode to assembly text.
//
// Usually one run of clang. Two cases take more:
// - printf: LLVM turns calls of printf into stores to a buffer (and the formats into metadata) only while
//   printf is undefined, and the device library defines one that drops its arguments. So the calls are
//   rewritten before the library is linked.
// - at -O0 the library's code would stay unoptimised too: its switches would be run-time branches whose dead
//   sides use instructions that the target lacks. So the library's functions are optimised by themselves; the
//   user's are marked optnone by clang and stay as they are.
Expected<std::string> source_to_assembly(const CompileRequest& request, SourceLanguage language,
                                         const std::string& source, const ClangOptions& options,
                                         const std::vector<std::string>& opencl, CompileJob& job,
                                         const ScratchDirectory& scratch) {
  auto libraries = library_arguments(request, language, options, opencl, job, scratch);
  if (!libraries) return libraries.error();
  const std::vector<std::string> target = amd_target_arguments(request);
  const std::string level = fmt::format("-O{}", options.optimisation);

  std::vector<std::string> front = {"-x", "cl"};
  if (is_gpu_cxx(language)) {
    auto begin = gpu_cxx_arguments(request, language);
    if (!begin) return begin.error();
    front = std::move(*begin);
  } else {
    append_options(front, target);
  }
  append_options(front, options.arguments);
  if (request.line_table) append_options(front, {"-gline-tables-only", "-fdebug-compilation-dir=."});
  const ClangInput given = clang_input(request, source);
  append_options(front, given.arguments);
  std::string input = given.name, text = given.text;
  if (language == SourceLanguage::bitcode) {
    front = {"-x", "ir", level};
    append_options(front, target);
    input = scratch.file("linked.bc");
    text.clear();
    std::ofstream(input, std::ios::binary) << source;
  }

  // LLVM makes its own fma of halves where there is none: in f32, which rounds twice.
  if (request.target->major == 7 && mentions(source, {"half", "include"}) &&
      mentions(source, {"fma", "include"}))
    append_options(front, {"-mllvm", keep_library_calls});

  // GCN 1 has no instructions for generic addresses. The optimiser finds out which memory they mean; at -O0
  // it would leave the user's functions alone.
  if (request.target->major == 6 && options.standard == "CL2.0")
    append_options(front, {"-Xclang", "-disable-O0-optnone"});

  const bool printf = mentions(source, {"printf", "include"}) ||
                      mentions(fmt::format("{}", fmt::join(options.arguments, " ")), {"printf", "include"});
  std::string bitcode = scratch.file("program.bc");
  if (printf) {
    std::vector<std::string> arguments = front;
    append_options(arguments, {"-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", input, "-o", bitcode});
    if (auto done = job.run(Tool::clang, arguments, text); !done) return done.error();
    const std::string rewritten = scratch.file("printf.bc");
    if (auto done = job.run(Tool::opt, {"-passes=amdgpu-printf-runtime-binding", bitcode, "-o", rewritten});
        !done)
      return done.error();
    front = {"-x", "ir", level};
    append_options(front, target);
    input = rewritten;
    text.clear();
  }
  append_options(front, *libraries);
  if (options.optimisation != 0) {
    append_options(front, {"-S", input, "-o", "-"});
    return job.run(Tool::clang, front, text);
  }
  append_options(front, {"-emit-llvm", "-c", input, "-o", bitcode});
  if (auto done = job.run(Tool::clang, front, text); !done) return done.error();
  const std::string optimised = scratch.file("optimised.bc");
  std::vector<std::string> optimise = {"-O1", only_what_kernels_reach, bitcode, "-o", optimised};
  if (request.target->major == 6) optimise.push_back(keep_library_calls);
  if (auto done = job.run(Tool::opt, optimise); !done) return done.error();
  std::vector<std::string> back = {"-x", "ir", "-O0"};
  append_options(back, target);
  append_options(back, {"-S", optimised, "-o", "-"});
  return job.run(Tool::clang, back);
}

Expected<std::vector<u8>> read_bytes(const std::string& path) {
  auto text = read_file(path);
  if (!text) return text.error();
  return std::vector<u8>(text->begin(), text->end());
}

Expected<std::vector<u8>> link(const std::string& object, CompileJob& job, const ScratchDirectory& scratch) {
  const std::string linked = scratch.file("program.co");
  if (auto done = job.run(Tool::lld, {"-shared", "--no-undefined", object, "-o", linked}); !done)
    return done.error();
  return read_bytes(linked);
}

enum class Origin : u8 { user, compiler };

// The source position of a line of the compiler's assembly: clang writes "; file:line:column" beside every
// .loc.
Place source_place(std::string_view assembly, u32 line) {
  Place place;
  for (u32 number = 1; number <= line && !assembly.empty(); ++number) {
    const std::size_t end = std::min(assembly.find('\n'), assembly.size() - 1);
    const std::string_view text = assembly.substr(0, end);
    assembly.remove_prefix(end + 1);
    const std::size_t comment = text.rfind("; ");
    if (text.starts_with("\t.loc\t") && comment != std::string_view::npos)
      if (const Place at = first_error_place(fmt::format("{}: error: ", text.substr(comment + 2)));
          at.line != 0)
        place = at;
  }
  return place;
}

// clang may choose instructions that the target lacks (image_store on gfx942): its assembler then refuses
// them.
Diagnostic refused_by_assembler(const CompileRequest& request, const Diagnostic& failed,
                                std::string_view assembly) {
  const Place place = source_place(assembly, failed.place.line);
  return Diagnostic{
      "unsupported-by-target", place.file.empty() ? Place{request.path, 0, 0} : place,
      fmt::format("the compiler made code that {} does not have:\n{}", request.target->name, failed.message),
      "the program uses something, such as images, that this GPU cannot do"};
}

// The same where GCN 1 would have to reach memory by generic addresses, for which it has no instructions.
Diagnostic refused_by_back_end(const CompileRequest& request, const Diagnostic& failed) {
  if (request.target->major != 6 || failed.message.find("Cannot select") == std::string::npos) return failed;
  return Diagnostic{
      "unsupported-by-target",
      {request.path, 0, 0},
      "a pointer's memory is known only when the program runs, and GCN 1 has no instructions for "
      "generic addresses",
      "name the memory (global, local, private), or build with -cl-std=CL1.2 or CL3.0"};
}

// Assembly text to object and listing.
Status assemble(const CompileRequest& request, const ClangOptions& options, const std::string& assembly,
                Origin origin, CompileJob& job, const ScratchDirectory& scratch, CompiledObject& made) {
  std::vector<std::string> arguments = {
      "-triple=amdgcn-amd-amdhsa", fmt::format("-mcpu={}", request.target->compiler_target),
      fmt::format("--amdhsa-code-object-version={}", amd_code_object_version)};
  if (request.target->default_width == 32 && options.wave64)
    arguments.push_back("-mattr=-wavefrontsize32,+wavefrontsize64");
  // What the assembler thinks of clang's own directives (files with and without checksums after a #line) is
  // no concern of the source's author.
  if (origin == Origin::compiler) arguments.push_back("--no-warn");
  std::string input = "-", text = assembly;
  if (origin == Origin::user) {
    // Assembly by hand has no line table of its own: its own lines are the source.
    if (request.line_table && !mentions(assembly, {".loc"}))
      append_options(arguments, {"-g", "-fdebug-compilation-dir=."});
    const std::string directory = std::filesystem::path(request.path).parent_path().string();
    arguments.push_back("-I" + (directory.empty() ? "." : directory));
    const ClangInput given = clang_input(request, assembly);
    input = given.name;
    text = given.text;
  }
  const std::string object = scratch.file("program.o");
  std::vector<std::string> to_object = arguments;
  append_options(to_object, {"-filetype=obj", "--save-temp-labels", input, "-o", object});
  if (auto done = job.run(Tool::llvm_mc, to_object, text); !done)
    return origin == Origin::compiler && done.error().code == "compile-failed"
               ? refused_by_assembler(request, done.error(), assembly)
               : done.error();
  auto linked = link(object, job, scratch);
  if (!linked) return linked.error();
  made.elf = std::move(*linked);
  append_options(arguments, {"-show-encoding", input, "-o", "-"});
  std::string log = job.log();
  auto encoded = job.run(Tool::llvm_mc, arguments, text);
  if (!encoded) return encoded.error();
  job.log() = std::move(log);  // the second run repeats the first one's warnings
  auto elf = read_elf(made.elf, request.path);
  if (!elf) return elf.error();
  auto listing = read_assembler_listing(*encoded, made.elf, *elf, request.path);
  if (!listing) return listing.error();
  made.listing = std::move(*listing);
  return Success{};
}

// EF_AMDGPU_MACH of the ELF header's flags (LLVM, "User Guide for AMDGPU Backend", table of e_flags).
std::string machine_name(u32 flags) {
  static constexpr std::pair<u32, std::string_view> names[] = {
      {0x20, "gfx600"},  {0x21, "gfx601"},  {0x22, "gfx700"},  {0x23, "gfx701"},  {0x24, "gfx702"},
      {0x25, "gfx703"},  {0x26, "gfx704"},  {0x28, "gfx801"},  {0x29, "gfx802"},  {0x2a, "gfx803"},
      {0x2b, "gfx810"},  {0x2c, "gfx900"},  {0x2d, "gfx902"},  {0x2e, "gfx904"},  {0x2f, "gfx906"},
      {0x30, "gfx908"},  {0x31, "gfx909"},  {0x32, "gfx90c"},  {0x33, "gfx1010"}, {0x34, "gfx1011"},
      {0x35, "gfx1012"}, {0x36, "gfx1030"}, {0x37, "gfx1031"}, {0x38, "gfx1032"}, {0x39, "gfx1033"},
      {0x3a, "gfx602"},  {0x3b, "gfx705"},  {0x3c, "gfx805"},  {0x3d, "gfx1035"}, {0x3e, "gfx1034"},
      {0x3f, "gfx90a"},  {0x40, "gfx940"},  {0x41, "gfx1100"}, {0x42, "gfx1013"}, {0x43, "gfx1150"},
      {0x44, "gfx1103"}, {0x45, "gfx1036"}, {0x46, "gfx1101"}, {0x47, "gfx1102"}, {0x48, "gfx1200"},
      {0x4a, "gfx1151"}, {0x4b, "gfx941"},  {0x4c, "gfx942"},  {0x4e, "gfx1201"}};
  for (const auto& [number, name] : names)
    if (number == (flags & 0xff)) return std::string(name);
  return {};
}

// A ready object: its bytes as they are (linked when it is relocatable), its listing by the disassembler.
Status disassemble(const CompileRequest& request, const std::string& given, CompileJob& job,
                   const ScratchDirectory& scratch, CompiledObject& made) {
  const Place place{request.path, 0, 0};
  std::string source = given;
  if (is_bundle(given)) {
    auto taken = take_from_bundle(given, *request.target, request.path);
    if (!taken) return taken.error();
    source = std::move(*taken);
  }
  made.elf.assign(source.begin(), source.end());
  auto elf = read_elf(made.elf, request.path);
  if (!elf) return elf.error();
  if (elf->machine != elf_machine_amdgpu)
    return Diagnostic{"wrong-machine", place, "this object holds no AMD GPU code", ""};
  const std::string machine = machine_name(elf->flags);
  // Version 2 objects carry the target in a note only; their flags are 0.
  if ((elf->flags & 0xff) != 0 && machine != request.target->compiler_target)
    return Diagnostic{"wrong-target", place,
                      fmt::format("the code object is for {} and the chosen GPU runs {}",
                                  machine.empty() ? fmt::format("machine {:#x}", elf->flags & 0xff) : machine,
                                  request.target->name),
                      "choose a GPU of the object's target, or compile the source again"};
  if (elf->type == elf_type_relocatable) {
    const std::string object = scratch.file("given.o");
    std::ofstream(object, std::ios::binary) << source;
    auto linked = link(object, job, scratch);
    if (!linked) return linked.error();
    made.elf = std::move(*linked);
    elf = read_elf(made.elf, request.path);
    if (!elf) return elf.error();
  }
  const std::string object = scratch.file("given.co");
  const Version2Kernels old = version2_kernels(made.elf, *elf);
  const std::vector<u8>& shown = old.empty() ? made.elf : old.with_functions;
  std::ofstream(object, std::ios::binary)
      .write(reinterpret_cast<const char*>(shown.data()), static_cast<std::streamsize>(shown.size()));
  auto text =
      job.run(Tool::objdump, {"-d", "-l", fmt::format("--mcpu={}", request.target->compiler_target), object});
  if (!text) {
    Diagnostic failed = text.error();
    if (failed.code == "compile-crashed" && request.target->major < 8)
      failed = Diagnostic{"cannot-disassemble", place,
                          fmt::format("LLVM has no disassembler for {}", request.target->name),
                          "give the assembly (.s) or the source instead"};
    return failed;
  }
  auto shown_elf = read_elf(shown, request.path);
  if (!shown_elf) return shown_elf.error();
  auto listing = read_disassembly(*text, shown, *shown_elf, request.path);
  if (!listing) return listing.error();
  made.listing = std::move(*listing);
  old.tidy(made.listing);
  return Success{};
}

}  // namespace

Expected<CompiledObject> compile_amdgcn(const CompileRequest& request, SourceLanguage language,
                                        const std::string& source) {
  LOCKSTEP_ASSERT(request.target != nullptr && request.target->isa == IsaFamily::amdgcn,
                  "compile_amdgcn is for AMD GCN targets");
  auto options = clang_options(request, language);
  if (!options) return options.error();
  auto scratch = ScratchDirectory::create();
  if (!scratch) return scratch.error();
  CompileJob job(request, &*scratch);
  CompiledObject made;
  made.target = request.target->name;
  if (language == SourceLanguage::opencl_c || language == SourceLanguage::bitcode || is_gpu_cxx(language)) {
    if (request.progress) request.progress(fmt::format("compiling {} for {}", request.path, made.target));
    auto directory = find_amd_device_libraries();
    if (!directory) return directory.error();
    const std::vector<std::string> whole = {*directory + "/opencl.bc"};
    // Before gfx8 our own library calls what the source does not name.
    const std::vector<std::string> parts = language == SourceLanguage::opencl_c && request.target->major >= 8
                                               ? library_files(whole[0], source, options->arguments)
                                               : whole;
    const auto attempt = [&](const std::vector<std::string>& opencl) -> Status {
      job.log().clear();
      auto assembly = source_to_assembly(request, language, source, *options, opencl, job, *scratch);
      if (!assembly) return refused_by_back_end(request, assembly.error());
      return assemble(request, *options, *assembly, Origin::compiler, job, *scratch, made);
    };
    Status status = attempt(parts);
    // A function that was called and not named; usually one that is nowhere.
    if (!status && parts != whole && status.error().message.find("undefined symbol") != std::string::npos)
      status = attempt(whole);
    if (!status) return status.error();
  } else if (language == SourceLanguage::assembly) {
    if (request.progress) request.progress(fmt::format("assembling {} for {}", request.path, made.target));
    if (Status status = assemble(request, *options, source, Origin::user, job, *scratch, made); !status)
      return status.error();
  } else if (language == SourceLanguage::code_object) {
    if (request.progress) request.progress(fmt::format("disassembling {} for {}", request.path, made.target));
    if (Status status = disassemble(request, source, job, *scratch, made); !status) return status.error();
  } else {
    return Diagnostic{"unknown-language",
                      {request.path, 0, 0},
                      "AMD targets take OpenCL C, HIP, assembly and code objects",
                      ""};
  }
  made.log = job.log();
  return made;
}

}  // namespace lockstep

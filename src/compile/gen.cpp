#include "compile/gen.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>

#include "base/assert.h"
#include "base/elf.h"
#include "base/take_line.h"
#include "compile/build_options.h"
#include "compile/gen_lines.h"
#include "compile/gen_spirv.h"

namespace lockstep {
namespace {

// What Intel's front end takes, of the options that Lockstep knows.
bool understood(std::string_view option) {
  for (const std::string_view word : {"-cl-std=", "-D", "-U", "-I"})
    if (option.starts_with(word)) return true;
  if (option.starts_with("-cl-ext=")) return false;
  return option.starts_with("-cl-") || option == "-w" || option == "-Werror";
}

struct GenOptions {
  std::string text;                  // as ocloc takes them: one string
  std::vector<std::string> ignored;  // without a counterpart there
  bool optimises = true;
};

Expected<GenOptions> gen_options(const CompileRequest& request) {
  auto checked = check_build_options(request.options, SourceLanguage::opencl_c, request.path);
  if (!checked) return checked.error();
  GenOptions made;
  made.ignored = std::move(checked->ignored);
  u32 optimisation = request.optimisation;
  std::vector<std::string> words;
  bool standard = false;
  for (const std::string& option : checked->accepted) {
    if (option.size() == 3 && option.starts_with("-O") && option[2] >= '0' && option[2] <= '9') {
      optimisation = static_cast<u32>(option[2] - '0');
    } else if (option == "-cl-opt-disable") {
      optimisation = 0;
    } else if (option == "-cl-kernel-arg-info" || option == "-g") {
      continue;  // both are always on
    } else if (option.starts_with("-include") || option.starts_with("-imacros")) {
      return Diagnostic{"bad-option",
                        {request.path, 0, 0},
                        fmt::format("the build option {} is not one of Intel's compiler", option),
                        "include the file in the source"};
    } else if (understood(option)) {
      standard = standard || option.starts_with("-cl-std=");
      words.push_back(option);
    } else {
      made.ignored.push_back(option);
    }
  }
  for (const std::string& define : request.defines) words.push_back("-D" + define);
  if (!standard) words.insert(words.begin(), "-cl-std=CL1.2");
  made.optimises = optimisation != 0;
  if (!made.optimises) words.push_back("-cl-opt-disable");
  words.push_back("-cl-kernel-arg-info");
  if (request.line_table) words.push_back("-gline-tables-only");
  const std::filesystem::path folder = std::filesystem::path(request.path).parent_path();
  words.push_back("-I" + std::filesystem::absolute(folder.empty() ? "." : folder).string());
  for (const std::string& word : words) {
    if (word.find_first_of(" \t\"'\\") != std::string::npos)
      return Diagnostic{"bad-option",
                        {request.path, 0, 0},
                        fmt::format("the build option {} has a blank, a quote or a backslash, which Intel's "
                                    "compiler does not take",
                                    word),
                        ""};
  }
  made.text = fmt::format("{}", fmt::join(words, " "));
  return made;
}

Diagnostic unsupported(const std::string& path, std::string message, std::string hint = "") {
  return {"unsupported-object", {path, 0, 0}, std::move(message), std::move(hint)};
}

std::string_view contents(std::string_view object, const ElfSection& section) {
  return object.substr(section.offset, section.size_bytes);
}

// R_ZE_SYM_ADDR, R_ZE_SYM_ADDR_32, R_ZE_SYM_ADDR_32_HI ("ZE Binary", section Relocation Types, in Intel's
// compiler).
bool known_relocation(u32 type) {
  return type >= 1 && type <= 3;
}

struct Relocation {
  u64 offset = 0;
  u32 type = 0, symbol = 0;
  i64 addend = 0;
};

// Of the section with this number.
std::vector<Relocation> relocations_of(std::string_view object, const ElfFile& elf, u32 number) {
  std::vector<Relocation> found;
  constexpr u32 with_addend = 4, plain = 9;
  for (const ElfSection& section : elf.sections) {
    if ((section.type != with_addend && section.type != plain) || section.info != number) continue;
    const std::string_view bytes = contents(object, section);
    const std::size_t entry = section.type == with_addend ? 24 : 16;
    for (std::size_t at = 0; at + entry <= bytes.size(); at += entry) {
      u64 offset, info;
      i64 addend = 0;
      std::memcpy(&offset, bytes.data() + at, 8);
      std::memcpy(&info, bytes.data() + at + 8, 8);
      if (section.type == with_addend) std::memcpy(&addend, bytes.data() + at + 16, 8);
      found.push_back({offset, static_cast<u32>(info), static_cast<u32>(info >> 32), addend});
    }
  }
  return found;
}

// The symbols of the object in the order of its table, which relocations count.
Expected<std::string> relocation_notes(std::string_view word, std::string_view object, const ElfFile& elf,
                                       u32 section, const std::string& path) {
  std::string notes;
  for (const Relocation& one : relocations_of(object, elf, section)) {
    if (!known_relocation(one.type) || one.symbol >= elf.symbols.size() || one.addend != 0)
      return unsupported(path, fmt::format("a relocation of type {} in {} is not supported", one.type,
                                           elf.sections[section].name));
    notes +=
        fmt::format("//@lockstep {} {} {} {}\n", word, one.offset, one.type, elf.symbols[one.symbol].name);
  }
  return notes;
}

// The disassembly with notes of the source's lines; padding behind the last instruction is left out.
std::string with_lines(std::string_view code, const std::vector<GenLine>& lines) {
  std::string made;
  std::size_t next = 0;
  for (std::string_view rest = code; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const std::size_t open = line.find('[');
    u32 address = 0;
    if (line.starts_with("/* [") &&
        std::from_chars(line.data() + open + 1, line.data() + line.size(), address, 16).ec == std::errc{}) {
      const GenLine* at = nullptr;
      for (; next < lines.size() && lines[next].address <= address; ++next) at = &lines[next];
      if (at != nullptr) made += fmt::format("//@lockstep line {} {} {}\n", at->file, at->line, at->column);
    }
    made.append(line) += '\n';
  }
  return made;
}

std::string data_notes(std::string_view object, const ElfSection& section) {
  std::string notes = fmt::format("//@lockstep data {} {}\n", section.name, section.size_bytes);
  constexpr u32 no_bits = 8;
  if (section.type == no_bits) return notes;
  const std::string_view bytes = contents(object, section);
  for (std::size_t at = 0; at < bytes.size(); at += 32) {
    notes += "//@lockstep bytes ";
    for (const char c : bytes.substr(at, 32)) notes += fmt::format("{:02x}", static_cast<u8>(c));
    notes += '\n';
  }
  return notes;
}

// The kernel that Intel's compiler adds where a module has symbols: it does nothing, and behind it stand the
// functions that several kernels call.
constexpr std::string_view symbol_kernel = "Intel_Symbol_Table_Void_Program";

bool shared_function(const ElfSymbol& symbol) {
  return symbol.function() && symbol.binding == 1;
}

// Compiles once more, to Intel's older kind of object, beside which line tables of several kernels lie.
using LinesApart = std::function<std::string()>;

Expected<std::string> text_of_object(CompileJob& job, const ScratchDirectory& scratch,
                                     const std::string& object, const std::string& path,
                                     const LinesApart& lines_apart) {
  const std::span<const u8> bytes(reinterpret_cast<const u8*>(object.data()), object.size());
  auto elf = read_elf(bytes, path);
  if (!elf) return elf.error();
  const ElfSection* info = elf->find_section(".ze_info");
  if (info == nullptr && elf->find_section("Intel(R) OpenCL Device Binary") != nullptr)
    return unsupported(path, "this is Intel's binary with patch tokens; only its zebin form is read",
                       "compile with: ocloc compile -internal_options -ze-allow-zebin");
  if (info == nullptr)
    return unsupported(path, "this ELF file has no .ze_info: it is no program of an Intel GPU");
  std::string text = "//@lockstep gen 1\n";
  for (std::string_view rest = contents(object, *info); !rest.empty();) {
    std::string_view line = take_line(rest);
    while (!line.empty() && (line.back() == '\0' || line.back() == '\r')) line.remove_suffix(1);
    if (!line.empty()) text += fmt::format("//@lockstep info {}\n", line);
  }
  GenLines lines = gen_lines(job, scratch, object, *elf);
  if (lines.files.empty() && lines_apart) lines = gen_lines_apart(job, scratch, lines_apart(), *elf);
  for (std::size_t i = 0; i < lines.files.size(); ++i)
    text += fmt::format("//@lockstep file {} {}\n", i, lines.files[i]);
  for (u32 number = 0; number < elf->sections.size(); ++number) {
    const ElfSection& section = elf->sections[number];
    if (section.offset > object.size() || section.size_bytes > object.size() - section.offset) continue;
    constexpr std::string_view code = ".text.";
    if (section.name.starts_with(code)) {
      const std::string name = section.name.substr(code.size());
      const bool functions = name == symbol_kernel;
      const auto in_it = [&](const ElfSymbol& one) { return one.section == number && shared_function(one); };
      if (functions && std::none_of(elf->symbols.begin(), elf->symbols.end(), in_it)) continue;
      const std::string file = scratch.file("kernel.bin");
      std::ofstream(file, std::ios::binary) << contents(object, section);
      const std::string log = job.log();
      auto shown = job.run(Tool::iga, {"-d", "-p=9", "-Xprint-pc", "-Xprint-hex-floats", file});
      if (!shown) return shown.error();
      job.log() = log;  // it warns of the padding behind every kernel
      auto addresses = relocation_notes("address", object, *elf, number, path);
      if (!addresses) return addresses.error();
      const auto own = lines.of_kernel.find(name);
      text += fmt::format(
          "//@lockstep {} {}\n{}{}", functions ? "functions" : "kernel", name, *addresses,
          with_lines(*shown, own == lines.of_kernel.end() ? std::vector<GenLine>{} : own->second));
    } else if (section.name.starts_with(".data") || section.name.starts_with(".bss")) {
      auto pointers = relocation_notes("pointer", object, *elf, number, path);
      if (!pointers) return pointers.error();
      text += data_notes(object, section) + *pointers;
    }
  }
  for (const ElfSymbol& symbol : elf->symbols) {
    if (symbol.section == 0 || symbol.section >= elf->sections.size() || symbol.name.empty()) continue;
    const std::string& section = elf->sections[symbol.section].name;
    if (section.starts_with(".data") || section.starts_with(".bss") || shared_function(symbol))
      text += fmt::format("//@lockstep symbol {} {} {} {}\n", symbol.name, section, symbol.value,
                          symbol.size_bytes);
  }
  return text;
}

// What ocloc says beside the compiler's messages.
std::string messages_of(std::string_view output) {
  std::string kept;
  for (std::string_view rest = output; !rest.empty();) {
    const std::string_view line = take_line(rest);
    bool own = false;
    for (const std::string_view word :
         {"Build succeeded", "Build failed with error", "Command was:", "Compilation from IR", "Error! "})
      own = own || line.starts_with(word);
    if (!own) kept.append(line) += '\n';
  }
  while (kept.ends_with("\n\n")) kept.pop_back();
  return kept == "\n" ? std::string() : kept;
}

// One source for one device.
struct Ocloc {
  CompileJob& job;
  const ScratchDirectory& scratch;
  std::string device, options;
  std::string file;    // in the scratch directory
  bool spirv = false;  // it is SPIR-V

  Expected<std::string> run(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"compile",  "-file",       file,    "-device",
                                          device,     "-options",    options, "-output_no_suffix",
                                          "-out_dir", scratch.path()};
    if (spirv) arguments.push_back("-spirv_input");
    arguments.insert(arguments.end(), more.begin(), more.end());
    return job.run(Tool::ocloc, arguments);
  }
};

void write_file(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

// The source with the name that its user knows.
std::string named_source(const std::string& path, const std::string& source) {
  std::string name;
  for (const char c : path) {
    if (c == '"' || c == '\\') name += '\\';
    name += c == '\n' ? ' ' : c;
  }
  return fmt::format("# 1 \"{}\"\n{}", name, source);
}

Expected<std::string> compile_object(Ocloc& ocloc, const CompileRequest& request, const GenOptions& options) {
  const std::vector<std::string> to_zebin{"-internal_options", "-ze-allow-zebin", "-output", "program"};
  auto said = ocloc.run(to_zebin);
  const std::string messages = said ? messages_of(*said) : std::string();
  if (said && !options.optimises) {
    auto spirv = read_file(ocloc.scratch.file("program.spv"));
    if (spirv && negate_by_component(*spirv)) {
      ocloc.file = ocloc.scratch.file("mended.spv");
      ocloc.spirv = true;
      write_file(ocloc.file, *spirv);
      said = ocloc.run(to_zebin);
    }
  }
  if (!said) {
    Diagnostic error = said.error();
    if (error.code == "compile-failed") {
      error.message = messages_of(error.message);
      while (error.message.ends_with('\n')) error.message.pop_back();
    }
    return error;
  }
  ocloc.job.log() += messages;
  if (!options.ignored.empty()) ocloc.job.log().insert(0, ignored_options_note(options.ignored));
  auto made = read_file(ocloc.scratch.file("program"));
  if (!made)
    return Diagnostic{"compile-failed", {request.path, 0, 0}, "Intel's compiler made no program", ""};
  return made;
}

}  // namespace

Expected<PtxText> compile_gen(const CompileRequest& request, SourceLanguage language,
                              const std::string& source) {
  LOCKSTEP_ASSERT(request.target != nullptr && request.target->isa == IsaFamily::gen,
                  "compile_gen is for Intel's targets");
  auto scratch = ScratchDirectory::create();
  if (!scratch) return scratch.error();
  CompileJob job(request, &*scratch);
  std::string object = source;
  Ocloc ocloc{job, *scratch, std::string(request.target->compiler_target), {}, {}};
  LinesApart lines_apart;
  if (language == SourceLanguage::opencl_c) {
    auto options = gen_options(request);
    if (!options) return options.error();
    if (request.progress)
      request.progress(fmt::format("compiling {} for {}", request.path, request.target->name));
    ocloc.options = options->text;
    ocloc.file = scratch->file("program.cl");
    write_file(ocloc.file, named_source(request.path, source));
    auto made = compile_object(ocloc, request, *options);
    if (!made) return made.error();
    object = std::move(*made);
    if (request.line_table) {
      lines_apart = [&ocloc]() -> std::string {
        const std::string log = ocloc.job.log();
        auto said = ocloc.run({"-output", "lines"});
        ocloc.job.log() = log;
        auto lines = said ? read_file(ocloc.scratch.file("lines.dbg")) : Expected<std::string>(said.error());
        return lines ? std::move(*lines) : std::string();
      };
    }
  }
  auto text = text_of_object(job, *scratch, object, request.path, lines_apart);
  if (!text) return text.error();
  return PtxText{std::string(request.target->name), std::move(*text), job.log()};
}

}  // namespace lockstep

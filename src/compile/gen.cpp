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
#include "compile/gen_ocloc.h"
#include "compile/gen_spirv.h"

namespace lockstep {
namespace {

Diagnostic unsupported(const std::string& path, std::string message, std::string hint = "") {
  return {"unsupported-object", {path, 0, 0}, std::move(message), std::move(hint)};
}

constexpr u32 no_bits = 8;  // SHT_NOBITS: zeros that the file does not have

// Sections that the file has lie within it: text_of_object sees to that.
std::string_view contents(std::string_view object, const ElfSection& section) {
  if (section.type == no_bits) return {};
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

// Line tables have whole paths: one below the working directory as the user names them, who named the program
// from there. Of a program that was named by its whole path they have the name alone.
std::string as_named(const std::string& file, const std::string& program) {
  if (program.ends_with("/" + file)) return program;
  std::error_code none;
  const std::string here = std::filesystem::current_path(none).string() + "/";
  const bool below = file.starts_with(here) && !program.starts_with('/');
  return below ? file.substr(here.size()) : file;
}

// Compiles once more, to Intel's older kind of object, beside which line tables of several kernels lie.
using LinesApart = std::function<std::string()>;

Expected<std::string> text_of_object(CompileJob& job, const ScratchDirectory& scratch,
                                     const std::string& object, const std::string& path,
                                     const LinesApart& lines_apart) {
  const std::span<const u8> bytes(reinterpret_cast<const u8*>(object.data()), object.size());
  auto elf = read_elf(bytes, path);
  if (!elf) return elf.error();
  for (const ElfSection& section : elf->sections) {
    const bool inside =
        section.offset <= object.size() && section.size_bytes <= object.size() - section.offset;
    if (section.type != no_bits && !inside)
      return unsupported(path, fmt::format("the section '{}' lies outside the file", section.name));
  }
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
    text += fmt::format("//@lockstep file {} {}\n", i, as_named(lines.files[i], path));
  for (u32 number = 0; number < elf->sections.size(); ++number) {
    const ElfSection& section = elf->sections[number];
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

Expected<std::string> compile_object(Ocloc& ocloc, const CompileRequest& request, const GenOptions& options) {
  const std::vector<std::string> to_zebin{"-internal_options", "-ze-allow-zebin", "-output", "program"};
  auto said = ocloc.run(to_zebin);
  const std::string messages = said ? messages_of(*said) : std::string();
  if (said && !options.optimises && ocloc.kind.empty()) {
    auto spirv = read_file(ocloc.scratch.file("program.spv"));
    if (spirv && negate_by_component(*spirv)) {
      ocloc.take(*spirv);
      said = ocloc.run(to_zebin);
    }
  }
  if (!said) return said.error();
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
  Ocloc ocloc{job, *scratch, std::string(request.target->compiler_target), {}, {}, {}};
  LinesApart lines_apart;
  if (language != SourceLanguage::code_object) {
    auto options = gen_options(request);
    if (!options) return options.error();
    if (request.progress)
      request.progress(fmt::format("compiling {} for {}", request.path, request.target->name));
    ocloc.options = options->text;
    if (language == SourceLanguage::bitcode) {
      ocloc.take(source);
    } else {
      ocloc.file = scratch->file("program.cl");
      write_file(ocloc.file, named_source(request.path, source, *options));
    }
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

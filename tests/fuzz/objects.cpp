// Code objects: their ELF tables, their metadata, their listings, and what the programs in them do.
#include "fuzz/objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "compile/code_object_v2.h"
#include "compile/compile.h"
#include "compile/listing_reader.h"
#include "exec/functional.h"
#include "exec/printf.h"
#include "fuzz/kind.h"
#include "isa/amd/inspect.h"
#include "isa/amd/metadata.h"
#include "isa/amd/module.h"
#include "run/simulation.h"

namespace lockstep::fuzz {
namespace {

using nlohmann::json;

std::span<const u8> bytes_of(const std::string& text) {
  return {reinterpret_cast<const u8*>(text.data()), text.size()};
}

struct Seed {
  std::string file;  // the object's bytes
  const Target* target = nullptr;
  CompiledObject object;
};

const std::vector<Seed>& object_seeds() {
  static const std::vector<Seed> seeds = [] {
    std::vector<Seed> made;
    for (const std::string& path : files_of("tests/data/objects", ".hsaco")) {
      Seed seed;
      seed.file = read_whole(path);
      const std::size_t begin = path.rfind('_') + 1;
      seed.target = find_target(path.substr(begin, path.rfind('.') - begin));
      CompileRequest request;
      request.path = path;
      request.target = seed.target;
      request.use_cache = false;
      auto compiled = compile(request);
      if (!compiled || !compiled->object) continue;
      seed.object = std::move(*compiled->object);
      made.push_back(std::move(seed));
    }
    return made;
  }();
  return seeds;
}

// ---- the object's ELF

// The tables of an ELF file: where mutations meet something.
std::vector<std::pair<u64, u64>> tables_of(const std::string& input) {
  std::vector<std::pair<u64, u64>> tables{{0, 64}};
  const auto elf = read_elf(bytes_of(input), "seed");
  if (!elf) return tables;
  const auto at = [&](u64 offset) {
    u64 value = 0;
    std::memcpy(&value, input.data() + offset, 8);
    return value;
  };
  tables.push_back({at(0x28), 64 * elf->sections.size()});
  tables.push_back({at(0x20), 56 * elf->segments.size()});
  for (const ElfSection& section : elf->sections) {
    if (section.type != 8) tables.push_back({section.offset, section.size_bytes});
  }
  // Descriptors lie in .rodata, headers of version 2 before the code.
  for (const ElfSymbol& symbol : elf->symbols) {
    const bool descriptor = symbol.name.ends_with(".kd") || symbol.version2_kernel();
    if (!descriptor || symbol.section >= elf->sections.size()) continue;
    const ElfSection& section = elf->sections[symbol.section];
    tables.push_back(
        {section.offset + (symbol.value - section.address), symbol.version2_kernel() ? 256 : 64});
  }
  return tables;
}

void mutate_elf(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  const auto tables = tables_of(input);
  const auto [offset, size] = tables[below(random, tables.size())];
  if (size == 0 || offset > input.size() || size > input.size() - offset || below(random, 8) == 0)
    return mutate_bytes(input, seeds, random);
  const std::size_t width = std::size_t{1} << below(random, 4);
  const std::size_t at = offset + below(random, size) / width * width;
  u64 number = 0;
  if (at + width > input.size()) return;
  std::memcpy(&number, input.data() + at, width);
  switch (below(random, 4)) {
    case 0:
      number = edge_number(random);
      break;
    case 1:
      number += below(random, 33) - 16;
      break;
    case 2:
      number ^= u64{1} << below(random, 8 * width);
      break;
    default: {  // what another place of the same table has
      const std::size_t other = offset + below(random, size) / width * width;
      if (other + width <= input.size()) std::memcpy(&number, input.data() + other, width);
    }
  }
  std::memcpy(input.data() + at, &number, width);
}

std::vector<std::string> elf_seeds() {
  std::vector<std::string> seeds;
  for (const Seed& seed : object_seeds()) seeds.push_back(seed.file);
  return seeds;
}

std::optional<std::string> read_elf_file(const std::string& input) {
  const auto bytes = bytes_of(input);
  const auto elf = read_elf(bytes, "object.hsaco");
  if (!elf) return check_diagnostic(elf.error(), false);
  version2_kernels(bytes, *elf);
  // A limit as small as the object: what matters here is what is read, not how much memory is cleared.
  auto image = build_image(bytes, *elf, "object.hsaco", u64{1} << 24);
  if (!image) return check_diagnostic(image.error(), false);
  if (const Status moved = apply_relocations(*image, *elf, 0x10000, "object.hsaco"); !moved)
    return check_diagnostic(moved.error(), false);
  for (const ElfSymbol& symbol : elf->symbols) bytes_at(bytes, *elf, symbol.value, symbol.size_bytes);
  Module module;
  const Status described = amd::read_metadata(bytes, *elf, "object.hsaco", module);
  return described ? std::nullopt : check_diagnostic(described.error(), false);
}

// ---- an object with the listing that its seed has: "object" loads it, "program" runs it too

// The listing is the one of the seed whose target the first byte chooses; the rest is the object.
std::vector<std::string> program_seeds() {
  std::vector<std::string> seeds;
  for (std::size_t i = 0; i < object_seeds().size(); ++i)
    seeds.push_back(std::string(1, static_cast<char>(i)) + object_seeds()[i].file);
  return seeds;
}

void mutate_program(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  if (input.size() < 2) return;
  std::string file = input.substr(1);
  mutate_elf(file, seeds, random);
  input.replace(1, std::string::npos, file);
}

std::optional<std::string> read_program(const std::string& input, bool run) {
  const auto& seeds = object_seeds();
  if (input.empty() || static_cast<unsigned char>(input[0]) >= seeds.size()) return std::nullopt;
  CompiledObject object = seeds[static_cast<unsigned char>(input[0])].object;
  object.elf.assign(input.begin() + 1, input.end());
  return load(object, run);
}

// ---- whole files through the disassembler

std::optional<std::string> read_file_whole(const std::string& input, bool run) {
  const auto& seeds = object_seeds();
  if (input.empty() || static_cast<unsigned char>(input[0]) >= seeds.size()) return std::nullopt;
  CompileRequest request;
  request.path = "object.hsaco";
  request.source = input.substr(1);
  request.language = SourceLanguage::code_object;
  request.time_limit_ms = 5000;  // LLVM's disassembler takes some damaged objects for ever
  request.target = seeds[static_cast<unsigned char>(input[0])].target;
  request.use_cache = false;
  const auto compiled = compile(request);
  if (!compiled) return check_diagnostic(compiled.error(), false);
  return load(*compiled->object, run);
}

void mutate_code(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  if (input.size() < 2 || below(random, 3) == 0) return mutate_program(input, seeds, random);
  std::string file = input.substr(1);
  const auto elf = read_elf(bytes_of(file), "seed");
  const ElfSection* code = elf ? elf->find_section(".text") : nullptr;
  if (code == nullptr || code->size_bytes < 4 || code->offset + code->size_bytes > file.size())
    return mutate_program(input, seeds, random);
  const std::size_t at = 1 + code->offset + below(random, code->size_bytes / 4) * 4;
  mutate_word(input, at, random);
}

// ---- listings as text: operands, modifiers and mnemonics as people write them

std::string listing_text(const Listing& listing) {
  std::string text;
  for (const ListingLine& line : listing.lines) text += fmt::format("{}\n", listing.text(line));
  return text;
}

std::vector<std::string> listing_seeds() {
  std::vector<std::string> seeds;
  for (std::size_t i = 0; i < object_seeds().size(); ++i)
    seeds.push_back(static_cast<char>('0' + i) + listing_text(object_seeds()[i].object.listing));
  return seeds;
}

const std::vector<std::string>& listing_words() {
  static const std::vector<std::string> words = {"v0",
                                                 "v255",
                                                 "v[0:1]",
                                                 "v[254:257]",
                                                 "v[1:0]",
                                                 "s0",
                                                 "s101",
                                                 "s[0:3]",
                                                 "s[100:115]",
                                                 "vcc",
                                                 "exec",
                                                 "m0",
                                                 "scc",
                                                 "null",
                                                 "off",
                                                 "ttmp0",
                                                 "a0",
                                                 "a[0:15]",
                                                 "0x7fffffff",
                                                 "-1",
                                                 "1.0",
                                                 "lit(0x10)",
                                                 "offset:4095",
                                                 "offset:-4096",
                                                 "glc",
                                                 "slc",
                                                 "dlc",
                                                 "idxen",
                                                 "offen",
                                                 "addr64",
                                                 "lds",
                                                 "tfe",
                                                 "gds",
                                                 "quad_perm:[0,1,2,3]",
                                                 "row_shl:1",
                                                 "row_mask:0xf",
                                                 "bank_mask:0x0",
                                                 "bound_ctrl:0",
                                                 "dst_sel:BYTE_1",
                                                 "src0_sel:WORD_1",
                                                 "dst_unused:UNUSED_PRESERVE",
                                                 "op_sel:[1,1,1]",
                                                 "op_sel_hi:[0,0,0]",
                                                 "neg_lo:[1,1]",
                                                 "clamp",
                                                 "mul:2",
                                                 "div:2",
                                                 "-|v1|",
                                                 "sext(v1)",
                                                 "v_mov_b32_e32",
                                                 "v_mov_b32_dpp",
                                                 "v_add_f64",
                                                 "s_mov_b64",
                                                 "s_load_dwordx16",
                                                 "s_load_dword",
                                                 "ds_read2_b64",
                                                 "ds_write_b128",
                                                 "buffer_load_dwordx4",
                                                 "global_load_dword",
                                                 "flat_atomic_add_x2",
                                                 "v_movrels_b32_e32",
                                                 "s_setpc_b64",
                                                 "s_branch",
                                                 "s_cbranch_scc0",
                                                 "s_endpgm",
                                                 "v_readlane_b32",
                                                 "v_mfma_f32_32x32x1f32",
                                                 "v_div_scale_f64",
                                                 "v_cndmask_b32_e64",
                                                 "image_load",
                                                 "dmask:0xf",
                                                 "unorm",
                                                 "da",
                                                 "dim:SQ_RSRC_IMG_2D",
                                                 "vmcnt(0)",
                                                 "lgkmcnt(15)",
                                                 "hwreg(HW_REG_MODE, 0, 32)",
                                                 "sendmsg(MSG_INTERRUPT)",
                                                 "src_shared_base",
                                                 "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v3"};
  return words;
}

void mutate_listing(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  const char target = input.empty() ? '0' : input[0];
  std::string text = input.empty() ? std::string() : input.substr(1);
  mutate_text(text, seeds, random, listing_words());
  input = target + text;
}

// Each line takes the place of the seed's own: the text is another than the words, as in a forged archive.
std::optional<std::string> read_listing(const std::string& input, bool run) {
  const auto& seeds = object_seeds();
  if (input.empty()) return std::nullopt;
  const u32 index = static_cast<unsigned char>(input[0]) - u32{'0'};
  if (index >= seeds.size()) return std::nullopt;
  CompiledObject object = seeds[index].object;
  object.listing.texts.clear();
  std::size_t at = 1, used = 0;
  for (ListingLine& line : object.listing.lines) {
    const std::size_t end = std::min(input.find('\n', at), input.size());
    line.text_offset = static_cast<u32>(object.listing.texts.size());
    line.text_bytes = static_cast<u32>(end - std::min(at, end));
    object.listing.texts += input.substr(std::min(at, end), line.text_bytes);
    ++used;
    at = end + 1;
    if (at >= input.size()) break;
  }
  object.listing.lines.resize(used);
  return load(object, run);
}

// ---- metadata

std::vector<std::string> metadata_seeds() {
  std::vector<std::string> seeds;
  for (const Seed& seed : object_seeds()) {
    const auto elf = read_elf(bytes_of(seed.file), "seed");
    if (!elf) continue;
    for (const ElfNote& note : elf->notes) {
      const bool old = note.owner == "AMD" && note.type == 10;
      if (!old && note.owner != "AMDGPU") continue;
      seeds.push_back((old ? "2" : "3") + seed.file.substr(note.offset, note.size_bytes));
    }
  }
  return seeds;
}

// A node of the tree, chosen by the way there.
json* any_node(json& tree, Random& random) {
  json* node = &tree;
  while (node->is_structured() && !node->empty() && below(random, 8) != 0) {
    auto at = node->begin();
    std::advance(at, static_cast<std::ptrdiff_t>(below(random, node->size())));
    node = &*at;
  }
  return node;
}

void mutate_metadata(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  static const std::vector<std::string> words = {"Kernels:",
                                                 "- Name:",
                                                 "Args:",
                                                 "Size:",
                                                 "Align:",
                                                 "ValueKind:",
                                                 "HiddenGlobalOffsetX",
                                                 "GlobalBuffer",
                                                 "'",
                                                 "[",
                                                 "]",
                                                 "{",
                                                 "\"",
                                                 "ReqdWorkGroupSize:",
                                                 "[ 1, 2, 3 ]",
                                                 "Printf:",
                                                 "- '1:1:4:%d'",
                                                 "...",
                                                 "---",
                                                 "CodeProps:",
                                                 "KernargSegmentSize:"};
  if (input.empty()) return;
  std::string note = input.substr(1);
  if (input[0] == '2') {
    mutate_text(note, seeds, random, words);
  } else {
    json tree = json::from_msgpack(note.begin(), note.end(), true, false);
    if (tree.is_discarded() || below(random, 4) == 0) {
      mutate_bytes(note, seeds, random);
    } else {
      json* node = any_node(tree, random);
      static const json values[] = {nullptr,
                                    true,
                                    -1,
                                    0,
                                    1e300,
                                    "",
                                    "hidden_group_size_w",
                                    "hidden_block_count_",
                                    json::array(),
                                    json::object(),
                                    json::array({1, "x", nullptr}),
                                    u64{1} << 40,
                                    ".kd",
                                    json::binary({1, 2})};
      switch (below(random, 4)) {
        case 0:
          *node = edge_number(random);
          break;
        case 1:
          *node = values[below(random, std::size(values))];
          break;
        case 2: {
          const json copy = *any_node(tree, random);
          *node = copy;
          break;
        }
        default:
          if (node->is_structured() && !node->empty()) {
            auto at = node->begin();
            std::advance(at, static_cast<std::ptrdiff_t>(below(random, node->size())));
            node->erase(at);
          }
      }
      const auto bytes = json::to_msgpack(tree);
      note.assign(bytes.begin(), bytes.end());
    }
  }
  input.replace(1, std::string::npos, note);
}

std::optional<std::string> read_note(const std::string& input) {
  if (input.empty()) return std::nullopt;
  ElfFile elf;
  const bool old = input[0] == '2';
  elf.notes.push_back({old ? "AMD" : "AMDGPU", old ? 10u : 32u, 1, input.size() - 1});
  Module module;
  const Status described = amd::read_metadata(bytes_of(input), elf, "object.hsaco", module);
  return described ? std::nullopt : check_diagnostic(described.error(), false);
}

template <auto Read, bool Run>
std::optional<std::string> reader(const std::string& input) {
  return Read(input, Run);
}

}  // namespace

const std::vector<CompiledObject>& objects() {
  static const std::vector<CompiledObject> list = [] {
    std::vector<CompiledObject> made;
    for (const Seed& seed : object_seeds()) made.push_back(seed.object);
    return made;
  }();
  return list;
}

void run_kernel(const Module& module, const Program& program, const Machine* timed_on) {
  constexpr u64 most_bytes = u64{1} << 24;
  const KernelNeeds& needs = program.needs;
  if (needs.local_bytes > most_bytes || needs.private_bytes > 65536 || needs.argument_bytes > most_bytes)
    return;
  DeviceMemory memory(u64{1} << 30);
  std::vector<ArgumentValue> arguments;
  for (std::size_t i = 0; i < program.explicit_parameters(); ++i) {
    const Parameter& parameter = program.parameters[i];
    if (parameter.bytes > most_bytes) return;
    ArgumentValue value;
    value.bytes.resize(parameter.bytes);
    if (parameter.kind == ParameterKind::local_pointer) {
      value.local_bytes = 64;
    } else if (parameter.kind != ParameterKind::value && value.bytes.size() >= 8) {
      const auto buffer = memory.allocate(4096, 256, "buffer");
      if (!buffer) return;
      std::memcpy(value.bytes.data(), &*buffer, 8);
    }
    arguments.push_back(std::move(value));
  }
  constexpr u64 printf_bytes = 4096;
  const auto printed = memory.allocate(printf_bytes, 256, "printf");
  if (!printed || !prepare_printf_buffer(memory, *printed, printf_bytes, module.printf_formats)) return;
  NdRange range;
  const bool required = needs.required_group[0] != 0;
  for (u32 i = 0; i < 3; ++i) {
    range.local[i] = required ? needs.required_group[i] : i == 0 ? 64 : 1;
    range.global[i] = range.local[i];
  }
  if (range.group_items() > 1024) return;
  const auto launch = PreparedLaunch::make(memory, module, program, range, arguments, 16, *printed);
  if (!launch) return;
  FunctionalOptions options;
  options.instructions_per_wave = 3000;
  (void)run_functional(**launch, options).ok();
  std::vector<u8> records(printf_bytes);
  if (memory.read(*printed, records)) printf_text(records, module.printf_formats);
  if (timed_on == nullptr) return;
  SimulationOptions timed;
  timed.timed = true;
  timed.instructions_per_wave = 3000;
  timed.checks = {.bounds = true, .values = true, .barriers = true, .races = true};
  (void)execute(memory, *timed_on, module, program, range, arguments, timed).ok();
}

std::optional<std::string> load(const CompiledObject& object, bool run) {
  const Target* target = find_target(object.target);
  if (target == nullptr || target->isa != IsaFamily::amdgcn) return std::nullopt;
  amd::inspect(object, *target);
  const auto module = amd::load_module(object, *target, "object.hsaco");
  if (!module) return check_diagnostic(module.error(), false);
  const auto image = (*module)->image_at(0x1000000000);
  if (!image) return check_diagnostic(image.error(), false);
  if (run) {
    for (const Program& program : (*module)->programs) run_kernel(**module, program);
  }
  return std::nullopt;
}

std::vector<Kind> object_kinds() {
  return {{"elf", elf_seeds, mutate_elf, read_elf_file},
          {"metadata", metadata_seeds, mutate_metadata, read_note},
          {"object", program_seeds, mutate_program, reader<read_program, false>},
          {"program", program_seeds, mutate_program, reader<read_program, true>},
          {"listing", listing_seeds, mutate_listing, reader<read_listing, false>},
          {"code", listing_seeds, mutate_listing, reader<read_listing, true>},
          {"hsaco", program_seeds, mutate_code, reader<read_file_whole, true>}};
}

}  // namespace lockstep::fuzz

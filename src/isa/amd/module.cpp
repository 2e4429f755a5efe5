#include "isa/amd/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "isa/amd/control.h"
#include "isa/amd/decode.h"
#include "isa/amd/dual.h"
#include "isa/amd/interface.h"
#include "isa/amd/metadata.h"
#include "isa/amd/register_index.h"
#include "isa/amd/verify.h"
#include "isa/past_end.h"
#include "isa/semantic.h"

namespace lockstep::amd {
namespace {

template <class T>
T read_at(std::span<const u8> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

Expected<std::shared_ptr<KernelDescriptor>> read_descriptor(const CompiledObject& object, const ElfFile& elf,
                                                            u64 address, const std::string& kernel) {
  const std::span<const u8> bytes = bytes_at(object.elf, elf, address, 64);
  if (bytes.size() < 64) {
    return Diagnostic{
        "bad-elf", {}, fmt::format("the descriptor of kernel '{}' lies outside the object", kernel), ""};
  }
  auto descriptor = std::make_shared<KernelDescriptor>();
  descriptor->local_bytes = read_at<u32>(bytes, 0);
  descriptor->private_bytes = read_at<u32>(bytes, 4);
  descriptor->argument_bytes = read_at<u32>(bytes, 8);
  descriptor->entry_address = address + read_at<u64>(bytes, 16);
  descriptor->resources3 = read_at<u32>(bytes, 44);
  descriptor->resources1 = read_at<u32>(bytes, 48);
  descriptor->resources2 = read_at<u32>(bytes, 52);
  descriptor->properties = read_at<u16>(bytes, 56);
  return descriptor;
}

// The same fields of an amd_kernel_code_t, which stands before the code of a kernel in a code object of
// version 2. Source: LLVM 14, "User Guide for AMDGPU Backend", Code Object V2 Kernel Descriptor.
Expected<std::shared_ptr<KernelDescriptor>> read_version2_descriptor(const CompiledObject& object,
                                                                     const ElfFile& elf, u64 address,
                                                                     const std::string& kernel) {
  const std::span<const u8> bytes = bytes_at(object.elf, elf, address, 256);
  if (bytes.size() < 256) {
    return Diagnostic{
        "bad-elf", {}, fmt::format("the descriptor of kernel '{}' lies outside the object", kernel), ""};
  }
  auto descriptor = std::make_shared<KernelDescriptor>();
  descriptor->entry_address = address + read_at<u64>(bytes, 16);
  descriptor->resources1 = read_at<u32>(bytes, 48);
  descriptor->resources2 = read_at<u32>(bytes, 52);
  descriptor->properties =
      read_at<u32>(bytes, 56) & 0x47F;  // the user registers and wave32; the rest has other meanings
  descriptor->private_bytes = read_at<u32>(bytes, 60);
  descriptor->local_bytes = read_at<u32>(bytes, 64);
  descriptor->argument_bytes = read_at<u32>(bytes, 72);
  return descriptor;
}

// Source lines are shared by runs of instructions: the positions are interned.
class Positions {
 public:
  explicit Positions(Code& code) : code_(code) { code_.positions.emplace_back(); }
  u32 index(const ListingLine& line) {
    if (line.line == 0 || line.file == ListingLine::no_file) return 0;
    const auto key = std::make_tuple(line.file, line.line, line.column);
    const auto [at, added] = known_.try_emplace(key, static_cast<u32>(code_.positions.size()));
    if (added) code_.positions.push_back({line.file, line.line, line.column});
    return at->second;
  }

 private:
  Code& code_;
  std::map<std::tuple<u32, u32, u32>, u32> known_;
};

std::string function_at(const Listing& listing, u64 address) {
  std::string name;
  for (const ListingFunction& function : listing.functions) {
    if (function.address <= address) name = function.name;
  }
  return name;
}

Diagnostic with_place(Diagnostic diagnostic, const CompiledObject& object, const ListingLine& line,
                      const std::string& name) {
  if (line.line != 0 && line.file != ListingLine::no_file) {
    diagnostic.place = {object.listing.files[line.file], line.line, line.column};
  } else {
    diagnostic.place = {name, 0, 0};
  }
  diagnostic.message +=
      fmt::format(" at {:#x} in '{}'", line.address, function_at(object.listing, line.address));
  return diagnostic;
}

// In a module whose kernels have waves of both widths, functions may serve both.
void run_by_width(WaveState& wave, const Instruction& in, StepContext& context) {
  run_function(*in.meaning, wave.lanes)(wave, in, context);
}

// The run function for waves of `lanes` lanes; of either width where that is 0.
RunFunction run_of(const Semantic& meaning, u32 lanes) {
  return lanes == 0 ? &run_by_width : run_function(meaning, lanes);
}

void add_end(Code& code, u64 address, u32 line, u32 lanes) {
  Instruction& end = add_past_end(code, past_end(), address, line);
  end.run = run_of(past_end(), lanes);
  end.cost = Cost::nop;
  end.target = no_instruction;
}

Status decode_all(const CompiledObject& object, const Target& target, const std::string& name,
                  const ElfImage& image, u32 lanes, Code& code) {
  const Listing& listing = object.listing;
  if (listing.lines.empty()) return Success{};
  code.text_address = listing.lines.front().address;
  const u64 end = listing.lines.back().address + listing.lines.back().size_bytes;
  if (code.text_address < image.address || end < code.text_address ||
      end - image.address > image.bytes.size()) {
    return Diagnostic{"bad-elf", {name, 0, 0}, "code lies outside of what the object loads", ""};
  }
  code.index_of_word.assign((end - code.text_address) / 4, no_instruction);
  code.instructions.reserve(listing.lines.size());
  code.files = listing.files;
  Positions positions(code);
  u64 expected = code.text_address;
  for (const ListingLine& line : listing.lines) {
    const std::string_view text = listing.text(line);
    if (line.address != expected) add_end(code, expected, code.instructions.back().line, lanes);
    expected = line.address + line.size_bytes;
    const Encoded encoded{text, std::span(line.words.data(), line.size_bytes / 4), line.address};
    if (is_dual(text)) {
      auto pair = decode_dual(encoded, target);
      if (!pair) return with_place(pair.error(), object, line, name);
      (*pair)[0].run = run_dual;
      (*pair)[1].run = run_of(*(*pair)[1].meaning, lanes);
      code.index_of_word[(line.address - code.text_address) / 4] = static_cast<u32>(code.instructions.size());
      for (Instruction& half : *pair) {
        half.line = positions.index(line);
        code.instructions.push_back(half);
        code.text.emplace_back(text);
      }
      continue;
    }
    Expected<Instruction> decoded = decode(encoded, target);
    if (!decoded) return with_place(decoded.error(), object, line, name);
    decoded->line = positions.index(line);
    decoded->run = run_of(*decoded->meaning, lanes);
    code.index_of_word[(line.address - code.text_address) / 4] = static_cast<u32>(code.instructions.size());
    code.instructions.push_back(*decoded);
    code.text.emplace_back(text);
  }
  add_end(code, expected, code.instructions.back().line, lanes);
  // Branch targets become indices; a target outside the text is one that execution reports when it gets
  // there.
  for (Instruction& instruction : code.instructions) {
    instruction.target = no_instruction;
    if (instruction.cost != Cost::branch || instruction.operand[1].kind != OperandKind::immediate) continue;
    const u64 word = (instruction.operand[1].value - code.text_address) / 4;
    if (word < code.index_of_word.size()) instruction.target = code.index_of_word[word];
  }
  if (target.major <= 9) wire_register_indexing(code.instructions, lanes);
  return Success{};
}

// Kernel descriptors lie among the constants and are no variables.
std::vector<ModuleVariable> variables_of(const ElfFile& elf, const ElfImage& image) {
  std::vector<ModuleVariable> variables;
  for (const ElfSymbol& symbol : elf.symbols) {
    constexpr u8 object = 1;
    const bool inside = symbol.value >= image.address && symbol.value - image.address <= image.bytes.size() &&
                        symbol.size_bytes <= image.bytes.size() - (symbol.value - image.address);
    const bool descriptor = symbol.name.ends_with(".kd") || symbol.version2_kernel();
    if (symbol.type != object || symbol.section == 0 || symbol.size_bytes == 0 || descriptor || !inside)
      continue;
    variables.push_back({symbol.name, symbol.name, symbol.value, symbol.size_bytes});
  }
  std::stable_sort(variables.begin(), variables.end(),
                   [](const ModuleVariable& a, const ModuleVariable& b) { return a.address < b.address; });
  return variables;
}

}  // namespace

Expected<std::unique_ptr<Module>> load_module(const CompiledObject& object, const Target& target,
                                              const std::string& name) {
  auto module = std::make_unique<Module>();
  module->target = &target;
  module->code.target = &target;
  module->isa = &isa_interface();

  Expected<ElfFile> elf = read_elf(object.elf, name);
  if (!elf) return elf.error();
  Expected<ElfImage> image = build_image(object.elf, *elf, name);
  if (!image) return image.error();
  const Status described = read_metadata(object.elf, *elf, name, *module);
  if (!described) return described.error();
  if (const Status verified = verify_metadata(*module, name); !verified) return verified.error();

  std::vector<std::shared_ptr<KernelDescriptor>> descriptors;
  for (Program& program : module->programs) {
    const ElfSymbol* symbol = elf->find_symbol(program.name + ".kd");
    const ElfSymbol* old = symbol == nullptr ? elf->find_symbol(program.name) : nullptr;
    const bool version2 = old != nullptr && old->version2_kernel();
    if (version2) symbol = old;
    if (symbol == nullptr) {
      return Diagnostic{
          "bad-metadata", {name, 0, 0}, fmt::format("kernel '{}' has no descriptor", program.name), ""};
    }
    Expected<std::shared_ptr<KernelDescriptor>> descriptor =
        version2 ? read_version2_descriptor(object, *elf, symbol->value, program.name)
                 : read_descriptor(object, *elf, symbol->value, program.name);
    if (!descriptor) {
      Diagnostic error = descriptor.error();
      error.place = {name, 0, 0};
      return error;
    }
    program.needs.wave_lanes = (*descriptor)->wave32() && target.major >= 10 ? 32 : 64;
    program.needs.one_unit_a_group = target.major >= 10 && !(*descriptor)->workgroup_processor_mode();
    descriptors.push_back(*descriptor);
    program.descriptor_address = symbol->value;
    program.isa = *descriptor;
  }
  // One width for all of the code, or none.
  u32 lanes = module->programs.empty() ? target.default_width : module->programs[0].needs.wave_lanes;
  for (const Program& program : module->programs) {
    if (program.needs.wave_lanes != lanes) lanes = 0;
  }
  const Status decoded = decode_all(object, target, name, *image, lanes, module->code);
  if (!decoded) return decoded.error();

  for (Program& program : module->programs) {
    const auto& descriptor = static_cast<const KernelDescriptor&>(*program.isa);
    const u64 bytes = descriptor.entry_address - module->code.text_address;
    const u32 entry = bytes % 4 == 0 && bytes / 4 < module->code.index_of_word.size()
                          ? module->code.index_of_word[bytes / 4]
                          : no_instruction;
    if (entry == no_instruction) {
      return Diagnostic{"bad-elf",
                        {name, 0, 0},
                        fmt::format("kernel '{}' begins where no instruction is", program.name),
                        ""};
    }
    program.entry = entry;
    program.end = static_cast<u32>(module->code.instructions.size() - 1);
    for (const ListingFunction& function : object.listing.functions) {
      if (function.address != descriptor.entry_address) continue;
      const u64 last = (function.address + function.size_bytes - module->code.text_address) / 4;
      if (last < module->code.index_of_word.size() && module->code.index_of_word[last] != no_instruction) {
        program.end = module->code.index_of_word[last];
      }
    }
  }
  std::vector<u32> functions;
  for (const ListingFunction& function : object.listing.functions) {
    const u64 word = (function.address - module->code.text_address) / 4;
    if (word < module->code.index_of_word.size() && module->code.index_of_word[word] != no_instruction)
      functions.push_back(module->code.index_of_word[word]);
  }
  for (const Program& program : module->programs) functions.push_back(program.entry);
  std::sort(functions.begin(), functions.end());
  const Status verified = verify_code(*module, descriptors, functions, name);
  if (!verified) return verified.error();
  module->variables = variables_of(*elf, *image);
  module->elf = std::move(*elf);
  module->image = std::move(*image);
  return module;
}

}  // namespace lockstep::amd

#include "isa/gen/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "isa/gen/decode.h"
#include "isa/gen/interface.h"
#include "isa/gen/zebin_info.h"
#include "isa/past_end.h"
#include "isa/printf_records.h"

namespace lockstep::gen {
namespace {

// The number of a kernel's instructions without the padding behind its end, which is not reached: jumps do
// not lead there.
std::size_t instructions_of(const KernelText& kernel) {
  std::size_t count = kernel.lines.size();
  while (count > 0 && kernel.lines[count - 1].mnemonic == "illegal") --count;
  return count;
}

// Where they end, in bytes from the kernel's begin.
u32 end_of(const KernelText& kernel) {
  const std::size_t count = instructions_of(kernel);
  if (count == 0) return 0;
  return count < kernel.lines.size() ? kernel.lines[count].address : kernel.lines[count - 1].address + 16;
}

constexpr Semantic past_end = past_end_meaning([](WaveState&, const Instruction& in, StepContext& context) {
  raise_past_end(in.address, context, "a thread ends with a message that says EOT, a function with ret");
});

// Where something of the program's lies in the module's image.
struct ImagePlace {
  u64 address = 0;
  bool code = false;
};

// Where sections of data, code and symbols lie in the module's image: data first.
class Image {
 public:
  explicit Image(const ModuleText& text) {
    for (const DataText& data : text.data) {
      at_[data.name] = bytes_.size();
      const std::size_t begin = bytes_.size();
      bytes_.resize((begin + data.bytes + 63) / 64 * 64, 0);
      std::copy(data.contents.begin(), data.contents.end(),
                bytes_.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    for (const SymbolText& symbol : text.symbols) {
      const auto section = at_.find(symbol.section);
      if (section != at_.end()) symbols_[symbol.name] = {section->second + symbol.offset, false};
    }
    u64 next = bytes_.size();
    for (const KernelText& kernel : text.kernels) {
      code_.push_back(next);
      for (const SymbolText& symbol : text.symbols)
        if (symbol.section == ".text." + kernel.name) symbols_[symbol.name] = {next + symbol.offset, true};
      next += (end_of(kernel) + u64{63}) / 64 * 64;
    }
    end_ = next;
  }

  const u64* section(const std::string& name) const {
    const auto found = at_.find(name);
    return found == at_.end() ? nullptr : &found->second;
  }
  // Of a kernel's code, by its number in the text.
  u64 code(std::size_t kernel) const { return code_[kernel]; }
  u64 end() const { return end_; }
  const ImagePlace* symbol(const std::string& name) const {
    const auto found = symbols_.find(name);
    return found == symbols_.end() ? nullptr : &found->second;
  }
  u64 bytes() const { return bytes_.size(); }
  // What lies in data where an address belongs is added to it.
  u64 value(u64 at) const {
    u64 value;
    std::memcpy(&value, bytes_.data() + at, sizeof(value));
    return value;
  }
  // A function's address in data.
  void put(u64 at, u64 value) { std::memcpy(bytes_.data() + at, &value, sizeof(value)); }
  std::vector<u8> take() { return std::move(bytes_); }

 private:
  std::vector<u8> bytes_;
  std::vector<u64> code_;
  std::map<std::string, u64> at_;
  std::map<std::string, ImagePlace> symbols_;
  u64 end_ = 0;
};

class Loader {
 public:
  Loader(const ModuleText& text, const Target& target, const std::string& name)
      : text_(text), name_(name), image_(text), operations_(std::make_shared<std::vector<Operation>>()) {
    module_ = std::make_unique<Module>();
    module_->target = &target;
    module_->code.target = &target;
    module_->isa = &isa_interface();
    module_->code.files = text.files;
    module_->code.positions.emplace_back();
    module_->code.text_address = image_.bytes();
    module_->code.index_of_word.resize((image_.end() - image_.bytes()) / 4, ~u32{0});
  }

  Expected<std::unique_ptr<Module>> run() {
    Expected<InfoNode> info = parse_info(text_.info, name_);
    if (!info) return info.error();
    const InfoNode *kernels = info->find("kernels"), *names = info->find("kernels_misc_info");
    for (std::size_t number = 0; number < text_.kernels.size(); ++number) {
      const KernelText& kernel = text_.kernels[number];
      if (kernel.functions) {
        if (Status status = add_code(kernel, image_.code(number), false); !status) return status.error();
        continue;
      }
      const InfoNode *own = entry(kernels, kernel.name), *own_names = entry(names, kernel.name);
      if (own == nullptr)
        return Diagnostic{"bad-assembly",
                          {name_, kernel.text_line, 0},
                          fmt::format("the description (.ze_info) does not have kernel '{}'", kernel.name),
                          ""};
      Expected<KernelInfo> described = kernel_info(*own, own_names, name_);
      if (!described) return described.error();
      const u64 base = image_.code(number);
      if (Status status = add_kernel(kernel, base, std::move(*described)); !status) return status.error();
    }
    if (Status status = add_data(); !status) return status.error();
    for (const std::shared_ptr<GenProgram>& program : programs_) {
      program->operations = operations_;
      program->symbols = symbols_;
    }
    for (std::size_t i = 0; i < programs_.size(); ++i) module_->programs[i].isa = programs_[i];
    return std::move(module_);
  }

 private:
  static const InfoNode* entry(const InfoNode* list, const std::string& kernel) {
    if (list == nullptr) return nullptr;
    for (const InfoNode& one : list->children)
      if (one.text("name") == kernel) return &one;
    return nullptr;
  }

  Place place_of(const LineText& line) const {
    if (line.position.line != 0 && line.position.file < text_.files.size())
      return {text_.files[line.position.file], line.position.line, line.position.column};
    return {name_, line.text_line, 0};
  }

  // Numbers the symbol's address among those that the register file holds.
  Expected<SymbolOperand> symbol_operand(const AddressNote& note, const LineText& line) {
    const ImagePlace* at = image_.symbol(note.symbol);
    if (at == nullptr)
      return Diagnostic{"undefined-symbol", place_of(line),
                        fmt::format("the symbol '{}' is not in this program", note.symbol), ""};
    std::size_t number = 0;
    while (number < symbols_.size() &&
           (symbols_[number].address != at->address || symbols_[number].type != note.type))
      ++number;
    if (number == symbols_.size()) symbols_.push_back({at->address, static_cast<u8>(note.type), at->code});
    return SymbolOperand{file::symbols + 8 * static_cast<u32>(number), note.type};
  }

  u32 position_of(const LineText& line) {
    if (line.position.line == 0) return 0;
    std::vector<SourcePosition>& positions = module_->code.positions;
    const SourcePosition &last = positions.back(), &at = line.position;
    if (last.file != at.file || last.line != at.line || last.column != at.column) positions.push_back(at);
    return static_cast<u32>(positions.size() - 1);
  }

  // The instructions of a kernel or of functions, which lie from `base` on. A kernel's first does the
  // dispatcher's work as well.
  Status add_code(const KernelText& kernel, u64 base, bool starts) {
    Code& code = module_->code;
    const u32 entry = static_cast<u32>(code.instructions.size());
    const std::size_t count = instructions_of(kernel);
    std::map<u32, u32> index_of;
    for (std::size_t i = 0; i < count; ++i) index_of[kernel.lines[i].address] = entry + static_cast<u32>(i);
    const u32 end = end_of(kernel);
    AddressConstants constants;
    for (std::size_t i = 0; i < count; ++i) {
      const LineText& line = kernel.lines[i];
      const u32 next = i + 1 < kernel.lines.size() ? kernel.lines[i + 1].address : end;
      const AddressNote* note = nullptr;
      for (const AddressNote& one : kernel.addresses)
        if (one.offset >= line.address && one.offset < next) note = &one;
      SymbolOperand symbol;
      if (note != nullptr) {
        Expected<SymbolOperand> found = symbol_operand(*note, line);
        if (!found) return found.error();
        symbol = *found;
      }
      Expected<Decoded> decoded = decode(line, note != nullptr ? &symbol : nullptr, constants);
      if (!decoded) {
        Diagnostic error = decoded.error();
        error.place = place_of(line);
        return error;
      }
      if (decoded->jumps) {
        for (const auto& [address, to] :
             {std::pair{decoded->jump_address, &decoded->operation.jump},
              std::pair{decoded->other_jump_address, &decoded->operation.other_jump}}) {
          const auto target = index_of.find(address);
          if (target == index_of.end())
            return Diagnostic{"bad-jump", place_of(line),
                              fmt::format("a jump to {:#x}, where no instruction is: {}", address, line.text),
                              ""};
          *to = target->second;
        }
        decoded->in.target = decoded->operation.jump;
      }
      Instruction& in = decoded->in;
      in.address = base + line.address;
      in.size = static_cast<u8>(next - line.address);
      in.detail = static_cast<u32>(operations_->size());
      in.line = position_of(line);
      for (Source& source : decoded->operation.source)
        if (source.pointer) source.value = in.address;
      if (i == 0 && starts) {
        decoded->operation.then = in.run;
        in.run = run_first;
      }
      operations_->push_back(decoded->operation);
      code.instructions.push_back(in);
      code.text.emplace_back(line.text);
      code.index_of_word[(in.address - code.text_address) / 4] = entry + static_cast<u32>(i);
    }
    const u32 last_line = code.instructions.empty() ? 0 : code.instructions.back().line;
    add_past_end(code, past_end, base + end, last_line).detail = static_cast<u32>(operations_->size());
    operations_->emplace_back();
    return Success{};
  }

  Status add_kernel(const KernelText& kernel, u64 base, KernelInfo info) {
    Code& code = module_->code;
    Program program;
    program.name = kernel.name;
    program.entry = static_cast<u32>(code.instructions.size());
    if (Status status = add_code(kernel, base, true); !status) return status;
    program.end = static_cast<u32>(code.instructions.size());
    // Functions stand behind the kernel, and what stands past its end is no end of its own.
    const std::span<const Instruction> own =
        std::span(code.instructions).subspan(program.entry, instructions_of(kernel));
    const bool ends = std::ranges::any_of(own, [](const Instruction& in) { return in.cost == Cost::end; });
    const std::string_view last = own.empty() ? "" : kernel.lines[own.size() - 1].mnemonic;
    if (!ends || (own.back().cost != Cost::end && last != "ret" && last != "jmpi"))
      return Diagnostic{"bad-assembly",
                        {name_, kernel.text_line, 0},
                        fmt::format("kernel '{}' does not end with an end of thread", kernel.name),
                        ""};
    const auto prints = [](const PayloadField& field) {
      return field.kind == PayloadField::Kind::printf_buffer;
    };
    if (module_->printf_formats.empty() &&
        std::any_of(info.program.fields.begin(), info.program.fields.end(), prints))
      module_->printf_formats.emplace_back(printf_typed_format);
    program.needs = info.needs;
    program.parameters = std::move(info.parameters);
    programs_.push_back(std::make_shared<GenProgram>(std::move(info.program)));
    module_->programs.push_back(std::move(program));
    return Success{};
  }

  // As an object would have them: those that kernels can write lie in such a section.
  void add_symbol(const SymbolText& symbol, u64 address) {
    module_->variables.push_back({symbol.name, symbol.name, address, symbol.bytes, false});
    ElfFile& elf = module_->elf;
    constexpr u64 writable = 1, allocated = 2;
    if (elf.sections.empty()) {
      elf.sections.resize(2);
      elf.sections[1].name = ".data.global";
      elf.sections[1].flags = writable | allocated;
    }
    ElfSymbol made;
    made.name = symbol.name;
    made.value = address;
    made.size_bytes = symbol.bytes;
    made.section = symbol.section.ends_with(".global") ? 1 : 0;
    made.type = 1;
    elf.symbols.push_back(std::move(made));
  }

  Status add_data() {
    if (text_.data.empty()) return Success{};
    for (const DataText& data : text_.data) {
      for (const AddressNote& pointer : data.pointers) {
        const ImagePlace* at = image_.symbol(pointer.symbol);
        if (at == nullptr || pointer.offset + 8 > data.bytes || pointer.type != 1)
          return Diagnostic{
              "bad-assembly",
              {name_, 0, 0},
              fmt::format("an address of '{}' in the program's data that cannot be had", pointer.symbol),
              ""};
        const u64 place = *image_.section(data.name) + pointer.offset;
        if (at->code)
          image_.put(place, at->address + image_.value(place));
        else
          module_->fixups.push_back({place, at->address + image_.value(place), 8, 0});
      }
    }
    for (const SymbolText& symbol : text_.symbols) {
      const ImagePlace* at = image_.symbol(symbol.name);
      if (at != nullptr && !at->code) add_symbol(symbol, at->address);
    }
    std::sort(module_->variables.begin(), module_->variables.end(),
              [](const ModuleVariable& a, const ModuleVariable& b) { return a.address < b.address; });
    const u64* constants = image_.section(".data.const");
    const u64* globals = image_.section(".data.global");
    for (const std::shared_ptr<GenProgram>& program : programs_) {
      program->constant_base = constants == nullptr ? 0 : *constants;
      program->global_base = globals == nullptr ? 0 : *globals;
    }
    // The code lies behind the data; nothing reads it there.
    module_->image.bytes = image_.take();
    module_->image.bytes.resize(image_.end(), 0);
    return Success{};
  }

  const ModuleText& text_;
  const std::string& name_;
  Image image_;
  std::unique_ptr<Module> module_;
  std::shared_ptr<std::vector<Operation>> operations_;
  std::vector<SymbolAddress> symbols_;
  std::vector<std::shared_ptr<GenProgram>> programs_;
};

}  // namespace

Expected<std::unique_ptr<Module>> load_module(const std::string& text, const Target& target,
                                              const std::string& name) {
  Expected<ModuleText> parsed = parse_text(text, name);
  if (!parsed) return parsed.error();
  return Loader(*parsed, target, name).run();
}

}  // namespace lockstep::gen

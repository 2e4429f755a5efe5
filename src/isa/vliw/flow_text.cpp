#include "isa/vliw/flow_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "isa/vliw/image.h"
#include "isa/vliw/memory.h"

namespace lockstep::vliw {
namespace {

// "T10.XYZW": the register's number, its first channel, how many.
struct Registers {
  u32 index = 0, channel = 0, count = 0;
};

class Builder {
 public:
  Builder(const FunctionText& function, const RowLayout& layout, const Target& target,
          const std::string& name, const std::vector<std::string>& files)
      : function_(function), layout_(layout), target_(target), name_(name), files_(files) {}

  Expected<BuiltFunction> build() {
    for (at_ = 0; at_ < function_.flow.size() && !error_; ++at_) {
      begin_.push_back(static_cast<u32>(made_.code.size()));
      line_ = &function_.flow[at_];
      control_flow(*line_);
    }
    for (const auto& [instruction, target] : jumps_) {
      if (target >= begin_.size()) {
        fail("bad-jump",
             fmt::format("a jump in '{}' to @{}, where no control flow is", function_.name, target));
        break;
      }
      made_.code[instruction].in.target = begin_[target];
    }
    if (error_) return *error_;
    for (const Built& built : made_.code) made_.barriers = made_.barriers || built.in.cost == Cost::barrier;
    return std::move(made_);
  }

 private:
  // The first error counts; what goes on behind it reads zeros.
  void fail(std::string code, std::string message, std::string hint = "") {
    if (error_) return;
    Place place{name_, line_->text_line, 0};
    if (line_->position.line != 0)
      place = {files_[line_->position.file], line_->position.line, line_->position.column};
    error_ = Diagnostic{std::move(code), place, std::move(message), std::move(hint)};
  }
  void bad_operand(std::string_view what) {
    fail("bad-operand", fmt::format("{} in '{}'", what, line_->text));
  }

  u32 number(std::string_view text) {
    u32 value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size()) return value;
    bad_operand(fmt::format("'{}' is no number", text));
    return 0;
  }

  std::string_view operand(std::size_t i) {
    if (i < line_->operands.size()) return line_->operands[i];
    bad_operand("an operand is missing");
    return {};
  }

  Registers registers(std::string_view text) {
    Registers made;
    const std::size_t dot = text.find('.');
    const auto none = [&](std::string_view what) {
      bad_operand(what);
      return Registers{};
    };
    if (!text.starts_with('T')) return none(fmt::format("'{}' is no register", text));
    made.index = number(text.substr(1, dot == std::string_view::npos ? dot : dot - 1));
    if (made.index >= layout_.general) return none("a register beyond those of the kernel");
    if (dot == std::string_view::npos) return made;
    const std::string_view channels = text.substr(dot + 1);
    made.channel = static_cast<u32>(std::string_view("XYZW").find(channels.substr(0, 1)));
    made.count = static_cast<u32>(channels.size());
    if (made.channel > 3 || made.channel + made.count > 4)
      return none(fmt::format("'{}' is no register", text));
    return made;
  }

  Operand rows(const Registers& registers) const {
    Operand made;
    made.kind = OperandKind::vector;
    made.index = layout_.row(registers.index, registers.channel);
    made.registers = static_cast<u8>(std::max(registers.count, 1u));
    return made;
  }

  Built& add(const Semantic& meaning, Cost cost, u32 word, u32 bytes) {
    Built& built = made_.code.emplace_back();
    built.in.meaning = &meaning;
    built.in.run = meaning.run64;
    built.in.cost = cost;
    built.in.address = function_.address + u64{8} * word;
    built.in.size = static_cast<u8>(bytes);
    built.text = line_->text;
    built.position = line_->position;
    return built;
  }

  // "@9 POP:1": where to, and how many masks are given back.
  void jump(const Line& line, Step step) {
    std::string_view text = operand(0);
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view target = text.substr(0, blank),
                           rest = text.substr(std::min(blank + 1, text.size()));
    if (!target.starts_with('@')) return bad_operand("no target");
    Built& built = add(control(step), Cost::branch, at_, 8);
    if (rest.starts_with("POP:")) built.in.detail = number(rest.substr(4));
    built.text = line.text;
    jumps_.emplace_back(made_.code.size() - 1, number(target.substr(1)));
  }

  // "KC0[CB0:16-48]" or "KC0[]"
  void window(std::string_view text, u32 which, Windows& windows) {
    const std::size_t open = text.find('['), colon = text.find(':'), dash = text.find('-');
    if (!text.starts_with(which == 0 ? "KC0[" : "KC1[") || !text.ends_with(']'))
      return bad_operand("no constant window");
    if (open + 2 == text.size()) return;
    if (text.substr(open + 1, 3) != "CB0" || colon == std::string_view::npos ||
        dash == std::string_view::npos)
      return bad_operand("a constant buffer other than the kernel's parameters");
    windows.first[which] = number(text.substr(colon + 1, dash - colon - 1));
    const u32 end = number(text.substr(dash + 1, text.size() - dash - 2));
    if (end < windows.first[which] || end > 4096) return bad_operand("a constant window that does not end");
    windows.count[which] = end - windows.first[which];
  }

  void alu(bool push, After after) {
    const u32 count = number(operand(0)) + 1;
    if (!operand(1).starts_with('@')) return bad_operand("no clause");
    const auto clause = function_.alu.find(number(operand(1).substr(1)));
    if (clause == function_.alu.end()) return bad_operand("a clause that is not there");
    Windows windows;
    window(operand(2), 0, windows);
    window(operand(3), 1, windows);
    if (error_) return;
    add(control(push ? Step::push_clause : Step::clause), Cost::hint, at_, 8);
    const std::size_t begin = made_.code.size() - 1;
    const std::vector<Bundle>& bundles = clause->second.bundles;
    if (bundles.empty() || bundles.back().address + bundles.back().words() - clause->first != count)
      return bad_operand(fmt::format("the clause at {} is not of {} words", clause->first, count));
    ClauseBuilder builder(target_, layout_, windows);
    const Line* flow = line_;
    for (std::size_t i = 0; i < bundles.size(); ++i) {
      const bool last = i + 1 == bundles.size();
      const Status status =
          builder.add(bundles[i], last ? nullptr : &bundles[i + 1], last ? after : After::nothing,
                      function_.address + u64{8} * bundles[i].address, made_.code);
      if (status) continue;
      const Slot& slot = bundles[i].slots[0];
      Line place{slot.mnemonic, slot.text, {}, slot.text_line, slot.position};
      line_ = &place;
      fail(status.error().code, status.error().message, status.error().hint);
      break;
    }
    line_ = flow;
    made_.code[begin].in.detail = builder.constants();
    made_.constants = std::max(made_.constants, builder.constants());
  }

  void fetches() {
    std::string_view text = operand(0);
    const std::size_t blank = std::min(text.find(" @"), text.size());
    const u32 count = number(text.substr(0, blank)) + 1;
    const u32 word = number(text.substr(std::min(blank + 2, text.size())));
    const auto clause = function_.fetch.find(word);
    if (clause == function_.fetch.end()) return bad_operand("a clause that is not there");
    if (clause->second.fetches.size() != count)
      return bad_operand(fmt::format("the clause at {} is not of {} fetches", word, count));
    add(control(Step::clause), Cost::hint, at_, 8);
    const Line* flow = line_;
    for (u32 i = 0; i < count; ++i) {
      line_ = &clause->second.fetches[i];
      fetch(*line_, word + 2 * i);
    }
    line_ = flow;
  }

  // "T1.XY_1": a register, and by channel a component, a constant or nothing.
  u32 swizzled(std::string_view text, u32& swizzle) {
    const std::size_t dot = text.find('.');
    const u32 index = registers(text.substr(0, dot)).index;
    if (dot == std::string_view::npos || text.size() != dot + 5) {
      bad_operand(fmt::format("'{}' is no register of four channels", text));
      return 0;
    }
    swizzle = 0;
    for (u32 i = 0; i < 4; ++i) {
      const std::size_t select = std::string_view("XYZW01_").find(text[dot + 1 + i]);
      if (select == std::string_view::npos) bad_operand(fmt::format("'{}' is no channel", text[dot + 1 + i]));
      swizzle |= (static_cast<u32>(select) & 7) << (3 * i);
    }
    return index;
  }

  // "TEX_SAMPLE T1.XYZW, T0.XY00 RID:5 SID:3 CT:NNUU"
  void texture(const Line& line, u32 word) {
    const bool samples = line.mnemonic == "TEX_SAMPLE";
    std::string_view source = operand(1);
    const auto field = [&](std::string_view key) {
      const std::size_t at = source.find(key);
      if (at == std::string_view::npos) {
        bad_operand(fmt::format("no {}", key));
        return std::string_view();
      }
      const std::string_view value = source.substr(at + key.size());
      return value.substr(0, value.find(' '));
    };
    TextureForm form;
    form.resource = static_cast<u8>(number(field("RID:")));
    form.sampler = static_cast<u8>(number(field("SID:")));
    const std::string_view coordinates = field("CT:");
    for (u32 i = 0; i < coordinates.size() && i < 4; ++i)
      form.normalized |= static_cast<u8>(coordinates[i] == 'N' ? 1u << i : 0u);
    u32 swizzle = 0;
    const u32 result = swizzled(operand(0), swizzle);
    form.result = static_cast<u16>(swizzle);
    const u32 from = swizzled(source.substr(0, source.find(' ')), swizzle);
    form.source = static_cast<u16>(swizzle);
    Built& built = add(samples ? sample_texture() : fetch_texel(), Cost::vmem_image, word, 16);
    built.in.addressing = Addressing::image;
    built.in.policy.flags |= AccessPolicy::read_only;
    built.in.operand[0] = rows({result, 0, 4});
    built.in.operand[1] = rows({from, 0, 4});
    form.pack(built.in);
  }

  void fetch(const Line& line, u32 word) {
    if (line.mnemonic == "TEX_SAMPLE" || line.mnemonic == "TEX_LD") return texture(line, word);
    static constexpr std::pair<std::string_view, u32> sizes[] = {
        {"VTX_READ_8", 1}, {"VTX_READ_16", 2}, {"VTX_READ_32", 4}, {"VTX_READ_64", 8}, {"VTX_READ_128", 16}};
    const auto size = std::find_if(std::begin(sizes), std::end(sizes),
                                   [&](const auto& entry) { return entry.first == line.mnemonic; });
    if (size == std::end(sizes))
      return fail("unknown-instruction", fmt::format("the fetch '{}' is not known", line.mnemonic));
    const Registers result = registers(operand(0));
    if (result.count != std::max(size->second / 4, 1u))
      return bad_operand("a result that does not fit the fetch's size");
    if (!operand(3).starts_with('#')) return bad_operand("no resource");
    const u32 resource = number(operand(3).substr(1));
    if (resource < 1 || resource > 3)
      return bad_operand(
          "a resource that is neither global memory (#1), the program's constants (#2) nor its parameters "
          "(#3)");
    Built& built = add(*find_fetch(static_cast<Resource>(resource), size->second), Cost::vmem_load, word, 16);
    built.in.addressing = Addressing::global;
    if (static_cast<Resource>(resource) != Resource::global) built.in.policy.flags |= AccessPolicy::read_only;
    built.in.operand[0] = rows(result);
    Registers address = registers(operand(1));
    built.in.operand[1] = rows(address);
    built.in.offset = static_cast<i32>(number(operand(2)));
  }

  // "MEM_RAT STORE_TYPED RAT(1) T0, T1, 1": the texel, its place.
  void typed_store(std::string_view target) {
    const std::size_t close = target.find(')');
    if (!target.starts_with("RAT(") || close == std::string_view::npos)
      return bad_operand("no target of the store");
    const u32 number_of_target = number(target.substr(4, close - 4));
    const Registers data = registers(target.substr(std::min(close + 2, target.size())));
    const Registers place = registers(operand(1));
    Built& built = add(store_texel(), Cost::vmem_store, at_, 8);
    built.in.addressing = Addressing::image;
    built.in.operand[1] = rows({place.index, 0, 4});
    built.in.operand[2] = rows({data.index, 0, 4});
    built.in.detail = number_of_target;
  }

  // "MEM_RAT_CACHELESS STORE_RAW T0.XY, T1.X, 1": random access targets, which all of global memory is.
  void memory_export() {
    const std::string_view first = operand(0);
    const std::size_t blank = std::min(first.find(' '), first.size());
    const std::string_view operation = first.substr(0, blank);
    if (operation == "STORE_TYPED") return typed_store(first.substr(std::min(blank + 1, first.size())));
    const Registers data = registers(first.substr(std::min(blank + 1, first.size())));
    const Operand index = rows(registers(operand(1)));
    if (operation == "STORE_RAW" || operation == "STORE_DWORD") {
      const Semantic* meaning = data.channel == 0 ? find_store(data.count) : nullptr;
      if (meaning == nullptr) return bad_operand("channels that are not the first ones");
      Built& built = add(*meaning, Cost::vmem_store, at_, 8);
      built.in.addressing = Addressing::global;
      built.in.operand[1] = index;
      built.in.operand[2] = rows(data);
      built.in.detail = 2;
      return;
    }
    if (operation == "MSKOR") {
      // x is the value, w the mask.
      const Operand value = rows({data.index, 0, 1}), mask = rows({data.index, 3, 1});
      Built& header = add(packet(), Cost::vmem_store, at_, 8);
      header.in.run = &run_packet;
      header.in.slots = 3;
      Operand shifted;
      shifted.kind = OperandKind::vector;
      shifted.index = layout_.materialized(0);
      Built& shift = add(shift_to_mask(), Cost::vmem_store, at_, 0);
      shift.in.operand[0] = shifted;
      shift.in.operand[1] = value;
      shift.in.operand[2] = mask;
      Built& store = add(masked_store(), Cost::vmem_store, at_, 0);
      store.in.addressing = Addressing::global;
      store.in.operand[1] = index;
      store.in.operand[2] = shifted;
      store.in.operand[3] = mask;
      store.in.detail = 2;
      return;
    }
    constexpr std::string_view with_return = "_RTN";
    const bool returns = operation.ends_with(with_return);
    const std::string_view name = operation.substr(0, operation.size() - (returns ? with_return.size() : 0));
    const Semantic* meaning = find_global_atomic(name);
    if (meaning == nullptr)
      return fail("unknown-instruction", fmt::format("the memory operation '{}' is not known", operation));
    Built& built = add(*meaning, Cost::vmem_atomic, at_, 8);
    built.in.addressing = Addressing::global;
    built.in.operand[1] = index;
    built.in.operand[2] = rows({data.index, 0, 1});
    if (name == "ATOMIC_CMPXCHG_INT") built.in.operand[5] = rows({data.index, 3, 1});
    // LLVM hands atomics the address in bytes, where stores have it in dwords.
    built.in.detail = 0;
    if (!returns) return;
    // The old value goes to the memory that y points to, which waits for it.
    Operand old;
    old.kind = OperandKind::vector;
    old.index = layout_.materialized(0);
    built.in.operand[0] = old;
    built.in.flags |= Instruction::returns;
    Built& store = add(*find_store(1), Cost::vmem_store, at_, 0);
    store.in.addressing = Addressing::global;
    store.in.operand[1] = rows({data.index, 1, 1});
    store.in.operand[2] = old;
    store.in.detail = 0;
  }

  void control_flow(const Line& line) {
    const std::string_view word = line.mnemonic;
    static constexpr std::pair<std::string_view, After> clauses[] = {
        {"ALU", After::nothing},          {"ALU_POP_AFTER", After::pop}, {"ALU_POP2_AFTER", After::pop2},
        {"ALU_ELSE_AFTER", After::else_}, {"ALU_BREAK", After::break_},  {"ALU_CONTINUE", After::continue_}};
    for (const auto& [name, after] : clauses) {
      if (word == name) return alu(false, after);
    }
    static constexpr std::pair<std::string_view, Step> jumps[] = {{"JUMP", Step::jump},
                                                                  {"ELSE", Step::else_},
                                                                  {"POP", Step::pop},
                                                                  {"PUSH", Step::push},
                                                                  {"END_LOOP", Step::loop_end},
                                                                  {"LOOP_START_DX10", Step::loop_start},
                                                                  {"LOOP_BREAK", Step::loop_break},
                                                                  {"CONTINUE", Step::loop_continue},
                                                                  {"LOOP_CONTINUE", Step::loop_continue}};
    for (const auto& [name, step] : jumps) {
      if (word == name) return jump(line, step);
    }
    if (word == "ALU_PUSH_BEFORE") return alu(true, After::nothing);
    if (word == "TEX" || word == "VTX") return fetches();
    if (word == "MEM_RAT" || word == "MEM_RAT_CACHELESS") return memory_export();
    if (word == "PAD" || word == "NOP") {
      add(control(Step::nothing), Cost::nop, at_, 8);
    } else if (word == "CF_END") {
      add(control(Step::end), Cost::end, at_, 8);
    } else {
      fail("unknown-instruction", fmt::format("the control-flow instruction '{}' is not known", word));
    }
  }

  const FunctionText& function_;
  const RowLayout& layout_;
  const Target& target_;
  const std::string& name_;
  const std::vector<std::string>& files_;
  BuiltFunction made_;
  const Line* line_ = nullptr;
  u32 at_ = 0;
  std::optional<Diagnostic> error_;
  std::vector<u32> begin_;  // by control-flow instruction: where it stands
  std::vector<std::pair<std::size_t, u32>> jumps_;
};

}  // namespace

Expected<BuiltFunction> build_function(const FunctionText& function, const RowLayout& layout,
                                       const Target& target, const std::string& name,
                                       const std::vector<std::string>& files) {
  return Builder(function, layout, target, name, files).build();
}

}  // namespace lockstep::vliw

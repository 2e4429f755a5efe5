#include "isa/nv/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/align.h"
#include "isa/nv/shared_layout.h"

namespace lockstep::nv {
namespace {

constexpr u64 most_image_bytes = u64{1} << 30;

// Formal parameters one behind the other; returns the bytes.
u32 place_parameters(const ModuleTree& tree, const std::vector<u32>& list, u32 at,
                     std::vector<u64>* address) {
  for (const u32 index : list) {
    const Variable& variable = tree.variables[index];
    at = static_cast<u32>(align_up(at, std::max(variable.align, 1u)));
    if (address != nullptr) (*address)[index] = at;
    at += static_cast<u32>(variable.bytes);
  }
  return at;
}

// Offsets of a callee's formal parameters, results first.
std::vector<u32> formal_offsets(const ModuleTree& tree, const FunctionTree& callee, bool results) {
  std::vector<u64> address(tree.variables.size(), 0);
  const u32 at = place_parameters(tree, callee.results, 0, &address);
  place_parameters(tree, callee.parameters, at, &address);
  std::vector<u32> offsets;
  for (const u32 index : results ? callee.results : callee.parameters)
    offsets.push_back(static_cast<u32>(address[index]));
  return offsets;
}

void bind_calls(const ModuleTree& tree, const FunctionTree& function, Layout& layout) {
  for (const Statement& statement : function.body) {
    if (statement.words.empty() || statement.words[0] != "call") continue;
    const std::vector<OperandTree>& operands = statement.operands;
    std::size_t at = 0;
    const OperandTree* results = nullptr;
    if (at < operands.size() && operands[at].kind == OperandTree::Kind::list) results = &operands[at++];
    if (at >= operands.size()) continue;
    const FunctionTree* callee = nullptr;
    if (operands[at].kind == OperandTree::Kind::name) {
      const auto found = tree.function_named.find(operands[at].name);
      if (found != tree.function_named.end()) callee = &tree.functions[found->second];
    } else if (operands.back().kind == OperandTree::Kind::name) {
      // Through a pointer: as its prototype, or the first of its targets, has them.
      const auto prototype = function.prototypes.find(operands.back().name);
      if (prototype != function.prototypes.end()) callee = &tree.functions[prototype->second];
      const auto list = function.branch_targets.find(operands.back().name);
      if (list != function.branch_targets.end() && !list->second.labels.empty()) {
        const auto found = tree.function_named.find(list->second.labels[0]);
        if (found != tree.function_named.end()) callee = &tree.functions[found->second];
      }
    }
    if (callee == nullptr) continue;
    const OperandTree* parameters =
        ++at < operands.size() && operands[at].kind == OperandTree::Kind::list ? &operands[at] : nullptr;
    const auto bind = [&](const OperandTree* list, bool is_result) {
      if (list == nullptr) return;
      const std::vector<u32> offsets = formal_offsets(tree, *callee, is_result);
      for (std::size_t i = 0; i < list->parts.size() && i < offsets.size(); ++i) {
        if (list->parts[i].kind == OperandTree::Kind::variable)
          layout.call_offset[list->parts[i].index] = offsets[i];
      }
    };
    bind(results, true);
    bind(parameters, false);
  }
}

Status fill(const ModuleTree& tree, const Variable& variable, u64 at, std::string_view text,
            const std::string& name, Layout& layout, std::vector<AddressFixup>& fixups) {
  const u32 element = std::max(bytes_of(variable.type), 1u);
  for (const InitialValue& value : variable.initial) {
    u64 bits = static_cast<u64>(value.value);
    if (!value.symbol.empty()) {
      const auto found = tree.variable_named.find(value.symbol);
      const auto function = tree.function_named.find(value.symbol);
      if (found == tree.variable_named.end() && function != tree.function_named.end()) {
        bits = function_address(function->second) + bits;
        if (value.mask_shift != no_index) bits = (bits >> value.mask_shift) & 0xFF;
        std::memcpy(layout.image.data() + at, &bits, std::min<u32>(element, 8));
        at += element;
        continue;
      }
      if (found == tree.variable_named.end())
        return bad_ptx(text, name, value.line, fmt::format("'{}' is not declared", value.symbol));
      const Variable& target = tree.variables[found->second];
      const u64 address = layout.address[found->second];
      if (address == nowhere64)
        return bad_ptx(text, name, value.line,
                       fmt::format("'{}' is not defined in this module", value.symbol));
      const u8 shift = value.mask_shift == no_index ? u8{0} : static_cast<u8>(value.mask_shift);
      // An address has 8 bytes; what is behind them in a wider element is 0.
      const u8 bytes = value.mask_shift == no_index ? static_cast<u8>(std::min(element, 8u)) : u8{1};
      if (target.unsized)
        return bad_ptx(text, name, value.line,
                       fmt::format("where '{}' begins is known when a kernel runs", value.symbol));
      if (target.space == StateSpace::shared) {
        bits = (address + bits) >> shift;
      } else {
        fixups.push_back({at, address + bits, bytes, shift});
        bits = 0;
      }
    }
    std::memcpy(layout.image.data() + at, &bits, std::min<u32>(element, 8));
    at += element;
  }
  return Success{};
}

// A callee's frame begins where its caller's ends: so that every variable has its alignment (LLVM computes
// addresses with "or" where it knows it), all frames are multiples of the strictest one.
u64 frame_alignment(const ModuleTree& tree) {
  u64 most = 16;
  for (const FunctionTree& function : tree.functions) {
    for (const auto* list : {&function.locals, &function.parameters, &function.results}) {
      if (function.kernel && list == &function.parameters) continue;
      for (const u32 index : *list) {
        const Variable& variable = tree.variables[index];
        if (variable.space == StateSpace::local || variable.space == StateSpace::param)
          most = std::max<u64>(most, variable.align);
      }
    }
  }
  return most;
}

}  // namespace

Status lay_out(const ModuleTree& tree, std::string_view text, const std::string& name, Layout& layout,
               std::vector<AddressFixup>& fixups) {
  layout.address.assign(tree.variables.size(), nowhere64);
  layout.call_offset.assign(tree.variables.size(), no_index);
  layout.frame_bytes.assign(tree.functions.size(), 0);
  layout.parameter_bytes.assign(tree.functions.size(), 0);
  u64 image = 0;
  for (u32 i = 0; i < tree.variables.size(); ++i) {
    const Variable& variable = tree.variables[i];
    if (variable.space == StateSpace::global || variable.space == StateSpace::constant) {
      if (variable.external || type_named("texref") == variable.type) continue;
      image = align_up(image, std::max(variable.align, 1u));
      layout.address[i] = image;
      image += variable.bytes;
    }
    if (image > most_image_bytes ||
        (variable.space == StateSpace::shared && variable.bytes > most_image_bytes))
      return bad_ptx(text, name, variable.line, "the module's variables take more than a gibibyte");
  }
  lay_out_shared(tree, layout);
  for (u32 f = 0; f < tree.functions.size(); ++f) {
    if (layout.shared_bytes[f] > most_image_bytes)
      return bad_ptx(text, name, tree.functions[f].line,
                     "the kernel's shared variables take more than a gibibyte");
  }
  const u64 frame_align = frame_alignment(tree);
  for (u32 f = 0; f < tree.functions.size(); ++f) {
    const FunctionTree& function = tree.functions[f];
    bind_calls(tree, function, layout);
    u64 at = 0;
    if (function.kernel) {
      layout.parameter_bytes[f] = place_parameters(tree, function.parameters, 0, &layout.address);
    } else {
      at = place_parameters(tree, function.results, 0, &layout.address);
      at = place_parameters(tree, function.parameters, static_cast<u32>(at), &layout.address);
    }
    for (const u32 index : function.locals) {
      const Variable& variable = tree.variables[index];
      if (variable.space != StateSpace::local && variable.space != StateSpace::param) continue;
      if (layout.call_offset[index] != no_index) {
        layout.address[index] = 0;
        continue;
      }
      at = align_up(at, std::max(variable.align, 1u));
      layout.address[index] = at;
      at += variable.bytes;
      if (at > (u64{1} << 24))
        return bad_ptx(text, name, variable.line, "local variables take more than 16 MiB");
    }
    at = align_up(at, frame_align);
    if (at > (u64{1} << 24))
      return bad_ptx(text, name, function.line, "local variables take more than 16 MiB");
    layout.frame_bytes[f] = static_cast<u32>(at);
  }
  // Read in pieces of 16 bytes, as libclc's tables are, the last one lies in memory whole.
  layout.image.assign(align_up(image, 16), 0);
  for (u32 i = 0; i < tree.variables.size(); ++i) {
    const Variable& variable = tree.variables[i];
    if (variable.initial.empty()) continue;
    const bool in_image = variable.space == StateSpace::global || variable.space == StateSpace::constant;
    if (!in_image || layout.address[i] == nowhere64)
      return bad_ptx(text, name, variable.line,
                     fmt::format("'{}' cannot have initial values", variable.name));
    const Status filled = fill(tree, variable, layout.address[i], text, name, layout, fixups);
    if (!filled) return filled.error();
  }
  return Success{};
}

}  // namespace lockstep::nv

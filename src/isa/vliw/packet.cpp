#include "isa/vliw/packet.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/vliw/operations.h"

namespace lockstep::vliw {

// An instruction of the packet at hand and when it has its turn: what changes the lanes that run, the
// predicate, AR or a register chosen by AR comes after everything that may ask for them.
struct ClauseBuilder::Part {
  Instruction in;
  const Slot* slot = nullptr;
  bool late = false;
  u32 place = 5;  // of the slot whose result it makes; 5: no slot's
};

namespace {

constexpr u32 scalar_place = 4;

Diagnostic bad_operand(const Slot& slot, std::string_view what, std::string hint = "") {
  return {"bad-operand", {}, fmt::format("{} in '{}'", what, slot.text), std::move(hint)};
}

Operand vector_operand(u32 row) {
  Operand operand;
  operand.kind = OperandKind::vector;
  operand.index = row;
  return operand;
}

Operand scalar_operand(u32 index, u32 registers = 1) {
  Operand operand;
  operand.kind = OperandKind::scalar;
  operand.index = index;
  operand.registers = static_cast<u8>(registers);
  return operand;
}

Operand constant_operand(u64 value) {
  Operand operand;
  operand.kind = OperandKind::immediate;
  operand.value = value;
  return operand;
}

bool reads_row(const Instruction& in, u32 row) {
  const bool store = (in.meaning->implied & implies::keeps_result) != 0;
  for (std::size_t i = store ? 0 : 1; i < in.operand.size(); ++i) {
    const Operand& operand = in.operand[i];
    if (operand.kind == OperandKind::vector && row - operand.index < operand.registers) return true;
  }
  return in.meaning == &read_relative();
}

}  // namespace

Expected<Operand> ClauseBuilder::source(const SlotOperand& operand, const Bundle& bundle, u32 number) {
  const Slot& slot = bundle.slots[number];
  Operand made;
  switch (operand.bank) {
    case Bank::general:
      if (operand.index >= layout_.general) return bad_operand(slot, "a register beyond those of the kernel");
      made = vector_operand(layout_.row(operand.index, operand.channel));
      break;
    case Bank::constant: {
      if (operand.index >= windows_.count[operand.window])
        return bad_operand(slot, "a constant outside of the clause's window");
      const u32 dword = 4 * (windows_.first[operand.window] + operand.index) + operand.channel;
      constants_ = std::max(constants_, dword + 1);
      made = scalar_operand(fixed_scalar::constants + dword);
      break;
    }
    case Bank::value:
      made = constant_operand(operand.value);
      break;
    case Bank::literal:
      if (operand.channel >= bundle.literals)
        return bad_operand(slot, "a literal that the bundle does not have");
      made = constant_operand(bundle.literal[operand.channel]);
      break;
    case Bank::previous_vector:
    case Bank::previous_scalar: {
      const u32 place = operand.bank == Bank::previous_scalar ? scalar_place : operand.channel;
      if (!previous_known_[place])
        return bad_operand(slot, "a previous result that the bundle before it does not have",
                           "PV and PS hold the results of the bundle right before, within one clause");
      made = vector_operand(previous_[place]);
      break;
    }
    case Bank::queue:
      if (taken_ == queued_) return bad_operand(slot, "a value from the return queue, which is empty");
      made = vector_operand(layout_.queue(taken_++));
      break;
    case Bank::address:
      made = vector_operand(layout_.address());
      break;
    default:
      return bad_operand(slot, "an operand that is no source");
  }
  if (operand.negate) made.modifiers |= Operand::negate;
  if (operand.absolute) made.modifiers |= Operand::absolute;
  return made;
}

// The operand as a plain row: a copy where it is anything else.
Operand ClauseBuilder::materialized(const Operand& from, const Slot& slot, std::vector<Part>& parts) {
  if (from.kind == OperandKind::vector && from.plain()) return from;
  Part& part = parts.emplace_back();
  part.slot = &slot;
  part.in.meaning = &move_bits();
  part.in.operand[0] = vector_operand(layout_.materialized(materialized_++));
  part.in.operand[1] = from;
  return part.in.operand[0];
}

Status ClauseBuilder::add_lanewise(const Slot& slot, const Operation& operation, u32 number,
                                   std::vector<Operand> sources, std::vector<Part>& parts) {
  const u32 place = places_[number];
  const SlotOperand& result = slot.operands[0];
  if (operation.form == Form::select) {
    // Two instructions: which lanes, then one of two values for each.
    Part& compare = parts.emplace_back();
    compare.slot = &slot;
    compare.in.meaning = operation.meaning;
    compare.in.operand[0] = scalar_operand(fixed_scalar::scratch_mask, 2);
    compare.in.operand[1] = sources[0];
    compare.in.operand[2] = constant_operand(0);
    sources = {sources[2], sources[1], scalar_operand(fixed_scalar::scratch_mask, 2)};
  }
  Part part;
  part.slot = &slot;
  part.place = place;
  Instruction& in = part.in;
  in.meaning = operation.form == Form::select ? &select_lanes() : operation.meaning;
  const bool modifies = slot.clamp || slot.output_scale != 0;
  if (modifies && in.meaning == &move_bits()) in.meaning = &move_float();
  if (modifies && in.meaning->result != Kind::f32)
    return bad_operand(slot, "an output modifier on a result that is no float");
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Kind kind = in.meaning->source[i];
    // Modifiers mean the sign of an f32.
    in.operand[1 + i] = kind == Kind::f16 ? materialized(sources[i], slot, parts) : sources[i];
  }
  if (slot.clamp) in.flags |= Instruction::clamp;
  in.amd.output_scale = slot.output_scale;
  const u32 buffer = layout_.written(parity_, place);
  if (result.bank == Bank::relative) {
    in.operand[0] = vector_operand(buffer);
    Part write;
    write.slot = &slot;
    write.late = true;
    write.in.meaning = &write_relative();
    write.in.operand[1] = vector_operand(buffer);
    write.in.operand[2] = constant_operand(layout_.row(result.index, result.channel));
    write.in.operand[3] = constant_operand(layout_.general);
    write.in.operand[4] = vector_operand(layout_.address());
    parts.push_back(part);
    parts.push_back(write);
    current_[place] = buffer;
  } else if (result.masked) {
    // Nobody sees it but the next bundle.
    current_[place] = buffer;
    current_known_[place] = true;
    if (!wanted_[place]) return Success{};
    in.operand[0] = vector_operand(buffer);
    parts.push_back(part);
  } else if (result.bank == Bank::general) {
    if (result.index >= layout_.general) return bad_operand(slot, "a register beyond those of the kernel");
    in.operand[0] = vector_operand(layout_.row(result.index, result.channel));
    current_[place] = in.operand[0].index;
    parts.push_back(part);
  } else {
    return bad_operand(slot, "a result that is no register");
  }
  current_known_[place] = true;
  return Success{};
}

Status ClauseBuilder::add_slot(const Bundle& bundle, const Slot& slot, u32 number, std::vector<Part>& parts) {
  const Operation* operation = find_operation(slot.mnemonic);
  if (operation == nullptr)
    return Diagnostic{
        "unknown-instruction", {}, fmt::format("the operation '{}' is not known", slot.mnemonic), ""};
  if (operation->form == Form::barrier) {
    Part& part = parts.emplace_back();
    part.slot = &slot;
    part.in.meaning = operation->meaning;
    return Success{};
  }
  // The result stands first, but local operations have none or the queue.
  const bool local = operation->form == Form::local;
  std::size_t first = 1;
  if (local) first = !slot.operands.empty() && slot.operands[0].bank == Bank::queue ? 1 : 0;
  if (slot.operands.size() != first + operation->sources)
    return bad_operand(slot,
                       fmt::format("{} operands, not {},", operation->sources + first, slot.operands.size()));
  std::vector<Operand> sources;
  for (std::size_t i = first; i < slot.operands.size(); ++i) {
    const SlotOperand& operand = slot.operands[i];
    if (operand.bank == Bank::relative) {
      Part& part = parts.emplace_back();
      part.slot = &slot;
      part.in.meaning = &read_relative();
      part.in.operand[0] = vector_operand(layout_.materialized(materialized_++));
      part.in.operand[1] = vector_operand(layout_.address());
      part.in.operand[2] = constant_operand(layout_.row(operand.index, operand.channel));
      part.in.operand[3] = constant_operand(layout_.general);
      Operand made = part.in.operand[0];
      if (operand.negate) made.modifiers |= Operand::negate;
      if (operand.absolute) made.modifiers |= Operand::absolute;
      sources.push_back(made);
      continue;
    }
    auto made = source(operand, bundle, number);
    if (!made) return made.error();
    sources.push_back(*made);
  }
  if (operation->form == Form::lanewise || operation->form == Form::select)
    return add_lanewise(slot, *operation, number, std::move(sources), parts);

  Part part;
  part.slot = &slot;
  Instruction& in = part.in;
  in.meaning = operation->meaning;
  if (local) {
    for (std::size_t i = 0; i < sources.size(); ++i)
      in.operand[i == 2 ? 5 : i + 1] = materialized(sources[i], slot, parts);
    in.addressing = Addressing::local;
    in.cost = operation->cost;
    if (operation->returns) {
      if (queued_ - taken_ == RowLayout::most_queued)
        return bad_operand(slot, "more values than the return queue holds");
      in.operand[0] = vector_operand(layout_.queue(queued_++));
      if (operation->cost == Cost::lds_atomic) in.flags |= Instruction::returns;
    }
    parts.push_back(part);
    return Success{};
  }
  if (slot.clamp || slot.output_scale != 0) return bad_operand(slot, "an output modifier");
  part.late = true;
  for (std::size_t i = 0; i < sources.size(); ++i) in.operand[1 + i] = sources[i];
  if (operation->form == Form::move_address) {
    if (slot.operands[0].bank != Bank::address) return bad_operand(slot, "a result that is not AR.x");
    in.operand[0] = vector_operand(layout_.address());
    parts.push_back(part);
    return Success{};
  }
  if (slot.operands[0].bank != Bank::predicate) return bad_operand(slot, "a result that is not PredicateBit");
  if (slot.updates_mask == slot.updates_predicate)
    return bad_operand(slot, "neither ExecMask nor Pred, or both of them,");
  if (slot.updates_mask && taking_ != nullptr) return bad_operand(slot, "a second ExecMask of one clause");
  in.operand[0] =
      scalar_operand(slot.updates_predicate ? fixed_scalar::predicate : fixed_scalar::execution_mask, 2);
  parts.push_back(part);
  if (slot.updates_mask) taking_ = &slot;
  return Success{};
}

Status ClauseBuilder::add(const Bundle& bundle, const Bundle* next, After after, u64 address,
                          std::vector<Built>& made) {
  wanted_.fill(false);
  if (next != nullptr) {
    for (const Slot& slot : next->slots) {
      for (const SlotOperand& operand : slot.operands) {
        if (operand.bank == Bank::previous_vector) wanted_[operand.channel] = true;
        if (operand.bank == Bank::previous_scalar) wanted_[scalar_place] = true;
      }
    }
  }
  // The slot: that of the result's channel; t where it is taken or the operation has no other.
  u32 taken = 0;
  Cost cost = Cost::valu_full;
  for (u32 i = 0; i < bundle.slots.size(); ++i) {
    const Slot& slot = bundle.slots[i];
    const Operation* operation = find_operation(slot.mnemonic);
    const bool has_channel = !slot.operands.empty() && (slot.operands[0].bank == Bank::general ||
                                                        slot.operands[0].bank == Bank::relative);
    const bool local = operation != nullptr && operation->form == Form::local;
    u32 place = has_channel && !local ? slot.operands[0].channel : 0;
    if (has_scalar_slot_ && ((operation != nullptr && operation->scalar_slot) || ((taken >> place) & 1) != 0))
      place = scalar_place;
    if (((taken >> place) & 1) != 0) return bad_operand(slot, "a slot that another operation has");
    taken |= 1u << place;
    places_[i] = place;
    if (operation == nullptr) continue;
    const bool heavier = operation->form == Form::barrier || local ||
                         (cost == Cost::valu_full && operation->cost != Cost::valu_full);
    if (heavier) cost = operation->cost;
  }

  current_known_.fill(false);
  std::vector<Part> parts;
  for (u32 i = 0; i < bundle.slots.size(); ++i) {
    const std::size_t begin = parts.size();
    if (const Status status = add_slot(bundle, bundle.slots[i], i, parts); !status) return status;
    if (bundle.slots[i].select == PredicateSelect::none) continue;
    for (std::size_t k = begin; k < parts.size(); ++k) {
      parts[k].in.guard = bundle.slots[i].select == PredicateSelect::one ? 1 : 2;
      parts[k].in.guard_register = fixed_scalar::predicate;
    }
  }
  std::stable_partition(parts.begin(), parts.end(), [](const Part& part) { return !part.late; });
  // What a later instruction of the packet still reads is written at the packet's end.
  std::vector<Part> moves;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part& part = parts[i];
    Operand& result = part.in.operand[0];
    if (part.place > scalar_place || result.kind != OperandKind::vector ||
        result.index >= 4 * layout_.general)
      continue;
    const bool read = std::any_of(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1, parts.end(),
                                  [&](const Part& later) { return reads_row(later.in, result.index); });
    if (!read) continue;
    Part move;
    move.slot = part.slot;
    move.in.meaning = &move_bits();
    move.in.guard = part.in.guard;
    move.in.guard_register = part.in.guard_register;
    move.in.operand[0] = result;
    move.in.operand[1] = vector_operand(layout_.written(parity_, part.place));
    moves.push_back(move);
    result.index = move.in.operand[1].index;
  }
  // Before what changes lanes and predicate, which the moves are under.
  const auto late = std::find_if(parts.begin(), parts.end(), [](const Part& part) { return part.late; });
  bool late_reads = false;
  for (const Part& move : moves) {
    late_reads = late_reads || std::any_of(late, parts.end(), [&](const Part& part) {
                   return reads_row(part.in, move.in.operand[0].index);
                 });
  }
  if (late_reads) {
    // Its sources are read before the moves: copies of them stay.
    std::vector<Part> copies;
    for (auto part = late; part != parts.end(); ++part) {
      for (std::size_t i = 1; i < part->in.operand.size(); ++i) {
        if (part->in.operand[i].kind == OperandKind::vector)
          part->in.operand[i] = [&] {
            Part copy;
            copy.slot = part->slot;
            copy.in.meaning = &move_bits();
            copy.in.operand[0] = vector_operand(layout_.materialized(materialized_++));
            copy.in.operand[1] = part->in.operand[i];
            copies.push_back(copy);
            return copy.in.operand[0];
          }();
      }
    }
    const auto at =
        parts.insert(std::find_if(parts.begin(), parts.end(), [](const Part& part) { return part.late; }),
                     copies.begin(), copies.end());
    parts.insert(at + static_cast<std::ptrdiff_t>(copies.size()), moves.begin(), moves.end());
  } else {
    parts.insert(late, moves.begin(), moves.end());
  }

  if (next == nullptr && taking_ != nullptr) {
    Part& take = parts.emplace_back();
    take.slot = taking_;
    take.in.meaning = &take_mask();
    take.in.operand[0] = scalar_operand(fixed_scalar::execution_mask, 2);
    take.in.operand[1] = scalar_operand(fixed_scalar::execution_mask, 2);
  }

  Built header;
  std::string text;
  for (const Slot& slot : bundle.slots) {
    if (!text.empty()) text += "; ";
    std::string_view one = slot.text;
    while (one.ends_with(' ') || one.ends_with(',')) one.remove_suffix(1);
    text += one;
  }
  header.text = text;
  header.position = bundle.slots[0].position;
  header.in.meaning = &packet();
  header.in.run = after == After::nothing ? &run_packet : &run_last_packet;
  header.in.cost = cost;
  header.in.slots = static_cast<u8>(parts.size() + 1);
  header.in.address = address;
  header.in.size = static_cast<u8>(8 * bundle.words());
  header.in.detail =
      packet_detail::make(static_cast<u32>(bundle.slots.size()), taken, bundle.literals, after);
  made.push_back(std::move(header));
  for (Part& part : parts) {
    Built& one = made.emplace_back();
    one.in = part.in;
    one.in.run = part.in.guard != 0 ? &run_predicated : part.in.meaning->run64;
    one.in.address = address;
    one.in.size = 0;
    if (one.in.cost == Cost::nop) one.in.cost = cost;
    one.text = part.slot->text;
    one.position = part.slot->position;
  }
  previous_ = current_;
  previous_known_ = current_known_;
  parity_ ^= 1;
  return Success{};
}

}  // namespace lockstep::vliw

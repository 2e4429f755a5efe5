// Control flow and messages.
#include <fmt/format.h>

#include <vector>

#include "isa/gen/decode_parts.h"
#include "isa/gen/message.h"
#include "isa/gen/wave.h"

namespace lockstep::gen {

Diagnostic wrong(const char* code, std::string message, std::string hint) {
  return {code, {}, std::move(message), std::move(hint)};
}
Diagnostic bad(const LineText& line, std::string message) {
  return wrong("bad-operand", fmt::format("{}: {}", message, line.text));
}
Diagnostic lacking(const LineText& line, std::string message) {
  return wrong("not-supported", fmt::format("{}: {}", message, line.text));
}

// Where a register of the architecture's lies in the register file.
bool file_offset(const OperandText& operand, u32& offset) {
  const u32 size = bytes_of(operand.type);
  const u32 element = operand.has_element ? operand.element * size : 0;
  switch (operand.bank) {
    case Bank::general:
      offset = file::register_bytes * operand.number + element;
      return element < file::register_bytes;
    case Bank::address:
      offset = file::address + element;
      return element < 32;
    case Bank::flag:
      // f0.1 is the second word, whatever the type.
      offset = file::flag + 4 * operand.number + (operand.has_element ? 2 * operand.element : 0);
      return operand.element < 2;
    case Bank::control:
      offset = file::control + element;
      return element < 16;
    case Bank::notification:
      offset = file::notification + element;
      return element < 16;
    case Bank::state:
      offset = file::state + element;
      return operand.number == 0 && element < 16;
    case Bank::channels:
      offset = file::channels + element;
      return element < 4;
    case Bank::timestamp:
      offset = file::timestamp + element;
      return element < 32;
    default:
      return false;
  }
}

// "jmpi r2.0": the register has the distance from the next instruction in bytes.
Status decode_jump_by_register(const LineText& line, const ControlOperation& entry, Decoded& made) {
  Operation& operation = made.operation;
  if (line.operands.size() != 1) return bad(line, "a jump without its target");
  OperandText distance = line.operands[0];
  if (distance.type == Type::none) distance.type = Type::d;
  u32 offset = 0;
  if (distance.bank != Bank::general || !file_offset(distance, offset))
    return lacking(line, "a jump whose distance is elsewhere than in a register");
  operation.lanes = 1;
  operation.every_channel = true;
  operation.sources = 1;
  operation.source[0].place = Where::file;
  operation.source[0].type = Type::d;
  operation.source[0].offset = static_cast<i32>(offset);
  made.in.meaning = entry.meaning;
  made.in.run = run_jump_by_register;
  made.in.cost = Cost::branch;
  return Success{};
}

Status decode_control(const LineText& line, const ControlOperation& entry, Decoded& made) {
  Operation& operation = made.operation;
  std::vector<u32> labels;
  for (const OperandText& operand : line.operands)
    if (operand.bank == Bank::label) labels.push_back(static_cast<u32>(operand.value));
  if (entry.flow == Control::jump && labels.empty()) return decode_jump_by_register(line, entry, made);
  if (labels.size() != entry.targets)
    return lacking(line, fmt::format("{} targets where {} belong", labels.size(), entry.targets));
  made.jumps = !labels.empty();
  if (made.jumps) {
    made.jump_address = labels[0];
    made.other_jump_address = labels.back();
  }
  if (entry.flow == Control::call || entry.flow == Control::ret) {
    if (line.operands.empty() || line.operands[0].bank != Bank::general)
      return lacking(line, "a call whose address is elsewhere than in a register");
    u32 offset = 0;
    if (!file_offset(line.operands[0], offset) || offset + 8 > file::address)
      return bad(line, "a register that there is not");
    operation.result.place = operation.source[0].place = Where::file;
    operation.result.type = operation.source[0].type = Type::ud;
    operation.result.offset = operation.source[0].offset = static_cast<i32>(offset);
    operation.result.step = 4;
    if (entry.flow == Control::ret) operation.sources = 1;
  }
  if (entry.flow == Control::jump) {
    operation.lanes = 1;
    operation.every_channel = true;
  }
  if (entry.flow == Control::wait || entry.flow == Control::nothing || entry.flow == Control::illegal)
    operation.every_channel = true;
  made.in.meaning = entry.meaning;
  made.in.run = entry.run;
  made.in.cost = entry.flow == Control::wait      ? Cost::barrier
                 : entry.flow == Control::nothing ? Cost::nop
                                                  : Cost::branch;
  return Success{};
}

// The dword of a0 that an operand is; none where it is another register.
std::optional<u32> address_dword(const OperandText& operand) {
  const u32 at = operand.element * (operand.type == Type::none ? 4 : bytes_of(operand.type)) / 4;
  if (operand.bank != Bank::address || operand.number != 0 || at >= 8) return std::nullopt;
  return at;
}

void note_constant(const LineText& line, AddressConstants& constants) {
  if (line.operands.empty() || line.operands[0].bank != Bank::address) return;
  const auto at = address_dword(line.operands[0]);
  if (!at) return;
  std::optional<u32>& known = constants.dword[*at];
  const OperandText* number = nullptr;
  bool goes_on = false;  // from what was there
  for (std::size_t i = 1; i < line.operands.size(); ++i) {
    const OperandText& operand = line.operands[i];
    if (operand.bank == Bank::immediate) number = &operand;
    goes_on = goes_on || address_dword(operand) == at;
  }
  const bool adds = line.mnemonic == "add" || line.mnemonic == "or";
  const bool whole = bytes_of(line.operands[0].type) == 4 && line.lanes == 1;
  if (!whole || !(adds || line.mnemonic == "mov") || (number == nullptr && !goes_on)) {
    known.reset();
  } else if (number != nullptr) {
    const u32 before = goes_on && known ? *known : 0;
    known = before + static_cast<u32>(number->value);
  }
}

// The descriptor: as it stands there, or as the code in front shows what is in a0.
Status take_descriptor(const LineText& line, const OperandText& operand, const AddressConstants& constants,
                       Operation& operation, u32& value) {
  if (operand.bank == Bank::immediate) {
    value = static_cast<u32>(operand.value);
    return Success{};
  }
  const auto at = address_dword(operand);
  if (!at || !constants.dword[*at])
    return lacking(line,
                   "a message whose descriptor is in a register that the code in front says nothing of");
  value = *constants.dword[*at];
  Source& source = operation.source[operation.sources++];
  source.place = Where::file;
  source.type = Type::ud;
  source.offset = static_cast<i32>(file::address + 4 * *at);
  source.value = value;
  return Success{};
}

// send DST PAYLOAD FUNCTION DESCRIPTOR, sends DST ADDRESSES DATA FUNCTION DESCRIPTOR.
Status decode_send(const LineText& line, const AddressConstants& constants, Decoded& made) {
  Operation& operation = made.operation;
  const bool split = line.mnemonic.starts_with("sends");
  const std::size_t payloads = split ? 2 : 1;
  if (line.operands.size() != payloads + 3)
    return bad(line, fmt::format("{} operands where {} belong", line.operands.size(), payloads + 3));
  const OperandText &function = line.operands[payloads + 1], &descriptor = line.operands[payloads + 2];
  if (function.bank != Bank::immediate)
    return lacking(line, "a message whose function is in a register, as those to bindless surfaces have it");
  u32 bits = 0;
  if (Status status = take_descriptor(line, descriptor, constants, operation, bits); !status) return status;
  Expected<Message> message = decode_message(static_cast<u32>(function.value), bits);
  if (!message) {
    Diagnostic error = message.error();
    error.message += fmt::format(": {}", line.text);
    return error;
  }
  operation.message = *message;
  operation.message.in_register = operation.sources != 0;
  const MessageRun run = run_of(*message);
  if (run.run == nullptr) return lacking(line, "a message of this kind");
  const PayloadRegisters needs = registers_of(*message);
  const auto register_of = [&](const OperandText& operand, u32 count, u8& number) {
    if (operand.bank == Bank::null_) return count == 0;
    number = static_cast<u8>(operand.number);
    return operand.bank == Bank::general && operand.element == 0 && operand.number + count <= file::registers;
  };
  bool fits = register_of(line.operands[1], split ? needs.addresses : needs.addresses + needs.data,
                          operation.payload);
  if (split)
    fits = fits && register_of(line.operands[2], needs.data, operation.second_payload);
  else
    operation.second_payload = static_cast<u8>(operation.payload + needs.addresses);
  operation.responds = line.operands[0].bank != Bank::null_;
  if (operation.responds) fits = fits && register_of(line.operands[0], needs.response, operation.response);
  if (!fits) return bad(line, "a message's registers that there are not");
  if (message->kind != Message::Kind::end_of_thread && line.has("EOT"))
    return lacking(line, "the end of a thread with this message");
  made.in.meaning = run.meaning;
  made.in.run = run.run;
  made.in.cost = run.cost;
  made.in.addressing = run.addressing;
  if (operation.message.returns) made.in.flags |= Instruction::returns;
  return Success{};
}

}  // namespace lockstep::gen

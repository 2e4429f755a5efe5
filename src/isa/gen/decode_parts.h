// What the parts of decoding share.
#pragma once
#include <string>

#include "isa/gen/control.h"
#include "isa/gen/decode.h"

namespace lockstep::gen {

// Without a place, which the loader adds.
Diagnostic wrong(const char* code, std::string message, std::string hint = "");
Diagnostic bad(const LineText& line, std::string message);      // "bad-operand"
Diagnostic lacking(const LineText& line, std::string message);  // "not-supported"

// Where a register lies in the register file, bytes; false where there is none.
bool file_offset(const OperandText& operand, u32& offset);

Status decode_control(const LineText& line, const ControlOperation& entry, Decoded& made);
Status decode_send(const LineText& line, const AddressConstants& constants, Decoded& made);
// After an instruction that may write to a0.
void note_constant(const LineText& line, AddressConstants& constants);

}  // namespace lockstep::gen

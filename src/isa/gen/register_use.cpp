#include "isa/gen/register_use.h"

#include "isa/gen/message.h"
#include "isa/gen/operation.h"
#include "isa/gen/wave.h"
#include "isa/semantic.h"

namespace lockstep::gen {
namespace {

void add(RegisterUse& use, RegisterFile file, u32 first, u32 count, bool written) {
  if (written)
    use.write(file, first, count);
  else
    use.read(file, first, count);
}

// Bytes of the register file from `begin` on.
void add_bytes(RegisterUse& use, u32 begin, u32 bytes, bool written) {
  if (begin < file::address) {
    const u32 first = begin / file::register_bytes, last = (begin + bytes - 1) / file::register_bytes;
    return add(use, RegisterFile::vector, first, last - first + 1, written);
  }
  if (begin >= file::symbols) return;  // constants
  const u32 number = begin < file::flag           ? scalar_number::address
                     : begin < file::flag + 4     ? scalar_number::flag0
                     : begin < file::control      ? scalar_number::flag1
                     : begin < file::notification ? scalar_number::control
                     : begin < file::state        ? scalar_number::notification
                                                  : scalar_number::state;
  add(use, RegisterFile::scalar, number, 1, written);
}

void add_flags(RegisterUse& use, u32 first_bit, u32 lanes, bool written) {
  const u32 last = (first_bit + lanes - 1) / 32;
  for (u32 i = first_bit / 32; i <= last && i < 2; ++i)
    add(use, RegisterFile::scalar, scalar_number::flag0 + i, 1, written);
}

// Eight channels at a time.
void add_accumulator(RegisterUse& use, u32 first, u32 lanes, bool written) {
  add(use, RegisterFile::vector, vector_number::accumulator + first / 8, (first % 8 + lanes + 7) / 8,
      written);
}

u32 source_bytes(const Source& source, u32 lanes) {
  const u32 rows = (lanes - 1) / source.width, rest = (lanes < source.width ? lanes : source.width) - 1u;
  return rows * source.vertical + rest * source.horizontal + bytes_of(source.type);
}

}  // namespace

u32 register_place(RegisterFile kind, u32 number) {
  if (kind == RegisterFile::vector)
    return number < file::registers ? file::register_bytes * number : no_place;
  switch (number) {
    case scalar_number::flag0:
      return file::flag;
    case scalar_number::flag1:
      return file::flag + 4;
    case scalar_number::address:
      return file::address;
    case scalar_number::control:
      return file::control;
    case scalar_number::notification:
      return file::notification;
    case scalar_number::state:
      return file::state;
    default:
      return no_place;
  }
}

u32 register_bytes_of(RegisterFile file) {
  return file == RegisterFile::vector ? file::register_bytes : file == RegisterFile::scalar ? 4 : 0;
}

void register_use(const Instruction& in, const GenProgram& program, RegisterUse& use) {
  const Operation& operation = (*program.operations)[in.detail];
  const u32 lanes = operation.lanes;
  use.vector_words = file::register_bytes / 4;
  use.first_scalar_word = file::flag / 4;
  if (!operation.every_channel) use.read(RegisterFile::exec, 0, 1);
  if ((in.meaning->implied & implies::writes_exec) != 0) use.write(RegisterFile::exec, 0, 1);
  if (operation.predicated) add_flags(use, operation.predicate_bit, lanes, false);
  if (operation.condition != Condition::none) add_flags(use, operation.condition_bit, lanes, true);
  for (u32 i = 0; i < operation.sources; ++i) {
    const Source& source = operation.source[i];
    if (source.mantissa >= 0)
      use.read(RegisterFile::vector, vector_number::extended + static_cast<u32>(source.mantissa), 1);
    switch (source.place) {
      case Where::file:
        add_bytes(use, static_cast<u32>(source.offset), source_bytes(source, lanes), false);
        break;
      case Where::indirect:
        // Any register: the index tells when it runs.
        use.read(RegisterFile::scalar, scalar_number::address, 1);
        use.read(RegisterFile::vector, 0, file::registers);
        break;
      case Where::accumulator:
        add_accumulator(use, static_cast<u32>(source.offset), lanes, false);
        break;
      default:
        break;
    }
  }
  const Result& result = operation.result;
  if (result.mantissa >= 0)
    use.write(RegisterFile::vector, vector_number::extended + static_cast<u32>(result.mantissa), 1);
  if (result.place == Where::file) {
    add_bytes(use, static_cast<u32>(result.offset), (lanes - 1) * result.step + bytes_of(result.type), true);
  } else if (result.place == Where::indirect) {
    use.read(RegisterFile::scalar, scalar_number::address, 1);
    use.write(RegisterFile::vector, 0, file::registers);
  } else if (result.place == Where::accumulator) {
    add_accumulator(use, static_cast<u32>(result.offset), lanes, true);
  }
  if (operation.reads_accumulator || operation.writes_accumulator) add_accumulator(use, 0, lanes, false);
  if (operation.writes_accumulator) add_accumulator(use, 0, lanes, true);
  const PayloadRegisters message = registers_of(operation.message);
  if (message.addresses != 0) use.read(RegisterFile::vector, operation.payload, message.addresses);
  if (message.data != 0) use.read(RegisterFile::vector, operation.second_payload, message.data);
  if (operation.responds && message.response != 0)
    use.write(RegisterFile::vector, operation.response, message.response);
}

}  // namespace lockstep::gen

// vprintf of CUDA, and what LLVM makes of OpenCL C's printf: a format string's address and that of the
// arguments in private memory, aligned as C's variable arguments are. Records go to the launch's printf
// buffer; printf_inline_record in isa/program.h says how they look. Sources: "CUDA C++ Programming
// Guide", 10.35 (Formatted Output); "OpenCL C Specification" 1.2, 6.12.13 (printf).
#include <atomic>
#include <bit>
#include <cstring>
#include <string>

#include "isa/nv/control.h"
#include "isa/nv/memory.h"
#include "isa/nv/splits.h"
#include "isa/shapes.h"

namespace lockstep::nv {
namespace {

constexpr u32 longest_string = 1u << 16;

// Bytes at a lane's generic address; false when any of them lies in no memory.
bool read_generic(const WaveState& wave, const StepContext& context, u32 lane, u64 address, u8* to,
                  u64 bytes) {
  const u64 window = address & ~u64{0xFFFFFFFF};
  const u64 offset = address & 0xFFFFFFFF;
  if (window == shared_window) {
    if (offset + bytes > wave.local.size()) return false;
    std::memcpy(to, wave.local.data() + offset, bytes);
    return true;
  }
  if (window == local_window) {
    const memory::View view = memory::private_view(wave, context);
    if (view.host == nullptr || offset + bytes > wave.private_bytes_per_lane) return false;
    for (u64 i = 0; i < bytes; ++i) to[i] = *view.at(memory::private_address(wave, offset + i, lane));
    return true;
  }
  if (!context.global.contains(address, bytes)) return false;
  std::memcpy(to, context.global.at(address), bytes);
  return true;
}

bool read_string(const WaveState& wave, const StepContext& context, u32 lane, u64 address,
                 std::string& text) {
  for (char c = 0; text.size() < longest_string; text += c, ++address) {
    if (!read_generic(wave, context, lane, address, reinterpret_cast<u8*>(&c), 1)) return false;
    if (c == 0) return true;
  }
  return false;
}

struct Argument {
  u32 bytes = 4;
  u32 align = 4;
  bool string = false;
  bool sign = false;
};

// What the conversions of a format string take: "%5.2v4hlf".
std::vector<Argument> arguments_of(const std::string& format) {
  std::vector<Argument> list;
  for (std::size_t at = format.find('%'); at < format.size(); at = format.find('%', at)) {
    ++at;
    if (at < format.size() && format[at] == '%') {
      ++at;
      continue;
    }
    const auto skip = [&](const char* characters) {
      const std::size_t begin = at;
      at = std::min(format.find_first_not_of(characters, at), format.size());
      return format.substr(begin, at - begin);
    };
    skip("-+ #0123456789.");
    u32 lanes = 1;
    if (at < format.size() && format[at] == 'v') {
      ++at;
      const std::string digits = skip("0123456789");
      lanes = digits.size() == 1 || digits == "16" ? static_cast<u32>(std::stoi(digits)) : 1;
    }
    const std::string length = skip("hl");
    if (at == format.size()) break;
    const char letter = format[at];
    Argument argument;
    if (letter == 's' || letter == 'p') {
      argument = {8, 8, letter == 's'};
    } else if (std::string_view("eEfFgGaA").find(letter) != std::string_view::npos) {
      argument.bytes = lanes == 1 || length == "l" ? 8 : length == "h" ? 2 : 4;
    } else if (std::string_view("diouxXc").find(letter) != std::string_view::npos) {
      argument.bytes = length == "l" || length == "ll" ? 8
                       : lanes == 1                    ? 4
                       : length == "hh"                ? 1
                       : length == "h"                 ? 2
                                                       : 4;
    } else {
      continue;
    }
    argument.sign = letter == 'd' || letter == 'i';
    if (!argument.string) {
      argument.bytes *= lanes == 3 ? 4 : lanes;
      argument.align = argument.bytes;
    }
    list.push_back(argument);
  }
  return list;
}

void append(std::vector<u8>& record, const void* from, std::size_t bytes) {
  const u8* begin = static_cast<const u8*>(from);
  record.insert(record.end(), begin, begin + bytes);
  record.resize((record.size() + 3) / 4 * 4);
}
void append_word(std::vector<u8>& record, std::size_t value) {
  const u32 word = static_cast<u32>(value);
  append(record, &word, 4);
}

// The record of one lane; empty when its addresses lie in no memory.
std::vector<u8> record_of(const WaveState& wave, const StepContext& context, u32 lane, u64 format_address,
                          u64 at, std::size_t& count) {
  std::string format;
  if (!read_string(wave, context, lane, format_address, format)) return {};
  const std::vector<Argument> arguments = arguments_of(format);
  count = arguments.size();
  std::vector<u8> record, values;
  append_word(record, printf_inline_record);
  append_word(record, 0);  // bytes, once they are known
  append_word(record, arguments.size());
  for (const Argument& argument : arguments) {
    at = (at + argument.align - 1) / argument.align * argument.align;
    std::vector<u8> bytes(argument.bytes);
    if (!read_generic(wave, context, lane, at, bytes.data(), bytes.size())) return {};
    at += argument.bytes;
    if (argument.string) {
      u64 address = 0;
      std::memcpy(&address, bytes.data(), 8);
      std::string text = "(null)";
      if (address != 0) {
        text.clear();
        if (!read_string(wave, context, lane, address, text)) return {};
      }
      append(values, text.c_str(), text.size() + 1);
      append_word(record, (text.size() + 1 + 3) / 4 * 4);
    } else if (argument.bytes == 2) {
      // Two bytes, the only vector below a word: as two numbers of 16 bits, which fill one.
      for (const u8 byte : bytes) {
        const u16 wide = argument.sign ? static_cast<u16>(static_cast<i8>(byte)) : u16{byte};
        values.push_back(static_cast<u8>(wide));
        values.push_back(static_cast<u8>(wide >> 8));
      }
      append_word(record, 4);
    } else {
      append(values, bytes.data(), bytes.size());
      append_word(record, (bytes.size() + 3) / 4 * 4);
    }
  }
  append_word(record, format.size());
  append(record, format.data(), format.size());
  record.insert(record.end(), values.begin(), values.end());
  const u32 size = static_cast<u32>(record.size());
  std::memcpy(record.data() + 4, &size, 4);
  return record;
}

// False when the buffer has no room.
bool put(const StepContext& context, u64 buffer, const std::vector<u8>& record) {
  if (buffer == 0 || !context.global.contains(buffer, 8)) return false;
  u32 capacity = 0;
  std::memcpy(&capacity, context.global.at(buffer + 4), 4);
  std::atomic_ref<u32> used(*reinterpret_cast<u32*>(context.global.at(buffer)));
  const u32 bytes = static_cast<u32>(record.size());
  u32 at = used.load();
  do {
    if (8 + u64{at} + bytes > capacity || !context.global.contains(buffer, 8 + u64{at} + bytes)) return false;
  } while (!used.compare_exchange_weak(at, at + bytes));
  std::memcpy(context.global.at(buffer + 8 + at), record.data(), bytes);
  return true;
}

struct Print {
  static constexpr Shape shape = Shape::control;
  static constexpr u16 implied = implies::frame;
  static constexpr std::string_view name = "vprintf";
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    const memory::View view = memory::private_view(wave, context);
    // A record takes its place in the buffer by an atomic addition.
    const u64 buffer = ptx(wave).printf_buffer_address;
    Access& access = memory::next_access(context, 0);
    access.space = Space::global;
    access.kind = AccessKind::atomic_return;
    access.bytes = 4;
    access.lanes = buffer != 0 ? active(wave) : 0;
    access.address.fill(buffer);
    for (u32 lanes = active(wave); lanes != 0; lanes &= lanes - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(lanes));
      const u32 frame = wave.row(fixed_row::frame)[lane] + static_cast<u32>(in.offset);
      u64 format = 0, values = 0;
      const u64 parameters = local_window + frame + in.detail;
      bool good = read_generic(wave, context, lane, parameters, reinterpret_cast<u8*>(&format), 8) &&
                  read_generic(wave, context, lane, parameters + 8, reinterpret_cast<u8*>(&values), 8);
      std::size_t count = 0;
      std::vector<u8> record;
      if (good) record = record_of(wave, context, lane, format, values, count);
      if (record.empty()) {
        Fault fault;
        fault.kind = FaultKind::outside_memory;
        fault.bytes = 1;
        fault.lane = lane;
        fault.address = format;
        context.raise(fault);
        return;
      }
      if (context.look_only) continue;
      const bool there_was_room = put(context, buffer, record);
      const i32 result = !there_was_room ? -1 : in.operand[1].value != 0 ? static_cast<i32>(count) : 0;
      std::memcpy(view.at(memory::private_address(wave, frame, lane)), &result, 4);
    }
  }
};

}  // namespace

const Semantic& print() {
  return semantic32<Print>;
}

}  // namespace lockstep::nv

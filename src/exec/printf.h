// The kernel's printf: its calls leave records in a buffer of device memory, which become text here.
//
// Source: LLVM, AMDGPUPrintfRuntimeBinding, and __printf_alloc of rocm-device-libs. The buffer begins with
// the bytes used and the bytes that there are (two 32-bit words); then each record has the number of its
// format string and the arguments, each in the size that the format string's prefix
// "number:arguments:size:size:...:" gives. Records of modules that list no formats (PTX) carry their own:
// printf_inline_record in isa/program.h.
//
// A constant text whose length is a multiple of 4 has no closing zero (LLVM 16 to 19): its size in the prefix
// counts a word for it that is not stored, so what follows lies a word earlier and the record's last word
// stays as it was. prepare_printf_buffer() makes such words known.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"
#include "exec/device_memory.h"

namespace lockstep {

inline constexpr u64 printf_header_bytes = 8;
// Of the buffer that a launch gets; a call that finds it full prints nothing.
inline constexpr u64 printf_buffer_bytes = u64{4} << 20;

// Makes an empty buffer of device memory at `address`, for a launch of a module with these formats. Errors:
// those of DeviceMemory::write.
Status prepare_printf_buffer(DeviceMemory& memory, u64 address, u64 bytes,
                             std::span<const std::string> formats);

// The text of all records. `buffer` is the whole buffer; `formats` the module's (Module::printf_formats). A
// record of an unknown format ends the text with a note. OpenCL C 6.15.14: conversions as in C, vectors by
// "v" and a length; a printf that found the buffer full left no record.
std::string printf_text(std::span<const u8> buffer, std::span<const std::string> formats);
// The same of a module whose records name texts in device memory as well (printf_typed.h).
std::string printf_text(std::span<const u8> buffer, std::span<const std::string> formats,
                        const GlobalMemory& memory);

}  // namespace lockstep

// The kernel's printf: its calls leave records in a buffer of device memory, which become text here.
//
// Source: LLVM, AMDGPUPrintfRuntimeBinding, and __printf_alloc of rocm-device-libs. The buffer begins with
// the bytes used and the bytes that there are (two 32-bit words); then each record has the number of its
// format string and the arguments, each in the size that the format string's prefix
// "number:arguments:size:size:...:" gives. Records of modules that list no formats (PTX) carry their own:
// printf_inline_record in isa/program.h.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/types.h"

namespace lockstep {

inline constexpr u64 printf_header_bytes = 8;

// The two words with which an empty buffer of this size begins.
std::vector<u8> printf_header(u64 buffer_bytes);

// The text of all records. `buffer` is the whole buffer; `formats` the module's (Module::printf_formats). A
// record of an unknown format ends the text with a note. OpenCL C 6.15.14: conversions as in C, vectors by
// "v" and a length; a printf that found the buffer full left no record.
std::string printf_text(std::span<const u8> buffer, std::span<const std::string> formats);

}  // namespace lockstep

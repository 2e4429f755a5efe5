// Kernel arguments and variables' contents as a user writes them: NAME=VALUE, NAME=TYPE:VALUE,
// NAME=TYPE[COUNT]:CONTENTS and the rest.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.h"

namespace lockstep {

// One argument, read and checked as far as that goes without the kernel; place_arguments() does the rest.
struct ArgumentText {
  enum class Form { value, bytes, null_pointer, buffer, local, image, sampler };

  std::string text;  // the whole of it, for messages
  std::string name;
  Form form = Form::value;
  // Of a value or of a buffer's elements, where it is said; the kernel's parameter may say it as well.
  std::optional<corpus::ElementType> type;
  std::vector<std::string> numbers;  // a value's lanes
  std::vector<u8> bytes;             // a value's bytes (also a structure's), or a raw buffer's
  bool raw = false;                  // a buffer of bytes whose elements nobody named: it fits any pointer
  std::optional<u64> count;          // elements of a buffer or of local memory; a file may say it
  std::vector<std::string> initial;  // a buffer's contents: a word, and its values or key=value pairs
  std::string file;                  // that holds the contents
  corpus::Argument image;            // shape, format, extent; of a sampler, how it samples
};

// Reads one argument:
//   a=2.5                       a value whose type the kernel says; v=1,2,3,4 a vector
//   n=int:42  v=float4:1,2,3,4  a value with its type, by any name that OpenCL C, C++, HIP, CUDA or PTX has
//   s={int:1,float4:(1,2,3,4),char[3]:(1,2,3)}
//                               a structure, its fields aligned as in C; {...} in it for one within
//   s=bytes:0a0b0c0d            a value's bytes in memory order, as hexadecimal digits
//   x=float[1024]:ramp          a buffer; x=[1024]:ramp where the kernel says the type. Contents: zero (also
//                               when none are said), random, random(seed=S,min=A,max=B), ramp,
//                               ramp(START,STEP), fill(V), values(V,..) repeated, bits(seed=S),
//                               special(seed=S)
//   x=@data.npy                 a buffer from a file; x=float[1024]:@data.npy says what it must hold
//   x=bytes[4]:0a0b0c0d         a buffer of bytes, for any pointer; x=bytes:@FILE holds any file's bytes
//   x=float[0]  x=null          an empty buffer, a null pointer
//   t=float[256]:local          local memory; t=[256]:local
//   p=image2d:rgba8[64,64]:ramp an image: image1d, image1d_buffer, image1d_array, image2d, image2d_array or
//                               image3d, its format and extent (layers last), and contents as a buffer's; a
//                               blank may stand for the second colon
//   s=sampler:normalized,repeat,linear
//                               a sampler: normalized or unnormalized; none, clamp_to_edge, clamp, repeat or
//                               mirrored_repeat; nearest or linear
// Errors: "bad-argument" with `option` and the text, what is wrong with it and the right form.
Expected<ArgumentText> parse_argument_text(const std::string& text, std::string_view option = "--arg");

// The contents that `initial` describes, for elements of this type; every number must fit it but those that a
// ramp runs into, which wrap. Errors: "bad-argument" with no place.
Expected<corpus::Initial> parse_initial(const std::vector<std::string>& initial, corpus::ElementType type,
                                        u64 count);

}  // namespace lockstep

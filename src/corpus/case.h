// A corpus case: an OpenCL C file whose leading comment block says how to launch its kernels, with which
// arguments, and how their results are compared. The format is specified in tests/corpus/README.md.
#pragma once
#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"

namespace lockstep::corpus {

enum class Scalar { i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64 };

// OpenCL C's name: "uchar", "half".
std::string_view name_of(Scalar scalar);
u32 bytes_of(Scalar scalar);
bool is_float(Scalar scalar);

// An OpenCL C scalar or vector type; a vector of 3 takes the memory of 4.
struct ElementType {
  Scalar scalar = Scalar::i32;
  u32 lanes = 1;

  u32 stored_lanes() const { return lanes == 3 ? 4 : lanes; }
  u32 bytes() const { return bytes_of(scalar) * stored_lanes(); }
};

// A number as written: integers keep all 64 bits, everything else is a double.
struct Number {
  bool is_integer = true;
  i64 integer = 0;  // of a value above i64's range, the same 64 bits
  f64 real = 0.0;
};

enum class Fill { zero, value, ramp, list, random, bits, special };

// How a buffer starts. random and ramp use first and second (minimum and maximum, start and step).
struct Initial {
  Fill fill = Fill::zero;
  u64 seed = 0;
  bool has_range = false;
  Number first;
  Number second;
  std::vector<Number> list;
};

enum class ArgumentKind { buffer, scalar, local, image, sampler };
enum class ImageShape { d1, d1_buffer, d1_array, d2, d3, d2_array };
enum class ChannelType { unorm8, signed_integer, unsigned_integer, real };

struct ImageFormat {
  u32 channels = 4;  // 1 (R), 2 (RG) or 4 (RGBA)
  ChannelType type = ChannelType::real;
  Scalar storage = Scalar::f32;
};

struct Sampler {
  bool normalized = false;
  std::string addressing;  // none, clamp_to_edge, clamp, repeat, mirrored_repeat
  bool linear = false;
};

struct Argument {
  std::string name;
  ArgumentKind kind = ArgumentKind::buffer;
  ElementType type;             // of a buffer's or local array's elements, of a scalar, of an image's texels
  u64 count = 1;                // elements; of an image, texels
  Initial initial;              // of a buffer or image
  std::vector<Number> scalars;  // a scalar's lanes
  ImageShape shape = ImageShape::d2;
  ImageFormat format;
  std::array<u32, 3> extent = {1, 1, 1};  // an image's width, height, depth or layers
  Sampler sampler;
  u32 line = 0;

  u64 bytes() const { return count * type.bytes(); }
};

struct Launch {
  std::string kernel;
  u32 dimensions = 1;
  std::array<u64, 3> global = {1, 1, 1};
  std::array<u64, 3> local = {1, 1, 1};
  std::array<u64, 3> offset = {0, 0, 0};
  std::vector<u32> arguments;  // indices into Case::arguments, in the kernel's order
  u32 line = 0;
};

// A result agrees when any of the given criteria holds; without one it must be equal bit for bit (every NaN
// equals every NaN).
struct Comparison {
  u32 argument = 0;
  f64 ulps = 0.0;
  f64 absolute = 0.0;
  f64 relative = 0.0;
  bool flush = false;  // zero is accepted where a subnormal is expected
  u32 line = 0;
};

enum class Witness { pocl, reference };

struct Case {
  std::string name;  // the file's name without .cl
  std::string path;
  std::string source;   // the whole file
  std::string options;  // for the compiler
  std::vector<std::string> needs;
  Witness witness = Witness::pocl;
  std::vector<Argument> arguments;
  std::vector<Launch> launches;
  std::vector<Comparison> comparisons;

  bool has_need(std::string_view need) const;
};

// Reads a case. Errors: a missing file, an unknown directive, type, word or name, a value that does not fit
// its type, a group size that does not divide the global size; each with the file and line.
Expected<Case> read_case(const std::string& path);
Expected<Case> parse_case(const std::string& path, std::string_view text);

// Reads what stands behind "arg:" alone; `where` names its place in messages.
Expected<Argument> parse_argument(const std::string& where, std::string_view text);

// The contents with which every argument starts, one entry per argument; empty for what has no memory
// (scalars, local arrays, samplers). The generator is specified in tests/corpus/README.md.
std::vector<std::vector<u8>> initial_contents(const Case& test);

std::vector<u8> initial_contents(const Argument& argument);

// The same of a buffer or image, in pieces of whole elements one after another, for contents that are too
// large to be held twice. Ends, and returns false, when `take` returns false.
bool initial_contents(const Argument& argument, const std::function<bool(std::span<const u8>)>& take);

// The bytes of a scalar argument, as clSetKernelArg takes them.
std::vector<u8> scalar_bytes(const Argument& argument);

// IEEE binary16 from a double, to nearest even; and back.
u16 half_from_double(f64 value);
f64 double_from_half(u16 bits);

}  // namespace lockstep::corpus

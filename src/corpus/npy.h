// numpy's .npy files, formats 1.0 to 3.0 (numpy.lib.format): one array of numbers.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.h"

namespace lockstep::corpus {

struct NpyArray {
  Scalar scalar = Scalar::f32;  // of numpy's bool: uchar
  std::vector<u64> shape;       // empty for a single number
  std::vector<u8> data;         // little-endian, in C order

  u64 count() const;  // of scalars
};

// "(64, 4)", as numpy prints it.
std::string shape_text(const std::vector<u64>& shape);

// The magic number and a header of format 1.0, up to the first byte of data.
std::string npy_header(Scalar scalar, const std::vector<u64>& shape);

// What a file holds; `path` is for messages. Errors: "bad-npy" for what is no such file, for elements that no
// buffer has (texts, records, big-endian numbers), Fortran order, or data that are not as long as the header
// says.
Expected<NpyArray> parse_npy(const std::string& path, std::string_view content);

// The same from a file. Error also: "no-such-file".
Expected<NpyArray> read_npy(const std::string& path);

}  // namespace lockstep::corpus

// Comparing what a device wrote with what is expected, by a case's own criteria; and the files in which
// expected results are kept.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "corpus/case.h"

namespace lockstep::corpus {

struct Mismatch {
  u64 count = 0;     // scalars that disagree
  u64 first = 0;     // index of the first of them, counted in scalars
  std::string text;  // a few of them, one a line, and the largest error
};

// Nothing when all agree. Both must have the argument's size.
std::optional<Mismatch> compare(const Case& test, const Comparison& comparison,
                                const std::vector<u8>& expected, const std::vector<u8>& actual);

// The shape of an argument's array in a file: a vector type adds a dimension.
std::vector<u64> npy_shape(const Argument& argument);

// An expected result as a .npy file. Errors: the file cannot be written; or read, or holds something else
// than the argument.
Status write_npy(const std::string& path, const Argument& argument, const std::vector<u8>& contents);
Expected<std::vector<u8>> read_expected(const std::string& path, const Argument& argument);

// Where a witness's result of an argument lies: DIRECTORY/CASE/ARGUMENT.npy.
std::string expected_path(const std::string& directory, const Case& test, const Argument& argument);

}  // namespace lockstep::corpus

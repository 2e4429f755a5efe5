#include "corpus/npy.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace lockstep::corpus {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

char kind_of(Scalar scalar) {
  if (is_float(scalar)) return 'f';
  const bool is_signed =
      scalar == Scalar::i8 || scalar == Scalar::i16 || scalar == Scalar::i32 || scalar == Scalar::i64;
  return is_signed ? 'i' : 'u';
}

// The type of a descr without its byte order: "f4". numpy's bool is a byte.
std::optional<Scalar> scalar_of(std::string_view word) {
  if (word == "b1") return Scalar::u8;
  for (const Scalar scalar : {Scalar::i8, Scalar::u8, Scalar::i16, Scalar::u16, Scalar::i32, Scalar::u32,
                              Scalar::i64, Scalar::u64, Scalar::f16, Scalar::f32, Scalar::f64}) {
    if (word == fmt::format("{}{}", kind_of(scalar), bytes_of(scalar))) return scalar;
  }
  return std::nullopt;
}

// The header: a literal of Python's dictionary with the keys descr, fortran_order and shape, in any order.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  // False where the text is no such dictionary.
  bool read() {
    if (!take('{')) return false;
    while (!take('}')) {
      const std::optional<std::string> key = string();
      if (!key || !take(':')) return false;
      if (*key == "descr") {
        descr = string();
        // A list describes records.
        if (!descr && !(records = peek() == '[')) return false;
        if (records) return true;
      } else if (*key == "fortran_order") {
        const std::string value = word();
        if (value != "True" && value != "False") return false;
        fortran = value == "True";
      } else if (*key == "shape") {
        if (!tuple()) return false;
      } else {
        return false;
      }
      if (!take(',') && peek() != '}') return false;
    }
    skip();
    return text_.empty() && descr && fortran && shape;
  }

  std::optional<std::string> descr;
  std::optional<bool> fortran;
  std::optional<std::vector<u64>> shape;
  bool records = false;

 private:
  void skip() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.front())) != 0)
      text_.remove_prefix(1);
  }
  char peek() {
    skip();
    return text_.empty() ? '\0' : text_.front();
  }
  bool take(char c) {
    if (peek() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::optional<std::string> string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return std::nullopt;
    const std::size_t end = text_.find(quote, 1);
    if (end == text_.npos) return std::nullopt;
    std::string result(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return result;
  }
  std::string word() {
    skip();
    std::size_t length = 0;
    while (length < text_.size() && std::isalnum(static_cast<unsigned char>(text_[length])) != 0) ++length;
    std::string result(text_.substr(0, length));
    text_.remove_prefix(length);
    return result;
  }
  bool tuple() {
    if (!take('(')) return false;
    std::vector<u64> extents;
    while (!take(')')) {
      std::string digits = word();
      if (digits.ends_with('L')) digits.pop_back();  // Python 2 wrote long integers so
      if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos || digits.size() > 18)
        return false;
      extents.push_back(std::stoull(digits));
      if (!take(',') && peek() != ')') return false;
    }
    shape = std::move(extents);
    return true;
  }

  std::string_view text_;
};

Diagnostic bad_npy(const std::string& path, std::string message, std::string hint = "") {
  return {"bad-npy", {path, 0, 0}, std::move(message), std::move(hint)};
}

}  // namespace

u64 NpyArray::count() const {
  return data.size() / bytes_of(scalar);
}

std::string shape_text(const std::vector<u64>& shape) {
  return shape.size() == 1 ? fmt::format("({},)", shape[0]) : fmt::format("({})", fmt::join(shape, ", "));
}

std::string npy_header(Scalar scalar, const std::vector<u64>& shape) {
  std::string text =
      fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': {}, }}",
                  bytes_of(scalar) == 1 ? "|" : "<", kind_of(scalar), bytes_of(scalar), shape_text(shape));
  // The data begin at a multiple of 64 bytes, behind a new line.
  while ((magic.size() + 4 + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  const char version_and_length[] = {1, 0, static_cast<char>(text.size() & 255),
                                     static_cast<char>(text.size() >> 8)};
  return std::string(magic) + std::string(version_and_length, sizeof version_and_length) + text;
}

Expected<NpyArray> parse_npy(const std::string& path, std::string_view content) {
  const auto byte = [&](std::size_t at) { return std::size_t{static_cast<u8>(content[at])}; };
  if (!content.starts_with(magic) || content.size() < 12)
    return bad_npy(path, "this is no .npy file", "numpy.save writes them");
  const std::size_t version = byte(6);
  if (version < 1 || version > 3)
    return bad_npy(path,
                   fmt::format("the file has format {}.{} of .npy, known are 1.0 to 3.0", version, byte(7)));
  const std::size_t begin = version == 1 ? 10 : 12;
  const std::size_t length = version == 1 ? byte(8) + (byte(9) << 8)
                                          : byte(8) + (byte(9) << 8) + (byte(10) << 16) + (byte(11) << 24);
  if (length > content.size() - begin) return bad_npy(path, "the file ends within its header");
  HeaderReader header(content.substr(begin, length));
  const bool good = header.read();
  if (header.records)
    return bad_npy(path, "the file holds records, not numbers", "save one field of the array");
  if (!good) return bad_npy(path, "the file's header is not one that numpy writes");
  std::string_view type = *header.descr;
  const char order = type.empty() ? '\0' : type.front();
  if (order == '<' || order == '>' || order == '|' || order == '=') type.remove_prefix(1);
  const std::optional<Scalar> scalar = scalar_of(type);
  if (!scalar)
    return bad_npy(path, fmt::format("no buffer has elements of numpy's type '{}'", *header.descr),
                   "integers of 8 to 64 bits, float16, float32 and float64 are taken: array.astype(...)");
  if (order == '>' && bytes_of(*scalar) > 1)
    return bad_npy(path, "the file's numbers are big-endian", "array.astype(array.dtype.newbyteorder('<'))");
  NpyArray array;
  array.scalar = *scalar;
  array.shape = std::move(*header.shape);
  if (*header.fortran && array.shape.size() > 1)
    return bad_npy(path, fmt::format("the array of shape {} lies in Fortran order", shape_text(array.shape)),
                   "numpy.ascontiguousarray(array) before it is saved");
  u64 bytes = bytes_of(*scalar);
  bool overflow = false;
  for (const u64 extent : array.shape) overflow |= __builtin_mul_overflow(bytes, extent, &bytes);
  const std::string_view data = content.substr(begin + length);
  if (overflow || bytes != data.size())
    return bad_npy(path, fmt::format("the file has {} bytes of data, shape {} of '{}' takes {}", data.size(),
                                     shape_text(array.shape), *header.descr,
                                     overflow ? "more than can be counted" : std::to_string(bytes)));
  array.data.assign(data.begin(), data.end());
  return array;
}

Expected<NpyArray> read_npy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Diagnostic{"no-such-file", {path, 0, 0}, "the file cannot be read", ""};
  if (std::filesystem::is_directory(path))
    return Diagnostic{"no-such-file", {path, 0, 0}, "this is a directory, not a file", ""};
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return parse_npy(path, content);
}

}  // namespace lockstep::corpus

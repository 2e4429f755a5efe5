// SVG as text: the few elements that pictures are made of. Coordinates have one decimal.
#pragma once
#include <string>
#include <string_view>

#include "base/types.h"

namespace lockstep {

class Svg {
 public:
  Svg(u32 width, u32 height, std::string_view title);

  enum class Anchor : u8 { start, middle, end };
  void text(f64 x, f64 y, std::string_view words, Anchor anchor = Anchor::start, bool soft = false);
  void code(f64 x, f64 y, std::string_view words);  // in letters of one width
  // `meaning` shows where the pointer rests; may be empty.
  void bar(f64 x, f64 y, f64 width, f64 height, std::string_view colour, std::string_view meaning = {},
           f64 opacity = 1);
  void path(std::string_view d, std::string_view colour, std::string_view meaning = {});
  void line(f64 x1, f64 y1, f64 x2, f64 y2);
  std::string finish() &&;

 private:
  std::string out_;
};

// 12.3, 12 where there is nothing behind the point.
std::string coordinate(f64 value);

}  // namespace lockstep

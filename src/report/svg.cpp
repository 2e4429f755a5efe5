#include "report/svg.h"

#include <fmt/format.h>

#include <cmath>

namespace lockstep {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

std::string title_of(std::string_view meaning) {
  return meaning.empty() ? "/>\n" : fmt::format("><title>{}</title>", escaped(meaning));
}

}  // namespace

std::string coordinate(f64 value) {
  const f64 tenths = std::round(value * 10);
  if (std::fmod(tenths, 10) == 0) return fmt::format("{:.0f}", tenths / 10);
  return fmt::format("{:.1f}", tenths / 10);
}

// Readers who like it dark get dark paper; both have the same bars.
Svg::Svg(u32 width, u32 height, std::string_view title) {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<title>{2}</title>\n"
      "<style>.p{{fill:#fff}}.t{{fill:#1b1f24}}.s{{fill:#5b6570}}.l{{stroke:#b9c0c7}}"
      ".c{{font-family:ui-monospace,\"DejaVu Sans Mono\",monospace;font-size:11px;white-space:pre}}"
      "@media(prefers-color-scheme:dark){{.p{{fill:#14171b}}.t{{fill:#e4e8ec}}.s{{fill:#9aa5b1}}"
      ".l{{stroke:#4a525b}}}}</style>\n<rect class=\"p\" width=\"{0}\" height=\"{1}\"/>\n",
      width, height, escaped(title));
}

void Svg::text(f64 x, f64 y, std::string_view words, Anchor anchor, bool soft) {
  constexpr std::string_view names[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  out_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\"{}>{}</text>\n", soft ? "s" : "t", coordinate(x),
                      coordinate(y), names[static_cast<std::size_t>(anchor)], escaped(words));
}

void Svg::code(f64 x, f64 y, std::string_view words) {
  out_ += fmt::format("<text class=\"t c\" x=\"{}\" y=\"{}\">{}</text>\n", coordinate(x), coordinate(y),
                      escaped(words));
}

void Svg::bar(f64 x, f64 y, f64 width, f64 height, std::string_view colour, std::string_view meaning,
              f64 opacity) {
  out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}{}", coordinate(x),
                      coordinate(y), coordinate(width), coordinate(height), colour,
                      opacity < 1 ? fmt::format(" fill-opacity=\"{:.2f}\"", opacity) : "", title_of(meaning));
  if (!meaning.empty()) out_ += "</rect>\n";
}

void Svg::path(std::string_view d, std::string_view colour, std::string_view meaning) {
  out_ += fmt::format("<path d=\"{}\" fill=\"{}\"{}", d, colour, title_of(meaning));
  if (!meaning.empty()) out_ += "</path>\n";
}

void Svg::line(f64 x1, f64 y1, f64 x2, f64 y2) {
  out_ += fmt::format("<line class=\"l\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", coordinate(x1),
                      coordinate(y1), coordinate(x2), coordinate(y2));
}

std::string Svg::finish() && {
  return std::move(out_) + "</svg>\n";
}

}  // namespace lockstep

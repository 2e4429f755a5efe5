// Source lines as reports show them.
#pragma once
#include <string>

#include "report/run_data.h"

namespace lockstep {

// Where an instruction comes from; line 0 gathers what the compiler places nowhere.
struct SourceLine {
  u32 file = 0, line = 0;
  auto operator<=>(const SourceLine&) const = default;
};
SourceLine source_line(const Code& code, std::size_t instruction);

// The file's name; empty for line 0.
std::string file_of(const Code& code, const SourceLine& at);
// Whether two names mean one file, as "./a.cl" and "a.cl" do.
bool same_file(const std::string& a, const std::string& b);
// The line itself, without its indentation; empty where the run does not have it.
std::string text_of(const RunData& run, const SourceLine& at);
// "file:12", or "(no line)".
std::string place_text(const std::string& file, u32 line);

}  // namespace lockstep

#include "cases/assemble.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

#include "compile/process.h"

namespace lockstep::cases {
namespace {

constexpr std::string_view marker = "lockstep_case_";

// A branch whose target the assembler left to the linker: "[A,A,0x82,0xbf]" and "fixup A - offset: 0, value:
// L".
struct Fixup {
  std::size_t entry = 0, line = 0;
  std::string label;
};

struct Reader {
  std::vector<Assembled>& out;
  const std::vector<std::size_t>& chosen;
  std::size_t current = 0;
  bool inside = false;
  u64 address = 0;
  std::vector<Fixup> fixups;
  std::map<std::pair<std::size_t, std::string>, u64> labels;  // by case

  void read(std::string_view line) {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    const std::size_t encoding = line.find("; encoding: [");
    if (line.starts_with(marker)) {
      current = static_cast<std::size_t>(std::atoll(std::string(line.substr(marker.size())).c_str()));
      inside = true;
      return;
    }
    const std::size_t fixup = line.find("fixup A - ");
    if (fixup != std::string_view::npos) {
      const std::size_t value = line.find("value: ");
      std::string_view label = line.substr(value + 7);
      label = label.substr(0, label.find(','));
      if (!out[current].lines.empty())
        fixups.push_back({current, out[current].lines.size() - 1, std::string(label)});
      return;
    }
    const std::size_t colon = line.find(':');
    if (encoding == std::string_view::npos) {
      if (colon != std::string_view::npos && line.find_first_of(" \t") > colon)
        labels[{current, std::string(line.substr(0, colon))}] = address;
      return;
    }
    if (!inside) return;
    AssembledLine entry;
    std::string_view text = line.substr(0, encoding);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    entry.text = text;
    entry.address = address;
    std::vector<u32> bytes;
    const std::string_view list = line.substr(encoding + 13);
    for (std::size_t at = 0; at < list.size() && list[at] != ']';) {
      const std::size_t end = list.find_first_of(",]", at);
      const std::string byte(list.substr(at, end - at));
      bytes.push_back(
          byte.starts_with("0x") ? static_cast<u32>(std::strtoul(byte.c_str(), nullptr, 16)) & 0xFF : 0);
      at = end + (list[end] == ',' ? 1 : 0);
    }
    for (std::size_t i = 0; i + 3 < bytes.size(); i += 4)
      entry.words.push_back(bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | bytes[i + 3] << 24);
    address += bytes.size();
    out[current].lines.push_back(std::move(entry));
  }

  void resolve() {
    for (const Fixup& fixup : fixups) {
      AssembledLine& line = out[fixup.entry].lines[fixup.line];
      const auto label = labels.find({fixup.entry, fixup.label});
      if (label == labels.end()) {
        out[fixup.entry].error = "the label " + fixup.label + " is not in the case";
        continue;
      }
      const i64 distance = static_cast<i64>(label->second) - static_cast<i64>(line.address) - 4;
      line.words[0] |= static_cast<u32>(distance / 4) & 0xFFFF;
    }
  }
};

}  // namespace

Expected<std::vector<Assembled>> assemble(const std::string& target, u32 lanes,
                                          const std::vector<const std::vector<std::string>*>& code) {
  std::vector<Assembled> out(code.size());
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < code.size(); ++i) chosen.push_back(i);
  // What the assembler refuses is taken out, and the rest goes again.
  for (int attempt = 0; attempt < 2; ++attempt) {
    std::string input;
    std::vector<std::size_t> entry_of_line{0};
    for (const std::size_t i : chosen) {
      input += std::string(marker) + std::to_string(i) + ":\n";
      entry_of_line.push_back(i);
      for (const std::string& line : *code[i]) {
        input += line + "\n";
        entry_of_line.push_back(i);
      }
      input += "s_endpgm\n";
      entry_of_line.push_back(i);
    }
    ProcessRequest request;
    request.arguments = {LOCKSTEP_LLVM_MC, "-triple=amdgcn-amd-amdhsa", "-mcpu=" + target, "-show-encoding"};
    if (lanes != 0) request.arguments.push_back("-mattr=+wavefrontsize" + std::to_string(lanes));
    request.input = input;
    const auto result = run_process(request);
    if (!result) return result.error();
    std::istringstream errors(result->errors);
    bool refused = false;
    for (std::string line; std::getline(errors, line);) {
      const std::size_t error = line.find(": error: ");
      if (!line.starts_with("<stdin>:") || error == std::string::npos) continue;
      const auto number = static_cast<std::size_t>(std::atoll(line.c_str() + 8));
      if (number >= entry_of_line.size()) continue;
      const std::size_t entry = entry_of_line[number];
      out[entry].error += line.substr(error + 9) + "\n";
      std::erase(chosen, entry);
      refused = true;
    }
    if (refused) continue;
    if (!result->ok())
      return Diagnostic{"cannot-run", {}, std::string(LOCKSTEP_LLVM_MC) + " failed: " + result->errors, ""};
    Reader reader{out, chosen, 0, false, 0, {}, {}};
    std::istringstream lines(result->output);
    for (std::string line; std::getline(lines, line);) reader.read(line);
    reader.resolve();
    break;
  }
  return out;
}

}  // namespace lockstep::cases

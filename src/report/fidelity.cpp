#include "report/fidelity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace lockstep {
namespace {

using Lines = std::map<std::pair<std::string, u32>, u64>;

struct Entry {
  u64 count = 0;
  std::set<std::string> mnemonics;
  Lines lines;

  void add(const InspectedInstruction& instruction) {
    ++count;
    mnemonics.insert(instruction.mnemonic);
    ++lines[{instruction.file, instruction.line}];
  }
};

Json lines_json(const Lines& lines) {
  Json list = Json::array();
  for (const auto& [place, count] : lines)
    list.push_back({{"file", place.first}, {"line", place.second}, {"count", count}});
  return list;
}

// "examples/saxpy.cl:4 (2), 7": the file once, a count where a line has several.
std::string line_list(const Json& lines) {
  std::string out, last;
  for (const Json& line : lines) {
    const std::string file = line["file"].get<std::string>();
    const u32 number = line["line"].get<u32>();
    if (!out.empty()) out += ", ";
    if (number == 0) {
      out += "no source line";
    } else {
      out += file == last ? std::to_string(number) : fmt::format("{}:{}", file, number);
    }
    last = file;
    if (line["count"].get<u64>() > 1) out += fmt::format(" ({})", line["count"].get<u64>());
  }
  return out;
}

std::string joined(const Json& words) {
  std::string out;
  for (const Json& word : words) out += (out.empty() ? "" : ", ") + word.get<std::string>();
  return out;
}

// Of the functions, those that an instruction's text names.
void add_named(const std::string& text, const std::set<std::string>& functions,
               std::set<std::string>& named) {
  const auto of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
  };
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && of_name(text[end])) ++end;
    if (end > begin && functions.contains(text.substr(begin, end - begin)))
      named.insert(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

// The functions that are no kernels and that the kernel may call: those that its code names, or theirs; and
// those that no code names, which may be called by their address.
std::set<std::string> may_call(const Inspection& inspection, const std::string& kernel) {
  std::set<std::string> functions;
  for (const InspectedFunction& function : inspection.functions) {
    if (!function.kernel && !function.instructions.empty()) functions.insert(function.name);
  }
  if (functions.empty()) return {};
  std::map<std::string, std::set<std::string>> names;
  std::set<std::string> reached = functions;
  for (const InspectedFunction& function : inspection.functions) {
    std::set<std::string>& named = names[function.name];
    for (const InspectedInstruction& instruction : function.instructions)
      add_named(instruction.text, functions, named);
    named.erase(function.name);
    for (const std::string& name : named) reached.erase(name);
  }
  std::vector<std::string> open(reached.begin(), reached.end());
  open.push_back(kernel);
  while (!open.empty()) {
    const std::string from = open.back();
    open.pop_back();
    for (const std::string& name : names[from])
      if (reached.insert(name).second) open.push_back(name);
  }
  return reached;
}

}  // namespace

Json fidelity_json(const Inspection& inspection, const std::string& kernel, const std::string& title) {
  // By meaning: mnemonics of different generations and types share one.
  std::map<std::pair<std::string_view, std::string_view>, Entry> approximations;
  std::map<std::pair<std::string, std::string>, Entry> unknowns;
  const std::set<std::string> called = may_call(inspection, kernel);
  u64 all = 0, exact = 0, approximated = 0, unknown = 0;
  for (const InspectedFunction& function : inspection.functions) {
    if (function.kernel ? function.name != kernel : !called.contains(function.name)) continue;
    for (const InspectedInstruction& instruction : function.instructions) {
      ++all;
      if (instruction.meanings.empty()) {
        ++unknown;
        unknowns[{instruction.mnemonic, instruction.problem}].add(instruction);
        continue;
      }
      bool bounded = false;
      for (const Semantic* meaning : instruction.meanings) {
        if (meaning->bound.empty()) continue;
        bounded = true;
        approximations[{meaning->name, meaning->bound}].add(instruction);
      }
      ++(bounded ? approximated : exact);
    }
  }
  Json data;
  data["kernel"] = title;
  if (title != kernel) data["symbol"] = kernel;
  data["functions"] = called;
  data["instructions"] = all;
  data["exact"] = exact;
  data["approximated"] = approximated;
  data["unknown"] = unknown;
  data["approximations"] = Json::array();
  for (const auto& [key, entry] : approximations)
    data["approximations"].push_back({{"meaning", key.first},
                                      {"bound", key.second},
                                      {"mnemonics", entry.mnemonics},
                                      {"count", entry.count},
                                      {"lines", lines_json(entry.lines)}});
  data["unknowns"] = Json::array();
  for (const auto& [key, entry] : unknowns)
    data["unknowns"].push_back({{"mnemonic", key.first},
                                {"problem", key.second},
                                {"count", entry.count},
                                {"lines", lines_json(entry.lines)}});
  return data;
}

std::string fidelity_text(const Json& data) {
  std::string out =
      fmt::format("{}: {} instructions", data["kernel"].get<std::string>(), data["instructions"].get<u64>());
  if (!data["functions"].empty())
    out += fmt::format(", those of the functions {} included", joined(data["functions"]));
  const f64 all = data["instructions"].get<f64>();
  out += "\n";
  for (const char* kind : {"exact", "approximated", "unknown"})
    out += fmt::format("  {:<14} {:>8} {:>8}\n", kind, data[kind].get<u64>(),
                       percent(data[kind].get<f64>(), all));
  for (const Json& entry : data["approximations"])
    out +=
        fmt::format("  approximated: {} ({}), {} times\n    within {}\n    at {}\n",
                    entry["meaning"].get<std::string>(), joined(entry["mnemonics"]),
                    entry["count"].get<u64>(), entry["bound"].get<std::string>(), line_list(entry["lines"]));
  for (const Json& entry : data["unknowns"])
    out += fmt::format("  unknown: {}, {} times\n    {}\n    at {}\n", entry["mnemonic"].get<std::string>(),
                       entry["count"].get<u64>(), entry["problem"].get<std::string>(),
                       line_list(entry["lines"]));
  return out;
}

}  // namespace lockstep

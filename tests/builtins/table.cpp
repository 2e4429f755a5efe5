#include "builtins/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace lockstep::builtins {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (c != ' ' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

struct Element {
  std::string_view name, same_signed, same_unsigned, wider;
};

constexpr std::array<Element, 11> elements = {{{"char", "char", "uchar", "short"},
                                               {"uchar", "char", "uchar", "ushort"},
                                               {"short", "short", "ushort", "int"},
                                               {"ushort", "short", "ushort", "uint"},
                                               {"int", "int", "uint", "long"},
                                               {"uint", "int", "uint", "ulong"},
                                               {"long", "long", "ulong", ""},
                                               {"ulong", "long", "ulong", ""},
                                               {"half", "short", "ushort", ""},
                                               {"float", "int", "uint", ""},
                                               {"double", "long", "ulong", ""}}};

struct Variable {
  std::string name;
  std::vector<std::string> words;
};

struct Choice {
  std::string name, word;
};

std::string substituted(std::string text, const std::vector<Choice>& choices) {
  bool vector = false;
  for (const Choice& choice : choices) vector |= choice.name == "n" && choice.word != "1";
  for (const Choice& choice : choices) {
    const bool width = choice.name == "n" || choice.name == "m";
    const bool nothing = (width && choice.word == "1") || choice.word == "default";
    replace_all(text, "{" + choice.name + "}", nothing ? "" : choice.word);
    if (choice.name == "s")
      replace_all(text, "{V}", choice.word == "f" ? "float4" : choice.word == "i" ? "int4" : "uint4");
    if (choice.name != "E") continue;
    for (const Element& element : elements) {
      if (element.name != choice.word) continue;
      replace_all(text, "{I}", element.same_signed);
      replace_all(text, "{U}", element.same_unsigned);
      replace_all(text, "{H}", element.wider);
      replace_all(text, "{R}", vector ? element.same_signed : "int");
    }
  }
  return text;
}

// One argument of the called function and the kernel's means to have it.
struct Argument {
  std::string parameter;  // of the kernel; may be empty
  std::string before;     // statements
  std::string value;      // what is passed
  std::string after;
};

Argument argument_of(const std::string& type, u32 number, bool many) {
  Argument made;
  if (type.starts_with("=")) {
    made.value = type.substr(1);
    return made;
  }
  if (type.find("image") != std::string::npos || type == "sampler_t") {
    made.parameter = fmt::format("{} a{}", type, number);
    made.value = fmt::format("a{}", number);
    return made;
  }
  if (!type.ends_with("*")) {
    made.parameter = fmt::format("global const {}* a{}", type, number);
    made.before = fmt::format("const {} x{} = a{}[i];", type, number, number);
    made.value = fmt::format("x{}", number);
    return made;
  }
  std::string space, pointed;
  for (const std::string& word : words_of(type.substr(0, type.size() - 1))) {
    if (word == "global" || word == "local" || word == "private" || word == "constant") {
      space = word;
    } else if (word != "const" && word != "volatile") {
      pointed += (pointed.empty() ? "" : " ") + word;
    }
  }
  if (space == "global" || space == "constant") {
    made.parameter = fmt::format("{} {}* a{}", space, pointed, number);
    made.value = fmt::format("a{} + i", number);
    return made;
  }
  made.parameter = fmt::format("global {}* a{}", pointed, number);
  if (space == "local") {
    made.before =
        fmt::format("local {0} p{1}[256]; p{1}[get_local_id(0)] = a{1}[i]; barrier(CLK_LOCAL_MEM_FENCE);",
                    pointed, number);
    made.value = fmt::format("p{0} + get_local_id(0)", number);
    made.after = fmt::format("barrier(CLK_LOCAL_MEM_FENCE); a{0}[i] = p{0}[255 - get_local_id(0)];", number);
  } else {
    const u32 count = many ? 32 : 1;
    made.before = fmt::format("{0} p{1}[{2}]; for (int j = 0; j < {2}; ++j) p{1}[j] = a{1}[i + j];", pointed,
                              number, count);
    made.value = fmt::format("p{}", number);
    made.after = fmt::format("for (int j = 0; j < {1}; ++j) a{0}[i + j] = p{0}[j];", number, count);
  }
  return made;
}

std::optional<Builtin> builtin_of(const std::string& signature, const std::string& statement) {
  const std::size_t open = signature.find('('), close = signature.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  const std::vector<std::string> head = words_of(signature.substr(0, open));
  if (head.size() != 2) return std::nullopt;
  Builtin made;
  made.function = head[1];
  made.signature = signature;
  const std::string& result = head[0];
  const std::string inside = signature.substr(open + 1, close - open - 1);
  std::vector<Argument> arguments;
  if (!trimmed(inside).empty()) {
    for (const std::string& type : split(inside, ','))
      arguments.push_back(
          argument_of(type, static_cast<u32>(arguments.size()) + 1,
                      made.function.starts_with("vload") || made.function.starts_with("vstore")));
  }
  std::string parameters, before, after, passed, body = statement;
  if (result != "void") parameters = fmt::format("global {}* out", result);
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const Argument& a = arguments[k];
    if (!a.parameter.empty()) parameters += (parameters.empty() ? "" : ", ") + a.parameter;
    if (!a.before.empty()) before += "  " + a.before + "\n";
    if (!a.after.empty()) after += "  " + a.after + "\n";
    passed += (k == 0 ? "" : ", ") + a.value;
    replace_all(body, fmt::format("${}", k + 1), a.value);
  }
  if (body.empty()) body = fmt::format("{}{}({})", result == "void" ? "" : "r = ", made.function, passed);
  made.kernel =
      fmt::format("kernel void %K({}) {{\n  const size_t i = get_global_id(0);\n{}", parameters, before);
  if (result != "void") made.kernel += fmt::format("  {} r;\n", result);
  made.kernel += fmt::format("  {};\n", body);
  if (result != "void") made.kernel += "  out[i] = r;\n";
  made.kernel += after + "}\n";
  return made;
}

struct Reader {
  Table table;
  std::vector<Variable> variables;

  Status section(std::string_view line) {
    Section made;
    variables.clear();
    const std::size_t open = line.find('('), close = line.find(')');
    if (open != std::string_view::npos && close != std::string_view::npos)
      made.title = line.substr(open + 1, close - open - 1);
    for (const std::string& word : words_of(line)) {
      if (word == "section") continue;
      if (made.name.empty()) made.name = word;
      if (word == "needs=images") made.images = true;
      if (word == "since=2.0") made.since_2 = true;
      if (word.starts_with("options=")) made.options.push_back(word.substr(8));
    }
    table.sections.push_back(std::move(made));
    return Success{};
  }

  Status loop(std::string_view line) {
    variables.clear();
    for (const std::string& part : split(line.substr(4), ';')) {
      const std::vector<std::string> words = words_of(part);
      if (words.size() < 3 || words[1] != "=")
        return Diagnostic{"bad-table", {}, "not VAR = WORD...: " + part, ""};
      variables.push_back({words[0], {words.begin() + 2, words.end()}});
    }
    return Success{};
  }

  Status signature(std::string_view line) {
    const std::size_t colon = line.find(" : ");
    const std::string call = trimmed(line.substr(0, colon));
    const std::string statement = colon == std::string_view::npos ? "" : trimmed(line.substr(colon + 3));
    std::vector<std::size_t> at(variables.size(), 0);
    while (true) {
      std::vector<Choice> choices;
      for (std::size_t v = 0; v < variables.size(); ++v)
        choices.push_back({variables[v].name, variables[v].words[at[v]]});
      auto made = builtin_of(substituted(call, choices), substituted(statement, choices));
      if (!made) return Diagnostic{"bad-table", {}, "not RESULT NAME(ARGUMENTS): " + call, ""};
      made->section = static_cast<u32>(table.sections.size()) - 1;
      table.builtins.push_back(std::move(*made));
      std::size_t v = variables.size();
      while (v > 0 && ++at[v - 1] == variables[v - 1].words.size()) at[--v] = 0;
      if (v == 0) return Success{};
    }
  }
};

}  // namespace

Expected<Table> read_table(std::string_view text, const std::string& name) {
  Reader reader;
  u32 number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    const Status done = line.starts_with("section ") ? reader.section(line)
                        : line.starts_with("for ")   ? reader.loop(line)
                                                     : reader.signature(line);
    if (!done) {
      Diagnostic wrong = done.error();
      wrong.place = {name, number, 0};
      return wrong;
    }
  }
  return std::move(reader.table);
}

std::string program_of(const Table& table, const std::vector<u32>& builtins) {
  std::string text =
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
      "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
      "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
      "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n";
  for (std::size_t k = 0; k < builtins.size(); ++k) {
    std::string kernel = table.builtins[builtins[k]].kernel;
    replace_all(kernel, "%K", fmt::format("k{}", k));
    text += kernel;
  }
  return text;
}

}  // namespace lockstep::builtins

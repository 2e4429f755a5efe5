#include "cases/case_file.h"

#include <charconv>
#include <fstream>
#include <sstream>

#include "isa/wave.h"

namespace lockstep::cases {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

bool parse_u32(std::string_view text, u32& value) {
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  return !text.empty() && result.ec == std::errc() && result.ptr == text.data() + text.size();
}

bool parse_place(std::string_view text, Setting& setting) {
  using Where = Setting::Where;
  setting.place = std::string(text);
  if (text == "active" || text.starts_with("%") || text.starts_with("T") || text.starts_with("KC") ||
      (text.find(':') != std::string_view::npos && text.find('[') == std::string_view::npos)) {
    setting.where = Where::named;
    return true;
  }
  const auto scalar = [&](u32 index, u32 registers) {
    setting.where = Where::scalar;
    setting.index = index;
    setting.registers = registers;
    return true;
  };
  if (text == "vcc") return scalar(scalar_register::vcc_lo, 2);
  if (text == "vcc_lo") return scalar(scalar_register::vcc_lo, 1);
  if (text == "vcc_hi") return scalar(scalar_register::vcc_hi, 1);
  if (text == "exec") return scalar(scalar_register::exec_lo, 2);
  if (text == "flat_scratch") return scalar(scalar_register::flat_scratch_lo, 2);
  if (text == "m0") return scalar(scalar_register::m0, 1);
  const std::pair<std::string_view, Where> plain[] = {
      {"scc", Where::scc}, {"mode", Where::mode}, {"ieee", Where::ieee}, {"dx10_clamp", Where::dx10_clamp}};
  for (const auto& [name, where] : plain) {
    if (text == name) {
      setting.where = where;
      return true;
    }
  }
  for (const auto& [name, where] : {std::pair<std::string_view, Where>{"lds[", Where::local},
                                    {"shared[", Where::local},
                                    {"private[", Where::private_memory},
                                    {"mem[", Where::memory}}) {
    if (!text.starts_with(name)) continue;
    setting.where = where;
    return text.ends_with("]") &&
           parse_u32(text.substr(name.size(), text.size() - name.size() - 1), setting.index);
  }
  if (text.size() < 2 || (text[0] != 'v' && text[0] != 's' && text[0] != 'a')) return false;
  setting.where = text[0] == 's' ? Where::scalar : Where::vector;
  const u32 base = text[0] == 'a' ? 256 : 0;
  text.remove_prefix(1);
  if (text[0] != '[') {
    const bool ok = parse_u32(text, setting.index);
    setting.index += base;
    return ok;
  }
  const std::size_t colon = text.find(':');
  u32 last = 0;
  if (colon == std::string_view::npos || text.back() != ']' ||
      !parse_u32(text.substr(1, colon - 1), setting.index) ||
      !parse_u32(text.substr(colon + 1, text.size() - colon - 2), last) || last != setting.index + 1) {
    return false;
  }
  setting.index += base;
  setting.registers = 2;
  return true;
}

struct Parser {
  const std::string& path;
  std::vector<Case> cases;
  u32 line = 0;
  bool in_code = false, in_module = false;
  std::vector<Setting>* open = nullptr;  // whose last entry's values the next indented line continues
  std::string pending;                   // those values

  Diagnostic fail(std::string message) const { return {"bad-case", {path, line, 0}, std::move(message), ""}; }

  Status finish_values() {
    if (open == nullptr) return Success{};
    auto values = parse_values(pending);
    if (!values) {
      Diagnostic error = values.error();
      error.place = {path, line, 0};
      return error;
    }
    open->back().values = std::move(*values);
    open = nullptr;
    return Success{};
  }

  Status feed(std::string_view raw) {
    // "#1" is an operand.
    std::size_t comment = raw.find('#');
    while (comment != raw.npos && comment + 1 < raw.size() && raw[comment + 1] >= '0' &&
           raw[comment + 1] <= '9')
      comment = raw.find('#', comment + 1);
    const std::string_view text = raw.substr(0, comment);
    const std::string_view body = trim(text);
    if (body.empty()) return Success{};
    const bool indented = text[0] == ' ' || text[0] == '\t';
    if (indented && (in_code || in_module)) {
      (in_code ? cases.back().code : cases.back().module).emplace_back(body);
      return Success{};
    }
    if (indented && open != nullptr) {
      pending += ' ';
      pending += body;
      return Success{};
    }
    in_code = in_module = false;
    const Status finished = finish_values();
    if (!finished) return finished;
    const std::size_t blank = body.find(' ');
    const std::string_view keyword = body.substr(0, blank);
    const std::string_view rest = blank == std::string_view::npos ? "" : trim(body.substr(blank));
    if (keyword == "case") {
      if (rest.empty()) return fail("a case needs a name");
      cases.emplace_back();
      cases.back().name = rest;
      cases.back().file = path;
      cases.back().line = line;
      return Success{};
    }
    if (cases.empty()) return fail("the first line must be 'case NAME'");
    Case& current = cases.back();
    if (keyword == "target") {
      std::istringstream names{std::string(rest)};
      for (std::string name; names >> name;) current.targets.push_back(name);
      return Success{};
    }
    if (keyword == "not") return Success{};  // for extend_targets.py
    if (keyword == "lanes") {
      if (!parse_u32(rest, current.lanes) ||
          (current.lanes != 8 && current.lanes != 16 && current.lanes != 32 && current.lanes != 64))
        return fail("lanes are 8, 16, 32 or 64");
      return Success{};
    }
    if (keyword == "threads") {
      if (!parse_u32(rest, current.threads) || current.threads == 0 || current.threads > 1024)
        return fail("threads are 1 to 1024");
      return Success{};
    }
    if (keyword == "module") {
      in_module = true;
      return Success{};
    }
    for (const auto& [name, words] :
         {std::pair{"refused", &current.refused}, std::pair{"faults", &current.faults},
          std::pair{"alarms", &current.alarms}}) {
      if (keyword != name) continue;
      if (rest.empty()) return fail("expected words of the message");
      *words = rest;
      return Success{};
    }
    if (keyword == "prints") {
      current.prints += std::string(rest) + "\n";
      return Success{};
    }
    if (keyword == "code") {
      in_code = true;
      return Success{};
    }
    if (keyword != "before" && keyword != "after")
      return fail("unknown keyword '" + std::string(keyword) + "'");
    const std::size_t equals = rest.find('=');
    Setting setting;
    if (equals == std::string_view::npos || !parse_place(trim(rest.substr(0, equals)), setting))
      return fail("expected 'REGISTER = VALUES' behind '" + std::string(keyword) + "'");
    open = keyword == "before" ? &current.before : &current.after;
    open->push_back(std::move(setting));
    pending = rest.substr(equals + 1);
    return Success{};
  }
};

}  // namespace

Expected<std::vector<Case>> read_case_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Diagnostic{"bad-case", {path, 0, 0}, "cannot read the file", ""};
  Parser parser{path, {}, 0, false, false, nullptr, {}};
  for (std::string line; std::getline(file, line);) {
    ++parser.line;
    const Status fed = parser.feed(line);
    if (!fed) return fed.error();
  }
  const Status finished = parser.finish_values();
  if (!finished) return finished.error();
  for (const Case& entry : parser.cases) {
    const bool expects =
        !entry.after.empty() || !entry.refused.empty() || !entry.faults.empty() || !entry.prints.empty();
    if (entry.targets.empty() || entry.code.empty() || !expects) {
      return Diagnostic{"bad-case", {path, entry.line, 0}, "a case needs target, code and after", ""};
    }
  }
  return std::move(parser.cases);
}

}  // namespace lockstep::cases

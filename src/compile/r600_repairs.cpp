#include "compile/r600_repairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "base/align.h"
#include "compile/r600_text.h"
#include "compile/r600_types.h"

namespace lockstep::r600 {
namespace {

constexpr u32 first_number = 32;  // of the operations; hardware has 12 RATs
constexpr u32 end_number = 31;

struct RatAtomic {
  std::string_view ir, name;
};
constexpr RatAtomic rat_atomics[] = {{"add", "ATOMIC_ADD"},
                                     {"sub", "ATOMIC_SUB"},
                                     {"and", "ATOMIC_AND"},
                                     {"or", "ATOMIC_OR"},
                                     {"xor", "ATOMIC_XOR"},
                                     {"min", "ATOMIC_MIN_INT"},
                                     {"max", "ATOMIC_MAX_INT"},
                                     {"umin", "ATOMIC_MIN_UINT"},
                                     {"umax", "ATOMIC_MAX_UINT"},
                                     {"xchg", "ATOMIC_XCHG_INT"},
                                     {"uinc_wrap", "ATOMIC_INC_UINT"},
                                     {"udec_wrap", "ATOMIC_DEC_UINT"},
                                     {"cmpxchg", "ATOMIC_CMPXCHG_INT"}};

bool is_name_end(char c) {
  return c == ',' || c == ' ' || c == ')' || c == ']' || c == '}' || c == '\n' || c == '>';
}

// Whether a function's text names the value anywhere but where it is made.
bool is_used(std::string_view function, std::string_view name) {
  u32 found = 0;
  for (std::size_t at = function.find(name); at != std::string_view::npos;
       at = function.find(name, at + name.size())) {
    const std::size_t end = at + name.size();
    found += end < function.size() && is_name_end(function[end]) ? 1u : 0u;
  }
  return found > 1;
}

// There are fewer than 2^31 groups: of their number's highest bit LLVM does not know that it is zero.
constexpr std::string_view groups = "@llvm.r600.read.ngroups.x(";
constexpr std::string_view groups_declaration = "\ndeclare i32 @llvm.r600.read.ngroups.x()\n";

constexpr std::string_view typed_store_declaration =
    "\ndeclare void @llvm.r600.rat.store.typed(<4 x i32>, <4 x i32>, i32 immarg)\n";

}  // namespace

std::string with_inlined_functions(std::string_view module) {
  std::string changed;
  bool any = false;
  for (std::string_view rest = module; !rest.empty();) {
    const std::string_view line = take_line(rest);
    std::string made(line);
    if (const auto definition = definition_of(line); definition && !definition->kernel) {
      any = true;
      // Attributes follow what says how far the address matters.
      std::size_t at = definition->end;
      for (const std::string_view word : {" local_unnamed_addr", " unnamed_addr"}) {
        if (line.substr(at).starts_with(word)) at += word.size();
      }
      made.insert(at, " alwaysinline");
    } else if (line.starts_with("attributes #")) {
      for (const std::string_view word : {" noinline ", " optnone "}) {
        for (std::size_t at = made.find(word); at != made.npos; at = made.find(word))
          made.replace(at, word.size(), " ");
      }
    }
    changed += made;
    changed += '\n';
  }
  return any ? changed : std::string(module);
}

std::string with_repaired_conversions(std::string_view module) {
  constexpr std::string_view word = " = sitofp ";
  std::string made;
  u32 count = 0;
  for (std::string_view rest = module; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const std::size_t at = line.find(word), to = line.find(" to ");
    if (at == std::string_view::npos || to == std::string_view::npos || to < at) {
      made.append(line) += '\n';
      continue;
    }
    // "%f = sitofp <2 x i64> %x to <2 x float>, !dbg !7"
    std::string_view from = line.substr(at + word.size(), to - at - word.size());
    const std::size_t blank = from.rfind(from.ends_with('>') ? '<' : ' ');
    const std::string_view value =
        blank == std::string_view::npos ? from : from.substr(blank + (from[blank] == ' ' ? 1 : 0));
    std::string_view type = from.substr(0, from.size() - value.size());
    while (type.ends_with(' ')) type.remove_suffix(1);
    const std::string_view lane = type.starts_with('<') ? type.substr(type.find(" x ") + 3) : type;
    std::string_view result = line.substr(to + 4);
    const std::size_t end = std::min(result.find(','), result.size());
    const std::string_view notes = result.substr(end);
    result = result.substr(0, end);
    if (!(lane == "i64" || lane == "i64>") || !value.starts_with('%')) {
      made.append(line) += '\n';
      continue;
    }
    std::string sign_bit = "63", condition = "i1";
    if (type.starts_with('<')) {
      u32 lanes = 0;
      std::from_chars(type.data() + 1, type.data() + type.size(), lanes);
      std::vector<std::string> each(lanes, "i64 63");
      sign_bit = fmt::format("<{}>", fmt::join(each, ", "));
      condition = fmt::format("<{} x i1>", lanes);
    }
    const std::string own = fmt::format("%lockstep.{}.", count++);
    made += fmt::format("  {0}sign = ashr {1} {2}, {3}\n  {0}sum = add {1} {2}, {0}sign\n", own, type, value,
                        sign_bit);
    made += fmt::format("  {0}size = xor {1} {0}sum, {0}sign\n  {0}plus = uitofp {1} {0}size to {2}\n", own,
                        type, result);
    made += fmt::format("  {0}minus = fneg {1} {0}plus\n  {0}below = icmp slt {2} {3}, {4}\n", own, result,
                        type, value, type.starts_with('<') ? "zeroinitializer" : "0");
    made += fmt::format("{} = select {} {}below, {} {}minus, {} {}plus{}\n", line.substr(0, at), condition,
                        own, result, own, result, own, notes);
  }
  return made;
}

std::string with_whole_parameters(std::string_view module) {
  constexpr std::pair<std::string_view, std::string_view> types[] = {{"<4 x i8> ", "i32 "},
                                                                     {"<2 x i8> ", "i16 "}};
  std::string casts;  // of the kernel at hand, for its first block
  return with_changed_lines(
      module, [&](std::string_view line, std::string_view, const std::string&, std::string& made) {
        std::string changed(line);
        const auto definition = definition_of(line);
        if (definition && definition->kernel) {
          casts.clear();
          const std::size_t begin = static_cast<std::size_t>(definition->parameters.data() - line.data());
          for (const auto& [vector, whole] : types) {
            for (std::size_t at = changed.find(vector, begin); at != changed.npos;
                 at = changed.find(vector, at)) {
              const std::size_t name = changed.find('%', at), end = changed.find_first_of(",)", name);
              if (end == changed.npos) break;
              const std::string parameter = changed.substr(name, end - name);
              casts += fmt::format("  {0} = bitcast {1}{0}.whole to {2}\n", parameter, whole,
                                   vector.substr(0, vector.size() - 1));
              changed.insert(end, ".whole");
              changed.replace(at, vector.size(), whole);
            }
          }
        } else if (!casts.empty() && line.ends_with(':')) {
          made.append(line) += '\n';
          made += std::exchange(casts, {});
          return;
        } else if (!casts.empty() && line.starts_with("  ")) {
          made += std::exchange(casts, {});
        }
        made.append(changed) += '\n';
      });
}

std::string with_whole_dividends(std::string_view module) {
  constexpr std::string_view extending[] = {"sext ", "ashr ",   "or ",  "xor ", "and ",
                                            "add ",  "select ", "sub ", "phi ", "freeze "};
  u32 count = 0;
  std::string changed = with_changed_lines(module, [&](std::string_view line, std::string_view body,
                                                       const std::string&, std::string& made) {
    const auto keep = [&] { made.append(line) += '\n'; };
    const auto assignment = assignment_of(line);
    if (!assignment) return keep();
    const std::string_view text = assignment->value;
    if (!text.starts_with("urem ") && !text.starts_with("udiv ")) return keep();
    const std::size_t at = text.find(" i32 %");
    if (at == text.npos || at > 10) return keep();  // "udiv exact i32 %x, %y"
    const std::size_t comma = text.find(", ", at);
    const std::string_view dividend = text.substr(at + 5, comma - at - 5), divisor = text.substr(comma + 2);
    // By a constant it is a product.
    if (comma == text.npos || !divisor.starts_with('%')) return keep();
    const std::string key = fmt::format("  {} = ", dividend);
    const std::size_t begin = body.find(key);
    if (begin == body.npos) return keep();
    const std::string_view made_by = body.substr(begin + key.size());
    if (std::none_of(std::begin(extending), std::end(extending),
                     [&](std::string_view word) { return made_by.starts_with(word); }))
      return keep();
    const std::string own = fmt::format("%lockstep.dividend.{}.", count++);
    const std::string_view place = place_of(line);
    made += fmt::format("  {}groups = call i32 @llvm.r600.read.ngroups.x(){}\n", own, place);
    made += fmt::format("  {0}zero = and i32 {0}groups, -2147483648{1}\n", own, place);
    made += fmt::format("  {0}whole = xor i32 {1}, {0}zero{2}\n", own, dividend, place);
    made += fmt::format("  {} = {} i32 {}whole, {}\n", assignment->name, text.substr(0, at), own, divisor);
  });
  if (count != 0) declare(changed, groups, groups_declaration);
  return changed;
}

std::string with_separate_elements(std::string_view module) {
  u32 count = 0;
  std::string changed = with_changed_lines(
      module, [&](std::string_view line, std::string_view, const std::string&, std::string& made) {
        const auto keep = [&] { made.append(line) += '\n'; };
        const auto assignment = assignment_of(line);
        constexpr std::string_view word = "shufflevector ";
        if (!assignment || !assignment->value.starts_with(word)) return keep();
        // "shufflevector <2 x float> %a, <2 x float> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32
        // poison>"
        const std::string_view place = place_of(line);
        std::string_view text = assignment->value.substr(word.size());
        text.remove_suffix(place.size());
        const auto listed = listed_operands(text);
        if (listed.size() != 3) return keep();
        const TypedOperand from = typed_operand(listed[0]), mask = typed_operand(listed[2]);
        const std::size_t by = from.type.find(" x ");
        u32 elements = 0, wanted = 0;
        std::from_chars(from.type.data() + 1, from.type.data() + from.type.size(), elements);
        std::from_chars(mask.type.data() + 1, mask.type.data() + mask.type.size(), wanted);
        const std::string_view type =
            by == from.type.npos ? "" : from.type.substr(by + 3, from.type.size() - by - 4);
        if (wanted <= elements || !from.value.starts_with('%') || !mask.value.starts_with('<') ||
            (type != "float" && type != "i32"))
          return keep();
        const auto indices = listed_operands(mask.value.substr(1, mask.value.size() - 2));
        const std::string own = fmt::format("%lockstep.apart.{}.", count++);
        made += fmt::format("  {0}groups = call i32 {1}){2}\n  {0}zero = and i32 {0}groups, -2147483648{2}\n",
                            own, groups, place);
        std::string whole = "poison";
        for (u32 i = 0; i < indices.size(); ++i) {
          u32 index = 0;
          const std::string_view number = typed_operand(indices[i]).value;
          if (std::from_chars(number.data(), number.data() + number.size(), index).ec != std::errc{})
            continue;
          const TypedOperand source = typed_operand(listed[index < elements ? 0 : 1]);
          std::string bits = fmt::format("{}{}", own, i);
          made += fmt::format("  {} = extractelement {}, i32 {}{}\n", bits, source.text(), index % elements,
                              place);
          const auto step = [&](std::string_view suffix, const std::string& operation) {
            const std::string next = fmt::format("{}.{}", bits, suffix);
            made += fmt::format("  {} = {}{}\n", next, operation, place);
            bits = next;
          };
          if (type == "float") step("bits", fmt::format("bitcast float {} to i32", bits));
          step("same", fmt::format("or i32 {}, {}zero", bits, own));
          if (type == "float") step("float", fmt::format("bitcast i32 {} to float", bits));
          const std::string next = fmt::format("{}to{}", own, i);
          made += fmt::format("  {} = insertelement <{} x {}> {}, {} {}, i32 {}{}\n", next, wanted, type,
                              whole, type, bits, i, place);
          whole = next;
        }
        made += fmt::format("  {} = bitcast <{} x {}> {} to <{} x {}>{}\n", assignment->name, wanted, type,
                            whole, wanted, type, place);
      });
  if (count != 0) declare(changed, groups, groups_declaration);
  return changed;
}

namespace {

// Stretches of an f32's bits that are one class of llvm.is.fpclass each, in their order.
struct BitClass {
  u32 bit, first, last;
};
constexpr BitClass bit_classes[] = {{1u << 6, 0, 0},
                                    {1u << 7, 1, 0x7FFFFF},
                                    {1u << 8, 0x800000, 0x7F7FFFFF},
                                    {1u << 9, 0x7F800000, 0x7F800000},
                                    {1u << 0, 0x7F800001, 0x7FBFFFFF},
                                    {1u << 1, 0x7FC00000, 0x7FFFFFFF},
                                    {1u << 5, 0x80000000, 0x80000000},
                                    {1u << 4, 0x80000001, 0x807FFFFF},
                                    {1u << 3, 0x80800000, 0xFF7FFFFF},
                                    {1u << 2, 0xFF800000, 0xFF800000},
                                    {1u << 0, 0xFF800001, 0xFFBFFFFF},
                                    {1u << 1, 0xFFC00000, 0xFFFFFFFF}};

// Which classes of |x| compare so with infinity: CodeGenPrepare makes llvm.is.fpclass of such comparisons.
// Nothing for a predicate that holds always or never.
std::optional<u32> class_beside_infinity(std::string_view predicate) {
  constexpr u32 nan = 3, infinite = 1u << 9, all = 0x3FF;
  static constexpr std::pair<std::string_view, u32> known[] = {{"oeq", infinite},
                                                               {"une", all & ~infinite},
                                                               {"ueq", infinite | nan},
                                                               {"one", all & ~(infinite | nan)},
                                                               {"olt", all & ~(infinite | nan)},
                                                               {"uge", infinite | nan},
                                                               {"ole", all & ~nan},
                                                               {"ugt", nan},
                                                               {"oge", infinite},
                                                               {"ult", all & ~infinite}};
  for (const auto& [word, classes] : known)
    if (word == predicate) return classes;
  return std::nullopt;
}

struct ClassTest {
  std::string_view value;
  u32 lanes = 0;  // 0: no vector
  u32 classes = 0;
};

// Takes "float " or "<4 x float> ".
bool take_type(std::string_view& text, u32& lanes) {
  if (text.starts_with("float ")) {
    text.remove_prefix(6);
    return true;
  }
  const std::size_t at = text.find(" x float> ");
  if (!text.starts_with('<') || at > 4) return false;
  std::from_chars(text.data() + 1, text.data() + at, lanes);
  text.remove_prefix(at + 10);
  return lanes != 0;
}

std::optional<ClassTest> class_test_of(const Assignment& assignment, std::string_view body) {
  constexpr std::string_view callee = "@llvm.is.fpclass.", infinity = "0x7FF0000000000000";
  std::string_view text = assignment.value;
  ClassTest made;
  if (const std::size_t at = text.find(callee); at != text.npos) {
    // "@llvm.is.fpclass.v4f32(<4 x float> %x, i32 3), !dbg !7"
    text.remove_prefix(at);
    take_until(text, "(");
    if (!take_type(text, made.lanes)) return std::nullopt;
    const auto value = take_until(text, ", i32 ");
    if (!value) return std::nullopt;
    made.value = value->substr(value->rfind(' ') + 1);
    std::from_chars(text.data(), text.data() + std::min(text.find(')'), text.size()), made.classes);
    return made;
  }
  if (!text.starts_with("fcmp ")) return std::nullopt;
  // "fcmp fast ueq <2 x float> %a, <float 0x7FF0000000000000, float 0x7FF0000000000000>"
  const std::size_t type = std::min(text.find(" float %"), text.find(" <"));
  if (type == text.npos) return std::nullopt;
  const std::string_view words = text.substr(0, type);
  const auto classes = class_beside_infinity(words.substr(words.rfind(' ') + 1));
  text.remove_prefix(type + 1);
  if (!classes || !take_type(text, made.lanes)) return std::nullopt;
  const auto value = take_until(text, ", ");
  if (!value || text.find(infinity) == text.npos) return std::nullopt;
  u32 found = 0;
  for (std::size_t at = text.find(infinity); at != text.npos; at = text.find(infinity, at + 1)) ++found;
  if (found != std::max(made.lanes, 1u)) return std::nullopt;
  const std::size_t at = body.find(fmt::format("  {} = ", *value));
  const std::string_view line =
      at == body.npos ? body.substr(0, 0) : body.substr(at, body.find('\n', at) - at);
  if (line.find(" @llvm.fabs.") == line.npos) return std::nullopt;
  made.value = *value;
  made.classes = *classes;
  return made;
}

}  // namespace

std::string with_integer_classes(std::string_view module) {
  u32 count = 0;
  return with_changed_lines(module, [&](std::string_view line, std::string_view body, const std::string&,
                                        std::string& made) {
    const auto assignment = assignment_of(line);
    const auto test = assignment ? class_test_of(*assignment, body) : std::nullopt;
    if (!test) {
      made.append(line) += '\n';
      return;
    }
    const u32 lanes = test->lanes;
    const auto type_of = [&](std::string_view one) {
      return lanes == 0 ? std::string(one) : fmt::format("<{} x {}>", lanes, one);
    };
    const std::string type = type_of("i32"), bit = type_of("i1");
    const auto constant = [&](u32 number) {
      const i32 shown = static_cast<i32>(number);
      if (lanes == 0) return fmt::format("{}", shown);
      return fmt::format("<{}>",
                         fmt::join(std::vector<std::string>(lanes, fmt::format("i32 {}", shown)), ", "));
    };
    const std::string own = fmt::format("%lockstep.class.{}.", count++);
    const std::string_view place = place_of(line);
    made +=
        fmt::format("  {}bits = bitcast {} {} to {}{}\n", own, type_of("float"), test->value, type, place);
    const std::string nothing = lanes == 0 ? "false" : "zeroinitializer";
    std::string all = nothing;
    for (std::size_t i = 0; i < std::size(bit_classes);) {
      const auto wanted = [&] {
        return i < std::size(bit_classes) && (test->classes & bit_classes[i].bit) != 0;
      };
      if (!wanted()) {
        ++i;
        continue;
      }
      const u32 begin = bit_classes[i].first;
      u32 end = begin;
      for (; wanted(); ++i) end = bit_classes[i].last;
      const std::string one = fmt::format("{}{}", own, i);
      made += fmt::format("  {}.far = sub {} {}bits, {}{}\n", one, type, own, constant(begin), place);
      made +=
          fmt::format("  {0}.in = icmp ule {1} {0}.far, {2}{3}\n", one, type, constant(end - begin), place);
      made += fmt::format("  {0} = or {1} {2}, {0}.in{3}\n", one, bit, all, place);
      all = one;
    }
    made += fmt::format("  {} = or {} {}, {}{}\n", assignment->name, bit, all, nothing, place);
  });
}

std::string name_of_store(u32 number) {
  if (number == end_number) return "NOP";
  const u32 index = number - first_number, operations = static_cast<u32>(std::size(rat_atomics));
  if (index >= 2 * operations) return {};
  return fmt::format("{}{}", rat_atomics[index % operations].name, index < operations ? "_RTN" : "");
}

std::string with_returned_values(std::string_view module, u32 own_memory) {
  u32 count = 0;
  std::string changed = with_changed_lines(module, [&](std::string_view line, std::string_view body,
                                                       const std::string&, std::string& made) {
    const auto keep = [&] { made.append(line) += '\n'; };
    const auto assignment = assignment_of(line);
    if (!assignment) return keep();
    std::string_view text = assignment->value;
    const bool compares = text.starts_with("cmpxchg ");
    if (!compares && !text.starts_with("atomicrmw ")) return keep();
    const auto words = take_until(text, "ptr addrspace(1) ");
    if (!words) return keep();
    // "atomicrmw volatile add ": the operation is the last word.
    std::string_view operation = words->substr(0, words->size() - 1);
    operation = operation.substr(operation.rfind(' ') + 1);
    if (compares) operation = "cmpxchg";
    const auto known = std::find_if(std::begin(rat_atomics), std::end(rat_atomics),
                                    [&](const RatAtomic& one) { return one.ir == operation; });
    const auto pointer = take_until(text, ", i32 ");
    if (known == std::end(rat_atomics) || !pointer) return keep();
    const bool used = is_used(body, assignment->name);
    if (!used && operation != "xchg" && operation != "uinc_wrap" && operation != "udec_wrap") return keep();
    std::string_view comparand;
    if (compares) {
      const auto taken = take_until(text, ", i32 ");
      if (!taken) return keep();
      comparand = *taken;
    }
    const std::string_view operand = text.substr(0, text.find_first_of(" ,"));
    const std::string own = fmt::format("%lockstep.atomic.{}.", count++);
    const std::string_view place = place_of(line);
    const i32 returned = static_cast<i32>(own_memory);
    made += fmt::format("  {}at = ptrtoint ptr addrspace(1) {} to i32{}\n", own, *pointer, place);
    made += fmt::format("  {0}index = insertelement <4 x i32> poison, i32 {0}at, i64 0{1}\n", own, place);
    made += fmt::format("  {}x = insertelement <4 x i32> poison, i32 {}, i64 0{}\n", own, operand, place);
    made += fmt::format("  {0}xy = insertelement <4 x i32> {0}x, i32 {1}, i64 1{2}\n", own, returned, place);
    if (compares)
      made +=
          fmt::format("  {0}xyw = insertelement <4 x i32> {0}xy, i32 {1}, i64 3{2}\n", own, comparand, place);
    const u32 number = first_number + static_cast<u32>(known - std::begin(rat_atomics)) +
                       (used ? 0 : static_cast<u32>(std::size(rat_atomics)));
    made += fmt::format("  call void {}<4 x i32> {}{}, <4 x i32> {}index, i32 {}){}\n", typed_store, own,
                        compares ? "xyw" : "xy", own, number, place);
    if (!used) return;
    const std::string old = compares ? own + "old" : std::string(assignment->name);
    made += fmt::format(
        "  {} = load volatile i32, ptr addrspace(1) inttoptr (i32 {} to ptr addrspace(1)), align 4{}\n", old,
        returned, place);
    if (!compares) return;
    made += fmt::format("  {0}same = icmp eq i32 {0}old, {1}{2}\n", own, comparand, place);
    made += fmt::format("  {0}half = insertvalue {{ i32, i1 }} poison, i32 {0}old, 0{1}\n", own, place);
    made += fmt::format("  {0} = insertvalue {{ i32, i1 }} {1}half, i1 {1}same, 1{2}\n", assignment->name,
                        own, place);
  });
  if (count != 0) declare(changed, typed_store, typed_store_declaration);
  return changed;
}

namespace {

// Whether the function puts the value into a vector as it is.
bool is_inserted(std::string_view body, std::string_view name) {
  const std::string key = fmt::format(", i32 {}, ", name);
  for (std::size_t at = body.find(key); at != body.npos; at = body.find(key, at + 1)) {
    const std::size_t begin = body.rfind('\n', at) + 1;
    if (body.substr(begin, at - begin).find(" = insertelement ") != body.npos) return true;
  }
  return false;
}

}  // namespace

std::string with_computed_ids(std::string_view module, bool everywhere) {
  u32 count = 0;
  return with_changed_lines(
      module, [&](std::string_view line, std::string_view body, const std::string&, std::string& made) {
        const auto assignment = assignment_of(line);
        const bool is_id = assignment && assignment->value.find("call ") != std::string_view::npos &&
                           (assignment->value.find(" @llvm.r600.read.tidig.") != std::string_view::npos ||
                            assignment->value.find(" @llvm.r600.read.tgid.") != std::string_view::npos);
        if (!is_id || !(everywhere || is_inserted(body, assignment->name))) {
          made.append(line) += '\n';
          return;
        }
        // All are below 2^31; what the call says of its range would make the operation superfluous.
        std::string call(assignment->value);
        if (const std::size_t at = call.find("range("); at != call.npos)
          call.erase(at, call.find(") ", at) + 2 - at);
        const std::string raw = fmt::format("%lockstep.id.{}", count++);
        made += fmt::format("  {} = {}\n  {} = and i32 {}, 2147483647{}\n", raw, call, assignment->name, raw,
                            place_of(line));
      });
}

PrivateMemory with_private_memory(std::string_view module, u32 begin, u32 reserved) {
  const Types types(module);
  PrivateMemory made;
  std::set<std::string> declared;
  made.module = with_changed_lines(
      module, [&](std::string_view line, std::string_view, const std::string& name, std::string& text) {
        // What says when a variable lives says nothing of memory that always does.
        if (line.find("@llvm.lifetime.") != std::string_view::npos) return;
        const auto assignment = assignment_of(line);
        std::string changed(line);
        if (assignment && assignment->value.starts_with("alloca ")) {
          std::string_view type = assignment->value.substr(7);
          const auto size = types.take(type);
          u64 count = 1, align = size ? size->align : 1;
          if (type.starts_with(", i32 ")) std::from_chars(type.data() + 6, type.data() + type.size(), count);
          if (const std::size_t at = type.find(", align "); at != type.npos)
            std::from_chars(type.data() + at + 8, type.data() + type.size(), align);
          if (size) {
            u64& bytes = made.bytes[name];
            bytes = align_up(std::max<u64>(bytes, reserved), align);
            changed = fmt::format("  {} = inttoptr i32 {} to ptr addrspace(1){}", assignment->name,
                                  static_cast<i32>(begin + static_cast<u32>(bytes)), place_of(line));
            bytes += count * align_up(size->bytes, size->align);
          }
        }
        for (std::size_t at = changed.find("addrspace(5)"); at != changed.npos;
             at = changed.find("addrspace(5)", at))
          changed[at + 10] = '1';
        // Intrinsics have the address space in their names: "llvm.memcpy.p5.p1.i32".
        for (std::size_t at = changed.find(".p5"); at != changed.npos; at = changed.find(".p5", at + 1)) {
          const std::size_t begin_of_word = changed.rfind('@', at);
          if (begin_of_word != changed.npos && changed.compare(begin_of_word, 6, "@llvm.") == 0 &&
              changed.find('(', begin_of_word) > at)
            changed[at + 2] = '1';
        }
        if (changed.starts_with("declare ")) {
          const std::size_t at = changed.find('@');
          if (!declared.insert(changed.substr(at, changed.find('(', at) - at)).second) return;
        }
        text.append(changed) += '\n';
      });
  return made;
}

std::string with_marked_ends(std::string_view module, std::span<const std::string> kernels) {
  bool any = false;
  std::string changed = with_changed_lines(module, [&](std::string_view line, std::string_view,
                                                       const std::string& name, std::string& made) {
    if (line.starts_with("  ret void") && std::find(kernels.begin(), kernels.end(), name) != kernels.end()) {
      any = true;
      made += fmt::format("  call void {}<4 x i32> poison, <4 x i32> poison, i32 {}){}\n", typed_store,
                          end_number, place_of(line));
    }
    made.append(line) += '\n';
  });
  if (any) declare(changed, typed_store, typed_store_declaration);
  return changed;
}

}  // namespace lockstep::r600

#include "isa/nv/tile_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "isa/nv/statements.h"
#include "isa/nv/unroll_limits.h"

namespace lockstep::nv {
namespace {

using namespace unrolling;

struct Loop {
  u32 begin = 0, end = 0;                    // statements; the last one jumps back
  u32 counter = no_index, limit = no_index;  // registers; no limit: it is `last`
  u32 test = 0;                              // statement
  i64 step = 0, last = 0;
  bool until_equal = false, is_signed = false, down = false;
  // Its counter may begin below zero, of which the test makes a large number.
  bool below_zero = false;
};

class Unroller {
 public:
  explicit Unroller(FunctionTree& function)
      : f_(function), given_by_(function.registers.size()), named_(function.registers.size(), 0) {
    for (u32 i = 0; i < f_.body.size(); ++i) {
      const Statement& one = f_.body[i];
      if (one.guard != no_index) ++named_[one.guard];
      for (const OperandTree& operand : one.operands)
        for_each_register(operand, [&](u32 index) { ++named_[index]; });
      if (!gives_result(one)) continue;
      for_each_register(one.operands.front(), [&](u32 index) { given_by_[index].push_back(i); });
    }
  }

  void run() {
    std::map<u32, u32> labels;  // by statement: how many
    for (const auto& [label, at] : f_.labels) ++labels[at];
    std::map<u32, u32> ways;  // to a statement, of branches
    for (const Statement& one : f_.body) {
      for (const OperandTree& operand : one.operands) count_ways(operand.name, ways);
    }
    std::vector<Loop> found;
    for (u32 i = 0; i < f_.body.size(); ++i) {
      const Statement& jump = f_.body[i];
      if (jump.words.front() != "bra" || jump.guard == no_index || jump.operands.size() != 1) continue;
      const auto to = f_.labels.find(jump.operands.front().name);
      if (to == f_.labels.end() || to->second >= i || to->second == 0 || ways[to->second] != 1) continue;
      bool straight = !f_.all_rolled && !f_.rolled.contains(to->second) && !labels.contains(i) &&
                      !leaves(f_.body[to->second - 1]);
      for (u32 k = to->second; straight && k < i; ++k)
        straight = !ends_block(f_.body[k]) && (k == to->second || !labels.contains(k));
      if (!straight) continue;
      if (const auto loop = counted({to->second, i + 1})) found.push_back(*loop);
    }
    // From behind: those in front keep their places.
    for (std::size_t i = found.size(); i-- > 0;) unroll(found[i]);
  }

 private:
  void count_ways(std::string_view name, std::map<u32, u32>& ways) const {
    if (const auto label = f_.labels.find(name); label != f_.labels.end()) ++ways[label->second];
    const auto list = f_.branch_targets.find(name);
    if (list == f_.branch_targets.end()) return;
    for (const std::string_view one : list->second.labels) count_ways(one, ways);
  }

  bool inside(const Loop& loop, u32 statement) const {
    return loop.begin <= statement && statement < loop.end;
  }
  // The one statement of the loop that gives a register.
  std::optional<u32> giver(const Loop& loop, u32 index) const {
    std::optional<u32> by;
    for (const u32 one : given_by_[index]) {
      if (!inside(loop, one)) continue;
      if (by) return std::nullopt;
      by = one;
    }
    return by;
  }
  bool given_outside_alone(const Loop& loop, u32 index) const {
    return std::ranges::none_of(given_by_[index], [&](u32 by) { return inside(loop, by); });
  }

  // The loop with what counts its turns; nothing where it stays as it is.
  std::optional<Loop> counted(Loop loop) const {
    bool barrier = false, early = false, plain = true;
    u32 weight = 0, instructions = 0, local_loads = 0, steps = 0;
    for (u32 i = loop.begin; i < loop.end; ++i) {
      const Statement& one = f_.body[i];
      const std::string_view word = one.words.front();
      barrier = barrier || is_group_barrier(one);
      early = early || loads_what_stays(one);
      if (word == "mov" || word == "cvta" || word == "cvt" || word == "bra" || word == "setp") continue;
      if (word == "atom" || word == "red" || word == "shfl" || word == "vote" || word == "div" ||
          word == "sqrt" || has(one, "volatile"))
        return std::nullopt;
      const bool access = word == "ld" || word == "st";
      local_loads += word == "ld" && has(one, "shared");
      plain = plain && (!access || loads_what_stays(one) || has(one, "shared"));
      ++instructions;
      weight += access && has_offset(one) ? 2 : 1;
      // An addition of 64 bits behind a product of an index is one with it.
      if (word == "mul" && has(one, "wide")) --weight;
      steps += word == "add" && one.operands.size() == 3 && one.operands[1].kind == OperandTree::Kind::reg &&
               one.operands[0].index == one.operands[1].index;
    }
    weight -= std::min(steps, 3u);
    const u32 with_local = std::min(most_with_local, most_instructions + room_of_local_load * local_loads);
    if (!early || weight > std::max(most_with_loads, with_local)) return std::nullopt;

    const Statement& jump = f_.body[loop.end - 1];
    const auto test = giver(loop, jump.guard);
    // Only the last of several turns is tested: nobody else asks for that.
    if (!test || jump.guard_negated || named_[jump.guard] != 2) return std::nullopt;
    const Statement& compare = f_.body[*test];
    if (compare.words.size() != 3 || compare.words[0] != "setp" || compare.guard != no_index ||
        compare.operands.size() != 3 || compare.operands[1].kind != OperandTree::Kind::reg)
      return std::nullopt;
    const std::string_view how = compare.words[1], type = compare.words[2];
    if (type != "s32" && type != "u32" && type != "b32") return std::nullopt;
    loop.test = *test;
    loop.counter = compare.operands[1].index;
    loop.is_signed = type == "s32";
    loop.until_equal = how == "ne";
    if (!loop.until_equal && how != "lt" && how != "gt") return std::nullopt;
    const auto count = giver(loop, loop.counter);
    if (!count || *count > *test) return std::nullopt;
    const Statement& add = f_.body[*count];
    if (add.words.front() != "add" || add.guard != no_index || add.operands.size() != 3 ||
        add.operands[1].kind != OperandTree::Kind::reg || add.operands[1].index != loop.counter ||
        add.operands[2].kind != OperandTree::Kind::integer)
      return std::nullopt;
    loop.step = static_cast<i32>(add.operands[2].value);
    loop.down = loop.step < 0;
    constexpr i64 most_step = 1 << 20;
    if (std::abs(loop.step) > most_step) return std::nullopt;
    if (loop.until_equal ? loop.step != 1 && loop.step != -1 : (how == "gt") != loop.down || loop.step == 0)
      return std::nullopt;
    const OperandTree& limit = compare.operands[2];
    if (!barrier) {
      loop.below_zero = plain && how == "lt" && type == "u32" && limit.kind == OperandTree::Kind::integer &&
                        begins_below_zero(loop);
      if (!loop.below_zero) return std::nullopt;
      loop.last = static_cast<i64>(limit.value);
      return loop;
    }
    if (limit.kind == OperandTree::Kind::integer) {
      loop.last = static_cast<i32>(limit.value);
      if (is_whole(loop, instructions)) return std::nullopt;
    } else if (limit.kind == OperandTree::Kind::reg && given_outside_alone(loop, limit.index)) {
      loop.limit = limit.index;
      if (!same_for_all(limit.index, 0)) return std::nullopt;
    } else {
      return std::nullopt;
    }
    // Where it begins.
    for (const u32 by : given_by_[loop.counter]) {
      if (by == *count) continue;
      const Statement& one = f_.body[by];
      for (std::size_t k = 1; k < one.operands.size(); ++k) {
        if (one.operands[k].kind == OperandTree::Kind::reg && !same_for_all(one.operands[k].index, 0))
          return std::nullopt;
        if (one.operands[k].kind == OperandTree::Kind::special) return std::nullopt;
      }
    }
    return loop;
  }

  static bool has_offset(const Statement& access) {
    return std::ranges::any_of(access.operands, [](const OperandTree& operand) {
      return operand.kind == OperandTree::Kind::address && operand.value != 0;
    });
  }

  // Whether the counter begins as something less a constant.
  bool begins_below_zero(const Loop& loop) const {
    u32 index = loop.counter;
    for (u32 way = 0; way < 4; ++way) {
      std::optional<u32> by;
      for (const u32 one : given_by_[index]) {
        if (inside(loop, one)) continue;
        if (by) return false;
        by = one;
      }
      if (!by) return false;
      const Statement& one = f_.body[*by];
      if (one.words.front() == "add" && one.operands.size() == 3)
        return one.operands[2].kind == OperandTree::Kind::integer &&
               static_cast<i32>(one.operands[2].value) < 0;
      if (one.words.front() != "mov" || one.operands.size() != 2 ||
          one.operands[1].kind != OperandTree::Kind::reg)
        return false;
      index = one.operands[1].index;
    }
    return false;
  }

  // Whether so few turns are known that ptxas has all of them one behind the other.
  bool is_whole(const Loop& loop, u32 instructions) const {
    for (const u32 by : given_by_[loop.counter]) {
      if (inside(loop, by)) continue;
      const Statement& one = f_.body[by];
      if (one.words.front() != "mov" || one.operands.size() != 2 ||
          one.operands[1].kind != OperandTree::Kind::integer)
        return false;
      const i64 way = loop.last - static_cast<i32>(one.operands[1].value);
      const u64 all = static_cast<u64>(std::max<i64>(1, way / loop.step));
      if (all * instructions > few_in_all && all * instructions * instructions > most_by_square) return false;
    }
    return true;
  }

  // Whether all work-items of a group have the same value there.
  bool same_for_all(u32 index, u32 depth) const {
    constexpr u32 deepest = 8;
    if (depth == deepest) return false;
    return std::ranges::all_of(given_by_[index], [&](u32 by) {
      const Statement& one = f_.body[by];
      const std::string_view word = one.words.front();
      if (word == "ld") return has(one, "param");
      static constexpr std::string_view simple[] = {"mov", "add", "sub", "mul", "mad", "shl",
                                                    "shr", "and", "or",  "cvt", "min", "max"};
      if (std::ranges::find(simple, word) == std::end(simple) || one.guard != no_index) return false;
      return std::all_of(one.operands.begin() + 1, one.operands.end(), [&](const OperandTree& operand) {
        if (operand.kind == OperandTree::Kind::reg) return same_for_all(operand.index, depth + 1);
        if (operand.kind == OperandTree::Kind::special)
          return operand.name.starts_with("%ctaid") || operand.name.starts_with("%nctaid") ||
                 operand.name.starts_with("%ntid");
        return operand.kind == OperandTree::Kind::integer;
      });
    });
  }

  // Registers that no turn takes from the one before, nor anybody behind the loop.
  std::vector<u32> of_one_turn(const Loop& loop) const {
    std::vector<bool> given(f_.registers.size(), false), kept(f_.registers.size(), false);
    std::vector<u32> result;
    for (u32 i = 0; i < f_.body.size(); ++i) {
      const Statement& one = f_.body[i];
      const auto use = [&](u32 index) {
        if (!inside(loop, i) || !given[index]) kept[index] = true;
      };
      const bool gives = gives_result(one);
      if (one.guard != no_index) use(one.guard);
      for (std::size_t k = gives ? 1 : 0; k < one.operands.size(); ++k)
        for_each_register(one.operands[k], use);
      if (!gives) continue;
      for_each_register(one.operands.front(), [&](u32 index) {
        if (!inside(loop, i) || one.guard != no_index) {
          use(index);
        } else if (!given[index]) {
          given[index] = true;
          result.push_back(index);
        }
      });
    }
    std::erase_if(result, [&](u32 index) { return kept[index]; });
    return result;
  }

  u32 new_register(Type type) {
    const std::string name = fmt::format("%unrolled{}", f_.registers.size());
    f_.registers.push_back({name, type});
    return static_cast<u32>(f_.registers.size() - 1);
  }

  static void rename(OperandTree& operand, const std::map<u32, u32>& names) {
    if (operand.kind == OperandTree::Kind::reg) {
      if (const auto name = names.find(operand.index); name != names.end()) operand.index = name->second;
    }
    for (OperandTree& part : operand.parts) rename(part, names);
  }

  static OperandTree reg(u32 index) {
    OperandTree operand;
    operand.kind = OperandTree::Kind::reg;
    operand.index = index;
    return operand;
  }
  static OperandTree integer(i64 value) {
    OperandTree operand;
    operand.kind = OperandTree::Kind::integer;
    operand.value = static_cast<u64>(value);
    return operand;
  }
  // A statement of the loop's counting, which the text does not have.
  Statement made(const Statement& like, std::vector<std::string_view> words, std::string_view opcode,
                 std::vector<OperandTree> operands) {
    Statement one = like;
    one.words = std::move(words);
    one.opcode = opcode;
    one.operands = std::move(operands);
    one.guard = no_index;
    one.text = f_.made_texts.emplace_back(opcode);
    return one;
  }
  Statement jump(const Statement& like, u32 guard, bool negated, std::string_view label) {
    Statement one = like;
    one.guard = guard;
    one.guard_negated = negated;
    one.operands.front().name = label;
    one.text = f_.made_texts.emplace_back(
        fmt::format("@{}{} bra {}", negated ? "!" : "", f_.registers[guard].name, label));
    return one;
  }

  using Label = std::map<std::string, u32, std::less<>>::iterator;
  Label label(std::string_view what, const Loop& loop) {
    return f_.labels.try_emplace(fmt::format("$unrolled_{}_{}", what, loop.begin), 0).first;
  }

  // Turns one behind the other, with registers of their own; the last one's test is left where it is asked
  // for.
  void add_turns(std::vector<Statement>& code, const Loop& loop, std::span<const Statement> turn,
                 std::span<const u32> own, u32 number, bool test) {
    for (u32 t = 0; t < number; ++t) {
      const bool last = t + 1 == number;
      std::map<u32, u32> names;
      if (!last) {
        for (const u32 index : own) names[index] = new_register(f_.registers[index].type);
      }
      for (u32 i = 0; i + 1 < turn.size(); ++i) {
        if (loop.begin + i == loop.test && !(last && test)) continue;
        Statement& one = code.emplace_back(turn[i]);
        for (OperandTree& operand : one.operands) rename(operand, names);
        if (const auto name = names.find(one.guard); name != names.end()) one.guard = name->second;
      }
    }
  }

  // Puts code in front of the loop: `places` of it have labels, `rolled` are loops that stay as they are.
  void put_in_front(const Loop& loop, const std::vector<Statement>& code,
                    std::span<const std::pair<Label, u32>> places, std::set<u32> rolled_in) {
    const u32 more = static_cast<u32>(code.size());
    std::set<u32> rolled;
    for (const u32 at : f_.rolled) rolled.insert(at < loop.begin ? at : at + more);
    for (auto& [name, at] : f_.labels) at += at >= loop.begin ? more : 0;
    for (const auto& [name, at] : places) name->second = loop.begin + at;
    for (const u32 at : rolled_in) rolled.insert(loop.begin + at);
    rolled.insert(loop.begin + more);
    f_.rolled = std::move(rolled);
    f_.body.insert(f_.body.begin() + loop.begin, code.begin(), code.end());
  }

  void unroll(const Loop& loop) {
    const std::vector<Statement> turn(f_.body.begin() + loop.begin, f_.body.begin() + loop.end);
    const std::vector<u32> own = of_one_turn(loop);
    if (loop.below_zero) {
      unroll_below_zero(loop, turn, own);
    } else {
      unroll_by_four(loop, turn, own);
    }
  }

  // Four turns each as long as there are four, then one by one.
  void unroll_by_four(const Loop& loop, const std::vector<Statement>& turn, const std::vector<u32>& own) {
    const Statement& test = f_.body[loop.test];
    const Statement& back = turn.back();
    const u32 left = new_register(Type::s32_), some = new_register(Type::pred_);
    const Label main = label("turns", loop), rest = label("rest", loop), out = label("end", loop);
    std::vector<Statement> code;
    // Whether four turns are left: so much is between the counter and its end.
    const auto ask = [&] {
      OperandTree count = reg(loop.counter),
                  end = loop.limit == no_index ? integer(loop.last) : reg(loop.limit);
      if (loop.down) std::swap(count, end);
      const bool of_signed = !loop.until_equal && loop.is_signed;
      if (!loop.until_equal && !loop.is_signed) {
        code.push_back(made(test, {"max", "u32"}, "max.u32", {reg(left), count, end}));
        end = reg(left);
      }
      code.push_back(of_signed ? made(test, {"sub", "sat", "s32"}, "sub.sat.s32", {reg(left), end, count})
                               : made(test, {"sub", "s32"}, "sub.s32", {reg(left), end, count}));
      const i64 three = (turns - 1) * std::abs(loop.step);
      code.push_back(made(test, {"setp", "gt", of_signed ? "s32" : "u32"},
                          of_signed ? "setp.gt.s32" : "setp.gt.u32", {reg(some), reg(left), integer(three)}));
    };
    ask();
    code.push_back(jump(back, some, true, rest->first));
    const u32 begin = static_cast<u32>(code.size());
    add_turns(code, loop, turn, own, turns, true);
    ask();
    code.push_back(jump(back, some, false, main->first));
    code.push_back(jump(back, back.guard, true, out->first));
    const std::pair<Label, u32> places[] = {{main, begin},
                                            {rest, static_cast<u32>(code.size())},
                                            {out, static_cast<u32>(code.size()) + loop.end - loop.begin}};
    put_in_front(loop, code, places, {begin});
  }

  // One turn by which the counter becomes a small number, four each as long as there are four, two, one.
  void unroll_below_zero(const Loop& loop, const std::vector<Statement>& turn, const std::vector<u32>& own) {
    const Statement& test = f_.body[loop.test];
    const Statement& back = turn.back();
    const u32 left = new_register(Type::s32_), some = new_register(Type::pred_);
    const Label first = label("first", loop), main = label("turns", loop), two = label("two", loop),
                rest = label("rest", loop), out = label("end", loop);
    std::vector<Statement> code;
    const auto here = [&] { return static_cast<u32>(code.size()); };
    const auto is_over = [&] {
      code.push_back(made(test, {"setp", "ge", "u32"}, "setp.ge.u32",
                          {reg(some), reg(loop.counter), integer(loop.last)}));
    };
    const auto left_are_more_than = [&](u32 number) {
      code.push_back(
          made(test, {"sub", "s32"}, "sub.s32", {reg(left), integer(loop.last), reg(loop.counter)}));
      code.push_back(made(test, {"setp", "gt", "u32"}, "setp.gt.u32",
                          {reg(some), reg(left), integer(number * loop.step)}));
    };
    is_over();
    code.push_back(jump(back, some, true, first->first));
    add_turns(code, loop, turn, own, 1, false);
    const u32 first_at = here();
    is_over();
    code.push_back(jump(back, some, false, out->first));
    left_are_more_than(turns - 1);
    code.push_back(jump(back, some, true, two->first));
    const u32 main_at = here();
    add_turns(code, loop, turn, own, turns, false);
    is_over();
    code.push_back(jump(back, some, false, out->first));
    left_are_more_than(turns - 1);
    code.push_back(jump(back, some, false, main->first));
    const u32 two_at = here();
    left_are_more_than(1);
    code.push_back(jump(back, some, true, rest->first));
    add_turns(code, loop, turn, own, 2, false);
    is_over();
    code.push_back(jump(back, some, false, out->first));
    const std::pair<Label, u32> places[] = {{first, first_at},
                                            {main, main_at},
                                            {two, two_at},
                                            {rest, here()},
                                            {out, here() + loop.end - loop.begin}};
    put_in_front(loop, code, places, {main_at});
  }

  FunctionTree& f_;
  std::vector<std::vector<u32>> given_by_;  // by register: statements
  std::vector<u32> named_;                  // by register: how often
};

}  // namespace

void unroll_tile_loops(FunctionTree& function) {
  if (std::ranges::none_of(function.body, loads_what_stays)) return;
  Unroller(function).run();
}

}  // namespace lockstep::nv

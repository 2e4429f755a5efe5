#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "run/experiment.h"

namespace lockstep {
namespace {

// Recursive descent over: all = comparison {&& comparison}; comparison = sum [(<|<=|>|>=|==|!=) sum];
// sum = product {(+|-) product}; product = atom {(*|/|%) atom}.
class ExpressionReader {
 public:
  ExpressionReader(const std::string& text, const ExperimentValues& values) : text_(text), values_(values) {}

  Expected<i64> whole() {
    const i64 value = all();
    space();
    if (why_.empty() && at_ != text_.size()) {
      const std::string rest = text_.substr(at_);
      why_ = fmt::format("'{}' is not expected", rest);
      hint_ = rest.starts_with('=')   ? "equal is =="
              : rest.starts_with('&') ? "both conditions: &&"
                                      : "there are + - * / %, < <= > >= == !=, && and parentheses";
    }
    if (why_.empty()) return value;
    return Diagnostic{"bad-expression", {}, fmt::format("'{}': {}", text_, why_), hint_};
  }

 private:
  void space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  bool take(char wanted) {
    space();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  i64 fail(std::string why) {
    if (why_.empty()) why_ = std::move(why);
    return 0;
  }

  bool take(std::string_view wanted) {
    space();
    if (text_.compare(at_, wanted.size(), wanted) != 0) return false;
    at_ += wanted.size();
    return true;
  }

  i64 all() {
    i64 value = comparison();
    while (why_.empty() && take("&&")) {
      const i64 other = comparison();
      value = value != 0 && other != 0;
    }
    return value;
  }

  i64 comparison() {
    const i64 value = sum();
    if (!why_.empty()) return 0;
    if (take("<=")) return value <= sum();
    if (take(">=")) return value >= sum();
    if (take("==")) return value == sum();
    if (take("!=")) return value != sum();
    if (take("<")) return value < sum();
    if (take(">")) return value > sum();
    return value;
  }

  i64 sum() {
    i64 value = product();
    while (why_.empty()) {
      bool overflow = false;
      if (take('+')) {
        overflow = __builtin_add_overflow(value, product(), &value);
      } else if (take('-')) {
        overflow = __builtin_sub_overflow(value, product(), &value);
      } else {
        break;
      }
      if (overflow) return fail("the value needs more than 64 bits");
    }
    return value;
  }

  i64 product() {
    i64 value = atom();
    while (why_.empty()) {
      if (take('*')) {
        if (__builtin_mul_overflow(value, atom(), &value)) return fail("the value needs more than 64 bits");
      } else if (take('/')) {
        const i64 divisor = atom();
        if (!why_.empty()) break;
        if (divisor == 0) return fail("a division by 0");
        if (value % divisor != 0) return fail(fmt::format("{} / {} leaves a remainder", value, divisor));
        value /= divisor;
      } else if (take('%')) {
        const i64 divisor = atom();
        if (!why_.empty()) break;
        if (divisor == 0) return fail("a division by 0");
        value %= divisor;
      } else {
        break;
      }
    }
    return value;
  }

  i64 atom() {
    if (take('(')) {
      const i64 value = all();
      if (why_.empty() && !take(')')) return fail("a ')' is missing");
      return value;
    }
    space();
    const std::size_t begin = at_;
    const auto is_word = [&] {
      return at_ < text_.size() &&
             (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_');
    };
    while (is_word()) ++at_;
    const std::string word = text_.substr(begin, at_ - begin);
    if (word.empty())
      return fail(begin == text_.size()
                      ? "a number or a name is missing at its end"
                      : fmt::format("a number or a name is missing in front of '{}'", text_.substr(begin)));
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
      i64 value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc() || end != word.data() + word.size())
        return fail(fmt::format("'{}' is no number", word));
      return value;
    }
    const auto found = values_.find(word);
    if (found == values_.end()) {
      std::vector<std::string> names;
      for (const auto& [name, value] : values_) names.push_back(name);
      if (names.size() > 8) names = nearest_names(word, names);
      for (const std::string& name : names) hint_ += (hint_.empty() ? "there are " : ", ") + name;
      return fail(fmt::format("there is no value '{}'", word));
    }
    return found->second;
  }

  const std::string& text_;
  std::string hint_;
  const ExperimentValues& values_;
  std::size_t at_ = 0;
  std::string why_;
};

}  // namespace

Expected<i64> evaluate(const std::string& expression, const ExperimentValues& values) {
  return ExpressionReader(expression, values).whole();
}

}  // namespace lockstep

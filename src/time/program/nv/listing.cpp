#include "time/program/nv/listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "time/program/nv/generation.h"
#include "time/program/nv/schedule.h"
#include "time/program/nv/text_line.h"

namespace lockstep {
namespace {

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Expected<TimingListing> run() {
    while (!text_.empty() && !error_) {
      const std::size_t end = text_.find('\n');
      whole_ = text_.substr(0, end);
      text_ = end == text_.npos ? std::string_view{} : text_.substr(end + 1);
      ++number_;
      Line line(whole_.substr(0, whole_.find("//")));
      if (!line.empty()) line.rest().starts_with(".") ? directive(line) : instruction(line);
    }
    if (error_) return *error_;
    const u32 count = static_cast<u32>(listing_.program.instructions.size());
    if (listing_.program.kernel.empty()) missing("which GPUs' instructions these are", ".timing NAME sm_70");
    if (listing_.groups == 0) missing("how many work-groups run", ".launch GROUPS ITEMS");
    if (listing_.program.registers == 0) missing("how many registers a work-item has", ".registers N");
    if (count == 0) missing("any instruction", "FFMA R0, R1, R2, R0;");
    if (!open_.empty()) missing("the end of a loop", ".end");
    if (error_) return *error_;
    finish();
    return std::move(listing_);
  }

 private:
  void fail(std::string message, std::string hint) {
    const u32 line = std::max(number_, 1u);  // of an empty text the first
    if (!error_) error_ = Diagnostic{"bad-listing", {name_, line, 0}, std::move(message), std::move(hint)};
  }
  void missing(std::string_view what, std::string_view directive) {
    fail(fmt::format("the listing does not say {}", what),
         fmt::format("{}; docs/lowering.md describes listings", directive));
  }
  // A number, signed or not, with the blanks behind it.
  std::optional<i64> number(Line& line) {
    const bool minus = line.take("-");
    const auto value = line.number();
    line.skip();
    if (!value || *value > u64{1} << 62) {
      fail(fmt::format("a number is missing: {}", whole_), "docs/lowering.md describes listings");
      return std::nullopt;
    }
    return minus ? -static_cast<i64>(*value) : static_cast<i64>(*value);
  }
  u32 count() const { return static_cast<u32>(listing_.program.instructions.size()); }

  void directive(Line& line) {
    const std::string_view what = line.word();
    if (what == ".timing") {
      listing_.program.kernel = line.word();
      listing_.program.target = line.word();
      const std::string_view target = listing_.program.target;
      constexpr std::string_view known[] = {"sm_10", "sm_13", "sm_20", "sm_21", "sm_30", "sm_35",
                                            "sm_37", "sm_50", "sm_52", "sm_60", "sm_61", "sm_70",
                                            "sm_75", "sm_80", "sm_86", "sm_89", "sm_90"};
      if (std::find(std::begin(known), std::end(known), target) == std::end(known))
        fail(fmt::format("'{}' is no target of listings", target), fmt::format("{}", fmt::join(known, ", ")));
      return;
    }
    if (what == ".end") {
      if (open_.empty()) return fail("this .end ends no loop", ".loop TIMES");
      if (open_.back().begin == count()) return fail("a loop without instructions", "leave it out");
      open_.back().end = count();
      listing_.loops.push_back(open_.back());
      open_.pop_back();
      return;
    }
    const auto first = number(line);
    if (!first) return;
    const auto positive = [&](i64 value, i64 most) {
      if (value > 0 && value <= most) return true;
      fail(fmt::format("'{}' is not between 1 and {}", value, most), "docs/lowering.md describes listings");
      return false;
    };
    if (what == ".registers") {
      if (positive(*first, 255)) listing_.program.registers = static_cast<u32>(*first);
    } else if (what == ".local") {
      if (positive(*first, 1 << 20)) listing_.local_bytes = static_cast<u64>(*first);
    } else if (what == ".launch") {
      const auto items = number(line);
      if (!items || !positive(*first, 1 << 30) || !positive(*items, 1024)) return;
      listing_.groups = static_cast<u32>(*first);
      listing_.group_items = static_cast<u32>(*items);
    } else if (what == ".lanes") {
      if (positive(*first, 0xFFFFFFFF)) lanes_ = static_cast<u32>(*first);
    } else if (what == ".repeat") {
      if (positive(*first, 4096)) repeat_ = static_cast<u32>(*first);
    } else if (what == ".loop") {
      if (positive(*first, i64{1} << 40)) open_.push_back({count(), 0, static_cast<u64>(*first)});
    } else {
      fail(fmt::format("'{}' is no directive", what),
           ".timing, .launch, .registers, .local, .lanes, .repeat, .loop or .end");
    }
  }

  void instruction(Line& line) {
    LoweredInstruction in;
    if (const char* wrong = read_lowered_instruction(line, in))
      return fail(fmt::format("{}: {}", wrong, whole_), "FFMA R0, R1, R2, R0;");
    in.from = count();
    if (lanes_ == 0) return missing("which lanes run", ".lanes 0xffffffff in front of the first instruction");
    const bool memory = info(in.opcode).memory;
    if (memory && !access(line, in)) return;
    if (info(in.opcode).pipe == LoweredPipe::branch && in.opcode != LoweredOpcode::exit)
      return fail(fmt::format("'{}': a listing has no branches", info(in.opcode).mnemonic),
                  "loops are .loop TIMES and .end");
    if (!line.empty())
      return fail(fmt::format("what is '{}'?", line.rest()), "docs/lowering.md describes listings");
    has_control_ |= whole_.find("[B") != whole_.npos;
    const std::optional<ListingAccess> access =
        memory ? std::optional(listing_.accesses.back()) : std::nullopt;
    for (u32 i = 0; i < repeat_; ++i) {
      if (i > 0 && access) listing_.accesses.push_back(*access);
      if (access) listing_.accesses.back().instruction = count();
      in.from = count();
      listing_.lanes.push_back(lanes_);
      listing_.program.instructions.push_back(in);
    }
    repeat_ = 1;
  }

  // {load shared 4 bytes at 0x100 stride 4 turn 1024}
  bool access(Line& line, LoweredInstruction& in) {
    if (!line.take_skip("{")) {
      missing(fmt::format("what memory '{}' reaches", info(in.opcode).mnemonic),
              "{load shared 4 at 0x100 stride 4} behind the instruction");
      return false;
    }
    ListingAccess access;
    access.instruction = count();
    const std::string_view kind = line.word(), space = line.word();
    constexpr std::pair<std::string_view, AccessKind> kinds[] = {
        {"load", AccessKind::load}, {"store", AccessKind::store}, {"atomic", AccessKind::atomic}};
    constexpr std::pair<std::string_view, Space> spaces[] = {{"global", Space::global},
                                                             {"shared", Space::local},
                                                             {"local", Space::private_memory},
                                                             {"constant", Space::constant}};
    const auto which =
        std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& k) { return k.first == kind; });
    const auto where =
        std::find_if(std::begin(spaces), std::end(spaces), [&](const auto& s) { return s.first == space; });
    if (which == std::end(kinds) || where == std::end(spaces)) {
      fail(fmt::format("'{} {}' is no access", kind, space),
           "load, store or atomic; global, shared, local or constant");
      return false;
    }
    access.kind = which->second;
    access.space = where->second;
    const auto bytes = number(line);
    if (!bytes) return false;
    if (*bytes != 1 && *bytes != 2 && *bytes != 4 && *bytes != 8 && *bytes != 16) {
      fail(fmt::format("a lane accesses 1, 2, 4, 8 or 16 bytes, not {}", *bytes),
           "load shared 4 at 0x100 stride 4");
      return false;
    }
    access.bytes = static_cast<u32>(*bytes);
    bool at = false;
    while (!line.take_skip("}")) {
      const std::string_view word = line.word();
      const auto value = number(line);
      if (!value) return false;
      if (word == "at" && *value >= 0) {
        access.base = static_cast<u64>(*value);
        at = true;
      } else if (word == "stride") {
        access.stride = *value;
      } else if (word == "turn") {
        access.each_turn = *value;
      } else if (word == "together" && *value >= 1 && *value <= 32) {
        access.together = static_cast<u32>(*value);
      } else {
        fail(fmt::format("'{}' is no part of an address pattern", word),
             "at ADDRESS stride BYTES turn BYTES together LANES");
        return false;
      }
    }
    if (!at) {
      missing("where the access begins", "at ADDRESS");
      return false;
    }
    in.carries_access = true;
    listing_.accesses.push_back(access);
    return true;
  }

  void finish() {
    LoweredProgram& program = listing_.program;
    if (program.instructions.back().opcode != LoweredOpcode::exit) {
      LoweredInstruction end;
      end.opcode = LoweredOpcode::exit;
      end.from = count();
      program.instructions.push_back(end);
      listing_.lanes.push_back(lanes_);
    }
    // Straight lines: from a loop's border to the next.
    std::vector<u32> borders{0, count()};
    for (u32 i = 0; i < count(); ++i) {
      if (program.instructions[i].opcode == LoweredOpcode::bar) borders.push_back(i + 1);
    }
    for (const ListingLoop& loop : listing_.loops) {
      borders.push_back(loop.begin);
      borders.push_back(loop.end);
    }
    std::sort(borders.begin(), borders.end());
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    for (std::size_t i = 0; i + 1 < borders.size(); ++i)
      program.regions.push_back({borders[i], borders[i + 1] - borders[i], borders[i], borders[i + 1], false});
    const u32 capability = lowering::capability_of(program.target);
    program.code_bytes = lowering::code_offset(count(), capability);
    if (has_control_) return;
    for (const LoweredRegion& region : program.regions)
      lowering::control_line({program.instructions.data() + region.begin, region.end - region.begin},
                             capability);
  }

  std::string_view text_, whole_;
  const std::string& name_;
  u32 number_ = 0, lanes_ = 0, repeat_ = 1;
  bool has_control_ = false;
  std::vector<ListingLoop> open_;
  TimingListing listing_;
  std::optional<Diagnostic> error_;
};

}  // namespace

Expected<TimingListing> read_listing(std::string_view text, const std::string& name) {
  return Reader(text, name).run();
}

}  // namespace lockstep

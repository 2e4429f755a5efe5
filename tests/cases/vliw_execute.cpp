#include "cases/vliw_execute.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "cases/messages.h"
#include "cases/register_check.h"
#include "cases/ways.h"
#include "exec/group.h"
#include "exec/image.h"
#include "exec/launch.h"
#include "isa/vliw/module.h"
#include "isa/vliw/syntax.h"
#include "isa/vliw/wave.h"

namespace lockstep::cases {
namespace {

constexpr u32 local_bytes = 1024, constant_bytes = 476;

const Setting* named(const Case& entry, std::string_view place) {
  for (const Setting& setting : entry.before)
    if (setting.place == place) return &setting;
  return nullptr;
}

// A kernel of fetches of an image, which is its only parameter, resource 4 and RAT 1; its sampler is number
// 0. A store stands among the control flow.
std::string image_kernel_text(const Case& entry) {
  const bool stores = entry.code[0].starts_with("MEM_RAT");
  std::string lines;
  for (const std::string& line : entry.code) lines += "\t  " + line + "\n";
  const Setting* sampler = named(entry, "sampler:bits");
  return fmt::format(
      "\t.section\t.AMDGPU.config\n\t.long\t166100\n\t.long\t8\n\t.text\n"
      "\t.type\ttest,@function\ntest:\n{}\tCF_END\n{}//@lockstep kernel test\n"
      "//@lockstep parameter test global 0 4 4\n//@lockstep argument test i image2d_t\n"
      "//@lockstep image test 4 0\n//@lockstep target test 1 0\n//@lockstep sampler test 0 bits {}\n",
      stores ? lines : fmt::format("\tTEX {} @2\n", entry.code.size() - 1),
      stores ? std::string() : "\tFetch clause starting at 2:\n" + lines,
      sampler == nullptr ? 0 : sampler->values[0].bits);
}

// A kernel of one clause, with all of its constant window: the implicit parameters are nine dwords.
std::string kernel_text(const Case& entry) {
  if (named(entry, "image:2d") != nullptr) return image_kernel_text(entry);
  u32 words = 0;
  std::string clause;
  for (const std::string& line : entry.code) {
    ++words;  // a line of two literals takes as much room as an operation
    clause += "\t  " + line + "\n";
  }
  return fmt::format(
      "\t.section\t.AMDGPU.config\n\t.long\t166100\n\t.long\t8\n\t.long\t166120\n\t.long\t{}\n\t.text\n"
      "\t.type\ttest,@function\ntest:\n\tALU {}, @2, KC0[CB0:0-32], KC1[]\n\tCF_END\n"
      "\tALU clause starting at 2:\n{}//@lockstep kernel test\n//@lockstep parameter test value 0 {} 4\n",
      local_bytes / 4, words - 1, clause, constant_bytes);
}

// "T2.X" to its row, "KC0[2].Y" to its dword of the constant buffer; ~0 for anything else.
struct Spot {
  bool constant = false;
  u32 index = ~u32{0};
};
Spot spot_of(const std::string& place) {
  const auto slot = vliw::parse_slot("MOV * T0.X, " + place);
  if (!slot || slot->operands.size() != 2) return {};
  const vliw::SlotOperand& operand = slot->operands[1];
  const u32 index = 4 * operand.index + operand.channel;
  if (operand.bank == vliw::Bank::general) return {false, index};
  if (operand.bank == vliw::Bank::constant) return {true, index};
  return {};
}

std::string differences(const Case& entry, const WaveState& before, const WaveState& after, u32 rows) {
  std::string story;
  std::vector<bool> named(rows, false);
  const auto compare = [&](const Setting& setting, u32 lane, u64 was, u64 is) {
    static const Value keep{Value::Kind::keep, Value::Format::integer, 0, 0};
    const bool active = ((before.exec() >> lane) & 1) != 0;
    const Value& value = lane < setting.values.size() ? setting.values[lane]
                         : active                     ? setting.values.back()
                                                      : keep;
    if (matches(value, is, was, lane, 4)) return true;
    story += fmt::format("  * {} lane {}: is {:#x}, was {:#x}, expected {:#x}\n", setting.place, lane, is,
                         was, contents(value, lane, 4));
    return false;
  };
  for (const Setting& setting : entry.after) {
    if (setting.where == Setting::Where::memory) continue;  // texels, which differing_texels compares
    if (setting.where == Setting::Where::local) {
      for (u32 i = 0; i < setting.values.size(); ++i) {
        u32 is = 0;
        std::memcpy(&is, after.local.data() + setting.index + std::size_t{4} * i, 4);
        if (!matches(setting.values[i], is, 0, i, 4))
          story += fmt::format("  * {}: dword {} is {:#x}, expected {:#x}\n", setting.place, i, is,
                               contents(setting.values[i], i, 4));
      }
      continue;
    }
    if (setting.where == Setting::Where::scalar) {
      if (after.exec() != setting.values[0].bits)
        story += fmt::format("  * {}: is {:#x}, expected {:#x}\n", setting.place, after.exec(),
                             setting.values[0].bits);
      continue;
    }
    const Spot spot = spot_of(setting.place);
    if (spot.constant || spot.index >= rows) return "  * no register is called " + setting.place + "\n";
    named[spot.index] = true;
    for (u32 lane = 0; lane < 64; ++lane) {
      if (!compare(setting, lane, before.row(spot.index)[lane], after.row(spot.index)[lane])) break;
    }
  }
  for (u32 row = 0; row < rows; ++row) {
    if (!named[row] && std::memcmp(before.row(row), after.row(row), 256) != 0)
      story += fmt::format("  * T{}.{} changed\n", row / 4, "XYZW"[row % 4]);
  }
  return story;
}

void set_registers(const Case& entry, WaveState& wave, u32 rows) {
  for (u32 row = 0; row < rows; ++row) std::memset(wave.row(row), 0, 256);
  for (const Setting& setting : entry.before) {
    if (setting.where == Setting::Where::scalar) {
      wave.set_exec(setting.values[0].bits);
    } else if (setting.where == Setting::Where::local) {
      for (u32 i = 0; i < setting.values.size(); ++i) {
        const u32 value = static_cast<u32>(contents(setting.values[i], i, 4));
        std::memcpy(wave.local.data() + setting.index + std::size_t{4} * i, &value, 4);
      }
    } else if (const Spot spot = spot_of(setting.place); !spot.constant && spot.index < rows) {
      for (u32 lane = 0; lane < 64; ++lane) {
        const Value& value = setting.values[std::min<std::size_t>(lane, setting.values.size() - 1)];
        wave.row(spot.index)[lane] = static_cast<u32>(contents(value, lane, 4));
      }
    }
  }
}

// "image:2d" is width, height, channel order and type as exec/image.h numbers them; "mem" are its texels, one
// behind the other.
Expected<std::optional<ImageObject>> image_of(const Case& entry, DeviceMemory& memory, const Target& target) {
  const Setting* form = named(entry, "image:2d");
  if (form == nullptr) return std::optional<ImageObject>();
  ImageDescription description;
  description.width = form->values[0].bits;
  description.height = form->values[1].bits;
  description.format = {static_cast<ChannelOrder>(form->values[2].bits),
                        static_cast<ChannelType>(form->values[3].bits)};
  std::vector<u8> texels(description.host_bytes());
  for (const Setting& setting : entry.before) {
    if (setting.where != Setting::Where::memory) continue;
    for (u32 i = 0; i < setting.values.size(); ++i) {
      const u32 bits = static_cast<u32>(contents(setting.values[i], i, 4));
      if (setting.index + 4 * i + 4 <= texels.size())
        std::memcpy(texels.data() + setting.index + std::size_t{4} * i, &bits, 4);
    }
  }
  Expected<ImageObject> made = make_image(memory, target, description, texels, "image");
  if (!made) return made.error();
  return std::optional<ImageObject>(*made);
}

// Texels that a store does not name stay as they are.
std::string differing_texels(const Case& entry, const DeviceMemory& memory, const ImageObject& image) {
  const auto texels = read_image(memory, image);
  if (!texels) return to_string(texels.error()) + "\n";
  for (const Setting& setting : entry.after) {
    if (setting.where != Setting::Where::memory) continue;
    for (u32 i = 0; i < setting.values.size(); ++i) {
      u32 is = 0;
      if (setting.index + 4 * i + 4 > texels->size()) return "  * there are fewer texels\n";
      std::memcpy(&is, texels->data() + setting.index + std::size_t{4} * i, 4);
      if (!matches(setting.values[i], is, 0, i, 4))
        return fmt::format("  * {}: dword {} is {:#x}, expected {:#x}\n", setting.place, i, is,
                           contents(setting.values[i], i, 4));
    }
  }
  return {};
}

std::string run(const Case& entry, const Module& module, Way way) {
  DeviceMemory memory(u64{1} << 24);
  const auto image = image_of(entry, memory, *module.target);
  if (!image) return to_string(image.error()) + "\n";
  ArgumentValue constants;
  constants.bytes.resize(*image ? 8 : constant_bytes);
  if (*image) std::memcpy(constants.bytes.data(), &(*image)->descriptor, 8);
  for (const Setting& setting : entry.before) {
    const Spot spot = spot_of(setting.place);
    if (!spot.constant || setting.where != Setting::Where::named) continue;
    const u32 bits = static_cast<u32>(contents(setting.values[0], 0, 4));
    const u32 at = 4 * spot.index - vliw::implicit_bytes;
    if (at + 4 <= constants.bytes.size()) std::memcpy(constants.bytes.data() + at, &bits, 4);
  }
  NdRange range;
  range.global[0] = range.local[0] = 64;
  const Program* program = module.find("test");
  const auto launch = PreparedLaunch::make(memory, module, *program, range, std::span(&constants, 1), 1);
  if (!launch) return to_string(launch.error()) + "\n";
  Group group;
  const u32 slot = 0;
  group.begin(**launch, 0, std::span(&slot, 1));
  WaveState& wave = group.waves[0];
  const u32 rows = 4 * static_cast<const vliw::VliwProgram&>(*program->isa).layout.general;
  set_registers(entry, wave, rows);
  WaveState before;
  before.allocate(64, rows, scalar_register::first_free);
  for (u32 row = 0; row < rows; ++row) std::memcpy(before.row(row), wave.row(row), 256);
  before.set_exec(wave.exec());
  std::optional<RegisterWatch> watch;
  if (way == Way::registers) watch.emplace(module, *program);
  Record record;
  const auto fault =
      step_group(**launch, group, watch ? &*watch : nullptr, way == Way::timed ? &record : nullptr, 1000);
  if (watch && !watch->story().empty()) return watch->story();
  if (fault) return compare_message(entry.faults, to_string(*fault), "run");
  if (!entry.faults.empty()) return "  * it runs without a fault\n";
  return differences(entry, before, wave, rows) +
         (*image ? differing_texels(entry, memory, **image) : std::string());
}

}  // namespace

std::string run_vliw_case(const Case& entry, const std::string& target_name) {
  const Target* target = find_target(target_name);
  const std::string text = kernel_text(entry);
  const auto module = vliw::load_module(text, *target, "case.s");
  std::string story;
  if (!module) {
    story = compare_message(entry.refused, to_string(module.error()), "loader");
  } else if (!entry.refused.empty()) {
    story = "  * it is not refused\n";
  } else {
    for (const Way way : {Way::functional, Way::timed, Way::registers}) {
      const std::string wrong = run(entry, **module, way);
      if (!wrong.empty()) story += fmt::format("  {}:\n{}", name_of(way), wrong);
    }
  }
  return story.empty() ? story : story + "  kernel:\n" + text;
}

}  // namespace lockstep::cases

#include "nvidia/operations.h"

#include <fmt/format.h>

namespace lockstep::nv {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The register class of an operand: 'h' 16 bits, 'r' 32, 'd' 64, 'p' predicate.
char register_class(Kind kind) {
  switch (kind) {
    case Kind::u16:
    case Kind::i16:
    case Kind::f16:
      return 'h';
    case Kind::u64:
    case Kind::i64:
    case Kind::f64:
      return 'd';
    case Kind::mask:
      return 'p';
    default:
      return 'r';
  }
}

char value_kind(Kind kind, std::string_view type) {
  if (has(type, "bf16")) return 'b';
  if (has(type, "f16")) return 'h';
  if (kind == Kind::f32) return 'f';
  if (kind == Kind::f64) return 'd';
  return 'i';
}

std::string last_type(std::string_view opcode) {
  return std::string(opcode.substr(opcode.rfind('.') + 1));
}

std::string load(char cls, u32 operand) {
  switch (cls) {
    case 'h':
      return fmt::format("  cvt.u16.u64 %h{0}, %in{0};\n", operand);
    case 'r':
      return fmt::format("  cvt.u32.u64 %r{0}, %in{0};\n", operand);
    case 'd':
      return fmt::format("  mov.b64 %d{0}, %in{0};\n", operand);
    default:
      return fmt::format("  and.b64 %t0, %in{0}, 1;\n  setp.ne.u64 %p{0}, %t0, 0;\n", operand);
  }
}

std::string store(char cls) {
  switch (cls) {
    case 'h':
      return "  cvt.u64.u16 %out0, %h9;\n";
    case 'r':
      return "  cvt.u64.u32 %out0, %r9;\n";
    case 'd':
      return "  mov.b64 %out0, %d9;\n";
    default:
      return "  selp.u64 %out0, 1, 0, %p9;\n";
  }
}

Operation make(const std::string& opcode, const Opcode& row, const std::string& immediate) {
  const Semantic& meaning = *row.meaning;
  Operation op;
  op.label = immediate.empty() ? opcode : opcode + "#" + immediate;
  op.approximate = !meaning.bound.empty();
  // cvt.TO.FROM and set-like opcodes name the source's type last.
  op.inputs = value_kind(meaning.source[0], last_type(opcode));
  const bool conversion = opcode.starts_with("cvt.");
  std::string result_type = last_type(opcode);
  if (conversion) {
    const std::string_view head = std::string_view(opcode).substr(0, opcode.rfind('.'));
    result_type = std::string(head.substr(head.rfind('.') + 1));
  }
  op.value = value_kind(meaning.result, result_type);
  const bool subtracts = opcode.starts_with("sub");
  if (row.carry_in)
    op.body += fmt::format("  cvt.u32.u64 %r8, %in3;\n  {}.cc.u32 %r7, %r8, {};\n", subtracts ? "sub" : "add",
                           subtracts ? "0x40000000" : "0x80000000");
  std::string operands;
  const u32 unsaid = (immediate.empty() ? 0 : 1) + (row.carry_in ? 1 : 0);
  const u32 registers = meaning.sources - unsaid;
  for (u32 i = 0; i < registers; ++i) {
    const char cls = register_class(meaning.source[i]);
    op.body += load(cls, i);
    operands += fmt::format(", %{}{}", cls, i);
  }
  if (!immediate.empty()) operands += ", " + immediate;
  const char cls = meaning.result == Kind::none ? 'p' : register_class(meaning.result);
  const bool halves = opcode.starts_with("setp.") && opcode.ends_with(".f16x2");  // a predicate of each
  const bool pair = (meaning.mask_result && !row.carry_out) || halves;
  op.body += fmt::format("  {} %{}9{}{};\n", opcode, cls, pair ? "|%p8" : "", operands) + store(cls);
  op.bytes = cls == 'd' ? 8 : cls == 'r' ? 4 : 2;
  if (pair) op.body += "  selp.u64 %out1, 1, 0, %p8;\n";
  if (row.carry_out)
    op.body += fmt::format("  {}c.u32 %r6, 0, 0;\n  cvt.u64.u32 %out1, %r6;\n", subtracts ? "sub" : "add");
  op.words = pair || row.carry_out ? 2 : 1;
  return op;
}

// A small generator of our own: SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
// generators", 2014).
struct Random {
  u64 state;
  u64 next() {
    u64 z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
};

struct Format {
  u32 exponent_bits, fraction_bits;
};

// Zeros, denormals, the borders of the normals and of every integer type, ties, infinities and NaNs.
std::vector<u64> float_specials(Format f) {
  const u64 sign = u64{1} << (f.exponent_bits + f.fraction_bits);
  const u64 infinity = ((u64{1} << f.exponent_bits) - 1) << f.fraction_bits;
  const u64 one = ((u64{1} << (f.exponent_bits - 1)) - 1) << f.fraction_bits;
  const u64 unit = u64{1} << f.fraction_bits;  // one step of the exponent
  const u64 half = unit >> 1;
  std::vector<u64> values = {0,
                             1,
                             half,
                             unit - 1,
                             unit,
                             unit + 1,
                             one,
                             one - 1,
                             one + 1,
                             one - unit,
                             one + half,
                             one + unit,
                             one + unit + (unit >> 2),
                             one + 2 * unit,
                             infinity - 1,
                             infinity - unit,
                             infinity,
                             infinity + 1,
                             infinity + half,
                             infinity + half + 5};
  for (const u32 power : {7u, 8u, 15u, 16u, 31u, 32u, 63u, 64u}) {
    const u64 at = one + power * unit;
    if (at < infinity) values.insert(values.end(), {at, at - 1});
  }
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(values[i] | sign);
  return values;
}

u64 random_float(Random& random, Format f, u64 near) {
  const u64 bits = random.next();
  const u32 width = 1 + f.exponent_bits + f.fraction_bits;
  const u64 mask = width == 64 ? ~u64{0} : (u64{1} << width) - 1;
  if ((bits >> 60) < 4) return random.next() & mask;  // any bits at all
  // Else an exponent within 8 of the other operand's, so that sums cancel and products stay finite.
  const u64 exponents = (u64{1} << f.exponent_bits) - 1;
  const u64 exponent = ((near >> f.fraction_bits) + (random.next() % 17) + exponents - 8) & exponents;
  const u64 fraction = random.next() & ((u64{1} << f.fraction_bits) - 1);
  return (((bits & 1) << f.exponent_bits | exponent) << f.fraction_bits | fraction) & mask;
}

std::vector<u64> float_inputs(Format f, u64 seed, bool packed) {
  const std::vector<u64> specials = float_specials(f);
  Random random{seed};
  std::vector<u64> words;
  const u64 one = ((u64{1} << (f.exponent_bits - 1)) - 1) << f.fraction_bits;
  const auto pack = [&](u64 value) {
    return packed ? value | specials[random.next() % specials.size()] << 16 : value;
  };
  for (u32 item = 0; item < operation_items; ++item) {
    if (item < specials.size() * specials.size()) {
      words.push_back(pack(specials[item % specials.size()]));
      words.push_back(pack(specials[item / specials.size()]));
      words.push_back(pack(specials[random.next() % specials.size()]));
    } else {
      const u64 a = random_float(random, f, one), b = random_float(random, f, item % 3 ? a : one);
      words.push_back(pack(a));
      words.push_back(pack(b));
      words.push_back(pack(random_float(random, f, item % 5 ? a + b - one : one)));
    }
    words.push_back(random.next());
  }
  return words;
}

std::vector<u64> integer_inputs() {
  std::vector<u64> specials = {0, 1, 2, 3, 5, 7, 10, 24, 31, 32, 33, 63, 65, 100, 255};
  for (const u32 width : {8u, 16u, 24u, 32u, 64u}) {
    const u64 top = u64{1} << (width - 1), all = top | (top - 1);
    specials.insert(specials.end(), {top, top - 1, all, all - 1, top + 1});
  }
  Random random{1};
  const auto any = [&] {
    const u64 bits = random.next(), shape = random.next();
    const u64 part = bits >> (shape & 63);  // every length as often as every other
    switch (shape >> 62) {
      case 0:
        return bits;
      case 1:
        return part;
      case 2:
        return ~part;
      default:
        return (part & 0xffffffff) | bits << 32;
    }
  };
  std::vector<u64> words;
  for (u32 item = 0; item < operation_items; ++item) {
    const bool special = item < specials.size() * specials.size();
    words.push_back(special ? specials[item % specials.size()] : any());
    words.push_back(special ? specials[item / specials.size()] : any());
    words.push_back(item % 3 ? any() : specials[random.next() % specials.size()]);
    words.push_back(any());
  }
  return words;
}

// Floating-point additions by atom and red, each work-item at a place of its own: what was there before
// (atom), and what is there afterwards.
std::vector<Operation> atomic_additions() {
  std::vector<Operation> made;
  for (const std::string type : {"f32", "f64", "noftz.f16", "noftz.f16x2", "noftz.bf16", "noftz.bf16x2"}) {
    const std::string element = last_type(type);
    const u32 bits = has(element, "x2") || has(element, "32") ? 32 : has(element, "64") ? 64 : 16;
    const char cls = bits == 64 ? 'd' : bits == 32 ? 'r' : 'h';
    for (const std::string verb : {"atom", "red"}) {
      for (const std::string space : {".global", ".shared", " global", " shared"}) {
        if (space.ends_with("shared") && has(element, "x2")) continue;
        // Generic addresses are asked with both memories behind them.
        const std::string words = space[0] == '.' ? space : "", memory = space.substr(1);
        Operation op;
        op.label = fmt::format("{}{}.add.{}{}", verb, words, type, words.empty() ? "#" + memory : "");
        op.inputs = op.value = has(element, "bf16")  ? 'b'
                               : has(element, "f16") ? 'h'
                               : bits == 32          ? 'f'
                                                     : 'd';
        op.bytes = bits / 8;
        op.words = verb == "atom" ? 2 : 1;
        op.body = load(cls, 0) + load(cls, 1);
        std::string place = "%t2";
        if (memory == "shared") {
          op.body +=
              "  .shared .align 8 .b64 cells[256];\n  mov.u64 %t0, cells;\n"
              "  mad.wide.u32 %t0, %n1, 8, %t0;\n  cvta.shared.u64 %t3, %t0;\n";
          place = words.empty() ? "%t3" : "%t0";
        }
        const std::string direct = memory == "shared" ? "%t0" : "%t2";
        op.body += fmt::format("  st.{}.b{} [{}], %{}0;\n", memory, bits, direct, cls);
        op.body += verb == "atom" ? fmt::format("  atom{}.add.{} %{}9, [{}], %{}1;\n{}", words, type, cls,
                                                place, cls, store(cls))
                                  : fmt::format("  red{}.add.{} [{}], %{}1;\n", words, type, place, cls);
        op.body += fmt::format("  ld.volatile.{}.b{} %{}9, [{}];\n", memory, bits, cls, direct);
        std::string after = store(cls);
        if (op.words == 2) after.replace(after.find("%out0"), 5, "%out1");
        op.body += after;
        made.push_back(std::move(op));
      }
    }
  }
  return made;
}

}  // namespace

std::vector<Operation> operations() {
  std::vector<Operation> made = atomic_additions();
  for (const auto& [opcode, row] : opcodes().rows()) {
    // What depends on where variables lie is asked by whole kernels, not here.
    // Names with @ are conversions into a wider register, the same meaning.
    if (opcode.starts_with("cvta") || opcode.starts_with("isspacep") || has(opcode, "@")) continue;
    if (opcode.ends_with(" high")) continue;  // no instruction, but the second result of one
    if (opcode.starts_with("lop3")) {
      for (const char* table : {"0x80", "0xfe", "0x96", "0xca", "0xe8", "0x1b"})
        made.push_back(make(opcode, row, table));
    } else {
      made.push_back(make(opcode, row, ""));
    }
  }
  for (std::size_t i = 0; i < made.size(); ++i) made[i].kernel = fmt::format("k{}", i);
  return made;
}

std::string module_text(std::span<const Operation> operations, const std::string& target) {
  std::string text = fmt::format(".version 8.4\n.target {}\n.address_size 64\n", target);
  for (const Operation& op : operations) {
    text += fmt::format(
        ".visible .entry {}(.param .u64 from, .param .u64 to)\n{{\n"
        "  .reg .b64 %in<4>, %out<2>, %t<4>, %d<10>;\n  .reg .b32 %r<10>, %n<4>;\n  .reg .b16 %h<10>;\n"
        "  .reg .pred %p<10>;\n"
        "  mov.u32 %n0, %ctaid.x;\n  mov.u32 %n1, %tid.x;\n  mad.lo.u32 %n2, %n0, {}, %n1;\n"
        "  ld.param.u64 %t1, [from];\n  mad.wide.u32 %t1, %n2, 32, %t1;\n"
        "  ld.param.u64 %t2, [to];\n  mad.wide.u32 %t2, %n2, {}, %t2;\n"
        "  ld.global.u64 %in0, [%t1];\n  ld.global.u64 %in1, [%t1+8];\n"
        "  ld.global.u64 %in2, [%t1+16];\n  ld.global.u64 %in3, [%t1+24];\n{}"
        "  st.global.u64 [%t2], %out0;\n{}  ret;\n}}\n",
        op.kernel, group_items, 8 * op.words, op.body,
        op.words == 2 ? "  st.global.u64 [%t2+8], %out1;\n" : "");
  }
  return text;
}

std::vector<u64> inputs_of(char kind) {
  switch (kind) {
    case 'h':
      return float_inputs({5, 10}, 2, true);
    case 'b':
      return float_inputs({8, 7}, 3, true);
    case 'f':
      return float_inputs({8, 23}, 4, false);
    case 'd':
      return float_inputs({11, 52}, 5, false);
    default:
      return integer_inputs();
  }
}

}  // namespace lockstep::nv

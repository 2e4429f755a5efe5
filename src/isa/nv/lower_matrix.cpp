// mma, wmma, ldmatrix, stmatrix, movmatrix: their words and operands. Shapes and types after "Parallel Thread
// Execution ISA", version 8.5, 9.7.14, tables of "Matrix Shape" and "Type".
#include <fmt/format.h>

#include "isa/nv/lower.h"
#include "isa/nv/matrix.h"

namespace lockstep::nv {
namespace {

// "m16n8k16"
bool read_shape(std::string_view word, MatrixForm& form) {
  u32* const to[] = {&form.m, &form.n, &form.k};
  constexpr char letters[] = {'m', 'n', 'k'};
  for (u32 i = 0; i < 3; ++i) {
    if (word.empty() || word[0] != letters[i]) return false;
    word.remove_prefix(1);
    u32 value = 0;
    while (!word.empty() && word[0] >= '0' && word[0] <= '9' && value < 1000) {
      value = 10 * value + static_cast<u32>(word[0] - '0');
      word.remove_prefix(1);
    }
    *to[i] = value;
  }
  return word.empty();
}

struct Offer {
  std::string_view shape, types;  // types of A and B, by a letter each
  u32 capability;
};
// h f16, b bf16, t tf32, d f64, i 8-bit integers, n 4-bit integers, o single bits, q 8-bit floats.
constexpr Offer mma_offers[] = {{"m8n8k4", "h", 70},    {"m16n8k8", "h", 75},   {"m16n8k16", "h", 80},
                                {"m16n8k8", "b", 80},   {"m16n8k16", "b", 80},  {"m16n8k4", "t", 80},
                                {"m16n8k8", "t", 80},   {"m8n8k4", "d", 80},    {"m16n8k4", "d", 90},
                                {"m16n8k8", "d", 90},   {"m16n8k16", "d", 90},  {"m8n8k16", "i", 75},
                                {"m16n8k16", "i", 80},  {"m16n8k32", "i", 80},  {"m8n8k32", "n", 75},
                                {"m16n8k32", "n", 80},  {"m16n8k64", "n", 80},  {"m8n8k128", "o", 75},
                                {"m16n8k128", "o", 80}, {"m16n8k256", "o", 80}, {"m16n8k32", "q", 89}};
constexpr Offer wmma_offers[] = {{"m16n16k16", "h", 70}, {"m8n32k16", "h", 70}, {"m32n8k16", "h", 70},
                                 {"m16n16k16", "i", 72}, {"m8n32k16", "i", 72}, {"m32n8k16", "i", 72},
                                 {"m16n16k16", "b", 80}, {"m8n32k16", "b", 80}, {"m32n8k16", "b", 80},
                                 {"m16n16k8", "t", 80},  {"m8n8k4", "d", 80},   {"m8n8k32", "n", 75},
                                 {"m8n8k128", "o", 75}};

char letter_of(Element element) {
  switch (element) {
    case Element::f16:
      return 'h';
    case Element::bf16:
      return 'b';
    case Element::tf32:
      return 't';
    case Element::f64:
      return 'd';
    case Element::s8:
    case Element::u8_:
      return 'i';
    case Element::s4:
    case Element::u4:
      return 'n';
    case Element::b1:
      return 'o';
    case Element::e4m3:
    case Element::e5m2:
      return 'q';
    default:
      return '?';
  }
}

// Which accumulators go with elements of A and B.
bool accumulates(Element a, Element accumulator) {
  switch (letter_of(a)) {
    case 'h':
      return accumulator == Element::f16 || accumulator == Element::f32;
    case 'b':
    case 't':
    case 'q':
      return accumulator == Element::f32;
    case 'd':
      return accumulator == Element::f64;
    default:
      return accumulator == Element::s32;
  }
}

}  // namespace

// Registers of a fragment, as many and as wide as it needs.
bool Lowering::fragment(std::vector<u32>& list, const Tree& tree, u32 registers, bool wide) {
  std::vector<const Tree*> parts;
  if (tree.kind == Tree::Kind::vector) {
    for (const Tree& part : tree.parts) parts.push_back(&part);
  } else {
    parts.push_back(&tree);
  }
  if (parts.size() != registers)
    return fail(fmt::format("'{}' takes a fragment of {} registers here, not {}", statement_->opcode,
                            registers, parts.size()));
  for (const Tree* part : parts) {
    if (part->kind != Tree::Kind::reg) return fail("a fragment is made of registers");
    if (bytes_of(register_type(part->index)) != (wide ? 8u : 4u))
      return fail(fmt::format("'{}' has not {} bits", part->name, wide ? 64 : 32));
    list.push_back(part->index);
  }
  return true;
}

bool Lowering::lower_matrix() {
  const std::string_view name = word(0);
  if (name == "ldmatrix" || name == "stmatrix") return lower_eights();
  if (name == "movmatrix") {
    if (statement_->opcode != "movmatrix.sync.aligned.m8n8.trans.b16")
      return fail(fmt::format("unknown instruction '{}'", statement_->opcode));
    if (!operand_count(2, 2)) return false;
    Lowered lowered = start(transpose_eights(), Cost::valu_cross_lane);
    if (!source(lowered.in.operand[1], statement_->operands[1], Kind::u32) ||
        !destination(lowered, 0, statement_->operands[0], Kind::u32))
      return false;
    emit(lowered);
    return true;
  }
  if (has("sp") || has("sp::ordered_metadata"))
    return fail(fmt::format("'{}': sparse matrices are not supported", statement_->opcode));
  if (name == "wmma" && (word(1) == "load" || word(1) == "store")) return lower_fragment();

  // The words in any order but for the types: of D, A, B, C; wmma of f16 names D and C alone.
  const auto unknown = [&] { return fail(fmt::format("unknown instruction '{}'", statement_->opcode)); };
  MatrixForm form;
  form.capability = target_.compute_capability();
  form.fragments = name == "wmma" ? Fragments::linear : Fragments::eights;
  std::vector<Element> types;
  std::vector<bool> columns;
  std::string_view shape;
  bool popc = false, bits = false;
  for (std::size_t i = 1; i < words(); ++i) {
    const std::string_view w = word(i);
    if (element_named(w) != Element::none) {
      types.push_back(element_named(w));
    } else if (w == "row" || w == "col") {
      columns.push_back(w == "col");
    } else if (w.starts_with('m') && w.size() > 1 && w[1] >= '0' && w[1] <= '9') {
      shape = w;
    } else if (w == "satfinite") {
      form.saturates = true;
    } else if (w == "popc") {
      popc = true;
    } else if (w == "xor" || w == "and") {
      bits = true;
      form.bit_and = w == "and";
    } else if (w != "sync" && w != "aligned" && w != "rn" && !(w == "mma" && i == 1 && name == "wmma")) {
      return unknown();
    }
  }
  if (!has("sync") || !has("aligned") || columns.size() != 2) return unknown();
  if (name == "wmma" && types.size() == 2) types = {types[0], Element::f16, Element::f16, types[1]};
  if (types.size() != 4 || !read_shape(shape, form)) return unknown();
  form.d = types[0], form.a = types[1], form.b = types[2], form.c = types[3];
  const char letter = letter_of(form.a);
  u32 needed = 0;
  for (const Offer& offer :
       name == "wmma" ? std::span<const Offer>(wmma_offers) : std::span<const Offer>(mma_offers)) {
    if (offer.shape == shape && offer.types[0] == letter) needed = offer.capability;
  }
  if (needed == 0 || letter_of(form.b) != letter || !accumulates(form.a, form.c) ||
      !accumulates(form.a, form.d) || (form.a == Element::b1) != (popc && bits))
    return unknown();
  if (!needs_target(needed, statement_->opcode)) return false;
  if (name == "mma" && letter == 'h' && shape == "m8n8k4") {
    form.fragments = Fragments::quads;
    form.a_column = columns[0];
    form.b_row = !columns[1];
  } else if (name == "mma" && (columns[0] || !columns[1])) {
    return unknown();  // A by rows, B by columns
  }
  if (!operand_count(4, 4)) return false;
  Lowered lowered = start(multiply_matrices(), Cost::valu_matrix);
  const auto part = [&](std::vector<u32>& list, std::size_t operand, Matrix matrix, Element element) {
    return fragment(list, statement_->operands[operand], fragment_size(form, matrix, element).registers,
                    element == Element::f64);
  };
  if (!part(lowered.wide_results, 0, Matrix::c, form.d) ||
      !part(lowered.wide_sources, 1, Matrix::a, form.a) ||
      !part(lowered.wide_sources, 2, Matrix::b, form.b) || !part(lowered.wide_sources, 3, Matrix::c, form.c))
    return false;
  lowered.in.detail = static_cast<u32>(tables_.forms.size());
  tables_.forms.push_back(form);
  emit(std::move(lowered));
  return true;
}

// ldmatrix.sync.aligned.m8n8.x4{.trans}{.shared}.b16 r, [p]; stmatrix has them the other way round.
bool Lowering::lower_eights() {
  const bool load = word(0) == "ldmatrix";
  u32 count = 0;
  bool transposed = false, good = has("sync") && has("aligned") && has("m8n8") && word(words() - 1) == "b16";
  for (std::size_t i = 1; i < words(); ++i) {
    const std::string_view w = word(i);
    if (w == "x1" || w == "x2" || w == "x4") {
      count = static_cast<u32>(w[1] - '0');
    } else if (w == "trans") {
      transposed = true;
    } else {
      good &=
          w == "sync" || w == "aligned" || w == "m8n8" || w == "b16" || w == "shared" || w == "shared::cta";
    }
  }
  if (!good || count == 0) return fail(fmt::format("unknown instruction '{}'", statement_->opcode));
  if (!operand_count(2, 2)) return false;
  Lowered lowered = start(load ? load_eights() : store_eights(), load ? Cost::lds_load : Cost::lds_store);
  if (!address_operand(lowered, statement_->operands[load ? 1 : 0], space_word())) return false;
  if (!fragment(load ? lowered.wide_results : lowered.wide_sources, statement_->operands[load ? 0 : 1], count,
                false))
    return false;
  lowered.in.detail = transposed ? 1 : 0;
  emit(std::move(lowered));
  return true;
}

// wmma.load.a.sync.aligned.row.m16n16k16{.shared}.f16 r, [p]{, stride}; wmma.store.d ... [p], r{, stride}
bool Lowering::lower_fragment() {
  const bool load = word(1) == "load";
  MatrixForm form;
  Matrix matrix = Matrix::c;
  Element type = Element::none;
  std::string_view shape;
  bool column = false, layout = false;
  const auto unknown = [&] { return fail(fmt::format("unknown instruction '{}'", statement_->opcode)); };
  if (load && word(2) == "a") {
    matrix = Matrix::a;
  } else if (load && word(2) == "b") {
    matrix = Matrix::b;
  } else if (word(2) != (load ? "c" : "d")) {
    return unknown();
  }
  for (std::size_t i = 3; i < words(); ++i) {
    const std::string_view w = word(i);
    if (element_named(w) != Element::none) {
      type = element_named(w);
    } else if (w == "row" || w == "col") {
      column = w == "col";
      layout = true;
    } else if (read_shape(w, form)) {
      shape = w;
    } else if (w != "sync" && w != "aligned" && w != "shared" && w != "shared::cta" && w != "global") {
      return unknown();
    }
  }
  if (!layout || !has("sync") || !has("aligned") || type == Element::none) return unknown();
  u32 needed = 0;
  for (const Offer& offer : wmma_offers) {
    const bool fits = matrix != Matrix::c
                          ? offer.types[0] == letter_of(type)
                          : (offer.types[0] == 'h' && accumulates(Element::f16, type)) ||
                                (offer.types[0] == 'd' && type == Element::f64) ||
                                ((offer.types[0] == 'b' || offer.types[0] == 't') && type == Element::f32) ||
                                (std::string_view("ino").find(offer.types[0]) != std::string_view::npos &&
                                 type == Element::s32);
    if (offer.shape == shape && fits && (needed == 0 || offer.capability < needed)) needed = offer.capability;
  }
  if (needed == 0) return unknown();
  if (!needs_target(needed, statement_->opcode)) return false;
  (matrix == Matrix::a ? form.a : matrix == Matrix::b ? form.b : form.c) = type;
  if (bits_of(type) < 8 && column != (matrix == Matrix::b)) return unknown();
  form.fragments = Fragments::linear;
  form.capability = target_.compute_capability();
  if (!operand_count(2, 3)) return false;
  const std::vector<Tree>& operands = statement_->operands;
  Lowered lowered =
      start(load ? load_fragment() : store_fragment(), load ? Cost::vmem_load : Cost::vmem_store);
  if (!address_operand(lowered, operands[load ? 1 : 0], space_word())) return false;
  if (lowered.in.addressing == Addressing::local) lowered.in.cost = load ? Cost::lds_load : Cost::lds_store;
  if (operands.size() == 3 && !source(lowered.in.operand[2], operands[2], Kind::u32)) return false;
  if (!fragment(load ? lowered.wide_results : lowered.wide_sources, operands[load ? 0 : 1],
                fragment_size(form, matrix, type).registers, type == Element::f64))
    return false;
  lowered.in.detail =
      static_cast<u32>(tables_.forms.size()) | static_cast<u32>(matrix) << 16 | (column ? 1u << 18 : 0);
  tables_.forms.push_back(form);
  if (tables_.forms.size() > 0xFFFF) return fail("too many matrix instructions");
  emit(std::move(lowered));
  return true;
}

}  // namespace lockstep::nv

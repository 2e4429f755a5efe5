#include <utility>

#include "isa/nv/matrix.h"

namespace lockstep::nv {

Element element_named(std::string_view type) {
  constexpr std::pair<std::string_view, Element> names[] = {
      {"f16", Element::f16},  {"bf16", Element::bf16}, {"tf32", Element::tf32}, {"f32", Element::f32},
      {"f64", Element::f64},  {"s8", Element::s8},     {"u8", Element::u8_},    {"s4", Element::s4},
      {"u4", Element::u4},    {"b1", Element::b1},     {"s32", Element::s32},   {"e4m3", Element::e4m3},
      {"e5m2", Element::e5m2}};
  for (const auto& [name, element] : names) {
    if (name == type) return element;
  }
  return Element::none;
}

u32 bits_of(Element element) {
  switch (element) {
    case Element::b1:
      return 1;
    case Element::s4:
    case Element::u4:
      return 4;
    case Element::s8:
    case Element::u8_:
    case Element::e4m3:
    case Element::e5m2:
      return 8;
    case Element::f16:
    case Element::bf16:
      return 16;
    case Element::tf32:
    case Element::f32:
    case Element::s32:
      return 32;
    case Element::f64:
      return 64;
    case Element::none:
      break;
  }
  return 0;
}

u32 matrix_rows(const MatrixForm& form, Matrix matrix) {
  return matrix == Matrix::b ? form.k : form.m;
}
u32 matrix_columns(const MatrixForm& form, Matrix matrix) {
  return matrix == Matrix::a ? form.k : form.n;
}

FragmentSize fragment_size(const MatrixForm& form, Matrix matrix, Element element) {
  const u32 bits = bits_of(element), in_register = bits == 64 ? 1 : 32 / bits;
  u32 elements = matrix_rows(form, matrix) * matrix_columns(form, matrix) / 32;
  if (form.fragments == Fragments::quads) elements *= 4;
  // wmma's A and B of f16 have sixteen elements whatever the shape: some are held by several lanes.
  if (form.fragments == Fragments::linear && element == Element::f16 && matrix != Matrix::c) elements = 16;
  return {elements / in_register, elements};
}

Cell cell_of(const MatrixForm& form, Matrix matrix, Element element, u32 lane, u32 number) {
  if (form.fragments == Fragments::linear) {
    const u32 rows = matrix_rows(form, matrix), columns = matrix_columns(form, matrix);
    const u32 place = (lane * fragment_size(form, matrix, element).elements + number) % (rows * columns);
    if (matrix == Matrix::b) return {0, place % rows, place / rows};  // as it mostly lies in memory
    return {0, place / columns, place % columns};
  }
  if (form.fragments == Fragments::quads) {
    const u32 product = (lane % 16) / 4, half = lane < 16 ? 0 : 4, within = lane % 4;
    if (matrix == Matrix::a)
      return form.a_column ? Cell{product, number + half, within} : Cell{product, within + half, number};
    if (matrix == Matrix::b)
      return form.b_row ? Cell{product, within, number + half} : Cell{product, number, within + half};
    if (element == Element::f16) return {product, within + half, number};
    return {product, (lane & 1) + (number & 2) + half, (number & 4) + (lane & 2) + (number & 1)};
  }
  const u32 group = lane / 4, within = lane % 4;
  if (matrix == Matrix::c) return {0, group + (number >= 2 ? 8 : 0), within * 2 + (number & 1)};
  const u32 bits = bits_of(element), each = bits == 64 ? 1 : 32 / bits;
  const u32 reg = number / each, inside = within * each + number % each;
  if (matrix == Matrix::b) return {0, reg * 4 * each + inside, group};
  if (form.m == 8) return {0, group, reg * 4 * each + inside};
  return {0, group + 8 * (reg & 1), (reg >> 1) * 4 * each + inside};
}

}  // namespace lockstep::nv

#include "isa/amd/matrix_form.h"

#include <charconv>

#include "isa/amd/table.h"

namespace lockstep::amd {
namespace {

// "v_mfma_f32_32x32x4_2b_f16", before CDNA 3 "v_mfma_f32_32x32x4f16" and "v_mfma_f32_32x32x8bf16_1k".
std::optional<MatrixForm> parsed(std::string_view name) {
  MatrixForm form;
  const auto starts = [&name](std::string_view what) { return name.starts_with(what); };
  form.of_rdna = starts("v_wmma_") || starts("v_swmmac_");
  form.sparse = starts("v_smfmac_") || starts("v_swmmac_");
  if (!form.of_rdna && !form.sparse && !starts("v_mfma_")) return std::nullopt;
  const std::size_t first = name.find('x');
  const std::size_t begin = name.find_last_of('_', first) + 1;
  const char *at = name.data() + begin, *const end = name.data() + name.size();
  u32 columns = 0;
  at = std::from_chars(at, end, form.rows).ptr + 1;
  at = std::from_chars(at, end, columns).ptr + 1;
  at = std::from_chars(at, end, form.depth).ptr;
  std::string_view rest(at, static_cast<std::size_t>(end - at));
  if (rest.starts_with('_')) rest.remove_prefix(1);
  if (const std::size_t b = rest.find("b_"); b == 1 || b == 2) {
    std::from_chars(rest.data(), rest.data() + b, form.blocks);
    rest.remove_prefix(b + 2);
  }
  constexpr std::pair<std::string_view, MatrixElement> elements[] = {
      {"f64", MatrixElement::f64},    {"f32", MatrixElement::f32},     {"xf32", MatrixElement::xf32},
      {"f16", MatrixElement::bits16}, {"bf16", MatrixElement::bits16}, {"i8", MatrixElement::bits8},
      {"iu8", MatrixElement::bits8},  {"fp8", MatrixElement::bits8},   {"bf8", MatrixElement::bits8},
      {"iu4", MatrixElement::bits4},
  };
  for (const auto& [type, element] : elements) {
    if (rest.starts_with(type)) {
      form.element = element;
      return form;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<MatrixForm> matrix_form(const Instruction& instruction, const Target& target) {
  if (instruction.cost != Cost::valu_matrix) return std::nullopt;
  const u32 generation = generation_of(target);
  for (const Row& row : valu_matrix_rows()) {
    if (row.meaning == instruction.meaning && (row.generations & generation) != 0)
      return parsed(row.mnemonic);
  }
  return std::nullopt;
}

bool accumulates_on(const Instruction& producer, const Instruction& consumer) {
  if (producer.cost != Cost::valu_matrix || consumer.cost != Cost::valu_matrix) return false;
  const bool in_place = (consumer.meaning->implied & implies::reads_result) != 0;
  const Operand& sum = in_place ? consumer.operand[0] : consumer.operand[3];
  const Operand& result = producer.operand[0];
  return sum.kind == OperandKind::vector && sum.index == result.index && sum.registers == result.registers;
}

}  // namespace lockstep::amd

// tex, txq, suld, sust, suq: their words and operands. Handles are 64-bit registers or kernel parameters of
// type .texref, .samplerref and .surfref.
#include <fmt/format.h>

#include "isa/nv/image.h"
#include "isa/nv/lower.h"
#include "isa/nv/memory.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {
namespace {

bool geometry_named(std::string_view word, Geometry& geometry) {
  constexpr std::pair<std::string_view, Geometry> names[] = {{"1d", Geometry::d1},
                                                             {"2d", Geometry::d2},
                                                             {"3d", Geometry::d3},
                                                             {"a1d", Geometry::a1},
                                                             {"a2d", Geometry::a2}};
  for (const auto& [name, value] : names) {
    if (name != word) continue;
    geometry = value;
    return true;
  }
  return false;
}

}  // namespace

// A handle in a register of its own, or where a kernel parameter has it.
bool Lowering::image_handle(u32& reg, const Tree& tree) {
  if (tree.kind == Tree::Kind::reg && bytes_of(register_type(tree.index)) == 8) {
    reg = tree.index;
    return true;
  }
  if (tree.kind != Tree::Kind::variable)
    return fail("a texture, surface or sampler is a 64-bit register or a parameter of the kernel");
  const Variable& variable = tree_.variables[tree.index];
  if (variable.space != StateSpace::param || !function_.kernel || variable.function != function_index_) {
    return fail(fmt::format(
        "'{}': textures, surfaces and samplers of the module are not supported: pass them to the kernel",
        variable.name));
  }
  reg = temporary(Type::b64_);
  Lowered load = start(*find_load(8, false, 2, 1), Cost::smem_load);
  load.in.operand[0] = virtual_operand(reg);
  load.defined = 1;
  load.in.operand[1].kind = OperandKind::immediate;
  load.in.operand[1].value = layout_.address[tree.index];
  load.in.nv.base = Base::arguments;
  load.in.addressing = Addressing::scalar;
  emit(load);
  return true;
}

bool Lowering::image_source(std::vector<u32>& list, const Tree& tree, Kind kind) {
  if (tree.kind == Tree::Kind::reg && register_type(tree.index) != Type::pred_) {
    if ((bytes_of(register_type(tree.index)) == 8) != (kind == Kind::u64))
      return fail(fmt::format("'{}' has another size", tree.name));
    list.push_back(tree.index);
    return true;
  }
  Operand operand;
  if (tree.kind == Tree::Kind::sink) return fail("a coordinate is missing");
  if (!into_register(operand, tree, kind)) return false;
  list.push_back(operand.index & ~virtual_register);
  return true;
}

bool Lowering::lower_image() {
  const std::string_view name = word(0);
  const std::vector<Tree>& operands = statement_->operands;
  const auto unsupported = [&] { return fail(fmt::format("'{}' is not supported", statement_->opcode)); };
  const auto unknown = [&] { return fail(fmt::format("unknown instruction '{}'", statement_->opcode)); };
  if (name == "txq" || name == "suq") {
    if (!operand_count(2, 2) || operands[1].kind != Tree::Kind::address || operands[1].parts.size() != 1 ||
        words() != 3 || word(2) != "b32")
      return error_ ? false : unknown();
    constexpr std::pair<std::string_view, ImageQuery> queries[] = {{"width", ImageQuery::width},
                                                                   {"height", ImageQuery::height},
                                                                   {"depth", ImageQuery::depth},
                                                                   {"channel_data_type", ImageQuery::type},
                                                                   {"channel_order", ImageQuery::order},
                                                                   {"array_size", ImageQuery::layers},
                                                                   {"num_mipmap_levels", ImageQuery::levels},
                                                                   {"num_samples", ImageQuery::samples}};
    for (const auto& [query, value] : queries) {
      if (query != word(1)) continue;
      u32 handle = 0;
      if (!image_handle(handle, operands[1].parts[0])) return false;
      Lowered lowered = start(query_image(), Cost::vmem_image);
      lowered.in.operand[1] = virtual_operand(handle);
      lowered.in.detail = static_cast<u32>(value);
      if (!destination(lowered, 0, operands[0], Kind::u32)) return false;
      emit(lowered);
      return true;
    }
    return unsupported();
  }

  // tex.geometry.v4.type.coordinates d, [image{, sampler}, {coordinates}];
  // suld.b.geometry{.cop}{.v}.type.outside d, [image, {coordinates}]; sust has d behind.
  const bool texture = name == "tex", store = name == "sust";
  ImageForm form;
  form.results = 1;
  bool shaped = false, good = true;
  std::vector<std::string_view> types;
  for (std::size_t i = 1; i < words(); ++i) {
    const std::string_view w = word(i);
    if (geometry_named(w, form.geometry)) {
      shaped = true;
    } else if (w == "v2" || w == "v4") {
      form.results = static_cast<u8>(w[1] - '0');
    } else if (w == "trap" || w == "clamp" || w == "zero") {
      form.outside = w == "trap" ? 0 : w == "clamp" ? 1 : 2;
      good &= !texture;
    } else if (w == "b" || w == "p") {
      form.formatted = w == "p";
      good &= !texture && i == 1 && (w == "b" || store);
    } else if (w == "cube" || w == "acube" || w == "2dms" || w == "a2dms" || w == "level" || w == "grad" ||
               w == "base") {
      return unsupported();
    } else if (type_named(w) != Type::none) {
      types.push_back(w);
    } else {
      good &= w == "ca" || w == "cg" || w == "cs" || w == "cv" || w == "wb" || w == "wt";
    }
  }
  if (!shaped || !good || types.size() != (texture ? 2u : 1u)) return unknown();
  if (texture) {
    if (form.results != 4 || (types[0] != "f32" && types[0] != "u32" && types[0] != "s32"))
      return unsupported();
    if (types[1] != "f32" && types[1] != "s32") return unknown();
    form.integers = types[1] == "s32";
  } else {
    if (types[0][0] != 'b' || types[0] == "b128") return unknown();
    form.element_bytes = static_cast<u8>(bytes_of(type_named(types[0])));
    if (form.formatted && types[0] != "b32") return unknown();
    if (form.element_bytes * form.results > 16) return unknown();
  }
  if (!operand_count(2, 2)) return false;
  const Tree& place = operands[store ? 0 : 1];
  const Tree& data = operands[store ? 1 : 0];
  if (place.kind != Tree::Kind::address || place.parts.size() < 2 || place.parts.size() > (texture ? 3u : 2u))
    return unknown();
  form.sampler = place.parts.size() == 3;

  Lowered lowered = start(texture ? read_texture()
                          : store ? store_surface()
                                  : load_surface(),
                          texture ? Cost::vmem_image
                          : store ? Cost::vmem_store
                                  : Cost::vmem_load);
  std::vector<u32> sources(1);
  if (!image_handle(sources[0], place.parts[0])) return false;
  if (form.sampler) {
    sources.emplace_back();
    if (!image_handle(sources[1], place.parts[1])) return false;
  }
  const Tree& coordinates = place.parts.back();
  std::vector<const Tree*> list;
  if (coordinates.kind == Tree::Kind::vector) {
    for (const Tree& part : coordinates.parts) list.push_back(&part);
  } else {
    list.push_back(&coordinates);
  }
  const u32 needed = dimensions_of(form.geometry) + (is_array(form.geometry) ? 1 : 0);
  if (list.size() < needed || list.size() > 4)
    return fail(fmt::format("'{}' takes {} coordinates", statement_->opcode, needed));
  for (u32 i = 0; i < needed; ++i) {
    const bool layer = i == 0 && is_array(form.geometry);
    if (!image_source(sources, *list[i], texture && !form.integers && !layer ? Kind::f32 : Kind::u32))
      return false;
  }
  std::vector<const Tree*> registers;
  if (data.kind == Tree::Kind::vector) {
    for (const Tree& part : data.parts) registers.push_back(&part);
  } else {
    registers.push_back(&data);
  }
  if (registers.size() != form.results) return fail("the number of registers is not the vector's");
  const bool wide = form.element_bytes == 8;
  for (const Tree* tree : registers) {
    if (store) {
      if (!image_source(sources, *tree, wide ? Kind::u64 : Kind::u32)) return false;
      continue;
    }
    if (tree->kind == Tree::Kind::sink) {
      lowered.wide_results.push_back(temporary(wide ? Type::b64_ : Type::b32_));
      continue;
    }
    if (tree->kind != Tree::Kind::reg || register_type(tree->index) == Type::pred_ ||
        (bytes_of(register_type(tree->index)) == 8) != wide)
      return fail(fmt::format("the result of '{}' goes to registers of its size", statement_->opcode));
    lowered.wide_results.push_back(tree->index);
  }
  lowered.wide_sources = std::move(sources);
  lowered.in.detail = form.pack();
  emit(std::move(lowered));
  return true;
}

}  // namespace lockstep::nv

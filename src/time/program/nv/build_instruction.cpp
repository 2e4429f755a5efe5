// What each PTX instruction is among the values.
#include <bit>

#include "isa/nv/control.h"
#include "isa/nv/image.h"
#include "isa/nv/memory.h"
#include "isa/nv/register_use.h"
#include "isa/nv/special.h"
#include "time/program/nv/builder.h"
#include "time/program/nv/describe.h"

namespace lockstep::lowering {

// Whole words at an address of the module's constants that is known: instructions take them from their bank
// as they are, as ptxas has it for 7.5 to 9.0. Those of 1.x do not here.
static bool is_constant_word(u32 capability, const Instruction& at) {
  return capability >= 20 && at.nv.base == nv::Base::image && at.guard == 0 &&
         at.meaning->memory.element_bytes >= 4;
}

// A guarded instruction leaves what was there in the other lanes.
void Builder::guard(const Instruction& at, Node& n) {
  if (at.guard == 0) return;
  n.guard = resolve(read(at.guard_register | predicate_variable, current_));
  n.guard.modifiers = at.guard == 2 ? Ref::complement : u8{0};
}

// What a store of a vector of 8 or 16 bits writes: its elements put into words.
void Builder::pack_elements(Node& n, u32 element_bits) {
  const auto both = [&](const Ref& low, const Ref& high, u64 selector) {
    Node made;
    made.op = Op::prmt;
    made.from = n.from;
    made.in = {low, high, Ref{leaf(Op::constant, selector)}};
    return Ref{node(made)};
  };
  constexpr u64 halves = 0x5410, bytes = 0x0040;
  std::vector<Ref> words(n.in.begin(), n.in.begin() + 1);
  const u32 of_word = 32 / element_bits;
  const std::size_t count = n.in.size() - 1;
  for (std::size_t k = 0; k < count; k += of_word) {
    const auto part = [&](std::size_t j) { return n.in[1 + k + j]; };
    if (element_bits == 16) {
      words.push_back(both(part(0), part(1), halves));
    } else {
      const Ref low = both(part(0), part(1), bytes);
      words.push_back(count - k < of_word ? low : both(low, both(part(2), part(3), bytes), halves));
    }
  }
  n.element_bytes = count * element_bits == 16 ? 2 : 4;
  n.in = std::move(words);
}

// A load of a vector of 8 or 16 bits, and its elements.
void Builder::load_elements(u32 i, Node& n, u32 element_bits) {
  const Instruction& at = in(i);
  const bool is_signed = at.meaning->memory.is_signed;
  const u32 count = static_cast<u32>(std::popcount(u32{at.nv.written_operands} & 0b11101));
  n.width = static_cast<u8>(std::max(1u, count * element_bits / 32));
  n.element_bytes = count * element_bits == 16 ? 2 : 4;
  n.is_signed = false;
  const u32 number = node(n);
  u32 bit = 0;
  for (const u32 slot : {0u, 2u, 3u, 4u}) {
    if (((at.nv.written_operands >> slot) & 1) == 0) continue;
    Ref value{number, static_cast<u8>(bit / 32), 1, 0};
    const auto made = [&](Op op, u8 width, std::vector<Ref> more) {
      Node one;
      one.op = op;
      one.is_signed = is_signed;
      one.width = width;
      one.bits = static_cast<u8>(32 * width);
      one.in = {value};
      one.in.insert(one.in.end(), more.begin(), more.end());
      one.from = i;
      value = {node(one), 0, width, 0};
    };
    if (element_bits == 8)
      made(Op::bfe, 1, {{leaf(Op::constant, bit % 32)}, {leaf(Op::constant, 8)}});
    else if (bit % 32 != 0)
      made(Op::shr, 1, {{leaf(Op::constant, bit % 32)}});
    if (at.operand[slot].registers == 2) made(is_signed ? Op::sext : Op::zext, 2, {});
    for (u8 r = 0; r < at.operand[slot].registers; ++r)
      write(at.operand[slot].index + r, {value.node, static_cast<u8>(value.part + r), 1, 0});
    bit += element_bits;
  }
}

bool Builder::memory_instruction(u32 i, Node& n) {
  const Instruction& at = in(i);
  const Semantic& meaning = *at.meaning;
  if (meaning.shape != Shape::memory && at.addressing == Addressing::none) return false;
  using M = nv::Mnemonic;
  if (n.operation.mnemonic == M::cp_async) return false;
  const bool atomic = meaning.combining != Combining::none;
  const bool stores = !atomic && at.nv.written_operands == 0;
  n.op = atomic ? Op::atomic : stores ? Op::store : Op::load;
  n.effect = true;
  if (at.nv.call_parameter) n.op = Op::call_value;
  wide_ = at.operand[1].kind == OperandKind::immediate;
  n.in.push_back(source(at.operand[1], false, i));
  // Where the address's immediate part is counted from does not matter any more.
  wide_ = false;
  n.value = static_cast<u64>(static_cast<i64>(at.offset));
  if (n.operation.mnemonic == M::ldmatrix || n.operation.mnemonic == M::stmatrix) {
    matrix_rows(i, n);
    return true;
  }
  if (n.op == Op::load && at.addressing == Addressing::scalar &&
      at.operand[1].kind == OperandKind::immediate) {
    const bool argument = at.nv.base == nv::Base::arguments;
    if (argument ? f_.kernel : is_constant_word(f_.capability, at)) {
      n.op = Op::parameter;
      n.effect = false;
      n.value += at.operand[1].value + (argument ? 0 : module_constants);
      n.in.clear();
    }
  }
  if (stores || atomic) {
    for (u32 s = 2; s < at.operand.size(); ++s) {
      if (at.operand[s].kind == OperandKind::none || ((at.nv.written_operands >> s) & 1) != 0) continue;
      wide_ = meaning.memory.element_bytes == 8;  // atomics have their data in registers
      n.in.push_back(source(at.operand[s], false, i));
    }
    wide_ = false;
  }
  n.bits = 32;
  n.element_bytes = meaning.memory.element_bytes;
  n.is_signed = n.op == Op::load && meaning.memory.is_signed;
  u8 width = 0;
  for (const u32 slot : {0u, 2u, 3u, 4u}) {
    if (((at.nv.written_operands >> slot) & 1) != 0)
      width = static_cast<u8>(width + at.operand[slot].registers);
  }
  // Elements narrower than a register come and go in words that hold several.
  const u32 element_bits = 8 * meaning.memory.element_bytes;  // 0: of no such load or store
  const bool narrow = element_bits == 8 || element_bits == 16;
  if (narrow && n.op == Op::store && n.in.size() > 2) pack_elements(n, element_bits);
  const bool several = std::popcount(u32{at.nv.written_operands} & 0b11101) > 1;
  if (narrow && n.op == Op::load && at.guard == 0 && several) {
    load_elements(i, n, element_bits);
    return true;
  }
  // Words that PTX extends to registers of 64 bits.
  const bool extends = n.op == Op::load && at.guard == 0 && element_bits != 0 && element_bits != 64;
  const auto registers_in = [&](u32 slot) {
    return extends ? u8{1} : static_cast<u8>(at.operand[slot].registers);
  };
  if (extends) width = static_cast<u8>(std::popcount(u32{at.nv.written_operands} & 0b11101));
  n.width = width;
  guard(at, n);
  const u32 number = node(n);
  u8 part = 0;
  for (const u32 slot : {0u, 2u, 3u, 4u}) {
    if (((at.nv.written_operands >> slot) & 1) == 0) continue;
    if (extends && at.operand[slot].registers == 2) {
      Node wide;
      wide.op = meaning.memory.is_signed ? Op::sext : Op::zext;
      wide.is_signed = meaning.memory.is_signed;
      wide.width = 2;
      wide.bits = 64;
      wide.in = {Ref{number, part, 1, 0}};
      wide.from = i;
      result(at.operand[slot], node(wide));
    } else {
      result(at.operand[slot], number, part);
    }
    part = static_cast<u8>(part + registers_in(slot));
  }
  return true;
}

// ldmatrix and stmatrix: a register of each matrix's.
void Builder::matrix_rows(u32 i, Node& n) {
  const Instruction& at = in(i);
  const bool loads = n.operation.mnemonic == nv::Mnemonic::ldmatrix;
  const std::vector<u32>& rows = tables_->registers[at.operand[5].value];
  n.op = loads ? Op::load : Op::store;
  n.width = loads ? static_cast<u8>(rows.size()) : u8{0};
  for (const u32 row : rows) {
    if (!loads) n.in.push_back(resolve(read(row, current_)));
  }
  guard(at, n);
  const u32 number = node(n);
  for (u32 r = 0; loads && r < rows.size(); ++r) write(rows[r], {number, static_cast<u8>(r), 1});
}

// Reading and writing images: coordinates, and behind them what is stored. Handles are bound before the
// launch, or come from the constant bank as they are.
bool Builder::image_instruction(u32 i, Node& n) {
  const Instruction& at = in(i);
  const bool reads = at.meaning == &nv::read_texture(), stores = at.meaning == &nv::store_surface();
  if (!reads && !stores && at.meaning != &nv::load_surface()) return false;
  const u32 list = static_cast<u32>(at.operand[5].value);
  const nv::WideRegisters& wide = tables_->wide.at(list);
  const std::vector<u32>& registers = tables_->registers[list];
  const nv::ImageForm form = nv::ImageForm::unpack(at.detail);
  const u32 handles = form.sampler ? 2 : 1;
  n.op = Op::texture;
  n.effect = true;
  n.value = dimensions_of(form.geometry) + (is_array(form.geometry) ? 1 : 0);  // coordinates
  u8 width = 0;
  for (u32 k = 0; k < wide.rows.size(); ++k) {
    if (k < wide.results) width = static_cast<u8>(width + wide.rows[k]);
    if (k < wide.results + handles) continue;
    for (u32 row = 0; row < wide.rows[k]; ++row) n.in.push_back(resolve(read(registers[k] + row, current_)));
  }
  n.width = width;
  guard(at, n);
  const u32 number = node(n);
  u8 part = 0;
  for (u32 k = 0; k < wide.results; ++k) {
    for (u32 row = 0; row < wide.rows[k]; ++row) write(registers[k] + row, {number, part++, 1});
  }
  return true;
}

// Instructions whose registers stand in a list: matrices.
void Builder::wide_instruction(u32 i, Node& n) {
  const Instruction& at = in(i);
  nv::register_use(at, tables_, use_ = {});
  u8 width = 0;
  for (const RegisterRange& range : use_.ranges()) {
    if (range.file != RegisterFile::vector) continue;
    for (u32 r = 0; r < range.count; ++r) {
      if (range.written) {
        ++width;
      } else {
        n.in.push_back(resolve(read(range.first + r, current_)));
      }
    }
  }
  n.width = width;
  guard(at, n);
  const u32 number = node(n);
  u8 part = 0;
  for (const RegisterRange& range : use_.ranges()) {
    if (!range.written || range.file != RegisterFile::vector) continue;
    for (u32 r = 0; r < range.count; ++r) write(range.first + r, {number, part++, 1});
  }
}

// Instructions that compute.
void Builder::plain_instruction(u32 i, Node& n) {
  const Instruction& at = in(i);
  const Semantic& meaning = *at.meaning;
  n.predicate = meaning.result == Kind::mask;
  const bool known = describe(n);
  if (!known) {
    n.op = n.op == Op::undefined ? Op::other : n.op;
    n.width = n.predicate                    ? 0
              : meaning.result == Kind::none ? 0
                                             : static_cast<u8>(registers_of(meaning.result, 32));
    n.bits = n.width == 2 ? 64 : 32;
  }
  for (u32 s = 1; s <= meaning.sources && s < at.operand.size(); ++s) {
    const Kind kind = meaning.source[s - 1];
    wide_ = kind == Kind::u64 || kind == Kind::i64 || kind == Kind::f64;
    Ref ref = source(at.operand[s], kind == Kind::mask, i);
    if (!wide_ && ref.count == 2) ref.count = 1;
    n.in.push_back(ref);
  }
  wide_ = false;
  // The lanes that take part, where they are not known beforehand.
  if (n.op == Op::shuffle && at.operand[5].kind == OperandKind::vector)
    n.in.push_back(source(at.operand[5], false, i));
  using M = nv::Mnemonic;
  const M word = known ? n.operation.mnemonic : M::other;
  if (word == M::sub) n.in[1].modifiers ^= Ref::negate;
  if (word == M::neg) {
    n.in[0].modifiers ^= Ref::negate;
    if (n.op == Op::add) n.in.insert(n.in.begin(), Ref{leaf(Op::constant, 0, n.width), 0, n.width});
  }
  if (word == M::abs && n.op == Op::fmove) n.in[0].modifiers |= Ref::absolute;
  if (word == M::not_) {
    if (n.predicate) {
      n.op = Op::move;
      n.in[0].modifiers ^= Ref::complement;
    } else {
      n.in.push_back({leaf(Op::constant, ~u64{0}, n.width), 0, n.width});
    }
  }
  if (n.op == Op::move && n.in.size() == 1 && at.guard == 0) {
    // A name for what is there already.
    Ref value = n.in[0];
    if (n.predicate) {
      write(at.operand[0].index | predicate_variable, value);
      return;
    }
    for (u8 r = 0; r < at.operand[0].registers; ++r) {
      Ref part = value;
      part.count = 1;
      if (r < value.count) {
        part.part = static_cast<u8>(value.part + r);
      } else {
        part = {leaf(Op::constant, 0)};
      }
      write(at.operand[0].index + r, part);
    }
    return;
  }
  if (n.op == Op::select && at.nv.of_floats) n.real = true;
  guard(at, n);
  if (n.guard.node != none && at.operand[0].kind == OperandKind::vector)
    n.in.push_back(resolve(read(at.operand[0].index, current_)));
  const bool mask_beside = meaning.mask_result && at.operand[4].kind == OperandKind::scalar;
  n.second = mask_beside;
  const u32 number = node(n);
  result(at.operand[0], number);
  if (mask_beside) write(at.operand[4].index | predicate_variable, {number, Ref::second, 1});
}

void Builder::instruction(u32 i) {
  const Instruction& at = in(i);
  const Semantic* meaning = at.meaning;
  Node n;
  n.ptx = &at;
  n.from = i;
  n.meaning = meaning;
  n.operation = nv::operation_of(*meaning);
  n.width = 0;
  const auto effect = [&](Op op) {
    n.op = op;
    n.effect = true;
    guard(at, n);
    return node(n);
  };
  if (meaning == &nv::meet()) return;
  if (meaning == &nv::branch() || meaning == &nv::indexed_branch()) {
    if (meaning == &nv::indexed_branch()) n.in.push_back(source(at.operand[1], false, i));
    effect(Op::branch);
    return;
  }
  if (meaning == &nv::exit_lanes()) {
    effect(Op::exit);
    return;
  }
  if (meaning == &nv::return_from_call() || meaning == &nv::trap()) {
    effect(meaning == &nv::trap() ? Op::trap : Op::exit);
    return;
  }
  if (meaning == &nv::call() || meaning == &nv::indirect_call()) {
    effect(Op::call);
    return;
  }
  if (meaning == &nv::group_barrier()) {
    effect(Op::barrier);
    return;
  }
  if (meaning == &nv::counted_barrier()) {
    n.predicate = at.operand[0].kind == OperandKind::scalar;
    n.width = at.operand[0].kind == OperandKind::vector ? 1 : 0;
    for (const u32 s : {1u, 2u, 3u}) {
      if (at.operand[s].kind != OperandKind::none) n.in.push_back(source(at.operand[s], s == 3, i));
    }
    result(at.operand[0], effect(Op::barrier));
    return;
  }
  if (meaning == &nv::warp_barrier()) {
    effect(Op::warp_sync);
    return;
  }
  if (meaning == &nv::print()) {
    n.width = at.operand[0].kind == OperandKind::vector ? 1 : 0;
    result(at.operand[0], effect(Op::print));
    return;
  }
  if (meaning == &nv::nanosleep()) {
    effect(Op::sleep);
    return;
  }
  if (meaning == &nv::nothing() || meaning == &nv::not_supported()) {
    effect(at.policy.strong() ? Op::fence : Op::nothing);
    return;
  }
  if (meaning == &nv::special_value()) {
    n.width = at.operand[0].registers;
    n.value = at.operand[1].value;
    result(at.operand[0], effect(Op::clock));
    return;
  }
  if (meaning == &nv::image_address()) {
    n.op = Op::symbol;
    n.value = at.operand[1].value << 3 | at.operand[2].value;
    n.width = at.operand[0].registers;
    result(at.operand[0], node(n));
    return;
  }
  if (meaning == &nv::frame_address()) {
    n.op = Op::frame;
    n.value = at.operand[1].value;
    n.width = at.operand[0].registers;
    result(at.operand[0], node(n));
    return;
  }
  using M = nv::Mnemonic;
  const M word = n.operation.mnemonic;
  if (word == M::pack && at.operand[0].kind == OperandKind::vector) {
    std::vector<Ref> parts;
    for (u32 s = 1; s <= meaning->sources; ++s) parts.push_back(source(at.operand[s], false, i));
    const bool whole = meaning->source[0] == Kind::u32;
    if (whole) {
      write(at.operand[0].index, parts[0]);
      write(at.operand[0].index + 1, parts[1]);
      return;
    }
    for (u32 p = 0; p < parts.size(); p += 2) {  // PRMT of two halves
      Node half = n;
      half.op = Op::prmt;
      half.width = 1;
      half.in = {parts[p], parts[p + 1], Ref{leaf(Op::constant, 0x5410)}};
      write(at.operand[0].index + p / 2, {node(half)});
    }
    return;
  }
  if (word == M::unpack) {
    const Ref whole = source(at.operand[1], false, i);
    constexpr u32 slot[] = {0, 2, 3, 4};
    u32 results = 0;
    for (u32 s = 0; s < 4; ++s) results = at.operand[slot[s]].kind != OperandKind::none ? s + 1 : results;
    const bool halves = whole.count * 2u == results || (results > whole.count);
    for (u32 s = 0; s < results; ++s) {
      if (at.operand[slot[s]].kind != OperandKind::vector) continue;
      Ref part{whole.node, static_cast<u8>(whole.part + (halves ? s / 2 : s)), 1};
      if (halves && s % 2 == 1) {
        Node high = n;
        high.op = Op::shr;
        high.width = 1;
        high.in = {part, Ref{leaf(Op::constant, 16)}};
        part = {node(high)};
      }
      write(at.operand[slot[s]].index, part);
    }
    return;
  }
  if (image_instruction(i, n) || memory_instruction(i, n)) return;
  if (word == M::cp_async) {
    for (const u32 s : {1u, 2u}) n.in.push_back(source(at.operand[s], false, i));
    effect(Op::copy_async);
    return;
  }
  if (at.operand[5].kind == OperandKind::immediate &&
      tables_->wide.contains(static_cast<u32>(at.operand[5].value))) {
    n.op = at.cost == Cost::valu_matrix ? Op::matrix : Op::load;
    n.effect = true;
    if (n.op == Op::matrix) {
      const nv::MatrixForm& form = tables_->forms[at.detail];
      n.value = u64{form.m} * form.n * form.k;
      n.bits = form.a == nv::Element::tf32 ? 19 : static_cast<u8>(nv::bits_of(form.a));
    }
    if (at.operand[1].kind == OperandKind::vector) n.in.push_back(source(at.operand[1], false, i));
    wide_instruction(i, n);
    return;
  }
  if (word == M::shfl) n.op = Op::shuffle;
  if (word == M::vote || word == M::activemask || word == M::elect) n.op = Op::vote;
  if (word == M::match) n.op = Op::match;
  if (word == M::redux) n.op = Op::reduce;
  if (n.op != Op::undefined) n.effect = true;
  plain_instruction(i, n);
}

}  // namespace lockstep::lowering

// Memory of AMD's VLIW GPUs: local memory by operations of ALU clauses, device memory by fetches and by
// exports to RATs (random access targets). Source: "Evergreen Family Instruction Set Architecture", chapters
// "Vertex-Fetch Clauses", "Data Share Operations", "Export and Memory-Access Instructions"; LLVM's
// R600ISelLowering and EvergreenInstructions for which resource means which memory.
#pragma once
#include <string_view>

#include "isa/memory_shapes.h"

namespace lockstep::vliw {

// A pointer has 32 bits. It counts from here, below where device memory begins, so that no pointer is zero
// and none is an offset in the program's own constants.
inline constexpr u64 pointer_base = 0x2000'0000;
inline constexpr u32 pointer_of(u64 device_address) {
  return static_cast<u32>(device_address) + static_cast<u32>(pointer_base);
}

// What a fetch's resource number stands for.
enum class Resource : u8 { global = 1, constants = 2, parameters = 3 };

// Operand [0] the first row of the result, [1] the row of the address; Instruction::offset is added. `bytes`
// 1, 2, 4, 8,
// 16. nullptr where there is none.
const Semantic* find_fetch(Resource resource, u32 bytes);
// Operand [1] the row of the index (Instruction::detail says how far it is shifted to the left), [2] the
// first row of the data. `dwords` 1 to 4.
const Semantic* find_store(u32 dwords);
// MSKOR: [1] the index, [2] the data, [3] the mask, which is a byte's or a half word's everywhere; the data
// stand at its lowest bit.
const Semantic& masked_store();
// "ATOMIC_ADD"; nullptr where there is none. Operand [0], where there is one, the row of the old value, [1]
// the row of the address, [2] that of the data, [5] that of the comparand (ATOMIC_CMPXCHG_INT).
const Semantic* find_global_atomic(std::string_view name);
// The data of MSKOR [1], moved from where its mask [2] stands to bit 0.
const Semantic& shift_to_mask();

}  // namespace lockstep::vliw

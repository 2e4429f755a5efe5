// How AMD's memory instructions make addresses. Sources: "Vega Instruction Set Architecture" (GCN 5),
// chapters "Vector Memory Operations", "Flat Memory Instructions", "Data Share Operations"; LLVM's "User
// Guide for AMDGPU Backend", section Address Spaces.
//
// operand[] is laid out as isa/amd/format.h says.
#pragma once
#include "isa/memory_shapes.h"

namespace lockstep::amd {

// Flat addresses whose upper half equals an aperture's mean local or private memory: the lower half is the
// offset in the group's local memory or in the lane's private memory. The values are those that Linux gives
// gfx9 (amdkfd, kfd_flat_memory.c: local 1 << 48, private 2 << 48); src_shared_base and src_private_base read
// as them, src_shared_limit and src_private_limit as the base plus 4 GiB - 1. Global memory lies below both
// (exec/device_memory.h).
inline constexpr u64 shared_aperture_base = 0x0001'0000'0000'0000u;
inline constexpr u64 private_aperture_base = 0x0002'0000'0000'0000u;

// A buffer resource (V#), 128 bits in four scalar registers.
struct BufferResource {
  u64 base = 0;
  u32 stride = 0;  // bytes
  u32 records = 0;
  u32 element_bytes = 4;  // swizzled: how much of a record lies together
  u32 index_stride = 64;  // swizzled: how many records are interleaved
  u32 data_format = 0;
  u32 number_format = 0;
  std::array<u8, 4> select{};  // where each component comes from: 0 zero, 1 one, 4..7 the data's x y z w
  bool swizzle = false;
  bool add_thread_id = false;
  bool structured = false;  // range-checked by records, not by bytes
};

// Generations lay the resource's fourth word out differently.
enum class ResourceLayout : u8 {
  gcn1,   // gfx6, gfx7: element size
  gcn3,   // gfx8: element size; with add_tid the data format extends the stride
  gcn5,   // gfx9: no element size; with add_tid the data format extends the stride
  rdna,   // gfx10 and later: one format field; says itself how ranges are checked
  rdna3,  // gfx11 and later: as rdna, with other format numbers
};
BufferResource buffer_resource(const WaveState& wave, u32 scalar, ResourceLayout layout);

// Each fills `places` and returns true, or raises a fault and returns false.

struct GlobalAddress {
  static constexpr std::string_view name = "global";
  template <int W>
  static bool places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
                     memory::Places& places);
};

// Lanes may reach global, local and private memory by one instruction.
struct FlatAddress {
  static constexpr std::string_view name = "flat";
  template <int W>
  static bool places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
                     memory::Places& places);
};

// scratch_*: an offset in the lane's private memory. The hardware adds FLAT_SCRATCH, which the kernel's first
// instructions set to where WaveState::private_base says that it lies; it is taken from there.
struct ScratchAddress {
  static constexpr std::string_view name = "scratch";
  template <int W>
  static bool places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
                     memory::Places& places);
};

// ds_*: an offset in the group's local memory.
struct LocalAddress {
  static constexpr std::string_view name = "local";
  template <int W>
  static bool places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
                     memory::Places& places);
};

// ds_*_addtid: M0's lower half plus the offset plus four times the lane's number.
struct LocalLaneAddress {
  static constexpr std::string_view name = "local by lane";
  static constexpr u16 implied = implies::reads_m0;
  template <int W>
  static bool places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
                     memory::Places& places);
};
// global_*_addtid: the scalar base (or 0) plus the offset plus four times the lane's number.
struct GlobalLaneAddress {
  static constexpr std::string_view name = "global by lane";
  template <int W>
  static bool places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
                     memory::Places& places);
};

// gfx6 to gfx8: accesses that end behind the byte that M0 says read 0 and write nothing. Source: "Graphics
// Core Next 3 Instruction Set Architecture", chapter "Local Data Share", "M0 ... range checking".
void limit_local(const WaveState& wave, memory::Place& place);

// Buffers. Loads and stores of dwords are range-checked dword by dword, everything else as a whole (`atomic`
// and format operations): `whole` says which.
template <int W>
bool buffer_places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
                   const BufferResource& resource, bool all_or_nothing, memory::Places& places);

template <ResourceLayout Layout>
struct BufferAddress {
  static constexpr std::string_view name = "buffer";
  template <int W>
  static bool places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
                     memory::Places& places) {
    const bool atomic = kind == AccessKind::atomic || kind == AccessKind::atomic_return;
    return buffer_places<W>(wave, in, context, kind, bytes,
                            buffer_resource(wave, in.operand[3].index, Layout), atomic, places);
  }
};

// Raises FaultKind::not_supported with a sentence that names what is refused.
void refuse(StepContext& context, const char* what);

// What an instruction refuses whatever its addresses: loads that go to local memory, and the status word of
// partially resident textures. True if it raised a fault.
inline bool refused_flags(const Instruction& in, StepContext& context) {
  if ((in.amd.memory & (AmdFields::lds_direct | AmdFields::tfe | AmdFields::gds)) == 0) [[likely]]
    return false;
  refuse(context, (in.amd.memory & AmdFields::gds) ? "global data share (gds)"
                  : (in.amd.memory & AmdFields::lds_direct)
                      ? "a load straight into local memory (lds)"
                      : "the status of partially resident memory (tfe)");
  return true;
}

}  // namespace lockstep::amd

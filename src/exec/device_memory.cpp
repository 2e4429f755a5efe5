#include "exec/device_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>

#include "base/align.h"

namespace lockstep {
namespace {

constexpr u64 least_alignment = 256;
constexpr u64 gap_bytes = 256;  // between allocations: a small overrun lands in no other buffer
constexpr u64 grow_bytes = u64{1} << 21;
constexpr u64 most_large_pages = u64{1} << 28;  // bytes

u8* reserve(u64 bytes) {
  void* p = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : static_cast<u8*>(p);
}

Diagnostic outside(u64 address, u64 bytes) {
  return {
      "outside-allocation", {}, fmt::format("{} bytes at {:#x} lie in no allocation", bytes, address), ""};
}

}  // namespace

DeviceMemory::DeviceMemory(u64 capacity_bytes) {
  // A host with a limit on address space gets a smaller GPU, not a failure.
  for (capacity_ = align_up(std::max(capacity_bytes, grow_bytes), grow_bytes); host_ == nullptr;
       capacity_ /= 2) {
    LOCKSTEP_ASSERT(capacity_ >= grow_bytes, "the host has address space for two megabytes");
    host_ = reserve(capacity_);
    if (host_ != nullptr) break;
  }
}

DeviceMemory::~DeviceMemory() {
  munmap(host_, capacity_);
  if (shadow_ != nullptr) munmap(shadow_, capacity_ / 8);
}

bool DeviceMemory::make_accessible(u64 bytes) {
  const u64 wanted = align_up(bytes, grow_bytes);
  if (wanted <= accessible_) return true;
  if (wanted > capacity_) return false;
  if (mprotect(host_ + accessible_, wanted - accessible_, PROT_READ | PROT_WRITE) != 0) return false;
  // Large pages come faster. Not of very large buffers, of which a program may touch little here and there.
  if (wanted - accessible_ <= most_large_pages)
    madvise(host_ + accessible_, wanted - accessible_, MADV_HUGEPAGE);
  accessible_ = wanted;
  return true;
}

Expected<u64> DeviceMemory::allocate(u64 bytes, u64 alignment, std::string name) {
  const std::unique_lock lock(mutex_);
  alignment = std::max(alignment, least_alignment);
  const u64 size = std::max<u64>(bytes, 1);  // of the place: an empty allocation has an address of its own
  u64 at = align_up(first_address, alignment);
  for (const auto& [address, allocation] : allocations_) {
    if (at + size + gap_bytes <= address) break;
    at = align_up(address + allocation.bytes + gap_bytes, alignment);
  }
  if (size > capacity_ || at - first_address > capacity_ - size ||
      !make_accessible(at - first_address + size + gap_bytes)) {
    return Diagnostic{"out-of-device-memory",
                      {},
                      fmt::format("no room for {} bytes ('{}'): {} of {} bytes are in use", bytes, name,
                                  allocated_, capacity_),
                      ""};
  }
  allocations_[at] = {at, bytes, std::move(name), KernelUse::loads_and_stores};
  allocated_ += bytes;
  high_water_ = std::max(high_water_, allocated_);
  return at;
}

// Whole pages go back to the host and read as zero again; the edges are cleared by hand.
void DeviceMemory::clear_pages(u8* memory, u64 offset, u64 bytes) {
  const u64 page = 4096, first = align_up(offset, page), last = (offset + bytes) & ~(page - 1);
  if (last > first + 64 * page && madvise(memory + first, last - first, MADV_DONTNEED) == 0) {
    std::memset(memory + offset, 0, first - offset);
    std::memset(memory + last, 0, offset + bytes - last);
  } else {
    std::memset(memory + offset, 0, bytes);
  }
}

void DeviceMemory::free(u64 address) {
  const std::unique_lock lock(mutex_);
  const auto found = allocations_.find(address);
  LOCKSTEP_ASSERT(found != allocations_.end(), "only what was allocated is freed");
  const u64 offset = address - first_address, bytes = found->second.bytes;
  clear_pages(host_, offset, bytes);
  // Allocations and their ends plus gap are multiples of 256 bytes: whole bytes of the shadow.
  if (tracked_) clear_pages(reinterpret_cast<u8*>(shadow_), offset / 8, (bytes + 7) / 8);
  allocated_ -= bytes;
  allocations_.erase(found);
}

void DeviceMemory::set_use(u64 address, KernelUse use) {
  const std::unique_lock lock(mutex_);
  const auto found = allocations_.find(address);
  LOCKSTEP_ASSERT(found != allocations_.end(), "the use is of what was allocated");
  found->second.use = use;
}

const Allocation* DeviceMemory::holder(u64 address, u64 bytes) const {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const Allocation& allocation = std::prev(after)->second;
  const u64 offset = address - allocation.address;
  return offset <= allocation.bytes && bytes <= allocation.bytes - offset ? &allocation : nullptr;
}

bool DeviceMemory::holds(u64 address, u64 bytes) const {
  const std::shared_lock lock(mutex_);
  return holder(address, bytes) != nullptr;
}

std::optional<Allocation> DeviceMemory::find(u64 address, u64 bytes) const {
  const std::shared_lock lock(mutex_);
  const Allocation* const found = holder(address, bytes);
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

std::optional<Allocation> DeviceMemory::nearest(u64 address) const {
  const std::shared_lock lock(mutex_);
  if (allocations_.empty()) return std::nullopt;
  const auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return after->second;
  const Allocation& before = std::prev(after)->second;
  if (after == allocations_.end()) return before;
  const u64 end = before.address + before.bytes;
  if (address < end) return before;
  return address - end <= after->first - address ? before : after->second;
}

Status DeviceMemory::write(u64 address, std::span<const u8> bytes) {
  if (bytes.empty()) return Success{};
  if (!holds(address, bytes.size())) return outside(address, bytes.size());
  std::memcpy(host_ + (address - first_address), bytes.data(), bytes.size());
  mark_written(address, bytes.size());
  return Success{};
}

Status DeviceMemory::read(u64 address, std::span<u8> bytes) const {
  if (bytes.empty()) return Success{};
  if (!holds(address, bytes.size())) return outside(address, bytes.size());
  std::memcpy(bytes.data(), host_ + (address - first_address), bytes.size());
  return Success{};
}

Status DeviceMemory::fill(u64 address, u64 bytes, std::span<const u8> pattern) {
  LOCKSTEP_ASSERT(!pattern.empty(), "a fill has a pattern");
  if (bytes == 0) return Success{};
  if (!holds(address, bytes)) return outside(address, bytes);
  u8* to = host_ + (address - first_address);
  u64 done = std::min<u64>(pattern.size(), bytes);
  std::memcpy(to, pattern.data(), done);
  // Doubles what is there; a multiple of the pattern's size until the last piece.
  while (done < bytes) {
    const u64 now = std::min(done, bytes - done);
    std::memcpy(to + done, to, now);
    done += now;
  }
  mark_written(address, bytes);
  return Success{};
}

Status DeviceMemory::copy(u64 to, u64 from, u64 bytes) {
  if (bytes == 0) return Success{};
  if (!holds(to, bytes)) return outside(to, bytes);
  if (!holds(from, bytes)) return outside(from, bytes);
  std::memmove(host_ + (to - first_address), host_ + (from - first_address), bytes);
  mark_written(to, bytes);
  return Success{};
}

void DeviceMemory::track_written() {
  const std::unique_lock lock(mutex_);
  if (tracked_) return;
  void* p = mmap(nullptr, capacity_ / 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
  LOCKSTEP_ASSERT(p != MAP_FAILED, "the host has address space for one bit per device byte");
  shadow_ = static_cast<u64*>(p);
  tracked_ = true;
  for (const auto& [address, allocation] : allocations_) mark_written(address, allocation.bytes);
}

void DeviceMemory::mark_written(u64 address, u64 bytes) {
  u64 at = address - first_address;
  if (!tracked_ || at > capacity_ || bytes > capacity_ - at) return;
  for (const u64 end = at + bytes; at < end;) {
    const u64 bit = at % 64, count = std::min<u64>(64 - bit, end - at);
    const u64 ones = count == 64 ? ~u64{0} : (u64{1} << count) - 1;
    const std::atomic_ref<u64> word(shadow_[at / 64]);
    if ((~word.load(std::memory_order_relaxed) & (ones << bit)) != 0) {
      word.fetch_or(ones << bit, std::memory_order_relaxed);
    }
    at += count;
  }
}

void DeviceMemory::mark_unwritten(u64 address, u64 bytes) {
  u64 at = address - first_address;
  if (!tracked_ || at > capacity_ || bytes > capacity_ - at) return;
  for (const u64 end = at + bytes; at < end;) {
    const u64 bit = at % 64, count = std::min<u64>(64 - bit, end - at);
    const u64 ones = count == 64 ? ~u64{0} : (u64{1} << count) - 1;
    std::atomic_ref<u64>(shadow_[at / 64]).fetch_and(~(ones << bit), std::memory_order_relaxed);
    at += count;
  }
}

std::optional<u64> DeviceMemory::first_unwritten(u64 address, u64 bytes) const {
  u64 at = address - first_address;
  if (!tracked_ || at > capacity_ || bytes > capacity_ - at) return std::nullopt;
  for (const u64 end = at + bytes; at < end;) {
    const u64 bit = at % 64, count = std::min<u64>(64 - bit, end - at);
    const u64 word = std::atomic_ref<u64>(shadow_[at / 64]).load(std::memory_order_relaxed);
    const u64 missing = static_cast<u64>(std::countr_zero(~word >> bit));
    if (missing < count) return first_address + at + missing;
    at += count;
  }
  return std::nullopt;
}

u32 DeviceMemory::written_mask(u64 address, u32 bytes) const {
  const u64 at = address - first_address;
  if (at > capacity_ || bytes > capacity_ - at) return 0;
  const u64 bit = at % 64;
  const auto word = [&](u64 index) {
    return std::atomic_ref<u64>(shadow_[index]).load(std::memory_order_relaxed);
  };
  u64 bits = word(at / 64) >> bit;
  if (bit + bytes > 64) bits |= word(at / 64 + 1) << (64 - bit);
  return static_cast<u32>(bits & ((u64{1} << bytes) - 1));
}

}  // namespace lockstep

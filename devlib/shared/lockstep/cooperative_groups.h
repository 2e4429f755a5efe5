// Cooperative groups of CUDA and HIP: the block, its tiles, and the lanes that are together. Source: "CUDA C++ Programming Guide",
// Cooperative Groups. A grid knows its sizes, but cannot be waited for: groups are not all there at once.
// A lane's place in a tile follows from its lane, since blocks begin with a wave.
#pragma once

namespace cooperative_groups {

#define LOCKSTEP_MEMBER inline __device__ __attribute__((always_inline, nodebug))
#if defined(__HIP__)
typedef unsigned long long lockstep_lanes;  // a mask of lanes
#else
typedef unsigned int lockstep_lanes;
#endif
LOCKSTEP_DEVICE unsigned int lockstep_lane() {
#if defined(__CUDA_ARCH__)
  return __nvvm_read_ptx_sreg_laneid();
#else
  return __lane_id();
#endif
}
LOCKSTEP_DEVICE unsigned int lockstep_count(lockstep_lanes lanes) { return (unsigned int)__builtin_popcountll(lanes); }
// The lane of the place-th bit.
LOCKSTEP_DEVICE int lockstep_lane_at(lockstep_lanes lanes, unsigned int place) {
  while (place-- != 0) lanes &= lanes - 1;
  return lanes == 0 ? 0 : __builtin_ctzll(lanes);
}
// Of the members' bits those of `bits`, close together.
LOCKSTEP_DEVICE lockstep_lanes lockstep_gather(lockstep_lanes members, lockstep_lanes bits) {
  lockstep_lanes all = 0;
  for (unsigned int i = 0; members != 0; ++i, members &= members - 1)
    all |= (bits >> __builtin_ctzll(members) & 1) << i;
  return all;
}
// A value of any size from another lane, by words.
template <class T>
LOCKSTEP_DEVICE T lockstep_fetch(lockstep_lanes members, T value, int lane) {
  unsigned int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned int& word : words) word = __shfl_sync(members, word, lane);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

class thread_block {
 public:
  LOCKSTEP_MEMBER static void sync() { __syncthreads(); }
  LOCKSTEP_MEMBER static unsigned int thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  LOCKSTEP_MEMBER static unsigned int num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  LOCKSTEP_MEMBER static unsigned int size() { return num_threads(); }
  LOCKSTEP_MEMBER static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  LOCKSTEP_MEMBER static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  LOCKSTEP_MEMBER static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  LOCKSTEP_MEMBER static dim3 group_dim() { return dim_threads(); }
  LOCKSTEP_MEMBER static bool is_valid() { return true; }
};
LOCKSTEP_DEVICE thread_block this_thread_block() { return {}; }

class grid_group {
 public:
  LOCKSTEP_MISSING("waiting for the whole grid is not modelled: end the kernel and launch the next one")
  __device__ static void sync();
  LOCKSTEP_MEMBER static bool is_valid() { return false; }
  LOCKSTEP_MEMBER static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  LOCKSTEP_MEMBER static unsigned long long block_rank() {
    return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  }
  LOCKSTEP_MEMBER static unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
  LOCKSTEP_MEMBER static unsigned long long size() { return num_threads(); }
  LOCKSTEP_MEMBER static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  LOCKSTEP_MEMBER static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  LOCKSTEP_MEMBER static dim3 group_dim() { return dim_blocks(); }
  LOCKSTEP_MEMBER static dim3 block_index() { return thread_block::group_index(); }
};
LOCKSTEP_DEVICE grid_group this_grid() { return {}; }

// Lanes of one wave, in the order of their places.
class coalesced_group {
 public:
  LOCKSTEP_MEMBER explicit coalesced_group(lockstep_lanes members) : members_(members) {}
  LOCKSTEP_MEMBER void sync() const { __syncwarp(members_); }
  LOCKSTEP_MEMBER unsigned int num_threads() const { return lockstep_count(members_); }
  LOCKSTEP_MEMBER unsigned int size() const { return num_threads(); }
  LOCKSTEP_MEMBER unsigned int thread_rank() const {
    return lockstep_count(members_ & (((lockstep_lanes)1 << lockstep_lane()) - 1));
  }
  LOCKSTEP_MEMBER unsigned int meta_group_size() const { return 1; }
  LOCKSTEP_MEMBER unsigned int meta_group_rank() const { return 0; }
  template <class T>
  LOCKSTEP_MEMBER T shfl(T value, unsigned int rank) const {
    return lockstep_fetch(members_, value, lockstep_lane_at(members_, rank % size()));
  }
  template <class T>
  LOCKSTEP_MEMBER T shfl_up(T value, unsigned int by) const {
    const unsigned int rank = thread_rank();
    return lockstep_fetch(members_, value, lockstep_lane_at(members_, rank < by ? rank : rank - by));
  }
  template <class T>
  LOCKSTEP_MEMBER T shfl_down(T value, unsigned int by) const {
    const unsigned int rank = thread_rank();
    return lockstep_fetch(members_, value, lockstep_lane_at(members_, rank + by >= size() ? rank : rank + by));
  }
  LOCKSTEP_MEMBER lockstep_lanes ballot(int predicate) const {
    return lockstep_gather(members_, (lockstep_lanes)__ballot_sync(members_, predicate));
  }
  LOCKSTEP_MEMBER int any(int predicate) const { return (__ballot_sync(members_, predicate) & members_) != 0; }
  LOCKSTEP_MEMBER int all(int predicate) const { return (__ballot_sync(members_, predicate) & members_) == members_; }
  template <class T>
  LOCKSTEP_MEMBER lockstep_lanes match_any(T value) const {
    return lockstep_gather(members_, (lockstep_lanes)__match_any_sync(members_, value));
  }
  template <class T>
  LOCKSTEP_MEMBER lockstep_lanes match_all(T value, int& same) const {
    return lockstep_gather(members_, (lockstep_lanes)__match_all_sync(members_, value, &same));
  }
  LOCKSTEP_MEMBER lockstep_lanes lockstep_members() const { return members_; }

 private:
  lockstep_lanes members_;
};
LOCKSTEP_DEVICE coalesced_group coalesced_threads() { return coalesced_group((lockstep_lanes)__activemask()); }

// So many lanes, a power of two, that lie side by side.
template <unsigned int lanes>
class lockstep_tile {
 public:
  static_assert(lanes != 0 && (lanes & (lanes - 1)) == 0 && lanes <= sizeof(lockstep_lanes) * 8,
                "a tile has a power of two of threads, and at most a wave's");
  LOCKSTEP_MEMBER void sync() const { __syncwarp(lockstep_members()); }
  LOCKSTEP_MEMBER static constexpr unsigned int num_threads() { return lanes; }
  LOCKSTEP_MEMBER static constexpr unsigned int size() { return lanes; }
  LOCKSTEP_MEMBER static unsigned int thread_rank() { return thread_block::thread_rank() & (lanes - 1); }
  LOCKSTEP_MEMBER static unsigned int lockstep_first() { return lockstep_lane() & ~(lanes - 1); }
  LOCKSTEP_MEMBER static lockstep_lanes lockstep_members() {
    return (lanes == sizeof(lockstep_lanes) * 8 ? ~(lockstep_lanes)0 : ((lockstep_lanes)1 << (lanes & 63)) - 1)
           << lockstep_first();
  }
  template <class T>
  LOCKSTEP_MEMBER T shfl(T value, int rank) const {
    return lockstep_fetch(lockstep_members(), value, (int)(lockstep_first() + ((unsigned int)rank & (lanes - 1))));
  }
  template <class T>
  LOCKSTEP_MEMBER T shfl_up(T value, unsigned int by) const {
    const unsigned int lane = lockstep_lane();
    return lockstep_fetch(lockstep_members(), value, (int)((lane & (lanes - 1)) < by ? lane : lane - by));
  }
  template <class T>
  LOCKSTEP_MEMBER T shfl_down(T value, unsigned int by) const {
    const unsigned int lane = lockstep_lane();
    return lockstep_fetch(lockstep_members(), value, (int)((lane & (lanes - 1)) + by >= lanes ? lane : lane + by));
  }
  template <class T>
  LOCKSTEP_MEMBER T shfl_xor(T value, unsigned int by) const {
    const unsigned int lane = lockstep_lane();
    return lockstep_fetch(lockstep_members(), value, (int)(by >= lanes ? lane : lane ^ by));
  }
  LOCKSTEP_MEMBER lockstep_lanes ballot(int predicate) const {
    return ((lockstep_lanes)__ballot_sync(lockstep_members(), predicate) & lockstep_members()) >> lockstep_first();
  }
  LOCKSTEP_MEMBER int any(int predicate) const { return ballot(predicate) != 0; }
  LOCKSTEP_MEMBER int all(int predicate) const { return ballot(predicate) == lockstep_members() >> lockstep_first(); }
  template <class T>
  LOCKSTEP_MEMBER lockstep_lanes match_any(T value) const {
    return (lockstep_lanes)__match_any_sync(lockstep_members(), value) >> lockstep_first();
  }
  template <class T>
  LOCKSTEP_MEMBER lockstep_lanes match_all(T value, int& same) const {
    return (lockstep_lanes)__match_all_sync(lockstep_members(), value, &same) >> lockstep_first();
  }
};
template <unsigned int lanes, class Parent = void>
class thread_block_tile : public lockstep_tile<lanes> {
 public:
  thread_block_tile() = default;
  template <class Other>
  LOCKSTEP_MEMBER thread_block_tile(thread_block_tile<lanes, Other>) {}
  LOCKSTEP_MEMBER static unsigned int meta_group_size() {
    if constexpr (__is_same(Parent, void) || __is_same(Parent, thread_block))
      return (thread_block::size() + lanes - 1) / lanes;
    else
      return Parent::size() / lanes;
  }
  LOCKSTEP_MEMBER static unsigned int meta_group_rank() {
    if constexpr (__is_same(Parent, void) || __is_same(Parent, thread_block))
      return thread_block::thread_rank() / lanes;
    else
      return Parent::thread_rank() / lanes;
  }
};
template <unsigned int lanes, class Parent>
LOCKSTEP_DEVICE thread_block_tile<lanes, Parent> tiled_partition(const Parent&) {
  return {};
}

// Any of them, of a size that is known at run time.
class thread_group {
 public:
  LOCKSTEP_MEMBER thread_group(thread_block) : lanes_(0), members_(0) {}
  LOCKSTEP_MEMBER thread_group(const coalesced_group& group) : lanes_(group.size()), members_(group.lockstep_members()) {}
  template <unsigned int lanes, class Parent>
  LOCKSTEP_MEMBER thread_group(const thread_block_tile<lanes, Parent>& tile)
      : lanes_(lanes), members_(tile.lockstep_members()) {}
  LOCKSTEP_MEMBER void sync() const {
    if (lanes_ == 0)
      __syncthreads();
    else
      __syncwarp(members_);
  }
  LOCKSTEP_MEMBER unsigned int num_threads() const { return lanes_ == 0 ? thread_block::size() : lanes_; }
  LOCKSTEP_MEMBER unsigned int size() const { return num_threads(); }
  LOCKSTEP_MEMBER unsigned int thread_rank() const {
    return lanes_ == 0 ? thread_block::thread_rank() : coalesced_group(members_).thread_rank();
  }

 private:
  friend __device__ thread_group tiled_partition(const thread_group& parent, unsigned int lanes);
  LOCKSTEP_MEMBER thread_group(unsigned int lanes, lockstep_lanes members) : lanes_(lanes), members_(members) {}
  unsigned int lanes_;  // 0: the whole block
  lockstep_lanes members_;
};
inline __device__ __attribute__((nodebug)) thread_group tiled_partition(const thread_group&, unsigned int lanes) {
  const lockstep_lanes all = lanes >= sizeof(lockstep_lanes) * 8 ? ~(lockstep_lanes)0 : ((lockstep_lanes)1 << lanes) - 1;
  return thread_group(lanes, all << (lockstep_lane() & ~(lanes - 1)));
}
template <class Group>
LOCKSTEP_DEVICE coalesced_group binary_partition(const Group& group, bool predicate) {
  const lockstep_lanes members = group.lockstep_members(), with = (lockstep_lanes)__ballot_sync(members, predicate) & members;
  return coalesced_group(predicate ? with : members & ~with);
}
template <class Group, class Label>
LOCKSTEP_DEVICE coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group((lockstep_lanes)__match_any_sync(group.lockstep_members(), label));
}
template <class Group>
LOCKSTEP_DEVICE void sync(const Group& group) {
  group.sync();
}
template <class Group>
LOCKSTEP_DEVICE unsigned int thread_rank(const Group& group) {
  return (unsigned int)group.thread_rank();
}
template <class Group>
LOCKSTEP_DEVICE unsigned int group_size(const Group& group) {
  return (unsigned int)group.size();
}

// ---- Over the values of a group's threads.
#define LOCKSTEP_OPERATION(name, expression)                    \
  template <class T>                                            \
  struct name {                                                 \
    LOCKSTEP_MEMBER T operator()(T a, T b) const {              \
      return expression;                                        \
    }                                                           \
  };                                                            \
  template <>                                                   \
  struct name<void> {                                           \
    template <class T>                                          \
    LOCKSTEP_MEMBER T operator()(T a, T b) const {              \
      return expression;                                        \
    }                                                           \
  };
template <class T = void>
struct plus;
template <class T = void>
struct less;
template <class T = void>
struct greater;
template <class T = void>
struct bit_and;
template <class T = void>
struct bit_or;
template <class T = void>
struct bit_xor;
LOCKSTEP_OPERATION(plus, a + b)
LOCKSTEP_OPERATION(less, b < a ? b : a)
LOCKSTEP_OPERATION(greater, a < b ? b : a)
LOCKSTEP_OPERATION(bit_and, a & b)
LOCKSTEP_OPERATION(bit_or, a | b)
LOCKSTEP_OPERATION(bit_xor, a ^ b)
#undef LOCKSTEP_OPERATION
// Of a tile by halves that are exchanged; of other lanes one after the other.
template <unsigned int lanes, class Parent, class T, class Operation>
LOCKSTEP_DEVICE T reduce(const thread_block_tile<lanes, Parent>& tile, T value, Operation operation) {
  for (unsigned int by = lanes / 2; by != 0; by /= 2) value = (T)operation(value, tile.shfl_xor(value, by));
  return value;
}
template <class T, class Operation>
LOCKSTEP_DEVICE T reduce(const coalesced_group& group, T value, Operation operation) {
  T all = group.shfl(value, 0);
  for (unsigned int i = 1; i < group.size(); ++i) all = (T)operation(all, group.shfl(value, i));
  return all;
}
template <class Group, class T, class Operation>
LOCKSTEP_DEVICE T inclusive_scan(const Group& group, T value, Operation operation) {
  for (unsigned int by = 1; by < group.size(); by *= 2) {
    const T before = group.shfl_up(value, by);
    if (group.thread_rank() >= by) value = (T)operation(before, value);
  }
  return value;
}
template <class Group, class T, class Operation>
LOCKSTEP_DEVICE T exclusive_scan(const Group& group, T value, Operation operation) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T{} : before;
}
template <class Group, class T>
LOCKSTEP_DEVICE T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T>
LOCKSTEP_DEVICE T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

// Copies by all threads of a group, done at once; a wait is a barrier.
template <class Group, class T>
LOCKSTEP_DEVICE void memcpy_async(const Group& group, T* to, const T* from, size_t bytes) {
  if (((unsigned long long)to & 3) == 0 && ((unsigned long long)from & 3) == 0 && bytes % 4 == 0) {
    for (size_t i = group.thread_rank(); i < bytes / 4; i += group.size()) ((unsigned int*)to)[i] = ((const unsigned int*)from)[i];
  } else {
    for (size_t i = group.thread_rank(); i < bytes; i += group.size())
      ((unsigned char*)to)[i] = ((const unsigned char*)from)[i];
  }
}
template <class Group>
LOCKSTEP_DEVICE void wait(const Group& group) {
  group.sync();
}
template <unsigned int, class Group>
LOCKSTEP_DEVICE void wait_prior(const Group& group) {
  group.sync();
}
#undef LOCKSTEP_MEMBER

}  // namespace cooperative_groups

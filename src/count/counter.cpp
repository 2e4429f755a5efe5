#include "count/counter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "count/address_counts.h"
#include "time/units/local_memory.h"
#include "time/units/same_address.h"

namespace lockstep {
namespace {

bool is_atomic(AccessKind kind) {
  return kind == AccessKind::atomic || kind == AccessKind::atomic_return;
}

bool is_scalar_memory(Cost cost) {
  return cost == Cost::smem_load || cost == Cost::smem_store || cost == Cost::smem_time;
}

// How the lanes of an access last lay to each other, and what was found for that. Most memory instructions
// have the same shape again and again, from other addresses on. Where the first address lies in a line
// decides how many lines are touched; by how many whole words all of them are shifted does not change which
// lanes meet in a bank.
struct KnownShape {
  static constexpr u32 most_places = 64;  // words of the largest period
  // After so many different shapes one after the other, only every so often one is kept.
  static constexpr u32 erratic = 8, tried_every = 16;

  u64 lanes = 0;  // 0: none yet
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  u8 bytes = 0;
  u8 first = 0;    // the lowest lane
  u8 in_word = 0;  // its address within a word of 4 bytes
  u32 lane_count = 0;
  u32 changes = 0;                         // different shapes in a row
  alignas(64) std::array<u64, 64> offset;  // from the lowest lane's address
  // Local memory.
  BankPasses passes;
  // By the first address' word in its period; made 0: not known.
  std::array<Transactions, most_places> transactions;
  // Atomics.
  u32 different = 0, most_same = 0;
  std::array<SameAddress, 64> same;

  bool fits(const Access& access, u32 wave_lanes) const {
    if (access.lanes != lanes || access.bytes != bytes || access.space != space || access.kind != kind)
      return false;
    const u64 base = access.address[first];
    if (base % 4 != in_word) return false;
    u64 wrong = 0;
    if (lane_count == wave_lanes) {
      for (u32 i = 0; i < wave_lanes; ++i) wrong |= (access.address[i] - base) ^ offset[i];
    } else {
      for (u32 i = 0; i < wave_lanes; ++i)
        wrong |= ((access.address[i] - base) ^ offset[i]) & (u64{0} - (lanes >> i & 1));
    }
    return wrong == 0;
  }

  void see(const Access& access, const CountingRules& rules) {
    if (changes >= erratic && changes % tried_every != 0) {
      ++changes;
      take(access, rules);
      lanes = 0;
    } else if (fits(access, rules.wave_lanes)) {
      changes = 0;
    } else {
      ++changes;
      take(access, rules);
      const u64 base = access.address[first];
      in_word = base % 4;
      for (u32 i = 0; i < rules.wave_lanes; ++i) offset[i] = access.address[i] - base;
    }
  }

 private:
  void take(const Access& access, const CountingRules& rules) {
    lanes = access.lanes;
    space = access.space;
    kind = access.kind;
    bytes = access.bytes;
    first = static_cast<u8>(std::countr_zero(lanes));
    lane_count = static_cast<u32>(std::popcount(lanes));
    if (space == Space::local) {
      passes = bank_passes(access, rules.wave_lanes, rules.local_lanes_at_once, rules.banks, 1, 1, {},
                           rules.local_pairs_share);
    } else {
      transactions.fill({});
    }
    if (is_atomic(kind) || space == Space::constant) {
      different = group_by_address(access, same);
      most_same = 0;
      for (u32 i = 0; i < different; ++i) most_same = std::max<u32>(most_same, same[i].lanes);
    }
  }
};

constexpr u32 none = ~0u;

// Where atomics went: what each thread counted.
using AtomicTargets = std::vector<const AddressCounts*>;
AddressCounts::Hottest hottest_of(const AtomicTargets& targets) {
  if (targets.size() == 1) return targets[0]->hottest();
  AddressCounts sum;
  for (const AddressCounts* one : targets) sum.add(*one);
  return sum.hottest();
}

// What every step adds to.
struct StepCounts {
  u64 issued = 0, lanes = 0, parted = 0, taken = 0;
  u32 memory = none;     // the instruction's MemoryCounts
  u32 histogram = none;  // the instruction's LaneHistogram
  bool has_lanes = false, branch = false, scalar = false;
  u8 slots = 1;
};

// What a memory instruction adds to as well.
struct MemoryCounts {
  std::array<SpaceCounts, space_count> spaces{};
  u64 atomic_lanes = 0;
  u32 most_same_in_wave = 0;
  std::unique_ptr<AddressCounts> addresses;
  std::array<std::unique_ptr<KnownShape>, 4> shape;  // of each of its accesses
};

}  // namespace

class ThreadCounter final : public StepRunner {
 public:
  ThreadCounter(const Module& module, const CountingRules& rules) : rules_(rules) {
    steps_.reserve(module.code.instructions.size());
    for (const Instruction& in : module.code.instructions) {
      StepCounts& step = steps_.emplace_back();
      step.has_lanes = counts_lanes(in.cost);
      step.branch = in.cost == Cost::branch;
      step.scalar = rules.scalar_line_bytes != 0 && is_scalar_memory(in.cost);
      step.slots = in.slots;
    }
  }

  u64 run(WaveState& wave, StepContext& context, const Instruction* code, u64 budget) override {
    context.outcome = &outcome_;
    const u64 executed = context.checker != nullptr ? run_wave<true>(wave, context, code, budget, *this)
                                                    : run_wave<false>(wave, context, code, budget, *this);
    barriers_ += context.event == Event::barrier;
    return executed;
  }

  void before(const WaveState& wave) {
    pc_ = wave.pc;
    active_ = wave.exec();
    outcome_.access_count = 0;
  }

  void after(const WaveState& wave, const Instruction&, const StepContext& context) {
    StepCounts& step = steps_[pc_];
    const u32 lanes = static_cast<u32>(std::popcount(active_));
    ++step.issued;
    step.lanes += lanes;
    if (step.has_lanes) {
      if (step.histogram == none) [[unlikely]] {
        step.histogram = static_cast<u32>(histograms_.size());
        histograms_.emplace_back();
      }
      ++histograms_[step.histogram][lanes];
    }
    if (outcome_.access_count != 0) count_accesses(step);
    if (step.branch) step.taken += wave.pc != pc_ + step.slots;
    const u64 now = wave.exec();
    if (now != active_) step.parted += now != 0 && (now & ~active_) == 0 && context.event == Event::none;
  }

  void add_to(LaunchCounts& counts, std::map<std::size_t, AtomicTargets>& atomics) const {
    counts.barriers += barriers_;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const StepCounts& step = steps_[i];
      InstructionCounts& into = counts.per_instruction[i];
      into.issued += step.issued;
      into.lanes_active += step.lanes;
      into.branches_taken += step.taken;
      into.parted += step.parted;
      if (step.histogram != none) {
        LaneHistogram& histogram = counts.lanes_by_instruction[static_cast<u32>(i)];
        for (std::size_t lanes = 0; lanes < histogram.size(); ++lanes)
          histogram[lanes] += histograms_[step.histogram][lanes];
      }
      if (step.memory == none) continue;
      const MemoryCounts& memory = memory_[step.memory];
      for (std::size_t s = 0; s < space_count; ++s) into.spaces[s] += memory.spaces[s];
      into.atomic_lanes += memory.atomic_lanes;
      into.most_same_in_wave = std::max(into.most_same_in_wave, memory.most_same_in_wave);
      if (memory.addresses != nullptr) atomics[i].push_back(memory.addresses.get());
    }
  }

 private:
  void count_accesses(StepCounts& step) {
    if (step.memory == none) {
      step.memory = static_cast<u32>(memory_.size());
      memory_.emplace_back();
    }
    MemoryCounts& memory = memory_[step.memory];
    for (u32 i = 0; i < outcome_.access_count; ++i) {
      const Access& access = outcome_.access[i];
      if (access.lanes == 0) continue;
      if (step.scalar) {
        count_scalar(memory, access);
      } else {
        count_access(memory, i, access);
      }
    }
  }

  void count_scalar(MemoryCounts& memory, const Access& access) {
    SpaceCounts& counts = memory.spaces[static_cast<std::size_t>(Space::constant)];
    const u32 bytes = std::max<u32>(1, access.bytes);
    const u64 first = access.address[0], line = rules_.scalar_line_bytes;
    ++counts.accesses;
    ++counts.lanes;
    (access.kind == AccessKind::load ? counts.load_bytes : counts.store_bytes) += bytes;
    counts.transactions += (first + bytes - 1) / line - first / line + 1;
    counts.ideal_transactions += (bytes + line - 1) / line;
  }

  void count_access(MemoryCounts& memory, u32 number, const Access& access) {
    std::unique_ptr<KnownShape>& known = memory.shape[number];
    if (known == nullptr) [[unlikely]]
      known = std::make_unique<KnownShape>();
    KnownShape& shape = *known;
    shape.see(access, rules_);
    SpaceCounts& counts = memory.spaces[static_cast<std::size_t>(access.space)];
    ++counts.accesses;
    counts.lanes += shape.lane_count;
    const u64 bytes = u64{shape.lane_count} * access.bytes;
    (access.kind == AccessKind::load ? counts.load_bytes : counts.store_bytes) += bytes;
    switch (access.space) {
      case Space::local:
        counts.transactions += shape.passes.groups + shape.passes.extra;
        counts.ideal_transactions += shape.passes.groups;
        break;
      case Space::constant:
        counts.transactions += shape.different;
        ++counts.ideal_transactions;
        break;
      default: {
        const Transactions transactions = transactions_of(shape, access);
        counts.transactions += transactions.made;
        counts.ideal_transactions += transactions.ideal;
      }
    }
    if (is_atomic(access.kind)) count_atomic(memory, shape, access);
  }

  Transactions transactions_of(KnownShape& shape, const Access& access) {
    const u64 place = access.address[shape.first] / 4 % (rules_.period_bytes() / 4);
    Transactions& known = shape.transactions[place];
    if (known.made == 0) known = count_transactions(rules_, access);
    return known;
  }

  void count_atomic(MemoryCounts& memory, const KnownShape& shape, const Access& access) {
    memory.atomic_lanes += shape.lane_count;
    memory.most_same_in_wave = std::max(memory.most_same_in_wave, shape.most_same);
    if (access.space != Space::global) return;  // others' addresses mean something else in each group
    if (memory.addresses == nullptr) memory.addresses = std::make_unique<AddressCounts>();
    for (u32 i = 0; i < shape.different; ++i)
      memory.addresses->add(access.address[shape.same[i].lane], shape.same[i].lanes);
  }

  const CountingRules& rules_;
  std::vector<StepCounts> steps_;  // by instruction
  std::vector<MemoryCounts> memory_;
  std::vector<LaneHistogram> histograms_;
  u64 barriers_ = 0;
  u32 pc_ = 0;
  u64 active_ = 0;
  Outcome outcome_;
};

SpaceCounts& SpaceCounts::operator+=(const SpaceCounts& other) {
  accesses += other.accesses;
  lanes += other.lanes;
  load_bytes += other.load_bytes;
  store_bytes += other.store_bytes;
  transactions += other.transactions;
  ideal_transactions += other.ideal_transactions;
  return *this;
}

InstructionCounts& InstructionCounts::operator+=(const InstructionCounts& other) {
  issued += other.issued;
  lanes_active += other.lanes_active;
  branches_taken += other.branches_taken;
  parted += other.parted;
  for (std::size_t s = 0; s < space_count; ++s) spaces[s] += other.spaces[s];
  atomic_lanes += other.atomic_lanes;
  most_same_in_wave = std::max(most_same_in_wave, other.most_same_in_wave);
  most_same = std::max(most_same, other.most_same);
  return *this;
}

bool is_vector_arithmetic(Cost cost) {
  return cost < Cost::salu || cost == Cost::gds;
}

bool counts_lanes(Cost cost) {
  switch (cost) {
    case Cost::vmem_load:
    case Cost::vmem_store:
    case Cost::vmem_atomic:
    case Cost::vmem_image:
    case Cost::lds_load:
    case Cost::lds_store:
    case Cost::lds_atomic:
    case Cost::lds_permute:
      return true;
    default:
      return is_vector_arithmetic(cost);
  }
}

LaunchCounter::LaunchCounter(const Module& module, const CountingRules& rules, u32 threads)
    : module_(module), rules_(rules) {
  threads_.resize(std::max(1u, threads));
}

LaunchCounter::~LaunchCounter() = default;

void LaunchCounter::watch(FunctionalOptions& options) {
  options.runner = [this](u32 thread) { return runner(thread); };
}

StepRunner* LaunchCounter::runner(u32 thread) {
  std::unique_ptr<ThreadCounter>& counter = threads_[thread];
  if (counter == nullptr) counter = std::make_unique<ThreadCounter>(module_, rules_);
  return counter.get();
}

LaunchCounts LaunchCounter::result() const {
  const std::vector<Instruction>& code = module_.code.instructions;
  LaunchCounts counts;
  counts.rules = rules_;
  counts.per_instruction.resize(code.size());
  std::map<std::size_t, AtomicTargets> atomics;  // by instruction
  for (const auto& counter : threads_) {
    if (counter != nullptr) counter->add_to(counts, atomics);
  }
  AtomicTargets all;
  for (const auto& [i, targets] : atomics) {
    const AddressCounts::Hottest hottest = hottest_of(targets);
    counts.per_instruction[i].most_same = hottest.count;
    counts.per_instruction[i].hot_address = hottest.address;
    all.insert(all.end(), targets.begin(), targets.end());
  }
  for (std::size_t i = 0; i < code.size(); ++i) {
    const InstructionCounts& one = counts.per_instruction[i];
    counts.total += one;
    counts.by_cost[static_cast<std::size_t>(code[i].cost)] += one.issued;
    if (is_vector_arithmetic(code[i].cost)) counts.valu_lanes += one.lanes_active;
  }
  for (const auto& [i, histogram] : counts.lanes_by_instruction) {
    for (std::size_t lanes = 0; lanes < histogram.size(); ++lanes)
      counts.active_lanes[lanes] += histogram[lanes];
  }
  counts.instructions = counts.total.issued;
  if (atomics.size() == 1) {
    const InstructionCounts& only = counts.per_instruction[atomics.begin()->first];
    counts.total.most_same = only.most_same;
    counts.total.hot_address = only.hot_address;
  } else {
    const AddressCounts::Hottest hottest = hottest_of(all);
    counts.total.most_same = hottest.count;
    counts.total.hot_address = hottest.address;
  }
  return counts;
}

}  // namespace lockstep

#include "machine/driver.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {

u64 memory_clock_hz(const Machine& machine) {
  return integer_or(machine, "memory.compute_clock_hz", integer(machine, "memory.clock_hz"));
}

Expected<Machine> with_bank_bytes(const Machine& machine, u64 bytes) {
  const Quantity* const choices = find_quantity(machine, "local.bank_choices_bytes");
  const bool offered =
      choices != nullptr && std::ranges::find(choices->integers, bytes) != choices->integers.end();
  if (!offered) {
    return Diagnostic{"bad-banks",
                      {},
                      fmt::format("{} has no local memory with banks of {} bytes", machine.name, bytes),
                      choices == nullptr ? "GPUs of compute capability 3.x have the choice"
                                         : fmt::format("it has the choice of {}", to_string(*choices))};
  }
  Machine changed = machine;
  for (Quantity& quantity : changed.quantities) {
    if (quantity.info->key != "local.bank_bytes" || quantity.integer == bytes) continue;
    quantity.integer = bytes;
    quantity.real = static_cast<f64>(bytes);
    changed.changes.push_back(fmt::format("local.bank_bytes = {}", bytes));
  }
  return changed;
}

}  // namespace lockstep

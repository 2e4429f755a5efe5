// A Machine is the model of one GPU: a data file under machines/, every figure with unit, source and
// confidence.
//
//   auto machine = load_machine(machine_directory(), "mi25");
//   u64 units = integer(*machine, "compute.units");
//
// Which keys exist is schema.h's table; docs/machines.md explains the files.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"
#include "machine/schema.h"
#include "machine/target.h"

namespace lockstep {

enum class Confidence : u8 {
  measured,    // somebody measured it on the device
  documented,  // the vendor, its driver, its compiler or a standard states it
  database,    // a third party's table or text states it
  assumed,     // nobody published it: `why` gives the reasoning
};

// One figure of a machine, in the unit of its key.
struct Quantity {
  const KeyInfo* info = nullptr;  // key, unit, kind, meaning
  u64 integer = 0;                // ValueKind::integer
  f64 real = 0;                   // ValueKind::real; for integers the same value as a double
  std::vector<u64> integers;      // ValueKind::integers
  std::string text;               // ValueKind::text
  std::string source;             // codes of machines/sources.toml, separated by ", "
  Confidence confidence = Confidence::assumed;
  std::string why;  // the reasoning; never empty when assumed
  Place place;      // the file and line that state it
};

// Where figures come from; listed once in machines/sources.toml.
struct Source {
  std::string code;   // as quantities name it
  std::string title;  // what it is
  std::string where;  // address or section; may be empty
};

struct Machine {
  std::string id;    // "mi25": the file's name without .toml
  std::string name;  // the GPU's own name: "AMD Radeon Instinct MI25"
  std::string note;  // what the file models when that is not the whole card; may be empty
  std::vector<std::string> aliases;
  const Target* target = nullptr;
  std::string path;                  // the file it was read from
  std::vector<Quantity> quantities;  // in schema() order, each key at most once
  std::vector<Source> sources;       // those that the quantities name, in the order of sources.toml

  // The scaled keys of with_scaled, for reports; empty for a machine as its file states it.
  std::vector<std::string> changes;

  // The clock that with_clock chose; 0: the file's.
  u64 chosen_clock_hz = 0;
};

// What a list of machines needs, read without the quantities.
struct MachineSummary {
  std::string id, name;
  std::vector<std::string> aliases;
  const Target* target = nullptr;
  std::string path;
};

// Where machine files are: the environment's LOCKSTEP_MACHINES, else beside the program or driver
// (installed_folder), else the source tree that this library was built from.
std::string machine_directory();

// The machines of <directory>/*/*.toml (files with an `id`; others are bases), ordered by vendor, age of the
// target and id. Errors: an unreadable or malformed file, two files with one id or alias.
Expected<std::vector<MachineSummary>> list_machines(const std::string& directory);

// Reads a machine by id, by alias, or, when `id` ends in ".toml", from that file (its bases may be beside it
// or in `directory`). Errors name file and line: unknown machine (with the nearest ids), unknown key, missing
// key, missing or unknown source, wrong unit, wrong type, an assumed figure without a why, unknown base, a
// cycle of bases.
Expected<Machine> load_machine(const std::string& directory, std::string_view id);

// All sources of <directory>/sources.toml, in the file's order.
Expected<std::vector<Source>> load_sources(const std::string& directory);

// nullptr when the machine doesn't state the key.
const Quantity* find_quantity(const Machine& machine, std::string_view key);
bool has(const Machine& machine, std::string_view key);

// The value in the key's unit. The key must be stated (has, or required by the schema for this target) and of
// the asked kind: anything else is a broken invariant. Read once at set-up, not in a step: a search by name.
f64 number(const Machine& machine, std::string_view key);   // integer or real
u64 integer(const Machine& machine, std::string_view key);  // integer
u64 integer_or(const Machine& machine, std::string_view key, u64 otherwise);
const std::vector<u64>& integers(const Machine& machine, std::string_view key);
std::string_view text(const Machine& machine, std::string_view key);

// The clock that the file states for a run: sustained where it was measured, else boost.
u64 own_clock_hz(const Machine& machine);
// The clock to time a run at: the one that with_clock chose, else the file's own.
u64 run_clock_hz(const Machine& machine);

// A copy whose compute units and their caches, the second level included, run at another clock. What lies
// beyond has clocks of its own: the latencies of memory, of a cache in front of it and of walks through the
// page tables stay the same time, so that their cycles change. Error: "bad-clock" for less than a tenth or
// more than twice the file's own.
Expected<Machine> with_clock(const Machine& machine, u64 clock_hz);

// The quantities that are assumed, in schema order; only those whose key starts with `prefix`.
std::vector<const Quantity*> assumed_quantities(const Machine& machine, std::string_view prefix = "");

// A copy with one figure changed, to ask whether a result leans on it. Step::scale multiplies: integers round
// to nearest but move by at least one, and never to 0. Step::power_of_two doubles (factor > 1) or halves.
// Step::fixed and 0 stay. The key must be stated. `changes` records "key * factor" when something changed.
Machine with_scaled(const Machine& machine, std::string_view key, f64 factor);

std::string_view to_string(Confidence confidence);  // "measured", "documented", "database", "assumed"

// The value with its unit, for people: "16384 B", "0, 8192, 16384 B", "HBM2".
std::string to_string(const Quantity& quantity);

}  // namespace lockstep

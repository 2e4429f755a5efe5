#include "nvidia/model.h"

#include <cstring>

#include "exec/functional.h"
#include "exec/launch.h"

namespace lockstep::nv {

Expected<LoadedProgram> load_ptx(const std::string& text, const std::string& target) {
  CompileRequest request;
  request.path = "operations.ptx";
  request.source = text;
  request.language = SourceLanguage::ptx;
  request.target = find_target(target);
  return load_program(request);
}

Expected<std::vector<u64>> run_operation(const Module& module, const Operation& operation,
                                         const std::vector<u64>& inputs) {
  const auto program = find_kernel(module, operation.kernel);
  if (!program) return program.error();
  DeviceMemory memory(u64{64} << 20);
  const u64 in_bytes = inputs.size() * 8, out_bytes = u64{operation_items} * operation.words * 8;
  const auto from = memory.allocate(in_bytes, 256, "from");
  if (!from) return from.error();
  const auto to = memory.allocate(out_bytes, 256, "to");
  if (!to) return to.error();
  if (const Status done = memory.write(*from, {reinterpret_cast<const u8*>(inputs.data()), in_bytes}); !done)
    return done.error();
  NdRange range;
  range.global[0] = operation_items;
  range.local[0] = group_items;
  std::vector<ArgumentValue> values(2);
  for (const auto& [index, address] : {std::pair{0, *from}, std::pair{1, *to}}) {
    values[static_cast<std::size_t>(index)].bytes.resize(8);
    std::memcpy(values[static_cast<std::size_t>(index)].bytes.data(), &address, 8);
  }
  const auto prepared =
      PreparedLaunch::make(memory, module, **program, range, values,
                           functional_resident_waves(range, (*program)->needs.wave_lanes, 64));
  if (!prepared) return prepared.error();
  const auto run = run_functional(**prepared, {});
  if (!run) return run.error();
  std::vector<u64> out(out_bytes / 8);
  if (const Status done = memory.read(*to, {reinterpret_cast<u8*>(out.data()), out_bytes}); !done)
    return done.error();
  return out;
}

u64 hash_of(const std::vector<u64>& words) {
  u64 hash = 0xcbf29ce484222325u;
  for (const u64 word : words) {
    for (u32 i = 0; i < 64; i += 8) hash = (hash ^ (word >> i & 0xff)) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace lockstep::nv

#include "isa/nv/flow_graph.h"

#include <algorithm>

namespace lockstep::nv {

Graph graph_of(const std::vector<Lowered>& code) {
  Graph graph;
  std::vector<bool> begins(code.size() + 1, false);
  begins[0] = true;
  for (u32 i = 0; i < code.size(); ++i) {
    if (code[i].target != no_index) begins[code[i].target] = true;
    for (const u32 target : code[i].targets) begins[target] = true;
    if (code[i].in.cost == Cost::barrier) begins[i] = true;
    if (is_branch(code[i]) || code[i].ends) begins[i + 1] = true;
  }
  for (u32 i = 0; i < code.size(); ++i) {
    if (begins[i]) {
      graph.blocks.emplace_back();
      graph.blocks.back().begin = i;
    }
    graph.blocks.back().end = i + 1;
    graph.block_of.push_back(static_cast<u32>(graph.blocks.size() - 1));
  }
  for (u32 b = 0; b < graph.blocks.size(); ++b) {
    const Lowered& last = code[graph.blocks[b].end - 1];
    std::vector<u32>& next = graph.blocks[b].next;
    if (last.target != no_index) next.push_back(graph.block_of[last.target]);
    for (const u32 target : last.targets) next.push_back(graph.block_of[target]);
    if (!last.ends && b + 1 < graph.blocks.size()) next.push_back(b + 1);
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    for (const u32 n : next) graph.blocks[n].before.push_back(b);
  }
  return graph;
}

}  // namespace lockstep::nv

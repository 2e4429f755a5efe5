// Rows of memory instructions made from a family's prefix and a list of operations, so that an operation is
// written once for every family (global_, flat_, scratch_, buffer_, ...) that has it.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "isa/amd/addressing.h"
#include "isa/amd/table.h"
#include "isa/shapes.h"

namespace lockstep::amd {

class RowList {
 public:
  void add(std::string_view prefix, std::string_view rest, const Semantic* meaning, Cost cost,
           u32 generations);
  std::span<const Row> rows() const { return rows_; }

 private:
  std::deque<std::string> names_;  // keeps its elements in place
  std::vector<Row> rows_;
};

}  // namespace lockstep::amd

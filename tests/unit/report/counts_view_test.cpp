// The report of a functional run, from counts made up here.
#include <gtest/gtest.h>

#include "report/counted_lines.h"
#include "report/counters.h"
#include "report/view.h"

namespace lockstep {
namespace {

// A module of one instruction a line: a load at line 1, a local load at 2, an addition at 3, an atomic at 4,
// a store to private memory at 5.
struct Sample {
  Machine machine;
  Module module;
  Program program;
  RunData run;

  Sample() : machine(*load_machine(LOCKSTEP_SOURCE_DIR "/machines", "v100")) {
    program.name = "sample";
    program.needs.wave_lanes = 32;
    module.code.files = {"sample.cl"};
    module.code.positions = {{}, {0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {0, 4, 1}, {0, 5, 1}};
    u32 line = 0;
    for (const Cost cost :
         {Cost::vmem_load, Cost::lds_load, Cost::valu_full, Cost::vmem_atomic, Cost::vmem_store}) {
      Instruction& in = module.code.instructions.emplace_back();
      in.cost = cost;
      in.line = ++line;
      module.code.text.push_back("instruction " + std::to_string(line));
    }
    run.machine = &machine;
    run.module = &module;
    run.program = &program;
    run.source_file = "sample.cl";
    run.source_lines = {"  load", "  local", "  add", "  atomic", "  spill"};
    run.functional = FunctionalResult{};
    LaunchCounts counts;
    counts.rules = *counting_rules(machine, 32);
    counts.per_instruction.resize(5);
    for (InstructionCounts& one : counts.per_instruction) {
      one.issued = 100;
      one.lanes_active = 3200;
    }
    counts.per_instruction[0].of(Space::global) = {100, 3200, 12800, 0, 3200, 400};
    counts.per_instruction[1].of(Space::local) = {100, 3200, 12800, 0, 800, 100};
    counts.per_instruction[2].lanes_active = 1600;
    InstructionCounts& atomic = counts.per_instruction[3];
    atomic.of(Space::global) = {100, 3200, 0, 12800, 100, 100};
    atomic.atomic_lanes = 3200;
    atomic.most_same_in_wave = 32;
    atomic.most_same = 3200;
    counts.per_instruction[4].of(Space::private_memory) = {100, 3200, 0, 12800, 400, 400};
    for (const InstructionCounts& one : counts.per_instruction) counts.total += one;
    counts.instructions = 500;
    run.counts = counts;
  }
};

TEST(Counts, WhatStandsOutIsSaidWithItsLineAndFigures) {
  const Sample sample;
  const std::vector<CountedLine> lines = counted_lines(sample.run);
  std::vector<std::string> texts;
  for (const Remark& remark : remarks(sample.run, lines)) texts.push_back(remark.text);
  const std::vector<std::string> expected = {
      "line 4: 3200 of 3200 atomics go to one address (32 of one wave), one after the other",
      "line 1: 32 transactions for a load where 4 would do",
      "line 2: 8 passes of local memory for a load where 1 would do",
      "line 5: 100 accesses to private memory (12800 bytes): variables that are spilled, or indexed at run "
      "time",
  };
  ASSERT_GE(texts.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(texts[i], expected[i]);
}

TEST(Counts, IdleLanesStandOutWhereTheyAreManyOfTheWork) {
  Sample sample;
  LaunchCounts& counts = *sample.run.counts;
  for (std::size_t i : {0u, 1u, 3u, 4u}) counts.per_instruction[i] = {};
  counts.total = counts.per_instruction[2];
  const std::vector<Remark> found = remarks(sample.run, counted_lines(sample.run));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, "idle_lanes");
  EXPECT_EQ(found[0].text, "line 3: 50 % of the lanes idle (16 of 32 active in 100 instructions)");
  EXPECT_EQ(found[0].at.line, 3u);
}

TEST(Counts, NothingStandsOutOfWhatIsIdeal) {
  Sample sample;
  LaunchCounts& counts = *sample.run.counts;
  for (std::size_t i : {1u, 2u, 3u, 4u}) counts.per_instruction[i] = {};
  counts.per_instruction[0].of(Space::global).transactions = 400;
  counts.total = counts.per_instruction[0];
  EXPECT_TRUE(remarks(sample.run, counted_lines(sample.run)).empty());
  EXPECT_NE(text_report(sample.run).find("What stands out"), std::string::npos);
  EXPECT_NE(text_report(sample.run).find("nothing: no line"), std::string::npos);
}

TEST(Counts, JsonHasEveryLineWithUnitsAndMeanings) {
  const Sample sample;
  const Json report = Json::parse(json_report(sample.run));
  EXPECT_EQ(report["counters"]["vector.transactions"], 3700);
  EXPECT_EQ(report["counters"]["lds.passes"], 800);
  EXPECT_TRUE(report["cycles"].is_null());
  const Json& counts = report["views"]["counts"];
  EXPECT_EQ(report["version"], report_version);
  EXPECT_EQ(counts["transaction"], "sector of 32 bytes");
  EXPECT_EQ(counts["active_lanes"].size(), 33u);
  for (const Json& counter : report["views"]["counters"]) {
    EXPECT_FALSE(counter["unit"].get<std::string>().empty()) << counter;
    EXPECT_FALSE(counter["meaning"].get<std::string>().empty()) << counter;
    EXPECT_EQ(report["counters"][counter["name"].get<std::string>()], counter["value"]);
  }
  const Json& lines = report["views"]["lines"];
  ASSERT_EQ(lines["lines"].size(), 5u);
  EXPECT_EQ(lines["lines"][0]["line"], 1);
  EXPECT_EQ(lines["lines"][0]["text"], "load");
  EXPECT_EQ(lines["lines"][0]["work"], 3300);
  ASSERT_EQ(lines["instructions"].size(), 5u);
  EXPECT_EQ(lines["instructions"][4]["text"], "instruction 5");
  EXPECT_EQ(lines["instructions"][4]["private_transactions"], 400);
  // Every figure of a line is described, and lines and instructions have the same ones.
  for (const auto& [key, column] : lines["columns"].items()) {
    EXPECT_TRUE(column.contains("unit") && column.contains("meaning")) << key;
    u64 of_lines = 0, of_instructions = 0;
    for (const Json& line : lines["lines"]) of_lines += line.at(key).get<u64>();
    for (const Json& one : lines["instructions"]) of_instructions += one.at(key).get<u64>();
    EXPECT_EQ(of_lines, of_instructions) << key;
  }
}

TEST(Counts, TextAndJsonShowTheSame) {
  const Sample sample;
  const std::string text = text_report(sample.run);
  EXPECT_NE(text.find("line 1: 32 transactions for a load where 4 would do"), std::string::npos) << text;
  EXPECT_NE(text.find("sample.cl:1"), std::string::npos) << text;
  EXPECT_NE(text.find("3200 / 400"), std::string::npos) << text;
}

}  // namespace
}  // namespace lockstep

// Clauses and packets in hand-written assembly on the timed VLIW GPUs: what the model takes for each is what
// the machine's file states.
#include "amd_assembly.h"
#include "isa/vliw/module.h"

namespace lockstep {
namespace {

// A kernel's text: the control-flow program, then its clauses.
class Text {
 public:
  void flow(const std::string& line) { flow_.push_back({line, {}, false}); }
  // An ALU clause of bundles of one operation each.
  void alu(const std::string& word, const std::vector<std::string>& bundles) {
    flow_.push_back({word, bundles, false});
  }
  void fetch(const std::vector<std::string>& fetches) { flow_.push_back({"TEX", fetches, true}); }
  void append(const Text& other) { flow_.insert(flow_.end(), other.flow_.begin(), other.flow_.end()); }
  std::size_t count() const { return flow_.size(); }

  std::string text(u32 local_bytes = 0) const {
    std::string program, clauses;
    std::size_t at = flow_.size() + flow_.size() % 2;
    for (const Flow& one : flow_) {
      if (one.body.empty()) {
        program += fmt::format("\t{}\n", one.line);
        continue;
      }
      program += one.fetch
                     ? fmt::format("\tTEX {} @{}\n", one.body.size() - 1, at)
                     : fmt::format("\t{} {}, @{}, KC0[CB0:0-32], KC1[]\n", one.line, one.body.size() - 1, at);
      clauses += fmt::format("\t{} clause starting at {}:\n", one.fetch ? "Fetch" : "ALU", at);
      for (const std::string& line : one.body) clauses += fmt::format("\t  {}\n", line);
      at += one.body.size() * (one.fetch ? 2 : 1);
      at += at % 2;
    }
    return fmt::format(
        "\t.section\t.AMDGPU.config\n\t.long\t166100\n\t.long\t16\n\t.long\t166120\n\t.long\t{}\n\t.text\n"
        "\t.type\tk,@function\nk:\n{}{}//@lockstep parameter k value 0 8 4\n",
        local_bytes / 4, program, clauses);
  }

 private:
  struct Flow {
    std::string line;
    std::vector<std::string> body;
    bool fetch;
  };
  std::vector<Flow> flow_;
};

class VliwRates : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto machine = load_machine(machine_directory(), GetParam());
    ASSERT_TRUE(machine.ok());
    machine_ = std::make_unique<Machine>(*machine);
  }
  u64 figure(const char* key) const { return static_cast<u64>(integer(*machine_, key)); }

  // Cycles of a loop's round, whose body `add` appends. The argument's first word (KC0[2].Y) is the number of
  // rounds.
  template <class Add>
  f64 of_round(u32 waves, const Add& add, u32 groups = 1) {
    Text body;
    add(body);
    Text all;
    all.alu("ALU", {"MOV * T1.X, 0.0,", "MOV * T2.X, 0.0,", "MOV * T3.X, 0.0,"});
    const std::size_t begin = 2;
    body_into(all, body, begin);
    const auto module = vliw::load_module(all.text(1024), *machine_->target, "k.s");
    if (!module.ok()) {
      ADD_FAILURE() << to_string(module.error()) << "\n" << all.text(1024);
      return 0;
    }
    amd_assembly::Bench bench(GetParam(), **module);
    const u64 few = 8, many = 24;
    bench.cycles("k", few, groups, 64 * waves);
    const u64 one = bench.cycles("k", few, groups, 64 * waves);
    return static_cast<f64>(bench.cycles("k", many, groups, 64 * waves) - one) / (many - few);
  }

 private:
  static void body_into(Text& all, const Text& body, std::size_t begin) {
    const std::size_t end = begin + body.count() + 2;
    all.flow(fmt::format("LOOP_START_DX10 @{}", end));
    all.append(body);
    all.alu("ALU_BREAK",
            {"ADD_INT * T1.X, T1.X, 1,", "PRED_SETE_INT * ExecMask,PredicateBit (MASKED), T1.X, KC0[2].Y,"});
    all.flow(fmt::format("END_LOOP @{}", begin));
    all.flow("CF_END");
  }

  std::unique_ptr<Machine> machine_;
};

std::vector<std::string> packets(u32 count) {
  return std::vector<std::string>(count, "ADD_INT * T3.X, T3.X, 1,");
}

TEST_P(VliwRates, TwoWavesShareASimd) {
  const auto round = [&](u32 waves, u32 count) {
    return of_round(waves, [&](Text& body) { body.alu("ALU", packets(count)); });
  };
  const auto packet = [&](u32 waves) { return (round(waves, 96) - round(waves, 32)) / 64; };
  // A wave's next packet comes when its results are there; another wave's lie between, and a third waits.
  EXPECT_EQ(packet(1), figure("timing.packet.result_cycles"));
  EXPECT_EQ(packet(2), figure("timing.packet.result_cycles"));
  EXPECT_EQ(packet(4), 4 * figure("timing.packet.issue_cycles"));
}

TEST_P(VliwRates, ClausesTakeTheirSwitch) {
  const auto round = [&](u32 waves, u32 clauses, u32 count) {
    return of_round(waves, [&](Text& body) {
      for (u32 i = 0; i < clauses; ++i) body.alu("ALU", packets(count));
    });
  };
  // The same packets in more clauses: each costs a switch in place of the way from one packet to the next.
  const f64 switched = (round(1, 8, 4) - round(1, 4, 8)) / 4;
  EXPECT_EQ(switched, figure("timing.clause.switch_cycles") - figure("timing.packet.result_cycles"));
  // Other waves' clauses hide it.
  const f64 shared = (round(4, 12, 16) - round(4, 6, 16)) / 6;
  const f64 packets_alone = 4 * 16 * static_cast<f64>(figure("timing.packet.issue_cycles"));
  EXPECT_GE(shared, packets_alone);
  EXPECT_LT(shared, 1.05 * packets_alone);
}

TEST_P(VliwRates, ControlFlowTakesItsTime) {
  const auto round = [&](u32 pairs) {
    return of_round(1, [&](Text& body) {
      for (u32 i = 0; i < pairs; ++i) {
        body.flow("PUSH @0");
        body.flow("POP @0 POP:1");
      }
    });
  };
  EXPECT_EQ((round(8) - round(4)) / 8, figure("timing.clause.switch_cycles"));
}

TEST_P(VliwRates, LocalMemoryTakesItsLatency) {
  // Each address is what the read before gave: zero.
  const auto round = [&](u32 reads) {
    return of_round(1, [&](Text& body) {
      std::vector<std::string> bundles;
      for (u32 i = 0; i < reads; ++i) {
        bundles.push_back("LDS_READ_RET * OQAP, T3.X");
        bundles.push_back("MOV * T3.X, OQAP,");
      }
      body.alu("ALU", bundles);
    });
  };
  const u64 latency = figure("timing.lds.latency_cycles"), turn = figure("timing.issue.turn_cycles");
  const f64 measured = (round(24) - round(8)) / 16 - static_cast<f64>(figure("timing.packet.result_cycles"));
  EXPECT_GE(measured, latency);
  EXPECT_LT(measured, latency + turn);
}

TEST_P(VliwRates, FetchesTakeTheirLatency) {
  // Each address is what the fetch before brought: zero, of which the parameters' buffer has some.
  const auto round = [&](u32 fetches) {
    return of_round(1, [&](Text& body) {
      for (u32 i = 0; i < fetches; ++i) body.fetch({"VTX_READ_8 T2.X, T2.X, 43, #3"});
    });
  };
  const u64 latency = figure("timing.l1.hit_cycles"), turn = figure("timing.issue.turn_cycles");
  const f64 measured = (round(12) - round(4)) / 8;
  EXPECT_GE(measured, latency);
  EXPECT_LT(measured, latency + turn);
}

INSTANTIATE_TEST_SUITE_P(Gpus, VliwRates, testing::Values("hd5870", "hd6970"));

}  // namespace
}  // namespace lockstep

// Reuse in caches, against a simulated cache: an LRU of whole items that sees the listing's loads and stores.
#include "core/cost/kernel_work.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <list>
#include <map>
#include <numeric>

#include "core/cost/counts.h"
#include "core/fusion/trace.h"
#include "core/state/state.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

double sum(const std::vector<double>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0);
}

ProgramPtr sized(const std::string& sample, std::int64_t size, std::int64_t block) {
    BlockProgram program = *block_sample(sample);
    for (Dim& dim : program.dims) {
        dim.size = dim.kind == DimKind::Blocked ? size : 2;
        dim.block = dim.kind == DimKind::Blocked ? block : 1;
    }
    program.dims = fitted(program.dims, program);
    return std::make_shared<BlockProgram>(program);
}

// Executes the loads and stores of a nest, one item after another.
class Simulation {
public:
    Simulation(const StateWork& state, const KernelWork& kernel, double capacity)
        : state_(state), kernel_(kernel), capacity_(capacity), at_(kernel.loops.size(), 0) {}

    double run() {
        nodes(kernel_.roots);
        return missed_;
    }

private:
    void nodes(const std::vector<WorkNode>& list) {
        for (const WorkNode& node : list) {
            if (node.access >= 0) {
                access(kernel_.accesses[static_cast<std::size_t>(node.access)]);
                continue;
            }
            const auto id = static_cast<std::size_t>(node.loop);
            for (int i = 0; i < static_cast<int>(kernel_.loops[id].trips); ++i) {
                at_[id] = i;
                nodes(kernel_.loops[id].body);
            }
        }
    }

    // Items of different statements on one buffer are the same if their positions are: indices by the order
    // of the loops around them.
    void access(const WorkAccess& a) {
        if (state_.buffers[static_cast<std::size_t>(a.buffer)].generated) return;
        std::vector<int> item = {a.buffer};
        for (const int id : a.varies) item.push_back(at_[static_cast<std::size_t>(id)]);
        const auto found =
            std::find_if(held_.begin(), held_.end(), [&](const auto& h) { return h.first == item; });
        if (found != held_.end()) {
            held_.splice(held_.begin(), held_, found);
            return;
        }
        missed_ += a.bytes;
        used_ += a.bytes;
        held_.emplace_front(item, a.bytes);
        while (used_ > capacity_ && !held_.empty()) {
            used_ -= held_.back().second;
            held_.pop_back();
        }
    }

    const StateWork& state_;
    const KernelWork& kernel_;
    double capacity_;
    std::vector<int> at_;
    std::list<std::pair<std::vector<int>, double>> held_;
    double used_ = 0;
    double missed_ = 0;
};

TEST(Reuse, WithoutACacheIsEveryTransfer) {
    for (const std::string& name : sample_names()) {
        const LoopProgram loops = lower(*fuse(sized(name, 48, 16)).last());
        const Counts counts = count(loops);
        const StateWork state = state_work(loops);
        double bytes = 0;
        for (const KernelWork& kernel : state.kernels) {
            EXPECT_DOUBLE_EQ(sum(misses(state, kernel, {0, 1})), kernel.bytes()) << name;
            EXPECT_NEAR(sum(misses(state, kernel, {0, 7})), kernel.bytes(), 1e-6 * kernel.bytes()) << name;
            bytes += kernel.bytes();
        }
        EXPECT_DOUBLE_EQ(bytes, static_cast<double>(counts.bytes())) << name;
    }
}

TEST(Reuse, InALargeCacheIsEachByteOnce) {
    for (const std::string& name : sample_names()) {
        const StateWork state = state_work(lower(*fuse(sized(name, 48, 16)).last()));
        for (const KernelWork& kernel : state.kernels) {
            double distinct = 0;
            for (const BufferWork& of : kernel.buffers)
                if (!state.buffers[static_cast<std::size_t>(of.buffer)].generated) distinct += of.distinct;
            EXPECT_DOUBLE_EQ(sum(misses(state, kernel, {1e18, 1})), distinct) << name;
        }
    }
}

// A row of blocks sees half of K and V on average, all of them together see everything; in windows as well.
TEST(Reuse, OfCausalRowsIsOfWhatTheySeeTogether) {
    for (const char* name : {"causal-attention", "sliding-window-attention"}) {
        const State state(fuse(sized(name, 64, 8)).last());
        const StateWork& work = state.work();
        double bytes = 0;
        for (const KernelWork& kernel : work.kernels) bytes += sum(misses(work, kernel, {1e18, 1}));
        EXPECT_DOUBLE_EQ(bytes, static_cast<double>(state.counts().compulsory)) << name;
    }
}

TEST(Reuse, NeverMovesMoreWithALargerCache) {
    for (const std::string& name : sample_names())
        for (const double wave : {1.0, 4.0}) {
            const StateWork state = state_work(lower(*fuse(sized(name, 64, 16)).last()));
            for (const KernelWork& kernel : state.kernels) {
                double last = 1e300;
                for (double bytes = 256; bytes < 1e7; bytes *= 2) {
                    const double now = sum(misses(state, kernel, {bytes, wave}));
                    EXPECT_LE(now, last * (1 + 1e-12)) << name << " " << bytes;
                    last = now;
                }
            }
        }
}

// The analysis and the simulated cache agree within a factor of two at every size, and at most sizes much
// better: an LRU cache falls off a cliff a little earlier or later.
TEST(Reuse, AgreesWithASimulatedCache) {
    int close = 0;
    int all = 0;
    for (const char* name : {"attention", "gemm-relu", "layernorm-matmul", "rmsnorm-swiglu", "softmax"}) {
        for (const bool fused : {false, true}) {
            const Trace trace = fuse(sized(name, 64, 8));
            const StateWork state = state_work(lower(fused ? *trace.last() : *trace.initial));
            for (const KernelWork& kernel : state.kernels)
                for (double bytes = 512; bytes < 1e6; bytes *= 4) {
                    const double expected = Simulation(state, kernel, bytes).run();
                    const double found = sum(misses(state, kernel, {bytes, 1}));
                    if (expected <= 0) continue;
                    ++all;
                    if (std::abs(found / expected - 1) < 0.1) ++close;
                    EXPECT_GT(found / expected, 0.4)
                        << name << fused << " kernel " << kernel.index << " " << bytes;
                    EXPECT_LT(found / expected, 2.5)
                        << name << fused << " kernel " << kernel.index << " " << bytes;
                }
        }
    }
    EXPECT_GT(close, all * 8 / 10) << close << " of " << all;
}

}  // namespace
}  // namespace blockscope::test

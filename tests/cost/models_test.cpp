// Time models: the published numbers, properties that any model has to have, and what binds.
#include "core/cost/models/model.h"

#include <gmock/gmock.h>

#include <cmath>

#include "core/fusion/trace.h"
#include "core/json/device_files.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

const Device& device(const std::string& name) {
    const Device* found = find_device(builtin_devices(), name);
    if (!found) throw std::runtime_error("no device " + name);
    return *found;
}

const TimeModel& model(const std::string& name) {
    return *find_time_model(name);
}

// A round machine: 1 TB/s, 1 PFLOP/s of matrix, 20 and 10 TFLOP/s of vector (a plain operation takes the slot
// of a multiply-add) and special, 10 processors, launches of 20 us.
Device round_device() {
    Device d = device("a100-pcie-40gb");
    d.processors.value = 10;
    d.memory.back().bandwidth.value = 1e12;
    d.launch.value = 20e-6;
    for (PeakRate& rate : d.rates)
        rate.peak.value = rate.unit == Unit::Matrix ? 1e15 : rate.unit == Unit::Vector ? 20e12 : 10e12;
    return d;
}

KernelWork kernel(double vector, double bytes, double tasks = 1000) {
    KernelWork work;
    work.vector = vector;
    work.loaded = work.hoisted = bytes;
    work.tasks = tasks;
    return work;
}

// The PTO text, 4.1: Add, ReLU and Mul of 0.01 ms each with 0.04 ms of memory and 0.02 ms of launch.
TEST(FusionBenefit, IsThePublishedExample) {
    const KernelWork each = kernel(1e-5 * 10e12, 4e-5 * 1e12);
    const StateWork unfused{{each, each, each}, {}, {}};
    const StateWork fused{{kernel(3e-5 * 10e12, 4e-5 * 1e12)}, {}, {}};
    const Prediction before = predict(model("fusion-benefit"), unfused, round_device());
    const Prediction after = predict(model("fusion-benefit"), fused, round_device());
    EXPECT_NEAR(before.seconds, 0.21e-3, 1e-9);
    EXPECT_NEAR(after.seconds, 0.09e-3, 1e-9);
    EXPECT_NEAR(before.seconds / after.seconds, 2.33, 0.01);
    EXPECT_NEAR(seconds_of(after.terms, "compute"), 0.03e-3, 1e-9);
    EXPECT_NEAR(seconds_of(before.terms, "launch"), 0.06e-3, 1e-9);
    EXPECT_EQ(before.binding, "memory");
}

TEST(McFuser, AlphaIsEquation5) {
    EXPECT_DOUBLE_EQ(mcfuser_alpha(108, 108), 2);
    EXPECT_DOUBLE_EQ(mcfuser_alpha(1, 108), 109);
    EXPECT_DOUBLE_EQ(mcfuser_alpha(1080, 108), 1.1);
}

TEST(McFuser, IsTheSumTimesAlpha) {
    KernelWork work = kernel(0, 1e9, 40);
    work.matrix = 1e12;
    work.products = {{ElemType::F16, 128, 128, 128, 1, 1e12}};
    const Prediction p = predict(model("mcfuser"), {{work}, {}, {}}, round_device());
    EXPECT_NEAR(p.seconds, (1e-3 + 1e-3) * (40 + 10) / 40, 1e-12);
    EXPECT_NEAR(seconds_of(p.terms, "idle"), 0.5e-3, 1e-12);
}

// Section II: with tiles of 256 and M x N x K = 1024^3 a matmul on an A100 becomes memory-bound as K/M falls
// below 1 (figure 2).
TEST(McFuser, PhiTellsMemoryBoundProducts) {
    EXPECT_DOUBLE_EQ(mcfuser_phi(256, 256, 1024), 2.0 * 256 * 256 * 1024 / (2 * 65536 + 2 * 256 * 1024));
    const Device& a100 = device("a100-pcie-40gb");
    EXPECT_FALSE(mcfuser_memory_bound(256, 256, 1024, a100, ElemType::F16));
    EXPECT_TRUE(mcfuser_memory_bound(256, 256, 512, a100, ElemType::F16));
    EXPECT_TRUE(mcfuser_memory_bound(256, 256, 64, a100, ElemType::F16));
}

// Loads move out of the innermost loops that do not index them: C = A B with one block along K reads A once
// for each n of a task only if n is inside it.
TEST(McFuser, HoistsLoads) {
    const StateWork work = state_work(lower(*sample_trace("attention").last()));
    const KernelWork& fused = work.kernels.at(0);
    const double matrix = 4096.0 * 128 * 2;  // bytes of Q, K, V and O
    EXPECT_DOUBLE_EQ(fused.loaded, 96 * matrix);
    EXPECT_DOUBLE_EQ(fused.hoisted, (1 + 32 + 32 + 1) * matrix);  // Q stays; K and V come for each of 32 m
}

// One kernel that reads an array of so many bytes.
StateWork reading(double vector, double bytes) {
    StateWork state;
    state.buffers.push_back({.name = "A", .kind = Buffer::Kind::Input, .bytes = bytes});
    state.kernels.push_back(kernel(vector, 2 * bytes));
    state.kernels[0].buffers = {{0, 2 * bytes, 0, 2 * bytes, bytes}};
    return state;
}

// What is read twice has to move once.
TEST(Roofline, IsTheSlowestResource) {
    const ModelSetting cold{.warm = false};
    const Prediction memory = predict(model("roofline"), reading(1e9, 1e9), round_device(), cold);
    EXPECT_NEAR(memory.seconds, 1e-3, 1e-12);
    EXPECT_EQ(memory.binding, "memory");
    EXPECT_THAT(memory.kernels[0].sentence.str(), testing::StartsWith("Memory-bound: 1.00 GB have to move"));
    const Prediction vector = predict(model("roofline"), reading(1e12, 1e9), round_device(), cold);
    EXPECT_NEAR(vector.seconds, 0.05, 1e-12);
    EXPECT_EQ(vector.binding, "vector");
    EXPECT_THAT(vector.kernels[0].sentence.str(),
                testing::StartsWith("Compute-bound: the vector unit's operations"));
}

// A product of 4096 has 101 MB to move; of a run right after another, half of it is still in the 50 MB of the
// L2.
TEST(Roofline, SaysWhatCachesKeepBetweenRuns) {
    const StateWork work = state_work(lower(*sample_trace("matmul").last()));
    const auto said = [&](bool warm) {
        return predict(model("roofline"), work, device("h100-sxm5"), {.warm = warm})
            .kernels[0]
            .sentence.str();
    };
    EXPECT_THAT(said(false), testing::HasSubstr("than the 101 MB that have to move"));
    EXPECT_THAT(said(true),
                testing::HasSubstr("than the 48.2 MB of 101 MB (caches keep the rest between runs) that"));
}

TEST(Models, HaveNamesAndExplanations) {
    EXPECT_EQ(time_models().size(), 4U);
    for (const TimeModel& m : time_models()) {
        EXPECT_EQ(find_time_model(m.name), &m);
        EXPECT_FALSE(m.title.empty() || m.explanation.empty() || m.reference.empty() || m.formula.empty());
    }
    EXPECT_EQ(find_time_model("oracle"), nullptr);
}

// ---- Properties, over all samples, models and devices.

struct Case {
    std::string sample;
    StateWork work;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all = [] {
        std::vector<Case> list;
        for (const std::string& name : sample_names()) {
            const Trace& trace = sample_trace(name);
            list.push_back({name, state_work(lower(*trace.initial))});
            list.push_back({name + " fused", state_work(lower(*trace.last()))});
        }
        return list;
    }();
    return all;
}

// Times with a changed device are at most those with the device itself.
void expect_no_slower(const Device& from, const Device& to, const char* what) {
    for (const Case& c : cases())
        for (const TimeModel& m : time_models()) {
            const double before = predict(m, c.work, from).seconds;
            const double after = predict(m, c.work, to).seconds;
            EXPECT_LE(after, before * (1 + 1e-9))
                << what << " " << m.name << " " << from.name << " " << c.sample;
        }
}

TEST(Models, AreFinitePositiveAndSayWhatBinds) {
    for (const Device& d : builtin_devices())
        for (const Case& c : cases())
            for (const TimeModel& m : time_models()) {
                const Prediction p = predict(m, c.work, d);
                EXPECT_TRUE(std::isfinite(p.seconds) && p.seconds > 0)
                    << m.name << " " << d.name << " " << c.sample;
                EXPECT_FALSE(p.binding.empty()) << m.name << " " << d.name << " " << c.sample;
                double sum = 0;
                for (const KernelTime& k : p.kernels) {
                    sum += k.seconds;
                    ASSERT_GE(k.binding, 0);
                    EXPECT_FALSE(k.sentence.empty());
                    for (const TimeTerm& term : k.terms) {
                        EXPECT_GE(term.seconds, 0);
                        EXPECT_LE(term.seconds, k.terms[static_cast<std::size_t>(k.binding)].seconds);
                    }
                }
                EXPECT_DOUBLE_EQ(sum, p.seconds);
            }
}

TEST(Models, MoreBandwidthIsNeverSlower) {
    for (const Device& d : builtin_devices())
        for (std::size_t i = 0; i < d.memory.size(); ++i) {
            Device faster = d;
            faster.memory[i].bandwidth.value *= 2;
            faster.memory[i].processor_bandwidth.value *= 2;
            expect_no_slower(d, faster, "bandwidth");
        }
}

TEST(Models, HigherRatesAndCheaperLaunchesAreNeverSlower) {
    for (const Device& d : builtin_devices()) {
        Device faster = d;
        for (PeakRate& rate : faster.rates) {
            rate.peak.value *= 1.5;
            rate.per_clock.value *= 1.5;
        }
        expect_no_slower(d, faster, "rates");
        faster = d;
        faster.launch.value /= 2;
        faster.task.value /= 2;
        expect_no_slower(d, faster, "launch");
    }
}

TEST(Models, LargerCachesAreNeverSlower) {
    for (const Device& d : builtin_devices())
        for (std::size_t i = 0; i < d.memory.size(); ++i) {
            if (d.memory[i].role != LevelRole::Cache) continue;
            Device larger = d;
            for (std::size_t k = i; k < d.memory.size(); ++k) larger.memory[k].capacity.value *= 4;
            expect_no_slower(d, larger, "cache");
        }
}

// A program that is fused moves less and launches less: no model finds attention slower for it where it has
// tasks enough.
TEST(Models, FindFusedAttentionFaster) {
    BlockProgram program = *block_sample("attention");
    for (Dim& dim : program.dims)
        if (dim.name == "M") dim.size = 65536;
    const Trace trace = fuse(std::make_shared<BlockProgram>(program));
    const StateWork unfused = state_work(lower(*trace.initial));
    const StateWork fused = state_work(lower(*trace.last()));
    for (const Device& d : builtin_devices())
        for (const TimeModel& m : time_models())
            EXPECT_LT(predict(m, fused, d).seconds, predict(m, unfused, d).seconds)
                << m.name << " " << d.name;
}

TEST(Blockscope, SaysWhenProcessorsStandStill) {
    const StateWork work = state_work(lower(*sample_trace("attention").last()));
    const Prediction p = predict(model("blockscope"), work, device("h100-sxm5"));
    EXPECT_THAT(p.kernels[0].sentence, testing::HasSubstr("only 32 of 132 processors have a task"));
}

TEST(Blockscope, KeepsParametersWithinTheirBounds) {
    for (const DeviceKind kind : {DeviceKind::Gpu, DeviceKind::Cpu})
        for (const ModelParameter& p : blockscope_parameters(kind)) {
            EXPECT_LE(p.least, p.otherwise) << p.name;
            EXPECT_GE(p.most, p.otherwise) << p.name;
            Device d = device(kind == DeviceKind::Gpu ? "h200" : "xeon-8480");
            d.parameters = {{p.name, {1e9, "x", ""}}};
            EXPECT_EQ(blockscope_parameter(d, p.name), p.most);
        }
}

// Hopper's instructions for few columns and few rows are slower: what is known of them stands in its
// descriptions, and other devices do not have it.
TEST(Blockscope, KnowsHoppersNarrowInstructionsFromItsDescription) {
    const auto matrix_seconds = [](const std::string& name, std::int64_t rows, std::int64_t cols) {
        KernelWork work = kernel(0, 1, 1000);
        work.products = {{ElemType::F16, rows, cols, 64, 1, 1e12}};
        work.matrix = 1e12;
        return seconds_of(predict(model("blockscope"), {{work}, {}, {}}, device(name)).terms, "matrix");
    };
    for (const char* hopper : {"h100-sxm5", "h100-pcie", "h200"}) {
        EXPECT_NEAR(matrix_seconds(hopper, 16, 128) / matrix_seconds(hopper, 64, 128), 0.94 / 0.63, 1e-6);
        EXPECT_NEAR(matrix_seconds(hopper, 64, 32) / matrix_seconds(hopper, 64, 64), 0.94 / 0.63, 1e-6)
            << "66% of 94% is under the 63% of 16-row instructions";
    }
    EXPECT_NEAR(matrix_seconds("a100-pcie-40gb", 16, 128) / matrix_seconds("a100-pcie-40gb", 64, 128), 1,
                1e-6);
    for (const ModelParameter& p : blockscope_parameters(DeviceKind::Gpu)) {
        if (p.name.rfind("columns_", 0) != 0) continue;
        EXPECT_EQ(p.otherwise, 1) << "nothing of one device in the code";
    }
}

TEST(Devices, SayWhatHoldsATasksValues) {
    EXPECT_EQ(local_level(device("h100-sxm5"))->name, "shared");
    EXPECT_EQ(local_capacity(*local_level(device("h100-sxm5"))), 232448);
    EXPECT_EQ(local_level(device("xeon-8480"))->name, "L2");
}

TEST(Numbers, two_that_differ_are_seen_to) {
    const TwoTexts same = bytes_texts_of(440e6, 440e6);
    EXPECT_EQ(same.before, "440 MB");
    EXPECT_EQ(same.after, "440 MB");
    const TwoTexts far = bytes_texts_of(471e6, 439e6);
    EXPECT_EQ(far.before, "471 MB");
    EXPECT_EQ(far.after, "439 MB");
    const TwoTexts near = bytes_texts_of(440'401'920, 440'385'536);
    EXPECT_EQ(near.before, "440.40 MB");
    EXPECT_EQ(near.after, "440.39 MB");
    const TwoTexts nearest = bytes_texts_of(1'000'000'000'001, 1'000'000'000'000);
    EXPECT_NE(nearest.before, nearest.after);
}

TEST(Texts, AreShort) {
    EXPECT_EQ(seconds_text(1.5e-3), "1.50 ms");
    EXPECT_EQ(seconds_text(0.9999e-3), "1.00 ms");
    EXPECT_EQ(seconds_text(25.25e-6), "25.2 µs");
    EXPECT_EQ(seconds_text(0), "0.00 ns");
    EXPECT_EQ(bytes_text_of(67108864), "67.1 MB");
    EXPECT_EQ(rate_text(3.352e12, "B"), "3.35 TB/s");
}

}  // namespace
}  // namespace blockscope::test

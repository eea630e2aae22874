// Device descriptions: all built-in ones load, every figure has a source, what the sources state agrees with
// itself, and bad descriptions are refused with a place.

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/json/device_files.h"

namespace blockscope::test {
namespace {

namespace fs = std::filesystem;

const Device& device(const std::string& name) {
    const Device* found = find_device(builtin_devices(), name);
    if (!found) throw std::runtime_error("no device " + name);
    return *found;
}

TEST(Devices, AllOfTheListAreBuiltIn) {
    for (const char* name : {"a100-pcie-40gb", "a100-sxm-80gb", "h100-sxm5", "h100-pcie", "h200", "rtx-3080",
                             "rtx-4090", "l4", "b200", "epyc-9755", "ryzen-9-9950x", "xeon-8480"})
        EXPECT_NE(find_device(builtin_devices(), name), nullptr) << name;
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(BLOCKSCOPE_SOURCE_DIR "/resources/devices")) {
        if (entry.path().extension() != ".json") continue;
        ++files;
        EXPECT_NE(find_device(builtin_devices(), entry.path().stem().string()), nullptr) << entry.path();
    }
    EXPECT_EQ(files, builtin_devices().size());
}

TEST(Devices, EveryFigureHasASource) {
    for (const Device& d : builtin_devices()) {
        EXPECT_GE(known_figures(d).size(), 20U) << d.name;
        for (const NamedFigure& named : known_figures(d)) {
            EXPECT_NE(source_of(d, *named.figure), nullptr) << d.name << " " << named.name;
        }
        for (const MatrixTile& tile : d.tiles) {
            DeviceFigure figure;
            figure.source = tile.source;
            EXPECT_NE(source_of(d, figure), nullptr) << d.name << " " << tile.instruction;
        }
    }
}

// BLOCKSCOPE_UPDATE=1 writes the files anew, formatted.
TEST(Devices, AreWrittenAsTheyStand) {
    for (const Device& d : builtin_devices()) {
        const std::string path = BLOCKSCOPE_SOURCE_DIR "/resources/devices/" + d.name + ".json";
        if (std::getenv("BLOCKSCOPE_UPDATE")) std::ofstream(path) << write_json(d);
        const Result<Device> again = read_device(write_json(d), "again");
        ASSERT_TRUE(again) << to_string(again.problems().front());
        EXPECT_EQ(*again, d);
        std::ifstream file(path);
        EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), write_json(d));
    }
}

// A peak that a data sheet states is what its processors do per clock, within its rounding.
TEST(Devices, PeaksAreRatesTimesClock) {
    for (const Device& d : builtin_devices())
        for (const PeakRate& rate : d.rates) {
            if (!rate.peak.known() || !rate.per_clock.known()) continue;
            const DeviceFigure& clock =
                rate.unit == Unit::Matrix && rate.elem != ElemType::F32 && d.matrix_clock.known()
                    ? d.matrix_clock
                    : d.clock;
            EXPECT_NEAR(rate.per_clock.value * d.processors.value * clock.value / rate.peak.value, 1, 0.01)
                << d.name;
        }
}

// FlashAttention on a Napkin, section 5: what its configuration of FP8 attention on Hopper takes as given.
TEST(Devices, H100IsTheNapkinsHopper) {
    const Device& h100 = device("h100-sxm5");
    EXPECT_EQ(h100.processors.value, 132);
    EXPECT_EQ(h100.matrix_clock.value, 1.83e9);
    EXPECT_EQ(global_memory(h100).bandwidth.value, 3352e9);
    const double clock = h100.matrix_clock.value;
    const auto per_clock = [&](ElemType elem) { return processor_rate(h100, Unit::Matrix, elem) / clock; };
    EXPECT_NEAR(per_clock(ElemType::E4M3), 8192, 8);  // Table 3: operations per clock of the tensor cores
    EXPECT_NEAR(per_clock(ElemType::F16), 4096, 4);
    EXPECT_EQ(processor_rate(h100, Unit::Special, ElemType::F32) / h100.clock.value, 16);
    EXPECT_EQ(processor_rate(h100, Unit::Vector, ElemType::F16) / h100.clock.value, 512);
    const MemoryLevel& shared = *first_level(h100, LevelRole::Shared);
    EXPECT_EQ(shared.block_capacity.value, 227 * 1024);
    EXPECT_EQ(first_level(h100, LevelRole::Registers)->capacity.value, 256 * 1024);
    EXPECT_EQ(h100.transaction.value * 4, h100.line.value);
}

// Appendix B.0.1: attention with d = 128 in steps of 64 keys, FP8 for Q·K and FP16 for P·V (Table 3), takes
// at least 6 clocks a thread and step: it is not bandwidth-bound from 295 queries on; ideal 1.32 PFLOP/s.
TEST(Devices, H100GivesTheNapkinsBounds) {
    const Device& h100 = device("h100-sxm5");
    const double f = h100.matrix_clock.value;
    const double fp8 = processor_rate(h100, Unit::Matrix, ElemType::E4M3) / f;
    const double fp16 = processor_rate(h100, Unit::Matrix, ElemType::F16) / f;
    const double ops = 2 * 128 * 64;
    const double clocks = ops / fp8 + ops / fp16;
    EXPECT_NEAR(clocks, 6, 0.01);
    const double bytes = 64 * 128 * (1 + 2);  // a block of K and one of V
    const double per_sm = global_memory(h100).bandwidth.value / h100.processors.value;
    EXPECT_NEAR(f * bytes / (clocks * per_sm), 295, 1);
    EXPECT_NEAR(2 * ops / clocks * h100.processors.value * f / 1e15, 1.32, 0.005);
}

TEST(Devices, TypesThatAreNotListedHaveTheRateOfWiderOnes) {
    const Device& a100 = device("a100-pcie-40gb");
    EXPECT_EQ(device_rate(a100, Unit::Matrix, ElemType::E4M3),
              device_rate(a100, Unit::Matrix, ElemType::BF16));
    EXPECT_EQ(device_rate(a100, Unit::Matrix, ElemType::F16), 312e12);
    EXPECT_NEAR(device_rate(a100, Unit::Matrix, ElemType::F32), 19.5e12, 0.05e12);
    EXPECT_EQ(device_rate(a100, Unit::Special, ElemType::BF16),
              device_rate(a100, Unit::Special, ElemType::F32));
}

TEST(Devices, CachesGrowWithTheProcessorsThatBringTheirOwn) {
    const Device& epyc = device("epyc-9755");
    const MemoryLevel& l3 = epyc.memory[2];
    EXPECT_EQ(capacity_for(epyc, l3, 1), 32 << 20);
    EXPECT_EQ(capacity_for(epyc, l3, 8), 4 << 20);
    EXPECT_EQ(capacity_for(epyc, l3, 128), 4 << 20);
    EXPECT_EQ(bandwidth_for(epyc, l3, 1), l3.processor_bandwidth.value);
    EXPECT_EQ(bandwidth_for(epyc, l3, 16), 2 * l3.bandwidth.value);
    const MemoryLevel& memory = global_memory(epyc);
    EXPECT_EQ(bandwidth_for(epyc, memory, 2), 2 * memory.processor_bandwidth.value);
    EXPECT_EQ(bandwidth_for(epyc, memory, 128), memory.bandwidth.value);
}

// ---- What is refused.

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("no " + from);
    return text.replace(at, from.size(), to);
}

std::string refusal(const std::string& text) {
    const Result<Device> read = read_device(text, "d.json");
    return read ? "accepted" : to_string(read.problems().front());
}

TEST(Devices, BadOnesAreRefusedWithAPlace) {
    const std::string good = write_json(device("h100-sxm5"));
    EXPECT_EQ(refusal(good), "accepted");
    EXPECT_EQ(refusal(replaced(good, "\"value\": 132", "\"value\": -132")),
              "d.json#/processors/value: expected a number from 1e-30 to 1e+30, found -132");
    EXPECT_EQ(refusal(replaced(good, "\"value\": 132", "\"value\": 1e300")),
              "d.json#/processors/value: expected a number from 1e-30 to 1e+30, found 1e+300");
    EXPECT_EQ(refusal(replaced(good, "\"value\": 132", "\"value\": 0.5")),
              "d.json#/processors: expected 1 to 1000000 processors");
    EXPECT_EQ(refusal(replaced(good, "\"value\": 132", "\"value\": \"132\"")),
              "d.json#/processors/value: expected a finite number, found the string \"132\"");
    EXPECT_THAT(refusal(replaced(good, "\"source\": \"h100-wp\"", "\"source\": \"rumour\"")),
                testing::HasSubstr("expected the id of one of /sources, found the string \"rumour\""));
    EXPECT_THAT(refusal(replaced(good, "\"kind\": \"gpu\"", "\"kind\": \"tpu\"")),
                testing::StartsWith("d.json#/kind: expected"));
    EXPECT_THAT(refusal(replaced(good, "\"launch\"", "\"lunch\"")),
                testing::HasSubstr("found the unknown key \"lunch\""));
    EXPECT_THAT(refusal(replaced(good, "\"role\": \"memory\"", "\"role\": \"cache\"")),
                testing::HasSubstr("d.json#/memory: the last level, and no other"));
    EXPECT_THAT(refusal(replaced(good, "\"unit\": \"special\"", "\"unit\": \"vector\"")),
                testing::HasSubstr("stands twice"));
    EXPECT_THAT(refusal(replaced(good, "\"name\": \"h100-sxm5\"", "\"name\": \"../x\"")),
                testing::HasSubstr("d.json#/name: expected a name of letters"));
    for (const char* control : {"\\u001b[31mred", "two\\nlines", "\\u009b31m"})
        EXPECT_EQ(
            refusal(replaced(good, "\"title\": \"NVIDIA H100 SXM5", std::string("\"title\": \"") + control)),
            "d.json#/title: a text has no control characters")
            << control;
    EXPECT_THAT(refusal("{\"format\": \"blockscope device\", \"version\": 2}"),
                testing::HasSubstr("d.json#/version"));
}

TEST(Devices, UsersReplaceAndAddThem) {
    const fs::path folder = fs::path(testing::TempDir()) / "blockscope-devices";
    fs::remove_all(folder);
    fs::create_directories(folder);
    Device mine = device("h200");
    mine.title = "mine";
    std::ofstream(folder / "a.json") << write_json(mine);
    mine.name = "h200-of-mine";
    std::ofstream(folder / "b.json") << write_json(mine);
    std::ofstream(folder / "broken.json") << "{";
    mine.name = kLocalCpu;
    std::ofstream(folder / "local") << write_json(mine);
    const DeviceList list = load_devices(folder, folder / "local");
    EXPECT_EQ(list.devices.size(), builtin_devices().size() + 2);
    EXPECT_EQ(find_device(list.devices, "h200")->title, "mine");
    EXPECT_NE(find_device(list.devices, "h200-of-mine"), nullptr);
    EXPECT_NE(find_device(list.devices, kLocalCpu), nullptr);
    ASSERT_EQ(list.problems.size(), 1U);
    EXPECT_THAT(list.problems[0].place.file, testing::EndsWith("broken.json"));
    fs::remove_all(folder);
    EXPECT_EQ(load_devices(folder, folder / "local").devices.size(), builtin_devices().size());
}

}  // namespace
}  // namespace blockscope::test

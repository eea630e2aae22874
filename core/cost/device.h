// What a device is able to do: its memory levels, peak rates, processors and limits, each figure with its
// source, and whether measured figures are possible. Descriptions are JSON (docs/devices.md,
// core/json/device_files.h); time models read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/type.h"
#include "core/support/text.h"

namespace blockscope {

// A number and where it comes from. Figures are positive; 0 means that it is not known.
struct DeviceFigure {
    double value = 0;
    std::string source;  // id of one of Device::sources
    std::string how;     // derivation or circumstances, if it is not simply what the source says
    bool known() const { return value > 0; }
    bool operator==(const DeviceFigure&) const = default;
};

struct Source {
    std::string id;
    std::string title;
    std::string url;  // may be empty
    bool operator==(const Source&) const = default;
};

enum class DeviceKind : std::uint8_t { Gpu, Cpu };

// Which processors share one instance of a memory level.
enum class Share : std::uint8_t { Device, Group, Processor };

enum class LevelRole : std::uint8_t {
    Registers,
    Shared,  // programmed local memory of a thread block
    Cache,   // fills by itself
    Memory,  // global memory
};

struct MemoryLevel {
    std::string name;  // "registers", "shared", "L1", "L2", "L3", "HBM3", "DDR5"
    LevelRole role = LevelRole::Cache;
    Share per = Share::Device;
    DeviceFigure capacity;             // bytes of one instance
    DeviceFigure block_capacity;       // of Shared: bytes that one thread block may have
    DeviceFigure bandwidth;            // bytes/s that one instance gives all who share it together
    DeviceFigure processor_bandwidth;  // bytes/s that one processor alone draws, where it is less
    bool operator==(const MemoryLevel&) const = default;
};

enum class Unit : std::uint8_t { Matrix, Vector, Special };

// Operations of one unit: matrix and vector rates count FLOPs, a multiply-add being two; special rates count
// elements (one exp or log each).
struct PeakRate {
    Unit unit = Unit::Vector;
    ElemType elem = ElemType::F32;
    DeviceFigure per_clock;  // of one processor
    DeviceFigure peak;       // per second, of the device; unknown: per_clock x processors x clock
    bool operator==(const PeakRate&) const = default;
};

// What the sides of a matrix product have to divide by for one matrix instruction.
struct MatrixTile {
    ElemType elem = ElemType::F16;
    std::string instruction;  // "wgmma.m64nNk16"
    int rows = 1;
    int cols = 1;
    int depth = 1;
    std::string source;
    bool operator==(const MatrixTile&) const = default;
};

// A measured block product: rows x depth times depth x cols on one processor, operands in its caches.
struct MatmulPoint {
    ElemType elem = ElemType::F32;
    int rows = 1;
    int cols = 1;
    int depth = 1;
    DeviceFigure rate;  // FLOPs per second
    bool operator==(const MatmulPoint&) const = default;
};

// A free parameter of a time model for this device (docs/devices.md).
struct Parameter {
    std::string name;
    DeviceFigure figure;
    bool operator==(const Parameter&) const = default;
};

// Present if figures were measured on the machine itself.
struct Calibration {
    std::string when;     // ISO 8601, UTC
    std::string machine;  // host, processor
    std::string how;      // what measured it: program, version, conditions
    bool operator==(const Calibration&) const = default;
};

struct Limits {
    DeviceFigure threads_per_warp;
    DeviceFigure threads_per_block;
    DeviceFigure threads_per_processor;
    DeviceFigure blocks_per_processor;
    DeviceFigure registers_per_thread;  // of 32 bits
    bool operator==(const Limits&) const = default;
};

struct Device {
    std::string name;   // "h100-sxm5": letters, digits, '-', '_', '.'
    std::string title;  // "NVIDIA H100 SXM5 80 GB"
    DeviceKind kind = DeviceKind::Cpu;
    std::vector<Source> sources;
    std::optional<Calibration> calibration;

    DeviceFigure processors;    // SMs or cores
    DeviceFigure group;         // processors that share a level with Share::Group
    DeviceFigure clock;         // Hz, of vector and special units
    DeviceFigure base_clock;    // Hz
    DeviceFigure matrix_clock;  // Hz, where matrix rates of 8- and 16-bit types are stated at another one
    DeviceFigure vector_bits;   // of one vector register (CPU)
    DeviceFigure line;          // bytes of a cache line
    DeviceFigure transaction;   // bytes of the smallest transfer from memory
    DeviceFigure
        launch;  // seconds from one kernel to the next (GPU), or of starting and joining all workers (CPU)
    DeviceFigure task;  // seconds of handing one task to a processor

    std::vector<MemoryLevel> memory;  // from the processor outwards; the last has the role Memory
    std::vector<PeakRate> rates;
    std::vector<MatrixTile> tiles;
    Limits limits;
    std::vector<MatmulPoint> matmul;
    std::vector<Parameter> parameters;

    // What kernels are generated for, where somebody asks for it: "f32", "sm_80"; empty: what suits the card.
    // Times are of those kernels. In no description's file.
    std::string target = {};
    bool operator==(const Device&) const = default;
};

constexpr const char* kLocalCpu = "local-cpu";  // the name of the calibrated machine itself

// Global memory. Every device that was read has it.
const MemoryLevel& global_memory(const Device& device);
// The level with this role nearest to the processor, null if there is none.
const MemoryLevel* first_level(const Device& device, LevelRole role);

// What holds a task's values: shared memory of a GPU, the private level-2 cache (else the nearest one) of a
// processor's core. Null if there is none.
const MemoryLevel* local_level(const Device& device);
// Bytes of a level that one task may have: of registers, what its sums may, as addresses and operands on
// their way take some, too.
double local_capacity(const MemoryLevel& level);

// The rate of a unit for one processor, and for the device, in operations per second. A type that is not
// listed has the rate of the next wider one that is (E5M2 that of E4M3, F16 and BF16 each other's, else
// F32's); 0 if there is none.
double processor_rate(const Device& device, Unit unit, ElemType elem);
double device_rate(const Device& device, Unit unit, ElemType elem);
// Operations per clock of one processor: the same rate as the description has it; 0 where it does not say.
double rate_per_clock(const Device& device, Unit unit, ElemType elem);

// Bytes per second that `processors` busy processors draw from a level, all together.
double bandwidth_for(const Device& device, const MemoryLevel& level, double processors);
// Bytes of a level that one of `processors` busy processors has for itself.
double capacity_for(const Device& device, const MemoryLevel& level, double processors);

double parameter(const Device& device, const std::string& name, double otherwise);

// Every figure of a device, with its name in JSON ("memory/2/bandwidth"), for tables and checks.
struct NamedFigure {
    std::string name;
    const DeviceFigure* figure;
};
std::vector<NamedFigure> known_figures(const Device& device);
const Source* source_of(const Device& device, const DeviceFigure& figure);

// What a device's rates and bandwidths are made of: for whoever shows such a number and where it comes from.

// device_rate() as a product: `rate.peak` where the maker states one; else per clock and processor, times
// processors, times this clock.
struct RateParts {
    const PeakRate* rate = nullptr;       // the one that stands for the type asked for; null: none does
    const DeviceFigure* clock = nullptr;  // null where the peak is stated
};
RateParts rate_parts(const Device& device, Unit unit, ElemType elem);

// How many instances of a level `processors` busy processors spread over: what bandwidth_for() multiplies the
// bandwidth of one with.
double instances_of(const Device& device, const MemoryLevel& level, double processors);

// Whether the measured figures of a device are possible. On a busy machine they often are not: a cache comes
// out slower than the memory behind it.

// What of a processor's measured figures contradicts the others, a sentence each: a cache or memory that one
// core reads faster than the level before it, products of larger blocks that are slower than those of smaller
// ones; by more than figures of a calm machine scatter (5% and 15%). Cards are not judged.
std::vector<Text> contradictions(const Device& device);

}  // namespace blockscope

// A state's kernels on a card: its arrays, allocated once and filled and read as numbers, its launches and
// their times.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/graph/type.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/driver/driver.h"
#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::gpu {

// Arrays as the bulk copy engine of a card reads them.

// What the driver makes of a TensorMap: an argument of kernels.
struct alignas(64) EncodedMap {
    std::array<unsigned char, 128> bytes{};
};

// Fails if the driver knows no tensor maps or refuses this one.
measure::Outcome<EncodedMap> encode(CardSession& session, const TensorMap& map, ElemType elem,
                                    DevicePointer address);

// Values that the type does not have are rounded to the nearest, ties to even (measure::round_to).
std::vector<unsigned char> to_bytes(ElemType elem, std::span<const double> values);
std::vector<double> from_bytes(ElemType elem, std::span<const unsigned char> bytes);

// A state's kernels on a card: arrays allocated once, inputs and outputs as numbers, launches and their time.

// One kernel as the driver reports it once it is on the card.
struct KernelFacts {
    std::string kernel;
    int registers = 0;             // of a thread
    int local_bytes = 0;           // of a thread; more than 0 are spilled registers
    int shared_bytes = 0;          // of a thread block, static and dynamic
    int blocks_per_processor = 0;  // that fit at once
};

class CardProgram {
public:
    // Allocates all arrays of the set; fails if they do not fit, or if a launch asks for more than the card
    // has.
    static measure::Outcome<CardProgram> load(const std::shared_ptr<CardSession>& session, KernelSet set,
                                              const Compiled& compiled);

    const KernelSet& set() const { return set_; }
    const std::vector<KernelFacts>& facts() const { return facts_; }  // one per launch
    std::int64_t bytes() const;                                       // of all arrays

    // Values in row-major order, as the element type holds them (f32, f16, bf16). `array` is an index of
    // set().arrays.
    std::optional<measure::Failure> write(int array, std::span<const double> values);
    measure::Outcome<std::vector<double>> read(int array) const;
    // Everything but the inputs becomes NaN.
    std::optional<measure::Failure> poison();
    // All launches, one after the other, `times` over; the seconds between the events before and after them,
    // divided by that.
    measure::Outcome<double> run(int times = 1);

private:
    struct LoadedKernel {
        DriverApi::Handle function = nullptr;
        std::vector<DevicePointer> arguments;
        std::vector<EncodedMap> maps;  // further arguments
    };

    CardProgram(std::shared_ptr<CardSession> session, KernelSet set, CardModule module)
        : session_(std::move(session)), set_(std::move(set)), module_(std::move(module)) {}
    std::optional<measure::Failure> allocate();
    std::optional<measure::Failure> add(const Launch& launch);
    std::optional<measure::Failure> start(const LoadedKernel& kernel, const Launch& launch) const;

    std::shared_ptr<CardSession> session_;
    KernelSet set_;
    CardModule module_;
    std::vector<CardMemory> arrays_;
    std::vector<LoadedKernel> kernels_;  // one per launch
    std::vector<KernelFacts> facts_;
};

}  // namespace blockscope::gpu

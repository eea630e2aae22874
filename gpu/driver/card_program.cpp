#include "gpu/driver/card_program.h"

#include "gpu/driver/elements.h"

namespace blockscope::gpu {

using measure::Failure;
using measure::FailureClass;
using measure::Outcome;

namespace {

constexpr std::int64_t kMostTiles = 0x7fffffff;  // of a grid's x
constexpr int kPlainSharedBytes = 48 * 1024;     // more has to be asked for
constexpr unsigned char kNaN = 0xff;             // in every byte, NaN in every element type

}  // namespace

Outcome<CardProgram> CardProgram::load(const std::shared_ptr<CardSession>& session, KernelSet set,
                                       const Compiled& compiled) {
    Outcome<CardModule> module = CardModule::load(session, compiled.cubin);
    if (!module) return module.failure();
    CardProgram program(session, std::move(set), std::move(module).value());
    if (const auto failure = program.allocate()) return *failure;
    for (const Launch& launch : program.set_.launches)
        if (const auto failure = program.add(launch)) return *failure;
    return program;
}

std::optional<Failure> CardProgram::allocate() {
    for (const DeviceArray& array : set_.arrays) {
        Outcome<CardMemory> memory =
            CardMemory::allocate(session_, array.elements * bytes_per_element(array.elem));
        if (!memory) return memory.failure();
        arrays_.push_back(std::move(memory).value());
        if (!array.zeroed) continue;
        if (auto failure = arrays_.back().fill(0)) return failure;
    }
    return std::nullopt;
}

std::int64_t CardProgram::bytes() const {
    std::int64_t sum = 0;
    for (const CardMemory& memory : arrays_) sum += memory.bytes();
    return sum;
}

// Shared memory is asked for before anything is asked about the kernel: occupancy depends on it.
std::optional<Failure> CardProgram::add(const Launch& launch) {
    const DriverApi& api = session_->api();
    if (launch.tiles > kMostTiles)
        return Failure{FailureClass::Refused,
                       "The kernel " + launch.kernel + " has " + std::to_string(launch.tiles) +
                           " thread blocks; a launch has 2147483647 at most. Choose larger blocks.",
                       {}};
    Outcome<DriverApi::Handle> function = module_.function(launch.kernel);
    if (!function) return function.failure();
    if (launch.shared_bytes > kPlainSharedBytes) {
        const int code = api.set_function_attribute(
            *function, static_cast<int>(FunctionAttribute::MaxDynamicSharedBytes), launch.shared_bytes);
        if (auto failure =
                session_->check(code, std::to_string(launch.shared_bytes) + " bytes of shared memory for " +
                                          launch.kernel + " were asked for"))
            return failure;
    }
    const auto attribute = [&](FunctionAttribute which) {
        int value = 0;
        return api.function_attribute(&value, static_cast<int>(which), *function) == 0 ? value : 0;
    };
    KernelFacts facts;
    facts.kernel = launch.kernel;
    facts.registers = attribute(FunctionAttribute::Registers);
    facts.local_bytes = attribute(FunctionAttribute::LocalBytes);
    facts.shared_bytes = attribute(FunctionAttribute::SharedBytes) + launch.shared_bytes;
    api.occupancy(&facts.blocks_per_processor, *function, launch.threads,
                  static_cast<std::size_t>(launch.shared_bytes));
    facts_.push_back(facts);
    Kernel kernel{*function, {}, {}};
    for (const int array : launch.arrays)
        kernel.arguments.push_back(arrays_.at(static_cast<std::size_t>(array)).address());
    for (const TensorMap& map : launch.maps) {
        const auto array = static_cast<std::size_t>(map.array);
        auto encoded = encode(*session_, map, set_.arrays.at(array).elem, arrays_.at(array).address());
        if (!encoded) return encoded.failure();
        kernel.maps.push_back(*encoded);
    }
    kernels_.push_back(std::move(kernel));
    return std::nullopt;
}

std::optional<Failure> CardProgram::write(int array, std::span<const double> values) {
    const DeviceArray& which = set_.arrays.at(static_cast<std::size_t>(array));
    return arrays_.at(static_cast<std::size_t>(array)).write(to_bytes(which.elem, values));
}

Outcome<std::vector<double>> CardProgram::read(int array) const {
    const DeviceArray& which = set_.arrays.at(static_cast<std::size_t>(array));
    std::vector<unsigned char> bytes(
        static_cast<std::size_t>(which.elements * bytes_per_element(which.elem)));
    if (const auto failure = arrays_.at(static_cast<std::size_t>(array)).read(bytes)) return *failure;
    return from_bytes(which.elem, bytes);
}

std::optional<Failure> CardProgram::poison() {
    for (std::size_t i = 0; i < arrays_.size(); ++i)
        if (set_.arrays[i].kind != DeviceArray::Kind::Input)
            if (auto failure = arrays_[i].fill(set_.arrays[i].zeroed ? 0 : kNaN)) return failure;
    return session_->wait("outputs were filled");
}

Outcome<double> CardProgram::run(int times) {
    const Outcome<double> seconds = session_->time([this, times]() -> std::optional<Failure> {
        for (int time = 0; time < times; ++time)
            for (std::size_t i = 0; i < kernels_.size(); ++i)
                if (auto failure = start(kernels_[i], set_.launches[i])) return failure;
        return std::nullopt;
    });
    if (!seconds) return seconds.failure();
    return *seconds / times;
}

std::optional<Failure> CardProgram::start(const Kernel& kernel, const Launch& launch) const {
    std::vector<void*> parameters;
    for (const DevicePointer& argument : kernel.arguments)
        parameters.push_back(const_cast<DevicePointer*>(&argument));  // the driver copies them
    for (const EncodedMap& map : kernel.maps) parameters.push_back(const_cast<EncodedMap*>(&map));
    const int code = session_->api().launch(
        kernel.function, static_cast<unsigned>(launch.tiles), 1, 1, static_cast<unsigned>(launch.threads), 1,
        1, static_cast<unsigned>(launch.shared_bytes), session_->stream(), parameters.data(), nullptr);
    return session_->check(code, "the kernel " + launch.kernel + " was started");
}

}  // namespace blockscope::gpu

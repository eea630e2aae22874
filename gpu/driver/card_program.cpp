#include "gpu/driver/card_program.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/measure/reference.h"

namespace blockscope::gpu {

using measure::Failure;
using measure::FailureClass;
using measure::Outcome;

namespace {

// Numbers of the driver's interface.
constexpr int kNoInterleaving = 0;
constexpr int kSwizzle128Bytes = 3;
constexpr int kLinesOf128InL2 = 2;  // a box's line is read as a whole
constexpr int kZerosOutside = 0;

}  // namespace

Outcome<EncodedMap> encode(CardSession& session, const TensorMap& map, ElemType elem, DevicePointer address) {
    const DriverApi& api = session.api();
    if (!api.encode_tensor_map)
        return Failure{
            FailureClass::Refused,
            Text("The driver knows no tensor maps, which kernels for sm_90a need; it is older than CUDA 12."),
            {}};
    const std::vector<unsigned long long> sizes(map.sizes.begin(), map.sizes.end());
    const std::vector<unsigned long long> strides(map.strides.begin() + 1, map.strides.end());
    const std::vector<unsigned> box(map.box.begin(), map.box.end());
    const std::vector<unsigned> every(map.box.size(), 1);
    EncodedMap encoded;
    const int code = api.encode_tensor_map(
        encoded.bytes.data(), tensor_map_type(elem), static_cast<unsigned>(sizes.size()),
        reinterpret_cast<void*>(address), sizes.data(), strides.data(), box.data(), every.data(),
        kNoInterleaving, kSwizzle128Bytes, kLinesOf128InL2, kZerosOutside);
    if (auto failure = session.check(code, Text("an array was described for the copy engine")))
        return *failure;
    return encoded;
}

namespace {

constexpr std::uint16_t kHalfInfinity = 0x7c00;

std::uint16_t bf16_bits(double value) {
    const auto bits =
        std::bit_cast<std::uint32_t>(static_cast<float>(measure::round_to(ElemType::BF16, value)));
    return static_cast<std::uint16_t>(bits >> 16U);
}

std::uint16_t f16_bits(double given) {
    const double value = measure::round_to(ElemType::F16, given);
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000U : 0U);
    const double size = std::abs(value);
    if (std::isnan(value)) return static_cast<std::uint16_t>(sign | kHalfInfinity | 1U);
    if (std::isinf(value)) return static_cast<std::uint16_t>(sign | kHalfInfinity);
    if (size < 0x1p-14) return static_cast<std::uint16_t>(sign | static_cast<unsigned>(std::ldexp(size, 24)));
    const int exponent = std::ilogb(size);
    const auto fraction = static_cast<unsigned>(std::ldexp(size, 10 - exponent)) - 1024U;
    return static_cast<std::uint16_t>(sign | static_cast<unsigned>(exponent + 15) << 10U | fraction);
}

double f16_value(std::uint16_t bits) {
    const double sign = bits & 0x8000U ? -1 : 1;
    const int exponent = static_cast<int>(bits >> 10U & 31U);
    const int fraction = static_cast<int>(bits & 1023U);
    if (exponent == 31) return fraction ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
}

// A type of 8 bits: a sign, an exponent, so many bits of a fraction. Without infinities (e4m3) all but one of
// the largest exponent's numbers are finite.
struct Small {
    int fraction;
    int bias;
    bool infinite;
};
constexpr Small kE4M3{3, 7, false};
constexpr Small kE5M2{2, 15, true};

std::uint8_t small_bits(const Small& type, ElemType elem, double given) {
    const auto sign = static_cast<unsigned>(std::signbit(given) ? 0x80U : 0U);
    const double size = std::abs(measure::round_to(elem, given));
    if (std::isnan(size)) return static_cast<std::uint8_t>(sign | 0x7fU);
    if (size == 0) return static_cast<std::uint8_t>(sign);
    const int lowest = 1 - type.bias;
    const int exponent = std::max(std::ilogb(size), lowest);
    const auto steps =
        static_cast<unsigned>(std::ldexp(size, type.fraction - exponent));  // with the hidden bit
    return static_cast<std::uint8_t>(sign |
                                     ((static_cast<unsigned>(exponent - lowest) << type.fraction) + steps));
}

double small_value(const Small& type, std::uint8_t bits) {
    const double sign = bits & 0x80U ? -1 : 1;
    const int exponent = (bits & 0x7f) >> type.fraction;
    const int fraction = bits & ((1 << type.fraction) - 1);
    const int largest = 0x7f >> type.fraction;
    if (type.infinite && exponent == largest) return fraction ? NAN : sign * INFINITY;
    if (!type.infinite && (bits & 0x7f) == 0x7f) return NAN;
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - type.bias - type.fraction);
    return sign * std::ldexp((1 << type.fraction) + fraction, exponent - type.bias - type.fraction);
}

template <class Bits, class Encode>
std::vector<unsigned char> encode(std::span<const double> values, Encode bits_of) {
    std::vector<unsigned char> bytes(values.size() * sizeof(Bits));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Bits bits = bits_of(values[i]);
        std::memcpy(&bytes[i * sizeof(Bits)], &bits, sizeof(Bits));
    }
    return bytes;
}

template <class Bits, class Decode>
std::vector<double> decode(std::span<const unsigned char> bytes, Decode value_of) {
    std::vector<double> values(bytes.size() / sizeof(Bits));
    for (std::size_t i = 0; i < values.size(); ++i) {
        Bits bits{};
        std::memcpy(&bits, &bytes[i * sizeof(Bits)], sizeof(Bits));
        values[i] = value_of(bits);
    }
    return values;
}

}  // namespace

std::vector<unsigned char> to_bytes(ElemType elem, std::span<const double> values) {
    if (elem == ElemType::F32) return encode<float>(values, [](double x) { return static_cast<float>(x); });
    if (elem == ElemType::BF16) return encode<std::uint16_t>(values, bf16_bits);
    if (elem == ElemType::F16) return encode<std::uint16_t>(values, f16_bits);
    const Small& type = elem == ElemType::E4M3 ? kE4M3 : kE5M2;
    return encode<std::uint8_t>(values, [&](double x) { return small_bits(type, elem, x); });
}

std::vector<double> from_bytes(ElemType elem, std::span<const unsigned char> bytes) {
    if (elem == ElemType::F32) return decode<float>(bytes, [](float x) { return static_cast<double>(x); });
    if (elem == ElemType::BF16)
        return decode<std::uint16_t>(bytes, [](std::uint16_t bits) {
            return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U));
        });
    if (elem == ElemType::F16) return decode<std::uint16_t>(bytes, f16_value);
    const Small& type = elem == ElemType::E4M3 ? kE4M3 : kE5M2;
    return decode<std::uint8_t>(bytes, [&](std::uint8_t bits) { return small_value(type, bits); });
}

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
        return Failure{
            FailureClass::Refused,
            Text("The kernel %1 has %2 thread blocks; a launch has 2147483647 at most. Choose larger blocks.",
                 launch.kernel, launch.tiles),
            {}};
    Outcome<DriverApi::Handle> function = module_.function(launch.kernel);
    if (!function) return function.failure();
    if (launch.shared_bytes > kPlainSharedBytes) {
        const int code = api.set_function_attribute(
            *function, static_cast<int>(FunctionAttribute::MaxDynamicSharedBytes), launch.shared_bytes);
        if (auto failure = session_->check(code, Text("%1 bytes of shared memory for %2 were asked for",
                                                      launch.shared_bytes, launch.kernel)))
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
    LoadedKernel kernel{*function, {}, {}};
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
    return session_->wait(Text("outputs were filled"));
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

std::optional<Failure> CardProgram::start(const LoadedKernel& kernel, const Launch& launch) const {
    std::vector<void*> parameters;
    for (const DevicePointer& argument : kernel.arguments)
        parameters.push_back(const_cast<DevicePointer*>(&argument));  // the driver copies them
    for (const EncodedMap& map : kernel.maps) parameters.push_back(const_cast<EncodedMap*>(&map));
    const int code = session_->api().launch(
        kernel.function, static_cast<unsigned>(launch.tiles), 1, 1, static_cast<unsigned>(launch.threads), 1,
        1, static_cast<unsigned>(launch.shared_bytes), session_->stream(), parameters.data(), nullptr);
    return session_->check(code, Text("the kernel %1 was started", launch.kernel));
}

}  // namespace blockscope::gpu

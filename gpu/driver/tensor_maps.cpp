#include "gpu/driver/tensor_maps.h"

namespace blockscope::gpu {

using measure::Failure;
using measure::FailureClass;
using measure::Outcome;

namespace {

// Numbers of the driver's interface.
constexpr int kNoInterleaving = 0;
constexpr int kSwizzle128Bytes = 3;
constexpr int kNoPromotion = 0;
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
        kNoInterleaving, kSwizzle128Bytes, kNoPromotion, kZerosOutside);
    if (auto failure = session.check(code, Text("an array was described for the copy engine")))
        return *failure;
    return encoded;
}

}  // namespace blockscope::gpu

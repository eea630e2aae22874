// Arrays as the bulk copy engine of a card reads them.
#pragma once

#include <array>

#include "gpu/codegen/kernel_set.h"
#include "gpu/driver/card_session.h"

namespace blockscope::gpu {

// What the driver makes of a TensorMap: an argument of kernels.
struct alignas(64) EncodedMap {
    std::array<unsigned char, 128> bytes{};
};

// Fails if the driver knows no tensor maps or refuses this one.
measure::Outcome<EncodedMap> encode(CardSession& session, const TensorMap& map, ElemType elem,
                                    DevicePointer address);

}  // namespace blockscope::gpu

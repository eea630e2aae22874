// The texts of resources/devices; CMake makes the table (core/json/CMakeLists.txt).
#pragma once

#include <vector>

namespace blockscope {

struct EmbeddedDevice {
    const char* name;
    const char* text;
};

const std::vector<EmbeddedDevice>& embedded_devices();

}  // namespace blockscope

// Device descriptions as JSON ("blockscope device", version 1; docs/devices.md). Readers refuse what is no
// device: unknown keys, figures that are not positive or have no source, no global memory, no rates.
#pragma once

#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/support/result.h"

namespace blockscope {

std::string write_json(const Device& device);
Result<Device> read_device(const std::string& text, const std::string& file);

}  // namespace blockscope

namespace blockscope::json {

// Spellings of device descriptions, in the order of their enumerations.

constexpr const char* kDeviceFormat = "blockscope device";

inline const std::vector<std::string>& device_kind_names() {
    static const std::vector<std::string> names = {"gpu", "cpu"};
    return names;
}
inline const std::vector<std::string>& share_names() {
    static const std::vector<std::string> names = {"device", "group", "processor"};
    return names;
}
inline const std::vector<std::string>& level_role_names() {
    static const std::vector<std::string> names = {"registers", "shared", "cache", "memory"};
    return names;
}
inline const std::vector<std::string>& unit_names() {
    static const std::vector<std::string> names = {"matrix", "vector", "special"};
    return names;
}

}  // namespace blockscope::json

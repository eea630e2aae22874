// Spellings of device descriptions, in the order of their enumerations.
#pragma once

#include <string>
#include <vector>

namespace blockscope::json {

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

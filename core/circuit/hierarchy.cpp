#include <algorithm>

#include "core/circuit/place.h"

namespace blockscope::circuit {

namespace {

// What only caches for all processors together, outermost first.
std::vector<std::string> shared_caches(const Device& device) {
    std::vector<std::string> names;
    for (const MemoryLevel& level : device.memory)
        if (level.role == LevelRole::Cache && level.per != Share::Processor)
            names.insert(names.begin(), level.name);
    return names;
}

}  // namespace

Hierarchy hierarchy_of(const Device& device, bool caches, bool fragments) {
    Hierarchy made;
    made.names = {global_memory(device).name};
    if (caches)
        for (const std::string& name : shared_caches(device)) made.names.push_back(name);
    made.local = static_cast<int>(made.names.size());
    made.fragments = fragments;
    if (device.kind == DeviceKind::Gpu) {
        for (const char* name : {"shared", "registers", "tensor cores"}) made.names.emplace_back(name);
        made.threads = made.local + 1;
        made.matrix = made.local + 2;
        return made;
    }
    std::vector<std::string> own;
    for (const MemoryLevel& level : device.memory)
        if (level.role == LevelRole::Cache && level.per == Share::Processor) own.push_back(level.name);
    if (own.empty()) own.emplace_back("local");
    made.names.push_back(own.back());
    if (own.size() > 1) made.names.push_back(own.front());
    made.threads = made.matrix = made.lowest();
    return made;
}

}  // namespace blockscope::circuit

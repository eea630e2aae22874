// Where device descriptions come from: built in (resources/devices, part of the executable), the user's
// folder, the calibrated machine itself.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/support/result.h"

namespace blockscope {

// The descriptions of resources/devices, in order of their names.
const std::vector<Device>& builtin_devices();

// $XDG_CONFIG_HOME/blockscope/devices, or ~/.config/blockscope/devices. Empty without either variable.
std::filesystem::path user_device_folder();
// $XDG_CACHE_HOME/blockscope/local-cpu.json, or ~/.cache/blockscope/local-cpu.json: what `calibrate` writes.
std::filesystem::path local_cpu_file();

// What `calibrate` writes for a device of a worker: "local-cuda0.json" beside local_cpu_file(), and
// "remote-HOST-cuda0.json" of another machine. The description has that name, too.
std::string calibrated_name(const std::string& host, const std::string& device);
std::filesystem::path calibrated_file(const std::string& name);

// What times are predicted for where no device is named, in every command and in the window: this machine's
// processor if it is calibrated, else a card that is described.
constexpr const char* kUsualCard = "h100-sxm5";
// What runs on this machine's processors is rated for this one where the machine is not calibrated: a card
// would prefer states that repeat more work than a processor has time for.
constexpr const char* kUsualProcessor = "epyc-9755";
// kLocalCpu or kUsualCard.
std::string usual_device();

Result<Device> read_device_file(const std::filesystem::path& file);
// Written beside its place and moved there, so that nobody reads half of it; makes the folder if need be.
// Returns what went wrong.
std::optional<Problem> write_device_file(const std::filesystem::path& file, const Device& device);

struct DeviceList {
    std::vector<Device> devices;  // by name; a user's description replaces a built-in one of its name
    Problems problems;            // of files that were left out
};
// Built-in devices, those of `folder` (each *.json), and of `local_cpu` and the other calibrated ones beside
// it, if these exist.
DeviceList load_devices(const std::filesystem::path& folder = user_device_folder(),
                        const std::filesystem::path& local_cpu = local_cpu_file());

// The device of this name, null if there is none.
const Device* find_device(const std::vector<Device>& devices, const std::string& name);

// ---- The texts of resources/devices; CMake makes the table (core/json/CMakeLists.txt).

struct EmbeddedDevice {
    const char* name;
    const char* text;
};

const std::vector<EmbeddedDevice>& embedded_devices();

// ---- Device descriptions as JSON ("blockscope device", version 1; docs/devices.md). Readers refuse what is
// no device: unknown keys, figures that are not positive or have no source, no global memory, no rates.

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

#include "core/json/device_files.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "core/json/device_json.h"
#include "core/json/embedded_devices.h"
#include "core/json/value.h"
#include "core/support/whole_file.h"

namespace blockscope {

namespace {

namespace fs = std::filesystem;

// $`variable`/blockscope, or `fallback` in the home directory.
fs::path folder_of(const char* variable, const char* fallback) {
    const char* set = std::getenv(variable);
    if (set && fs::path(set).is_absolute()) return fs::path(set) / "blockscope";
    const char* home = std::getenv("HOME");
    return home && *home ? fs::path(home) / fallback / "blockscope" : fs::path();
}

std::vector<Device> read_embedded() {
    std::vector<Device> devices;
    for (const EmbeddedDevice& embedded : embedded_devices()) {
        Result<Device> device = read_device(embedded.text, std::string(embedded.name) + ".json");
        if (!device) throw InternalError("built-in device: " + to_string(device.problems().front()));
        devices.push_back(std::move(device).value());
    }
    return devices;
}

void put(std::vector<Device>& devices, Device device) {
    const auto found = std::find_if(devices.begin(), devices.end(),
                                    [&](const Device& other) { return other.name == device.name; });
    if (found == devices.end())
        devices.push_back(std::move(device));
    else
        *found = std::move(device);
}

void take(DeviceList& list, const fs::path& file) {
    Result<Device> device = read_device_file(file);
    if (device)
        put(list.devices, std::move(device).value());
    else
        list.problems.insert(list.problems.end(), device.problems().begin(), device.problems().end());
}

std::vector<fs::path> json_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

bool is_calibrated(const std::string& file) {
    return file.rfind("local-", 0) == 0 || file.rfind("remote-", 0) == 0;
}

}  // namespace

const std::vector<Device>& builtin_devices() {
    static const std::vector<Device> devices = read_embedded();
    return devices;
}

fs::path user_device_folder() {
    const fs::path folder = folder_of("XDG_CONFIG_HOME", ".config");
    return folder.empty() ? folder : folder / "devices";
}

fs::path local_cpu_file() {
    return calibrated_file(kLocalCpu);
}

std::string calibrated_name(const std::string& host, const std::string& device) {
    std::string name = (host.empty() ? "local-" : "remote-" + host + "-") + device;
    for (char& c : name)  // of what a description's name may have
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.') c = '_';
    return name;
}

fs::path calibrated_file(const std::string& name) {
    const fs::path folder = folder_of("XDG_CACHE_HOME", ".cache");
    return folder.empty() ? folder : folder / (name + ".json");
}

Result<Device> read_device_file(const fs::path& file) {
    std::error_code error;
    const auto size = fs::file_size(file, error);
    if (error) return Problem{{file.string(), 0, 0, {}}, Text("cannot be read: %1", error.message())};
    if (size > json::kMaxBytes)
        return Problem{{file.string(), 0, 0, {}}, Text("is too large for a device description")};
    std::ifstream stream(file, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    if (!stream) return Problem{{file.string(), 0, 0, {}}, Text("cannot be read")};
    return read_device(text, file.string());
}

std::optional<Problem> write_device_file(const fs::path& file, const Device& device) {
    std::error_code error;
    fs::create_directories(fs::absolute(file).parent_path(), error);
    const std::string wrong = write_whole_file(file, write_json(device));
    if (wrong.empty()) return std::nullopt;
    return Problem{{file.string(), 0, 0, {}}, Text("The description cannot be written: %1.", wrong)};
}

DeviceList load_devices(const fs::path& folder, const fs::path& local_cpu) {
    DeviceList list{builtin_devices(), {}};
    std::error_code error;
    if (!folder.empty())
        for (const fs::path& file : json_files(folder)) take(list, file);
    if (!local_cpu.empty() && fs::exists(local_cpu, error)) take(list, local_cpu);
    for (const fs::path& file : json_files(local_cpu.parent_path()))
        if (file != local_cpu && is_calibrated(file.filename().string())) take(list, file);
    std::sort(list.devices.begin(), list.devices.end(),
              [](const Device& a, const Device& b) { return a.name < b.name; });
    return list;
}

const Device* find_device(const std::vector<Device>& devices, const std::string& name) {
    for (const Device& device : devices)
        if (device.name == name) return &device;
    return nullptr;
}

}  // namespace blockscope

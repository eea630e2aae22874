#include "app/worker/predict.h"

#include <algorithm>

#include "core/engine/plan_work.h"
#include "core/json/device_files.h"

namespace blockscope::worker {

std::optional<Device> calibrated_cpu(const std::string& cpu) {
    const auto file = local_cpu_file();
    std::error_code error;
    if (file.empty() || !std::filesystem::exists(file, error)) return std::nullopt;
    Result<Device> device = read_device_file(file);
    if (!device || device->title != cpu) return std::nullopt;
    return std::move(device).value();
}

double predicted_seconds(const BlockProgram& program, const Device& device, ElemType inputs, int threads) {
    const StateWork work = engine_work(lower(program), {inputs, ElemType::F32});
    return predict(*find_time_model(kCpuModel), work, device, {threads, true}).seconds;
}

ModelSetting setting_of(const std::vector<measure::PreparedKernel>& kernels) {
    ModelSetting setting;
    for (const measure::PreparedKernel& kernel : kernels) {
        const auto [known, fresh] = setting.resident.emplace(kernel.node, kernel.resident);
        if (!fresh) known->second = std::min(known->second, kernel.resident);
        if (kernel.parts > 1) setting.parts[kernel.node] = {kernel.parts, kernel.part_bytes, kernel.added};
    }
    return setting;
}

double predicted_on_card(const BlockProgram& program, const Device& card, ElemType elem,
                         const std::string& model, const std::vector<measure::PreparedKernel>& kernels) {
    LoopProgram loops = lower(program);
    for (Buffer& buffer : loops.buffers) buffer.type = buffer.type.with_elem(elem);
    const TimeModel* found = find_time_model(model);
    return predict(found ? *found : *find_time_model(kCpuModel), state_work(loops), card, setting_of(kernels))
        .seconds;
}

CacheModel cache_model(const std::optional<Device>& device, std::int64_t l2_bytes, int cores, int threads) {
    CacheModel model;
    model.threads = threads > 0 ? threads : cores;
    // A quarter is left for what streams through.
    if (l2_bytes > 0) model.local_bytes = l2_bytes / 4 * 3;
    if (!device) return model;
    model.vector_elements = std::max(4, static_cast<int>(device->vector_bits.value / 32));
    model.bytes_per_second = bandwidth_for(*device, global_memory(*device), model.threads);
    model.special_ops = processor_rate(*device, Unit::Special, ElemType::F32);
    // Elementwise kernels read and write the cache: half of the slots of multiply-adds at best.
    model.vector_ops = processor_rate(*device, Unit::Vector, ElemType::F32) / 4;
    model.matmul_flops = processor_rate(*device, Unit::Matrix, ElemType::F32);
    for (const MatmulPoint& point : device->matmul)
        if (point.rows == 64 && point.cols == 64 && point.depth == 64) model.matmul_flops = point.rate.value;
    model.call_seconds = parameter(*device, "call", model.call_seconds);
    return model;
}

}  // namespace blockscope::worker

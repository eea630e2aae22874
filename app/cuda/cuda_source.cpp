#include "app/cuda/cuda_source.h"

#include <algorithm>
#include <map>
#include <regex>

#include "core/loops/loop_program.h"
#include "core/safety/safety.h"
#include "gpu/driver/occupancy.h"

namespace blockscope {

namespace {

constexpr const char* kModel = "blockscope";

// "no CUDA for `...` (n12): why": the node that it names.
NodeId node_in(const std::string& message) {
    static const std::regex name("\\(n([0-9]{1,9})\\)");
    std::smatch found;
    if (!std::regex_search(message, found, name)) return {};
    return NodeId{static_cast<std::uint32_t>(std::stoul(found[1]))};
}

// Which node of the state a node of its numerically safe form stands for.
class Origins {
public:
    explicit Origins(const std::vector<Lineage>& made) {
        for (const Lineage& one : made)
            if (!one.from.empty()) from_[one.made] = one.from.front();
    }
    NodeId of(NodeId node) const {
        for (std::size_t steps = 0; steps <= from_.size(); ++steps) {
            const auto found = from_.find(node);
            if (found == from_.end()) return node;
            node = found->second;
        }
        return node;
    }

private:
    std::map<NodeId, NodeId> from_;
};

void add_lines(const std::string& text, std::vector<gpu::SourceLine>& lines) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back({text.substr(begin, end - begin), {}});
        begin = end + 1;
    }
}

}  // namespace

CudaSource cuda_source(const BlockProgram& program, const CudaChoice& choice) {
    CudaSource source;
    const gpu::Capability card = gpu::capability_of(choice.architecture).value_or(gpu::Capability{8, 0});
    SafeProgram safe;
    if (choice.safe) safe = make_safe(program);
    const Origins origins(safe.made);
    const LoopProgram loops = lower(choice.safe ? safe.program : program);
    gpu::KernelChoice how{choice.target};
    how.tf32 = choice.tf32;
    if (choice.target && !choice.is_card)
        how.device = &gpu::generation_of(
            gpu::capability_of(gpu::architecture_of(*choice.target)).value_or(gpu::Capability{8, 0}));
    Result<gpu::CardKernels> kernels = gpu::kernels_for(loops, card, choice.elem, how);
    if (!kernels) {
        for (const Problem& problem : kernels.problems())
            source.lines.push_back({to_string(problem), origins.of(node_in(problem.message))});
        return source;
    }
    source.made = true;
    source.instead_of = kernels->instead_of;
    source.set = std::move(kernels).value().set;
    source.work = state_work(gpu::with_elements(loops, choice.elem));
    for (const gpu::Launch& launch : source.set.launches) source.kernel_nodes.push_back(launch.node);
    // A target that was asked for may be one that this card does not run.
    source.architecture = choice.target &&
                                  *choice.target != gpu::target_for(card, choice.elem, choice.tf32) &&
                                  *choice.target != gpu::Target::F32
                              ? gpu::architecture_of(*choice.target)
                              : choice.architecture;
    for (gpu::SourceLine& line : source.set.lines) line.node = origins.of(line.node);
    for (gpu::Launch& launch : source.set.launches) launch.node = origins.of(launch.node);
    if (choice.library) add_lines(gpu::prelude(source.set), source.lines);
    source.lines.insert(source.lines.end(), source.set.lines.begin(), source.set.lines.end());
    return source;
}

namespace {

gpu::Capability capability(const CudaSource& source) {
    return gpu::capability_of(source.architecture).value_or(gpu::Capability{8, 0});
}

// Why the worker has no report.
void take_failure(const measure::Failure& failure, CudaReport& report) {
    report.missing = failure.cls == measure::FailureClass::Refused;
    report.problem = failure.log;
    if (!report.missing && failure.cls != measure::FailureClass::Compile) report.lost = failure.message;
    if (report.problem.empty()) report.problem = failure.message;
}

const measure::CompiledKernel* said_of(const std::string& kernel, const measure::CompiledAnswer& answer) {
    for (const measure::CompiledKernel& said : answer.kernels)
        if (said.kernel == kernel) return &said;
    return nullptr;
}

}  // namespace

CudaReport compile_cuda(const CudaSource& source, worker::Client& client) {
    CudaReport report;
    report.architecture = source.architecture;
    const auto compiled = client.compile({gpu::source(source.set), source.architecture});
    if (!compiled) {
        take_failure(compiled.failure(), report);
        return report;
    }
    report.compiler = compiled->compiler;
    report.seconds = compiled->seconds;
    report.from_cache = compiled->from_cache;
    report.warnings = compiled->warnings;
    const gpu::ProcessorLimits limits = gpu::limits_of(capability(source));
    for (const gpu::Launch& launch : source.set.launches) {
        CudaKernel kernel;
        kernel.kernel = launch.kernel;
        kernel.node = launch.node;
        kernel.tiles = launch.tiles;
        kernel.threads = launch.threads;
        kernel.shared_bytes = launch.shared_bytes;
        if (const measure::CompiledKernel* said = said_of(launch.kernel, *compiled)) {
            kernel.registers = said->registers;
            kernel.spilled_bytes = said->spilled_bytes;
            kernel.shared_bytes += said->shared_bytes;
        }
        const gpu::KernelNeeds needs{kernel.threads, kernel.registers, kernel.shared_bytes};
        kernel.resident = gpu::blocks_per_processor(limits, needs);
        kernel.occupancy = gpu::occupancy(limits, needs);
        report.kernels.push_back(kernel);
    }
    return report;
}

Prediction predicted(const CudaSource& source, const CudaReport* report, const Device& device) {
    gpu::KernelSet own;  // the launches, by the nodes that `work` has
    gpu::Compiled compiled;
    for (std::size_t i = 0; i < source.set.launches.size(); ++i) {
        own.launches.push_back(source.set.launches[i]);
        own.launches.back().node = source.kernel_nodes[i];
        if (!report) continue;
        const CudaKernel& kernel = report->kernels.at(i);
        compiled.kernels.push_back({kernel.kernel, kernel.registers, kernel.spilled_bytes, 0, 0,
                                    kernel.shared_bytes - source.set.launches[i].shared_bytes});
    }
    return predict(*find_time_model(kModel), source.work, device,
                   gpu::setting_for(own, report ? &compiled : nullptr, capability(source)));
}

}  // namespace blockscope

#include "app/worker/compile.h"

#include "gpu/driver/driver.h"
#include "gpu/driver/for_card.h"
#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::worker {

using measure::Failure;
using measure::FailureClass;

measure::AnswerBody compile_kernels(const measure::CompileRequest& request) {
    if (!gpu::capability_of(request.architecture))
        return Failure{FailureClass::Refused, "'" + request.architecture + "' is no architecture.", {}};
    const gpu::Nvrtc nvrtc = gpu::Nvrtc::open(gpu::Driver::installed_version());
    if (!nvrtc)
        return Failure{FailureClass::Refused, "NVIDIA's run-time compiler is not there.", nvrtc.report()};
    const Result<gpu::Compiled> compiled =
        gpu::CubinCache(gpu::cubin_folder()).compile(nvrtc, request.source, request.architecture);
    if (!compiled) {
        std::string words;
        for (const Problem& problem : compiled.problems()) words += to_string(problem) + "\n";
        return Failure{FailureClass::Compile, "The kernels do not compile for " + request.architecture + ".",
                       words};
    }
    measure::CompiledAnswer answer{
        "NVRTC " + nvrtc.version(), compiled->seconds, compiled->from_cache, {}, compiled->warnings};
    for (const gpu::KernelReport& kernel : compiled->kernels)
        answer.kernels.push_back({kernel.kernel, kernel.registers, kernel.spill_stores, kernel.shared_bytes});
    return answer;
}

}  // namespace blockscope::worker

#include "app/worker/calibration.h"

#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/support/result.h"

namespace blockscope::worker {

DeviceFigure measured_figure(double value, const std::string& how) {
    return {value, kMeasured, how};
}

std::optional<measure::Failure> take_steps(const std::vector<CalibrationStep>& steps,
                                           const measure::WorkProgress& progress) {
    const auto total = static_cast<int>(steps.size());
    for (int i = 0; i < total; ++i) {
        const CalibrationStep& step = steps[static_cast<std::size_t>(i)];
        if (!progress(step.phase, i, total)) return calibration_cancelled();
        if (auto failure = step.take()) return failure;
    }
    return std::nullopt;
}

measure::Failure calibration_cancelled() {
    return {measure::FailureClass::Cancelled, "The calibration was cancelled.", {}};
}

std::vector<ProgramPtr> unfused_and_fused(const std::string& text) {
    const Result<ArrayProgram> array = parse_program(text, "calibration");
    if (!array) throw InternalError(to_string(array.problems()[0]));
    const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(*array).program));
    return {trace.initial, trace.last()};
}

}  // namespace blockscope::worker

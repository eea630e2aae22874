// Predicted times of states on a card, worked out part by part. What a part's kernels take depends on the
// others in two ways only: all kernels of a set have as many threads as one of them needs, and a cache holds
// from run to run what has room beside all that the others touch.
#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/worker/predict.h"
#include "core/cost/models/model.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/driver/for_card.h"

namespace blockscope::worker {

namespace {

class SecondsOfParts {
public:
    SecondsOfParts(const Form& form, const Device& device, const ModelSetting& setting, StopSign stop)
        : form_(form),
          device_(device),
          card_(gpu::capability_of(device)),
          setting_(setting),
          stop_(std::move(stop)) {}

    std::optional<double> of(const Parts& parts) {
        stop_.check();
        const std::optional<gpu::Target> target = target_of(parts);
        if (!target) return std::nullopt;
        gpu::SetNeeds needs;
        double touched = 0;
        bool exact = true;
        for (const IndependentPart& one : parts) {
            Part& part = known(one, *target);
            needs = gpu::joined(needs, part.needs);
            touched += part.touched;
            exact = exact && std::floor(part.touched) == part.touched;
        }
        // Sums of whole numbers do not depend on their order.
        const double doubt = exact && touched < 0x1p53 ? 0 : 1e-9 * touched;
        double seconds = 0;
        int threads = 0;
        for (const IndependentPart& one : parts) {
            Part& part = parts_.at(one.number);
            const Times& times = times_of(part, needs, touched - part.touched, doubt);
            if (!times.certain || (threads != 0 && times.threads != threads)) return std::nullopt;
            threads = times.threads;
            for (const double kernel : times.kernels) seconds += kernel;
        }
        forget(parts);
        return seconds;
    }

private:
    // What a part takes beside others.
    struct Times {
        gpu::SetNeeds needs;   // of all
        BytesBetween between;  // that the others touch
        bool certain = false;  // kernels of its own blocks fit, and rounding decides nothing
        int threads = 0;       // of all kernels of the set
        std::vector<double> kernels = {};
    };
    struct Part {
        State state;
        std::optional<ElemType> narrow;  // the type of its first array with less than 32 bits
        double touched = 0;
        std::optional<gpu::Target> target = {};
        gpu::SetNeeds needs = {};  // of this target
        std::vector<Times> times = {};
    };

    static std::optional<ElemType> narrow_type_of(const LoopProgram& loops) {
        for (const Buffer& buffer : loops.buffers)
            if (bytes_per_element(buffer.type.elem()) < 4) return buffer.type.elem();
        return std::nullopt;
    }

    Part& known(const IndependentPart& part) {
        const auto found = parts_.find(part.number);
        if (found != parts_.end()) return found->second;
        const State state(part.program, form_);
        return parts_
            .emplace(part.number, Part{.state = state,
                                       .narrow = narrow_type_of(state.loops()),
                                       .touched = touched_bytes(state.work())})
            .first->second;
    }

    Part& known(const IndependentPart& one, gpu::Target target) {
        Part& part = known(one);
        if (part.target != target) {
            part.target = target;
            part.needs = gpu::set_needs(part.state.loops(), options_on(target));
            part.times.clear();
        }
        return part;
    }

    // As for the whole state, whose first narrow array decides: nothing if that could be one of two types.
    std::optional<gpu::Target> target_of(const Parts& parts) {
        std::optional<ElemType> narrow;
        for (const IndependentPart& one : parts) {
            const std::optional<ElemType> own = known(one).narrow;
            if (own && narrow && *own != *narrow) return std::nullopt;
            if (own) narrow = own;
        }
        return gpu::target_for(card_, narrow.value_or(ElemType::F32));
    }

    gpu::CodegenOptions options_on(gpu::Target target) const {
        gpu::CodegenOptions options;
        options.target = target;
        options.parts = 0;
        options.device = &device_;
        options.text = false;
        options.stop = stop_;
        return options;
    }

    const Times& times_of(Part& part, const gpu::SetNeeds& needs, double between, double doubt) const {
        for (const Times& times : part.times)
            if (times.needs == needs && between > times.between.least + doubt &&
                between <= times.between.most - doubt)
                return times;
        return part.times.emplace_back(made_times(part, needs, between, doubt));
    }

    Times made_times(const Part& part, const gpu::SetNeeds& needs, double between, double doubt) const {
        StateWork work = part.state.work();
        work.between = std::make_shared<BytesBetween>(BytesBetween{.bytes = between});
        gpu::CodegenOptions options = options_on(*part.target);
        options.work = [&work]() -> const StateWork& { return work; };
        options.beside = &needs;
        const Result<gpu::KernelSet> set = gpu::generate(part.state.loops(), options);
        Times times{.needs = needs, .between = {}};
        if (set) {
            ModelSetting built = gpu::setting_for(*set, nullptr, card_);
            built.processors = setting_.processors;
            built.warm = setting_.warm;
            const Prediction prediction = predict(*find_time_model(kUsualModel), work, device_, built);
            for (const KernelTime& kernel : prediction.kernels) times.kernels.push_back(kernel.seconds);
            times.threads = set->threads;
        }
        times.between = *work.between;
        times.certain = set && between > times.between.least + doubt && between <= times.between.most - doubt;
        return times;
    }

    // Parts of states that are past.
    void forget(const Parts& parts) {
        constexpr std::size_t kAtOnce = 64;
        if (parts_.size() < parts.size() + kAtOnce) return;
        std::unordered_map<std::uint64_t, Part> kept;
        for (const IndependentPart& one : parts) kept.insert(parts_.extract(one.number));
        parts_ = std::move(kept);
    }

    Form form_;
    Device device_;
    gpu::Capability card_;
    ModelSetting setting_;
    StopSign stop_;
    std::unordered_map<std::uint64_t, Part> parts_;  // by number
};

}  // namespace

Objective predicted_seconds(const Device& device, const ModelSetting& setting, const StopSign& stop) {
    const auto of_state = [device, setting, stop](const State& state) {
        stop.check();
        return predict_as_built(*find_time_model(kUsualModel), state, device, setting, stop).seconds;
    };
    if (device.kind != DeviceKind::Gpu) return of_state;
    return {of_state, [device, setting, stop](const Form& form) -> Objective::OfParts {
                const auto seconds = std::make_shared<SecondsOfParts>(form, device, setting, stop);
                return [seconds](const Parts& parts) { return seconds->of(parts); };
            }};
}

}  // namespace blockscope::worker

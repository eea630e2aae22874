// Predicted times of states, worked out part by part. What a part's kernels take depends on the others in few
// ways: a cache holds from run to run what has room beside all that the others touch; on a card all kernels
// of a set have as many threads as one of them needs; on a processor inputs are packed before the first
// kernel, those of all parts.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/worker/predict.h"
#include "core/cost/models/model.h"
#include "core/engine/cpu_program.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/driver/for_card.h"

namespace blockscope::worker {

namespace {

// All numbers are whole, so that their sums do not depend on their order.
struct WholeNumbers {
    double sum = 0;
    bool whole = true;

    void add(double number) {
        sum += number;
        whole = whole && std::floor(number) == number;
    }
    bool exact() const { return whole && sum < 0x1p53; }
    // By which the sum may differ from one in another order.
    double doubt() const { return exact() ? 0 : 1e-9 * sum; }
};

// Whether times that were found `between` these bounds are those beside so many bytes.
bool holds(const BytesBetween& between, double bytes, double doubt) {
    return bytes > between.least + doubt && bytes <= between.most - doubt;
}

// Keeps the values of these parts, if many others have come together.
template <class Value>
void forget_others(std::unordered_map<std::uint64_t, Value>& values, const IndependentParts& parts) {
    constexpr std::size_t kAtOnce = 64;
    if (values.size() < parts.size() + kAtOnce) return;
    std::unordered_map<std::uint64_t, Value> kept;
    for (const IndependentPart& one : parts) kept.insert(values.extract(one.number));
    values = std::move(kept);
}

class SecondsOnCard {
public:
    SecondsOnCard(const Form& form, const Device& device, const ModelSetting& setting, StopSign stop)
        : form_(form),
          device_(device),
          card_(gpu::capability_of(device)),
          setting_(setting),
          stop_(std::move(stop)) {}

    std::optional<double> of(const IndependentParts& parts) {
        stop_.check();
        forget_others(parts_, parts);
        const std::optional<gpu::Target> target = target_of(parts);
        if (!target) return std::nullopt;
        gpu::SetNeeds needs;
        WholeNumbers touched;
        for (const IndependentPart& one : parts) {
            Part& part = known(one, *target);
            needs = gpu::joined(needs, part.needs);
            touched.add(part.touched);
        }
        double seconds = 0;
        int threads = 0;
        for (const IndependentPart& one : parts) {
            Part& part = parts_.at(one.number);
            const Times& times = times_of(part, needs, touched.sum - part.touched, touched.doubt());
            if (!times.certain || (threads != 0 && times.threads != threads)) return std::nullopt;
            threads = times.threads;
            for (const double kernel : times.kernels) seconds += kernel;
        }
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
    std::optional<gpu::Target> target_of(const IndependentParts& parts) {
        if (const auto asked = gpu::target_named(device_.target)) return asked;
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
            if (times.needs == needs && holds(times.between, between, doubt)) return times;
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
        times.certain = set && holds(times.between, between, doubt);
        return times;
    }

    Form form_;
    Device device_;
    gpu::Capability card_;
    ModelSetting setting_;
    StopSign stop_;
    std::unordered_map<std::uint64_t, Part> parts_;  // by number
};

class SecondsOnProcessor {
public:
    SecondsOnProcessor(const Form& form, const Device& device, const ModelSetting& setting, StopSign stop)
        : form_(form), device_(device), setting_(setting), stop_(std::move(stop)) {}

    std::optional<double> of(const IndependentParts& parts) {
        stop_.check();
        forget_others(parts_, parts);
        WholeNumbers touched;
        for (const IndependentPart& one : parts) {
            const Part& part = known(one);
            if (!part.planned) return std::nullopt;
            touched.add(part.touched);
        }
        std::optional<double> seconds = packing_of(parts);
        for (const IndependentPart& one : parts) {
            Part& part = parts_.at(one.number);
            const Times& times = times_of(part, touched.sum - part.touched, touched.doubt());
            if (!times.certain || !seconds) return std::nullopt;
            for (const double kernel : times.kernels) *seconds += kernel;
        }
        return seconds;
    }

private:
    struct Times {
        BytesBetween between;  // that the others touch
        bool certain = false;  // rounding decides nothing
        std::vector<double> kernels = {};
    };
    struct Part {
        StateWork work;
        double touched = 0;
        bool planned = true;     // as a state without a plan is counted in another way
        WholeNumbers arrays;     // bytes of all that are not made where they are read
        bool whole_work = true;  // of its packing
        std::vector<Times> times = {};
    };

    Part& known(const IndependentPart& one) {
        const auto found = parts_.find(one.number);
        if (found != parts_.end()) return found->second;
        Part part{.work = work_on(State(one.program, form_), device_), .arrays = {}};
        part.touched = touched_bytes(part.work);
        for (const KernelWork& kernel : part.work.kernels) part.planned = part.planned && kernel.planned;
        for (const BufferInfo& buffer : part.work.buffers)
            part.arrays.add(buffer.generated ? 0 : buffer.bytes);
        WholeNumbers numbers;
        for (const PassWork& pass : part.work.packing)
            for (const double number : {pass.calls, pass.rows, pass.elements, pass.bytes})
                numbers.add(number);
        part.whole_work = numbers.exact() && part.arrays.exact();
        return parts_.emplace(one.number, std::move(part)).first->second;
    }

    // Of the inputs of all parts; none if their sums could be others in another order.
    std::optional<double> packing_of(const IndependentParts& parts) {
        StateWork all;
        BufferInfo arrays;
        for (const IndependentPart& one : parts) {
            const Part& part = parts_.at(one.number);
            if (!part.whole_work) return std::nullopt;
            for (const PassWork& pass : part.work.packing) add_pass(all.packing, pass);
            all.packed_bytes += part.work.packed_bytes;
            all.packing_launches += part.work.packing_launches;
            arrays.bytes += part.arrays.sum;
        }
        all.buffers.push_back(arrays);
        return predict(*find_time_model(kUsualModel), all, device_, setting_).seconds;
    }

    const Times& times_of(Part& part, double between, double doubt) const {
        for (const Times& times : part.times)
            if (holds(times.between, between, doubt)) return times;
        StateWork& work = part.work;
        work.between = std::make_shared<BytesBetween>(BytesBetween{.bytes = between});
        const Prediction prediction = predict(*find_time_model(kUsualModel), work, device_, setting_);
        Times times{.between = *work.between};
        work.between = nullptr;
        times.certain = holds(times.between, between, doubt);
        for (const KernelTime& kernel : prediction.kernels)
            if (kernel.kernel >= 0) times.kernels.push_back(kernel.seconds);  // without its own packing
        return part.times.emplace_back(std::move(times));
    }

    Form form_;
    Device device_;
    ModelSetting setting_;
    StopSign stop_;
    std::unordered_map<std::uint64_t, Part> parts_;  // by number
};

template <class Seconds>
Objective::ForForm told_by_parts(const Device& device, const ModelSetting& setting, const StopSign& stop) {
    return [device, setting, stop](const Form& form) -> Objective::OfParts {
        const auto seconds = std::make_shared<Seconds>(form, device, setting, stop);
        return [seconds](const IndependentParts& parts) { return seconds->of(parts); };
    };
}

}  // namespace

Objective predicted_seconds(const Device& device, const ModelSetting& setting, const StopSign& stop) {
    const auto of_state = [device, setting, stop](const State& state) {
        stop.check();
        // Kernels of another target are nobody's wish where one is asked for.
        if (!device.target.empty() && device.kind == DeviceKind::Gpu &&
            build_plan(state, device, stop).target.empty())
            return std::numeric_limits<double>::quiet_NaN();
        return predict_as_built(*find_time_model(kUsualModel), state, device, setting, stop).seconds;
    };
    return {of_state, device.kind == DeviceKind::Gpu
                          ? told_by_parts<SecondsOnCard>(device, setting, stop)
                          : told_by_parts<SecondsOnProcessor>(device, setting, stop)};
}

}  // namespace blockscope::worker

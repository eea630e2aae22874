#include "app/worker/predict.h"

#include <algorithm>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "core/engine/cpu_program.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/driver/for_card.h"

namespace blockscope::worker {

namespace {

constexpr std::size_t kMostPlans = 4096;

struct KnownPlan {
    std::weak_ptr<const BlockProgram> program;
    Form form;
    Device device;
    BuildPlan plan;
};

// Plans that were made, the newest first.
class KnownPlans {
public:
    const BuildPlan* find(const State& state, const Device& device) {
        const ProgramPtr program = state.source();
        for (const KnownPlan& known : plans_)
            if (known.program.lock() == program && known.form == state.form() && known.device == device)
                return &known.plan;
        return nullptr;
    }
    void add(const State& state, const Device& device, const BuildPlan& plan) {
        plans_.remove_if([](const KnownPlan& known) { return known.program.expired(); });
        if (plans_.size() >= kMostPlans) plans_.pop_back();
        plans_.push_front({state.source(), state.form(), device, plan});
    }
    std::mutex mutex;

private:
    std::list<KnownPlan> plans_;
};

// Never destroyed: states in static variables may ask later.
KnownPlans& known_plans() {
    static auto* const known = new KnownPlans;
    return *known;
}

// Tensor cores are for 16 and 8 bits.
ElemType narrow_type(const LoopProgram& loops) {
    for (const Buffer& buffer : loops.buffers)
        if (bytes_per_element(buffer.type.elem()) < 4) return buffer.type.elem();
    return ElemType::F32;
}

gpu::CodegenOptions options_for(const State& state, const Device& device, const StopSign& stop) {
    gpu::CodegenOptions options;
    options.target = gpu::target_named(device.target)
                         .value_or(gpu::target_for(gpu::capability_of(device), narrow_type(state.loops())));
    options.parts = 0;
    options.device = &device;
    options.text = false;
    options.stop = stop;
    return options;
}

BuildPlan made_plan(const State& state, const Device& device, const StopSign& stop) {
    const gpu::Capability card = gpu::capability_of(device);
    gpu::CodegenOptions options = options_for(state, device, stop);
    BuildPlan plan;
    const Result<gpu::FittingKernels> first = gpu::fitting_kernels(state, options);
    if (first) {
        plan = {.setting = gpu::setting_for(first->set, nullptr, card), .target = to_string(options.target)};
        if (!first->smaller.empty()) plan.dims = first->dims;
        plan.smaller = first->smaller;
        return plan;
    }
    plan.why_not = to_string(first.problems().front());
    if (!device.target.empty()) return plan;  // nobody wants another one
    std::vector<gpu::Target> targets;
    if (const auto other = gpu::instead_of(options.target)) targets.push_back(*other);
    if (options.target != gpu::Target::F32) targets.push_back(gpu::Target::F32);
    for (const gpu::Target target : targets) {
        options.target = target;
        const Result<gpu::KernelSet> set = gpu::generate(state.loops(), options);
        if (set) return {.setting = gpu::setting_for(*set, nullptr, card), .target = to_string(target)};
    }
    return plan;
}

}  // namespace

namespace {

// The plan for a card with the state's own blocks; nothing if they do not fit.
std::optional<BuildPlan> plan_as_asked(const State& state, const Device& device, const StopSign& stop) {
    gpu::CodegenOptions options = options_for(state, device, stop);
    options.work = [&state]() -> const StateWork& { return state.work(); };
    const Result<gpu::KernelSet> set = gpu::generate(state.loops(), options);
    if (!set) return std::nullopt;
    BuildPlan plan{.setting = gpu::setting_for(*set, nullptr, gpu::capability_of(device)),
                   .target = to_string(options.target)};
    KnownPlans& known = known_plans();
    const std::lock_guard lock(known.mutex);
    known.add(state, device, plan);
    return plan;
}

}  // namespace

Form built_form(const Device& device, Form asked, bool safe) {
    asked = computable_form(asked, safe);
    const bool declared = !asked.stored.inputs && !asked.stored.others;
    return device.kind != DeviceKind::Gpu && declared ? asked.kept_in(ElemType::F32) : asked;
}

BuildPlan build_plan(const State& state, const Device& device, const StopSign& stop) {
    if (device.kind != DeviceKind::Gpu) return {};
    KnownPlans& known = known_plans();
    {
        const std::lock_guard lock(known.mutex);
        if (const BuildPlan* plan = known.find(state, device)) return *plan;
    }
    BuildPlan plan = made_plan(state, device, stop);
    const std::lock_guard lock(known.mutex);
    known.add(state, device, plan);
    return plan;
}

StateWork work_on(const State& state, const Device& device) {
    if (device.kind == DeviceKind::Gpu) return state.work();
    return engine_work(state.loops(), {state.form().stored.inputs, ElemType::F32}, state.cost_basis());
}

Prediction predict_as_built(const TimeModel& model, const State& state, const Device& device,
                            const ModelSetting& setting, const StopSign& stop) {
    if (device.kind != DeviceKind::Gpu) return predict(model, work_on(state, device), device, setting);
    if (model.name != kUsualModel) return predict(model, state.work(), device, setting);
    const BuildPlan plan = build_plan(state, device, stop);
    ModelSetting built = plan.setting;
    built.processors = setting.processors;
    built.warm = setting.warm;
    if (!plan.dims) return predict(model, state.work(), device, built);
    const State resized = state.with_dims(*plan.dims);
    return predict(model, resized.work(), device, built);
}

SecondsOfStates paying_seconds(const TimeModel& model, const Device& device, const ModelSetting& setting,
                               const StopSign& stop) {
    const auto about = [&model, device, setting, stop](const State& state) {
        stop.check();
        return predict(model, work_on(state, device), device, setting).seconds;
    };
    const auto exact = [&model, device, setting, stop](const State& state) {
        const BuildPlan plan = build_plan(state, device, stop);
        const bool as_asked = device.kind != DeviceKind::Gpu || (!plan.target.empty() && !plan.dims);
        return as_asked ? predict_as_built(model, state, device, setting, stop).seconds
                        : std::numeric_limits<double>::quiet_NaN();
    };
    if (device.kind != DeviceKind::Gpu) return {about, about};
    return {about, exact};
}

namespace {

constexpr std::int64_t kLeastBlock = 16;
constexpr double kMostPadding = 0.05;
constexpr double kRankingShare = 0.5;  // of the time of a search, about

// A processor's cache takes longer blocks than a thread block's memory, and a whole dimension, in which a
// fused state repeats nothing.
std::vector<std::int64_t> blocks_of(const Dim& dim, DeviceKind kind, BlockNeed need) {
    if (dim.kind != DimKind::Blocked || need == BlockNeed::Whole) return {dim.block};
    const std::int64_t most = kind == DeviceKind::Cpu ? 512 : 256;
    std::vector<std::int64_t> blocks;
    for (std::int64_t block = kLeastBlock; block <= most && block <= dim.size; block *= 2) {
        const std::int64_t padded = (dim.size + block - 1) / block * block;
        if (static_cast<double>(padded - dim.size) <= kMostPadding * static_cast<double>(dim.size))
            blocks.push_back(block);
    }
    const bool whole = kind == DeviceKind::Cpu || dim.size <= most;
    for (const std::int64_t other : {dim.block, whole ? dim.size : dim.block})
        if (std::find(blocks.begin(), blocks.end(), other) == blocks.end()) blocks.push_back(other);
    return blocks;
}

DimTable with_blocks(DimTable dims, const std::vector<std::int64_t>& blocks) {
    for (std::size_t d = 0; d < dims.size(); ++d) dims[d].block = blocks[d];
    return dims;
}

// Of two that take as long the one in fewer blocks is the simpler.
double blocks_in(const DimTable& dims) {
    double blocks = 1;
    for (const Dim& dim : dims) blocks *= static_cast<double>(dim.blocks());
    return blocks;
}

// What of one task's values has no room: the accumulators in registers, the tiles in shared memory, of a
// processor all of them in a core's cache.
struct Misfit {
    enum class Room : std::uint8_t { All, Registers, Shared, Cache };  // All: it has room
    Room where = Room::All;
    double needed = 0, there = 0;

    double times() const { return *this ? needed / there : 0; }
    explicit operator bool() const { return where != Room::All; }
};

Misfit largest_misfit(const StateWork& work, const Device& device) {
    const MemoryLevel* registers = first_level(device, LevelRole::Registers);
    const MemoryLevel* local = local_level(device);
    Misfit largest;
    const auto look = [&largest](Misfit::Room where, double needed, double there) {
        const Misfit one{where, needed, there};
        if (needed > there && one.times() > largest.times()) largest = one;
    };
    for (const KernelWork& kernel : work.kernels) {
        if (device.kind == DeviceKind::Cpu) {
            if (local) look(Misfit::Room::Cache, kernel.local_bytes, local->capacity.value);
            continue;
        }
        if (registers) look(Misfit::Room::Registers, kernel.register_bytes, local_capacity(*registers));
        if (local) look(Misfit::Room::Shared, kernel.tile_bytes, local_capacity(*local));
    }
    return largest;
}

Text misfit_text(const Misfit& misfit) {
    const Text where = misfit.where == Misfit::Room::Registers ? Text("registers")
                       : misfit.where == Misfit::Room::Shared  ? Text("shared memory")
                                                               : Text("a core's cache");
    return Text("even in the block sizes that fit best a task needs %1 of %2, of which there are %3",
                bytes_text_of(misfit.needed), where, bytes_text_of(misfit.there));
}

// Of the processors, those that have a task in the kernel that has fewest.
double busy_share(const StateWork& work, const Device& device) {
    double share = 1;
    for (const KernelWork& kernel : work.kernels)
        share = std::min(share, kernel.tasks / device.processors.value);
    return share;
}

struct Ranked {
    std::size_t state = 0;
    DimTable dims;
    double seconds = 0;
    bool own = false;  // the state as it is
    // At least what it takes with reductions in parts, which keep processors busy that would have no task.
    double in_parts = 0;
};

class PredictedSearching {
public:
    PredictedSearching(const std::vector<ChosenState>& states, const Device& device, int top,
                       const StopSign& stop, const SearchProgress& progress, SearchEffort effort)
        : states_(states),
          device_(device),
          top_(static_cast<std::size_t>(top)),
          stop_(stop),
          progress_(progress),
          effort_(effort) {
        for (const ChosenState& chosen : states)
            lines_ = std::max(lines_, static_cast<double>(chosen.state.listing().size()));
    }

    PredictedSearch run() {
        for (std::size_t i = 0; i < states_.size(); ++i) {
            rank(i);
            tell(kRankingShare * static_cast<double>(i + 1) / static_cast<double>(states_.size()));
        }
        std::stable_sort(ranked_.begin(), ranked_.end(),
                         [](const Ranked& a, const Ranked& b) { return a.seconds < b.seconds; });
        if (ranked_.empty()) return in_smaller_blocks();
        if (ranked_.front().in_parts > effort_.give_up_seconds) {
            build(ranked_.front());
            if (!found_.best.empty()) return std::move(found_);
        }
        const auto most = std::max(top_, std::clamp(static_cast<std::size_t>(effort_.built_lines / lines_),
                                                    effort_.least_built, effort_.most_built));
        // What is there already is built in any case, so that nothing worse is called the best.
        std::size_t kept = 0;
        std::erase_if(ranked_, [&](const Ranked& one) { return ++kept > most && !one.own; });
        for (std::size_t i = 0; i < ranked_.size(); ++i) {
            build(ranked_[i]);
            tell(kRankingShare +
                 (1 - kRankingShare) * static_cast<double>(i + 1) / static_cast<double>(ranked_.size()));
        }
        climb(most);
        if (found_.best.empty()) return in_smaller_blocks();
        sort_built();
        if (found_.best.size() > top_) found_.best.resize(top_);
        return std::move(found_);
    }

private:
    // Where no block sizes fit: in smaller ones than are tried here, as the generator takes them; or what
    // stands against it.
    PredictedSearch in_smaller_blocks() {
        for (std::size_t i = 0; i < states_.size() && device_.kind == DeviceKind::Gpu; ++i) {
            build({.state = i, .dims = states_[i].state.source()->dims});
            std::erase_if(found_.best, [this](const PredictedChoice& one) {
                return effort_.must_fit && has_no_room(states_[one.state].state.with_dims(one.dims));
            });
        }
        // What is ranked fits; then it is the generator that has refused it.
        found_.no_room = least_misfit_ && (ranked_.empty() || refused_.empty());
        if (found_.best.empty())
            found_.why_none = found_.no_room ? misfit_text(least_misfit_) : Text(refused_);
        sort_built();
        if (found_.best.size() > top_) found_.best.resize(top_);
        return std::move(found_);
    }

    void tell(double share) const {
        if (progress_) progress_(share);
    }

    // By how many blocks each dimension has: one, two, or more.
    using KnownBases = std::map<std::vector<std::int64_t>, CostBasis>;

    static const CostBasis& basis_for(const LoopProgram& loops, KnownBases& known) {
        std::vector<std::int64_t> blocks;
        for (const Dim& dim : loops.dims) blocks.push_back(std::min<std::int64_t>(dim.blocks(), 3));
        const auto found = known.find(blocks);
        if (found == known.end()) return known.emplace(std::move(blocks), CostBasis(loops)).first->second;
        found->second.resize(loops);
        return found->second;
    }

    StateWork work_of(const LoopProgram& loops, const Form& form, const CostBasis& basis) const {
        if (device_.kind == DeviceKind::Gpu) return state_work(loops, {}, basis);
        return engine_work(loops, {form.stored.inputs, ElemType::F32}, basis);
    }

    // The loops of a state are the same at all block sizes but for what a single block leaves out.
    void rank(std::size_t index) {
        const State& state = states_[index].state;
        LoopProgram loops = state.loops();
        const DimTable own = loops.dims;
        const double most = effort_.ranked_lines / lines_ / static_cast<double>(states_.size());
        const ChoiceLists candidates =
            block_candidates(own, loops.needs, device_.kind, std::max(effort_.least_ranked, most));
        found_.considered += number_of_choices(candidates);
        KnownBases known;
        each_choice(candidates, [&](const std::vector<std::int64_t>& blocks) {
            stop_.check();
            loops.dims = with_blocks(own, blocks);
            const StateWork work = work_of(loops, state.form(), basis_for(loops, known));
            if (const Misfit misfit = largest_misfit(work, device_); misfit) {
                if (!least_misfit_ || misfit.times() < least_misfit_.times()) least_misfit_ = misfit;
                if (effort_.must_fit || loops.dims != own) return;
            }
            ++found_.predicted;
            const double seconds = predict(model_, work, device_).seconds;
            ranked_.push_back({.state = index,
                               .dims = loops.dims,
                               .seconds = seconds,
                               .own = loops.dims == own,
                               .in_parts = seconds * busy_share(work, device_)});
        });
    }

    void sort_built() {
        std::stable_sort(found_.best.begin(), found_.best.end(),
                         [](const PredictedChoice& a, const PredictedChoice& b) {
                             return std::pair(a.prediction.seconds, blocks_in(a.dims)) <
                                    std::pair(b.prediction.seconds, blocks_in(b.dims));
                         });
        // Block sizes that the generator makes smaller may come out as others that were tried, too.
        std::set<std::pair<std::size_t, std::string>> seen;
        std::erase_if(found_.best, [&seen](const PredictedChoice& one) {
            return !seen.emplace(one.state, short_blocks(one.built_dims())).second;
        });
    }

    // The ranking knows nothing of splits, which make few long tasks fast. So the neighbours of the best that
    // was built are built, too, and theirs, as long as that finds a better one: at most so many.
    void climb(std::size_t most) {
        std::size_t built = 0;
        while (built < most && !found_.best.empty()) {
            sort_built();
            const Ranked from{.state = found_.best.front().state, .dims = found_.best.front().dims};
            const double before = found_.best.front().prediction.seconds;
            // Of blocks that no cache holds the model knows too little to prefer them to those that one
            // holds.
            const bool must_fit =
                effort_.must_fit || !has_no_room(states_[from.state].state.with_dims(from.dims));
            const BlockNeeds needs = block_needs(*states_[from.state].state.source());
            for (std::size_t d = 0; d < from.dims.size(); ++d)
                for (const std::int64_t block : blocks_of(from.dims[d], device_.kind, need_of(needs, d))) {
                    Ranked next = from;
                    next.dims[d].block = block;
                    if (must_fit && has_no_room(states_[next.state].state.with_dims(next.dims))) continue;
                    if (built < most && build(next)) ++built;
                }
            sort_built();
            if (found_.best.front().prediction.seconds >= before) return;
        }
    }

    // False if it was built before.
    bool build(const Ranked& one) {
        stop_.check();
        std::pair<std::size_t, std::vector<std::int64_t>> key{one.state, {}};
        for (const Dim& dim : one.dims) key.second.push_back(dim.block);
        if (!built_.insert(std::move(key)).second) return false;
        const State state = states_[one.state].state.with_dims(one.dims);
        PredictedChoice choice;
        choice.state = one.state;
        choice.dims = one.dims;
        // What the generator refuses, or makes with other blocks, is no choice, unless nothing else is there.
        if (device_.kind == DeviceKind::Gpu && !found_.best.empty() && fits_in_smaller(one.state)) {
            std::optional<BuildPlan> plan = plan_as_asked(state, device_, stop_);
            if (!plan) return true;
            choice.plan = std::move(*plan);
        } else {
            choice.plan = build_plan(state, device_, stop_);
            const bool as_asked = !choice.plan.target.empty() && !choice.plan.dims;
            if (device_.kind == DeviceKind::Gpu && !as_asked && !found_.best.empty()) return true;
            if (device_.kind == DeviceKind::Gpu && effort_.must_fit && choice.plan.target.empty()) {
                if (refused_.empty()) refused_ = choice.plan.why_not;
                return true;
            }
        }
        choice.prediction = predict_as_built(model_, state, device_, {}, stop_);
        if (effort_.must_fit && choice.plan.dims) choice.dims = *choice.plan.dims;
        found_.best.push_back(std::move(choice));
        return true;
    }

    bool has_no_room(const State& state) {
        const Misfit misfit = largest_misfit(work_on(state, device_), device_);
        if (misfit && (!least_misfit_ || misfit.times() < least_misfit_.times())) least_misfit_ = misfit;
        return static_cast<bool>(misfit);
    }

    // Whether a state that does not fit the card would in smaller blocks, so that there is no need to look
    // for the largest of them, nor for other targets.
    bool fits_in_smaller(std::size_t index) {
        const auto known = fits_in_smaller_.find(index);
        if (known != fits_in_smaller_.end()) return known->second;
        const State& from = states_[index].state;
        const State smallest = from.with_dims(gpu::with_smallest_blocks(*from.source()).dims);
        const bool fits =
            static_cast<bool>(gpu::generate(smallest.loops(), options_for(from, device_, stop_)));
        return fits_in_smaller_.emplace(index, fits).first->second;
    }

    const std::vector<ChosenState>& states_;
    const Device& device_;
    std::size_t top_;
    const StopSign& stop_;
    const SearchProgress& progress_;
    const SearchEffort effort_;
    const TimeModel& model_ = *find_time_model(kUsualModel);
    double lines_ = 1;
    std::vector<Ranked> ranked_;
    std::set<std::pair<std::size_t, std::vector<std::int64_t>>> built_;  // states with blocks
    std::map<std::size_t, bool> fits_in_smaller_;
    Misfit least_misfit_;  // of all block sizes that do not fit
    std::string refused_;  // why the generator makes none
    PredictedSearch found_;
};

}  // namespace

ChoiceLists block_candidates(const DimTable& dims, const BlockNeeds& needs, DeviceKind kind, double most) {
    ChoiceLists choices;
    for (std::size_t d = 0; d < dims.size(); ++d)
        choices.push_back(blocks_of(dims[d], kind, need_of(needs, d)));
    while (number_of_choices(choices) > most) {
        auto longest = std::max_element(choices.begin(), choices.end(),
                                        [](const auto& a, const auto& b) { return a.size() < b.size(); });
        if (longest->size() < 2) break;
        // The program's own stays: nothing worse shall be called the best.
        const std::int64_t own = dims[static_cast<std::size_t>(longest - choices.begin())].block;
        std::vector<std::int64_t> half;
        for (std::size_t i = 0; i < longest->size(); ++i)
            if (i % 2 == 0 || (*longest)[i] == own) half.push_back((*longest)[i]);
        *longest = half.size() < longest->size() ? half : std::vector{own};
    }
    return choices;
}

ProgramPtr with_dims(const ProgramPtr& program, const DimTable& dims) {
    BlockProgram changed = *program;
    changed.dims = dims;
    return std::make_shared<const BlockProgram>(std::move(changed));
}

PredictedSearch search_predicted(const std::vector<ChosenState>& states, const Device& device, int top,
                                 const StopSign& stop, const SearchProgress& progress, SearchEffort effort) {
    return PredictedSearching(states, device, top, stop, progress, effort).run();
}

PredictedSearch search_each(const std::vector<ChosenState>& states, const Device& device, int top,
                            const StopSign& stop, SearchEffort effort) {
    PredictedSearch all;
    for (std::size_t i = 0; i < states.size(); ++i) {
        PredictedSearch found = search_predicted({states[i]}, device, top, stop, {}, effort);
        for (PredictedChoice& choice : found.best) {
            choice.state = i;
            all.best.push_back(std::move(choice));
        }
        all.considered += found.considered;
        all.predicted += found.predicted;
        if (all.why_none.empty()) all.why_none = found.why_none, all.no_room = found.no_room;
    }
    std::stable_sort(all.best.begin(), all.best.end(),
                     [](const PredictedChoice& a, const PredictedChoice& b) {
                         return a.prediction.seconds < b.prediction.seconds;
                     });
    if (all.best.size() > static_cast<std::size_t>(top)) all.best.resize(static_cast<std::size_t>(top));
    if (!all.best.empty()) all.why_none = {}, all.no_room = false;
    return all;
}

std::string blocks_text(const DimTable& dims) {
    std::string text;
    for (const Dim& dim : dims)
        if (dim.kind == DimKind::Blocked)
            text += (text.empty() ? "" : ", ") + dim.name + " = " + std::to_string(dim.block);
    return text;
}

std::string short_blocks(const DimTable& dims, const std::string& between) {
    std::string text;
    for (const Dim& dim : dims)
        if (dim.kind == DimKind::Blocked)
            text += (text.empty() ? "" : between) + dim.name + "/" + std::to_string(dim.block);
    return text;
}

std::string sizes_and_blocks(const DimTable& dims, const std::string& between) {
    std::string text;
    for (const Dim& dim : dims)
        if (dim.kind == DimKind::Blocked)
            text += (text.empty() ? "" : between) + dim.name + "=" + std::to_string(dim.size) + "/" +
                    std::to_string(dim.block);
    return text;
}

std::string set_options(const DimTable& dims) {
    const std::string values = sizes_and_blocks(dims, " --set ");
    return values.empty() ? values : "--set " + values;
}

std::optional<SearchedBlocks> other_blocks(const std::vector<ChosenState>& states, const Device& device,
                                           const StopSign& stop) {
    const PredictedSearch found = search_predicted(states, device, 1, stop);
    if (found.best.empty()) return std::nullopt;
    const DimTable& dims = found.best.front().built_dims();
    return SearchedBlocks{found.best.front().prediction.seconds, blocks_text(dims), set_options(dims)};
}

}  // namespace blockscope::worker

#include "app/worker/card_search.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "app/worker/client.h"
#include "app/worker/predict.h"
#include "app/worker/probe.h"
#include "core/algebra/search.h"
#include "core/cost/models/model.h"
#include "core/json/device_files.h"
#include "core/support/result.h"
#include "gpu/driver/for_card.h"
#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::worker {

using measure::Failure;
using measure::FailureClass;
using measure::Outcome;

namespace {

constexpr double kMostCombinations = 4096;
constexpr double kOverLimit = 1.2;  // of what an SM holds: the estimate is rough (MCFuser, rule 4)
constexpr const char* kRanking = "choosing block sizes";
constexpr int kMostStages = 4;
constexpr std::size_t kMostCompilers = 8;  // processes
constexpr const char* kGenerating = "generating kernels";
constexpr const char* kCompiling = "compiling kernels";

Failure search_cancelled() {
    return {FailureClass::Cancelled, Text("The search was cancelled."), {}};
}

struct Generated {
    CardChoice choice;
    gpu::KernelSet set;
    StateWork work;
    std::optional<Outcome<measure::CompiledAnswer>> compiled;
};

// What forecasts take from a compiler.
gpu::Compiled reported(const measure::CompiledAnswer& answer) {
    gpu::Compiled compiled;
    for (const measure::CompiledKernel& kernel : answer.kernels)
        compiled.kernels.push_back({.kernel = kernel.kernel,
                                    .registers = kernel.registers,
                                    .spill_stores = kernel.spilled_bytes,
                                    .shared_bytes = kernel.shared_bytes});
    return compiled;
}

class Searching {
public:
    Searching(const Task& task, const CardSearch& search, const measure::WorkProgress& progress)
        : task_(task),
          search_(search),
          progress_(progress),
          card_(gpu::capability_of(search.architecture).value_or(gpu::Capability{8, 0})) {}

    Outcome<CardSearchResult> run() {
        if (!rank()) return search_cancelled();
        if (!generate()) return search_cancelled();
        show();
        if (!compile()) return search_cancelled();
        result_.compiled = std::none_of(generated_.begin(), generated_.end(),
                                        [](const Generated& one) { return no_compiler(one); });
        if (result_.compiled)
            for (Generated& one : generated_) take_report(one);
        sort();
        show();
        for (Generated& one : generated_) {
            if (!one.choice.row.refused.empty())
                result_.refused.push_back(one.choice.row);
            else if (result_.choices.size() < static_cast<std::size_t>(search_.top))
                result_.choices.push_back(std::move(one.choice));
        }
        return std::move(result_);
    }

private:
    void show() const {
        std::vector<SearchRow> rows;
        for (const Generated& one : generated_) rows.push_back(one.choice.row);
        rows.insert(rows.end(), result_.refused.begin(), result_.refused.end());
        search_.watch(rows);
    }

    // ---- By the model alone.

    bool rank() {
        const ChoiceLists candidates = block_candidates(task_.blocks->dims, block_needs(*task_.blocks),
                                                        DeviceKind::Gpu, kMostCombinations);
        result_.considered = static_cast<std::size_t>(number_of_choices(candidates));
        int ranked = 0;
        bool stopped = false;
        const auto judge = [&](const std::vector<std::int64_t>& blocks) -> std::optional<CardChoice> {
            if (!stopped && ranked++ % 16 == 0)
                stopped = !progress_(kRanking, ranked - 1, static_cast<int>(result_.considered));
            return stopped ? std::nullopt : predicted(blocks);
        };
        const auto order = [](const CardChoice& choice) {
            return std::pair(choice.row.predicted_seconds, 0);
        };
        ranked_ = search(candidates, judge, order, {.keep = result_.considered}).best;
        return !stopped;
    }

    // The task with these blocks; nothing if they do not fit and are not the task's own.
    std::optional<CardChoice> predicted(const std::vector<std::int64_t>& blocks) const {
        DimTable dims = task_.blocks->dims;
        for (std::size_t d = 0; d < dims.size(); ++d) dims[d].block = blocks[d];
        CardChoice choice{task_, {}};
        choice.task.blocks = with_dims(task_.blocks, dims);
        const State state(choice.task.blocks, in_loops(task_.options.loops).kept_in(task_.options.elem));
        const StateWork& work = state.work();
        if (!fits(work) && dims != task_.blocks->dims) return std::nullopt;
        choice.row.dims = std::move(dims);
        predict_for(choice, work, {});
        return choice;
    }

    bool fits(const StateWork& work) const {
        double room = 0;
        for (const LevelRole role : {LevelRole::Shared, LevelRole::Registers})
            if (const MemoryLevel* level = first_level(search_.device, role)) room += level->capacity.value;
        return room == 0 || std::all_of(work.kernels.begin(), work.kernels.end(), [&](const KernelWork& one) {
                   return one.local_bytes <= kOverLimit * room;
               });
    }

    void predict_for(CardChoice& choice, const StateWork& work, const ModelSetting& setting) const {
        choice.row.predicted_seconds =
            predict(*find_time_model(kUsualModel), work, search_.device, setting).seconds;
        choice.task.predicted_seconds = choice.row.predicted_seconds;
        choice.task.model = kUsualModel;
    }

    // ---- Kernels for the best: what the generator chooses by itself, and other threads and stages.

    bool generate() {
        const auto wanted = static_cast<std::size_t>(2 * search_.top);
        const std::size_t most = std::min(ranked_.size(), 2 * wanted);
        std::size_t generated = 0;  // block sizes with kernels
        for (std::size_t i = 0; i < most && generated < wanted; ++i) {
            if (!progress_(kGenerating, static_cast<int>(generated), static_cast<int>(wanted))) return false;
            if (generate_all(ranked_[i])) ++generated;
        }
        // As many as before are compiled, now the best of all.
        sort();
        const auto own = std::find_if(generated_.begin(), generated_.end(),
                                      [&](const Generated& one) { return is_of(one.choice.row, task_); });
        if (own != generated_.end()) std::rotate(generated_.begin(), own, own + 1);
        if (generated_.size() > 2 * wanted) generated_.resize(2 * wanted);
        return true;
    }

    // False if there are no kernels at all with these block sizes.
    bool generate_all(const CardChoice& ranked) {
        const State state(ranked.task.blocks, in_loops(task_.options.loops).kept_in(task_.options.elem));
        const StateWork& work = state.work();
        const std::optional<gpu::Target> target = own_target();
        std::vector<int> threads = {task_.options.block_threads};
        if (threads.front() == 0)
            for (const int other : gpu::thread_choices(state.loops(), *target)) threads.push_back(other);
        std::vector<int> stages = {task_.options.stages};
        if (stages.front() == 0)
            for (int other = 2; other <= kMostStages; ++other) stages.push_back(other);
        std::set<std::string> sources;
        for (const int block_threads : threads)
            for (const int most : stages) {
                const gpu::KernelChoice choice{.target = target,
                                               .threads = block_threads,
                                               .stages = most,
                                               .device = &search_.device,
                                               .tf32 = task_.options.tf32};
                Result<gpu::CardKernels> kernels = gpu::kernels_for(state, card_, task_.options.elem, choice);
                const bool first = block_threads == threads.front() && most == stages.front();
                if (!kernels && first) {
                    result_.refused.push_back(ranked.row);
                    result_.refused.back().refused = kernels.problems().front().message.str();
                    return false;
                }
                if (kernels && sources.insert(gpu::source(kernels->set)).second)
                    take(ranked, choice, std::move(kernels).value().set, work);
            }
        return true;
    }

    void take(const CardChoice& ranked, const gpu::KernelChoice& how, gpu::KernelSet set,
              const StateWork& work) {
        Generated one{ranked, std::move(set), work, std::nullopt};
        one.choice.task.options.block_threads = how.threads;
        one.choice.task.options.stages = how.stages;
        one.choice.row.asked_threads = how.threads;
        one.choice.row.asked_stages = how.stages;
        one.choice.row.threads = one.set.threads;
        for (const gpu::Launch& launch : one.set.launches)
            one.choice.row.stages = std::max(one.choice.row.stages, launch.stages);
        predict_for(one.choice, work, gpu::setting_for(one.set, nullptr, card_));
        generated_.push_back(std::move(one));
    }

    // The card's own one, not the slow stand-in for what does not fit it.
    std::optional<gpu::Target> own_target() const {
        if (const auto asked = gpu::target_named(task_.options.target)) return asked;
        return gpu::target_for(card_, task_.options.elem, task_.options.tf32);
    }

    // ---- Side by side, in processes of their own: what a compiler does wrong costs the kernels that it had.

    static bool no_compiler(const Generated& one) {
        return one.compiled && !*one.compiled && one.compiled->failure().cls == FailureClass::Refused;
    }

    bool compile() {
        const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
        std::mutex mutex;
        std::condition_variable one_more;
        std::size_t next = 0, done = 0;
        bool stop = false;
        const auto work = [&](Client& client) {
            for (;;) {
                std::size_t mine = 0;
                {
                    const std::lock_guard guard(mutex);
                    if (stop || next >= generated_.size()) return;
                    mine = next++;
                }
                Generated& one = generated_[mine];
                one.compiled = client.compile({gpu::source(one.set), search_.architecture});
                const std::lock_guard guard(mutex);
                ++done;
                one_more.notify_one();
            }
        };
        std::list<Client> clients;
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < std::min({cores, kMostCompilers, generated_.size()}); ++i)
            threads.emplace_back(work, std::ref(clients.emplace_back(search_.worker)));
        {
            std::unique_lock guard(mutex);
            while (done < generated_.size() && !stop) {
                stop = !progress_(kCompiling, static_cast<int>(done), static_cast<int>(generated_.size()));
                if (!stop) one_more.wait_for(guard, std::chrono::milliseconds(100));
            }
        }
        if (stop)
            for (Client& client : clients) client.cancel();
        for (std::thread& thread : threads) thread.join();
        return !stop;
    }

    void take_report(Generated& one) {
        SearchRow& row = one.choice.row;
        if (!one.compiled || !*one.compiled) {
            row.refused = one.compiled ? one.compiled->failure().message.str() : "It was not compiled.";
            if (one.compiled && !one.compiled->failure().log.empty())
                row.refused += "\n" + one.compiled->failure().log;
            return;
        }
        row.compiled = true;
        const gpu::Compiled compiled = reported(one.compiled->value());
        const gpu::ProcessorLimits limits = gpu::limits_of(card_);
        for (const gpu::Launch& launch : one.set.launches) {
            const gpu::KernelNeeds needs = gpu::needs_of(launch, &compiled);
            const int blocks = gpu::blocks_per_processor(limits, needs);
            row.registers = std::max(row.registers, needs.registers);
            row.shared_bytes = std::max(row.shared_bytes, needs.shared_bytes);
            row.resident = row.resident == 0 ? blocks : std::min(row.resident, blocks);
            if (blocks == 0) row.refused = "Its kernel " + launch.kernel + " does not fit a multiprocessor.";
        }
        for (const gpu::KernelReport& said : compiled.kernels)
            row.spilled_bytes = std::max(row.spilled_bytes, said.spill_stores);
        predict_for(one.choice, one.work, gpu::setting_for(one.set, &compiled, card_));
    }

    // What spills comes behind what does not.
    void sort() {
        std::stable_sort(generated_.begin(), generated_.end(), [](const Generated& a, const Generated& b) {
            const bool spills_a = a.choice.row.spilled_bytes > 0, spills_b = b.choice.row.spilled_bytes > 0;
            if (spills_a != spills_b) return spills_b;
            return a.choice.row.predicted_seconds < b.choice.row.predicted_seconds;
        });
    }

    const Task& task_;
    const CardSearch& search_;
    const measure::WorkProgress& progress_;
    gpu::Capability card_;
    std::vector<CardChoice> ranked_;
    std::vector<Generated> generated_;
    CardSearchResult result_;
};

// Letters and digits, small.
std::string plain(const std::string& name) {
    std::string text;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)))
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

}  // namespace

bool is_of(const SearchRow& row, const Task& task) {
    return row.dims == task.blocks->dims && row.asked_threads == task.options.block_threads &&
           row.asked_stages == task.options.stages;
}

Outcome<CardSearchResult> search_card(const Task& task, const CardSearch& search,
                                      const measure::WorkProgress& progress) {
    return Searching(task, search, progress).run();
}

Device description_for(const std::vector<Device>& devices, const std::string& calibrated,
                       const std::string& model, const std::string& architecture) {
    const Device* own = find_device(devices, calibrated);
    if (own && own->title == model) return *own;
    const std::string name = plain(model);
    for (const Device& device : devices)
        if (device.kind == DeviceKind::Gpu && !device.calibration &&
            name.find(plain(device.name)) != std::string::npos)
            return device;
    return gpu::generation_of(gpu::capability_of(architecture).value_or(gpu::Capability{8, 0}));
}

}  // namespace blockscope::worker

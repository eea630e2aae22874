#include "app/worker/tiling_comparison.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "app/worker/predict.h"
#include "core/tilings/candidate_work.h"
#include "core/tilings/schedule.h"

namespace blockscope::worker {

namespace {

constexpr int kOwnMeasured = 8;
constexpr double kAlike = 1.05;  // less is no reason

std::string ratio_text(double ratio) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", ratio);
    return text;
}

// What a difference speaks for.
enum class Side { Ours, Candidate };

// Sentences on the faster one: why it is, and what it is fast in spite of.
class Reasons {
public:
    explicit Reasons(Side faster) : faster_(faster) {}

    void add(Side side, const Text& sentence) {
        if (side == faster_)
            because_.push_back(sentence);
        else
            although_.push_back(Text("although %1", sentence));
    }

    // "the candidate computes 4.00 times what ours does".
    void add_work(double candidate, double own) {
        if (candidate <= 0 || own <= 0) return;
        if (candidate > kAlike * own)
            add(Side::Ours,
                Text("the candidate computes %1 times what ours does", ratio_text(candidate / own)));
        if (own > kAlike * candidate)
            add(Side::Candidate,
                Text("ours computes %1 times what the candidate does", ratio_text(own / candidate)));
    }
    void add_bytes(double candidate, double own) {
        if (candidate <= 0 || own <= 0) return;
        if (candidate > kAlike * own)
            add(Side::Ours, Text("the candidate moves %1 times what ours does", ratio_text(candidate / own)));
        if (own > kAlike * candidate)
            add(Side::Candidate,
                Text("ours moves %1 times what the candidate does", ratio_text(own / candidate)));
    }

    std::vector<Text> sentences() const {
        std::vector<Text> all = because_;
        all.insert(all.end(), although_.begin(), although_.end());
        return all;
    }

private:
    Side faster_;
    std::vector<Text> because_;
    std::vector<Text> although_;
};

std::vector<Text> reasons(const ComparedTilings& asked, const TilingComparison& made) {
    Reasons why(made.speed_of_ours() >= 1 ? Side::Ours : Side::Candidate);
    const Counts& counts = made.best.state.counts();
    why.add_work(made.estimate.flops, static_cast<double>(counts.flops.matrix));
    why.add_bytes(made.estimate.bytes, static_cast<double>(counts.bytes()));
    const auto tasks = std::max<std::int64_t>(1, counts.tasks);
    const auto blocks = static_cast<std::int64_t>(made.estimate.blocks);
    const std::int64_t processors =
        asked.processors > 0 ? asked.processors : static_cast<std::int64_t>(asked.device.processors.value);
    if (tasks != blocks && std::min(tasks, blocks) < processors)
        why.add(tasks > blocks ? Side::Ours : Side::Candidate,
                Text("the tasks of the candidate are %1 and those of ours %2, for %3 processors",
                     std::to_string(blocks), std::to_string(tasks), std::to_string(processors)));
    if (counts.launches > 1)
        why.add(Side::Ours, Text("ours is %1 kernels, one after the other", counts.launches));
    if (asked.device.kind == DeviceKind::Cpu && made.both_measured())
        why.add(Side::Ours, Text("the engine brings inputs into the layout of their readers once, while a "
                                 "candidate reads tiles where they lie"));
    return why.sentences();
}

// The candidate that our model, which judges, expects to be the fastest; on a card of those that are kernels.
// None: no candidate is one.
std::optional<int> best_by_own_model(const ComparedTilings& asked, const StopSign& stop) {
    const tilings::Space& space = *asked.space;
    const std::vector<double> seconds =
        asked.own.empty() ? own_seconds(space, space.candidates, asked.device, asked.processors, stop)
                          : asked.own;
    std::vector<int> order(seconds.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return seconds[static_cast<std::size_t>(a)] < seconds[static_cast<std::size_t>(b)];
    });
    const auto runs = [&](int candidate) {
        return asked.device.kind == DeviceKind::Cpu ||
               schedule_on_card(space, space.candidates[static_cast<std::size_t>(candidate)]);
    };
    const auto found = std::find_if(order.begin(), order.end(), runs);
    return found == order.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

double TilingComparison::speed_of_ours() const {
    return both_measured() ? *measured / *best.measured : own / best.predicted;
}

Result<Compared> compare_tilings(const ComparedTilings& asked, const StopSign& stop) {
    const tilings::Space& space = *asked.space;
    if (space.candidates.empty()) return Problem{{}, Text("no candidate is left to compare with")};
    OwnSearch search{.threads = asked.processors};
    if (asked.measure_ours) search.measured = kOwnMeasured;
    Result<OwnState> own = own_best(space.chain.program, asked.device, false, search, stop);
    if (!own) return own.problems();
    const std::optional<int> best = best_by_own_model(asked, stop);
    if (!best) {
        const auto first = schedule_on_card(space, space.candidates.front());
        return Compared{.why_not = Text("Nothing is compared, as no candidate is a kernel of a card: %1.",
                                        first.problems().front().message)};
    }
    TilingComparison made{.candidate = *best, .best = std::move(own).value()};
    for (const auto& [candidate, seconds] : asked.measured) {
        if (!seconds || (made.measured && *made.measured <= *seconds)) continue;
        made.measured = *seconds;
        made.candidate = candidate;
    }
    const tilings::Candidate& candidate = space.candidates[static_cast<std::size_t>(made.candidate)];
    made.estimate = estimate(space, candidate, asked.counts);
    made.paper = made.estimate.seconds;
    made.own = own_seconds(space, {candidate}, asked.device, asked.processors).front();
    made.why = reasons(asked, made);
    return Compared{.made = std::move(made)};
}

Text verdict_of(const TilingComparison& made) {
    const double ratio = made.speed_of_ours();
    const std::string times = ratio_text(ratio >= 1 ? ratio : 1 / ratio);
    const Text by = made.both_measured() ? Text("measured") : Text("by our model");
    if (std::max(ratio, 1 / ratio) < kAlike)
        return ratio >= 1 ? Text("Ours is %1 times as fast, %2: a tie.", times, by)
                          : Text("The candidate is %1 times as fast, %2: a tie.", times, by);
    return ratio >= 1 ? Text("Ours is %1 times as fast, %2.", times, by)
                      : Text("The candidate is %1 times as fast, %2.", times, by);
}

std::vector<ComparedRow> rows_of(const TilingComparison& made, const tilings::Space& space) {
    const Counts& counts = made.best.state.counts();
    return {{.name = to_string(space, space.candidates[static_cast<std::size_t>(made.candidate)]),
             .paper = made.paper,
             .own = made.own,
             .measured = made.measured,
             .flops = made.estimate.flops,
             .bytes = made.estimate.bytes,
             .tasks = made.estimate.blocks},
            {.name = "ours: " + made.best.name + " " + short_blocks(made.best.state.program()->dims),
             .paper = made.best.by_mcfuser,
             .own = made.best.predicted,
             .measured = made.best.measured,
             .flops = static_cast<double>(counts.flops.matrix),
             .bytes = static_cast<double>(counts.bytes()),
             .tasks = static_cast<double>(counts.tasks)}};
}

}  // namespace blockscope::worker

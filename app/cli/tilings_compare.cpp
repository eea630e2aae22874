// The best candidate beside Blockscope's own best state of the same program, and why one of them is faster.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <limits>
#include <numeric>

#include "app/cli/command.h"
#include "app/cli/terminal.h"
#include "app/cli/tilings.h"
#include "app/worker/predict.h"
#include "core/cost/models/model.h"
#include "core/tilings/candidate_work.h"

namespace blockscope::tilings {

using namespace cli;  // NOLINT(google-build-using-namespace): a command, of the tilings' own names

namespace {

constexpr int kOwnMeasured = 8;
constexpr double kAlike = 1.05;  // less is no reason

std::string times_of(double ratio) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", ratio);
    return text;
}

// How many times as fast ours is: measured where both are, else by our model.
double speed_of_ours(const Comparison& made) {
    if (made.measured && made.best.measured) return *made.measured / *made.best.measured;
    return made.own / made.best.predicted;
}

// What a difference speaks for.
enum class Side { Ours, Candidate };

// Sentences on the faster one: why it is, and what it is fast in spite of.
class Reasons {
public:
    explicit Reasons(Side faster) : faster_(faster) {}

    void add(Side side, const std::string& sentence) {
        if (side == faster_)
            because_.push_back(sentence);
        else
            although_.push_back("although " + sentence);
    }

    // "the candidate computes 4.00 times what ours does".
    void add_amounts(double candidate, double own, const std::string& what) {
        if (candidate <= 0 || own <= 0) return;
        if (candidate > kAlike * own)
            add(Side::Ours,
                "the candidate " + what + " " + times_of(candidate / own) + " times what ours does");
        if (own > kAlike * candidate)
            add(Side::Candidate,
                "ours " + what + " " + times_of(own / candidate) + " times what the candidate does");
    }

    std::vector<std::string> sentences() const {
        std::vector<std::string> all = because_;
        all.insert(all.end(), although_.begin(), although_.end());
        return all;
    }

private:
    Side faster_;
    std::vector<std::string> because_;
    std::vector<std::string> although_;
};

std::vector<std::string> reasons(const TilingsResult& result, const Comparison& made) {
    Reasons why(speed_of_ours(made) >= 1 ? Side::Ours : Side::Candidate);
    const Counts& counts = made.best.state.counts();
    why.add_amounts(made.estimate.flops, static_cast<double>(counts.flops.matrix), "computes");
    why.add_amounts(made.estimate.bytes, static_cast<double>(counts.bytes()), "moves");
    const double tasks = static_cast<double>(std::max<std::int64_t>(1, counts.tasks));
    const double blocks = made.estimate.blocks;
    const double processors = result.device.processors.value;
    if (tasks != blocks && std::min(tasks, blocks) < processors)
        why.add(tasks > blocks ? Side::Ours : Side::Candidate,
                "the candidate has " + std::to_string(static_cast<std::int64_t>(blocks)) +
                    " tasks and ours " + std::to_string(static_cast<std::int64_t>(tasks)) + ", for " +
                    std::to_string(static_cast<std::int64_t>(processors)) + " processors");
    if (counts.launches > 1)
        why.add(Side::Ours, "ours is " + std::to_string(counts.launches) +
                                " kernels, one after the other, so that nothing is computed again");
    const bool cpu = result.device.kind == DeviceKind::Cpu;
    if (cpu && made.measured)
        why.add(
            Side::Ours,
            "the engine brings inputs into the layout of their readers once, while a candidate reads tiles "
            "where they lie");
    return why.sentences();
}

// The candidate that our model, which judges, expects to be the fastest; on a card of those that are kernels.
// None: no candidate is one.
std::optional<int> best_by_own_model(const TilingsResult& result) {
    const std::vector<double> seconds =
        result.own.empty()
            ? own_seconds(result.space, result.space.candidates, result.device, result.processors)
            : result.own;
    std::vector<int> order(seconds.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return seconds[static_cast<std::size_t>(a)] < seconds[static_cast<std::size_t>(b)];
    });
    const auto runs = [&](int candidate) {
        return result.device.kind == DeviceKind::Cpu ||
               schedule_on_card(result.space, result.space.candidates[static_cast<std::size_t>(candidate)]);
    };
    const auto found = std::find_if(order.begin(), order.end(), runs);
    return found == order.end() ? std::nullopt : std::optional(*found);
}

bool on_cpu(const TilingsResult& result, const TilingsArguments& arguments) {
    return arguments.measure == "cpu" && result.device.kind == DeviceKind::Cpu;
}

}  // namespace

void compare_with_own(TilingsResult& result, const TilingsArguments& arguments) {
    if (result.order.empty()) throw UsageError("no candidate is left to compare with");
    worker::OwnSearch search;
    if (on_cpu(result, arguments)) search.measured = kOwnMeasured;
    search.threads = result.processors;
    Result<worker::OwnState> own = worker::own_best(result.space.chain.program, result.device, false, search);
    if (!own) throw BadInput(own.problems());
    const std::optional<int> best = best_by_own_model(result);
    if (!best) {
        const Result<Schedule> first = schedule_on_card(result.space, result.space.candidates.front());
        result.notes.push_back("Nothing is compared, as no candidate is a kernel of a card: " +
                               first.problems().front().message.str() + ".");
        return;
    }
    Comparison made{.candidate = *best, .best = std::move(own).value()};
    for (const auto& [candidate, seconds] : result.measured) {
        if (!seconds || (made.measured && *made.measured <= *seconds)) continue;
        made.measured = *seconds;
        made.candidate = candidate;
    }
    const Candidate& candidate = result.space.candidates[static_cast<std::size_t>(made.candidate)];
    made.estimate = estimate(result.space, candidate, result.counts);
    made.paper = made.estimate.seconds;
    made.own = own_seconds(result.space, {candidate}, result.device, result.processors).front();
    made.why = reasons(result, made);
    result.comparison = std::move(made);
}

void print_comparison(const TilingsResult& result) {
    const Comparison& made = *result.comparison;
    const auto shown = [](const std::optional<double>& seconds) {
        return seconds ? seconds_text(*seconds) : std::string("-");
    };
    const Candidate& candidate = result.space.candidates[static_cast<std::size_t>(made.candidate)];
    const Counts& counts = made.best.state.counts();
    const std::vector<Row> rows{
        {"", "MCFuser's model", "our model", "measured", "operations", "bytes", "tasks"},
        {to_string(result.space, candidate), seconds_text(made.paper), seconds_text(made.own),
         shown(made.measured), count_text(static_cast<std::int64_t>(made.estimate.flops)),
         bytes_text(static_cast<std::int64_t>(made.estimate.bytes)),
         count_text(static_cast<std::int64_t>(made.estimate.blocks))},
        {"ours: " + made.best.name + " " + worker::short_blocks(made.best.state.program()->dims),
         seconds_text(made.best.by_mcfuser), seconds_text(made.best.predicted), shown(made.best.measured),
         count_text(counts.flops.matrix), bytes_text(counts.bytes()), count_text(counts.tasks)}};
    std::cout << "\nBeside Blockscope's own best state:\n\n";
    print_table(rows, Align::Right, style_for(1));
    const bool measured = made.measured && made.best.measured;
    const double ratio = speed_of_ours(made);
    std::cout << (ratio >= 1 ? "Ours is " : "The candidate is ") << times_of(ratio >= 1 ? ratio : 1 / ratio)
              << " times as fast, " << (measured ? "measured" : "by our model")
              << (std::max(ratio, 1 / ratio) < kAlike ? ": a tie" : "") << ".\n";
    for (const std::string& sentence : made.why) std::cout << "  - " << sentence << '\n';
}

Json comparison_json(const TilingsResult& result) {
    const Comparison& made = *result.comparison;
    const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
    const Counts& counts = made.best.state.counts();
    Json json = json::Object{};
    json["candidate"] = json::Object{
        {"text", to_string(result.space, result.space.candidates[static_cast<std::size_t>(made.candidate)])},
        {"mcfuser_seconds", made.paper},
        {"own_seconds", made.own},
        {"measured_seconds", number(made.measured)},
        {"flops", made.estimate.flops},
        {"bytes", made.estimate.bytes},
        {"tasks", made.estimate.blocks}};
    json["own"] = json::Object{{"state", made.best.name},
                               {"step", made.best.step},
                               {"blocks", worker::short_blocks(made.best.state.program()->dims)},
                               {"mcfuser_seconds", made.best.by_mcfuser},
                               {"own_seconds", made.best.predicted},
                               {"measured_seconds", number(made.best.measured)},
                               {"flops", counts.flops.matrix},
                               {"bytes", counts.bytes()},
                               {"tasks", counts.tasks}};
    json["why"] = json::Array{};
    for (const std::string& sentence : made.why) json["why"].push_back(sentence);
    return json;
}

// Whole networks, estimated: what attention's speed-up leaves of an encoder's. Fig. 9.

using namespace cli;  // NOLINT(google-build-using-namespace): a command, of the tilings' own names

namespace {

// Table III has the heads and sizes of attention; hidden size, feed-forward size and layers are those of the
// published networks, at the paper's length of 512.
struct Network {
    const char* name;
    const char* workload;
    int hidden;
    int inner;
    int layers;
};
constexpr Network kNetworks[] = {
    {.name = "Bert-Small", .workload = "S1", .hidden = 512, .inner = 2048, .layers = 4},
    {.name = "Bert-Base", .workload = "S2", .hidden = 768, .inner = 3072, .layers = 12},
    {.name = "Bert-Large", .workload = "S3", .hidden = 1024, .inner = 4096, .layers = 24}};

double best_estimate(const std::string& name, const ArrayProgram& program,
                     const TilingsArguments& arguments) {
    TilingsArguments plain = arguments;
    plain.one.clear();
    const TilingsResult result = ranked(name, program, plain, {});
    if (result.order.empty()) return std::numeric_limits<double>::infinity();
    return result.estimates[static_cast<std::size_t>(result.order.front())];
}

double product_estimate(int batch, int rows, int cols, int depth, const TilingsArguments& arguments) {
    return best_estimate("product", product_program(batch, rows, cols, depth), arguments);
}

}  // namespace

std::vector<EncoderRow> encoders(const TilingsArguments& arguments) {
    std::vector<EncoderRow> rows;
    for (const Network& network : kNetworks) {
        const Workload& attention = *find_workload(network.workload);
        EncoderRow row{.network = network.name, .layers = network.layers};
        row.fused = best_estimate(network.name, workload_program(attention), arguments);
        const Space space = ranked(network.name, workload_program(attention), arguments, {}).space;
        row.unfused = best_estimate("product", first_product(attention), arguments) +
                      best_estimate("product", second_product(attention), arguments) +
                      softmax_seconds(attention, space.chain.elem, space.device.bandwidth);
        row.rest = 4 * product_estimate(1, attention.m, network.hidden, network.hidden, arguments) +
                   product_estimate(1, attention.m, network.inner, network.hidden, arguments) +
                   product_estimate(1, attention.m, network.hidden, network.inner, arguments);
        rows.push_back(std::move(row));
    }
    return rows;
}

void print_encoders(const std::vector<EncoderRow>& rows) {
    std::vector<Row> table{
        {"network", "layers", "attention unfused", "fused", "other products", "share", "speed-up"}};
    for (const EncoderRow& row : rows) {
        char share[32];
        char speedup[32];
        std::snprintf(share, sizeof share, "%.0f%%", 100 * row.unfused / (row.unfused + row.rest));
        std::snprintf(speedup, sizeof speedup, "%.2f", row.speedup());
        table.push_back({row.network, std::to_string(row.layers), seconds_text(row.unfused),
                         seconds_text(row.fused), seconds_text(row.rest), share, speedup});
    }
    std::cout
        << "A layer of whole networks, by MCFuser's model (without norms, activations and launches):\n\n";
    print_table(table, Align::Right, style_for(1));
    std::cout
        << "\nThe paper measured, on average of the three: MCFuser+Relay 1.45 times Relay and 1.33 times "
           "Ansor, MCFuser+Ansor 3.66 times BOLT.\nIts bars of single networks are not in its text.\n";
}

}  // namespace blockscope::tilings

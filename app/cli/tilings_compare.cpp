// The best candidate beside Blockscope's own best state (app/worker/tiling_comparison), and Fig. 9.
#include <cstdio>
#include <iostream>
#include <limits>

#include "app/cli/command.h"
#include "app/cli/terminal.h"
#include "app/cli/tilings.h"
#include "app/worker/predict.h"
#include "core/cost/models/model.h"

namespace blockscope::tilings {

using namespace cli;  // NOLINT(google-build-using-namespace): a command, of the tilings' own names

void compare_with_own(TilingsResult& result, const TilingsArguments& arguments) {
    if (result.order.empty()) throw UsageError("no candidate is left to compare with");
    const bool on_card = result.device.kind != DeviceKind::Cpu;
    // What this processor took says nothing of a card's candidates.
    const bool others = on_card && arguments.measure == "cpu";
    Result<worker::Compared> made = worker::compare_tilings(
        {.space = &result.space,
         .counts = result.counts,
         .device = result.device,
         .processors = result.processors,
         .own = result.own,
         .measured = others ? std::map<int, std::optional<double>>{} : result.measured,
         .measure_ours = arguments.measure == "cpu" && !on_card});
    if (!made) throw BadInput(made.problems());
    worker::Compared compared = std::move(made).value();
    result.comparison = std::move(compared.made);
    if (!result.comparison) result.notes.push_back(compared.why_not.str());
}

void print_comparison(const TilingsResult& result) {
    const auto shown = [](const std::optional<double>& seconds) {
        return seconds ? seconds_text(*seconds) : std::string("-");
    };
    std::vector<Row> rows{{"", "MCFuser's model", "our model", "measured", "operations", "bytes", "tasks"}};
    for (const worker::ComparedRow& row : worker::rows_of(*result.comparison, result.space))
        rows.push_back({row.name, seconds_text(row.paper), seconds_text(row.own), shown(row.measured),
                        count_text(static_cast<std::int64_t>(row.flops)),
                        bytes_text(static_cast<std::int64_t>(row.bytes)),
                        count_text(static_cast<std::int64_t>(row.tasks))});
    std::cout << "\nBeside Blockscope's own best state:\n\n";
    print_table(rows, Align::Right, style_for(1));
    std::cout << worker::verdict_of(*result.comparison).str() << '\n';
    for (const Text& sentence : result.comparison->why) std::cout << "  - " << sentence.str() << '\n';
}

Json comparison_json(const TilingsResult& result) {
    const worker::TilingComparison& made = *result.comparison;
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
    for (const Text& sentence : made.why) json["why"].push_back(sentence.str());
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

// Whole networks, estimated: what attention's speed-up leaves of an encoder's. Fig. 9.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <limits>

#include "app/cli/terminal.h"
#include "app/cli/tilings.h"
#include "core/cost/models/model.h"

namespace blockscope::tilings {

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
constexpr Network kNetworks[] = {{"Bert-Small", "S1", 512, 2048, 4},
                                 {"Bert-Base", "S2", 768, 3072, 12},
                                 {"Bert-Large", "S3", 1024, 4096, 24}};

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

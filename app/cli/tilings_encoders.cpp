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
constexpr int kPassesOfSoftmax = 2;  // over the scores: it reads and writes them

double best_estimate(const std::string& name, const std::string& text, const TilingsArguments& arguments) {
    Result<ArrayProgram> program = parse_program(text, name);
    if (!program) throw InternalError("the program of " + name + " is none");
    TilingsArguments plain = arguments;
    plain.one.clear();
    const TilingsResult result = ranked(name, *program, plain, {});
    if (result.order.empty()) return std::numeric_limits<double>::infinity();
    return result.estimates[static_cast<std::size_t>(result.order.front())];
}

double product_estimate(int batch, int rows, int cols, int depth, const TilingsArguments& arguments) {
    const std::string text = "batch Z = " + std::to_string(batch) + "\ndim M = " + std::to_string(rows) +
                             "\ndim N = " + std::to_string(cols) + "\ndim K = " + std::to_string(depth) +
                             "\ninput A[Z,M,K], B[Z,K,N] : f16\noutput C = A @ B\n";
    return best_estimate("product", text, arguments);
}

}  // namespace

std::vector<EncoderRow> encoders(const TilingsArguments& arguments) {
    std::vector<EncoderRow> rows;
    for (const Network& network : kNetworks) {
        const Workload& attention = *find_workload(network.workload);
        EncoderRow row{.network = network.name, .layers = network.layers};
        row.fused = best_estimate(network.name, workload_text(attention), arguments);
        row.unfused = product_estimate(attention.batch, attention.m, attention.n, attention.k, arguments) +
                      product_estimate(attention.batch, attention.m, attention.h, attention.n, arguments);
        const TargetDevice device =
            ranked(network.name, workload_program(attention), arguments, {}).space.device;
        const double scores = 1.0 * attention.batch * attention.m * attention.n * 2;
        row.unfused += kPassesOfSoftmax * scores / device.bandwidth;
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

// What fusing saves, in the two texts on operator fusion: by the program's own counts where block programs
// can say it, else added up as the text does.
#include "core/cost/counts.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "tests/napkin/paper_table.h"

namespace blockscope::test {

namespace {

struct FusedCounts {
    Counts before, after;

    double saved() const {
        return 1 - static_cast<double>(after.bytes()) / static_cast<double>(before.bytes());
    }
};

// Of arrays of 12 MB: 3,000 × 1,000 numbers of 4 bytes, in 12 × 4 blocks.
constexpr double kBlocks = 12 * 4;
FusedCounts counts_when_fused(const std::string& statements) {
    const std::string text = "dim M = 3000 / 250\ndim N = 1000 / 250\ninput X[M, N] : f32\n" + statements;
    const ArrayProgram program = parse_program(text, "number.bp").value();
    const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(program).program));
    return {count(lower(*trace.initial)), count(lower(*trace.last()))};
}
FusedCounts chain() {
    return counts_when_fused("A = relu(X)\nB = A * 1.5\noutput Y = B + 0.5\n");
}
// Add, ReLU and Mul with a bias and a scale that are numbers.
FusedCounts pto_chain() {
    return counts_when_fused("A = X + 0.5\nB = relu(A)\noutput Y = B * 1.5\n");
}

double megabytes(const Counts& counts) {
    return static_cast<double>(counts.bytes()) / 1e6;
}
// Times that an array is read or written; each of its blocks is then moved once.
double accesses(const Counts& counts) {
    return static_cast<double>(counts.inputs.items + counts.outputs.items + counts.intermediates.items) /
           kBlocks;
}

const char* const kTaxonomy = "arrays of 12 MB";

PaperRows rows_of_taxonomy() {
    return {
        number("Operator fusion taxonomy, 1", "elementwise chain before, MB: 3·(12 + 12)", kTaxonomy, 72, 0,
               [] { return megabytes(chain().before); }),
        number("Operator fusion taxonomy, 1", "elementwise chain after, MB: 12 + 12", kTaxonomy, 24, 0,
               [] { return megabytes(chain().after); }),
        number("Operator fusion taxonomy, 1", "elementwise chain, saved: 1 - 24/72", kTaxonomy, 0.67, 0.005,
               [] { return chain().saved(); }),
        number("Operator fusion taxonomy, 1", "elementwise chain, launches before", kTaxonomy, 3, 0,
               [] { return static_cast<double>(chain().before.launches); }),
        number("Operator fusion taxonomy, 1", "elementwise chain, launches after", kTaxonomy, 1, 0,
               [] { return static_cast<double>(chain().after.launches); }),
        number("Operator fusion taxonomy, 2", "squares and their sum, saved: 1 - 12/36", kTaxonomy, 0.67,
               0.005, [] { return counts_when_fused("A = X^2\noutput S = row_sum(A)\n").saved(); }),
        number(
            "Operator fusion taxonomy, 3",
            "mean taken off, saved: 1 - 24/(12 + 12 + 24 + 12), with the broadcast mean as an array, which "
            "block programs never make",
            kTaxonomy, 0.60, 0, [] { return 1 - 24.0 / (12 + 12 + 24 + 12); }),
        number(
            "Operator fusion taxonomy, 4",
            "transposition and reshape, saved: 1 - 24/(24 + 24 + 24 + 12), with a reshape that copies, which "
            "block programs never do",
            kTaxonomy, 0.71, 0.005, [] { return 1 - 24.0 / (24 + 24 + 24 + 12); })};
}

PaperRows rows_of_pto() {
    return {number("PTO operator fusion, 1.2", "accesses to global memory before: 3 + 3", "Add, ReLU, Mul", 6,
                   0, [] { return accesses(pto_chain().before); }),
            number("PTO operator fusion, 1.2", "accesses to global memory after: 1 + 1", "Add, ReLU, Mul", 2,
                   0, [] { return accesses(pto_chain().after); }),
            number("PTO operator fusion, 1.2", "accesses saved: (6 - 2)/6", "Add, ReLU, Mul", 0.67, 0.005,
                   [] { return pto_chain().saved(); }),
            number("PTO operator fusion, 2.1", "times as fast, bound by memory: 0.15 ms / 0.05 ms",
                   "Add, ReLU, Mul", 3, 0,
                   [] {
                       const FusedCounts both = pto_chain();
                       return static_cast<double>(both.before.bytes()) /
                              static_cast<double>(both.after.bytes());
                   }),
            // The fusion-benefit model is held to it in tests/cost/models_test.cpp.
            number("PTO operator fusion, 4.1", "times as fast: 3·(0.01 + 0.04 + 0.02)/(3·0.01 + 0.04 + 0.02)",
                   "ms of computing, memory and launch", 2.3, 0.05,
                   [] { return 3 * (0.01 + 0.04 + 0.02) / (3 * 0.01 + 0.04 + 0.02); })};
}

}  // namespace

PaperRows rows_of_fusion() {
    PaperRows rows = rows_of_taxonomy();
    for (PaperRow& row : rows_of_pto()) rows.push_back(std::move(row));
    return rows;
}

}  // namespace blockscope::test

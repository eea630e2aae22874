// Sections 5 and 6, Appendix B.0.1: pseudocode, configuration, clocks, schedules.
#include <cmath>
#include <map>

#include "core/napkin/clocks.h"
#include "core/napkin/expand.h"
#include "tests/napkin/paper_table.h"

namespace blockscope::test {

namespace {

using namespace blockscope::circuit;

// w_q = 128, t_q = 1, s_x = u_x = 64, d = 128, d' = 32, d'' = 8; FP8 queries and keys. Table 1 says FP16 of
// A, the weighted scores for the tensor cores, and 8192 bytes: for 128 x 64 values that is one byte each, as
// here.
struct Table1 {
    Flow flow = flow_from(kAttention);
    Expansion expansion = *expand(flow, axis(flow, "q"), axis(flow, "x"));
    Configuration configuration = default_configuration(expansion, flow, 64);
    std::vector<LevelUse> uses;
    ClockAnalysis clocks;
    std::map<std::string, std::int64_t> divisors;

    Table1() {
        for (const char* name : {"Q", "K", "A of P"}) configuration.elems[name] = ElemType::E4M3;
        uses = *level_uses(expansion, configuration, device("h100-sxm5"));
        clocks = *clock_analysis(expansion, configuration, device("h100-sxm5"));
        for (const Divisor& one : circuit::divisors(expansion, flow, configuration, device("h100-sxm5")))
            divisors[one.symbol] = one.by;
    }
    const Variable& variable(const std::string& name) const {
        for (const Variable& one : expansion.variables)
            if (one.name == name) return one;
        throw std::runtime_error("no variable " + name);
    }
};
const Table1& table1() {
    static const Table1 kMade;
    return kMade;
}
const char* const kTable1Inputs = "w_q 128, s_x = u_x = 64, d 128, FP8 Q, K, A";

void outline(const std::vector<CodeNode>& nodes, std::string& text) {
    for (const CodeNode& node : nodes) {
        const char* const open = node.kind == CodeNode::Kind::Loop      ? "("
                                 : node.kind == CodeNode::Kind::SubLoop ? "(("
                                 : node.kind == CodeNode::Kind::Split   ? "["
                                                                        : "";
        if (*open) text += open + node.part + "; ";
        if (!node.text.empty()) text += node.text.str() + "; ";
        outline(node.body, text);
        if (*open) text += "); ";
    }
}
std::string outline_of(const char* program, bool fragments = false) {
    const Flow flow = flow_from(program);
    std::string text;
    outline(expand(flow, axis(flow, "q"), axis(flow, "x"), {fragments})->code, text);
    return text;
}

const char* const kContraction =
    "dim q = 4096 / 128\ndim x = 8192 / 128\ndim d = 128 / 128\n"
    "input P[q, x], V[x, d] : f16\noutput O = P @ V\n";

void add_pseudocode(PaperRows& rows) {
    rows.push_back(text("Figure 27", "head, (loop, ((sub-loop)), tail", "a contraction",
                        "initialise O; (s_x; load P; load V; ((u_x; [· that makes O; ); ); ); save O; ", [] {
                            std::string all = outline_of(kContraction);
                            // A box that can be split has no part of a name.
                            const std::size_t box = all.find("[; ");
                            if (box != std::string::npos) all.erase(box + 1, 2);
                            return all;
                        }));
    rows.push_back(text(
        "Figure 28", "the softmax keeps three numbers a row, the tail divides", "softmax-contraction",
        "initialise α; initialise O'; softmax that makes P; scale by α", [] {
            const std::string all = outline_of(kSoftmaxContraction);
            std::string found;
            for (const char* part : {"initialise α", "initialise O'", "softmax that makes P", "scale by α"})
                if (all.find(part) != std::string::npos)
                    found += (found.empty() ? "" : "; ") + std::string(part);
            return found;
        }));
    rows.push_back(number("Figure 28", "numbers that softmax keeps", "softmax-contraction", 3, 0, [] {
        return table1().variable("α").values.value(table1().configuration.sizes) / 128;
    }));
    const char* const attention =
        "load Q; initialise α; initialise O'; (s_x; load K; load V; [· that makes S; ); ((u_x; "
        "S to threads, through shared memory; * d^-0.5 that makes S; softmax that makes P; "
        "P to tensor cores, through shared memory; [· that makes O; ); ΔO to threads, through shared memory; "
        "scale O' and add ΔO'; ); ); scale by α; save O; ";
    for (const char* source : {"Figure 29", "Figure 30", "Figure 31"})
        rows.push_back(text(source, "the loop as text: ( a loop, (( a sub-loop, [ what can be split",
                            "attention", attention, [] {
                                std::string all = outline_of(kAttention);
                                for (std::size_t box = all.find("[; "); box != std::string::npos;
                                     box = all.find("[; "))
                                    all.erase(box + 1, 2);
                                return all;
                            }));
}

void add_configuration(PaperRows& rows) {
    // Section 5.4: the largest of what transfers and matrix instructions ask (the device's own: 16 for u_x, 8
    // for s_x).
    for (const auto& [symbol, by] :
         {std::pair<const char*, double>{"w_q", 128}, {"d", 128}, {"u_x", 16}, {"s_x", 8}})
        rows.push_back(number(
            "Figure 32", std::string("divisor of ") + symbol, "attention on an H100", by, 0,
            [symbol = std::string(symbol)] { return static_cast<double>(table1().divisors.at(symbol)); }));
    rows.push_back(number("Figure 26", "128 bytes / q", "coalesced transfers, FP8", 128, 0,
                          [] { return static_cast<double>(table1().divisors.at("d")); }));
    struct Variable {
        const char *name, *axes;
        Tier place;
        double block, warpgroup;
    };
    for (const Variable& row : {
             Variable{"Q", "w_q d", Tier::Shared, 0, 16384},
             {"K", "s_x d", Tier::Shared, 16384, 0},
             {"V", "s_x d", Tier::Shared, 32768, 0},
             {"α", "t_q 3", Tier::Threads, 0, 768},
             {"S", "w_q s_x", Tier::Tensor, 0, 16384},
             {"S*", "g_q s_x", Tier::Shared, 0, 16384},
             {"S'", "t_q u_x", Tier::Threads, 0, 16384},
             {"A of P", "w_q u_x", Tier::Shared, 0, 8192},
             {"O'", "t_q d", Tier::Threads, 0, 32768},
             {"D of O", "w_q d′", Tier::Tensor, 0, 8192},
             {"ΔO", "g_q d′", Tier::Shared, 0, 8192},
             {"ΔO'", "t_q d″", Tier::Threads, 0, 2048},
         }) {
        const std::string name = row.name;
        rows.push_back(text("Table 1", name + ": axes, level", kTable1Inputs,
                            std::string(row.axes) + " at " + std::to_string(static_cast<int>(row.place)),
                            [name] {
                                const auto& found = table1().variable(name);
                                std::string axes;
                                for (const std::string& one : found.axes)
                                    axes += (axes.empty() ? "" : " ") + one;
                                return axes + " at " + std::to_string(static_cast<int>(found.place));
                            }));
        rows.push_back(
            number("Table 1", name + ": bytes" + (row.block > 0 ? " of a block" : " of a warpgroup"),
                   kTable1Inputs, row.block + row.warpgroup, 0, [name, block = row.block > 0] {
                       const auto& found = table1().variable(name);
                       return found.per_warpgroup == block ? -1 : bytes_of(found, table1().configuration);
                   }));
    }
    rows.push_back(number("Table 1", "number of variables", kTable1Inputs, 12, 0,
                          [] { return static_cast<double>(table1().expansion.variables.size()); }));
    struct Use {
        const char* what;
        double shared, shared_digit, registers, registers_digit;
        double (*of)(const LevelUse&);
    };
    for (const Use& row :
         {Use{"M_max, KB", 227, 0, 256, 0, [](const LevelUse& use) { return use.limit / 1024; }},
          {"M_TB, KB", 48, 0, 0, 0, [](const LevelUse& use) { return use.per_block / 1024; }},
          {"M_WG, KB", 48, 0, 74.75, 0, [](const LevelUse& use) { return use.per_warpgroup / 1024; }},
          {"N_max = (M_max − M_TB)/M_WG", 3.7, 0.05, 3.4, 0.05,
           [](const LevelUse& use) { return use.warpgroups(); }},
          {"excess at N = 3, KB", 35, 0, 31.75, 0, [](const LevelUse& use) { return use.excess(3) / 1024; }},
          {"excess per warpgroup, KB", 11.67, 0.005, 10.58, 0.005,
           [](const LevelUse& use) { return use.excess(3) / 3 / 1024; }}}) {
        rows.push_back(number("Table 2", row.what, "shared memory of an H100", row.shared, row.shared_digit,
                              [of = row.of] { return of(table1().uses.at(0)); }));
        rows.push_back(number("Table 2", row.what, "registers of an H100", row.registers, row.registers_digit,
                              [of = row.of] { return of(table1().uses.at(1)); }));
    }
    rows.push_back(number("Table 2", "excess per thread, bytes", "registers, 3 warpgroups of 128", 85, 0.5,
                          [] { return table1().uses.at(1).excess_per_thread(3, 128); }));
    rows.push_back(number("Table 2", "warpgroups that fit", "both levels", 3, 0,
                          [] { return static_cast<double>(warpgroups(table1().uses)); }));
}

void add_clocks(PaperRows& rows) {
    struct Pipeline {
        const char *operation, *formula;
        double ops, rate, clocks, digit;
    };
    std::size_t i = 0;
    for (const Pipeline& row : {Pipeline{"Q-K MatMul", "2·d·s_x", 16384, 8192, 2, 0},
                                {"SoftMax", "s_x + s_x·u_x^-1", 65, 16, 4.06, 0.005},
                                {"P-V MatMul", "2·d·s_x", 16384, 4096, 4, 0},
                                {"FP16 accumulate", "2·d·s_x·u_x^-1", 256, 512, 0.5, 0}}) {
        const auto at = [i]() -> const PipelineWork& { return table1().clocks.pipelines.at(i); };
        const std::string what = row.operation;
        rows.push_back(text("Table 3", what + ": operations per thread", kTable1Inputs, row.formula,
                            [at] { return at().ops.text(); }));
        rows.push_back(number("Table 3", what + ": operations per thread", kTable1Inputs, row.ops, 0,
                              [at] { return at().count; }));
        rows.push_back(number("Table 3", what + ": operations per clock", "an H100", row.rate, 0,
                              [at] { return at().rate; }));
        rows.push_back(number("Table 3", what + ": clocks per thread", kTable1Inputs, row.clocks, row.digit,
                              [at] { return at().clocks(); }));
        ++i;
    }
    rows.push_back(
        number("Table 4", "exponentials of SoftMax_1: one of each score, one of the maximum's change",
               "64 scores in one sub-loop", 65, 0, [] { return table1().clocks.pipelines.at(1).count; }));
    rows.push_back(number("Appendix B.0.1", "clocks of tensor cores", kTable1Inputs, 6, 0,
                          [] { return table1().clocks.bound(); }));
    rows.push_back(number("Appendix B.0.1", "least g_q: k g/f ≥ H/(B/N)", "an H100 SXM5", 295, 0.5,
                          [] { return least_threads(table1().clocks, device("h100-sxm5")); }));
    rows.push_back(number("Appendix B.0.1", "ideal rate, PFLOP/s", "an H100 SXM5", 1.32, 0.005,
                          [] { return ideal_rate(table1().clocks, device("h100-sxm5")) / 1e15; }));
}

// FlashAttention-3 as Section 6 explains it, d = 128; threads see fragments.
ClockAnalysis flash(ElemType elem) {
    const Flow flow = flow_from(kAttention);
    const Expansion expansion = *expand(flow, axis(flow, "q"), axis(flow, "x"), {true});
    Configuration configuration = default_configuration(expansion, flow, 128);
    for (auto& entry : configuration.elems) entry.second = elem;
    return *clock_analysis(expansion, configuration, device("h100-sxm5"));
}
// Times as long as the tensor cores need.
double times_as_long(ElemType elem, double overhead, int lanes, Overlap overlap) {
    const ClockAnalysis clocks = flash(elem);
    return schedule(lane_tasks(clocks, overhead, 0), lanes, overlap, 24).period / (lanes * clocks.bound());
}
double allowed(ElemType elem, int lanes, Overlap overlap) {
    return allowance(lane_tasks(flash(elem), 0, 0), Unit::Special, lanes, overlap, 4);
}
// Figure 35: three warpgroups, half of softmax's time as overhead and all of the accumulation's. (The figure
// draws softmax 4 clocks long; at 4.0625 its allowance is 47.7%.)
Schedule three(double softmax) {
    return schedule(lane_tasks(table1().clocks, softmax, 1.0), 3, Overlap::Inter, 24);
}

void add_schedules(PaperRows& rows) {
    constexpr auto kFp16 = ElemType::F16, kFp8 = ElemType::E4M3;
    const double two_thirds = 2.0 / 3;
    rows.push_back(number(
        "Figure 33", "tensor cores' part of an iteration of one warpgroup",
        "no overhead; the accumulation runs beside the next product", 6 / (2 + 4.0625 + 4), 1e-6, [] {
            return schedule(lane_tasks(table1().clocks, 0, 0), 1, Overlap::Inter, 24).busy(Unit::Matrix);
        }));
    rows.push_back(number(
        "Figure 34", "Q-K matmul / P-V matmul, widths of their blocks", kTable1Inputs, 0.5, 0,
        [] { return table1().clocks.pipelines.at(0).clocks() / table1().clocks.pipelines.at(2).clocks(); }));
    rows.push_back(number("Figure 35", "clocks of an iteration of all",
                          "3 warpgroups, overheads of 47% and 100%", 18, 1e-6,
                          [] { return three(0.47).period; }));
    rows.push_back(number("Figure 35", "tensor cores' part", "3 warpgroups, overheads of 47% and 100%", 1,
                          1e-6, [] { return three(0.47).busy(Unit::Matrix); }));
    rows.push_back(number("Figure 35", "clocks of an iteration of all",
                          "3 warpgroups, overheads of 50% and 100%", 18, 0.36,
                          [] { return three(0.5).period; }));
    rows.push_back(number(
        "Figure 35", "allowance of softmax", "3 warpgroups, 100% at the accumulation", 0.477, 0.002,
        [] { return allowance(lane_tasks(table1().clocks, 0, 1.0), Unit::Special, 3, Overlap::Inter, 4); }));
    rows.push_back(number("Figure 36", "clocks of tensor cores", "FP16, s_x = 128", 16, 0,
                          [] { return flash(kFp16).bound(); }));
    rows.push_back(number("Figure 36", "allowance of softmax", "FP16, intra", 0, 0.01,
                          [] { return allowed(kFp16, 1, Overlap::Intra); }));
    rows.push_back(number("Figure 36", "allowance of softmax", "FP16, inter, 2 warpgroups", 1, 0.02,
                          [] { return allowed(kFp16, 2, Overlap::Inter); }));
    rows.push_back(number("Figure 37", "clocks of tensor cores", "FP8, s_x = 128", 8, 0,
                          [] { return flash(kFp8).bound(); }));
    rows.push_back(number("Figure 37", "allowance of softmax", "FP8, inter, 2 warpgroups", 0, 0.01,
                          [] { return allowed(kFp8, 2, Overlap::Inter); }));
    rows.push_back(number("Section 6.1", "740 of 989 TFLOP/s", "FP16, intra, 66% softmax overhead",
                          740.0 / 989, 0.01,
                          [=] { return 1 / times_as_long(kFp16, two_thirds, 1, Overlap::Intra); }));
    rows.push_back(number("Section 6.2", "1.2 of 1.98 PFLOP/s", "FP8, inter, 66% softmax overhead",
                          1.2 / 1.98, 0.02,
                          [=] { return 1 / times_as_long(kFp8, two_thirds, 2, Overlap::Inter); }));
    rows.push_back(number("Section 6.2", "special function unit inactive", "FP8, intra", 1.0 / 3, 0.01, [] {
        return 1 -
               schedule(lane_tasks(flash(ElemType::E4M3), 0, 0), 1, Overlap::Intra, 24).busy(Unit::Special);
    }));
    rows.push_back(number("Section 6.3", "4/3 as long as necessary", "FP16, intra, 66% softmax overhead",
                          4.0 / 3, 0.01,
                          [=] { return times_as_long(kFp16, two_thirds, 1, Overlap::Intra); }));
    rows.push_back(number("Section 6.3", "5/3 as long as necessary", "FP8, inter, 66% softmax overhead",
                          5.0 / 3, 0.02, [=] { return times_as_long(kFp8, two_thirds, 2, Overlap::Inter); }));
    rows.push_back(number("Section 6.3", "as long as necessary", "FP16, inter, 66% softmax overhead", 1, 1e-6,
                          [=] { return times_as_long(kFp16, two_thirds, 2, Overlap::Inter); }));
}

}  // namespace

PaperRows rows_of_kernels() {
    PaperRows rows;
    add_pseudocode(rows);
    add_configuration(rows);
    add_clocks(rows);
    add_schedules(rows);
    return rows;
}

}  // namespace blockscope::test

// Section 4, Appendices A.2 and B.1.
#include <cmath>
#include <tuple>

#include "core/napkin/group_sizes.h"
#include "core/napkin/levels.h"
#include "tests/napkin/paper_table.h"
#include "tests/napkin/transfer_rules.h"

namespace blockscope::test {

namespace {

using namespace blockscope::circuit;
using napkin::TransferLevel;

Analysis analysed_streamed(const char* program, const std::vector<std::pair<std::string, int>>& groups,
                           const std::string& stream) {
    const Flow flow = flow_from(program);
    Plan plan;
    for (const auto& [name, size] : groups) plan.push_back({axis(flow, name), PartitionKind::Group, size});
    plan.push_back({axis(flow, stream), PartitionKind::Stream, 1});
    return analyse(flow, plan);
}
const Analysis& matmul_analysis() {
    static const Analysis kMade = analysed_streamed(kMatmul, {{"a", 64}, {"c", 64}}, "b");
    return kMade;
}
const Analysis& attention_analysis() {
    static const Analysis kMade = analysed_streamed(kAttention, {{"q", 64}}, "x");
    return kMade;
}
algebra::NumericLaw numbers(const Analysis& of) {
    return of.law->numbers(sizes(of.circuit.axes));
}
Formula per_operation() {
    return transfers_per_operation(*matmul_analysis().law, matmul_analysis().resources.work.matrix);
}

// By hand: α of attention and of the matrix product.
constexpr double kOfAttention = 4.0 * 8192 * 4096 * 128 * 128, kOfMatmul = 2.0 * 4096 * 2048 * 1024;
constexpr double kCompute = 989e12, kShared = 232448;

double gain(const Analysis& of, double bandwidth, double children) {
    const TransferLevel child = napkin::quantised("shared", 2.04e12, kShared, 2);
    return cross_transfer_gain(numbers(of), child, 2 / bandwidth, children);
}
double gain_by_hand(double alpha, double beta, double bandwidth, double children) {
    return (2 / 2.04e12 - 2 / bandwidth) * alpha * std::pow(kShared / 2, -beta) *
           (1 - std::pow(children, -beta));
}

// A matmul with an inner axis without end, or of its own length.
LevelIntensity intensity(std::size_t level, bool long_axis) {
    Values at = sizes(matmul_analysis().circuit.axes);
    if (long_axis) at["b"] = 1e15;
    const std::vector<ByteLevel> levels = {{"L2", 50e6, 3352e9, 1}, {"shared", kShared, 12e12, 132}};
    return level_intensities(per_operation(), at, levels, 2, kCompute).at(level);
}

// Tiles of 16 lie in tiles of 256 (Figure 20), moved at each level by its own bandwidth (Equation 2).
LevelPlan planned(std::size_t level) {
    Values one = sizes(matmul_analysis().circuit.axes);
    one["s_b"] = 1;
    const double big = 256 * 256 + 2 * 256, small = 16 * 16 + 2 * 16;
    const std::vector<ByteLevel> levels = {{"L2", 4 * big, 1e9, 1}, {"registers", 4 * small, 4e9, 8}};
    return level_plans(matmul_analysis().resources, {{"g_a", 4096}, {"g_c", 1024}}, one, levels, 4)
        .levels.at(level);
}

void add_hierarchy(PaperRows& rows) {
    for (const auto& [level, tile] : {std::pair<std::size_t, double>{0, 256}, {1, 16}})
        rows.push_back(
            number("Figure 20", "g_a = g_c at each level", "a matmul, tiles in tiles", tile, 0,
                   [level = level] { return static_cast<double>(planned(level).groups.at(0).second); }));
    rows.push_back(number("Figure 24", "H into the lower level = 2abc/h + ac", "tiles of 16",
                          2 * 4096.0 * 2048 * 1024 / 16 + 4096.0 * 1024, 0,
                          [] { return planned(1).transferred; }));
    rows.push_back(number(
        "Section 4.2", "Σ w H*(a, M)", "two levels of attention",
        1e-12 * (2.0 * 4096 * 128 + kOfAttention / 1e7) + 2e-13 * (2.0 * 4096 * 128 + kOfAttention / 1e5), 0,
        [] {
            return napkin::total_cost(numbers(attention_analysis()),
                                      {{"L2", 1e-12, 1e7}, {"shared", 2e-13, 1e5}});
        }));
}

void add_quantisation(PaperRows& rows) {
    rows.push_back(number("Section 4.1", "β of attention", "H* of Figure 21", 1, 0,
                          [] { return attention_analysis().law->terms.at(0).beta.value(); }));
    rows.push_back(number("Section 4.1", "β of a matrix product", "H* of Figure 18", 0.5, 0,
                          [] { return matmul_analysis().law->terms.at(0).beta.value(); }));
    rows.push_back(number("Section 4.3", "2^(1+β)", "attention, FP32 to FP16", 4, 0, [] {
        return napkin::quantisation_gain(attention_analysis().law->terms.at(0).beta.value(), 4, 2);
    }));
    rows.push_back(number("Section 4.3", "2^1.5", "a matrix product, FP32 to FP16", 2.83, 0.005, [] {
        return napkin::quantisation_gain(matmul_analysis().law->terms.at(0).beta.value(), 4, 2);
    }));
    // Equation 3 as a whole: (M_bytes/q, q/bandwidth) term by term.
    rows.push_back(number("Section 4.3", "Σ α q^(1+β) M_bytes^-β / bandwidth", "attention, 227 KB, FP16",
                          (2 * 2.0 * 4096 * 128 + 4 * kOfAttention / kShared) / 3.352e12, 0, [] {
                              const std::vector<ByteLevel> levels = {{"shared", kShared, 3.352e12}};
                              return napkin::total_cost(numbers(attention_analysis()),
                                                        transfer_levels(levels, 2));
                          }));
}

void add_caches(PaperRows& rows) {
    rows.push_back(number(
        "Appendix A.2.1", "M of a cache = N_c M_c", "132 children of 116,224 values", 132 * kShared / 2, 0,
        [] {
            return napkin::caching_level("L2", 1, napkin::quantised("shared", 1, kShared, 2), 132).memory;
        }));
    rows.push_back(number("Appendix A.2.1", "N_g,2/N_g,1 ≤ N_2", "1320 and 10 groups, 132 children", 1, 0,
                          [] { return napkin::can_cache(1320, 10, 132) ? 1 : 0; }));
    rows.push_back(number("Appendix A.2.1", "N_g,2/N_g,1 ≤ N_2", "1330 and 10 groups, 132 children", 0, 0,
                          [] { return napkin::can_cache(1330, 10, 132) ? 1 : 0; }));
    // Equation 11 by hand: what is sent down, then the rest across.
    const TransferLevel child{"shared", 2, 1e5};
    const auto eleven = [child] {
        const auto sent = [](double memory) { return transfers(numbers(attention_analysis()), memory); };
        return 2 * sent(4e5) + 0.5 * (sent(1e5) - sent(4e5));
    };
    for (const char* source : {"Figure 25", "Appendix A.2.2"})
        rows.push_back(number(source, "w_hc H*(N M) + w_xc (H*(M) − H*(N M))", "attention, 4 children",
                              eleven(), 1e-6, [child] {
                                  return napkin::total_cost(numbers(attention_analysis()),
                                                            napkin::cross_transfer_levels(child, 0.5, 4));
                              }));
    for (const auto& [bandwidth, children] : {std::pair(3.27e12, 2.0), std::pair(2.65e12, 4.0)}) {
        const std::string inputs = " on an H800, clusters of " + std::to_string(static_cast<int>(children));
        const auto by = [b = bandwidth, n = children](const Analysis& of) { return gain(of, b, n); };
        rows.push_back(number("Appendix A.2.3", "ΔH = Δw Σ α M^-β (1 − N^-β)", "attention" + inputs,
                              gain_by_hand(kOfAttention, 1, bandwidth, children), 1e-15,
                              [by] { return by(attention_analysis()); }));
        rows.push_back(number("Appendix A.2.3", "ΔH = Δw Σ α M^-β (1 − N^-β)", "a matrix product" + inputs,
                              gain_by_hand(kOfMatmul, 0.5, bandwidth, children), 1e-15,
                              [by] { return by(matmul_analysis()); }));
    }
}

void add_intensity(PaperRows& rows) {
    rows.push_back(text("Appendix B.1", "H/K", "a matrix product", "M^-1/2 + 0.5·b^-1",
                        [] { return per_operation().text(); }));
    for (const auto& [level, rate, digit] :
         {std::tuple<std::size_t, double, double>{0, 1.7e12, 0.05e12}, {1, 6.0e12, 0.05e12}}) {
        const std::string into =
            level == 0 ? "into the L2 at 3352 GB/s, FP16" : "into shared memory at 12 TB/s, FP16";
        const double ratio = kCompute / (level == 0 ? 1.676e12 : 6e12);
        rows.push_back(number("Appendix B.1", "values per second", into, rate, digit,
                              [level = level] { return intensity(level, true).values_per_second; }));
        rows.push_back(number("Appendix B.1", "least M = (K'/H')²", into + ", b without end", ratio * ratio,
                              1e-5 * ratio * ratio,
                              [level = level] { return intensity(level, true).least_memory; }));
        rows.push_back(number("Appendix B.1", "least b = K'/2H'", into + ", M without end", ratio / 2,
                              1e-6 * ratio,
                              [level = level] { return intensity(level, true).axes.at(0).at_any_memory; }));
        const double memory = level == 0 ? 132 * kShared / 2 : kShared / 2;
        rows.push_back(number("Appendix B.1", "least b = (2 (H'/K' − M^-1/2))^-1", into,
                              0.5 / (1 / ratio - 1 / std::sqrt(memory)), 1e-3,
                              [level = level] { return intensity(level, true).axes.at(0).at_memory; }));
        rows.push_back(number("Appendix B.1", "M of the level", into + ", the L2 with all that 132 hold",
                              memory, 0, [level = level] { return intensity(level, false).memory; }));
    }
    rows.push_back(number("Appendix B.1", "least b", "1000 values of memory: none is enough", 0, 0, [] {
        return least_axis(per_operation(), "b", sizes(matmul_analysis().circuit.axes), 1000, 1.676e12,
                          kCompute);
    }));
}

}  // namespace

PaperRows rows_of_models() {
    PaperRows rows;
    add_hierarchy(rows);
    add_quantisation(rows);
    add_caches(rows);
    add_intensity(rows);
    return rows;
}

}  // namespace blockscope::test

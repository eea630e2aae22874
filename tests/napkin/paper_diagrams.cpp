// Sections 2 and 3: transfers, memory and groups read off the diagrams, and H*.
#include <algorithm>
#include <memory>

#include "core/diagram/term.h"
#include "core/napkin/group_sizes.h"
#include "tests/napkin/paper_table.h"

namespace blockscope::test {

namespace {

using namespace blockscope::circuit;

using Parts = std::vector<std::pair<std::string, int>>;

// The algorithm of a program with these groups and streams.
struct Drawn {
    const char* program;
    Parts groups, streams;

    Flow flow() const { return flow_from(program); }
    Plan plan() const {
        const Flow of = flow();
        Plan plan;
        for (const auto& [name, size] : groups) plan.push_back({axis(of, name), PartitionKind::Group, size});
        for (const auto& [name, size] : streams)
            plan.push_back({axis(of, name), PartitionKind::Stream, size});
        return plan;
    }
    Analysis analysis() const {
        Analysis made = analyse(flow(), plan());
        EXPECT_THAT(verify(made.circuit), testing::IsEmpty()) << to_string(made.circuit);
        return made;
    }
    std::string inputs() const {
        std::string said;
        for (const auto& [name, size] : groups) said += (said.empty() ? "g_" : ", g_") + name;
        for (const auto& [name, size] : streams) said += (said.empty() ? "s_" : ", s_") + name;
        if (said.empty()) said = "nothing split";
        return said;
    }
};

// N_g, H_g, H, M, and H* where it says one.
void add(PaperRows& rows, const std::string& source, const Drawn& drawn,
         const std::vector<std::pair<std::string, std::string>>& said) {
    for (const auto& [what, expected] : said)
        rows.push_back(text(source, what, drawn.inputs(), expected, [drawn, what = what]() -> std::string {
            const Analysis found = drawn.analysis();
            const Resources& costs = found.resources;
            if (what == "N_g") return costs.groups.text();
            if (what == "H_g") return costs.per_group.text();
            if (what == "H") return costs.transferred.text();
            if (what == "M") return costs.widest(1).text();
            if (what == "FLOPs") return costs.work.matrix.text();
            if (!found.law) return "none: " + found.no_law.str();
            if (what == "H*") return found.law->formula().text();
            for (const GroupChoice& choice : found.law->choices)
                if (choice.name() == what) return choice.text();
            return "no choice of " + what;
        }));
}

}  // namespace

PaperRows rows_of_diagrams() {
    PaperRows rows;
    add(rows, "Section 2.2", {kMatmul, {}, {}}, {{"FLOPs", "2·a·b·c"}});
    add(rows, "Figure 9", {kSoftmaxContraction, {}, {}}, {{"H", "q·x + d·x + d·q"}, {"M", "q·x + d·x"}});
    add(rows, "Figure 11", {kSoftmaxContraction, {{"q", 64}}, {}},
        {{"N_g", "q·g_q^-1"},
         {"H_g", "g_q·x + d·x + d·g_q"},
         {"H", "q·x + d·q·x·g_q^-1 + d·q"},
         {"M", "g_q·x + d·x"}});
    add(rows, "Figure 12", {kMatmul, {{"a", 64}, {"c", 64}}, {}},
        {{"N_g", "a·c·g_a^-1·g_c^-1"},
         {"H_g", "b·g_a + b·g_c + g_a·g_c"},
         {"H", "a·b·c·g_a^-1 + a·b·c·g_c^-1 + a·c"},
         {"M", "b·g_a + b·g_c"}});
    // The stream's size in memory, the whole axis in the transfers, the output carried along.
    add(rows, "Figure 15", {kMatmul, {}, {{"b", 1}}},
        {{"H", "a·b + b·c + a·c"}, {"M", "a·c + a·s_b + c·s_b"}});
    add(rows, "Figure 16", {kSoftmaxContraction, {}, {{"x", 1}}},
        {{"H", "q·x + d·x + d·q"}, {"M", "d·q + q·s_x + d·s_x"}});
    add(rows, "Figure 17", {kSoftmaxContraction, {{"q", 64}}, {{"x", 1}}},
        {{"N_g", "q·g_q^-1"}, {"H_g", "g_q·x + d·x + d·g_q"}, {"M", "d·g_q + g_q·s_x + d·s_x"}});
    add(rows, "Figure 18", {kMatmul, {{"a", 64}, {"c", 64}}, {{"b", 1}}},
        {{"N_g", "a·c·g_a^-1·g_c^-1"},
         {"H_g", "b·g_a + b·g_c + g_a·g_c"},
         {"H", "a·b·c·g_a^-1 + a·b·c·g_c^-1 + a·c"},
         {"M", "g_a·g_c + g_a·s_b + g_c·s_b"},
         {"g_a", "M^1/2"},
         {"g_c", "M^1/2"},
         {"H*", "2·a·b·c·M^-1/2 + a·c"}});
    rows.push_back(number("Section 3.1", "H = ab + bc + ac for M → ∞", "a 4096, b 2048, c 1024",
                          4096.0 * 2048 + 2048.0 * 1024 + 4096.0 * 1024, 0, [] {
                              const Drawn drawn{kMatmul, {{"a", 64}, {"c", 64}}, {{"b", 1}}};
                              return best_groups(drawn.flow(), drawn.plan(), 1e12)->transferred;
                          }));
    add(rows, "Figure 21", {kAttention, {{"q", 64}}, {{"x", 1}}},
        {{"N_g", "q·g_q^-1"},
         {"H_g", "2·d·g_q + 2·d·x"},
         {"H", "2·d·q + 2·d·q·x·g_q^-1"},
         {"M", "2·d·g_q + 2·d·s_x"},
         {"g_q", "M/(2·d)"},
         {"H*", "4·d²·q·x·M^-1 + 2·d·q"}});
    // The paper prints 2·x·d per group and 2·s_x·d in memory: keys and values without the head axis, which
    // "is weaved over every operation". They have it here; H* is the paper's.
    add(rows, "Figure 22", {kHeads, {{"h", 2}, {"q", 64}}, {{"x", 1}}},
        {{"N_g", "h·q·g_h^-1·g_q^-1"},
         {"H_g", "2·d·g_h·g_q + 2·d·g_h·x"},
         {"H", "2·d·h·q + 2·d·h·q·x·g_q^-1"},
         {"M", "2·d·g_h·g_q + 2·d·g_h·s_x"},
         {"g_h", "1"},
         {"g_q", "M/(2·d)"},
         {"H*", "4·d²·h·q·x·M^-1 + 2·d·h·q"}});
    add(rows, "Figure 23", {kGrouped, {{"g", 2}, {"q", 64}}, {{"x", 1}}},
        {{"N_g", "g·q·g_g^-1·g_q^-1"},
         {"H_g", "2·d·g_g·g_q + 2·d·x"},
         {"H", "2·d·g·q + 2·d·g·q·x·g_g^-1·g_q^-1"},
         {"M", "2·d·g_g·g_q + 2·d·s_x"},
         {"g_g·g_q", "M/(2·d)"},
         {"H*", "4·d²·g·q·x·M^-1 + 2·d·g·q"}});
    return rows;
}

}  // namespace blockscope::test

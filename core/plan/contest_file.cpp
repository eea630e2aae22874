// Problems and schedules of the MLSys 2026 graph scheduling contest in its own JSON.
#include <algorithm>
#include <initializer_list>

#include "core/json/reader.h"
#include "core/plan/contest.h"
#include "core/plan/problem.h"

namespace blockscope::plan {

namespace {

using json::Reader;

constexpr std::int64_t kMostSide = 1 << 20;  // of a tensor
constexpr std::int64_t kMostAmount = std::int64_t{1} << 40;
constexpr std::size_t kMostParts = 10'000;  // tensors, operators, steps
constexpr std::size_t kMostTiles = std::size_t{1} << 22;

// Whole numbers from 0 to `last`.
std::vector<int> indices(const Reader& list, std::size_t least, std::size_t most, std::int64_t last) {
    std::vector<int> all;
    if (!list.array(least, most)) return all;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (const auto one = list.at(i).integer(0, last)) all.push_back(static_cast<int>(*one));
    return all;
}

// That most of them have, of equally many the first: so a list that differs is the one that is wrong.
std::size_t usual_size(std::initializer_list<const Reader*> lists) {
    std::size_t usual = 0;
    std::ptrdiff_t most = 0;
    for (const Reader* list : lists) {
        const auto same = std::count_if(lists.begin(), lists.end(), [list](const Reader* other) {
            return other->size() == list->size();
        });
        if (same <= most) continue;
        most = same;
        usual = list->size();
    }
    return usual;
}

class ProblemReader {
public:
    ProblemReader(const json::Value& root, json::Report& report) : root_(root, report) {}

    ContestProblem read() {
        if (!root_.object({"widths", "heights", "inputs", "outputs", "base_costs", "op_types",
                           "fast_memory_capacity", "slow_memory_bandwidth", "native_granularity"}))
            return {};
        tensors();
        operators();
        hardware();
        if (!root_.report().clean()) return {};
        makers();
        sizes();
        cycles();
        return std::move(problem_);
    }

private:
    void tensors() {
        const Reader widths = root_.member("widths"), heights = root_.member("heights");
        if (!widths.array(1, kMostParts) || !heights.array(widths.size(), widths.size())) return;
        for (std::size_t i = 0; i < widths.size(); ++i)
            problem_.tensors.push_back({.width = widths.at(i).integer(1, kMostSide).value_or(1),
                                        .height = heights.at(i).integer(1, kMostSide).value_or(1)});
    }

    void operators() {
        const Reader inputs = root_.member("inputs"), outputs = root_.member("outputs");
        const Reader costs = root_.member("base_costs"), types = root_.member("op_types");
        const std::size_t count = usual_size({&inputs, &outputs, &costs, &types});
        for (const Reader* list : {&inputs, &outputs, &costs, &types})
            if (!list->array(1, kMostParts) || !list->array(count, count)) return;
        const auto last = static_cast<std::int64_t>(problem_.tensors.size()) - 1;
        for (std::size_t i = 0; i < count; ++i) {
            ContestOperator one;
            one.matmul = types.at(i).choice({"Pointwise", "MatMul"}) == 1;
            one.cost = static_cast<double>(costs.at(i).integer(0, kMostAmount).value_or(0));
            const std::vector<int> made = indices(outputs.at(i), 1, 1, last);
            one.inputs = indices(inputs.at(i), one.matmul ? 2 : 1, one.matmul ? 2 : 64, last);
            if (!made.empty()) one.output = made.front();
            problem_.operators.push_back(std::move(one));
        }
    }

    void hardware() {
        const auto amount = [&](const char* key) {
            return static_cast<double>(root_.member(key).integer(1, kMostAmount).value_or(1));
        };
        problem_.capacity = amount("fast_memory_capacity");
        problem_.bandwidth = amount("slow_memory_bandwidth");
        const Reader native = root_.member("native_granularity");
        if (!native.array(2, 2)) return;
        problem_.native_width = native.at(0).integer(1, kMostSide).value_or(1);
        problem_.native_height = native.at(1).integer(1, kMostSide).value_or(1);
    }

    void makers() {
        problem_.maker.assign(problem_.tensors.size(), -1);
        problem_.readers.resize(problem_.tensors.size());
        for (std::size_t i = 0; i < problem_.operators.size(); ++i) {
            const ContestOperator& one = problem_.operators[i];
            int& maker = problem_.maker[static_cast<std::size_t>(one.output)];
            if (maker >= 0)
                at_operator("outputs", i,
                            Text("tensor %1 is computed by operator %2 already",
                                 static_cast<std::int64_t>(one.output), static_cast<std::int64_t>(maker)));
            maker = static_cast<int>(i);
            for (const int input : one.inputs) {
                auto& readers = problem_.readers[static_cast<std::size_t>(input)];
                if (readers.empty() || readers.back() != static_cast<int>(i))
                    readers.push_back(static_cast<int>(i));
            }
        }
    }

    void sizes() {
        for (std::size_t i = 0; i < problem_.operators.size(); ++i) {
            const ContestOperator& one = problem_.operators[i];
            const ContestTensor& result = tensor(one.output);
            if (!one.matmul) {
                for (const int input : one.inputs)
                    if (tensor(input).width != result.width || tensor(input).height != result.height)
                        at_operator("inputs", i,
                                    Text("tensor %1 differs in size from the result of a pointwise operator",
                                         static_cast<std::int64_t>(input)));
                continue;
            }
            const ContestTensor &left = tensor(one.inputs[0]), &right = tensor(one.inputs[1]);
            if (left.width != right.height || left.height != result.height || right.width != result.width)
                at_operator("inputs", i,
                            Text("a product of %1 x %2 and %3 x %4 is not %5 x %6", left.height, left.width,
                                 right.height, right.width, result.height, result.width));
        }
    }

    void cycles() {
        Dag dag;
        for (const ContestOperator& one : problem_.operators) {
            std::vector<int> before;
            for (const int input : one.inputs)
                if (const int maker = problem_.maker[static_cast<std::size_t>(input)]; maker >= 0)
                    before.push_back(maker);
            std::sort(before.begin(), before.end());
            before.erase(std::unique(before.begin(), before.end()), before.end());
            dag.before.push_back(std::move(before));
            dag.after.push_back(problem_.readers[static_cast<std::size_t>(one.output)]);
        }
        std::vector<bool> reached(problem_.operators.size());
        for (const int node : topological_order(dag)) reached[static_cast<std::size_t>(node)] = true;
        const auto stuck = std::find(reached.begin(), reached.end(), false);
        if (stuck != reached.end())
            root_.member("inputs").problem(Text("operator %1 stands on a cycle, or after one",
                                                static_cast<std::int64_t>(stuck - reached.begin())));
    }

    void at_operator(const char* key, std::size_t index, const Text& message) {
        const Reader list = root_.member(key);
        list.at(index).problem(message);
    }

    const ContestTensor& tensor(int index) const { return problem_.tensors[static_cast<std::size_t>(index)]; }

    Reader root_;
    ContestProblem problem_;
};

// Whether the problem has such operators and tensors is found when it is costed.
ContestSchedule read_schedule(const Reader& root) {
    ContestSchedule schedule;
    if (!root.object(
            {"subgraphs", "granularities", "tensors_to_retain", "traversal_orders?", "subgraph_latencies?"}))
        return schedule;
    const Reader groups = root.member("subgraphs"), sizes = root.member("granularities");
    const Reader retained = root.member("tensors_to_retain");
    if (!groups.array(0, kMostParts)) return schedule;
    const std::size_t count = groups.size();
    if (!sizes.array(count, count) || !retained.array(count, count)) return schedule;
    const bool ordered = root.has("traversal_orders"), claimed = root.has("subgraph_latencies");
    const Reader orders = root.member("traversal_orders"), claims = root.member("subgraph_latencies");
    if (ordered && !orders.array(count, count)) return schedule;
    if (claimed && !claims.array(count, count)) return schedule;
    for (std::size_t i = 0; i < count; ++i) {
        ContestStep step;
        step.operators = indices(groups.at(i), 0, kMostParts, kMostAmount >> 10);
        step.retained = indices(retained.at(i), 0, kMostParts, kMostAmount >> 10);
        const Reader size = sizes.at(i);
        if (size.array(3, 3))
            step.granularity = {.width = size.at(0).integer(1, kMostSide).value_or(1),
                                .height = size.at(1).integer(1, kMostSide).value_or(1),
                                .depth = size.at(2).integer(1, kMostSide).value_or(1)};
        if (ordered && !orders.at(i).is(json::Value()))
            step.order = indices(orders.at(i), 1, kMostTiles, static_cast<std::int64_t>(kMostTiles));
        if (claimed) step.claimed = claims.at(i).number();
        schedule.push_back(std::move(step));
    }
    return schedule;
}

json::Value list(const std::vector<int>& values) {
    return json::Array(values.begin(), values.end());
}

}  // namespace

Result<ContestProblem> read_contest_problem(const std::string& text, const std::string& file) {
    const Result<json::Value> document = json::parse(text, file);
    if (!document) return document.problems();
    json::Report report(file);
    ContestProblem problem = ProblemReader(*document, report).read();
    if (!report.clean()) return report.problems();
    return problem;
}

Result<ContestSchedule> read_contest_schedule(const std::string& text, const std::string& file) {
    const Result<json::Value> document = json::parse(text, file);
    if (!document) return document.problems();
    json::Report report(file);
    ContestSchedule schedule = read_schedule(Reader(*document, report));
    if (!report.clean()) return report.problems();
    return schedule;
}

std::string contest_text(const ContestSchedule& schedule) {
    json::Array groups, sizes, retained, orders, latencies;
    for (const ContestStep& step : schedule) {
        groups.push_back(list(step.operators));
        const Granularity& size = step.granularity;
        sizes.push_back(json::Array{size.width, size.height, size.depth});
        retained.push_back(list(step.retained));
        orders.push_back(step.order ? list(*step.order) : json::Value());
        latencies.push_back(step.claimed.value_or(0));
    }
    return json::print_rows({{"subgraphs", groups},
                             {"granularities", sizes},
                             {"tensors_to_retain", retained},
                             {"traversal_orders", orders},
                             {"subgraph_latencies", latencies}},
                            {"subgraphs", "granularities", "tensors_to_retain", "traversal_orders"});
}

}  // namespace blockscope::plan

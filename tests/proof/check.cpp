#include "tests/proof/check.h"

#include <algorithm>
#include <map>

#include "core/exec/evaluate.h"
#include "core/exec/prove.h"
#include "core/graph/graph.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "tests/support/listing_check.h"
#include "tests/support/random.h"
#include "tests/support/random_blocks.h"
#include "tests/support/random_program.h"

namespace blockscope {

namespace {

// A safe form computes exponents in another way than the original; the images agree for as many nested
// exponentials (core/scalar/exact.h).
constexpr int kProvableExponentials = 3;

int depth_of(const Expr& expr, const std::vector<int>& inputs) {
    if (const Arg* arg = std::get_if<Arg>(&expr.value))
        return inputs.at(static_cast<std::size_t>(arg->index));
    const Call* call = std::get_if<Call>(&expr.value);
    if (!call) return 0;
    int depth = 0;
    for (const ExprPtr& argument : call->args) depth = std::max(depth, depth_of(*argument, inputs));
    return depth + (call->fn == Fn::Exp);
}

class Depths {
public:
    explicit Depths(int& deepest) : deepest_(deepest) {}

    // By output, for the given depths of the inputs.
    std::vector<int> of(const Graph& graph, const std::vector<int>& inputs) {
        std::map<ValueRef, int> depths;
        std::vector<int> outputs;
        std::size_t next_input = 0;
        for (const NodePtr& node : graph.nodes()) {
            std::vector<int> in;
            for (const ValueRef& ref : node->inputs) in.push_back(depths.at({ref.node, ref.port}));
            if (node->is<Input>()) in.push_back(next_input < inputs.size() ? inputs[next_input++] : 0);
            if (node->is<Output>()) outputs.push_back(in.at(0));
            const std::vector<int> out = of(*node, in);
            for (std::size_t port = 0; port < out.size(); ++port) {
                depths[{node->id, static_cast<std::uint16_t>(port)}] = out[port];
                deepest_ = std::max(deepest_, out[port]);
            }
        }
        return outputs;
    }

private:
    std::vector<int> of(const Node& node, const std::vector<int>& in) {
        if (const Map* map = node.as<Map>()) return of(*map->body, in);
        int depth = in.empty() ? 0 : *std::max_element(in.begin(), in.end());
        if (const Elementwise* elementwise = node.as<Elementwise>()) depth = depth_of(*elementwise->expr, in);
        return std::vector<int>(node.outputs.size(), depth);
    }

    int& deepest_;
};

// The most exponentials that one value has passed through.
int nested_exponentials(const BlockProgram& program) {
    int deepest = 0;
    Depths(deepest).of(*program.graph, {});
    return deepest;
}

constexpr int kMostFuseSteps = 400;    // no small program takes nearly as many
constexpr double kMostWork = 400'000;  // scalar operations of a state that a random order goes on from
constexpr int kMostNodes = 300;        // of a state that rule 7 may still double

// What differs between the arrays, by the p images (core/scalar/exact.h); empty if nothing does.
std::string difference(const Tensors<Exact>& expected, const Tensors<Exact>& found) {
    if (expected.size() != found.size()) return "the number of outputs changed";
    for (const auto& [name, tensor] : expected) {
        const auto other = found.find(name);
        if (other == found.end()) return "output " + name + " is missing";
        if (tensor.shape != other->second.shape) return "output " + name + " has another shape";
        for (std::size_t i = 0; i < tensor.data.size(); ++i)
            if (tensor.data[i].p != other->second.data[i].p)
                return "output " + name + " differs at element " + std::to_string(i);
    }
    return "";
}

std::function<std::string(const BlockProgram&)> comparison(Tensors<Exact> inputs, Tensors<Exact> outputs) {
    return [inputs = std::move(inputs), outputs = std::move(outputs)](const BlockProgram& state) {
        return difference(outputs, evaluate(state, inputs));
    };
}

// Whether the type is that of an array as programs declare them: the item's axes split it last, and no
// other dimension has an axis' name. Random block programs have other inputs and outputs too.
bool is_array(const Type& type) {
    const Item& item = type.item();
    std::vector<DimId> axes;
    if (item.kind != ItemKind::Scalar) axes.push_back(item.rows);
    if (item.kind == ItemKind::Block) axes.push_back(item.cols);
    const int leading = type.rank() - static_cast<int>(axes.size());
    for (int i = 0; i < type.rank(); ++i) {
        const bool axis = std::find(axes.begin(), axes.end(), type.dim(i)) != axes.end();
        if (i < leading ? axis : axes[static_cast<std::size_t>(i - leading)] != type.dim(i)) return false;
    }
    return leading >= 0;
}

// The variance of one number is 0, up to rounding: rows have two elements at least.
DimTable listing_dims(DimTable dims) {
    for (Dim& dim : dims)
        if (dim.size == 1) dim.size = dim.block = 2;
    return dims;
}

class Checker {
public:
    Checker(const Subject& subject, std::uint64_t seed, const CheckOptions& options, Statistics& statistics)
        : subject_(subject),
          seed_(seed),
          random_(seed ^ 0x5eed),
          options_(options),
          statistics_(statistics) {}

    std::optional<Failure> run() {
        ++statistics_.programs;
        if (attempt("conversion", [&] { return state_problem(*subject_.initial); })) return failure_;
        ProgramPtr last;
        if (attempt("fuse", [&] { return fused(last); })) return failure_;
        for (int walk = 0; walk < options_.walks; ++walk)
            if (attempt("random order", [&] { return random_order(walk); })) return failure_;
        if (options_.safe && attempt("safe form", [&] { return safe_form(*last); })) return failure_;
        if (options_.listing && attempt("listing", [&] { return listing_problem(*last); })) return failure_;
        return {};
    }

private:
    // Whether `body` says or throws that something is wrong.
    template <class Body>
    bool attempt(const std::string& stage, const Body& body) {
        failure_ = {};
        step_ = 0;
        rule_.clear();
        std::string sentence;
        try {
            sentence = body();
        } catch (const std::exception& error) {
            sentence = std::string("throws: ") + error.what();
        }
        if (sentence.empty()) return false;
        failure_ =
            Failure{stage + (step_ > 0 ? ", step " + std::to_string(step_) : ""), rule_, sentence, nodes_};
        return true;
    }

    std::string state_problem(const BlockProgram& state) const {
        const std::vector<Violation> violations = verify(state);
        if (!violations.empty()) return "not valid: " + violations.front().sentence.str();
        return subject_.difference(state);
    }

    std::string step_problem(const Step& step) {
        ++step_;
        rule_ = to_string(step.match.rule);
        nodes_ = node_count(*step.before);
        ++statistics_.steps;
        ++statistics_.applied[step.match.rule];
        return state_problem(*step.after);
    }

    std::string fused(ProgramPtr& last) {
        std::string problem;
        const Trace trace = fuse(subject_.initial, [&](const Step& step) {
            problem = step_problem(step);
            if (problem.empty() && step_ >= kMostFuseSteps) problem = "the algorithm does not stop";
            return problem.empty();
        });
        last = trace.last();
        if (!problem.empty()) return problem;
        rule_.clear();
        if (trace.snapshots.empty() || trace.snapshots.back() != static_cast<int>(trace.steps.size()))
            return "the last state is no snapshot";
        for (const Match& match : all_matches(*last))
            if (rule(match.rule).in_fuse)
                return "rule " + to_string(match.rule) + " still matches in the end";
        return "";
    }

    // Rules 6, 7 and 14 multiply work and nodes: they are rare, and end with the sizes above.
    int weight(const Match& match, int nodes, double work) const {
        if (match.rule.number == 7) return nodes > kMostNodes ? 0 : 1;
        if (match.rule.number == 14) return nodes > kMostNodes ? 0 : 8;
        if (match.rule.number == 6) return work > kMostWork / 8 ? 0 : 2;
        return 8;
    }

    std::optional<Match> random_match(const BlockProgram& state) {
        const std::vector<Match> matches = all_matches(state);
        const double work = proof_work(state, state.dims);
        if (matches.empty() || work > kMostWork) return {};
        std::vector<int> weights;
        int sum = 0;
        for (const Match& match : matches) sum += weights.emplace_back(weight(match, nodes_, work));
        if (sum == 0) return {};
        return matches[static_cast<std::size_t>(random_.weighted(weights))];
    }

    std::string random_order(int walk) {
        ProgramPtr state = subject_.initial;
        for (int count = 0; count < options_.walk_steps; ++count) {
            nodes_ = node_count(*state);
            const std::optional<Match> match = random_match(*state);
            if (!match) {
                statistics_.walks_ended += all_matches(*state).empty();
                break;
            }
            rule_ = to_string(match->rule);
            const Step step = checked_apply(state, *match);
            std::string problem = step_problem(step);
            if (!problem.empty()) return problem;
            state = step.after;
        }
        rule_.clear();
        std::string problem;
        if (options_.safe && walk == 0) problem = safe_form(*state);
        if (problem.empty() && options_.listing) problem = listing_problem(*state);
        return problem;
    }

    // The printed listing, executed by a reader that knows nothing of graphs. In doubles, so that a
    // program can be so ill-conditioned that two orders of summation differ: not with three seeds.
    std::string listing_problem(const BlockProgram& state) {
        if (!reads_and_writes_arrays(state)) return "";
        ++statistics_.listings;
        std::string problem;
        for (std::uint64_t attempt = 0; attempt < 3; ++attempt) {
            problem = reader::check_listing(state, listing_dims(state.dims), seed_ + attempt);
            if (problem.empty()) return "";
        }
        return "the listing: " + problem;
    }

    std::string safe_form(const BlockProgram& state) {
        if (nested_exponentials(*subject_.initial) > kProvableExponentials) return "";
        const SharedExponent sharing = random_.chance(75) ? SharedExponent::PerRow : SharedExponent::PerBlock;
        const SafeProgram safe = make_safe(state, sharing);
        ++statistics_.safe_forms;
        std::string problem = state_problem(safe.program);
        if (problem.empty() && options_.listing) problem = listing_problem(safe.program);
        return problem.empty() ? "" : "the safe form: " + problem;
    }

    const Subject& subject_;
    std::uint64_t seed_;
    Random random_;
    CheckOptions options_;
    Statistics& statistics_;
    std::optional<Failure> failure_;
    int step_ = 0;
    int nodes_ = 0;
    std::string rule_;
};

}  // namespace

bool reads_and_writes_arrays(const BlockProgram& program) {
    const GraphIndex index(*program.graph);
    return std::all_of(program.graph->nodes().begin(), program.graph->nodes().end(),
                       [&](const NodePtr& node) {
                           if (node->is<Input>()) return is_array(node->outputs[0]);
                           return !node->is<Output>() ||
                                  is_array(edge_type(*index.find(node->inputs[0].node), node->inputs[0]));
                       });
}

Subject subject_of(const ArrayProgram& program, std::uint64_t seed) {
    const auto initial = std::make_shared<const BlockProgram>(to_block_program(program).program);
    Tensors<Exact> inputs = random_exact(program, seed);
    Tensors<Exact> outputs = evaluate(program, inputs);
    return {initial, comparison(std::move(inputs), std::move(outputs))};
}

Subject subject_of(const BlockProgram& program, std::uint64_t seed) {
    Tensors<Exact> inputs = random_exact(program, seed);
    Tensors<Exact> outputs = evaluate(program, inputs);
    return {std::make_shared<const BlockProgram>(program), comparison(std::move(inputs), std::move(outputs))};
}

std::string to_string(const Failure& failure) {
    std::string text = failure.stage;
    if (!failure.rule.empty()) text += ", rule " + failure.rule;
    return text + ": " + failure.sentence;
}

void Statistics::add(const Statistics& other) {
    programs += other.programs;
    steps += other.steps;
    walks_ended += other.walks_ended;
    safe_forms += other.safe_forms;
    listings += other.listings;
    for (const auto& [rule, count] : other.applied) applied[rule] += count;
}

std::optional<Failure> check(const Subject& subject, std::uint64_t seed, const CheckOptions& options,
                             Statistics& statistics) {
    return Checker(subject, seed, options, statistics).run();
}

bool is_array_seed(std::uint64_t seed) {
    return Random(seed ^ 0xa77a).chance(70);
}

std::optional<Failure> check_seed(std::uint64_t seed, const CheckOptions& options, Statistics& statistics) {
    try {
        if (is_array_seed(seed))
            return check(subject_of(random_array_program(seed), seed), seed, options, statistics);
        return check(subject_of(random_block_program(seed), seed), seed, options, statistics);
    } catch (const std::exception& error) {
        return Failure{kGeneration, "", std::string("throws: ") + error.what(), 0};
    }
}

}  // namespace blockscope

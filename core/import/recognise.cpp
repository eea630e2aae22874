#include "core/import/recognise.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/import/parts.h"

namespace blockscope::model {

GraphIndex::GraphIndex(const TensorGraph& graph)
    : graph_(graph), producers_(graph.tensors.size(), -1), uses_(graph.tensors.size(), 0) {
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        for (const int output : graph.nodes[n].outputs)
            if (output >= 0) producers_[static_cast<std::size_t>(output)] = static_cast<int>(n);
        for (const int input : graph.nodes[n].inputs)
            if (input >= 0) ++uses_[static_cast<std::size_t>(input)];
    }
    for (const int output : graph.outputs) ++uses_[static_cast<std::size_t>(output)];
}

const GraphNode* GraphIndex::producer(int tensor) const {
    if (tensor < 0 || static_cast<std::size_t>(tensor) >= producers_.size()) return nullptr;
    const int node = producers_[static_cast<std::size_t>(tensor)];
    return node < 0 ? nullptr : &graph_.nodes[static_cast<std::size_t>(node)];
}

void drop_unused(TensorGraph& graph) {
    std::vector<bool> needed(graph.tensors.size(), false);
    for (const int output : graph.outputs) needed[static_cast<std::size_t>(output)] = true;
    std::vector<GraphNode> kept;
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
        const bool used = std::any_of(node->outputs.begin(), node->outputs.end(), [&](int output) {
            return output >= 0 && needed[static_cast<std::size_t>(output)];
        });
        if (!used) continue;
        for (const int input : node->inputs)
            if (input >= 0) needed[static_cast<std::size_t>(input)] = true;
        kept.push_back(std::move(*node));
    }
    std::reverse(kept.begin(), kept.end());
    graph.nodes = std::move(kept);
}

namespace {

// The value of a constant with one element.
std::optional<double> number_of(const TensorGraph& graph, int tensor) {
    if (tensor < 0) return std::nullopt;
    const auto& values = graph.tensors[static_cast<std::size_t>(tensor)].values;
    if (!values || values->count() != 1) return std::nullopt;
    return values->shown(0);
}

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-5 * std::max(std::abs(a), std::abs(b));
}

// A product taken apart: one number and the tensors that are multiplied.
struct Factors {
    double number = 1;
    std::vector<int> tensors;

    // Removes `tensor` once; false if it is not there.
    bool take(int tensor) {
        const auto found = std::find(tensors.begin(), tensors.end(), tensor);
        if (found == tensors.end()) return false;
        tensors.erase(found);
        return true;
    }
};

class Recogniser {
public:
    Recogniser(TensorGraph& graph, std::vector<Text>& remarks)
        : graph_(graph), index_(graph), remarks_(remarks) {}

    // Looks at a node as the last one of a group; true if it has become another.
    bool look(GraphNode& node) {
        if (node.outputs.size() != 1) return false;
        return norm(node) || activation(node) || decided(node) || adds_nothing(node) || masked(node) ||
               guarded(node) || becomes_rope(graph_, index_, node);
    }

private:
    const GraphTensor& tensor(int i) const { return graph_.tensors[static_cast<std::size_t>(i)]; }
    std::optional<double> number(int i) const { return number_of(graph_, i); }

    // What makes a tensor; of what is left as it is, what made that.
    const GraphNode* producer(int tensor) const {
        const GraphNode* node = index_.producer(tensor);
        while (node != nullptr && node->op == "Identity" && node->inputs.size() == 1)
            node = index_.producer(node->inputs[0]);
        return node;
    }
    const GraphNode* made_by(int tensor, const char* op, std::size_t inputs) const {
        const GraphNode* node = producer(tensor);
        return node != nullptr && node->op == op && node->inputs.size() >= inputs ? node : nullptr;
    }

    // x of a sum of x and the number `value`; -1 if it is none.
    int sum_with(int tensor, double value) const {
        const GraphNode* add = made_by(tensor, "Add", 2);
        for (std::size_t i = 0; add != nullptr && i < 2; ++i)
            if (const auto other = number(add->inputs[1 - i]); other && near(*other, value))
                return add->inputs[i];
        return -1;
    }

    void multiply(int tensor, Factors& factors, int depth) const {
        const GraphNode* node = index_.producer(tensor);
        if (const std::optional<double> value = number(tensor)) {
            factors.number *= *value;
            return;
        }
        const bool small = depth < 8 && node != nullptr && node->inputs.size() == 2;
        if (small && node->op == "Mul") {
            for (const int input : node->inputs) multiply(input, factors, depth + 1);
        } else if (const auto divisor = small && node->op == "Div" ? number(node->inputs[1]) : std::nullopt) {
            factors.number /= *divisor;
            multiply(node->inputs[0], factors, depth + 1);
        } else if (small && node->op == "Pow" && number(node->inputs[1]) == 3.0) {
            for (int i = 0; i < 3; ++i) multiply(node->inputs[0], factors, depth + 1);
        } else if (small && node->op == "Pow" && number(node->inputs[1]) == 2.0) {
            for (int i = 0; i < 2; ++i) multiply(node->inputs[0], factors, depth + 1);
        } else {
            factors.tensors.push_back(tensor);
        }
    }
    Factors factors(int tensor) const {
        Factors result;
        multiply(tensor, result, 0);
        return result;
    }

    // x if the tensor is the mean of x over its last axis, which is kept; -1 otherwise.
    int mean_of(int tensor) const {
        const GraphNode* mean = made_by(tensor, "ReduceMean", 1);
        if (mean == nullptr || whole_attribute(*mean, "keepdims", 1) == 0) return -1;
        const auto sizes = sizes_of(this->tensor(mean->inputs[0]));
        if (!sizes || sizes->empty()) return -1;
        const auto axes = axes_of(graph_, *mean, 1, sizes->size(), true);
        if (!axes || *axes != std::vector<std::size_t>{sizes->size() - 1}) return -1;
        return mean->inputs[0];
    }

    int square_of(int tensor) const {
        const Factors parts = factors(tensor);
        const bool square =
            parts.number == 1 && parts.tensors.size() == 2 && parts.tensors[0] == parts.tensors[1];
        return square ? parts.tensors[0] : -1;
    }

    // What is divided: `rooted` is the square root of a mean square plus epsilon.
    struct Rooted {
        int squared = -1;
        double epsilon = 0;
    };
    std::optional<Rooted> mean_square(int inside) const {
        const GraphNode* add = made_by(inside, "Add", 2);
        for (std::size_t i = 0; add != nullptr && i < 2; ++i) {
            const std::optional<double> epsilon = number(add->inputs[1 - i]);
            const int mean = epsilon ? mean_of(add->inputs[i]) : -1;
            const int squared = mean >= 0 ? square_of(mean) : -1;
            if (squared >= 0) return Rooted{squared, *epsilon};
        }
        return std::nullopt;
    }
    std::optional<Rooted> root(int tensor) const {
        if (const GraphNode* sqrt = made_by(tensor, "Sqrt", 1)) return mean_square(sqrt->inputs[0]);
        const GraphNode* pow = made_by(tensor, "Pow", 2);
        return pow != nullptr && number(pow->inputs[1]) == 0.5 ? mean_square(pow->inputs[0]) : std::nullopt;
    }
    std::optional<Rooted> one_over_root(int tensor) const {
        if (const GraphNode* one = made_by(tensor, "Reciprocal", 1)) return root(one->inputs[0]);
        const GraphNode* div = made_by(tensor, "Div", 2);
        if (div != nullptr && number(div->inputs[0]) == 1.0) return root(div->inputs[1]);
        const GraphNode* pow = made_by(tensor, "Pow", 2);
        return pow != nullptr && number(pow->inputs[1]) == -0.5 ? mean_square(pow->inputs[0]) : std::nullopt;
    }

    // The tensor from which its own mean is subtracted; -1 if it is no such difference.
    int centred(int tensor) const {
        const GraphNode* sub = made_by(tensor, "Sub", 2);
        return sub != nullptr && mean_of(sub->inputs[1]) == sub->inputs[0] ? sub->inputs[0] : -1;
    }

    bool same_difference(int a, int b) const {
        return a == b || (centred(a) >= 0 && centred(a) == centred(b));
    }

    void become(GraphNode& node, const char* op, std::vector<int> inputs) {
        node.op = op;
        node.inputs = std::move(inputs);
        node.attributes.clear();
    }

    bool norm(GraphNode& node) {
        if (node.inputs.size() != 2) return false;
        if (node.op == "Div")
            if (const auto rooted = root(node.inputs[1])) return plain_norm(node, node.inputs[0], *rooted);
        for (std::size_t i = 0; i < 2 && node.op == "Mul"; ++i)
            if (const auto rooted = one_over_root(node.inputs[i]))
                return plain_norm(node, node.inputs[1 - i], *rooted);
        return weighted_norm(node);
    }

    bool plain_norm(GraphNode& node, int divided, const Rooted& rooted) {
        const int plain = centred(divided);
        if (plain >= 0 && same_difference(divided, rooted.squared)) {
            become(node, "LayerNormalization", {plain});
        } else if (divided == rooted.squared) {
            become(node, "RMSNormalization", {divided});
        } else {
            return false;
        }
        node.attributes["axis"] = std::int64_t{-1};
        node.attributes["epsilon"] = rooted.epsilon;
        return true;
    }

    // The learned weight and bias of a norm that is used for nothing else.
    bool weighted_norm(GraphNode& node) {
        if (node.op != "Mul" && node.op != "Add") return false;
        for (std::size_t i = 0; i < 2; ++i) {
            const GraphNode* norm = index_.producer(node.inputs[i]);
            if (norm == nullptr || index_.uses(node.inputs[i]) != 1) continue;
            const bool layer = norm->op == "LayerNormalization";
            const std::size_t there = norm->inputs.size();
            const bool weight = node.op == "Mul" && there == 1 && (layer || norm->op == "RMSNormalization");
            const bool bias = node.op == "Add" && there == 2 && layer;
            const int vector = node.inputs[1 - i];
            const auto sizes = sizes_of(tensor(vector));
            const auto all = sizes_of(tensor(node.inputs[i]));
            if ((!weight && !bias) || !sizes || !all || *sizes != Sizes{all->back()}) continue;
            const std::map<std::string, AttributeValue> attributes = norm->attributes;
            std::vector<int> inputs = norm->inputs;
            inputs.push_back(vector);
            become(node, layer ? "LayerNormalization" : "RMSNormalization", std::move(inputs));
            node.attributes = attributes;
            return true;
        }
        return false;
    }

    bool activation(GraphNode& node) {
        if (node.op != "Mul" || node.inputs.size() != 2) return false;
        const Factors all = factors(node.outputs[0]);
        for (const int gate : all.tensors) {
            Factors rest = all;
            rest.take(gate);
            if (rest.tensors.size() != 1) continue;
            const int x = rest.tensors[0];
            if (const GraphNode* sigmoid = made_by(gate, "Sigmoid", 1);
                sigmoid != nullptr && sigmoid->inputs[0] == x && rest.number == 1) {
                become(node, "Silu", {x});
                return true;
            }
            const int inner = sum_with(gate, 1);
            if (inner < 0 || !near(rest.number, 0.5)) continue;
            const char* form = gelu_form(inner, x);
            if (form == nullptr) continue;
            become(node, "Gelu", {x});
            node.attributes["approximate"] = std::string(form);
            return true;
        }
        return false;
    }

    // "none" of erf(x / sqrt(2)), "tanh" of the usual approximation by tanh.
    const char* gelu_form(int inner, int x) const {
        if (const GraphNode* erf = made_by(inner, "Erf", 1)) {
            const Factors inside = factors(erf->inputs[0]);
            const bool right = inside.tensors == std::vector<int>{x} && near(inside.number, std::sqrt(0.5));
            return right ? "none" : nullptr;
        }
        const GraphNode* tanh = made_by(inner, "Tanh", 1);
        if (tanh == nullptr) return nullptr;
        const Factors inside = factors(tanh->inputs[0]);
        if (inside.tensors.size() != 1 || !near(inside.number, 0.7978845608028654)) return nullptr;
        const GraphNode* sum = made_by(inside.tensors[0], "Add", 2);
        for (std::size_t i = 0; sum != nullptr && i < 2; ++i) {
            const Factors cube = factors(sum->inputs[1 - i]);
            if (sum->inputs[i] == x && near(cube.number, 0.044715) &&
                cube.tensors == std::vector<int>{x, x, x})
                return "tanh";
        }
        return nullptr;
    }

    // The number that all elements of a constant are; none if they differ. Many nodes may read the same one.
    std::optional<double> only_value(int constant) {
        auto known = only_values_.find(constant);
        if (known == only_values_.end())
            known = only_values_.emplace(constant, value_everywhere(tensor(constant).values)).first;
        return known->second;
    }
    static std::optional<double> value_everywhere(const std::optional<TensorValues>& values) {
        if (!values || values->count() == 0) return std::nullopt;
        const double first = values->real(0);
        for (std::size_t i = 1; i < values->count(); ++i)
            if (values->real(i) != first) return std::nullopt;
        return first;
    }

    // Where(condition, x, y) of a constant condition that is the same everywhere is x or y.
    bool decided(GraphNode& node) {
        if (node.op != "Where" || node.inputs.size() != 3 || node.inputs[0] < 0) return false;
        const std::optional<double> condition = only_value(node.inputs[0]);
        if (!condition) return false;
        const int chosen = node.inputs[*condition != 0 ? 1 : 2];
        if (chosen < 0 || sizes_of(tensor(chosen)) != sizes_of(tensor(node.outputs[0]))) return false;
        become(node, "Identity", {chosen});
        return true;
    }

    // x + 0, as the bias of an attention without a mask is written. Weights stay, whatever they are now.
    bool adds_nothing(GraphNode& node) {
        if (node.op != "Add" || node.inputs.size() != 2 || node.inputs[0] < 0 || node.inputs[1] < 0)
            return false;
        for (const std::size_t i : {0, 1}) {
            const GraphTensor& zeros = tensor(node.inputs[i]);
            const int other = node.inputs[1 - i];
            // One number may be the epsilon of a norm.
            if (!zeros.values || zeros.values->count() < 2 || zeros.weight || !is_real(zeros.kind)) continue;
            if (tensor(other).values) continue;
            if (sizes_of(tensor(other)) != sizes_of(tensor(node.outputs[0]))) continue;
            if (only_value(node.inputs[i]) != 0.0) continue;
            become(node, "Identity", {other});
            return true;
        }
        return false;
    }

    // Where(seen, scores, -1e9) with a constant `seen` adds a constant mask: beside what hides, scores are
    // nothing.
    bool masked(GraphNode& node) {
        if (node.op != "Where" || node.inputs.size() != 3 || node.inputs[0] < 0) return false;
        const GraphTensor& condition = tensor(node.inputs[0]);
        const auto sizes = sizes_of(condition);
        if (!condition.values || !sizes) return false;
        for (const std::size_t hidden : {std::size_t{2}, std::size_t{1}}) {
            const std::optional<double> value = number(node.inputs[hidden]);
            const int scores = node.inputs[3 - hidden];
            if (!value || *value > -1e4 || scores < 0 || tensor(scores).values) continue;
            std::vector<double> numbers;
            for (std::size_t i = 0; i < condition.values->count(); ++i)
                numbers.push_back((condition.values->whole(i) != 0) == (hidden == 2) ? 0 : kHides);
            if (*value > -1e30)
                remarks_.push_back(Text("the mask of %1 hides by %2, which is taken for minus infinity",
                                        shown(node), short_number(*value)));
            const int mask = new_tensor(graph_, condition.name, tensor(scores).kind, *sizes);
            graph_.tensors.back().values = TensorValues::of_real(numbers);
            become(node, "Add", {scores, mask});
            return true;
        }
        return false;
    }

    // Where(IsNaN(p), 0, p) of a softmax p whose rows all see a column.
    bool guarded(GraphNode& node) {
        if (node.op != "Where" || node.inputs.size() != 3) return false;
        const GraphNode* question = made_by(node.inputs[0], "IsNaN", 1);
        if (question == nullptr || number(node.inputs[1]) != 0.0 || question->inputs[0] != node.inputs[2])
            return false;
        const GraphNode* softmax = made_by(node.inputs[2], "Softmax", 1);
        if (softmax == nullptr || !sees_something(softmax->inputs[0])) return false;
        remarks_.push_back(
            Text("the guard %1 against rows of a softmax that see nothing is left out: each row "
                 "sees a column",
                 shown(node)));
        become(node, "Identity", {node.inputs[2]});
        return true;
    }

    // Whether the scores are finite in each row, as far as constants decide: products are, and a mask is
    // looked at.
    bool sees_something(int scores) const {
        const GraphNode* node = producer(scores);
        if (node == nullptr) return false;
        if (node->op == "MatMul") return true;
        if ((node->op == "Mul" || node->op == "Div") && number(node->inputs[1]))
            return sees_something(node->inputs[0]);
        if (node->op != "Add") return false;
        for (std::size_t i = 0; i < 2; ++i) {
            const GraphTensor& mask = tensor(node->inputs[i]);
            const auto sizes = sizes_of(mask);
            if (!mask.values || !sizes || sizes->empty()) continue;
            const auto columns = static_cast<std::size_t>(std::max<std::int64_t>(sizes->back(), 1));
            for (std::size_t row = 0; row < mask.values->count() / columns; ++row) {
                bool sees = false;
                for (std::size_t k = 0; k < columns; ++k)
                    sees = sees || mask.values->real(row * columns + k) == 0;
                if (!sees) return false;
            }
            return sees_something(node->inputs[1 - i]);
        }
        return false;
    }

    static std::string shown(const GraphNode& node) { return node.name.empty() ? node.op : node.name; }
    static std::string short_number(double value) {
        char text[32];
        std::snprintf(text, sizeof text, "%g", value);
        return text;
    }

    static constexpr double kHides = -1e30;

    TensorGraph& graph_;
    GraphIndex index_;
    std::map<int, std::optional<double>> only_values_;  // by tensor: as only_value() has it
    std::vector<Text>& remarks_;
};

}  // namespace

// In the order of the nodes, so that the norm inside of a weighted norm is one already.
void recognise_groups(TensorGraph& graph, std::vector<Text>& remarks) {
    Recogniser recogniser(graph, remarks);
    for (GraphNode& node : graph.nodes) recogniser.look(node);
    drop_unused(graph);
}

}  // namespace blockscope::model

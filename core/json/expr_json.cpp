#include <map>

#include "core/json/parts.h"

namespace blockscope::json {
namespace {

// Lists the distinct parts of a tree, operands before the calls that use them.
class Writer {
public:
    explicit Writer(const DimTable& dims) : dims_(dims) {}

    // Index of `expr` in the list.
    int index(const Expr& expr) {
        if (const auto seen = by_pointer_.find(&expr); seen != by_pointer_.end()) return seen->second;
        Array entry = std::visit([&](const auto& e) { return make(e); }, expr.value);
        // Equal parts become one entry, whether or not the tree shares them.
        const auto [place, fresh] = by_text_.emplace(print(entry), static_cast<int>(entries_.size()));
        if (fresh) entries_.push_back(std::move(entry));
        by_pointer_.emplace(&expr, place->second);
        return place->second;
    }

    Array take() { return std::move(entries_); }

private:
    Array make(const Arg& arg) { return {"arg", arg.index}; }
    Array make(const Number& number) { return {"number", number.value}; }
    Array make(const SizeOf& size) { return {"size", dim_value(size.dim, dims_)}; }
    Array make(const Call& call) {
        Array entry = {to_string(call.fn)};
        for (const ExprPtr& argument : call.args) entry.push_back(index(*argument));
        return entry;
    }

    const DimTable& dims_;
    Array entries_;
    std::map<std::string, int> by_text_;
    std::map<const Expr*, int> by_pointer_;
};

// An entry that was read, and the nodes of the tree that it stands for.
struct Part {
    ExprPtr expr;
    std::int64_t nodes = 1;
};

const std::vector<std::string>& heads() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> result = {"arg", "number", "size"};
        result.insert(result.end(), fn_names().begin(), fn_names().end());
        return result;
    }();
    return names;
}

Part read_call(const Reader& entry, Fn fn, const std::vector<Part>& earlier) {
    const auto count = static_cast<std::size_t>(arity(fn));
    if (!entry.array(count + 1, count + 1)) return {};
    if (earlier.empty()) {
        entry.problem(
            "the first entry of an expression cannot use earlier ones; arg, number or size is expected");
        return {};
    }
    Part result;
    std::vector<ExprPtr> operands;
    for (std::size_t i = 1; i <= count; ++i) {
        const auto index = entry.at(i).integer(0, static_cast<std::int64_t>(earlier.size()) - 1);
        if (!index) return {};
        const Part& operand = earlier[static_cast<std::size_t>(*index)];
        operands.push_back(operand.expr);
        result.nodes += operand.nodes;
    }
    if (result.nodes > kMaxExprNodes) {
        entry.problem("with shared parts written out, this expression has " + std::to_string(result.nodes) +
                      " nodes; at most " + std::to_string(kMaxExprNodes) + " are allowed");
        return {};
    }
    result.expr = count == 1 ? call(fn, operands[0]) : call(fn, operands[0], operands[1]);
    return result;
}

Part read_entry(const Reader& entry, const std::vector<Part>& earlier, const Dims& dims) {
    if (!entry.array(2, 3)) return {};
    const auto head = entry.at(0).choice(heads());
    if (!head) return {};
    if (*head > 2) return read_call(entry, static_cast<Fn>(*head - 3), earlier);
    if (!entry.array(2, 2)) return {};
    const Reader operand = entry.at(1);
    Part part;
    if (*head == 0) {
        if (const auto index = operand.integer(0, 65'535)) part.expr = arg(static_cast<int>(*index));
    } else if (*head == 1) {
        if (const auto value = operand.number()) part.expr = number(*value);
    } else if (const auto dim = dims.find(operand)) {
        part.expr = size_of(*dim);
    }
    return part;
}

}  // namespace

Value expr_value(const Expr& expr, const DimTable& dims) {
    Writer writer(dims);
    writer.index(expr);
    return writer.take();
}

ExprPtr read_expr(const Reader& reader, Dims& dims) {
    if (!reader.array(1, kMaxExprEntries)) return nullptr;
    std::vector<Part> parts;
    for (std::size_t i = 0; i < reader.size(); ++i) {
        parts.push_back(read_entry(reader.at(i), parts, dims));
        if (!parts.back().expr) return nullptr;
    }
    if (dims.spend(parts.back().nodes)) return parts.back().expr;
    reader.problem("the expressions of this document have more than " + std::to_string(kMaxAllExprNodes) +
                   " nodes together, the most that is allowed");
    return nullptr;
}

}  // namespace blockscope::json

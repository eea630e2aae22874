#include "core/plan/operators.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/program/names.h"

namespace blockscope::plan {

namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

// Operators whose results reach an output.
std::vector<bool> reach_outputs(const ArrayProgram& program) {
    std::vector<bool> live(program.ops.size(), false);
    for (const ArrayOutput& output : program.outputs) live[at(output.op)] = true;
    for (std::size_t i = program.ops.size(); i-- > 0;)
        for (const int operand : program.ops[i].operands)
            if (live[i]) live[at(operand)] = true;
    return live;
}

// Transposes that products alone read.
std::vector<bool> free_transposes(const ArrayProgram& program, const std::vector<bool>& live) {
    std::vector<bool> free;
    for (const ArrayOp& op : program.ops) free.push_back(op.kind == ArrayOpKind::Transpose);
    for (std::size_t i = 0; i < program.ops.size(); ++i)
        for (const int operand : program.ops[i].operands)
            if (live[i] && program.ops[i].kind != ArrayOpKind::Matmul) free[at(operand)] = false;
    for (const ArrayOutput& output : program.outputs) free[at(output.op)] = false;
    return free;
}

// The names that arrays between kernels have: their own, else that of an output, else x1, x2, ...
class ArrayNames {
public:
    explicit ArrayNames(const ArrayProgram& program) : program_(program) {
        for (const Dim& dim : program.dims) table_.declare(dim.name, NameUse::Dimension, 0);
        for (const ArrayOp& op : program.ops)
            if (!op.name.empty()) table_.declare(op.name, NameUse::Array, 0);
        for (const ArrayOutput& output : program.outputs) table_.declare(output.name, NameUse::Array, 0);
    }

    std::string of(int op) {
        for (const ArrayOutput& output : program_.outputs)
            if (output.op == op) return output.name;
        const std::string& own = program_.ops[at(op)].name;
        if (!own.empty()) return own;
        std::string made;
        do {
            made = "x" + std::to_string(++count_);
        } while (!table_.declare(made, NameUse::Array, 0).empty());
        return made;
    }

private:
    const ArrayProgram& program_;
    NameTable table_;
    int count_ = 0;
};

ExprPtr with_dims(const ExprPtr& expr, const std::vector<DimId>& to) {
    if (const auto* size = std::get_if<SizeOf>(&expr->value)) return size_of(to[size->dim.value]);
    const auto* made = std::get_if<Call>(&expr->value);
    if (!made) return expr;
    Call changed{made->fn, {}};
    for (const ExprPtr& part : made->args) changed.args.push_back(with_dims(part, to));
    return std::make_shared<const Expr>(std::move(changed));
}

void dims_of(const Expr& expr, std::vector<DimId>& dims) {
    if (const auto* size = std::get_if<SizeOf>(&expr.value)) dims.push_back(size->dim);
    if (const auto* made = std::get_if<Call>(&expr.value))
        for (const ExprPtr& part : made->args) dims_of(*part, dims);
}

std::vector<DimId> dims_of(const ArrayOp& op) {
    std::vector<DimId> dims = op.shape.batch;
    dims.insert(dims.end(), op.shape.axes.begin(), op.shape.axes.end());
    if (op.kind == ArrayOpKind::SumOver) dims.push_back(op.dim);
    if (op.expr) dims_of(*op.expr, dims);
    return dims;
}

// The dimensions that occur, in the order of where they occur.
void keep_used_dims(ArrayProgram& program) {
    std::vector<DimId> used;
    for (const ArrayOp& op : program.ops)
        for (const DimId dim : dims_of(op))
            if (std::find(used.begin(), used.end(), dim) == used.end()) used.push_back(dim);
    std::vector<DimId> to(program.dims.size());
    DimTable dims;
    for (const DimId dim : used) {
        to[dim.value].value = static_cast<decltype(dim.value)>(dims.size());
        dims.push_back(program.dims[dim.value]);
    }
    program.dims = std::move(dims);
    for (ArrayOp& op : program.ops) {
        for (auto* list : {&op.shape.batch, &op.shape.axes})
            for (DimId& dim : *list) dim = to[dim.value];
        if (op.kind == ArrayOpKind::SumOver) op.dim = to[op.dim.value];
        if (op.expr) op.expr = with_dims(op.expr, to);
    }
}

class GroupProgram {
public:
    GroupProgram(const ArrayProgram& program, const OperatorGraph& graph, const FusionGroup& kernel)
        : program_(program), graph_(graph), kernel_(kernel), node_of_(program.ops.size(), -1) {
        for (int node = 0; node < graph.nodes(); ++node) node_of_[at(graph.op[at(node)])] = node;
        made_.dims = program.dims;
    }

    Result<ArrayProgram> run() {
        for (const int node : kernel_) read_from_outside(graph_.op[at(node)]);
        for (const int op : outside_) add_input(op);
        for (const int node : kernel_) add(graph_.op[at(node)]);
        for (const int node : kernel_)
            if (needed_outside(node))
                made_.outputs.push_back({graph_.names[at(node)], new_index_.at(graph_.op[at(node)]), {}});
        keep_used_dims(made_);
        Problems problems = check_program(made_);
        if (!problems.empty()) return problems;
        return std::move(made_);
    }

private:
    bool inside(int node) const { return std::binary_search(kernel_.begin(), kernel_.end(), node); }

    // Free transposes belong to whoever reads them.
    void read_from_outside(int op) {
        for (const int operand : program_.ops[at(op)].operands) {
            const int node = node_of_[at(operand)];
            if (node < 0 && program_.ops[at(operand)].kind != ArrayOpKind::Input)
                read_from_outside(operand);
            else if ((node < 0 || !inside(node)) &&
                     std::find(outside_.begin(), outside_.end(), operand) == outside_.end())
                outside_.push_back(operand);
        }
    }

    void add_input(int op) {
        const ArrayOp& from = program_.ops[at(op)];
        ArrayOp input;
        input.kind = ArrayOpKind::Input;
        input.shape = from.shape;
        input.elem = from.elem;
        input.name = from.name;
        if (from.kind == ArrayOpKind::Input) {
            input.source = from.source;
            input.window = from.window;
        } else {
            input.name = graph_.names[at(node_of_[at(op)])];
        }
        push(op, std::move(input));
    }

    int push(int op, ArrayOp made) {
        const int index = static_cast<int>(made_.ops.size());
        made_.ops.push_back(std::move(made));
        new_index_[op] = index;
        return index;
    }

    void add(int op) {
        ArrayOp made = program_.ops[at(op)];
        for (int& operand : made.operands) {
            if (!new_index_.contains(operand)) add(operand);  // a free transpose
            operand = new_index_.at(operand);
        }
        made.name = node_of_[at(op)] >= 0 ? graph_.names[at(node_of_[at(op)])] : "";
        push(op, std::move(made));
    }

    bool needed_outside(int node) const {
        const std::vector<int>& readers = graph_.after[at(node)];
        return graph_.output[at(node)] ||
               !std::all_of(readers.begin(), readers.end(), [this](int reader) { return inside(reader); });
    }

    const ArrayProgram& program_;
    const OperatorGraph& graph_;
    const FusionGroup& kernel_;
    std::vector<int> node_of_;  // by operator; -1: none
    std::vector<int> outside_;  // operators whose results it reads, as they are read
    std::map<int, int> new_index_;
    ArrayProgram made_;
};

double values_of(const Shape& shape, const DimTable& dims) {
    double values = 1;
    for (const auto* list : {&shape.batch, &shape.axes})
        for (const DimId dim : *list) values *= static_cast<double>(dims[dim.value].size);
    return values;
}

// Whether the matrix has the axes of a mask, of whose blocks some are skipped.
bool is_masked(const ArrayProgram& program, const Shape& shape) {
    return std::any_of(program.ops.begin(), program.ops.end(), [&](const ArrayOp& op) {
        return op.kind == ArrayOpKind::Input && op.source != InputSource::Array &&
               op.shape.axes == shape.axes;
    });
}

// Of what is generated, or may be skipped in parts, none.
double bytes_of(const ArrayProgram& program, const ArrayOp& op) {
    return is_masked(program, op.shape) ? 0 : values_of(op.shape, program.dims) * bytes_per_element(op.elem);
}

double flops_of(const ArrayProgram& program, const ArrayOp& op) {
    if (op.kind != ArrayOpKind::Matmul) return 0;
    const Shape& left = program.ops[at(op.operands[0])].shape;
    if (is_masked(program, left) || is_masked(program, op.shape)) return 0;
    return 2 * values_of(op.shape, program.dims) *
           static_cast<double>(program.dims[left.axes.back().value].size);
}

}  // namespace

OperatorGraph operator_graph(const ArrayProgram& program) {
    const std::vector<bool> live = reach_outputs(program);
    const std::vector<bool> free = free_transposes(program, live);
    OperatorGraph graph;
    ArrayNames names(program);
    for (const ArrayOp& op : program.ops) graph.bytes.push_back(bytes_of(program, op));
    std::vector<std::optional<int>> node_of(program.ops.size());  // that makes it; of free transposes, reads
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const ArrayOp& op = program.ops[i];
        if (!live[i] || op.kind == ArrayOpKind::Input) continue;
        if (free[i]) {
            node_of[i] = node_of[at(op.operands[0])];
            continue;
        }
        const int node = static_cast<int>(graph.op.size());
        std::set<int> sources, reads;
        for (int operand : op.operands) {
            if (const auto source = node_of[at(operand)]) sources.insert(*source);
            while (free[at(operand)]) operand = program.ops[at(operand)].operands[0];
            reads.insert(operand);
        }
        graph.flops.push_back(flops_of(program, op));
        graph.reads.emplace_back(reads.begin(), reads.end());
        graph.op.push_back(static_cast<int>(i));
        graph.names.push_back(names.of(static_cast<int>(i)));
        graph.before.emplace_back(sources.begin(), sources.end());
        graph.after.emplace_back();
        for (const int source : sources) graph.after[at(source)].push_back(node);
        graph.output.push_back(std::any_of(program.outputs.begin(), program.outputs.end(),
                                           [&](const ArrayOutput& output) { return at(output.op) == i; }));
        node_of[i] = node;
    }
    return graph;
}

std::string what_it_does(const ArrayProgram& program, const OperatorGraph& graph, int node) {
    const ArrayOp& op = program.ops[at(graph.op[at(node)])];
    return op.kind == ArrayOpKind::Custom ? op.custom_name : std::string(array_operator(op.kind).name);
}

Result<ArrayProgram> group_program(const ArrayProgram& program, const OperatorGraph& graph,
                                   const FusionGroup& kernel) {
    return GroupProgram(program, graph, kernel).run();
}

std::string key_up_to_names(ArrayProgram program) {
    keep_used_dims(program);
    for (std::size_t i = 0; i < program.dims.size(); ++i) program.dims[i].name = "D" + std::to_string(i);
    for (std::size_t i = 0; i < program.ops.size(); ++i) program.ops[i].name = "x" + std::to_string(i);
    for (ArrayOutput& output : program.outputs) output.name = "y" + std::to_string(output.op);
    program.comment.clear();
    return print_program(program);
}

double least_bytes(const OperatorGraph& graph, const FusionGroup& kernel) {
    const auto inside = [&](int node) { return std::binary_search(kernel.begin(), kernel.end(), node); };
    double bytes = 0;
    std::set<int> read;
    for (const int node : kernel) {
        const std::vector<int>& readers = graph.after[at(node)];
        if (graph.output[at(node)] || !std::all_of(readers.begin(), readers.end(), inside))
            bytes += graph.bytes[at(graph.op[at(node)])];
        read.insert(graph.reads[at(node)].begin(), graph.reads[at(node)].end());
    }
    for (const int node : kernel) read.erase(graph.op[at(node)]);
    for (const int array : read) bytes += graph.bytes[at(array)];
    return bytes;
}

}  // namespace blockscope::plan

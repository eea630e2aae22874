#include "core/plan/kinds.h"

#include <algorithm>
#include <set>

namespace blockscope::plan {

namespace {

std::size_t index(int number) {
    return static_cast<std::size_t>(number);
}

bool is_pointwise(ArrayOpKind kind) {
    const ArrayForm form = form_of(kind);
    return form == ArrayForm::ByElement || form == ArrayForm::Spread || form == ArrayForm::Outer;
}

bool reduces_rows(ArrayOpKind kind) {
    return form_of(kind) == ArrayForm::FoldRows;
}

bool is_reduction(ArrayOpKind kind) {
    return reduces_rows(kind) || form_of(kind) == ArrayForm::OverBatch;
}

// Reduces the rows and applies what comes out to them.
bool normalises(ArrayOpKind kind) {
    return form_of(kind) == ArrayForm::KeepRows;
}

class KindOfGroup {
public:
    KindOfGroup(const ArrayProgram& program, const OperatorGraph& graph, const FusionGroup& kernel)
        : program_(program), graph_(graph), kernel_(kernel) {}

    FusionKind run() const {
        if (any([this](int node) { return op(node).kind == ArrayOpKind::Matmul && follows_reduction(node); }))
            return FusionKind::Algorithmic;
        const bool transposes = any([this](int node) { return reads_transposed(node); });
        if (transposes) return FusionKind::Transpose;
        if (kernel_.size() == 1) return FusionKind::None;
        const bool products = any([this](int node) { return op(node).kind == ArrayOpKind::Matmul; });
        const auto others = std::count_if(kernel_.begin(), kernel_.end(), [this](int node) {
            const ArrayOpKind kind = op(node).kind;
            return !is_pointwise(kind) && !is_reduction(kind) && !normalises(kind);
        });
        if (others > (products ? 1 : 0)) return FusionKind::Other;
        if (any([this](int node) { return normalises(op(node).kind) || applies_reduction(node); }))
            return FusionKind::Broadcast;
        if (any([this](int node) { return is_reduction(op(node).kind); })) return FusionKind::Reduction;
        return products ? FusionKind::Epilogue : FusionKind::Elementwise;
    }

private:
    const ArrayOp& op(int node) const { return program_.ops[index(graph_.op[index(node)])]; }
    bool inside(int node) const { return std::binary_search(kernel_.begin(), kernel_.end(), node); }
    template <class Is>
    bool any(Is is) const {
        return std::any_of(kernel_.begin(), kernel_.end(), is);
    }

    // Whether what the node reads comes, in the kernel, from a reduction of rows.
    bool follows_reduction(int node) const {
        std::vector<int> open{node};
        std::set<int> seen;
        while (!open.empty()) {
            const int next = open.back();
            open.pop_back();
            for (const int source : graph_.before[index(next)]) {
                if (!inside(source) || !seen.insert(source).second) continue;
                if (normalises(op(source).kind) || reduces_rows(op(source).kind)) return true;
                open.push_back(source);
            }
        }
        return false;
    }

    bool applies_reduction(int node) const {
        return op(node).kind == ArrayOpKind::Broadcast && follows_reduction(node);
    }

    // A transposed copy is not made: of an operand, or of what a product takes from within the kernel.
    bool reads_transposed(int node) const {
        const std::vector<int>& operands = op(node).operands;
        const bool own = op(node).kind == ArrayOpKind::Transpose && kernel_.size() > 1;
        return own || std::any_of(operands.begin(), operands.end(), [this](int operand) {
                   return program_.ops[index(operand)].kind == ArrayOpKind::Transpose && !is_node(operand);
               });
    }
    bool is_node(int op) const {
        return std::find(graph_.op.begin(), graph_.op.end(), op) != graph_.op.end();
    }

    const ArrayProgram& program_;
    const OperatorGraph& graph_;
    const FusionGroup& kernel_;
};

double bytes(const ArrayProgram& program, const ArrayOp& op) {
    if (op.kind == ArrayOpKind::Input && op.source != InputSource::Array) return 0;  // generated
    double values = 1;
    for (const auto* list : {&op.shape.batch, &op.shape.axes})
        for (const DimId dim : *list) values *= static_cast<double>(program.dims[dim.value].size);
    return values * bytes_per_element(op.elem);
}

}  // namespace

const FusionKindRow& fusion_kind_row(FusionKind kind) {
    static const std::vector<FusionKindRow> rows = {
        {FusionKind::None, "none", Text("one operator")},
        {FusionKind::Epilogue, "epilogue", Text("epilogue of a product")},
        {FusionKind::Elementwise, "elementwise", Text("elementwise")},
        {FusionKind::Reduction, "reduction", Text("reduction")},
        {FusionKind::Broadcast, "broadcast", Text("broadcast")},
        {FusionKind::Transpose, "transpose", Text("transpose elimination")},
        {FusionKind::Algorithmic, "algorithmic", Text("algorithmic rewrite")},
        {FusionKind::Other, "other", Text("several products or custom operators")},
    };
    return rows[static_cast<std::size_t>(kind)];
}

FusionKind fusion_kind(const ArrayProgram& program, const OperatorGraph& graph, const FusionGroup& kernel) {
    return KindOfGroup(program, graph, kernel).run();
}

KindSaving kind_saving(const ArrayProgram& program, const OperatorGraph& graph, const FusionGroup& kernel) {
    KindSaving saving;
    std::set<int> read;
    for (const int node : kernel) {
        const ArrayOp& op = program.ops[index(graph.op[index(node)])];
        const double made = bytes(program, op);
        saving.unfused += made;
        for (const int operand : op.operands) {
            const ArrayOp& from = program.ops[index(operand)];
            const bool copied = from.kind == ArrayOpKind::Transpose &&
                                std::find(graph.op.begin(), graph.op.end(), operand) == graph.op.end();
            saving.unfused += bytes(program, from) * (copied ? 3 : 1);  // read and written once more
        }
        // The vector read, as a matrix written, and that read in its place.
        if (op.kind == ArrayOpKind::Broadcast) saving.unfused += 2 * made;
        const std::vector<int>& readers = graph.after[index(node)];
        const auto inside = [&](int reader) {
            return std::binary_search(kernel.begin(), kernel.end(), reader);
        };
        if (graph.output[index(node)] || !std::all_of(readers.begin(), readers.end(), inside))
            saving.fused += made;
        for (const int array : graph.reads[index(node)]) read.insert(array);
    }
    for (const int node : kernel) read.erase(graph.op[index(node)]);
    for (const int array : read) saving.fused += bytes(program, program.ops[index(array)]);
    return saving;
}

}  // namespace blockscope::plan

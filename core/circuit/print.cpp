#include "core/circuit/print.h"

#include "core/support/cases.h"
#include "core/support/result.h"

namespace blockscope::circuit {

std::string to_string(OperatorKind kind) {
    switch (kind) {
        case OperatorKind::Elementwise:
            return "elementwise";
        case OperatorKind::Contraction:
            return "contraction";
        case OperatorKind::Sum:
            return "sum";
        case OperatorKind::Mean:
            return "mean";
        case OperatorKind::Max:
            return "max";
        case OperatorKind::Softmax:
            return "softmax";
        case OperatorKind::RmsNorm:
            return "rmsnorm";
        case OperatorKind::LayerNorm:
            return "layernorm";
        case OperatorKind::Mask:
            return "mask";
        case OperatorKind::Cast:
            return "cast";
        case OperatorKind::Transfer:
            return "transfer";
        case OperatorKind::Reindex:
            return "reindex";
        case OperatorKind::Custom:
            return "custom";
    }
    throw InternalError("unknown operator");
}

namespace {

std::string array_text(const Axes& axes, const ArrayType& array) {
    std::string text = "[";
    for (const AxisId id : array.axes) {
        const Axis& axis = axis_of(axes, id);
        text += (text.size() > 1 ? " " : "") + (axis.name.empty() ? std::to_string(axis.size) : axis.name);
    }
    text += "]";
    if (array.cached) text += "*";
    if (array.level != 0) text += "@" + std::to_string(array.level);
    return text;
}

class Printer {
public:
    explicit Printer(const Circuit& circuit) : axes_(circuit.axes) {}

    std::string run(const Circuit& circuit) {
        std::string names;
        for (const std::string& name : circuit.inputs) names += (names.empty() ? "" : " ⊗ ") + name;
        line("in   " + names + " : " + to_string(axes_, circuit.root->domain));
        print(*circuit.root);
        names.clear();
        for (const std::string& name : circuit.outputs) names += (names.empty() ? "" : " ⊗ ") + name;
        line("out  " + names + " : " + to_string(axes_, circuit.root->codomain));
        return std::move(text_);
    }

private:
    void line(const std::string& content) {
        text_ += std::string(2 * static_cast<std::size_t>(depth_), ' ') + content + "\n";
    }

    void print(const Term& term) {
        std::visit(Cases{[&](const Apply& what) { apply(what, term); },
                         [&](const Rearrange& what) { rearrange(what); },
                         [&](const Compose& what) {
                             for (const TermPtr& part : what.parts) print(*part);
                         },
                         [&](const Product& what) { product(what); },
                         [&](const Block& what) { inner(block_title(what), *what.body); },
                         [&](const Partition& what) { inner(partition_title(what), *what.body); }},
                   term.what);
    }

    void apply(const Apply& what, const Term& term) {
        std::string weave;
        for (const AxisId id : what.weave) weave += " " + axis_of(axes_, id).name;
        std::string own;
        for (const AxisId id : what.own) own += " " + axis_of(axes_, id).name;
        std::string content = what.op.label.empty() ? to_string(what.op.kind) : what.op.label;
        if (!own.empty()) content += " along" + own;
        if (!weave.empty()) content += ", weaved over" + weave;
        line(content + " : " + to_string(axes_, term.domain) + " → " + to_string(axes_, term.codomain));
    }

    void rearrange(const Rearrange& what) {
        if (is_identity(what)) return;
        std::string places;
        for (const int i : what.take) places += " " + std::to_string(i);
        line("take" + places + " of " + std::to_string(what.from.size()));
    }

    // Identities beside an operator go without saying.
    void product(const Product& what) {
        for (const TermPtr& part : what.parts) print(*part);
    }

    void inner(const std::string& title, const Term& body) {
        line(title + " {");
        ++depth_;
        print(body);
        --depth_;
        line("}");
    }

    static std::string block_title(const Block& what) {
        return what.style == BlockStyle::Repeat ? what.title + " × " + what.count : what.title;
    }

    std::string partition_title(const Partition& what) const {
        std::string title = what.kind == PartitionKind::Group ? "groups of " : "stream of ";
        title += extent(axes_, what.part).text() + " along " + axis_of(axes_, what.whole).name;
        std::string carried;
        for (std::size_t i = 0; i < what.join.size(); ++i)
            if (!what.join[i].any()) carried += " " + array_text(axes_, what.body->codomain.at(i));
        return carried.empty() ? title : title + ", carrying (" + carried.substr(1) + ")";
    }

    const Axes& axes_;
    std::string text_;
    int depth_ = 0;
};

}  // namespace

std::string to_string(const Axes& axes, const Tuple& tuple) {
    std::string text;
    for (const ArrayType& array : tuple) text += (text.empty() ? "" : " ⊗ ") + array_text(axes, array);
    return text.empty() ? "()" : text;
}

std::string to_string(const Circuit& circuit) {
    return Printer(circuit).run(circuit);
}

}  // namespace blockscope::circuit

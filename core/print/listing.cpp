// The paper's pseudocode. Its grammar is in docs/listing.md.

#include "core/print/print.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

std::string temp_name(Temp temp) {
    return "t" + std::to_string(temp.id);
}

std::vector<std::string> temp_names(const std::vector<Temp>& temps) {
    std::vector<std::string> names;
    names.reserve(temps.size());
    for (const Temp temp : temps) names.push_back(temp_name(temp));
    return names;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
    return text;
}

class Lister {
public:
    explicit Lister(const LoopProgram& program) : program_(program) {}

    std::vector<ListingLine> run() {
        block(program_.body, 0);
        return std::move(lines_);
    }

private:
    void block(const Block& statements, int depth) {
        for (const Statement& statement : statements) {
            const std::string text = std::visit([&](const auto& what) { return line(what); }, statement.what);
            lines_.push_back({std::string(static_cast<std::size_t>(2 * depth), ' ') + text, statement.node,
                              statement.value});
            if (const auto* loop = std::get_if<LoopPtr>(&statement.what)) block((*loop)->body, depth + 1);
        }
    }

    std::string place(int buffer, const std::vector<Index>& at) const {
        std::vector<std::string> indices;
        indices.reserve(at.size());
        for (const Index& index : at) indices.push_back(index.zero ? "0" : name(index.var, program_));
        const std::string& array = program_.buffers.at(static_cast<std::size_t>(buffer)).name;
        return indices.empty() ? array : array + "[" + joined(indices) + "]";
    }

    static std::string applied(FunctionalOp op, const std::vector<Temp>& args) {
        const std::vector<std::string> names = temp_names(args);
        switch (op) {
            case FunctionalOp::ColShift:
                return names.at(0) + "+" + names.at(1);
            case FunctionalOp::ColScale:
                return names.at(0) + "*" + names.at(1);
            case FunctionalOp::Add:
            case FunctionalOp::Mul:
            case FunctionalOp::RowShift:
            case FunctionalOp::RowScale:
            case FunctionalOp::RowSum:
            case FunctionalOp::RowMax:
            case FunctionalOp::BlockMax:
            case FunctionalOp::Dot:
            case FunctionalOp::Outer:
                return to_string(op) + "(" + joined(names) + ")";
        }
        throw InternalError("unknown functional operator");
    }

    std::string line(const Load& s) const {
        return temp_name(s.to) + " = load(" + place(s.buffer, s.at) + ")";
    }
    std::string line(const Store& s) const {
        return "store(" + temp_name(s.from) + "," + place(s.buffer, s.at) + ")";
    }
    std::string line(const Compute& s) const { return temp_name(s.to) + " = " + applied(s.op, s.args); }
    std::string line(const Evaluate& s) const {
        return temp_name(s.to) + " = " + to_string(*s.expr, temp_names(s.args), program_.dims);
    }
    std::string line(const Accumulate& s) const {
        return temp_name(s.to) + " += " + (s.functional ? applied(s.op, s.args) : temp_name(s.args.at(0)));
    }
    std::string line(const Initialise& s) const {
        return temp_name(s.to) + " = " + to_string(*number(s.value), {}, program_.dims);
    }
    std::string line(const Assign& s) const { return temp_name(s.to) + " = " + temp_name(s.from); }

    std::string line(const CallMisc& s) const {
        std::vector<std::string> places;
        for (std::size_t i = 0; i < s.at.size(); ++i) {
            const bool output = i < s.outputs.size();
            places.push_back(place(output ? s.outputs[i] : s.inputs.at(i - s.outputs.size()), s.at[i]));
        }
        const auto split = places.begin() + static_cast<std::ptrdiff_t>(s.outputs.size());
        return joined({places.begin(), split}) + " = " + s.name + "(" + joined({split, places.end()}) + ")";
    }

    std::string line(const LoopPtr& loop) const {
        const std::string& dim = program_.dims.at(loop->var.dim.value).name;
        const std::string range = loop->start == 0 ? dim : std::to_string(loop->start) + "," + dim;
        return (loop->serial ? "for " : "forall ") + name(loop->var, program_) + " in range(" + range + "):";
    }

    const LoopProgram& program_;
    std::vector<ListingLine> lines_;
};

}  // namespace

std::vector<ListingLine> listing_lines(const LoopProgram& program) {
    return Lister(program).run();
}

std::string listing(const BlockProgram& program) {
    std::string text;
    for (const ListingLine& line : listing_lines(lower(program))) text += line.text + "\n";
    return text;
}

}  // namespace blockscope

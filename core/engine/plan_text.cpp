// The plan as text, for explanation.
#include "core/engine/plan.h"

namespace blockscope::engine {

namespace {

class Printer {
public:
    explicit Printer(const Plan& plan) : plan_(plan) {}

    std::string run() {
        for (std::size_t i = 0; i < plan_.regions.size(); ++i) memory(plan_.regions[i]);
        for (const auto& [from, to] : plan_.packing)
            line("pack " + region(from) + " into " + region(to) + ", in parallel");
        block(plan_.body, false);
        return std::move(text_);
    }

    void operator()(const LoadOp& op) {
        for (const LoadOp::Piece& piece : op.pieces) {
            const char* how = piece.how == LoadOp::How::View   ? "view of "
                              : piece.how == LoadOp::How::Copy ? "copy of "
                                                               : "transposed copy of ";
            line(temp(op.to, piece.form) + " = " + how + item(piece.from));
        }
    }
    void operator()(const MaskOp& op) { line(temp(op.to) + " = causal mask"); }
    void operator()(const StoreOp& op) {
        for (const Access& to : op.to)
            line((plan_.regions[index(to.region)].form == kPlain ? "store " : "store transposed ") +
                 temp(op.from) + " to " + item(to));
    }
    void operator()(const DotOp& op) {
        const MatmulShape& shape = plan_.matmuls[index(op.matmul)];
        line(temp(op.to) + (op.add.active ? " += matmul " : " = matmul ") + temp(op.a) + " " +
             temp(op.b, kTransposed) + "  [" + std::to_string(shape.rows[0]) + "x" +
             std::to_string(shape.cols[0]) + "x" + std::to_string(shape.inner[0]) + "]");
    }
    void operator()(const EvalOp& op) {
        std::string args;
        for (std::size_t i = 0; i < op.args.size(); ++i) {
            if (op.args[i] == 0 || (op.add.active && i + 1 == op.args.size())) continue;
            static const char* const kModes[] = {"", " (a number)", " (per row)", " (per column)"};
            args += (args.empty() ? "" : ", ") + ("$" + std::to_string(i + 1)) + "=" + temp(op.args[i]) +
                    kModes[index(static_cast<int>(op.modes[i]))];
        }
        const ExprCode& code = plan_.codes[index(op.add.active ? op.first_code : op.code)];
        line(temp(op.to) + (op.add.active ? " += " : " = ") + code.text + (args.empty() ? "" : " of ") +
             args);
    }
    void operator()(const FoldOp& op) {
        static const char* const kNames[] = {"row sums of ", "row maxima of ", "maximum of "};
        line(temp(op.to) + (op.add.active ? " += " : " = ") + kNames[index(static_cast<int>(op.kind))] +
             temp(op.a));
    }
    void operator()(const FillOp& op) {
        line(temp(op.to) + " = " + std::to_string(op.value) + " everywhere");
    }
    void operator()(const CopyOp& op) { line(temp(op.to) + " = " + temp(op.from)); }
    void operator()(const TransposeOp& op) {
        line(temp(op.temp, kTransposed) + " = transposed " + temp(op.temp));
    }
    void operator()(const MiscOp& op) {
        line(op.name + " (a miscellaneous operator: the reference's stand-in, one thread)");
    }
    void operator()(const std::vector<LoopOp>& loops) {
        const LoopOp& loop = loops.front();
        const bool region = !loop.serial && !parallel_;
        line(std::string(region ? "in parallel, " : "") + "for " + plan_.program->dims[loop.dim.value].name +
             " " + std::to_string(loop.start) + ".." + std::to_string(loop.end - 1));
        block(loop.body, parallel_ || region);
    }

private:
    static std::size_t index(int number) { return static_cast<std::size_t>(number); }
    void line(const std::string& text) { text_ += std::string(2 * index(depth_), ' ') + text + "\n"; }
    static std::string temp(int id, Form form = kPlain) {
        return "t" + std::to_string(id) + (form == kTransposed ? "'" : "");
    }
    const std::string& name(int region) const {
        return plan_.program->buffers[index(plan_.regions[index(region)].buffer)].name;
    }
    std::string region(int number) const {
        const Region& about = plan_.regions[index(number)];
        return name(number) + (about.form == kTransposed ? "'" : "") + (about.packed_input ? " packed" : "");
    }
    std::string item(const Access& access) const { return "a block of " + region(access.region); }
    void memory(const Region& about) {
        const auto number = static_cast<int>(&about - plan_.regions.data());
        const Buffer& buffer = plan_.program->buffers[index(about.buffer)];
        const bool blocks = about.packed_input || buffer.kind == Buffer::Kind::Intermediate;
        line("memory " + region(number) + ": " + std::to_string(about.elements) +
             (about.bf16 ? " bf16" : " f32") + (blocks ? ", block by block" : ", row by row"));
    }
    void block(const std::vector<PlanOp>& ops, bool parallel) {
        const bool outside = parallel_;
        parallel_ = parallel;
        depth_ += &ops == &plan_.body ? 0 : 1;
        for (const PlanOp& op : ops) std::visit(*this, op.what);
        depth_ -= &ops == &plan_.body ? 0 : 1;
        parallel_ = outside;
    }

    const Plan& plan_;
    std::string text_;
    int depth_ = 0;
    bool parallel_ = false;
};

}  // namespace

std::string to_string(const Plan& plan) {
    return Printer(plan).run();
}

}  // namespace blockscope::engine

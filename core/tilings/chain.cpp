// An array program as a chain of products. Each product brings three loops; walking from an operand down to
// the products and inputs that it is made of tells which of them are the same loop.
#include "core/tilings/chain.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <optional>
#include <set>

namespace blockscope::tilings {

namespace {

// The axes that a value has where it is read, as nodes of the reader's union of loops; -1: it has none.
struct Frame {
    int row = -1;
    int col = -1;
};

// An input where a product (or the output, the number of products) reads it.
struct InputUse {
    int op = -1;
    int reader = -1;
    int side = 0;  // 0 left, 1 right, 2 output
    Frame frame = {};
};

struct ReadProduct {
    int op = -1;
    int row = -1;  // nodes
    int col = -1;
    int depth = -1;
    std::set<int> needs = {};  // indices of products
    bool softmax = false;
};

struct Refusal {
    Problem problem;
};

class ChainReader {
public:
    explicit ChainReader(const ArrayProgram& program) : program_(program) {}

    Chain read() {
        if (program_.outputs.size() != 1)
            throw Refusal{{{},
                           Text("a chain of products has one output; this program has %1",
                                std::to_string(program_.outputs.size()))}};
        find_products();
        out_ = {fresh(), fresh()};
        const ArrayOp& result = op(program_.outputs.front().op);
        if (result.shape.axes.size() != 2) refuse(result, Text("the output of a chain is a matrix"));
        walk(program_.outputs.front().op, out_, count(), 2);
        for (std::size_t i = 0; i < products_.size(); ++i) walk_operands(static_cast<int>(i));
        share_inputs();
        return made();
    }

private:
    const ArrayOp& op(int index) const { return program_.ops[static_cast<std::size_t>(index)]; }
    int count() const { return static_cast<int>(products_.size()); }
    ReadProduct& product(int index) { return products_[static_cast<std::size_t>(index)]; }

    [[noreturn]] static void refuse(const ArrayOp& op, Text message) {
        throw Refusal{{op.place, std::move(message)}};
    }

    int fresh() {
        parent_.push_back(static_cast<int>(parent_.size()));
        return parent_.back();
    }
    int root(int node) const {
        while (parent_[static_cast<std::size_t>(node)] != node)
            node = parent_[static_cast<std::size_t>(node)];
        return node;
    }
    void unite(int a, int b) {
        a = root(a);
        b = root(b);
        parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }

    std::optional<int> product_of(int op_index) const {
        for (std::size_t i = 0; i < products_.size(); ++i)
            if (products_[i].op == op_index) return static_cast<int>(i);
        return std::nullopt;
    }

    void find_products() {
        for (std::size_t i = 0; i < program_.ops.size(); ++i) {
            if (program_.ops[i].kind != ArrayOpKind::Matmul) continue;
            products_.push_back(
                {.op = static_cast<int>(i), .row = fresh(), .col = fresh(), .depth = fresh()});
        }
        if (products_.empty())
            throw Refusal{{{}, Text("there is no matrix product in this program, hence no chain of them")}};
        if (count() > kMostProducts)
            throw Refusal{{{},
                           Text("this program has %1 matrix products; tilings are enumerated for at most %2",
                                std::to_string(count()), std::to_string(kMostProducts))}};
    }

    void walk_operands(int index) {
        const ReadProduct self = product(index);
        const ArrayOp& matmul = op(self.op);
        int left = matmul.operands[0];
        while (op(left).kind == ArrayOpKind::Cast) left = op(left).operands[0];
        if (op(left).kind == ArrayOpKind::Softmax) {
            product(index).softmax = true;
            left = op(left).operands[0];
        }
        walk(left, {self.row, self.depth}, index, 0);
        walk(matmul.operands[1], {self.depth, self.col}, index, 1);
        if (product(index).softmax && product(index).needs.empty())
            refuse(matmul, Text("a softmax of a chain is of a product's result, not of an input"));
    }

    // Everything that `reader` reads through `index`, with its axes there.
    void walk(int index, Frame frame, int reader, int side) {
        const ArrayOp& value = op(index);
        switch (value.kind) {
            case ArrayOpKind::Input:
                uses_.push_back({.op = index, .reader = reader, .side = side, .frame = frame});
                return;
            case ArrayOpKind::Matmul:
                return reach_product(index, frame, reader);
            case ArrayOpKind::Elementwise:
            case ArrayOpKind::Cast:
                for (const int operand : value.operands)
                    walk(operand, op(operand).shape.axes.empty() ? Frame{} : frame, reader, side);
                return;
            case ArrayOpKind::Broadcast:
                for (const int operand : value.operands)
                    walk(operand, op(operand).shape.axes.size() == 2 ? frame : along(value, frame), reader,
                         side);
                return;
            case ArrayOpKind::Transpose:
                return walk(value.operands[0], {frame.col, frame.row}, reader, side);
            case ArrayOpKind::Softmax:
                refuse(value, Text("a softmax of a chain is the left operand of a product; here it is read "
                                   "otherwise"));
            default:
                refuse(value, Text("a chain has products with softmax, activations, scales, biases and masks "
                                   "between them, no %1",
                                   describe(value.kind)));
        }
    }

    static Frame along(const ArrayOp& broadcast, Frame frame) {
        return {broadcast.vector_axis == VectorAxis::Rows ? frame.row : frame.col, -1};
    }

    void reach_product(int index, Frame frame, int reader) {
        const int reached = *product_of(index);
        unite(product(reached).row, frame.row);
        unite(product(reached).col, frame.col);
        if (reader == count()) {
            out_needs_.insert(reached);
            return;
        }
        product(reader).needs.insert(reached);
    }

    bool depends(int reader, int on) {
        const std::set<int>& needs = product(reader).needs;
        return std::any_of(needs.begin(), needs.end(),
                           [&](int need) { return need == on || depends(need, on); });
    }

    // Two products that read one input on the same side, over the same rows (or columns), read it together:
    // their reductions are one loop. One that waits for the other cannot.
    void share_inputs() {
        for (const InputUse& a : uses_)
            for (const InputUse& b : uses_)
                if (&a < &b && a.op == b.op && a.side == b.side && a.side < 2) share(a, b);
    }

    void share(const InputUse& a, const InputUse& b) {
        if (a.frame.row < 0 || a.frame.col < 0 || b.frame.row < 0 || b.frame.col < 0) return;
        if (a.reader == b.reader || depends(a.reader, b.reader) || depends(b.reader, a.reader)) return;
        const bool left = a.side == 0;
        const int mine = left ? a.frame.row : a.frame.col;
        const int other = left ? b.frame.row : b.frame.col;
        if (root(mine) == root(other))
            unite(left ? a.frame.col : a.frame.row, left ? b.frame.col : b.frame.row);
    }

    // ---- The chain, from what was read.

    int loop(int node) {
        const int wanted = root(node);
        for (std::size_t i = 0; i < roots_.size(); ++i)
            if (roots_[i] == wanted) return static_cast<int>(i);
        roots_.push_back(wanted);
        return static_cast<int>(roots_.size()) - 1;
    }

    std::vector<int> loops_of(const InputUse& use) {
        std::vector<int> loops;
        for (const int node : {use.frame.row, use.frame.col})
            if (node >= 0) loops.push_back(loop(node));
        if (op(use.op).shape.axes.size() < loops.size()) loops.resize(op(use.op).shape.axes.size());
        return loops;
    }

    void name_loop(Chain& chain, int node, DimId dim) {
        const int index = loop(node);
        if (index < chain.loop_count()) return;
        const Dim& row = program_.dims[dim.value];
        std::string base = row.name;
        for (char& letter : base)
            letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        std::string name = base;
        const auto taken = [&] {
            return std::any_of(chain.loops.begin(), chain.loops.end(),
                               [&](const Loop& other) { return other.name == name; });
        };
        for (int next = 2; taken(); ++next) name = base + std::to_string(next);
        chain.loops.push_back({.name = name, .size = row.size, .dim = dim});
    }

    // The product's own name, else that of the only chain of elementwise operators that reads it.
    std::string name_of(int product_index) {
        int index = product(product_index).op;
        while (op(index).name.empty()) {
            int reader = -1;
            for (std::size_t i = 0; i < program_.ops.size(); ++i) {
                const ArrayOp& other = program_.ops[i];
                if (std::find(other.operands.begin(), other.operands.end(), index) == other.operands.end())
                    continue;
                const bool same = other.kind == ArrayOpKind::Elementwise || other.kind == ArrayOpKind::Cast ||
                                  other.kind == ArrayOpKind::Broadcast;
                if (reader >= 0 || !same) return "T" + std::to_string(product_index + 1);
                reader = static_cast<int>(i);
            }
            if (reader < 0) break;
            index = reader;
        }
        return op(index).name.empty() ? program_.outputs.front().name : op(index).name;
    }

    int input_index(Chain& chain, const InputUse& use) {
        TiledArray array{.name = op(use.op).name, .loops = loops_of(use), .op = use.op};
        for (std::size_t i = 0; i < chain.inputs.size(); ++i)
            if (chain.inputs[i].op == array.op && chain.inputs[i].loops == array.loops)
                return static_cast<int>(i);
        chain.inputs.push_back(std::move(array));
        return static_cast<int>(chain.inputs.size()) - 1;
    }

    // A generated mask is not loaded.
    std::vector<int> loads_of(Chain& chain, int reader) {
        std::vector<int> loads;
        for (const InputUse& use : uses_) {
            if (use.reader != reader || op(use.op).source != InputSource::Array) continue;
            const int index = input_index(chain, use);
            if (std::find(loads.begin(), loads.end(), index) == loads.end()) loads.push_back(index);
        }
        return loads;
    }

    void check_loops(const Product& made) {
        if (made.row != made.col && made.row != made.depth && made.col != made.depth) return;
        refuse(op(made.op),
               Text("two of the three loops of the product %1 are the same, as a value is read in "
                    "two ways at once; that is no chain",
                    made.name));
    }

    // Products that an elementwise operator combines share its name: the last of them keeps it.
    static void keep_names_apart(Chain& chain) {
        for (std::size_t i = 0; i < chain.products.size(); ++i)
            for (std::size_t j = i + 1; j < chain.products.size(); ++j)
                if (chain.products[i].name == chain.products[j].name)
                    chain.products[i].name = "T" + std::to_string(i + 1);
    }

    // A loop that is a reduction of one product can be no axis of what that product goes into.
    void check_reductions(const Chain& chain) {
        for (std::size_t i = 0; i < chain.products.size(); ++i)
            for (std::size_t j = 0; j < chain.products.size(); ++j)
                if (depends(static_cast<int>(j), static_cast<int>(i)) &&
                    chain.products[j].has(chain.products[i].depth))
                    refuse(
                        op(chain.products[j].op),
                        Text("the product %1 loops over what the product %2, which it waits for, sums over",
                             chain.products[j].name, chain.products[i].name));
    }

    Chain made() {
        Chain chain{.program = program_};
        for (std::size_t i = 0; i < products_.size(); ++i) {
            const ReadProduct& read = products_[i];
            const std::vector<DimId>& axes = op(read.op).shape.axes;
            name_loop(chain, read.row, axes[0]);
            name_loop(chain, read.col, axes[1]);
            name_loop(chain, read.depth, op(op(read.op).operands[0]).shape.axes[1]);
            chain.products.push_back({.name = name_of(static_cast<int>(i)),
                                      .op = read.op,
                                      .row = loop(read.row),
                                      .col = loop(read.col),
                                      .depth = loop(read.depth),
                                      .needs = {read.needs.begin(), read.needs.end()},
                                      .loads = loads_of(chain, static_cast<int>(i)),
                                      .softmax = read.softmax});
            check_loops(chain.products.back());
        }
        check_reductions(chain);
        keep_names_apart(chain);
        const ArrayOutput& output = program_.outputs.front();
        if (out_needs_.empty()) refuse(op(output.op), Text("the output reads no product"));
        chain.output = {.name = output.name,
                        .op = output.op,
                        .row = loop(out_.row),
                        .col = loop(out_.col),
                        .needs = {out_needs_.begin(), out_needs_.end()},
                        .loads = loads_of(chain, count())};
        for (const DimId dim : op(output.op).shape.batch) chain.batch *= program_.dims[dim.value].size;
        chain.elem = op(products_.front().op).elem;
        return chain;
    }

    const ArrayProgram& program_;
    std::vector<int> parent_;
    std::vector<ReadProduct> products_;
    std::vector<InputUse> uses_;
    std::vector<int> roots_;
    Frame out_;
    std::set<int> out_needs_;
};

}  // namespace

Result<Chain> read_chain(const ArrayProgram& program) {
    try {
        return ChainReader(program).read();
    } catch (const Refusal& refusal) {
        return refusal.problem;
    }
}

}  // namespace blockscope::tilings

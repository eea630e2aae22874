// Dimensions of tensors as products of atoms. Each extent of an input or a weight begins as an atom of its
// own; additions and products make atoms equal, a reshape splits one (768 becomes 12 heads of 64) or merges
// some. An extent of 1 has no atom.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/import/shapes.h"
#include "core/support/text.h"

namespace blockscope::model {

using AtomList = std::vector<int>;

class AtomTable {
public:
    int make(std::int64_t size, const std::string& symbol = {});

    // The atoms that these have become: none of them is split.
    AtomList expanded(const AtomList& atoms) const;
    std::int64_t size(int atom) const { return rows_[static_cast<std::size_t>(atom)].size; }
    // What the model calls the extent; may be empty.
    const std::string& symbol(int atom) const { return rows_[static_cast<std::size_t>(atom)].symbol; }
    std::size_t count() const { return rows_.size(); }

    // Makes two products of the same size the same; false if their factors do not fit.
    bool unify(const AtomList& a, const AtomList& b);
    // Cuts a product into products of these sizes, an atom if need be; false if that is not possible.
    bool cut(const AtomList& atoms, const Sizes& sizes, std::vector<AtomList>& parts);

private:
    struct Row {
        std::int64_t size = 1;
        std::string symbol;
        int same = -1;  // the atom that this one has become
        int outer = -1, inner = -1;
    };
    int root(int atom) const;
    void split(int atom, std::int64_t outer);

    std::vector<Row> rows_;
};

// What is done with a node.
enum class NodeForm : std::uint8_t { View, Elements, Product, Rows, Reduction, Opaque };

struct NodeMeaning {
    NodeForm form = NodeForm::Opaque;
    const char* function = "";  // Elements: of the language, or the sign + - * / ^
};

// By the operator alone.
NodeMeaning meaning_of(const std::string& op);

// "the shape of an operand does not follow": why what comes behind an operator without a form may have none.
Text shape_unknown();

// How many elementwise operators, products and Gathers have operands whose shapes are known and do not fit
// one another.
int misfits(const TensorGraph& graph);

// The dimensions of every tensor of a graph, and of each use of a weight: the same numbers in two places need
// not mean the same dimensions.
class TrackedDimensions {
public:
    // Nodes of `opaque` (by index, with the reason) are not looked into; those that turn out not to be
    // understood are added to it.
    TrackedDimensions(const TensorGraph& graph, std::map<std::size_t, Text>& opaque);

    std::vector<AtomList> of_input(std::size_t node, std::size_t input) const;
    std::vector<AtomList> of_tensor(int tensor) const;
    const AtomTable& atoms() const { return atoms_; }

private:
    using Dims = std::vector<AtomList>;

    Dims fresh(const GraphTensor& tensor);
    void start();
    bool follow(std::size_t node);
    bool view(std::size_t n);
    bool elements(std::size_t n);
    bool product_of(std::size_t n);
    bool rows(std::size_t n);
    bool reduction(std::size_t n);
    void opaque_outputs(std::size_t n);
    bool regroup(const Dims& from, const Sizes& sizes, Dims& to);
    bool spread(const std::vector<Dims>& operands, Dims& result);
    bool fail(Text why) {
        why_ = std::move(why);
        return false;
    }
    const Dims& input(std::size_t n, std::size_t i) const;
    Sizes output_sizes(std::size_t n) const;

    const TensorGraph& graph_;
    std::map<std::size_t, Text>& opaque_;
    AtomTable atoms_;
    std::map<std::pair<std::size_t, std::size_t>, Dims> uses_;  // of weights: by node and input
    std::vector<Dims> tensors_;
    Text why_;
};

// Whether each use of the tensor is apart from the others: a weight or a constant.
bool is_stored(const GraphTensor& tensor);

}  // namespace blockscope::model

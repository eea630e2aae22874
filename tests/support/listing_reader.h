// Executes listings. It knows the grammar of docs/listing.md, numpy's meaning of the functions, and the
// arrays that the program declares, nothing of graphs or of the lowering; so it is an oracle
// for both. Whatever is not certain to be right is an error: names that it does not know, elements
// that nothing stored or that are stored twice, temporaries that are not set at that point, shapes
// that do not fit, parallel iterations that depend on each other.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/exec/tensor.h"
#include "core/graph/dim.h"
#include "tests/support/listing_arrays.h"

namespace blockscope::reader {

// A miscellaneous operator: the layout of its arrays, as the program declares them.
struct MiscDecl {
    std::string name;
    std::vector<ArrayDecl> inputs, outputs;
};
using MiscMeaning =
    std::function<std::vector<Tensor<double>>(const MiscDecl&, const std::vector<Tensor<double>>&)>;

// What a program declares around its listing.
struct Signature {
    DimTable dims;
    std::map<std::string, ArrayDecl> inputs;  // by declared name: V, never VT
    std::map<std::string, ArrayDecl> outputs;
    std::vector<MiscDecl> misc;  // in the order of the listing's lines
    MiscMeaning misc_meaning;
};

enum class ForallOrder { Forward, Backward };

// Throws ListingError with the line's number.
Tensors<double> run_listing(const std::string& text, const Signature& signature,
                            const Tensors<double>& inputs, ForallOrder order = ForallOrder::Forward);

}  // namespace blockscope::reader

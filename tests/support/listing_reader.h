// Executes listings. It knows the grammar of docs/listing.md, numpy's meaning of the functions, and the
// arrays that the program declares, nothing of graphs or of the lowering; so it is an oracle
// for both. Whatever is not certain to be right is an error: names that it does not know, elements
// that nothing stored or that are stored twice, temporaries that are not set at that point, shapes
// that do not fit, parallel iterations that depend on each other.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/exec/evaluate.h"
#include "core/graph/type.h"
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
    std::set<std::string>
        masks;  // inputs whose blocks are not added where they are all zeros; none: all are added
};

enum class ForallOrder { Forward, Backward };

// What the execution did, counted as it happened.
struct ArrayWork {
    std::int64_t loads = 0, stores = 0;                 // instructions
    std::int64_t loaded_values = 0, stored_values = 0;  // elements
};
struct Work {
    std::map<std::string, ArrayWork> arrays;  // by name as listed: VT
    // Elements that were loaded or stored at all, each once: by name as declared, so that V and VT are one.
    std::map<std::string, std::int64_t> touched;
    std::int64_t matrix = 0;   // 2 per multiply-add of dot
    std::int64_t vector = 0;   // other arithmetic on single elements
    std::int64_t special = 0;  // exp, log, sqrt, ..., powers other than squares
    // The most values that temporaries held at once which were read later on.
    std::int64_t local_values = 0;
    std::int64_t launches = 0;        // lines outside of all loops
    std::vector<std::int64_t> tasks;  // of each: iterations of the axes of its grid
};

// Throws ListingError with the line's number. Sets `work` if it is there: then what a loop carries counts
// with its shape from the start, which a second execution knows from the first.
Tensors<double> run_listing(const std::string& text, const Signature& signature,
                            const Tensors<double>& inputs, ForallOrder order = ForallOrder::Forward,
                            Work* work = nullptr);

}  // namespace blockscope::reader

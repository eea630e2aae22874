// The arrays that a listing reads and writes: inputs as they are given, outputs and intermediates as they are
// stored, element by element.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/listing_reader.h"

namespace blockscope::reader {

using Tuple = std::vector<std::int64_t>;

// One element of an array as it is listed (VT), or the first indices of several.
struct Element {
    std::string array;
    Tuple index;
    std::vector<std::optional<DimId>> dims;  // that each index runs along; none for a literal 0
};

// Zeros, as large as the array.
Tensor<double> blank(const ArrayDecl& decl, const DimTable& dims);

// Of a signature and inputs that outlive it. Throws ListingError where an element is not there, is there
// already, or an index runs along another dimension than before.
class ListingMemory {
public:
    ListingMemory(const Signature& signature, const Tensors<double>& inputs);

    // The same element of the array as it is declared: of VT[l,n] that is V[n,l].
    Element declared(const Element& element) const;
    Value load(const Element& element);
    void store(const Element& element, const Value& value);
    // Of all elements that begin with `place`, as a miscellaneous operator takes and gives them: the one with
    // these indices behind.
    Value load_part(const Element& place, const Tuple& index) const;
    void store_part(const Element& place, const Tuple& index, const Value& value);
    // All of every output; throws if anything of them is missing.
    Tensors<double> outputs() const;

private:
    struct Stored {
        std::map<Tuple, Value> elements;
        std::vector<std::optional<DimId>> dims;  // of each index, as far as known
    };
    Value load_input(const Element& element, const std::string& name, bool transpose) const;
    void put_element(const std::string& array, Tuple index, const Value& value);

    const Signature& signature_;
    const Tensors<double>& inputs_;
    std::map<std::string, Stored> stored_;
};

}  // namespace blockscope::reader

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

    // Of an input that is read transposed, VT: the name that it is declared by. Null if it is read as it is
    // declared, or is no input.
    const std::string* read_transposed(const std::string& array) const;
    // Of VT[l,n] the indices of the same element of V.
    Tuple declared_index(const Element& element) const;
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
    void put_element(const std::string& array, Tuple index, const Value& value);

    // An input by a name that listings have for it: V, or VT for its transpose.
    struct Given {
        const std::string* name = nullptr;  // as it is declared
        const ArrayDecl* decl = nullptr;
        bool transpose = false;
        std::vector<std::optional<DimId>> dims;  // of each index as listed
    };
    Value cut_given(const Given& given, const Tuple& index) const;

    const Signature& signature_;
    const Tensors<double>& inputs_;
    std::map<std::string, Given> given_;
    std::map<std::string, Stored> stored_;
};

}  // namespace blockscope::reader

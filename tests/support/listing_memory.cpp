#include "tests/support/listing_memory.h"

#include <utility>

namespace blockscope::reader {

namespace {

// Every index of an array runs along one dimension, the same everywhere.
void check_dims(const Element& element, std::vector<std::optional<DimId>>& dims) {
    if (dims.size() != element.index.size())
        throw ListingError("a wrong number of indices of " + element.array);
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (!element.dims[i]) continue;
        if (dims[i] && *dims[i] != *element.dims[i])
            throw ListingError("index " + std::to_string(i + 1) + " of " + element.array +
                               " is of another dimension");
        dims[i] = element.dims[i];
    }
}

void swap_axes(const ArrayDecl& decl, Tuple& index) {
    const Axes axes(decl);
    std::swap(index.at(static_cast<std::size_t>(axes.rows)), index.at(static_cast<std::size_t>(axes.cols)));
}

}  // namespace

Tensor<double> blank(const ArrayDecl& decl, const DimTable& dims) {
    Tensor<double> tensor{array_shape(decl, dims), {}};
    std::int64_t size = 1;
    for (const std::int64_t extent : tensor.shape) size *= extent;
    tensor.data.assign(static_cast<std::size_t>(size), 0.0);
    return tensor;
}

ListingMemory::ListingMemory(const Signature& signature, const Tensors<double>& inputs)
    : signature_(signature), inputs_(inputs) {
    for (const auto& [name, decl] : signature.outputs)
        stored_[name].dims.assign(decl.dims.begin(), decl.dims.end());
    for (const auto& [name, decl] : signature.inputs) {
        given_[name] = {&name, &decl, false, {decl.dims.begin(), decl.dims.end()}};
        const std::string listed = name + "T";
        if (signature.inputs.count(listed) > 0) continue;
        const ArrayDecl read = transposed(decl);
        given_[listed] = {&name, &decl, true, {read.dims.begin(), read.dims.end()}};
    }
}

const std::string* ListingMemory::read_transposed(const std::string& array) const {
    const auto given = given_.find(array);
    const bool transpose = given != given_.end() && given->second.transpose && stored_.count(array) == 0;
    return transpose ? given->second.name : nullptr;
}

Tuple ListingMemory::declared_index(const Element& element) const {
    Tuple index = element.index;
    swap_axes(*given_.at(element.array).decl, index);
    return index;
}

// The item at `index`, which counts along the axes of the array as it is listed.
Value ListingMemory::cut_given(const Given& given, const Tuple& index) const {
    const Tensor<double>& array = inputs_.at(*given.name);
    if (!given.transpose) return cut(array, *given.decl, signature_.dims, index);
    Tuple declared = index;
    swap_axes(*given.decl, declared);
    return transposed(cut(array, *given.decl, signature_.dims, declared));
}

Value ListingMemory::load(const Element& element) {
    const auto found = stored_.find(element.array);
    if (found != stored_.end()) {
        check_dims(element, found->second.dims);
        const auto value = found->second.elements.find(element.index);
        if (value == found->second.elements.end())
            throw ListingError("this element of " + element.array + " is not stored yet");
        return value->second;
    }
    const auto given = given_.find(element.array);
    if (given == given_.end()) throw ListingError("there is no array " + element.array);
    check_dims(element, given->second.dims);
    return cut_given(given->second, element.index);
}

void ListingMemory::store(const Element& element, const Value& value) {
    if (signature_.inputs.count(element.array) > 0) throw ListingError(element.array + " is an input");
    const auto [place, fresh] = stored_.try_emplace(element.array);
    if (fresh) place->second.dims.resize(element.index.size());
    check_dims(element, place->second.dims);
    put_element(element.array, element.index, value);
}

void ListingMemory::put_element(const std::string& array, Tuple index, const Value& value) {
    if (!value.loose && value.has_loose_extent())
        throw ListingError("the shape of what is stored is not known");
    const auto output = signature_.outputs.find(array);
    if (output != signature_.outputs.end()) check_shape(output->second, signature_.dims, index, value);
    if (!stored_[array].elements.emplace(std::move(index), value).second)
        throw ListingError("an element of " + array + " is stored twice");
}

Value ListingMemory::load_part(const Element& place, const Tuple& index) const {
    Tuple whole = place.index;
    whole.insert(whole.end(), index.begin(), index.end());
    const std::string& array = place.array;
    const auto found = stored_.find(array);
    if (found != stored_.end()) {
        const auto value = found->second.elements.find(whole);
        if (value == found->second.elements.end())
            throw ListingError("not all of " + array + " is stored yet");
        return value->second;
    }
    const auto given = given_.find(array);
    if (given == given_.end()) throw ListingError("there is no array " + array);
    if (whole.size() != given->second.dims.size())
        throw ListingError("a wrong number of indices of " + array);
    return cut_given(given->second, whole);
}

void ListingMemory::store_part(const Element& place, const Tuple& index, const Value& value) {
    Tuple whole = place.index;
    whole.insert(whole.end(), index.begin(), index.end());
    stored_[place.array].dims.resize(whole.size());
    put_element(place.array, std::move(whole), value);
}

Tensors<double> ListingMemory::outputs() const {
    Tensors<double> result;
    for (const auto& [name, decl] : signature_.outputs) {
        Tensor<double>& tensor = result[name];
        tensor = blank(decl, signature_.dims);
        const std::map<Tuple, Value>& elements = stored_.at(name).elements;
        for (const Tuple& index : all_indices(decl, signature_.dims)) {
            const auto found = elements.find(index);
            if (found == elements.end()) throw ListingError("not all of " + name + " is stored");
            put(tensor, decl, signature_.dims, index, found->second);
        }
    }
    return result;
}

}  // namespace blockscope::reader

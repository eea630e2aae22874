#include "core/exec/scalar.h"

#include <cmath>

namespace blockscope {

namespace {

// A number in [-1, 1) from a hash.
double unit_from_hash(std::uint64_t hash) {
    return static_cast<double>(static_cast<std::int64_t>(hash)) * 0x1p-63;
}

std::uint64_t hash_of(const Tensor<Exact>& tensor) {
    std::uint64_t hash = tensor.shape.size();
    for (const std::int64_t extent : tensor.shape) hash = mix(hash, static_cast<std::uint64_t>(extent));
    for (const Exact& element : tensor.data) hash = mix(hash, element.p);
    return hash;
}

}  // namespace

std::uint64_t hash_of(const std::string& text) {
    std::uint64_t hash = text.size();
    for (const char c : text) hash = mix(hash, static_cast<unsigned char>(c));
    return hash;
}

std::int64_t element_count(const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    return count;
}

template <class S>
Tensor<S> causal_mask(std::int64_t rows, std::int64_t columns) {
    Tensor<S> mask{{rows, columns}, std::vector<S>(static_cast<std::size_t>(rows * columns))};
    const S masked = scalar_from<S>(kMasked);
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
            if (column - row > columns - rows)
                mask.data[static_cast<std::size_t>(row * columns + column)] = masked;
    return mask;
}

template Tensor<double> causal_mask(std::int64_t, std::int64_t);
template Tensor<Exact> causal_mask(std::int64_t, std::int64_t);

Tensor<Exact> custom_array(const std::string& name, const std::vector<const Tensor<Exact>*>& inputs, int port,
                           std::vector<std::int64_t> shape) {
    const std::uint64_t name_hash = mix(hash_of(name), static_cast<std::uint64_t>(port));
    std::uint64_t inputs_hash = 0;
    for (const Tensor<Exact>* input : inputs) inputs_hash = mix(inputs_hash, hash_of(*input));
    Tensor<Exact> result{std::move(shape), {}};
    result.data.resize(static_cast<std::size_t>(element_count(result.shape)));
    for (std::size_t i = 0; i < result.data.size(); ++i)
        result.data[i] = uninterpreted(name_hash, inputs_hash, i);
    return result;
}

Tensor<double> custom_array(const std::string& name, const std::vector<const Tensor<double>*>& inputs,
                            int port, std::vector<std::int64_t> shape) {
    const std::uint64_t name_hash = mix(hash_of(name), static_cast<std::uint64_t>(port));
    double summary = 0;  // a weighted sum of all inputs
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        const std::vector<double>& data = inputs[k]->data;
        const double scale = 1 / std::sqrt(static_cast<double>(data.size()));
        for (std::size_t i = 0; i < data.size(); ++i)
            summary += scale * unit_from_hash(mix(mix(name_hash, k), i)) * data[i];
    }
    Tensor<double> result{std::move(shape), {}};
    result.data.resize(static_cast<std::size_t>(element_count(result.shape)));
    for (std::size_t i = 0; i < result.data.size(); ++i) {
        const double phase = 4 * unit_from_hash(mix(mix(name_hash, ~std::uint64_t{0}), i));
        result.data[i] = std::sin(summary + phase);
    }
    return result;
}

}  // namespace blockscope

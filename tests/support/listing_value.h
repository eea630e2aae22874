// Blocks, vectors and scalars of the listing reader, with numpy's meaning of Table 1 and of
// arithmetic. Shares no code with the tool.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace blockscope::reader {

// What is wrong with a listing, as a sentence.
class ListingError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// A number in a place whose shape is not known yet (the 0 of an accumulator, `t9 = -inf`, or that times
// a scalar) has ndim 0 and is `loose`; a block whose columns are not known yet has kLoose there.
constexpr std::int64_t kLoose = -1;

struct Value {
    int ndim = 0;              // 0 scalar, 1 vector, 2 block
    std::int64_t rows = 1;     // of a vector: its size
    std::int64_t cols = 1;     // of a block
    bool loose = false;        // ndim 0 only: any shape may come of it; else it is a scalar
    std::vector<double> data;  // row-major; a loose extent counts once

    static Value scalar(double x) { return {0, 1, 1, false, {x}}; }
    static Value literal(double x) { return {0, 1, 1, true, {x}}; }
    bool has_loose_extent() const { return loose || rows == kLoose || cols == kLoose; }
    std::string shape() const;
};

using Operands = std::span<const Value* const>;

// "dot", "row_sum", ...: whether Table 1 (with row_max and block_max) has it, and its value.
bool is_functional(const std::string& name);
Value functional(const std::string& name, const Operands& args);

// "+", "-", "*", "/", "**", "neg", "exp", "max", ... element by element; numpy's broadcasting of
// scalars, and of a vector along the rows of a block.
bool is_elementwise(const std::string& name);
Value elementwise(const std::string& name, const Operands& args);

}  // namespace blockscope::reader

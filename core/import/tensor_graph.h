// Tensor graphs: what a model file holds, whatever its format. Operators by their names in the ONNX standard
// on typed tensors, whose extents may be symbols. A reader makes one (onnx_reader.h); all that follows
// (import.h) knows nothing of files.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/import/size_formula.h"
#include "core/support/text.h"

namespace blockscope::model {

enum class TensorKind : std::uint8_t {
    F32,
    F16,
    BF16,
    F64,
    E4M3,
    E5M2,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    Bool,
    Other,  // text, complex numbers, numbers of less than a byte
};

// Bytes of one number; 0 of Other.
std::size_t bytes_of(TensorKind kind);
bool is_real(TensorKind kind);  // floating point
// The number with the fewest digits that is this one in 32 bits: 1e-5, not 9.99999974e-6.
double decimal(float number);
std::string to_string(TensorKind kind);

// The numbers of a constant tensor in row-major order, little-endian, shared by copies.
class TensorValues {
public:
    TensorValues(TensorKind kind, std::string bytes)
        : kind_(kind), bytes_(std::make_shared<const std::string>(std::move(bytes))) {}
    static TensorValues of_whole(const std::vector<std::int64_t>& numbers, TensorKind kind = TensorKind::I64);
    static TensorValues of_real(const std::vector<double>& numbers);

    TensorKind kind() const { return kind_; }
    std::size_t count() const { return bytes_->size() / bytes_of(kind_); }
    double real(std::size_t i) const;
    double shown(std::size_t i) const;        // the same as people write it (decimal())
    std::int64_t whole(std::size_t i) const;  // of a real number: cut
    std::vector<std::int64_t> wholes() const;

private:
    TensorKind kind_;
    std::shared_ptr<const std::string> bytes_;
};

// One extent of a tensor: a size, or a symbol that is to be bound to one.
struct TensorExtent {
    std::int64_t size = -1;  // -1: not known
    std::string symbol;      // empty: none; or a key of the graph's formulas
};

// Rows of a table that a tensor of their numbers names; without a table what else is computed of the numbers.
struct TableLookup {
    int table = -1, rows = -1;  // tensors
};

struct GraphTensor {
    std::string name;
    TensorKind kind = TensorKind::Other;
    std::optional<std::vector<TensorExtent>> extents;  // none: not even the rank is known
    bool weight = false;                        // stored with the model, even if its numbers are not there
    std::optional<TensorValues> values;         // of constants
    std::optional<TableLookup> looked_up = {};  // of an input that is made before the program
};

struct Subgraph {};  // of If, Loop and Scan: not read

using AttributeValue = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>,
                                    std::vector<double>, GraphTensor, Subgraph>;

struct GraphNode {
    std::string name;  // as the model has it; may be empty
    std::string op;    // "MatMul"; with its domain unless that is the standard one: "com.microsoft.Gelu"
    std::vector<int> inputs;  // tensors; -1: left out
    std::vector<int> outputs;
    std::map<std::string, AttributeValue> attributes;
    Text why = {};  // what the reader does not understand of it; empty: nothing is known
};

struct TensorGraph {
    std::string name;
    std::string producer;  // "pytorch 1.13.1"
    std::vector<GraphTensor> tensors;
    std::vector<GraphNode> nodes;  // each uses only what earlier ones make
    std::vector<int> inputs;       // those that are no weights
    std::vector<int> outputs;

    int calls = 0;  // of operators in the model, where nodes are parts of them; 0: each node is one

    std::vector<Text> remarks;  // what the reader leaves out

    // Sizes that follow from symbols, and tensors whose whole numbers are such extents.
    std::map<std::string, SizeFormula> formulas;
    std::map<int, std::vector<TensorExtent>> computed;
    // The sizes that a symbol may have, from the first to the second, where the model says so.
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> ranges;
};

// The operand `i` of a node; null where it is left out.
const GraphTensor* input_tensor(const TensorGraph& graph, const GraphNode& node, std::size_t i);
std::int64_t whole_attribute(const GraphNode& node, const std::string& name, std::int64_t otherwise);
double real_attribute(const GraphNode& node, const std::string& name, double otherwise);
std::string text_attribute(const GraphNode& node, const std::string& name, const std::string& otherwise);
std::optional<std::vector<std::int64_t>> list_attribute(const GraphNode& node, const std::string& name);

}  // namespace blockscope::model

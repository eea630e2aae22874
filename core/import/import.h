// From a tensor graph to a program of the language: what `blockscope-cli import` does.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/import/tensor_graph.h"
#include "core/program/array_program.h"
#include "core/support/result.h"

namespace blockscope::model {

// "4096" or "4096/128": a size, and how long its blocks are.
struct ExtentChoice {
    std::int64_t size = 1;
    std::optional<std::int64_t> block;
};

// Where the numbers of one input of the program lie in the model: in the order of the input's dimensions,
// sizes and steps through the elements of a tensor.
struct ImportedInput {
    std::string name;     // in the program
    std::string tensor;   // in the model
    bool stored = false;  // a weight or a constant; otherwise the user gives it
    // Of an embedding: it has the rows of the table that the other tensor names; without a table it is
    // computed of the other tensor, as cosines of positions are. That is not part of the program.
    std::string table = {}, rows = {};
    std::int64_t offset = 0;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> steps;
    std::optional<TensorValues> values;             // of the tensor, where the model holds or gives them
    std::optional<TensorValues> table_values = {};  // of the table, row by row
};

// The same of an output: where its numbers go in the tensor.
struct ImportedOutput {
    std::string name;
    std::string tensor;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> steps;
};

struct ImportedCustom {
    std::string name;  // of the array in the program; empty if nothing uses it
    std::string node;  // in the model; may be empty
    std::string op;
    Text reason;
    bool follows = false;  // only as the shape of an operand, which another one makes, is not known
};

// A symbol of the model and the size that it has been given.
struct BoundSymbol {
    std::string name;
    std::int64_t size = 1;
    bool chosen = false;  // by the user; otherwise it is the size that is taken where nobody says anything
};

struct ImportCounts {
    int nodes = 0;  // in the model, constants apart
    int products = 0, softmaxes = 0, norms = 0, activations = 0, customs = 0;
};

struct ImportedModel {
    ArrayProgram program;
    std::string text;  // the program in the text language
    std::string producer;
    std::vector<BoundSymbol> symbols;
    std::vector<ImportedInput> inputs;
    std::vector<ImportedOutput> outputs;
    std::vector<ImportedCustom> customs;
    std::vector<Text> remarks;
    ImportCounts counts;
};

// `choices` by symbol of the model, or by dimension of the program, whose size can then not change. `file` is
// what the program and messages call the model.
Result<ImportedModel> import_model(TensorGraph graph, const std::map<std::string, ExtentChoice>& choices,
                                   const std::string& file);

// What whoever opens the model has to know before anything else: what is not understood of it, and which
// sizes nobody chose. "All of the model is understood. batch = 1 and seq = 128 are assumed."
Text summary_of(const std::vector<ImportedCustom>& customs, const std::vector<BoundSymbol>& symbols);

// The numbers of an input in the order in which the program wants them, from those of the tensor.
std::vector<double> arranged(const ImportedInput& input, const std::vector<double>& tensor);

}  // namespace blockscope::model

// The JSON of an exported program as a tensor graph.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/import/aten.h"
#include "core/import/tensor_graph.h"
#include "core/json/reader.h"

namespace blockscope::model {

// The numbers of a stored tensor by its name in the model; none where they are not read.
using StoredValues = std::function<std::optional<TensorValues>(const std::string& name, const GraphTensor&)>;

// By the schema's number of a type.
TensorKind kind_of_scalar_type(std::int64_t type);

// Reads one document. Throws the first Problem.
class ExportedProgramReading {
public:
    ExportedProgramReading(json::Report& report, StoredValues stored)
        : report_(report), stored_(std::move(stored)) {}

    TensorGraph run(const json::Reader& document);

private:
    // What a graph's names mean; a graph inside of another one has names of its own.
    struct Scope {
        std::unordered_map<std::string, int> tensors;
        std::unordered_map<std::string, GraphTensor> described;
        std::unordered_map<std::string, AtenWhole> wholes;
        std::unordered_map<std::string, int> uses;
        int depth = 0;
    };
    // What an input of the graph is, where the user does not give it.
    struct Stored {
        std::string name;
        bool parameter = false;
    };

    void check() const;
    json::Reader need(const json::Reader& of, const char* key) const;
    std::string need_text(const json::Reader& of, const char* key, std::size_t most_bytes) const;
    std::string need_name(const json::Reader& of, const char* key) const;

    void version(const json::Reader& document);
    void ranges(const json::Reader& document);
    TensorExtent extent(const json::Reader& size);
    AtenWhole whole(const json::Reader& value);
    std::string symbol_of(const json::Reader& expression);
    GraphTensor described(const json::Reader& meta, const std::string& name);
    void tables(const json::Reader& graph, Scope& scope);
    void count_uses(const json::Reader& graph, Scope& scope) const;

    void roles(const json::Reader& signature);
    void changes(const json::Reader& signature);
    void inputs(const json::Reader& graph, Scope& scope);
    void input(const json::Reader& argument, Scope& scope);
    void nodes(const json::Reader& graph, Scope& scope);
    void outputs(const json::Reader& signature, const Scope& scope);

    int add(GraphTensor tensor, const std::string& name, Scope& scope, const json::Reader& place);
    int known(const json::Reader& name, const Scope& scope) const;
    AtenTensor tensor_argument(const json::Reader& argument, const Scope& scope) const;
    AtenWhole sym_int(const json::Reader& argument, const Scope& scope) const;
    AtenArgument argument(const json::Reader& value, const Scope& scope) const;
    double real(const json::Reader& value) const;

    void node(const json::Reader& node, Scope& scope);
    std::string node_name(const json::Reader& node, const std::string& output) const;
    std::vector<std::string> output_names(const json::Reader& node) const;
    bool is_sole_user(const json::Reader& inputs, const AtenCall& call, const Scope& scope) const;
    bool inside(const json::Reader& node, Scope& scope);
    void note_views(const AtenCall& call, const AtenResult& made, std::size_t first);

    json::Report& report_;
    StoredValues stored_;
    TensorGraph result_;
    std::unordered_map<std::string, Stored> roles_;  // by input of the graph
    std::set<std::string> changed_;                  // buffers by name
    std::unordered_map<int, bool> shared_;           // tensors that may be parts of others, or are given
};

}  // namespace blockscope::model

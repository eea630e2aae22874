// What all formats share: dimensions, types and expressions, both ways.
#pragma once

#include <string>
#include <unordered_map>

#include "core/graph/expr.h"
#include "core/graph/type.h"
#include "core/json/reader.h"
#include "core/rules/rule.h"

namespace blockscope {
class Endings;
struct BlockProgram;
}  // namespace blockscope

namespace blockscope::json {

constexpr std::size_t kMaxSentenceBytes = 65'536;  // an explanation, or why a run ended

// Limits of one expression, and of all expressions of a document together. Expressions are stored with
// shared parts, so that a short text could stand for a tree that never ends.
constexpr int kMaxExprEntries = 4096;
constexpr std::int64_t kMaxExprNodes = 65'536;         // of one tree, shared parts counted each time
constexpr std::int64_t kMaxAllExprNodes = 10'000'000;  // of all trees of a document

// Dimensions by name while a document is read, and what its expressions have used up.
class Dims {
public:
    // Reads "dims". What is wrong is reported; dimensions that can be read are there.
    explicit Dims(const Reader& list);
    explicit Dims(const DimTable& table);
    const DimTable& table() const { return table_; }
    std::optional<DimId> find(const Reader& name) const;
    std::optional<std::vector<DimId>> find_all(const Reader& names, std::size_t most) const;
    // Whether `nodes` more nodes of expressions are within the document's limit.
    bool spend(std::int64_t nodes);

private:
    DimTable table_;
    std::unordered_map<std::string, std::uint16_t> by_name_;
    std::int64_t spent_ = 0;
};

Value dims_value(const DimTable& dims);
Value dim_value(DimId dim, const DimTable& dims);
Value dim_values(const std::vector<DimId>& list, const DimTable& dims);

const std::vector<std::string>& elem_names();    // in the order of ElemType
const std::vector<std::string>& fn_names();      // in the order of Fn
const std::vector<std::string>& source_names();  // in the order of InputSource

// Of an input: the columns that a row of a causal mask sees at most, 0 where "window" does not say.
std::int64_t read_window(const Reader& input, InputSource source);

// An element type, reported if it is none.
std::optional<ElemType> read_elem(const Reader& reader);

Value type_value(const Type& type, const DimTable& dims);
std::optional<Type> read_type(const Reader& reader, const Dims& dims);

// An expression as a list of entries, each of which refers to earlier ones; the last is the value.
// Equal trees have equal lists.
Value expr_value(const Expr& expr, const DimTable& dims);
ExprPtr read_expr(const Reader& reader, Dims& dims);  // null if reported

// Matches as JSON: the keys rule, path, dim and roles of a step.

Value id_values(const std::vector<NodeId>& ids);

// The rules that an object's runs tried, its key "rules"; without the key the paper's, as in files older than
// additions. A problem is reported.
std::optional<RuleSet> read_rule_set(const Reader& object);

// Why a run ended in `state`, checked as far as the state and its having steps can tell; empty if it has not
// ended.
std::optional<Text> read_stop_reason(const Reader& sentence, Endings& endings, const BlockProgram& state,
                                     bool has_steps);
// The key, unless the rules are the paper's.
void add_rule_set(Object& object, RuleSet rules);

// Appends the keys rule, path, dim (if there are dimensions) and roles.
void add_match(Object& object, const Match& match, const DimTable& dims);

// Reads these keys of `reader`, an object that has them. Reported if they name no rule or dimension.
std::optional<Match> read_match(const Reader& reader, const Dims& dims);

// Whether `match`, which was read from `reader`, is there in `level`, the graph at its path; null if there is
// none. Reported otherwise.
bool check_match(const Reader& reader, const DimTable& dims, const GraphIndex* level, const Match& match);

// Spellings that array programs use in JSON, in the order of their enumerations.

constexpr const char* kArrayFormat = "blockscope array program";

const std::vector<std::string>& array_op_names();     // ArrayOpKind
const std::vector<std::string>& vector_axis_names();  // VectorAxis
const std::vector<std::string>& broadcast_names();    // Fn, from Fn::Add on

}  // namespace blockscope::json

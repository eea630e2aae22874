// Gives the syntax its meaning: names, shapes, array operators.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/program/array_program.h"
#include "core/program/names.h"
#include "core/program/syntax.h"

namespace blockscope {

// What an expression stands for.
struct ExpressionValue {
    enum class Kind : std::uint8_t { Bad, Scalar, Array };
    Kind kind = Kind::Bad;  // Bad: reported already, or follows from what is reported
    ExprPtr scalar;
    int op = -1;          // Array
    bool column = false;  // column(c): the vector runs along the rows
    bool is_array() const { return kind == Kind::Array; }
    bool is_scalar() const { return kind == Kind::Scalar; }
};

class Meaning {
public:
    Meaning(ProblemList& problems, const StopSign& stop) : problems_(problems), stop_(stop) {}

    ArrayProgram run(SyntaxProgram syntax);

private:
    // Statements (meaning.cpp)
    void declare_dim(const StatementSyntax& statement);
    void mark_batch(const ShapeSyntax& shape);
    void statement(const StatementSyntax& statement);
    void input(const StatementSyntax& statement);
    bool assign(const StatementSyntax& statement);
    void output(const StatementSyntax& statement);
    void check_annotation(const StatementSyntax& statement, const ArrayOp& op);
    bool define(const NameSyntax& name, int op);
    void hoist_inputs(std::size_t first, ExpressionValue& result);
    void report_unused();

    // Names
    std::optional<DimId> find_dim(const NameSyntax& name);
    std::optional<Shape> resolve(const ShapeSyntax& shape);
    std::optional<ElemType> resolve_type(const NameSyntax& name);
    enum class Wanted : std::uint8_t { Dimension, Array, ArrayOrDimension };
    void undefined(const NameSyntax& name, Wanted wanted);

    // Expressions (meaning_expression.cpp)
    ExpressionValue evaluate(const Syntax& syntax);
    ExpressionValue name(const Syntax& syntax);
    ExpressionValue negate(const Syntax& syntax);
    ExpressionValue binary(const Syntax& syntax);
    ExpressionValue array_binary(const Syntax& syntax, Fn fn, const ExpressionValue& left,
                                 const ExpressionValue& right);
    ExpressionValue elementwise(const Syntax& syntax);
    using Build = std::function<ExprPtr(const std::vector<ExprPtr>&)>;
    ExpressionValue apply(SourceSpot spot, const std::vector<ExpressionValue>& args, const Build& build);
    ExpressionValue add_elementwise(SourceSpot spot, ExprPtr expr, std::vector<int> operands);
    ExpressionValue add_op(SourceSpot spot, ArrayOp op);
    bool limited(SourceSpot spot, const ExprPtr& expr);
    std::optional<int> array(const Syntax& syntax, const std::string& function);
    ExpressionValue misplaced_column(SourceSpot spot);
    ExpressionValue fail(SourceSpot spot, Text message);

    // Calls.
    ExpressionValue call(const Syntax& syntax);
    ExpressionValue elementwise_function(const Syntax& syntax);
    ExpressionValue row_operator(const Syntax& syntax, ArrayOpKind kind);
    ExpressionValue outer(const Syntax& syntax);
    ExpressionValue norm(const Syntax& syntax, ArrayOpKind kind);
    bool norm_option(const NamedArgument& named, ArrayOp& op, bool& has_epsilon);
    ExpressionValue sum_over(const Syntax& syntax);
    ExpressionValue cast(const Syntax& syntax);
    ExpressionValue causal(const Syntax& syntax);
    ExpressionValue column(const Syntax& syntax);
    ExpressionValue custom(const Syntax& syntax, const StatementSyntax* annotation);
    bool arguments(const Syntax& syntax, std::size_t least, std::size_t most, const Text& form);
    bool no_named(const Syntax& syntax);
    std::string causal_name();
    std::optional<std::int64_t> window(const Syntax& causal);

    ProblemList& problems_;
    const StopSign& stop_;
    ArrayProgram program_;
    NameTable names_;
    std::vector<bool> block_given_;  // by dimension
    std::unordered_map<std::string, DimId> dims_;
    std::unordered_map<std::string, int> arrays_;  // name -> operator
    std::vector<std::string> array_names_;
    std::unordered_set<std::string> broken_;    // names whose definition has an error
    std::unordered_set<std::string> declared_;  // names that any statement defines
    std::unordered_set<std::string> output_names_;
    std::set<const ShapeSyntax*> refused_shapes_;  // with a problem that is reported already
    // Masks without a type take that of what they are first combined with.
    std::set<int> untyped_masks_;
    std::map<std::tuple<std::vector<DimId>, ElemType, std::int64_t>, int>
        causal_masks_;  // by axes, type, window
    int causal_count_ = 0;
    std::size_t statement_start_ = 0;
    bool hoist_ = false;                                                // the statement has made an input
    const std::unordered_map<std::string, int>* parameters_ = nullptr;  // inside elementwise(...)
};

}  // namespace blockscope

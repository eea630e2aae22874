// Gives the syntax its meaning: names, shapes, array operators.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/program/array_program.h"
#include "core/program/names.h"
#include "core/program/syntax.h"

namespace blockscope {

// What an expression stands for.
struct Value {
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
    explicit Meaning(ProblemList& problems) : problems_(problems) {}

    ArrayProgram run(SyntaxProgram syntax);

private:
    // Statements (meaning.cpp)
    void declare_dim(const Statement& statement);
    void mark_batch(const ShapeSyntax& shape);
    void statement(const Statement& statement);
    void input(const Statement& statement);
    bool assign(const Statement& statement);
    void output(const Statement& statement);
    void check_annotation(const Statement& statement, const ArrayOp& op);
    bool define(const NameSyntax& name, int op);
    void hoist_inputs(std::size_t first, Value& result);
    void report_unused();

    // Names
    std::optional<DimId> find_dim(const NameSyntax& name);
    std::optional<Shape> resolve(const ShapeSyntax& shape);
    std::optional<ElemType> resolve_type(const NameSyntax& name);
    enum class Wanted : std::uint8_t { Dimension, Array, ArrayOrDimension };
    void undefined(const NameSyntax& name, Wanted wanted);

    // Expressions (meaning_expression.cpp)
    Value evaluate(const Syntax& syntax);
    Value name(const Syntax& syntax);
    Value negate(const Syntax& syntax);
    Value binary(const Syntax& syntax);
    Value array_binary(const Syntax& syntax, Fn fn, const Value& left, const Value& right);
    Value elementwise(const Syntax& syntax);
    using Build = std::function<ExprPtr(const std::vector<ExprPtr>&)>;
    Value apply(Spot spot, const std::vector<Value>& args, const Build& build);
    Value add_elementwise(Spot spot, ExprPtr expr, std::vector<int> operands);
    Value add_op(Spot spot, ArrayOp op);
    bool limited(Spot spot, const ExprPtr& expr);
    std::optional<int> array(const Syntax& syntax, const std::string& function);
    Value misplaced_column(Spot spot);
    Value fail(Spot spot, std::string message);

    // Calls (meaning_call.cpp)
    Value call(const Syntax& syntax);
    Value elementwise_function(const Syntax& syntax);
    Value row_operator(const Syntax& syntax, ArrayOpKind kind);
    Value outer(const Syntax& syntax);
    Value norm(const Syntax& syntax, ArrayOpKind kind);
    bool norm_option(const NamedArgument& named, ArrayOp& op, bool& has_epsilon);
    Value sum_over(const Syntax& syntax);
    Value cast(const Syntax& syntax);
    Value causal(const Syntax& syntax);
    Value column(const Syntax& syntax);
    Value custom(const Syntax& syntax, const Statement* annotation);
    bool arguments(const Syntax& syntax, std::size_t least, std::size_t most, const char* form);
    bool no_named(const Syntax& syntax);
    std::string causal_name();

    ProblemList& problems_;
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
    std::map<std::pair<std::vector<DimId>, ElemType>, int> causal_masks_;
    int causal_count_ = 0;
    std::size_t statement_start_ = 0;
    bool hoist_ = false;                                                // the statement has made an input
    const std::unordered_map<std::string, int>* parameters_ = nullptr;  // inside elementwise(...)
};

}  // namespace blockscope

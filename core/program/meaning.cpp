
#include <algorithm>
#include <limits>
#include <tuple>

#include "core/program/array_program.h"
#include "core/program/syntax.h"

namespace blockscope {
namespace {

bool declares_dim(const StatementSyntax& statement) {
    return statement.kind == StatementKind::Dim || statement.kind == StatementKind::Batch ||
           statement.kind == StatementKind::Group;
}

DimKind dim_kind(StatementKind kind) {
    if (kind == StatementKind::Batch) return DimKind::Batch;
    return kind == StatementKind::Group ? DimKind::Group : DimKind::Blocked;
}

Text expected_name(bool dimension, bool array) {
    if (dimension) return Text("a dimension, as declared by dim, batch or group");
    return array ? Text("an array that an earlier line defines")
                 : Text("an array that an earlier line defines, or a dimension");
}

}  // namespace

ArrayProgram Meaning::run(SyntaxProgram syntax) {
    program_.comment = std::move(syntax.comment);
    for (std::string& name : syntax.broken) broken_.insert(std::move(name));
    for (const StatementSyntax& s : syntax.statements) {
        if (declares_dim(s)) declare_dim(s);
        declared_.insert(s.name.text);
    }
    for (const StatementSyntax& s : syntax.statements) {
        if (s.shape) mark_batch(*s.shape);
    }
    for (const StatementSyntax& s : syntax.statements) {
        if (problems_.full()) break;
        stop_.check();
        if (!declares_dim(s)) statement(s);
    }
    if (problems_.empty()) report_unused();
    return std::move(program_);
}

void Meaning::declare_dim(const StatementSyntax& statement) {
    const NameSyntax& name = statement.name;
    if (program_.dims.size() == std::numeric_limits<std::uint16_t>::max()) {
        problems_.add(name.spot.line, name.spot.column,
                      Text("found more than 65535 dimensions; expected fewer"));
        broken_.insert(name.text);
        return;
    }
    Text problem = names_.declare(name.text, NameUse::Dimension, name.spot.line);
    if (!problem.empty()) {
        problems_.add(name.spot.line, name.spot.column, std::move(problem));
        broken_.insert(name.text);
        return;
    }
    dims_[name.text] = DimId{static_cast<std::uint16_t>(program_.dims.size())};
    program_.dims.push_back({name.text, statement.size, statement.block, dim_kind(statement.kind)});
    block_given_.push_back(statement.block_given);
}

// The leading dimensions of an array of rank 3 or more are batch dimensions.
void Meaning::mark_batch(const ShapeSyntax& shape) {
    for (std::size_t i = 0; i + 2 < shape.dims.size(); ++i) {
        const auto found = dims_.find(shape.dims[i].text);
        if (found == dims_.end()) continue;
        Dim& dim = program_.dims[found->second.value];
        if (dim.kind != DimKind::Blocked) continue;
        if (block_given_[found->second.value] && dim.block != 1) {
            const SourceSpot spot = shape.dims[i].spot;
            problems_.add(spot.line, spot.column,
                          Text("found %1 as a batch dimension, declared with blocks of %2; expected no block "
                               "size (batch %1 = %3)",
                               dim.name, dim.block, dim.size));
            refused_shapes_.insert(&shape);
            return;
        }
        dim.kind = DimKind::Batch;
        dim.block = 1;
    }
}

void Meaning::undefined(const NameSyntax& name, Wanted wanted) {
    if (!broken_.insert(name.text).second || problems_.full()) return;
    constexpr std::size_t most = 1000;  // of each kind
    std::vector<std::string_view> candidates;
    if (wanted != Wanted::Dimension) {
        const std::size_t first = array_names_.size() - std::min(array_names_.size(), most);
        candidates.assign(array_names_.begin() + static_cast<std::ptrdiff_t>(first), array_names_.end());
    }
    if (wanted != Wanted::Array) {
        const std::size_t count = std::min(program_.dims.size(), most);
        for (std::size_t i = 0; i < count; ++i) candidates.push_back(program_.dims[i].name);
    }
    const bool later = declared_.count(name.text) > 0;
    problems_.add(name.spot.line, name.spot.column,
                  Text("found the name %1, which is not defined%2; expected %3%4", name.text,
                       later ? Text(" before this line") : Text(),
                       expected_name(wanted == Wanted::Dimension, wanted == Wanted::Array),
                       later ? Text() : suggestion(name.text, candidates)));
}

std::optional<DimId> Meaning::find_dim(const NameSyntax& name) {
    if (const auto found = dims_.find(name.text); found != dims_.end()) return found->second;
    if (arrays_.count(name.text) > 0) {
        problems_.add(name.spot.line, name.spot.column,
                      Text("found the array %1; expected the name of a dimension", name.text));
        return std::nullopt;
    }
    undefined(name, Wanted::Dimension);
    return std::nullopt;
}

std::optional<Shape> Meaning::resolve(const ShapeSyntax& syntax) {
    if (refused_shapes_.count(&syntax) > 0) return std::nullopt;
    Shape shape;
    bool complete = true;
    for (const NameSyntax& name : syntax.dims) {
        const std::optional<DimId> dim = find_dim(name);
        complete = complete && dim;
        if (!dim) continue;
        const bool batch = program_.dims[dim->value].kind != DimKind::Blocked && shape.axes.empty();
        (batch ? shape.batch : shape.axes).push_back(*dim);
    }
    if (!complete) return std::nullopt;
    const Text problem = shape_problem(shape, program_.dims);
    if (problem.empty()) return shape;
    problems_.add(syntax.spot.line, syntax.spot.column, problem);
    return std::nullopt;
}

std::optional<ElemType> Meaning::resolve_type(const NameSyntax& name) {
    static const std::vector<std::string_view> names = {"f32", "f16", "bf16", "e4m3", "e5m2"};
    for (const ElemType elem :
         {ElemType::F32, ElemType::F16, ElemType::BF16, ElemType::E4M3, ElemType::E5M2}) {
        if (to_string(elem) == name.text) return elem;
    }
    problems_.add(name.spot.line, name.spot.column,
                  Text("found the type %1; expected f32, f16, bf16, e4m3 or e5m2%2", name.text,
                       suggestion(name.text, names)));
    return std::nullopt;
}

bool Meaning::define(const NameSyntax& name, int op) {
    Text problem = names_.declare(name.text, NameUse::Array, name.spot.line);
    if (!problem.empty()) {
        problems_.add(name.spot.line, name.spot.column, std::move(problem));
        broken_.insert(name.text);
        return false;
    }
    arrays_[name.text] = op;
    array_names_.push_back(name.text);
    std::string& given = program_.ops[static_cast<std::size_t>(op)].name;
    if (given.empty()) given = name.text;
    return true;
}

void Meaning::statement(const StatementSyntax& s) {
    statement_start_ = program_.ops.size();
    hoist_ = false;
    switch (s.kind) {
        case StatementKind::Input:
        case StatementKind::Mask:
            return input(s);
        case StatementKind::Assign:
            assign(s);
            return;
        case StatementKind::Output:
            return output(s);
        case StatementKind::Dim:
        case StatementKind::Batch:
        case StatementKind::Group:
            return;
    }
}

void Meaning::input(const StatementSyntax& s) {
    const std::optional<Shape> shape = resolve(*s.shape);
    const std::optional<ElemType> elem = s.type ? resolve_type(*s.type) : ElemType::F32;
    if (!shape || !elem) {
        broken_.insert(s.name.text);
        return;
    }
    const bool mask = s.kind == StatementKind::Mask;
    ArrayOp op;
    op.shape = *shape;
    op.elem = *elem;
    op.source = mask ? InputSource::CausalMask : InputSource::Array;
    op.window = s.window;
    const ExpressionValue value = add_op(s.name.spot, std::move(op));
    if (!value.is_array()) {
        broken_.insert(s.name.text);
        return;
    }
    define(s.name, value.op);
    if (!mask) return;
    if (s.type) {
        causal_masks_.emplace(std::tuple(shape->axes, *elem, s.window), value.op);
    } else {
        untyped_masks_.insert(value.op);
    }
}

void Meaning::check_annotation(const StatementSyntax& s, const ArrayOp& op) {
    if (s.shape) {
        const std::optional<Shape> shape = resolve(*s.shape);
        if (shape && *shape != op.shape) {
            problems_.add(
                s.shape->spot.line, s.shape->spot.column,
                Text("found the shape %1 for %2; expected %3, the shape of the expression",
                     to_string(*shape, program_.dims), s.name.text, to_string(op.shape, program_.dims)));
        }
    }
    if (!s.type) return;
    const std::optional<ElemType> elem = resolve_type(*s.type);
    if (elem && *elem != op.elem) {
        problems_.add(
            s.type->spot.line, s.type->spot.column,
            Text("found the type %1 for %2; expected %3, the type of the expression (or cast(..., %1))",
                 to_string(*elem), s.name.text, to_string(op.elem)));
    }
}

bool Meaning::assign(const StatementSyntax& s) {
    const bool declares = s.expr->kind == SyntaxKind::Call && s.expr->text == "custom";
    ExpressionValue value = declares ? custom(*s.expr, &s) : evaluate(*s.expr);
    if (value.is_scalar()) {
        value = fail(s.expr->spot, Text("found a number for %1; expected an expression with an array (write "
                                        "numbers where they are used)",
                                        s.name.text));
    } else if (value.column) {
        value = misplaced_column(s.expr->spot);
    }
    if (!value.is_array()) {
        broken_.insert(s.name.text);
        return false;
    }
    if (hoist_) hoist_inputs(statement_start_, value);
    check_annotation(s, program_.ops[static_cast<std::size_t>(value.op)]);
    return define(s.name, value.op);
}

void Meaning::output(const StatementSyntax& s) {
    if (s.expr) {
        if (!assign(s)) return;
    } else if (broken_.count(s.name.text) > 0) {
        return;
    } else if (const auto named = arrays_.find(s.name.text); named != arrays_.end()) {
        check_annotation(s, program_.ops[static_cast<std::size_t>(named->second)]);
    } else if (dims_.count(s.name.text) > 0) {
        fail(s.name.spot, Text("found the dimension %1; expected the name of an array", s.name.text));
        return;
    } else {
        return undefined(s.name, Wanted::Array);
    }
    const int op = arrays_.at(s.name.text);
    if (!output_names_.insert(s.name.text).second) {
        fail(s.name.spot, Text("found the output %1 a second time; expected each output once", s.name.text));
        return;
    }
    program_.outputs.push_back(
        {s.name.text, op, {problems_.file(), s.name.spot.line, s.name.spot.column, {}}});
}

// Moves the inputs that the statement has made (causal masks) in front of its other operators, as
// if statements of their own had declared them.
void Meaning::hoist_inputs(std::size_t first, ExpressionValue& result) {
    std::vector<ArrayOp>& ops = program_.ops;
    std::vector<int> moved_to(ops.size() - first);
    std::vector<ArrayOp> ordered;
    for (const bool inputs : {true, false}) {
        for (std::size_t i = first; i < ops.size(); ++i) {
            if ((ops[i].kind == ArrayOpKind::Input) != inputs) continue;
            moved_to[i - first] = static_cast<int>(first + ordered.size());
            ordered.push_back(std::move(ops[i]));
        }
    }
    const auto moved = [&](int op) {
        return op < static_cast<int>(first) ? op : moved_to[static_cast<std::size_t>(op) - first];
    };
    for (ArrayOp& op : ordered) {
        for (int& operand : op.operands) operand = moved(operand);
    }
    std::move(ordered.begin(), ordered.end(), ops.begin() + static_cast<std::ptrdiff_t>(first));
    result.op = moved(result.op);
    for (auto& [key, op] : causal_masks_) op = moved(op);
    for (std::size_t i = first; i < ops.size() && ops[i].kind == ArrayOpKind::Input; ++i) {
        arrays_[ops[i].name] = static_cast<int>(i);
    }
}

void Meaning::report_unused() {
    if (program_.outputs.empty()) {
        problems_.add(1, 1, Text("found no output; expected at least one, as in output O = P @ V"));
        return;
    }
    for (const std::size_t i : unused_operators(program_)) {
        const ArrayOp& op = program_.ops[i];
        problems_.add(
            op.place,
            Text("found %1, which nothing uses; expected its use in a later line, or output %1", op.name));
    }
}

Problems ProblemList::sorted() const {
    Problems problems = problems_;
    std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
        return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
    return problems;
}

Result<ArrayProgram> parse_program(const std::string& text, const std::string& file, const StopSign& stop) {
    if (std::optional<Problem> problem = text_problem(text, file)) return *std::move(problem);
    ProblemList problems(file);
    SyntaxProgram syntax = parse_syntax(text, problems, stop);
    if (!syntax.complete) return problems.sorted();
    ArrayProgram program = Meaning(problems, stop).run(std::move(syntax));
    if (!problems.empty()) return problems.sorted();
    if (Problems left = check_program(program); !left.empty()) return left;
    return program;
}

}  // namespace blockscope

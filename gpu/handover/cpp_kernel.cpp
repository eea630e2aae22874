#include "gpu/handover/cpp_kernel.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/exec/evaluate.h"
#include "core/graph/expr.h"
#include "core/support/result.h"
#include "gpu/codegen/kernel_writer.h"

namespace blockscope::gpu {

namespace {

// A functional operator of each form as a call of blocks.h; $t is what is written to, $f its scalar function,
// $a and $b are the operands.
struct FormCall {
    FunctionalForm form;
    const char* call;
};
constexpr std::array<FormCall, 8> kFormCalls = {{
    {FunctionalForm::ByElement, "map($t, $a, $f, $a, $b);"},
    {FunctionalForm::WithRows, "with_rows($t, $a, $b, $f);"},
    {FunctionalForm::WithCols, "with_cols($t, $a, $b, $f);"},
    {FunctionalForm::FoldRows, "fold_rows($t, $a, $f);"},
    {FunctionalForm::FoldAll, "$t fold_all($a, $f);"},
    {FunctionalForm::Contract, "dot($t, $a, $b);"},
    {FunctionalForm::Outer, "outer($t, $a, $b, $f);"},
    {FunctionalForm::Rotate, "rotate($t, $a, $h, $f);"},
}};

std::string call_of(FunctionalForm form) {
    for (const FormCall& row : kFormCalls)
        if (row.form == form) return row.call;
    throw InternalError("unknown form of a functional operator");
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

// "[](float a, float b) { return (a + b); }"
std::string function_of(Fn fn) {
    const std::string parameters = arity(fn) == 1 ? "float a" : "float a, float b";
    return "[](" + parameters + ") { return " + applied(fn, "a", "b") + "; }";
}

std::string target(Temp to, bool add) {
    return (add ? "plus(" : "set(") + named(to) + ")";
}

std::string number_text(std::int64_t number) {
    return std::to_string(number);
}

}  // namespace

Generated::Generated(const LoopProgram& its_program, std::string its_name)
    : program(its_program),
      name(std::move(its_name)),
      extents(program),
      arrays(plan_arrays(program)),
      listing(program),
      makers(lowering::makers(program)),
      loaders(static_cast<std::size_t>(program.temps) + 1) {
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        if (program.buffers[i].kind != Buffer::Kind::Intermediate) {
            arrays.plans[i].parameter = "b_" + arrays.arrays[i].name;
            continue;
        }
        arrays.arrays[i].elem = ElemType::F32;
        arrays.plans[i].c_type = c_type(ElemType::F32);
    }
    for_each_statement(program.body, [&](const Statement& statement) {
        if (const auto* load = std::get_if<Load>(&statement.what))
            loaders[static_cast<std::size_t>(load->to.id)] = load;
    });
}

std::int64_t Generated::longest(Temp temp, std::size_t axis) const {
    return program.dims.at(extents.of(temp).axes.at(axis).dim.value).block_size(0);
}

std::string Generated::type_of(Temp temp) const {
    if (axes(temp) == 0) return "float";
    const std::int64_t cols = axes(temp) == 1 ? 1 : longest(temp, 1);
    return "Block<" + number_text(longest(temp, 0)) + ", " + number_text(cols) + ">";
}

std::string Generated::pointer(int buffer) const {
    return arrays.plans.at(static_cast<std::size_t>(buffer)).parameter;
}

std::string Generated::parameter(int buffer) const {
    const auto index = static_cast<std::size_t>(buffer);
    const bool input = arrays.arrays.at(index).kind == DeviceArray::Kind::Input;
    return (input ? "const " : "") + arrays.plans[index].c_type + "* " + pointer(buffer);
}

bool Generated::is_mask(int buffer) const {
    return program.buffers.at(static_cast<std::size_t>(buffer)).source != InputSource::Array;
}

CppKernel::CppKernel(const Generated& generated, const Kernel& kernel, std::string name,
                     const std::set<int>& shared)
    : of_(generated), kernel_(kernel), name_(std::move(name)), shared_(shared) {
    const auto remember = [&](const Statement& statement) {
        const std::span<const int> stored = stored_buffers(statement);
        stored_.insert(stored.begin(), stored.end());
    };
    for (const auto* list : {&kernel.before, &kernel.body})
        for (const Statement* statement : *list) {
            remember(*statement);
            if (const auto* loop = std::get_if<LoopPtr>(&statement->what))
                for_each_statement((*loop)->body, remember);
        }
    open_grid();
    begin_of_memory();
    for (const auto* list : {&kernel.before, &kernel.body})
        for (const Statement* one : *list) statement(*one);
    while (--depth_ > 0) line("}");
}

void CppKernel::line(const std::string& text, const Statement* statement) {
    std::string whole(static_cast<std::size_t>(4 * depth_), ' ');
    whole += text;
    if (statement) {
        if (whole.size() < 72) whole.resize(72, ' ');
        whole += "  // " + comment(of_.listing.at(statement));
    }
    lines_ += whole + "\n";
}

std::string CppKernel::text() const {
    std::string parameters;
    std::set<std::string> known;
    for (const int buffer : buffers_)
        if (known.insert(of_.pointer(buffer)).second)
            parameters += (parameters.empty() ? "" : ", ") + of_.parameter(buffer);
    if (!shared_.empty())
        parameters += std::string(parameters.empty() ? "" : ", ") + "[[maybe_unused]] " + of_.shared_type() +
                      "& shared";
    return "void " + name_ + "(" + parameters + ") {\n" + lines_ + "}\n";
}

std::string CppKernel::call() const {
    std::string arguments;
    std::set<std::string> known;
    for (const int buffer : buffers_)
        if (known.insert(of_.pointer(buffer)).second)
            arguments += (arguments.empty() ? "" : ", ") + of_.pointer(buffer);
    if (!shared_.empty()) arguments += std::string(arguments.empty() ? "" : ", ") + "shared";
    return name_ + "(" + arguments + ");";
}

// Iterations of all the grid's loops together are shared out between threads.
void CppKernel::open_grid() {
    const std::vector<const Loop*>& grid = kernel_.grid;
    if (grid.empty()) return;
    const std::string collapse = grid.size() > 1 ? " collapse(" + std::to_string(grid.size()) + ")" : "";
    depth_ = 0;
    line("#pragma omp parallel for" + collapse + " schedule(dynamic)");
    for (std::size_t i = 0; i < grid.size(); ++i) {
        depth_ = static_cast<int>(i) + 1;
        line(loop_head(*grid[i]), kernel_.loop_lines[i]);
        vars_.push_back(grid[i]->var);
    }
    ++depth_;
}

// Temporaries: blocks in memory that the thread keeps, or that kernels share; numbers and views of arrays.
void CppKernel::begin_of_memory() {
    std::map<std::string, std::string> members;  // names by type
    std::vector<std::string> others;
    const TempsOfKernel temps = temps_of(kernel_);
    for (const int id : temps.used) {
        const Temp temp{id};
        if (shared_.count(id) > 0 && temps.set.count(id) > 0 && !kernel_.grid.empty())
            throw InternalError("a parallel loop leaves " + named(temp) + " for others");
        const std::string name = named(temp);
        if (shared_.count(id) > 0) {
            others.push_back("auto& " + name + " = shared." + name + ";");
        } else if (is_view(temp)) {
            const Load& load = *of_.loaders[static_cast<std::size_t>(id)];
            others.push_back("[[maybe_unused]] " + view_type(load) + " " + name + ";");
        } else if (is_scalar(temp)) {
            others.push_back("[[maybe_unused]] float " + name + " = 0;");
        } else {
            std::string& names = members[of_.type_of(temp)];
            names += (names.empty() ? "" : ", ") + name;
        }
    }
    if (!members.empty()) {
        std::string all;
        line("struct Memory {");
        for (const auto& [type, names] : members) {
            line("    " + type + " " + names + ";");
            all += (all.empty() ? "" : ", ") + names;
        }
        line("};");
        line("auto& [" + all + "] = local<Memory>();");
    }
    for (const std::string& other : others) line(other);
}

// "for (int i_n = 0; i_n < 32; ++i_n) {"
std::string CppKernel::loop_head(const Loop& loop) const {
    const DimTable& dims = of_.program.dims;
    const std::string var = variable(loop.var, dims);
    std::string first = std::to_string(loop.start), end = number_text(dims.at(loop.var.dim.value).blocks());
    if (loop.bounds) {
        std::string sizes = index({loop.bounds->one_block, loop.bounds->row});
        for (const DimId dim : {loop.bounds->row.dim, loop.var.dim})
            sizes +=
                ", " + number_text(dims.at(dim.value).size) + ", " + number_text(dims.at(dim.value).block);
        if (loop.bounds->window > 0)
            first = "std::max(" + first + ", first_visible(" + sizes + ", " +
                    number_text(loop.bounds->window) + "))";
        end = "end_visible(" + sizes + ")";
    }
    return "for (int " + var + " = " + first + "; " + var + " < " + end + "; ++" + var + ") {";
}

void CppKernel::loop(const Statement& at, const Loop& loop) {
    for (const Temp temp : accumulators(loop)) {
        if (is_scalar(temp))
            line(named(temp) + " = 0;");
        else
            line("fill(set(" + named(temp) + "), " + shape(temp) + ", 0.0f);");
    }
    line(loop_head(loop), &at);
    vars_.push_back(loop.var);
    ++depth_;
    for (const Statement& inner : loop.body) statement(inner);
    --depth_;
    vars_.pop_back();
    line("}");
}

void CppKernel::statement(const Statement& statement) {
    std::visit([&](const auto& what) { write(statement, what); }, statement.what);
}

// One statement of each kind.

// A block that one line loads, and nobody changes in the array meanwhile, is read where it lies.
bool CppKernel::is_view(Temp temp) const {
    const Load* load = of_.loaders.at(static_cast<std::size_t>(temp.id));
    if (!load || is_scalar(temp) || shared_.count(temp.id) > 0) return false;
    return of_.makers.at(static_cast<std::size_t>(temp.id)) == 1 && stored_.count(load->buffer) == 0;
}

std::string CppKernel::view_type(const Load& load) const {
    if (of_.is_mask(load.buffer)) return "Causal";
    const ArrayPlan& plan = of_.arrays.plans.at(static_cast<std::size_t>(load.buffer));
    const bool block = of_.axes(load.to) == 2;
    return "View<" + plan.c_type + ", " + number_text(plan.row_step) + ", " +
           number_text(block ? plan.col_step : 0) + ">";
}

std::string CppKernel::viewed(const Load& load) {
    std::string extents;
    for (const Extent& axis : of_.extents.of(load.to).axes) extents += ", " + extent(axis);
    if (of_.axes(load.to) == 1) extents += ", 1";
    if (!of_.is_mask(load.buffer)) return "{" + address(load.buffer, load.at) + extents + "}";
    const DimTable& dims = of_.program.dims;
    const Buffer& mask = of_.program.buffers.at(static_cast<std::size_t>(load.buffer));
    const ArrayPlan& plan = of_.arrays.plans.at(static_cast<std::size_t>(load.buffer));
    const Item& item = mask.type.item();
    const auto first = [&](int position, DimId dim) {
        if (position < 0) return std::string("0");
        return index(load.at.at(static_cast<std::size_t>(position))) + " * " +
               number_text(dims.at(dim.value).block);
    };
    std::string row = first(plan.row_index, item.rows), col = first(plan.col_index, item.cols);
    std::int64_t ahead = dims.at(item.cols.value).size - dims.at(item.rows.value).size;
    if (mask.transposed) {
        std::swap(row, col);
        ahead = -ahead;
    }
    return "{" + extents.substr(2) + ", " + (mask.transposed ? "true" : "false") + ", " + row + ", " + col +
           ", " + number_text(ahead) + ", " + number_text(mask.window) + "}";
}

void CppKernel::write(const Statement& at, const Load& s) {
    if (is_view(s.to)) return line(named(s.to) + " = " + viewed(s) + ";", &at);
    if (is_scalar(s.to)) return line(named(s.to) + " = to_float(*(" + address(s.buffer, s.at) + "));", &at);
    line("copy(set(" + named(s.to) + "), " + view_type(s) + viewed(s) + ");", &at);
}

void CppKernel::write(const Statement& at, const Store& s) {
    const ArrayPlan& plan = of_.arrays.plans.at(static_cast<std::size_t>(s.buffer));
    const std::string to = address(s.buffer, s.at);
    if (is_scalar(s.from))
        return line("*(" + to + ") = Rounded<" + plan.c_type + ">::of(" + named(s.from) + ");", &at);
    const std::int64_t col_step = of_.axes(s.from) == 2 ? plan.col_step : 0;
    line("store<" + number_text(plan.row_step) + ", " + number_text(col_step) + ">(" + to + ", " +
             named(s.from) + ");",
         &at);
}

void CppKernel::apply(const Statement& at, FunctionalOp op, Temp to, const std::vector<Temp>& args,
                      bool add) {
    const Fn fn = functional_operator(op).fn;
    const std::string a = named(args.front()), b = named(args.back());
    if (is_scalar(to) && form_of(op) == FunctionalForm::ByElement)
        return line(named(to) + (add ? " += " : " = ") + applied(fn, a, b) + ";", &at);
    std::string text = call_of(form_of(op));
    if (form_of(op) == FunctionalForm::ByElement && is_scalar(args.front()))
        text = "map($t, $b, $f, $a, $b);";
    text = replaced(text, "$f", function_of(fn));
    text = replaced(text, "$h", op == FunctionalOp::RotateHalf ? "true" : "false");
    text = replaced(text, "$t", is_scalar(to) ? named(to) + (add ? " +=" : " =") : target(to, add));
    line(replaced(replaced(text, "$a", a), "$b", b), &at);
}

void CppKernel::write(const Statement& at, const Compute& s) {
    apply(at, s.op, s.to, s.args, false);
}

void CppKernel::write(const Statement& at, const Evaluate& s) {
    std::vector<std::string> names;
    std::string parameters, values, like;
    for (std::size_t i = 0; i < s.args.size(); ++i) {
        names.push_back(is_scalar(s.to) ? named(s.args[i]) : "x" + std::to_string(i));
        if (s.args[i].id == 0) continue;
        parameters += (parameters.empty() ? "float " : ", float ") + names.back();
        values += ", " + named(s.args[i]);
        if (like.empty() && !is_scalar(s.args[i])) like = named(s.args[i]);
    }
    std::string value = to_cuda(*s.expr, names, of_.program.dims);
    if (s.cast && *s.cast != ElemType::F32) value = "rounded<" + c_type(*s.cast) + ">(" + value + ")";
    if (is_scalar(s.to)) return line(named(s.to) + " = " + value + ";", &at);
    if (like.empty()) like = shape(s.to);
    line("map(set(" + named(s.to) + "), " + like + ", [](" + parameters + ") { return " + value + "; }" +
             values + ");",
         &at);
}

// A number that stands for a block of equal ones takes the block's shape.
void CppKernel::copied(const Statement& at, Temp to, Temp from, bool add) {
    if (is_scalar(to)) return line(named(to) + (add ? " += " : " = ") + named(from) + ";", &at);
    if (is_scalar(from))
        return line("fill(" + target(to, add) + ", " + shape(to) + ", " + named(from) + ");", &at);
    line("copy(" + target(to, add) + ", " + named(from) + ");", &at);
}

void CppKernel::write(const Statement& at, const Accumulate& s) {
    if (s.functional) return apply(at, s.op, s.to, s.args, true);
    copied(at, s.to, s.args.at(0), true);
}

void CppKernel::write(const Statement& at, const Initialise& s) {
    if (is_scalar(s.to)) return line(named(s.to) + " = " + literal(s.value) + ";", &at);
    line("fill(set(" + named(s.to) + "), " + shape(s.to) + ", " + literal(s.value) + ");", &at);
}

void CppKernel::write(const Statement& at, const Assign& s) {
    copied(at, s.to, s.from, false);
}

// The one miscellaneous operator that is Blockscope's own: whole arrays, or what leading indices select of
// them, block by block: out[..., n, m] = in[..., m, n].T
void CppKernel::write(const Statement& at, const CallMisc& s) {
    const DimTable& dims = of_.program.dims;
    const int out_buffer = s.outputs.at(0), in_buffer = s.inputs.at(0);
    const ArrayPlan& out = of_.arrays.plans.at(static_cast<std::size_t>(out_buffer));
    const ArrayPlan& in = of_.arrays.plans.at(static_cast<std::size_t>(in_buffer));
    const std::size_t given = s.at.at(0).size();
    const Type type = buffer_type(of_.program.buffers.at(static_cast<std::size_t>(out_buffer)))
                          .element(static_cast<int>(given));
    const ArrayLayout layout = array_layout(type, false, dims);
    std::string to = address(out_buffer, s.at.at(0)), from = address(in_buffer, s.at.at(1));
    const auto counter = [](int i) { return "j_" + std::to_string(i); };
    for (int i = 0; i < type.rank(); ++i) {
        int read = i;
        if (layout.row_list >= 0 && layout.col_list >= 0 && i >= type.rank() - 2)
            read = 2 * type.rank() - 3 - i;
        const auto index = static_cast<std::size_t>(i);
        to += " + " + counter(i) + " * " + number_text(out.steps.at(given + index)) + "LL";
        from += " + " + counter(read) + " * " + number_text(in.steps.at(s.at.at(1).size() + index)) + "LL";
        line("for (int " + counter(i) + " = 0; " + counter(i) + " < " +
                 number_text(dims.at(type.dim(i).value).blocks()) + "; ++" + counter(i) + ")",
             nullptr);
        ++depth_;
    }
    const auto size = [&](DimId dim, int list) {
        const Dim& about = dims.at(dim.value);
        if (list < 0) return number_text(about.block_size(0));
        return "extent(" + counter(list) + ", " + number_text(about.size) + ", " + number_text(about.block) +
               ")";
    };
    const std::string rows = size(type.item().rows, layout.row_list),
                      cols = size(type.item().cols, layout.col_list);
    line("store<" + number_text(out.row_step) + ", " + number_text(out.col_step) + ">(" + to + ", View<" +
             in.c_type + ", " + number_text(in.col_step) + ", " + number_text(in.row_step) + ">{" + from +
             ", " + rows + ", " + cols + "});",
         &at);
    depth_ -= type.rank();
}

// Places.

std::string CppKernel::index(const Index& index) const {
    return index.zero ? "0" : variable(index.var, of_.program.dims);
}

// "b_Q + i_m * 16384LL"
std::string CppKernel::address(int buffer, const std::vector<Index>& at) {
    buffers_.insert(buffer);
    const ArrayPlan& plan = of_.arrays.plans.at(static_cast<std::size_t>(buffer));
    std::string text = of_.pointer(buffer);
    for (std::size_t i = 0; i < at.size(); ++i)
        if (!at[i].zero) text += " + " + index(at[i]) + " * " + number_text(plan.steps.at(i)) + "LL";
    return text;
}

std::string CppKernel::extent(const Extent& extent) const {
    const Dim& dim = of_.program.dims.at(extent.dim.value);
    const bool here = std::find(vars_.begin(), vars_.end(), extent.var) != vars_.end();
    if (extent.fixed || !here || dim.size % dim.block == 0) return number_text(dim.block_size(0));
    return "extent(" + variable(extent.var, of_.program.dims) + ", " + number_text(dim.size) + ", " +
           number_text(dim.block) + ")";
}

std::string CppKernel::shape(Temp temp) const {
    const std::vector<Extent>& axes = of_.extents.of(temp).axes;
    return "Shape{" + extent(axes.at(0)) + ", " + (axes.size() == 2 ? extent(axes.at(1)) : "1") + "}";
}

}  // namespace blockscope::gpu

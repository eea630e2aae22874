#include "gpu/codegen/kernel_writer.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace blockscope::gpu {

std::string comment(const std::string& text) {
    std::string safe;
    for (const char c : text) safe += c >= ' ' && c < 127 && c != '\\' ? c : '?';
    return safe.substr(safe.find_first_not_of(' ') == std::string::npos ? 0 : safe.find_first_not_of(' '));
}

TileSources KernelWriter::sources() const {
    return {generation_.program, generation_.values, generation_.products, [this](int buffer) {
                return generation_.arrays.plans.at(static_cast<std::size_t>(buffer)).col_step == 1;
            }};
}

KernelWriter::KernelWriter(const Generation& generation, const Kernel& kernel, std::string name)
    : generation_(generation), kernel_(kernel) {
    launch_.kernel = std::move(name);
    launch_.node = kernel.node;
    launch_.threads = generation.threads;
    for (const Loop* loop : kernel.grid) launch_.tiles *= iterations(*loop, generation.program.dims);
    if (kernel.split) plan_parts(*kernel.split);
    choose_form();
    launch_.shared_bytes = static_cast<int>(tiles_.shared_bytes());
    for (const TileSlot& slot : tiles_.slots()) launch_.stages = std::max(launch_.stages, slot.stages);
    const auto remember = [&](const Statement& statement) {
        const std::span<const int> stored = stored_buffers(statement);
        stored_.insert(stored.begin(), stored.end());
    };
    for (const Statement* statement : kernel.body) {
        remember(*statement);
        if (const auto* loop = std::get_if<LoopPtr>(&statement->what))
            for_each_statement((*loop)->body, remember);
    }
}

void KernelWriter::exchange(std::map<int, int> taken, std::map<int, int> left) {
    taken_ = std::move(taken);
    left_ = std::move(left);
}

void KernelWriter::line(const std::string& text, NodeId node, const Statement* statement) {
    std::string whole(static_cast<std::size_t>(4 * depth_), ' ');
    whole += text;
    if (statement) {
        if (whole.size() < 60) whole.resize(60, ' ');
        whole += "  // " + comment(generation_.listing.at(statement));
    }
    lines_.push_back({std::move(whole), node});
}

std::vector<SourceLine> KernelWriter::write() {
    scopes_.emplace(kernel_);
    open_grid();
    open_part();
    open_rings();
    take_workspaces();
    take_parts();
    copy_at_start();
    statements(kernel_.before);
    statements(kernel_.body);
    leave_parts();
    leave_workspaces();
    std::vector<SourceLine> body = std::move(lines_);
    lines_.clear();
    signature();
    lines_.insert(lines_.end(), body.begin(), body.end());
    depth_ = 0;
    line("}");
    line("");
    return std::move(lines_);
}

void KernelWriter::signature() {
    depth_ = 0;
    if (const auto why = note()) line("// " + comment(*why));
    std::string text = (rings_.empty() ? "KERNEL " : "TMA_KERNEL ") + launch_.kernel + "(";
    for (std::size_t i = 0; i < launch_.arrays.size(); ++i) {
        const int array = launch_.arrays[i];
        const ArrayPlan& plan = generation_.arrays.plans.at(static_cast<std::size_t>(array));
        const bool written = stored_.count(array) > 0 ||
                             generation_.arrays.arrays.at(static_cast<std::size_t>(array)).buffer < 0;
        text +=
            (i == 0 ? "" : ", ") + std::string(written ? "" : "const ") + plan.c_type + "* " + plan.parameter;
    }
    for (std::size_t i = 0; i < launch_.maps.size(); ++i)
        text += (i + launch_.arrays.size() == 0 ? "MAP m_" : ", MAP m_") + std::to_string(i + 1);
    line(text + ") {", kernel_.node);
}

// Thread blocks by number; the two innermost loops in groups that share what they read.
void KernelWriter::open_grid() {
    const DimTable& dims = generation_.program.dims;
    const std::vector<const Loop*>& grid = kernel_.grid;
    if (grid.empty()) return;
    const auto offset = [](const Loop& loop) {
        return loop.start == 0 ? std::string() : " + " + std::to_string(loop.start);
    };
    const auto set = [&](std::size_t i, const std::string& value) {
        line("const int " + variable(grid[i]->var) + " = " + value + offset(*grid[i]) + ";", grid[i]->node,
             kernel_.loop_lines[i]);
    };
    std::int64_t inner = 1;  // iterations of the loops inside
    const std::size_t outer = grid.size() >= 2 ? grid.size() - 2 : 0;
    for (std::size_t i = outer; i < grid.size(); ++i) inner *= iterations(*grid[i], dims);
    std::int64_t step = blocks_of_part();
    for (std::size_t i = 0; i < outer; ++i) {
        const std::int64_t count = iterations(*grid[i], dims);
        step /= count;
        set(i, "(int)(tile_index() / " + std::to_string(step) + "LL % " + std::to_string(count) + ")");
    }
    if (grid.size() == 1) {
        const std::string all = std::to_string(blocks_of_part()) + "LL";
        set(0, is_part() ? "(int)(tile_index() % " + all + ")" : "(int)tile_index()");
    } else {
        line("const Tile tile = grouped_tile((int)(tile_index() % " + std::to_string(inner) + "LL), " +
             std::to_string(iterations(*grid[outer], dims)) + ", " +
             std::to_string(iterations(*grid[outer + 1], dims)) + ");");
        set(outer, "tile.row");
        set(outer + 1, "tile.col");
    }
    for (const Loop* loop : grid) vars_.push_back(loop->var);
}

void KernelWriter::take_workspaces() {
    std::set<int> exchanged;
    for (const auto& [temp, array] : left_) exchanged.insert(temp);
    for (const auto& [temp, array] : taken_) exchanged.insert(temp);
    scopes_->declare_first(exchanged);
    for (const int id : exchanged) {
        const Temp temp{id};
        std::string text = declaration(temp) + "t" + std::to_string(id);
        const auto from = taken_.find(id);
        if (from == taken_.end()) {
            line(text + ";");
            continue;
        }
        parameter(from->second);
        line(text + " = " + from_workspace(temp, from->second, "") + ";  // from another kernel");
    }
}

// What a workspace holds of a temporary, `offset` behind its begin.
std::string KernelWriter::from_workspace(Temp temp, int array, const std::string& offset) const {
    const ArrayPlan& plan = generation_.arrays.plans.at(static_cast<std::size_t>(array));
    const Value& value = generation_.values.of(temp);
    const std::string shape = "<" + std::to_string(value.extents.axes.empty() ? 1 : longest(temp, 0));
    const std::string from = plan.parameter + offset;
    if (value.kind == Value::Kind::Scalar) return "load_scalar(" + from + ")";
    if (value.kind == Value::Kind::Block)
        return "load(view" + shape + ", " + std::to_string(longest(temp, 1)) + ">(" + from + ", " +
               extents_of(temp) + ", " + std::to_string(plan.row_step) + ", 1))";
    const char* call = value.kind == Value::Kind::Rows ? "load_rows" : "load_cols";
    return call + shape + ">(" + from + ", " + extents_of(temp) + ", 1)";
}

std::string KernelWriter::steps_of(Temp temp, int array) const {
    const ArrayPlan& plan = generation_.arrays.plans.at(static_cast<std::size_t>(array));
    const std::size_t axes = generation_.values.of(temp).extents.axes.size();
    return axes == 2 ? ", " + std::to_string(plan.row_step) + ", 1" : axes == 1 ? ", 1" : "";
}

void KernelWriter::leave_workspaces() {
    for (const auto& [id, array] : left_) {
        parameter(array);
        const ArrayPlan& plan = generation_.arrays.plans.at(static_cast<std::size_t>(array));
        line("store<float>(t" + std::to_string(id) + ", " + plan.parameter + steps_of({id}, array) +
             ");  // for another kernel");
    }
}

// "Block<128, 64> " if this is where the temporary begins.
std::string KernelWriter::declaration(Temp temp) {
    return declared_.insert(temp.id).second ? type_of(temp) + " " : "";
}

void KernelWriter::statements(const std::vector<const Statement*>& list) {
    for (const Statement* one : list) statement(*one);
}

void KernelWriter::statement(const Statement& statement) {
    generation_.stop.check();
    const Temp made = uses_of(statement).makes;
    for (const int id : scopes_->declared_before(&statement)) {
        // What the statement itself sets first is declared where it is set.
        const bool sets = made.id == id && !std::holds_alternative<Accumulate>(statement.what);
        const auto* inner = std::get_if<LoopPtr>(&statement.what);
        bool zeroed = false;
        if (inner)
            for (const Temp temp : accumulators(**inner)) zeroed = zeroed || temp.id == id;
        if (!sets && !zeroed && declared_.count(id) == 0)
            line(declaration({id}) + "t" + std::to_string(id) + ";");
    }
    if (operands_of(statement)) wait_for_start();
    std::visit([&](const auto& what) { write(statement, what); }, statement.what);
}

void KernelWriter::loop(const Statement& statement, const Loop& loop) {
    for (const Temp temp : accumulators(loop))
        line(declaration(temp) + "t" + std::to_string(temp.id) + " = " + filled(temp, 0) + ";",
             statement.node);
    const std::string copies = rings_.empty() ? open_pipeline(loop) : "";
    open_loop(loop, statement.node, &statement);
    if (!copies.empty()) continue_pipeline(loop, copies);
    for (const Statement& inner : loop.body) {
        this->statement(inner);
        release_rings(loop, inner);
    }
    close_loop(statement.node);
}

void KernelWriter::open_loop(const Loop& loop, NodeId node, const Statement* statement) {
    const std::string name = variable(loop.var);
    line("for (int " + name + " = " + first_of(loop) + "; " + name + " < " + end_of(loop) + "; ++" + name +
             ") {",
         node, statement);
    vars_.push_back(loop.var);
    ++depth_;
}

void KernelWriter::close_loop(NodeId node) {
    --depth_;
    vars_.pop_back();
    line("}", node);
}

// Names, types and places in memory, as the kernels write them.

std::string named(Temp temp) {
    return "t" + std::to_string(temp.id);
}

std::int64_t KernelWriter::longest(Temp temp, std::size_t axis) const {
    const Extent& extent = generation_.values.of(temp).extents.axes.at(axis);
    return generation_.program.dims.at(extent.dim.value).block_size(0);
}

std::string KernelWriter::type_of(Temp temp) const {
    switch (generation_.values.of(temp).kind) {
        case Value::Kind::Block:
            return "Block<" + std::to_string(longest(temp, 0)) + ", " + std::to_string(longest(temp, 1)) +
                   ">";
        case Value::Kind::Rows:
            return "Rows<" + std::to_string(longest(temp, 0)) + ">";
        case Value::Kind::Cols:
            return "Cols<" + std::to_string(longest(temp, 0)) + ">";
        case Value::Kind::Scalar:
            return "float";
        case Value::Kind::Unknown:
            break;
    }
    throw InternalError("codegen: the kind of " + named(temp) + " is not known");
}

std::string KernelWriter::operand(Temp temp) const {
    const Value& value = generation_.values.of(temp);
    const bool two = value.as_view && (value.in_registers || generation_.products.from_registers(temp));
    if (!two) return named(temp);
    return named(temp) + (generation_.products.tile(temp) ? "_tile" : "_view");
}

std::string KernelWriter::columns(Temp temp) const {
    const bool along_rows = generation_.values.of(temp).kind == Value::Kind::Rows;
    return along_rows ? "as_cols(" + named(temp) + ")" : named(temp);
}

std::string variable(const LoopVar& var, const DimTable& dims) {
    const auto plain = [&](std::size_t dim) {
        std::string text;
        for (const char c : dims[dim].name)
            if (std::isalnum(static_cast<unsigned char>(c)) != 0 && text.size() < 16)
                text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return text;
    };
    const std::string own = plain(var.dim.value);
    int same = 0;
    for (std::size_t dim = 0; dim < var.dim.value; ++dim) same += plain(dim) == own;
    std::string text = "i_" + own;
    if (same > 0) text += "_" + std::to_string(same + 1);
    if (var.depth > 1) text += "_in" + std::to_string(var.depth);
    return text;
}

std::string KernelWriter::index(const Index& index) const {
    if (index.zero) return "0";
    for (const auto& [var, number] : fixed_)
        if (var == index.var) return std::to_string(number);
    return variable(index.var);
}

std::string KernelWriter::axis_extent(const Extent& extent) const {
    const Dim& dim = generation_.program.dims.at(extent.dim.value);
    for (const auto& [var, number] : fixed_)
        if (!extent.fixed && var == extent.var) return std::to_string(dim.block_size(number));
    const bool here = std::find(vars_.begin(), vars_.end(), extent.var) != vars_.end();
    if (extent.fixed || !here || dim.size % dim.block == 0) return std::to_string(dim.block_size(0));
    return "extent(" + variable(extent.var) + ", " + std::to_string(dim.size) + ", " +
           std::to_string(dim.block) + ")";
}

std::string KernelWriter::extents_of(Temp temp) const {
    std::string text;
    for (const Extent& extent : generation_.values.of(temp).extents.axes)
        text += (text.empty() ? "" : ", ") + axis_extent(extent);
    return text;
}

int KernelWriter::parameter(int array) {
    std::vector<int>& arrays = launch_.arrays;
    const auto found = std::find(arrays.begin(), arrays.end(), array);
    if (found != arrays.end()) return static_cast<int>(found - arrays.begin());
    arrays.push_back(array);
    return static_cast<int>(arrays.size()) - 1;
}

// "b_Q + i_m * 16384LL + i_d * 128LL"
std::string KernelWriter::address(int buffer, const std::vector<Index>& at) {
    parameter(buffer);
    const ArrayPlan& plan = generation_.arrays.plans.at(static_cast<std::size_t>(buffer));
    std::string text = plan.parameter;
    for (std::size_t i = 0; i < at.size(); ++i)
        if (index(at[i]) != "0")
            text += " + " + index(at[i]) + " * " + std::to_string(plan.steps.at(i)) + "LL";
    return text;
}

// Of a load: the view of a block.
std::string KernelWriter::view_of(Temp temp, int buffer, const std::vector<Index>& at) {
    const LoopProgram& program = generation_.program;
    const Buffer& what = program.buffers.at(static_cast<std::size_t>(buffer));
    const ArrayPlan& plan = generation_.arrays.plans.at(static_cast<std::size_t>(buffer));
    const std::string shape =
        "<" + std::to_string(longest(temp, 0)) + ", " + std::to_string(longest(temp, 1)) + ">(";
    if (what.source == InputSource::Array)
        return "view" + shape + address(buffer, at) + ", " + extents_of(temp) + ", " +
               std::to_string(plan.row_step) + ", " + std::to_string(plan.col_step) + ")";
    const Item& item = what.type.item();
    const auto first = [&](int position, DimId dim) {
        if (position < 0 || at.at(static_cast<std::size_t>(position)).zero) return std::string("0");
        return index(at[static_cast<std::size_t>(position)]) + " * " +
               std::to_string(program.dims.at(dim.value).block);
    };
    std::string query = first(plan.row_index, item.rows);
    std::string key = first(plan.col_index, item.cols);
    std::int64_t ahead = program.dims.at(item.cols.value).size - program.dims.at(item.rows.value).size;
    if (what.transposed) {
        std::swap(query, key);
        ahead = -ahead;
    }
    constexpr double kHidden = -1e30;  // base.cuh
    const double hidden = generation_.half_masks ? -32768 / generation_.exponents.factor(temp) : kHidden;
    return "causal" + shape + extents_of(temp) + ", " + (what.transposed ? "true" : "false") + ", " + query +
           ", " + key + ", " + std::to_string(ahead) +
           (hidden != kHidden || what.window > 0 ? ", " + literal(hidden) : "") +
           (what.window > 0 ? ", " + std::to_string(what.window) : "") + ")";
}

// Reductions in parts: the bounds of a part, what it leaves, and how parts are put together.

std::string KernelWriter::first_of(const Loop& loop) const {
    if (in_parts(loop)) return variable(loop.var) + "_first";
    return loop.bounds && loop.bounds->window > 0 ? hidden(loop) : std::to_string(loop.start);
}

std::string KernelWriter::end_of(const Loop& loop) const {
    if (in_parts(loop)) return variable(loop.var) + "_end";
    const Dim& dim = generation_.program.dims.at(loop.var.dim.value);
    return loop.bounds ? visible(loop) : std::to_string(dim.blocks());
}

// "visible_blocks(i_m, 4096, 128, 4096, 128)"
std::string KernelWriter::visible(const Loop& loop) const {
    return "visible_blocks(" + mask_sizes(loop) + ")";
}

// "hidden_blocks(i_m, 4096, 128, 4096, 128, 1024)"
std::string KernelWriter::hidden(const Loop& loop) const {
    return "hidden_blocks(" + mask_sizes(loop) + ", " + std::to_string(loop.bounds->window) + ")";
}

std::string KernelWriter::mask_sizes(const Loop& loop) const {
    const CausalBounds& bounds = *loop.bounds;
    std::string text = index({bounds.one_block, bounds.row});
    for (const DimId dim : {bounds.row.dim, loop.var.dim}) {
        const Dim& about = generation_.program.dims.at(dim.value);
        text += ", " + std::to_string(about.size) + ", " + std::to_string(about.block);
    }
    return text;
}

void KernelWriter::plan_parts(const Split& split) {
    launch_.combines = split.combines;
    if (split.combines) return;
    launch_.parts = split.parts;
    launch_.tiles *= split.parts;
    launch_.adds = split.adds;
    for (const auto& [id, array] : split.workspaces) launch_.part_bytes += 4 * size_in_part(array);
}

std::int64_t KernelWriter::size_in_part(int array) const {
    const std::int64_t all = generation_.arrays.arrays.at(static_cast<std::size_t>(array)).elements;
    return all / (kernel_.split->adds ? blocks_of_part() : blocks_of_part() * kernel_.split->parts);
}

// All thread blocks of the first part, then those of the second one, ...: what runs side by side reads the
// same.
void KernelWriter::open_part() {
    if (!is_part()) return;
    const Split& split = *kernel_.split;
    const Loop& loop = *split.loop;
    const std::string length = std::to_string(split.length);
    const std::int64_t all = generation_.program.dims.at(loop.var.dim.value).blocks();
    const bool windowed = loop.bounds && loop.bounds->window > 0;
    const std::string start = windowed ? variable(loop.var) + "_start" : first_of(loop);
    const std::string until = start + " + " + length;
    line("const int " + start + " = (int)(tile_index() / " + std::to_string(blocks_of_part()) + "LL) * " +
             length + ";",
         loop.node);
    if (windowed)
        line("const int " + first_of(loop) + " = " + start + " > " + hidden(loop) + " ? " + start + " : " +
                 hidden(loop) + ";",
             loop.node);
    const std::string end = loop.bounds ? visible(loop) : std::to_string(all);
    const bool even = !loop.bounds && all % split.length == 0;
    line("const int " + end_of(loop) + " = " +
             (even ? until : until + " < " + end + " ? " + until + " : " + end) + ";",
         loop.node);
}

void KernelWriter::leave_parts() {
    if (!is_part()) return;
    const bool adds = kernel_.split->adds;
    for (const auto& [id, array] : kernel_.split->workspaces) {
        parameter(array);
        const std::string& name = generation_.arrays.plans.at(static_cast<std::size_t>(array)).parameter;
        const std::string steps = steps_of({id}, array);
        const std::string all = std::to_string(size_in_part(array)) + "LL";
        line(adds ? "store<Added>(t" + std::to_string(id) + ", (Added*)" + name + " + tile_index() % " +
                        std::to_string(blocks_of_part()) + "LL * " + all + steps +
                        ");  // added to the other parts"
                  : "store<float>(t" + std::to_string(id) + ", " + name + " + tile_index() * " + all + steps +
                        ");  // its part",
             kernel_.split->loop->node);
    }
}

// The sums of all parts, and zeros in their place for the next run.
void KernelWriter::take_sums() {
    const Split& split = *kernel_.split;
    const NodeId node = split.loop->node;
    const auto place = [&](const Carried& one) {
        const std::int64_t size = size_in_part(split.workspaces.at(one.temp.id));
        return " + tile_index() * " + std::to_string(size) + "LL";
    };
    for (const Carried& one : split.carried) {
        const int array = split.workspaces.at(one.temp.id);
        parameter(array);
        line(declaration(one.temp) + named(one.temp) + " = " + from_workspace(one.temp, array, place(one)) +
                 ";",
             node);
    }
    line("sync();", node);  // all threads have them
    for (const Carried& one : split.carried) {
        const int array = split.workspaces.at(one.temp.id);
        const std::string& name = generation_.arrays.plans.at(static_cast<std::size_t>(array)).parameter;
        line("store<float>(" + filled(one.temp, 0) + ", " + name + place(one) + steps_of(one.temp, array) +
                 ");  // for the next run",
             node);
    }
}

// The first part as it is, and then one after the other: always in the same order, hence always the same
// sums.
void KernelWriter::take_parts() {
    if (!kernel_.split || !kernel_.split->combines) return;
    if (kernel_.split->adds) return take_sums();
    const Split& split = *kernel_.split;
    const NodeId node = split.loop->node;
    for (const Carried& one : split.carried) {
        const int array = split.workspaces.at(one.temp.id);
        parameter(array);
        const std::int64_t size = size_in_part(array);
        line(declaration(one.temp) + named(one.temp) + " = " +
                 from_workspace(one.temp, array, " + tile_index() * " + std::to_string(size) + "LL") + ";",
             node);
    }
    line("for (int part = 1; part < " + std::to_string(split.parts) + "; ++part) {", node);
    ++depth_;
    line("const long long place = tile_index() + part * " + std::to_string(launch_.tiles) + "LL;", node);
    for (const Carried& one : split.carried)
        if (one.how == Carried::How::Largest) scale_part(one);
    for (const Carried& one : split.carried)
        if (one.how != Carried::How::Largest) take_part(one);
    for (const Carried& one : split.carried)
        if (one.how == Carried::How::Largest)
            line(named(one.temp) + " = " + named(one.temp) + "_most;", node);
    --depth_;
    line("}", node);
}

// t3_most, and what takes sums so far (t3_old) and those of the part (t3_new) to it.
void KernelWriter::scale_part(const Carried& one) {
    const NodeId node = kernel_.split->loop->node;
    const std::string name = named(one.temp), most = name + "_most", part = name + "_part";
    const bool scalar = generation_.values.of(one.temp).kind == Value::Kind::Scalar;
    const auto both = [&](const std::string& function, const std::string& a, const std::string& b) {
        if (scalar) return function + "(" + a + ", " + b + ")";
        return "map([](Number x0, Number x1) { return " + function + "(x0, x1); }, " + a + ", " + a + ", " +
               b + ")";
    };
    const int array = kernel_.split->workspaces.at(one.temp.id);
    const std::int64_t size = size_in_part(array);
    line("const auto " + part + " = " +
             from_workspace(one.temp, array, " + place * " + std::to_string(size) + "LL") + ";",
         node);
    line("const auto " + most + " = " + both("fmaxf", name, part) + ";", node);
    line("const auto " + name + "_old = " + both("rescaling", name, most) + ";", node);
    line("const auto " + name + "_new = " + both("rescaling", part, most) + ";", node);
}

void KernelWriter::take_part(const Carried& one) {
    const int array = kernel_.split->workspaces.at(one.temp.id);
    const std::int64_t size = size_in_part(array);
    const std::string part = from_workspace(one.temp, array, " + place * " + std::to_string(size) + "LL");
    const std::string name = named(one.temp);
    const Value::Kind kind = generation_.values.of(one.temp).kind;
    const Value::Kind by = generation_.values.of(one.largest).kind;
    const auto scaled = [&](const std::string& what, const std::string& factor) {
        if (one.how != Carried::How::Rescaled) return what;
        if (kind == Value::Kind::Scalar) return what + " * " + factor;
        if (kind == Value::Kind::Block && by == Value::Kind::Rows)
            return "row_scale(" + what + ", " + factor + ")";
        if (kind == Value::Kind::Block && by == Value::Kind::Cols)
            return "col_scale(" + what + ", " + factor + ")";
        return "map([](Number x0, Number x1) { return x0 * x1; }, " + what + ", " + what + ", " + factor +
               ")";
    };
    const std::string largest = named(one.largest);
    line("const auto " + name + "_part = " + part + ";", kernel_.split->loop->node);
    line(name + " = add(" + scaled(name, largest + "_old") + ", " + scaled(name + "_part", largest + "_new") +
             ");",
         kernel_.split->loop->node);
}

}  // namespace blockscope::gpu

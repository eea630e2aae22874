#include "gpu/codegen/kernel_writer.h"

#include <algorithm>
#include <utility>

namespace blockscope::gpu {

namespace {

// A line of the listing holds names from the file: nothing in them may end the comment.
std::string comment(const std::string& text) {
    std::string safe;
    for (const char c : text) safe += c >= ' ' && c < 127 && c != '\\' ? c : '?';
    return safe.substr(safe.find_first_not_of(' ') == std::string::npos ? 0 : safe.find_first_not_of(' '));
}

}  // namespace

TileSources KernelWriter::sources() const {
    return {generation_.program, generation_.values, generation_.products, [this](int buffer) {
                return generation_.arrays.plans.at(static_cast<std::size_t>(buffer)).col_step == 1;
            }};
}

KernelWriter::KernelWriter(const Generation& generation, const Kernel& kernel, std::string name)
    : generation_(generation), kernel_(kernel), scopes_(kernel) {
    launch_.kernel = std::move(name);
    launch_.node = kernel.node;
    launch_.threads = generation.threads;
    choose_form();
    launch_.shared_bytes = static_cast<int>(tiles_.shared_bytes());
    for (const TileSlot& slot : tiles_.slots()) launch_.stages = std::max(launch_.stages, slot.stages);
    const auto remember = [&](const Statement& statement) {
        if (const auto* store = std::get_if<Store>(&statement.what)) stored_.insert(store->buffer);
        if (const auto* misc = std::get_if<CallMisc>(&statement.what))
            stored_.insert(misc->outputs.begin(), misc->outputs.end());
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
    for (const Loop* loop : grid) launch_.tiles *= iterations(*loop, dims);
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
    std::int64_t step = launch_.tiles;
    for (std::size_t i = 0; i < outer; ++i) {
        const std::int64_t count = iterations(*grid[i], dims);
        step /= count;
        set(i, "(int)(tile_index() / " + std::to_string(step) + "LL % " + std::to_string(count) + ")");
    }
    if (grid.size() == 1) {
        const std::string all = std::to_string(launch_.tiles) + "LL";
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
    scopes_.declare_first(exchanged);
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
    const std::vector<TempUse> own = temps_of(statement);
    for (const int id : scopes_.declared_before(&statement)) {
        // What the statement itself sets first is declared where it is set.
        const bool sets = !own.empty() && own.back().set && own.back().temp.id == id &&
                          !std::holds_alternative<Accumulate>(statement.what);
        const auto* inner = std::get_if<LoopPtr>(&statement.what);
        bool zeroed = false;
        if (inner)
            for (const Temp temp : accumulators(**inner)) zeroed = zeroed || temp.id == id;
        if (!sets && !zeroed && declared_.count(id) == 0)
            line(declaration({id}) + "t" + std::to_string(id) + ";");
    }
    std::visit([&](const auto& what) { write(statement, what); }, statement.what);
}

void KernelWriter::loop(const Statement& statement, const Loop& loop) {
    for (const Temp temp : accumulators(loop))
        line(declaration(temp) + "t" + std::to_string(temp.id) + " = " + filled(temp, 0) + ";",
             statement.node);
    const std::string copies = rings_.empty() ? open_pipeline(loop) : "";
    open_loop(loop, statement.node, &statement);
    if (!copies.empty()) continue_pipeline(loop, copies);
    for (const Statement& inner : loop.body) this->statement(inner);
    release_rings(loop);
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

}  // namespace blockscope::gpu

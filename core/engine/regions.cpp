#include "core/engine/plan.h"

#include <algorithm>
#include <numeric>

#include "core/exec/evaluate.h"
#include "core/support/index.h"

namespace blockscope::engine {

namespace {

class Walk {
public:
    Walk(const LoopProgram& program, TempUses& uses)
        : program_(program), uses_(uses), loaded_(uses.needed.size()), folded_(uses.needed.size()) {}

    // What is loaded and folded over its rows need not be there plain for that: where it is there transposed,
    // as its memory has it or a matmul wants it, it is folded down its columns.
    void choose_folds() {
        for (std::size_t id = 0; id < folded_.size(); ++id) {
            if (!folded_[id]) continue;
            std::array<bool, 2>& needed = uses_.needed[id];
            uses_.folded_down[id] = !needed[kPlain] && (needed[kTransposed] || lies_transposed(id)) &&
                                    loaded_[id] && loaded_[id]->source != InputSource::CausalMask;
            needed[uses_.folded_down[id] ? kTransposed : kPlain] = true;
        }
    }

    void block(const Block& statements) {
        for (const Statement& statement : statements) std::visit(*this, statement.what);
    }

    void operator()(const Load& s) {
        loaded_[static_cast<std::size_t>(s.to.id)] = &program_.buffers.at(static_cast<std::size_t>(s.buffer));
        double repeats = 1;
        for (const Loop* loop : nest_) {
            const bool indexed = std::any_of(s.at.begin(), s.at.end(), [&](const Index& index) {
                return !index.zero && index.var == loop->var;
            });
            const Dim& dim = program_.dims.at(loop->var.dim.value);
            if (!indexed) repeats *= static_cast<double>(dim.blocks() - loop->start);
        }
        uses_.loads.at(static_cast<std::size_t>(s.buffer)).push_back({&s, repeats});
    }
    void operator()(const Store& s) { plain(s.from); }
    void operator()(const Compute& s) { functional(s.op, s.args); }
    void operator()(const Evaluate& s) { plain(s.args); }
    void operator()(const Accumulate& s) {
        if (s.functional) return functional(s.op, s.args);
        plain(s.args);
    }
    void operator()(const Initialise&) {}
    void operator()(const Assign& s) { plain(s.from); }
    void operator()(const CallMisc& s) {
        for (const int buffer : s.outputs) uses_.misc.at(static_cast<std::size_t>(buffer)) = true;
        for (const int buffer : s.inputs) uses_.misc.at(static_cast<std::size_t>(buffer)) = true;
    }
    void operator()(const LoopPtr& loop) {
        nest_.push_back(loop.get());
        block(loop->body);
        nest_.pop_back();
    }

private:
    bool lies_transposed(std::size_t id) const {
        const Buffer* buffer = loaded_[id];
        return buffer && buffer->kind == Buffer::Kind::Input && buffer->transposed;
    }
    void need(Temp t, Form form) { uses_.needed.at(static_cast<std::size_t>(t.id)).at(form) = true; }
    void plain(Temp t) {
        if (t.id > 0) need(t, kPlain);
    }
    void plain(const std::vector<Temp>& temps) {
        for (const Temp t : temps) plain(t);
    }
    void functional(FunctionalOp op, const std::vector<Temp>& args) {
        if (form_of(op) == FunctionalForm::FoldRows) {
            folded_[static_cast<std::size_t>(args.at(0).id)] = true;
            return;
        }
        if (op != FunctionalOp::Dot) return plain(args);
        need(args.at(0), kPlain);
        need(args.at(1), kTransposed);
        for (const Temp t : args) uses_.multiplied.at(static_cast<std::size_t>(t.id)) = true;
    }

    const LoopProgram& program_;
    TempUses& uses_;
    std::vector<const Loop*> nest_;
    std::vector<const Buffer*> loaded_;  // by temporary: where it comes from
    std::vector<bool> folded_;           // by temporary: over its rows
};

}  // namespace

TempUses::TempUses(const LoopProgram& program)
    : needed(static_cast<std::size_t>(program.temps) + 1),
      multiplied(needed.size()),
      folded_down(needed.size()),
      loads(program.buffers.size()),
      misc(program.buffers.size()) {
    Walk walk(program, *this);
    walk.block(program.body);
    walk.choose_folds();
}

namespace {

constexpr std::int64_t kPage = 1024;  // numbers
constexpr std::int64_t kLine = 16;
constexpr std::int64_t kSets = 64;                                  // of a first-level cache of 32 or 48 KiB
constexpr std::int64_t kWays = 8;                                   // at least
constexpr std::int64_t kHalfSecondLevel = std::int64_t{128} << 10;  // numbers: of one of 1 MiB

int add_region(Plan& plan, Region region) {
    const int index = static_cast<int>(plan.regions.size());
    int& form = plan.forms.at(at(region.buffer)).at(region.form);
    // The packed form replaces the array for whoever loads.
    form = index;
    plan.regions.push_back(std::move(region));
    return index;
}

// As the program declares it.
Region array_region(const Plan& plan, int index, Precision precision) {
    const DimTable& dims = plan.program->dims;
    const Buffer& buffer = plan.program->buffers.at(at(index));
    const ArrayLayout layout = array_layout(array_type(buffer), buffer.transposed, dims);
    const bool block = buffer.type.item().kind == ItemKind::Block;
    Region region;
    region.buffer = index;
    region.form = block && buffer.transposed ? kTransposed : kPlain;
    region.bf16 = buffer.kind == Buffer::Kind::Input && precision == Precision::BF16;
    if (block) region.row_step = buffer.transposed ? layout.col_step : layout.row_step;
    region.elements = element_count(layout.shape);
    std::int64_t step = layout.matrix;
    region.steps.resize(buffer.dims.size());
    for (int i = layout.leading - 1; i >= 0; --i) {
        region.steps[at(i)] = step;
        step *= layout.shape[at(i)];
    }
    const auto axis = [&](int list, std::int64_t element) {
        if (list >= 0) region.steps[at(list)] = element * dims.at(buffer.dims[at(list)].value).block;
    };
    axis(layout.row_list, layout.row_step);
    axis(layout.col_list, layout.col_step);
    return region;
}

// Blocks one after another; ragged ones leave a gap.
Region block_region(const Plan& plan, int index, Form form) {
    const DimTable& dims = plan.program->dims;
    const Buffer& buffer = plan.program->buffers.at(at(index));
    const Item& item = buffer.type.item();
    const auto extent = [&](DimId dim) { return dims.at(dim.value).block_size(0); };
    const std::int64_t rows = item.kind == ItemKind::Block ? extent(item.rows) : 1;
    const std::int64_t cols = item.kind == ItemKind::Block    ? extent(item.cols)
                              : item.kind == ItemKind::Vector ? extent(item.rows)
                                                              : 1;
    Region region;
    region.buffer = index;
    region.form = form;
    region.row_step = form == kPlain ? cols : rows;
    // A cache line between large blocks: at multiples of 4 KiB they would all want the same lines of the
    // cache.
    std::int64_t step = rows * cols + (rows * cols % kPage == 0 ? kLine : 0);
    region.steps.resize(buffer.dims.size());
    for (std::size_t i = buffer.dims.size(); i-- > 0;) {
        region.steps[i] = step;
        step *= dims.at(buffer.dims[i].value).blocks();
    }
    region.elements = step;
    return region;
}

void lay_out_input(Plan& plan, const TempUses& uses, int index, Precision precision) {
    const int array = add_region(plan, array_region(plan, index, precision));
    if (plan.program->buffers.at(at(index)).type.item().kind != ItemKind::Block) return;
    std::array<double, 2> wanted{};
    for (const LoadUse& use : uses.loads.at(at(index))) {
        const auto temp = at(use.load->to.id);
        if (!uses.multiplied[temp]) continue;
        for (const Form form : {kPlain, kTransposed})
            if (uses.needed[temp][form]) wanted[form] += use.repeats;
    }
    const Form own = plan.regions[at(array)].form;
    for (const Form form : {kPlain, kTransposed}) {
        if (wanted[form] < 2) continue;
        Region packed = block_region(plan, index, form);
        if (form == own && multiplied_in_place(plan, plan.regions[at(array)])) continue;
        packed.packed_input = true;
        plan.packing.emplace_back(array, add_region(plan, std::move(packed)));
    }
}

void lay_out_intermediate(Plan& plan, const TempUses& uses, int index) {
    std::array<bool, 2> needed{};
    for (const LoadUse& use : uses.loads.at(at(index)))
        for (const Form form : {kPlain, kTransposed})
            needed[form] = needed[form] || uses.needed[at(use.load->to.id)][form];
    if (uses.misc.at(at(index))) needed = {true, false};
    if (!needed[kTransposed]) needed[kPlain] = true;
    for (const Form form : {kPlain, kTransposed})
        if (needed[form]) add_region(plan, block_region(plan, index, form));
}

}  // namespace

Type array_type(const Buffer& buffer) {
    Type type = buffer.type;
    for (std::size_t i = buffer.dims.size(); i-- > 0;) type = type.list_over(buffer.dims[i]);
    return type;
}

void lay_out(Plan& plan, const TempUses& uses, Precision precision) {
    plan.forms.assign(plan.program->buffers.size(), {-1, -1});
    for (std::size_t i = 0; i < plan.program->buffers.size(); ++i) {
        const Buffer& buffer = plan.program->buffers[i];
        const int index = static_cast<int>(i);
        if (buffer.source == InputSource::CausalMask) continue;
        if (buffer.kind == Buffer::Kind::Input)
            lay_out_input(plan, uses, index, precision);
        else if (buffer.kind == Buffer::Kind::Output)
            add_region(plan, array_region(plan, index, precision));
        else
            lay_out_intermediate(plan, uses, index);
    }
}

bool multiplied_in_place(const Plan& plan, const Region& region) {
    if (region.bf16) return false;
    const Item& item = plan.program->buffers.at(at(region.buffer)).type.item();
    const auto extent = [&](DimId dim) { return plan.program->dims.at(dim.value).block_size(0); };
    const std::int64_t rows = extent(region.form == kPlain ? item.rows : item.cols);
    const std::int64_t cols = extent(region.form == kPlain ? item.cols : item.rows);
    if (region.row_step == cols) return true;
    // A first operand is read a few rows at a time, each once in a product; again, the next time, from the
    // second-level cache, if the blocks beside it are still there.
    if (region.form == kPlain) return rows * region.row_step <= kHalfSecondLevel;
    // Of a second operand all rows are read again and again. They have to fit the first-level cache, in which
    // rows that are far apart may want the same few sets, and to begin at cache lines.
    if (region.row_step % kLine != 0 || cols % kLine != 0) return false;
    const std::int64_t lines = cols / kLine;
    const std::int64_t starts = kSets / std::gcd(region.row_step / kLine, kSets);
    return rows * lines <= kWays * std::min(kSets, starts * lines);
}

int region_for(const Plan& plan, int buffer, Form form) {
    const std::array<int, 2>& forms = plan.forms.at(at(buffer));
    return forms[form] >= 0 ? forms[form] : forms[1 - form];
}

}  // namespace blockscope::engine

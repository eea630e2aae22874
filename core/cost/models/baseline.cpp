#include "core/cost/models/baseline.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/cost/models/model.h"
#include "core/cost/terms.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

struct BaselineRow {
    BaselineKind kind;
    const char* name;
    Text title;
};

const std::vector<BaselineRow>& baseline_rows() {
    static const std::vector<BaselineRow> rows = {
        {BaselineKind::Library, "library", Text("library kernels")},
        {BaselineKind::Compiler, "compiler", Text("a compiler's kernels around library products")},
        {BaselineKind::Operators, "operators", Text("one kernel per operator")},
        {BaselineKind::Unfused, "unfused", Text("the unfused block program")},
    };
    return rows;
}

const BaselineRow& row_of(BaselineKind kind) {
    return baseline_rows()[static_cast<std::size_t>(kind)];
}

// ---- The operators of a program as steps, each of which makes one array.

enum class Role : std::uint8_t { Input, Product, Pointwise, Rows, Other };

struct Step {
    int op = 0;
    std::string what;        // "matmul", "row sum"
    std::vector<int> reads;  // steps
    Role role = Role::Pointwise;
    Shape shape;  // of the result
    ElemType elem = ElemType::F32;
    double matrix = 0;
    double vector = 0;
    double special = 0;
    bool output = false;     // of the program
    bool generated = false;  // moves nothing
};

double values_of(const Shape& shape, const DimTable& dims) {
    double values = 1;
    for (const DimId dim : shape.batch) values *= static_cast<double>(dims.at(dim.value).size);
    for (const DimId dim : shape.axes) values *= static_cast<double>(dims.at(dim.value).size);
    return values;
}

// One of the elementary operators of softmax or a norm: operations for each element of what it reads first.
struct Part {
    const char* what;
    bool folds = false;  // to one number a row
    int vector = 1;
    int special = 0;
    std::vector<int> reads = {-1};  // parts, from 0; -1: the operand; -2, -3: the weight, the bias
};

std::vector<Part> parts_of(const ArrayOp& op) {
    const auto weights = [&](std::vector<Part> parts) {
        for (std::size_t i = 1; i < op.operands.size(); ++i)
            parts.push_back({.what = i == 1 ? "weight" : "bias",
                             .reads = {static_cast<int>(parts.size()) - 1, -1 - static_cast<int>(i)}});
        return parts;
    };
    switch (op.kind) {
        case ArrayOpKind::Softmax:
            return {{.what = "exp", .vector = 0, .special = 1},
                    {.what = "row sum", .folds = true, .reads = {0}},
                    {.what = "quotient", .reads = {0, 1}}};
        case ArrayOpKind::RmsNorm:
            return weights({{.what = "square"},
                            {.what = "row sum", .folds = true, .reads = {0}},
                            {.what = "scale", .reads = {-1, 1}}});
        case ArrayOpKind::LayerNorm:
            return weights({{.what = "row sum", .folds = true},
                            {.what = "subtract", .reads = {-1, 0}},
                            {.what = "square", .reads = {1}},
                            {.what = "row sum", .folds = true, .reads = {2}},
                            {.what = "scale", .reads = {1, 3}}});
        default:
            return {};
    }
}

class Steps {
public:
    Steps(const ArrayProgram& program, bool elementary) : program_(program), elementary_(elementary) {}

    std::vector<Step> run() {
        live_ = reach_outputs();
        const std::vector<bool> free = free_transposes();
        for (std::size_t i = 0; i < program_.ops.size(); ++i) {
            const ArrayOp& op = program_.ops[i];
            if (!live_[i])
                value_.push_back(-1);
            else if (free[i])
                value_.push_back(value_[static_cast<std::size_t>(op.operands[0])]);
            else
                value_.push_back(add(op, static_cast<int>(i)));
        }
        for (const ArrayOutput& output : program_.outputs)
            steps_[static_cast<std::size_t>(value_[static_cast<std::size_t>(output.op)])].output = true;
        return std::move(steps_);
    }

private:
    // Operators whose results reach an output.
    std::vector<bool> reach_outputs() const {
        std::vector<bool> live(program_.ops.size(), false);
        for (const ArrayOutput& output : program_.outputs) live[static_cast<std::size_t>(output.op)] = true;
        for (std::size_t i = program_.ops.size(); i-- > 0;)
            for (const int operand : program_.ops[i].operands)
                if (live[i]) live[static_cast<std::size_t>(operand)] = true;
        return live;
    }

    // Products read either layout.
    std::vector<bool> free_transposes() const {
        std::vector<bool> free;
        for (const ArrayOp& op : program_.ops) free.push_back(op.kind == ArrayOpKind::Transpose);
        for (std::size_t i = 0; i < program_.ops.size(); ++i)
            for (const int operand : program_.ops[i].operands)
                if (live_[i] && program_.ops[i].kind != ArrayOpKind::Matmul)
                    free[static_cast<std::size_t>(operand)] = false;
        for (const ArrayOutput& output : program_.outputs) free[static_cast<std::size_t>(output.op)] = false;
        return free;
    }

    const ArrayOp& operand(const ArrayOp& op, std::size_t i) const {
        return program_.ops[static_cast<std::size_t>(op.operands.at(i))];
    }

    int push(Step step) {
        steps_.push_back(std::move(step));
        return static_cast<int>(steps_.size()) - 1;
    }

    int add(const ArrayOp& op, int index) {
        const std::vector<Part> parts = parts_of(op);
        if (!parts.empty()) return elementary_ ? add_parts(op, index, parts) : add_whole(op, index, parts);
        Step step;
        step.op = index;
        step.what = op.kind == ArrayOpKind::Custom ? op.custom_name : array_operator(op.kind).name;
        step.shape = op.shape;
        step.elem = op.elem;
        for (const int read : op.operands) step.reads.push_back(value_[static_cast<std::size_t>(read)]);
        count(op, step);
        return push(std::move(step));
    }

    // What it does, and how often.
    void count(const ArrayOp& op, Step& step) const {
        const double made = values_of(op.shape, program_.dims);
        const auto read = [&] { return values_of(operand(op, 0).shape, program_.dims); };
        switch (form_of(op.kind)) {
            case ArrayForm::Given:
                step.role = op.kind == ArrayOpKind::Input ? Role::Input : Role::Other;
                step.generated = op.source == InputSource::CausalMask;
                return;
            case ArrayForm::ByElement:
                if (op.kind != ArrayOpKind::Elementwise) return;  // a cast computes nothing
                step.vector = element_operations(*op.expr).vector * made;
                step.special = element_operations(*op.expr).special * made;
                return;
            case ArrayForm::Spread:
            case ArrayForm::Outer:
                step.vector = made;
                return;
            case ArrayForm::Product:
                step.role = Role::Product;
                step.elem = op.elem;
                step.matrix =
                    2 * made *
                    static_cast<double>(program_.dims.at(operand(op, 0).shape.axes.at(1).value).size);
                return;
            case ArrayForm::Transpose:
                step.role = Role::Other;
                return;
            case ArrayForm::Rotate:
                step.vector = kRopeOperations * made;
                return;
            case ArrayForm::KeepRows:  // those of parts_of come apart
            case ArrayForm::FoldRows:
                step.role = Role::Rows;
                step.vector = read();
                return;
            case ArrayForm::OverBatch:
                step.role = Role::Other;
                step.vector = read();
                return;
        }
    }

    int read_of(const ArrayOp& op, int which, const std::vector<int>& made) const {
        if (which >= 0) return made[static_cast<std::size_t>(which)];
        return value_[static_cast<std::size_t>(op.operands.at(static_cast<std::size_t>(-which - 1)))];
    }

    int add_parts(const ArrayOp& op, int index, const std::vector<Part>& parts) {
        const double values = values_of(op.shape, program_.dims);
        std::vector<int> made;
        for (const Part& part : parts) {
            Step step;
            step.op = index;
            step.what = part.what;
            step.shape = op.shape;
            if (part.folds) step.shape.axes.pop_back();
            step.elem = op.elem;
            step.role = part.folds ? Role::Rows : Role::Pointwise;
            step.vector = part.vector * values;
            step.special = part.special * values;
            for (const int read : part.reads) step.reads.push_back(read_of(op, read, made));
            made.push_back(push(std::move(step)));
        }
        return made.back();
    }

    // In one pass over the rows, which a processor keeps.
    int add_whole(const ArrayOp& op, int index, const std::vector<Part>& parts) {
        Step step;
        step.op = index;
        step.what = array_operator(op.kind).name;
        step.shape = op.shape;
        step.elem = op.elem;
        step.role = Role::Rows;
        const double values = values_of(op.shape, program_.dims);
        for (const Part& part : parts) {
            step.vector += part.vector * values;
            step.special += part.special * values;
        }
        for (const int read : op.operands) step.reads.push_back(value_[static_cast<std::size_t>(read)]);
        return push(std::move(step));
    }

    const ArrayProgram& program_;
    bool elementary_;
    std::vector<bool> live_;  // by operator
    std::vector<int> value_;  // by operator: the step that makes its array
    std::vector<Step> steps_;
};

// ---- Which steps share a kernel.

class Grouping {
public:
    Grouping(const std::vector<Step>& steps, BaselineKind kind) : steps_(steps), kind_(kind) {
        users_.resize(steps.size());
        for (std::size_t i = 0; i < steps.size(); ++i)
            for (const int read : steps[i].reads) ++users_[at(read)];
    }

    // Groups of steps, inputs in none, in an order in which they can run.
    std::vector<std::vector<int>> run() {
        group_.assign(steps_.size(), -1);
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (steps_[i].role == Role::Input) continue;
            const int joined = group_to_join(static_cast<int>(i));
            if (joined < 0) groups_.emplace_back();
            group_[i] = joined < 0 ? static_cast<int>(groups_.size()) - 1 : joined;
            groups_[at(group_[i])].push_back(static_cast<int>(i));
        }
        return ordered();
    }

private:
    static std::size_t at(int index) { return static_cast<std::size_t>(index); }

    // That of the operand which is made last, if the step may go there; -1: none.
    int group_to_join(int index) const {
        if (kind_ == BaselineKind::Operators) return -1;
        std::vector<int> reads = steps_[at(index)].reads;
        std::sort(reads.rbegin(), reads.rend());
        for (const int read : reads)
            if (group_[at(read)] >= 0 && may_join(index, read)) return group_[at(read)];
        return -1;
    }

    bool may_join(int index, int read) const {
        const Step& step = steps_[at(index)];
        const std::vector<int>& group = groups_[at(group_[at(read)])];
        const Step& first = steps_[at(group.front())];
        if (kind_ == BaselineKind::Library) {
            // The epilogue of a product: nobody else wants what it takes.
            return step.role == Role::Pointwise && first.role == Role::Product && group.back() == read &&
                   users_[at(read)] == 1 && !steps_[at(read)].output && step.shape == steps_[at(read)].shape;
        }
        const auto fuses = [](const Step& s) { return s.role == Role::Pointwise || s.role == Role::Rows; };
        return fuses(step) && fuses(first) && same_rows(step, first) && !depends(step, group_[at(read)]);
    }

    static bool same_rows(const Step& a, const Step& b) {
        if (a.shape.batch != b.shape.batch || a.shape.axes.empty() != b.shape.axes.empty()) return false;
        return a.shape.axes.empty() || a.shape.axes.front() == b.shape.axes.front();
    }

    // Whether the step needs the group through others, which could then run neither before nor after it.
    bool depends(const Step& step, int group) const {
        std::vector<int> open;
        std::set<int> seen;
        for (const int read : step.reads)
            if (group_[at(read)] != group) open.push_back(read);
        const int first = groups_[at(group)].front();
        while (!open.empty()) {
            const int next = open.back();
            open.pop_back();
            if (next < first || !seen.insert(next).second) continue;
            if (group_[at(next)] == group) return true;
            open.insert(open.end(), steps_[at(next)].reads.begin(), steps_[at(next)].reads.end());
            // All of a group runs at once.
            if (group_[at(next)] >= 0)
                for (const int other : groups_[at(group_[at(next)])]) open.push_back(other);
        }
        return false;
    }

    std::vector<std::vector<int>> ordered() const {
        std::vector<std::vector<int>> order;
        std::vector<bool> done(groups_.size(), false);
        for (std::size_t i = 0; i < groups_.size(); ++i) visit(static_cast<int>(i), done, order);
        return order;
    }
    void visit(int group, std::vector<bool>& done, std::vector<std::vector<int>>& order) const {
        if (done[at(group)]) return;
        done[at(group)] = true;
        for (const int step : groups_[at(group)])
            for (const int read : steps_[at(step)].reads)
                if (group_[at(read)] >= 0) visit(group_[at(read)], done, order);
        order.push_back(groups_[at(group)]);
    }

    const std::vector<Step>& steps_;
    BaselineKind kind_;
    std::vector<int> users_;
    std::vector<int> group_;
    std::vector<std::vector<int>> groups_;
};

void add_once(std::vector<int>& list, int value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

std::string name_of(const ArrayProgram& program, const Step& step) {
    const std::string& name = program.ops[static_cast<std::size_t>(step.op)].name;
    for (const ArrayOutput& output : program.outputs)
        if (output.op == step.op) return output.name;
    return name;
}

}  // namespace

const std::vector<BaselineKind>& all_baselines() {
    static const std::vector<BaselineKind> kinds = {BaselineKind::Library, BaselineKind::Compiler,
                                                    BaselineKind::Operators, BaselineKind::Unfused};
    return kinds;
}

std::string to_string(BaselineKind kind) {
    return row_of(kind).name;
}

std::optional<BaselineKind> baseline_named(const std::string& name) {
    for (const BaselineRow& row : baseline_rows())
        if (name == row.name) return row.kind;
    return std::nullopt;
}

Text baseline_title(BaselineKind kind) {
    return row_of(kind).title;
}

double Baseline::read(const BaselineKernel& kernel) const {
    double bytes = 0;
    for (const int array : kernel.reads) bytes += arrays[static_cast<std::size_t>(array)].bytes;
    return bytes;
}

double Baseline::written(const BaselineKernel& kernel) const {
    double bytes = 0;
    for (const int array : kernel.writes) bytes += arrays[static_cast<std::size_t>(array)].bytes;
    return bytes;
}

double Baseline::bytes() const {
    double bytes = 0;
    for (const BaselineKernel& kernel : kernels) bytes += read(kernel) + written(kernel);
    return bytes;
}

Baseline baseline(const ArrayProgram& program, BaselineKind kind) {
    if (kind == BaselineKind::Unfused) throw InternalError("the unfused program is a block program");
    const std::vector<Step> steps = Steps(program, kind == BaselineKind::Operators).run();
    Baseline made;
    made.kind = kind;
    std::vector<std::vector<int>> users(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        const double bytes =
            step.generated ? 0 : values_of(step.shape, program.dims) * bytes_per_element(step.elem);
        made.arrays.push_back({step.role == Role::Input ? Buffer::Kind::Input
                               : step.output            ? Buffer::Kind::Output
                                                        : Buffer::Kind::Intermediate,
                               bytes});
        for (const int read : step.reads)
            users[static_cast<std::size_t>(read)].push_back(static_cast<int>(i));
    }
    for (const std::vector<int>& group : Grouping(steps, kind).run()) {
        BaselineKernel kernel;
        const auto inside = [&](int step) {
            return std::find(group.begin(), group.end(), step) != group.end();
        };
        std::string does;
        for (const int index : group) {
            const Step& step = steps[static_cast<std::size_t>(index)];
            add_once(kernel.ops, step.op);
            does += (does.empty() ? "" : ", ") + step.what;
            kernel.matrix += step.matrix;
            kernel.vector += step.vector;
            kernel.special += step.special;
            if (step.role == Role::Product) kernel.elem = steps[static_cast<std::size_t>(step.reads[0])].elem;
            for (const int read : step.reads)
                if (!inside(read)) add_once(kernel.reads, read);
            const std::vector<int>& of = users[static_cast<std::size_t>(index)];
            if (step.output || !std::all_of(of.begin(), of.end(), inside)) kernel.writes.push_back(index);
        }
        const std::string name = name_of(program, steps[static_cast<std::size_t>(group.back())]);
        kernel.name = name.empty() ? does : name + " = " + does;
        made.kernels.push_back(std::move(kernel));
    }
    return made;
}

ArrayProgram at_sizes(ArrayProgram program, const DimTable& dims) {
    for (Dim& dim : program.dims)
        for (const Dim& other : dims)
            if (other.name == dim.name) dim.size = other.size;
    return program;
}

ArrayProgram in_types(ArrayProgram program, const StoredTypes& types) {
    for (ArrayOp& op : program.ops) {
        const auto& elem = op.kind == ArrayOpKind::Input ? types.inputs : types.others;
        if (elem) op.elem = *elem;
    }
    return program;
}

// How long the kernels of a baseline take: peaks, and what libraries are known to reach of them.

namespace {

// Of the matrix peak. Cards: cuBLAS on an H100 SXM5, 8192 x 8192 x 8192 in bf16, reaches 716 to 795 of 989
// TFLOP/s (72 to 80%); on an A100 250 of 312 (80%). Processors: oneDNN and OpenBLAS reach 80 to 90% of what
// all cores do at their sustained clocks.
constexpr double kLibraryMatmul = 0.8;
// Of the vector and special units: a plain operation takes the slot of a multiply-add.
constexpr double kLibraryUnits = 0.8;
// Of memory's bandwidth, as streaming kernels reach it (the CPU's own figure where it was calibrated).
constexpr double kLibraryMemory = 0.9;
// Of the last cache that holds what kernels hand on to one another.
constexpr double kHeld = 0.6;

// Loads and stores of whole arrays, one kernel after the other.
StateWork work_of(const Baseline& baseline) {
    StateWork work;
    for (const BaselineArray& array : baseline.arrays)
        work.buffers.push_back({.name = "", .kind = array.kind, .bytes = array.bytes});
    for (const BaselineKernel& from : baseline.kernels) {
        KernelWork kernel;
        kernel.index = static_cast<int>(work.kernels.size());
        const auto access = [&](int array, bool store) {
            const double bytes = baseline.arrays[static_cast<std::size_t>(array)].bytes;
            kernel.buffers.push_back({.buffer = array,
                                      .loaded = store ? 0 : bytes,
                                      .stored = store ? bytes : 0,
                                      .hoisted = bytes,
                                      .distinct = bytes});
            kernel.roots.push_back({-1, static_cast<int>(kernel.accesses.size())});
            kernel.accesses.push_back({array, store, bytes, {}});
            (store ? kernel.stored : kernel.loaded) += bytes;
        };
        for (const int array : from.reads) access(array, false);
        for (const int array : from.writes) access(array, true);
        kernel.matrix = from.matrix;
        kernel.vector = from.vector;
        kernel.special = from.special;
        kernel.elem = from.elem;
        work.kernels.push_back(std::move(kernel));
    }
    return work;
}

const MemoryLevel* last_cache(const Device& device) {
    const MemoryLevel* last = nullptr;
    for (const MemoryLevel& level : device.memory)
        if (level.role == LevelRole::Cache) last = &level;
    return last;
}

KernelTime library_time(const ModelInput& input, const KernelWork& kernel, double held) {
    const Device& device = input.device;
    const double processors = busy_processors(input);
    const double share = processors / device.processors.value;
    const UnitSeconds units = unit_seconds(kernel, device, true);
    const double past = passing(input.state, kernel.index, {held, 1}, held, input.setting.warm).bytes();
    KernelTime time;
    time.kernel = kernel.index;
    time.terms = {
        {"launch", device.launch.value},
        {"memory", past / (bandwidth_for(device, global_memory(device), processors) * kLibraryMemory)},
        {"matrix", units.matrix / share / kLibraryMatmul},
        {"vector", units.vector / share / kLibraryUnits},
        {"special", units.special / share / kLibraryUnits}};
    double copied = seconds_of(time.terms, "memory");
    if (const MemoryLevel* cache = last_cache(device)) {
        time.terms.push_back(
            {cache->name, kernel.bytes() / (bandwidth_for(device, *cache, processors) * kLibraryMemory)});
        copied = std::max(copied, time.terms.back().seconds);
        time.levels.push_back({cache->name, kernel.bytes()});
    }
    time.levels.push_back({global_memory(device).name, past});
    const double computed = std::max(seconds_of(time.terms, "matrix"),
                                     seconds_of(time.terms, "vector") + seconds_of(time.terms, "special"));
    time.seconds = device.launch.value + std::max(copied, computed);
    time.binding = largest(time.terms);
    return time;
}

std::vector<KernelTime> library_kernels(const ModelInput& input) {
    const MemoryLevel* cache = last_cache(input.device);
    const double held =
        cache ? kHeld * cache->capacity.value * instances_of(input.device, *cache, busy_processors(input))
              : 0;
    std::vector<KernelTime> times;
    for (const KernelWork& kernel : input.state.kernels) times.push_back(library_time(input, kernel, held));
    return times;
}

}  // namespace

Prediction predict_baseline(const Baseline& baseline, const Device& device, const ModelSetting& setting) {
    static const TimeModel model{.name = "library",
                                 .title = Text("Library kernels"),
                                 .explanation = {},
                                 .reference = "",
                                 .formula = {},
                                 .kernels = library_kernels};
    return predict(model, work_of(baseline), device, setting);
}

}  // namespace blockscope

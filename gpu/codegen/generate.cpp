// Registers of a thread: what a launch on sm_90a gives to whom, and what is expected before anything is
// compiled.
#include <algorithm>
#include <array>

#include "core/graph/expr.h"
#include "core/print/print.h"
#include "gpu/codegen/kernel_writer.h"
#include "gpu/codegen/products.h"
#include "gpu/codegen/splits.h"

namespace blockscope::gpu {

namespace {

constexpr std::int64_t kMostPerThread =
    1024;                                  // float numbers of one block; four times the registers there are
constexpr int kLargestExpression = 20000;  // operators, shared parts counted each time

std::int64_t padded_size(std::int64_t extent, std::int64_t to) {
    return (extent + to - 1) / to * to;
}

class Checker {
public:
    Checker(const Generation& generation, int threads) : generation_(generation), threads_(threads) {}

    Problems run() {
        for_each_statement(generation_.program.body, [&](const Statement& statement) { check(statement); });
        return std::move(problems_);
    }

private:
    std::int64_t length(Temp temp, std::size_t axis) const {
        const Extent& extent = generation_.values.of(temp).extents.axes.at(axis);
        return generation_.program.dims.at(extent.dim.value).block_size(0);
    }

    void report(const Statement& at, const Text& why) {
        const std::string& text = generation_.listing.at(&at);
        problems_.push_back({{.node = at.node.value},
                             Text("no CUDA for `%1` (%2): %3", text.substr(text.find_first_not_of(' ')),
                                  to_string(at.node), why)});
    }

    void check(const Statement& at) {
        if (const Temp made = uses_of(at).makes; made.id > 0) check_value(at, made);
        if (const auto* misc = std::get_if<CallMisc>(&at.what)) check_misc(at, *misc);
        if (const auto* compute = std::get_if<Compute>(&at.what))
            check_operator(at, compute->op, compute->args);
        if (const auto* add = std::get_if<Accumulate>(&at.what))
            if (add->functional) check_operator(at, add->op, add->args);
        if (const auto* evaluate = std::get_if<Evaluate>(&at.what))
            if (tree_size(*evaluate->expr, kLargestExpression) >= kLargestExpression)
                report(at, Text("the expression has more than %1 operators", kLargestExpression));
    }

    void check_value(const Statement& at, Temp temp) {
        const Value& value = generation_.values.of(temp);
        const std::string name = "t" + std::to_string(temp.id);
        if (value.kind == Value::Kind::Unknown)
            return report(at, Text("nothing tells how large %1 is", name));
        if (value.kind != Value::Kind::Block || !value.in_registers) return;
        const std::int64_t rows = length(temp, 0);
        const std::int64_t cols = length(temp, 1);
        if (rows * cols / threads_ <= kMostPerThread) return;
        report(at, Text("%1 has %2 x %3 numbers, %4 for each of %5 threads, and a thread holds %6; smaller "
                        "blocks of these dimensions would fit",
                        name, rows, cols, rows * cols / threads_, threads_, kMostPerThread));
    }

    void check_misc(const Statement& at, const CallMisc& misc) {
        if (misc.name != "transpose")
            report(at,
                   Text("the operator is not one of Blockscope's, so that nobody knows what it computes"));
    }

    void check_operator(const Statement& at, FunctionalOp op, const std::vector<Temp>& args) {
        if (op != FunctionalOp::Dot) return;
        for (const Temp temp : args)
            if (generation_.values.of(temp).kind != Value::Kind::Block) return;
        if (generation_.products.of(at) != Arithmetic::Float32) return;
        const bool tensors = generation_.tensor_cores;
        const std::int64_t rows = padded_size(length(args.at(0), 0), tensors ? threads_ / 2 : threads_ / 16) +
                                  padded_size(length(args.at(1), 0), tensors ? 8 : 16);
        constexpr std::int64_t kMost = kPanelBytes / 4 / 8;
        if (rows > kMost)
            report(at, Text("its operands have %1 rows, and shared memory has room for %2", rows, kMost));
    }

    const Generation& generation_;
    int threads_;
    Problems problems_;
};

std::int64_t most_rows(const LoopProgram& program, const DeviceValues& values) {
    std::int64_t rows = 16;
    for (int id = 1; id <= program.temps; ++id) {
        const Value& value = values.of({id});
        if (value.kind != Value::Kind::Block) continue;
        rows = std::max(rows, program.dims.at(value.extents.axes.at(0).dim.value).block_size(0));
    }
    return rows;
}

}  // namespace

int threads_for(const SetNeeds& needs) {
    constexpr std::int64_t kMedium = 24 * std::int64_t{24};
    constexpr std::int64_t kLarge = 48 * std::int64_t{48};
    return needs.largest_block > kLarge ? 256 : needs.largest_block > kMedium ? 128 : 64;
}

int threads_for_tensor_cores(const SetNeeds& needs) {
    constexpr std::int64_t kNumbers = 160;  // of blocks, of the 255 registers that a thread has
    const std::int64_t rows = needs.most_rows;
    std::int64_t warps = std::min<std::int64_t>(4, (rows + 15) / 16);
    while (warps < 16 && warps * 16 < rows && needs.most_numbers / (warps * 32) > kNumbers) warps *= 2;
    return static_cast<int>(warps * 32);
}

// Two groups have the most registers each; more of them where rows make three, or where those do not suffice.
int threads_for_warpgroups(const SetNeeds& needs) {
    constexpr std::int64_t kNumbers = 208;  // of blocks, of the 240 registers that a thread has
    constexpr std::int64_t kThreads = 256;  // of two groups
    const std::int64_t strips = (needs.most_rows + 63) / 64;
    std::int64_t groups = strips == 3 ? 3 : std::min<std::int64_t>(2, strips);
    if (groups == 2 && strips > 2 && needs.most_numbers / kThreads > kNumbers) groups = 4;
    return static_cast<int>(groups * 128);
}

std::vector<int> thread_choices(const LoopProgram& program, Target target) {
    constexpr double kMostNumbers = 1.2 * 255;  // of a thread; the estimate is rough
    const DeviceValues values(program);
    ProductRules rules;
    rules.tensor_cores = has_tensor_cores(target);
    const Products products(program, values, {}, rules);
    if (!products.any_by_tensor_cores()) return {64, 128, 256};
    const auto alive = static_cast<double>(
        most_numbers_alive(program, values, products, delayed_products(program, products)));
    const std::int64_t rows = most_rows(program, values);
    const int step = has_warpgroups(target) ? 128 : 32;  // threads that take so many rows at once:
    const std::int64_t at_once = step / 2;
    std::vector<int> choices;
    for (const int many : {1, 2, 3, 4, 8, 16}) {
        const int threads = many * step;
        const bool odd = many == 3 && !has_warpgroups(target);
        if (odd || threads < 64 || threads > 512 || alive / threads > kMostNumbers) continue;
        if (many > 1 && (many - 1) * at_once >= rows) continue;
        choices.push_back(threads);
    }
    return choices;
}

Problems find_large_kernels(const Generation& generation, const TilePlan& tiles) {
    if (tiles.shared_bytes() <= generation.shared_limit) return {};
    const Text room = Text(
        "%1 KiB of shared memory, and a thread block of %2 has %3 KiB; smaller blocks of these dimensions "
        "would fit",
        (tiles.shared_bytes() + 1023) / 1024, generation.shared_of, generation.shared_limit / 1024);
    const TileSlot* largest = tiles.largest();
    if (!largest) return {{{}, Text("no CUDA for vectors that take %1", room)}};
    const std::string text = generation.listing.at(largest->at);
    return {{{.node = largest->at->node.value},
             Text("no CUDA for `%1` (%2): operands of products in this kernel take %3",
                  text.substr(text.find_first_not_of(' ')), to_string(largest->at->node), room)}};
}

Problems find_problems(const Generation& generation, int threads) {
    return Checker(generation, threads).run();
}

// What each of so many threads can have: 65536 a multiprocessor, in steps of eight, and 255 at most.
int most_registers(int threads);

// Of a kernel with the launch's threads, as it is planned: the numbers of blocks that products have made and
// that are alive at once, and 64 for addresses, operands on their way and all else. Of kernels whose warps
// exchange registers exactly what their launch takes. Compilers differ by some tens; what comes out of one
// (KernelReport) replaces this.
int expected_registers(const Kernel& kernel, const Generation& generation, const Launch& launch);

// What a kernel whose products warpgroups compute asks for beyond what a thread can have: a problem. Those
// instructions add into registers, so that the compiler cannot keep sums elsewhere, and refuses the kernel.
Problems find_large_sums(const Kernel& kernel, const Generation& generation, const Launch& launch);

namespace {

constexpr int kRegisters = 65536;  // of a multiprocessor
constexpr int kMostOfThread = 255;
constexpr int kStep = 8;
constexpr int kLeastOthers = 24;  // what a compiler needs beside sums; NVIDIA's asks for 26 beside 128
constexpr int kOthers = 64;  // addresses, loop variables, sums of rows, operands of a product on their way

// Blocks that a product has made, or that follow from one: they stay in registers until they are used. What
// follows from loads alone is read as it is needed.
class FromProducts {
public:
    explicit FromProducts(const std::vector<const Statement*>& lines) {
        for (std::size_t before = 1;
             before != ids_.size();) {  // what an iteration hands on comes from later lines
            before = ids_.size();
            for (const Statement* line : lines) visit(*line);
        }
    }
    bool holds(Temp temp) const { return ids_.count(temp.id) > 0; }

private:
    void visit(const Statement& line) {
        if (const auto* loop = std::get_if<LoopPtr>(&line.what))
            for (const Statement& inner : (*loop)->body) visit(inner);
        bool from = operands_of(line) != nullptr;
        const StatementUses uses = uses_of(line);
        for (const Temp temp : uses.reads) from = from || holds(temp);
        if (from && uses.makes.id > 0) ids_.insert(uses.makes.id);
    }

    std::set<int> ids_;
};

}  // namespace

// A launch takes this for all its threads at first, and setmaxnreg moves no more than that: who asks for one
// register too many waits for ever.
Registers registers_of(int threads) {
    switch (threads) {
        case 256:
            return {24, 240};  // of 384 threads with 168 each
        case 384:
            return {32, 160};  // of 512 with 128
        case 512:
            return {24, 112};  // of 640 with 96
        default:
            return {};  // one group has as many as a thread can have
    }
}

int most_registers(int threads) {
    return std::min(kMostOfThread, kRegisters / std::max(threads, 1) / kStep * kStep);
}

namespace {

// The numbers of blocks that products have made and that are alive at once, of each thread that computes.
// `rows_at_once`: all those threads together take so many rows of a block, and a multiple of that of any.
std::int64_t numbers_of_thread(const Kernel& kernel, const Generation& generation,
                               std::int64_t rows_at_once = 1) {
    std::vector<const Statement*> lines = kernel.before;
    lines.insert(lines.end(), kernel.body.begin(), kernel.body.end());
    const FromProducts made(lines);
    const DimTable& dims = generation.program.dims;
    const std::int64_t alive = most_alive(lines, [&](Temp temp) -> std::int64_t {
        const Value& value = generation.values.of(temp);
        if (value.kind != Value::Kind::Block || generation.delayed.count(temp.id) > 0) return 0;
        const std::int64_t rows = full_size({value.extents.axes.front()}, dims);
        const std::int64_t taken = (rows + rows_at_once - 1) / rows_at_once * rows_at_once;
        const std::int64_t size = taken * (full_size(value.extents.axes, dims) / rows);
        if (made.holds(temp)) return size;
        return generation.products.from_registers(temp) ? size / 2 : 0;  // as pairs of 16 bits
    });
    return (alive + generation.threads - 1) / generation.threads;
}

// Whether threads that only copy have left some of their registers to those that compute.
bool exchanges_registers(const Generation& generation, const Launch& launch) {
    return launch.threads > generation.threads && registers_of(generation.threads).consumer > 0;
}

}  // namespace

int expected_registers(const Kernel& kernel, const Generation& generation, const Launch& launch) {
    const int most = most_registers(launch.threads);
    if (exchanges_registers(generation, launch)) return most;
    const std::int64_t each = numbers_of_thread(kernel, generation);
    return static_cast<int>(std::min<std::int64_t>(most, each + kOthers));
}

Problems find_large_sums(const Kernel& kernel, const Generation& generation, const Launch& launch) {
    const int most = exchanges_registers(generation, launch) ? registers_of(generation.threads).consumer
                                                             : most_registers(launch.threads);
    constexpr int kThreadsOfRow = 2;  // a warpgroup, 128 threads, takes 64 rows of a product
    const std::int64_t needed =
        numbers_of_thread(kernel, generation, generation.threads / kThreadsOfRow) + kLeastOthers;
    if (needed <= most) return {};
    const Text sums(
        "sums of products take %1 registers of each of %2 threads, and one has %3; smaller blocks of "
        "these dimensions would fit",
        needed, generation.threads, most);
    if (kernel.loop_lines.empty()) return {{{.node = kernel.node.value}, Text("no CUDA: %1", sums)}};
    const std::string text = generation.listing.at(kernel.loop_lines.front());
    return {{{.node = kernel.node.value},
             Text("no CUDA for `%1` (%2): %3", text.substr(text.find_first_not_of(' ')),
                  to_string(kernel.node), sums)}};
}

namespace {

struct Planned {
    Kernel kernel;
    TempsOfKernel temps;
};

// Rows and columns of a whole block; 1 along axes that it does not have.
std::array<std::int64_t, 2> full_shape(Temp temp, const Generation& generation) {
    std::array<std::int64_t, 2> shape{1, 1};
    const std::vector<Extent>& axes = generation.values.of(temp).extents.axes;
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
        shape.at(axis) = generation.program.dims.at(axes[axis].dim.value).block_size(0);
    return shape;
}

// Temporaries that more than one kernel uses live in a workspace between them.
std::map<int, int> add_workspaces(const std::vector<Planned>& kernels, const Generation& generation) {
    std::map<int, int> users;
    for (const Planned& one : kernels)
        for (const int temp : one.temps.used) ++users[temp];
    std::map<int, int> workspaces;
    for (const auto& [id, count] : users) {
        if (count < 2) continue;
        const auto [rows, cols] = full_shape({id}, generation);
        workspaces[id] = generation.arrays.add_workspace(id, rows, cols);
    }
    return workspaces;
}

std::map<int, int> pick(const std::map<int, int>& workspaces, const std::set<int>& temps) {
    std::map<int, int> picked;
    for (const int temp : temps)
        if (const auto found = workspaces.find(temp); found != workspaces.end())
            picked.emplace(temp, found->second);
    return picked;
}

// Writes kernels into a set, one behind the other.
class KernelsOfSet {
public:
    KernelsOfSet(const Generation& generation, KernelSet& set, bool& too_large)
        : generation_(generation), set_(set), too_large_(too_large) {}

    Problems write(const Kernel& kernel, const std::string& name, const std::map<int, int>& taken,
                   const std::map<int, int>& left) {
        KernelWriter writer(generation_, kernel, name);
        if (Problems problems = find_large_kernels(generation_, writer.tiles()); !problems.empty())
            return problems;
        if (writer.by_warpgroups())
            if (Problems problems = find_large_sums(kernel, generation_, writer.launch());
                !problems.empty()) {
                too_large_ = true;
                return problems;
            }
        writer.exchange(taken, left);
        if (generation_.text)
            for (SourceLine& line : writer.write()) set_.lines.push_back(std::move(line));
        set_.launches.push_back(writer.launch());
        set_.launches.back().registers = expected_registers(kernel, generation_, writer.launch());
        set_.launches.back().wgmma = writer.by_warpgroups();
        if (kernel.split) set_.launches.back().rest = kernel.split->rest;
        set_.wgmma.insert(writer.wgmma().begin(), writer.wgmma().end());
        if (const auto note = generation_.text ? writer.note() : std::nullopt) set_.notes.push_back(*note);
        return {};
    }

    // Two launches.
    Problems write_in_parts(const Kernel& kernel, const std::string& name, const std::map<int, int>& taken) {
        Split split = *kernel.split;
        const std::int64_t blocks = thread_blocks(kernel, generation_.program.dims);
        for (const Carried& one : split.carried) {
            const auto [rows, cols] = full_shape(one.temp, generation_);
            split.workspaces[one.temp.id] = generation_.arrays.add_parts(
                one.temp.id, split.adds ? blocks : split.parts * blocks, rows, cols, split.adds);
        }
        if (Problems problems = write(parts_of(kernel, split), name, taken, {}); !problems.empty())
            return problems;
        return write(combination_of(kernel, split), name + "_combine", taken, {});
    }

private:
    const Generation& generation_;
    KernelSet& set_;
    bool& too_large_;  // sums of a kernel's products
};

Problems write_kernels(const std::vector<Planned>& kernels, const Generation& generation, KernelSet& set,
                       bool& too_large) {
    const std::map<int, int> workspaces = add_workspaces(kernels, generation);
    std::set<int> before;  // set by earlier kernels
    KernelsOfSet all(generation, set, too_large);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        generation.stop.check();
        const Planned& one = kernels[i];
        const std::string name = "kernel_" + std::to_string(i + 1);
        std::set<int> taken;
        for (const int temp : one.temps.used)
            if (before.contains(temp)) taken.insert(temp);
        const std::map<int, int> given = pick(workspaces, taken);
        const bool alone = one.kernel.grid.empty();  // thread blocks of a grid leave nothing but arrays
        Problems problems = one.kernel.split
                                ? all.write_in_parts(one.kernel, name, given)
                                : all.write(one.kernel, name, given,
                                            alone ? pick(workspaces, one.temps.set) : std::map<int, int>());
        if (!problems.empty()) return problems;
        before.insert(one.temps.set.begin(), one.temps.set.end());
    }
    return {};
}

std::vector<Planned> planned(const LoopProgram& program, const StopSign& stop) {
    std::vector<Planned> kernels;
    for (Kernel& kernel : cut_into_kernels(program)) {
        stop.check();
        TempsOfKernel temps = temps_of(kernel);
        kernels.push_back({std::move(kernel), std::move(temps)});
    }
    return kernels;
}

// Temporaries that several kernels use.
std::set<int> shared_temps(const std::vector<Planned>& kernels) {
    std::set<int> once;
    std::set<int> shared;
    for (const Planned& one : kernels)
        for (const int temp : one.temps.used)
            if (!once.insert(temp).second) shared.insert(temp);
    return shared;
}

// Shared memory for what threads tell each other: a number of each warp, a vector of rows, panels of products
// in float32.
std::int64_t scratch_bytes(const SetNeeds& needs, const KernelSet& set) {
    const std::int64_t bytes = std::max(set.panel_bytes, 128);
    if (needs.longest_vector == 0) return bytes;
    return std::max(bytes, 4 * (needs.longest_vector + set.threads / 2));  // with padding
}

// Whether arrays have 16 bits and fewer: then exponentials and quotients need not be exact to the last bit.
bool coarse(const LoopProgram& program) {
    return std::none_of(program.buffers.begin(), program.buffers.end(),
                        [](const Buffer& buffer) { return buffer.type.elem() == ElemType::F32; });
}

bool stores_half_masks(const LoopProgram& program) {
    return std::any_of(program.buffers.begin(), program.buffers.end(), [](const Buffer& buffer) {
        return buffer.kind == Buffer::Kind::Intermediate && buffer.type.elem() == ElemType::F16;
    });
}

SetNeeds needs_of(const LoopProgram& program, const DeviceValues& values, const Products& products,
                  const std::set<int>& delayed, const CodegenOptions& options) {
    SetNeeds needs{.tensor_cores = products.any_by_tensor_cores(),
                   .in_float32 = products.any_in_float32(),
                   .coarse = coarse(program),
                   .half_masks = stores_half_masks(program),
                   .most_rows = most_rows(program, values)};
    for (int id = 1; id <= program.temps; ++id) {
        const Value& value = values.of({id});
        if (value.kind == Value::Kind::Block && value.in_registers)
            needs.largest_block = std::max(needs.largest_block, full_size(value.extents.axes, program.dims));
        if (value.kind != Value::Kind::Rows) continue;
        const std::int64_t rows = program.dims.at(value.extents.axes.at(0).dim.value).block_size(0);
        needs.longest_vector = std::max(needs.longest_vector, rows);
    }
    if (has_tensor_cores(options.target))
        needs.most_numbers = most_numbers_alive(program, values, products, delayed);
    return needs;
}

// What all kernels are written from, without scratch memory, threads that only copy and stages of tiles.
Generation generation_of(const LoopProgram& program, const DeviceValues& values, Arrays& arrays,
                         const Products& products, const std::set<int>& delayed, const SetNeeds& needs,
                         const KernelSet& set, const StopSign& stop) {
    return {.program = program,
            .values = values,
            .arrays = arrays,
            .listing = Listing(program),
            .products = products,
            .delayed = delayed,
            .masks = MaskBlocks(program),
            .shared_limit = shared_limit(set.target),
            .threads = set.threads,
            .tensor_cores = needs.tensor_cores,
            .half_masks = needs.half_masks,
            .stop = stop};
}

// What a host checks the kernels with: the plain target's lines.
void add_reference(const std::vector<Planned>& kernels, const LoopProgram& program,
                   const DeviceValues& values, const CodegenOptions& options, KernelSet& set) {
    if (!set.tensor_cores) {
        set.reference_lines = set.lines;
        set.reference_launches = set.launches;
        return;
    }
    const Products products(program, values, {}, {});
    Arrays arrays = plan_arrays(program);
    const std::set<int> delayed;
    const SetNeeds needs{.half_masks = stores_half_masks(program)};
    const Generation generation =
        generation_of(program, values, arrays, products, delayed, needs, set, options.stop);
    KernelSet plain;
    plain.target = set.target;
    bool too_large = false;  // the plain target has no warpgroups
    write_kernels(kernels, generation, plain, too_large);
    set.reference_lines = std::move(plain.lines);
    set.reference_launches = std::move(plain.launches);
}

void settle(KernelSet& set, const SetNeeds& needs, const CodegenOptions& options) {
    set.target = options.target;
    set.tensor_cores = needs.tensor_cores;
    set.fast_math = set.tensor_cores && needs.coarse;
    set.panel_bytes = needs.in_float32 || !set.tensor_cores ? kPanelBytes : 0;
    set.warp_specialised = set.tensor_cores && has_warpgroups(options.target);
    set.threads = options.threads > 0    ? options.threads
                  : set.warp_specialised ? threads_for_warpgroups(needs)
                  : set.tensor_cores     ? threads_for_tensor_cores(needs)
                                         : threads_for(needs);
}

// Bytes that a thread block of a part leaves.
double part_bytes(const Splittable& what, const Generation& generation) {
    double bytes = 0;
    for (const Carried& one : what.carried) {
        const auto [rows, cols] = full_shape(one.temp, generation);
        bytes += 4.0 * static_cast<double>(rows * cols);
    }
    return bytes;
}

SplitAnswer best_parts(const Kernel& kernel, const Splittable& what, const Generation& generation,
                       const CodegenOptions& options, const KernelSet& set, const StateWork& work) {
    const std::optional<Split> two = split_into(what, 2, generation.program.dims);
    if (!two) return {};
    const Kernel parts = parts_of(kernel, *two);
    KernelWriter writer(generation, parts, "");
    const Launch& launch = writer.launch();
    return best_split({.kernel = kernel,
                       .program = generation.program,
                       .work = work,
                       .device = *options.device,
                       .shared_bytes = writer.tiles().shared_bytes(),
                       .threads = launch.threads,
                       .registers = expected_registers(parts, generation, launch),
                       .wgmma = writer.by_warpgroups(),
                       .computed_in = set.computed_in,
                       .part_bytes = part_bytes(what, generation),
                       .combine = options.combine},
                      what);
}

// For a comment: units are those of any compiler's character set.
std::string plain_text(std::string text) {
    const std::string micro = "\u00b5s";
    for (auto at = text.find(micro); at != std::string::npos; at = text.find(micro))
        text.replace(at, micro.size(), "us");
    for (char& c : text)
        if (c < ' ' || c > 126 || c == '\\') c = '?';
    return text;
}

// Which reductions are in parts, each with a note.
void choose_parts(std::vector<Planned>& kernels, const Generation& generation, const CodegenOptions& options,
                  KernelSet& set) {
    const bool by_model = options.parts == 0;
    if (by_model && !options.device) return;
    std::optional<StateWork> own_work;  // worked out for the first that needs it
    const auto work = [&]() -> const StateWork& {
        if (options.work) return options.work();
        if (!own_work) own_work = state_work(generation.program);
        return *own_work;
    };
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        options.stop.check();
        Kernel& kernel = kernels[i].kernel;
        const std::int64_t blocks = thread_blocks(kernel, generation.program.dims);
        if (by_model && static_cast<double>(blocks) >= 2 * options.device->processors.value) continue;
        const Splittable what = splittable(kernel, generation.program);
        SplitAnswer answer;
        if (by_model && what.why_not.empty())
            answer = best_parts(kernel, what, generation, options, set, work());
        else
            answer.split = split_into(what, options.parts, generation.program.dims);
        if (!by_model && answer.split)
            answer.split->adds = options.combine == Combine::Atomics && are_sums(what);
        kernel.split = answer.split;
        if (!options.text) continue;
        const std::string note = note_on_parts("kernel_" + std::to_string(i + 1), what, answer, blocks,
                                               by_model ? options.device : nullptr, generation.listing);
        if (note.empty()) continue;
        set.notes.push_back(note);
        if (options.combine == Combine::Atomics && kernel.split && !kernel.split->adds)
            set.notes.back() += " No atomics: more than sums is handed on.";
        set.lines.push_back({"// " + plain_text(set.notes.back()), kernel.node});
    }
}

ProductRules rules_of(const CodegenOptions& options, const Arrays& arrays) {
    ProductRules rules;
    rules.tensor_cores = has_tensor_cores(options.target);
    rules.tf32 = options.tf32;
    rules.eight_bits = has_eight_bits(options.target);
    rules.along_rows = [&](int buffer) {
        return arrays.plans.at(static_cast<std::size_t>(buffer)).col_step == 1;
    };
    return rules;
}

// What the user hears of types that the target's tensor cores do not have.
void add_type_notes(const LoopProgram& program, const Products& products, const CodegenOptions& options,
                    KernelSet& set) {
    if (has_tensor_cores(options.target) && products.any_in_float32()) {
        const bool all = !products.any_by_tensor_cores();
        set.notes.push_back(std::string(all ? "All" : "Some") +
                            " products are in float32, without tensor cores, as their operands are" +
                            (options.tf32 ? "." : "; in tf32 (operands of 11 bits) tensor cores take them."));
    }
    if (!set.tensor_cores || has_eight_bits(options.target)) return;
    for (const Buffer& buffer : program.buffers) {
        if (bytes_per_element(buffer.type.elem()) != 1) continue;
        set.notes.push_back("The tensor cores of " + to_string(options.target) + " have no products of " +
                            to_string(buffer.type.elem()) +
                            " (sm_89 and later have): operands become 16 bits wide.");
        return;
    }
}

}  // namespace

namespace {

// `too_large`: whether a problem is that sums leave its threads no registers.
Result<KernelSet> generate_once(const LoopProgram& program, const CodegenOptions& options, bool& too_large) {
    std::vector<Planned> kernels = planned(program, options.stop);
    const DeviceValues values(program);
    Arrays arrays = plan_arrays(program);
    options.stop.check();
    const Products products(program, values, shared_temps(kernels), rules_of(options, arrays));
    const std::set<int> delayed = delayed_products(program, products);
    KernelSet set;
    SetNeeds needs = needs_of(program, values, products, delayed, options);
    if (options.beside) needs = joined(needs, *options.beside);
    settle(set, needs, options);
    set.computed_in = products.other_types(values);
    Generation generation =
        generation_of(program, values, arrays, products, delayed, needs, set, options.stop);
    generation.scratch_bytes = scratch_bytes(needs, set);
    generation.shared_limit = shared_limit(set.target, options.device);
    generation.shared_of =
        generation.shared_limit < shared_limit(set.target) ? options.device->title : to_string(set.target);
    if (set.fast_math) generation.exponents = Exponents(program, values);
    generation.warp_specialised = set.warp_specialised;
    generation.stages = options.stages;
    generation.text = options.text;
    if (Problems problems = find_problems(generation, set.threads); !problems.empty()) return problems;
    if (options.parts != 1) choose_parts(kernels, generation, options, set);
    add_type_notes(program, products, options, set);
    if (Problems problems = write_kernels(kernels, generation, set, too_large); !problems.empty())
        return problems;
    if (options.reference && options.text) add_reference(kernels, program, values, options, set);
    set.arrays = arrays.arrays;
    return set;
}

}  // namespace

SetNeeds joined(const SetNeeds& a, const SetNeeds& b) {
    return {.tensor_cores = a.tensor_cores || b.tensor_cores,
            .in_float32 = a.in_float32 || b.in_float32,
            .coarse = a.coarse && b.coarse,
            .half_masks = a.half_masks || b.half_masks,
            .largest_block = std::max(a.largest_block, b.largest_block),
            .most_rows = std::max(a.most_rows, b.most_rows),
            .most_numbers = std::max(a.most_numbers, b.most_numbers),
            .longest_vector = std::max(a.longest_vector, b.longest_vector)};
}

SetNeeds set_needs(const LoopProgram& program, const CodegenOptions& options) {
    const std::vector<Planned> kernels = planned(program, options.stop);
    const DeviceValues values(program);
    const Arrays arrays = plan_arrays(program);
    const Products products(program, values, shared_temps(kernels), rules_of(options, arrays));
    return needs_of(program, values, products, delayed_products(program, products), options);
}

Result<KernelSet> generate(const LoopProgram& program, const CodegenOptions& options) {
    bool too_large = false;
    Result<KernelSet> set = generate_once(program, options, too_large);
    if (!too_large || options.threads > 0) return set;
    // More warpgroups than a product has rows for have the fewest registers each; two have the most.
    CodegenOptions of_two = options;
    of_two.threads = 256;
    Result<KernelSet> again = generate_once(program, of_two, too_large);
    return again ? again : set;
}

}  // namespace blockscope::gpu

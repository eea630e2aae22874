// Registers of a thread: what a launch on sm_90a gives to whom, and what is expected before anything is
// compiled.
#include <algorithm>
#include <array>

#include "core/print/print.h"
#include "gpu/codegen/check.h"
#include "gpu/codegen/kernel_writer.h"
#include "gpu/codegen/products.h"
#include "gpu/codegen/splits.h"

namespace blockscope::gpu {

// What each of so many threads can have: 65536 a multiprocessor, in steps of eight, and 255 at most.
int most_registers(int threads);

// Of a kernel with the launch's threads, as it is planned: the numbers of blocks that products have made and
// that are alive at once, and 64 for addresses, operands on their way and all else. Of kernels whose warps
// exchange registers exactly what their launch takes. Compilers differ by some tens; what comes out of one
// (KernelReport) replaces this.
int expected_registers(const Kernel& kernel, const Generation& generation, const Launch& launch);

namespace {

constexpr int kRegisters = 65536;  // of a multiprocessor
constexpr int kMostOfThread = 255;
constexpr int kStep = 8;
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
        bool from = operands_of(line).has_value();
        const std::vector<TempUse> uses = temps_of(line);
        for (const TempUse& use : uses) from = from || (!use.set && holds(use.temp));
        for (const TempUse& use : uses)
            if (use.set && from) ids_.insert(use.temp.id);
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

int expected_registers(const Kernel& kernel, const Generation& generation, const Launch& launch) {
    const int most = most_registers(launch.threads);
    if (launch.threads > generation.threads && registers_of(generation.threads).consumer > 0) return most;
    std::vector<const Statement*> lines = kernel.before;
    lines.insert(lines.end(), kernel.body.begin(), kernel.body.end());
    const FromProducts made(lines);
    const std::int64_t alive = most_alive(lines, generation.program, [&](Temp temp) -> std::int64_t {
        const Value& value = generation.values.of(temp);
        if (value.kind != Value::Kind::Block || generation.delayed.count(temp.id) > 0) return 0;
        const std::int64_t size = full_size(value.extents.axes, generation.program.dims);
        if (made.holds(temp)) return size;
        return generation.products.from_registers(temp) ? size / 2 : 0;  // as pairs of 16 bits
    });
    const std::int64_t each = (alive + generation.threads - 1) / generation.threads;
    return static_cast<int>(std::min<std::int64_t>(most, each + kOthers));
}

namespace {

std::map<const Statement*, std::string> listing_of(const LoopProgram& program) {
    const std::vector<ListingLine> lines = listing_lines(program);
    std::map<const Statement*, std::string> listing;
    std::size_t at = 0;
    for_each_statement(program.body, [&](const Statement& s) { listing[&s] = lines.at(at++).text; });
    return listing;
}

struct Planned {
    Kernel kernel;
    std::set<int> used;
    std::set<int> set;
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
        for (const int temp : one.used) ++users[temp];
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
    for (const auto& [temp, array] : workspaces)
        if (temps.count(temp) > 0) picked[temp] = array;
    return picked;
}

// Writes kernels into a set, one behind the other.
class KernelsOfSet {
public:
    KernelsOfSet(const Generation& generation, KernelSet& set) : generation_(generation), set_(set) {}

    Problems write(const Kernel& kernel, const std::string& name, const std::map<int, int>& taken,
                   const std::map<int, int>& left) {
        KernelWriter writer(generation_, kernel, name);
        if (Problems problems = find_large_kernels(generation_, writer.tiles(), set_.target);
            !problems.empty())
            return problems;
        writer.exchange(taken, left);
        for (SourceLine& line : writer.write()) set_.lines.push_back(std::move(line));
        set_.launches.push_back(writer.launch());
        set_.launches.back().registers = expected_registers(kernel, generation_, writer.launch());
        set_.wgmma.insert(writer.wgmma().begin(), writer.wgmma().end());
        if (const auto note = writer.note()) set_.notes.push_back(*note);
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
};

Problems write_kernels(const std::vector<Planned>& kernels, const Generation& generation, KernelSet& set) {
    const std::map<int, int> workspaces = add_workspaces(kernels, generation);
    std::set<int> before;  // set by earlier kernels
    KernelsOfSet all(generation, set);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        generation.stop.check();
        const Planned& one = kernels[i];
        const std::string name = "kernel_" + std::to_string(i + 1);
        std::set<int> taken;
        std::set_intersection(one.used.begin(), one.used.end(), before.begin(), before.end(),
                              std::inserter(taken, taken.end()));
        const std::map<int, int> given = pick(workspaces, taken);
        const bool alone = one.kernel.grid.empty();  // thread blocks of a grid leave nothing but arrays
        Problems problems = one.kernel.split
                                ? all.write_in_parts(one.kernel, name, given)
                                : all.write(one.kernel, name, given,
                                            alone ? pick(workspaces, one.set) : std::map<int, int>());
        if (!problems.empty()) return problems;
        before.insert(one.set.begin(), one.set.end());
    }
    return {};
}

std::vector<Planned> planned(const LoopProgram& program, const StopSign& stop) {
    std::vector<Planned> kernels;
    for (Kernel& kernel : cut_into_kernels(program)) {
        stop.check();
        const Scopes scopes(kernel);
        kernels.push_back({std::move(kernel), scopes.used(), scopes.set()});
    }
    return kernels;
}

// Temporaries that several kernels use.
std::set<int> shared_temps(const std::vector<Planned>& kernels) {
    std::set<int> once;
    std::set<int> shared;
    for (const Planned& one : kernels)
        for (const int temp : one.used)
            if (!once.insert(temp).second) shared.insert(temp);
    return shared;
}

// Shared memory for what threads tell each other: a number of each warp, a vector of rows, panels of products
// in float32.
std::int64_t scratch_bytes(const LoopProgram& program, const Values& values, const KernelSet& set) {
    std::int64_t bytes = std::max(set.panel_bytes, 128);
    for (int id = 1; id <= program.temps; ++id) {
        const Value& value = values.of({id});
        if (value.kind != Value::Kind::Rows) continue;
        const std::int64_t rows = program.dims.at(value.extents.axes.at(0).dim.value).block_size(0);
        bytes = std::max(bytes, 4 * (rows + set.threads / 2));  // with padding
    }
    return bytes;
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

// What a host checks the kernels with: the plain target's lines.
void add_reference(const std::vector<Planned>& kernels, const LoopProgram& program, const Values& values,
                   const CodegenOptions& options, KernelSet& set) {
    if (!set.tensor_cores) {
        set.reference_lines = set.lines;
        set.reference_launches = set.launches;
        return;
    }
    const Products products(program, values, {}, {});
    Arrays arrays = plan_arrays(program);
    const std::set<int> delayed;
    const Generation generation{program,     values,  arrays, listing_of(program),
                                products,    delayed, 0,      shared_limit(set.target),
                                set.threads, false,   0,      stores_half_masks(program),
                                options.stop};
    KernelSet plain;
    plain.target = set.target;
    write_kernels(kernels, generation, plain);
    set.reference_lines = std::move(plain.lines);
    set.reference_launches = std::move(plain.launches);
}

void settle(KernelSet& set, const LoopProgram& program, const Values& values, const Products& products,
            const CodegenOptions& options) {
    set.target = options.target;
    set.tensor_cores = products.any_by_tensor_cores();
    set.fast_math = set.tensor_cores && coarse(program);
    set.panel_bytes = products.any_in_float32() || !set.tensor_cores ? kPanelBytes : 0;
    set.warp_specialised = set.tensor_cores && has_warpgroups(options.target);
    set.threads = options.threads > 0    ? options.threads
                  : set.warp_specialised ? threads_for_warpgroups(program, values, products)
                  : set.tensor_cores     ? threads_for_tensor_cores(program, values, products)
                                         : threads_for(program, values);
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
                       const CodegenOptions& options, const StateWork& work) {
    const std::optional<Split> two = split_into(what, 2, generation.program.dims);
    if (!two) return {};
    const Kernel parts = parts_of(kernel, *two);
    const KernelWriter writer(generation, parts, "");
    return best_split({kernel, generation.program, work, *options.device, writer.tiles().shared_bytes(),
                       writer.launch().threads, expected_registers(parts, generation, writer.launch()),
                       part_bytes(what, generation), options.combine},
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
    const StateWork work = by_model ? state_work(generation.program) : StateWork();
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        options.stop.check();
        Kernel& kernel = kernels[i].kernel;
        const std::int64_t blocks = thread_blocks(kernel, generation.program.dims);
        if (by_model && static_cast<double>(blocks) >= 2 * options.device->processors.value) continue;
        const Splittable what = splittable(kernel, generation.program);
        SplitAnswer answer;
        if (by_model && what.why_not.empty())
            answer = best_parts(kernel, what, generation, options, work);
        else
            answer.split = split_into(what, options.parts, generation.program.dims);
        if (!by_model && answer.split)
            answer.split->adds = options.combine == Combine::Atomics && are_sums(what);
        kernel.split = answer.split;
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

Result<KernelSet> generate(const LoopProgram& program, const CodegenOptions& options) {
    std::vector<Planned> kernels = planned(program, options.stop);
    const Values values(program);
    Arrays arrays = plan_arrays(program);
    options.stop.check();
    const Products products(program, values, shared_temps(kernels), rules_of(options, arrays));
    const std::set<int> delayed = delayed_products(program, products);
    KernelSet set;
    settle(set, program, values, products, options);
    const Generation generation{program,
                                values,
                                arrays,
                                listing_of(program),
                                products,
                                delayed,
                                scratch_bytes(program, values, set),
                                shared_limit(options.target),
                                set.threads,
                                set.warp_specialised,
                                options.stages,
                                stores_half_masks(program),
                                options.stop};
    if (Problems problems = find_problems(generation, set.threads); !problems.empty()) return problems;
    if (options.parts != 1) choose_parts(kernels, generation, options, set);
    add_type_notes(program, products, options, set);
    if (Problems problems = write_kernels(kernels, generation, set); !problems.empty()) return problems;
    add_reference(kernels, program, values, options, set);
    set.arrays = arrays.arrays;
    return set;
}

}  // namespace blockscope::gpu

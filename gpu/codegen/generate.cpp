#include <algorithm>

#include "core/print/print.h"
#include "gpu/codegen/check.h"
#include "gpu/codegen/delays.h"
#include "gpu/codegen/kernel_writer.h"

namespace blockscope::gpu {

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

// Temporaries that more than one kernel uses live in a workspace between them.
std::map<int, int> add_workspaces(const std::vector<Planned>& kernels, const Generation& generation) {
    std::map<int, int> users;
    for (const Planned& one : kernels)
        for (const int temp : one.used) ++users[temp];
    std::map<int, int> workspaces;
    for (const auto& [id, count] : users) {
        if (count < 2) continue;
        std::array<std::int64_t, 2> shape{1, 1};
        const std::vector<Extent>& axes = generation.values.of({id}).extents.axes;
        for (std::size_t axis = 0; axis < axes.size(); ++axis)
            shape.at(axis) = generation.program.dims.at(axes[axis].dim.value).block_size(0);
        workspaces[id] = generation.arrays.add_workspace(id, shape[0], shape[1]);
    }
    return workspaces;
}

std::map<int, int> pick(const std::map<int, int>& workspaces, const std::set<int>& temps) {
    std::map<int, int> picked;
    for (const auto& [temp, array] : workspaces)
        if (temps.count(temp) > 0) picked[temp] = array;
    return picked;
}

Problems write_kernels(const std::vector<Planned>& kernels, const Generation& generation, KernelSet& set) {
    const std::map<int, int> workspaces = add_workspaces(kernels, generation);
    std::set<int> before;  // set by earlier kernels
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const Planned& one = kernels[i];
        KernelWriter writer(generation, one.kernel, "kernel_" + std::to_string(i + 1));
        if (Problems problems = find_large_kernels(generation, writer.tiles(), set.target); !problems.empty())
            return problems;
        std::set<int> taken;
        std::set_intersection(one.used.begin(), one.used.end(), before.begin(), before.end(),
                              std::inserter(taken, taken.end()));
        std::map<int, int> left = pick(workspaces, one.set);
        const bool alone = one.kernel.grid.empty();  // thread blocks of a grid leave nothing but arrays
        writer.exchange(pick(workspaces, taken), alone ? left : std::map<int, int>());
        for (SourceLine& line : writer.write()) set.lines.push_back(std::move(line));
        set.launches.push_back(writer.launch());
        set.wgmma.insert(writer.wgmma().begin(), writer.wgmma().end());
        if (const auto note = writer.note()) set.notes.push_back(*note);
        before.insert(one.set.begin(), one.set.end());
    }
    return {};
}

std::vector<Planned> planned(const LoopProgram& program) {
    std::vector<Planned> kernels;
    for (Kernel& kernel : cut_into_kernels(program)) {
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

// What a host checks the kernels with: the plain target's lines.
void add_reference(const std::vector<Planned>& kernels, const LoopProgram& program, const Values& values,
                   KernelSet& set) {
    if (!set.tensor_cores) {
        set.reference_lines = set.lines;
        set.reference_launches = set.launches;
        return;
    }
    const Products products(program, values, {}, false, false);
    Arrays arrays = plan_arrays(program);
    const std::set<int> delayed;
    const Generation generation{program,    values,  arrays, listing_of(program),
                                products,   delayed, 0,      shared_limit(set.target),
                                set.threads};
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

}  // namespace

Result<KernelSet> generate(const LoopProgram& program, const CodegenOptions& options) {
    const std::vector<Planned> kernels = planned(program);
    const Values values(program);
    const Products products(program, values, shared_temps(kernels), has_tensor_cores(options.target),
                            options.tf32);
    const std::set<int> delayed = delayed_products(program, products);
    Arrays arrays = plan_arrays(program);
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
                                set.warp_specialised};
    if (Problems problems = find_problems(generation, set.threads); !problems.empty()) return problems;
    if (Problems problems = write_kernels(kernels, generation, set); !problems.empty()) return problems;
    add_reference(kernels, program, values, set);
    set.arrays = arrays.arrays;
    return set;
}

}  // namespace blockscope::gpu

#include <algorithm>

#include "core/print/print.h"
#include "gpu/codegen/check.h"
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

void write_kernels(const std::vector<Planned>& kernels, const Generation& generation, KernelSet& set) {
    const std::map<int, int> workspaces = add_workspaces(kernels, generation);
    std::set<int> before;  // set by earlier kernels
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const Planned& one = kernels[i];
        KernelWriter writer(generation, one.kernel, "kernel_" + std::to_string(i + 1));
        std::set<int> taken;
        std::set_intersection(one.used.begin(), one.used.end(), before.begin(), before.end(),
                              std::inserter(taken, taken.end()));
        std::map<int, int> left = pick(workspaces, one.set);
        const bool alone = one.kernel.grid.empty();  // thread blocks of a grid leave nothing but arrays
        writer.exchange(pick(workspaces, taken), alone ? left : std::map<int, int>());
        for (SourceLine& line : writer.write()) set.lines.push_back(std::move(line));
        set.launches.push_back(writer.launch());
        before.insert(one.set.begin(), one.set.end());
    }
}

}  // namespace

std::string to_string(Target target) {
    switch (target) {
        case Target::F32:
            return "f32";
    }
    throw InternalError("unknown target");
}

Result<KernelSet> generate(const LoopProgram& program, const CodegenOptions& options) {
    const Values values(program);
    Arrays arrays = plan_arrays(program);
    const Generation generation{program, values, arrays, listing_of(program)};
    KernelSet set;
    set.target = options.target;
    set.threads = options.threads > 0 ? options.threads : threads_for(program, values);
    if (Problems problems = find_problems(generation, set.threads); !problems.empty()) return problems;
    std::vector<Planned> kernels;
    for (Kernel& kernel : cut_into_kernels(program)) {
        const Scopes scopes(kernel);
        kernels.push_back({std::move(kernel), scopes.used(), scopes.set()});
    }
    write_kernels(kernels, generation, set);
    for (Launch& launch : set.launches) launch.shared_bytes = kPlainSharedBytes;
    set.arrays = arrays.arrays;
    return set;
}

}  // namespace blockscope::gpu

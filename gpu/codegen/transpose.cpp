// The one miscellaneous operator that is Blockscope's own.
#include "core/exec/array_layout.h"
#include "gpu/codegen/kernel_writer.h"

namespace blockscope::gpu {

namespace {

// What `given` leading indices leave of a buffer's list.
Type rest_of(const Buffer& buffer, std::size_t given) {
    return buffer_type(buffer).element(static_cast<int>(given));
}

std::string counter(int i) {
    return "j_" + std::to_string(i);
}

// The address of the block that counters j_0, j_1, ... name among the indices from `first` on.
std::string with_counters(const ArrayPlan& plan, std::size_t first, const std::vector<int>& counters) {
    std::string text;
    for (std::size_t i = 0; i < counters.size(); ++i)
        text += " + " + counter(counters[i]) + " * " + std::to_string(plan.steps.at(first + i)) + "LL";
    return text;
}

std::string counted_extent(const Dim& dim, int index) {
    if (index < 0 || dim.size % dim.block == 0) return std::to_string(dim.block_size(0));
    return "extent(" + counter(index) + ", " + std::to_string(dim.size) + ", " + std::to_string(dim.block) +
           ")";
}

}  // namespace

// Whole arrays, or what leading indices select of them, block by block: out[..., n, m] = in[..., m, n].T
void KernelWriter::transpose(const Statement& at, const CallMisc& s) {
    const LoopProgram& program = generation_.program;
    const auto out_buffer = static_cast<std::size_t>(s.outputs.at(0));
    const auto in_buffer = static_cast<std::size_t>(s.inputs.at(0));
    const ArrayPlan& out = generation_.arrays.plans.at(out_buffer);
    const ArrayPlan& in = generation_.arrays.plans.at(in_buffer);
    const Type type = rest_of(program.buffers[out_buffer], s.at.at(0).size());
    const ArrayLayout layout = array_layout(type, false, program.dims);
    std::vector<int> counters;
    line("sync();", at.node);
    for (int i = 0; i < type.rank(); ++i) {
        counters.push_back(i);
        const std::int64_t blocks = program.dims.at(type.dim(i).value).blocks();
        line("for (int " + counter(i) + " = 0; " + counter(i) + " < " + std::to_string(blocks) + "; ++" +
                 counter(i) + ")",
             at.node);
        ++depth_;
    }
    std::vector<int> swapped = counters;
    if (layout.row_list >= 0 && layout.col_list >= 0)
        std::swap(swapped[swapped.size() - 1], swapped[swapped.size() - 2]);
    const std::string to =
        address(s.outputs.at(0), s.at.at(0)) + with_counters(out, s.at.at(0).size(), counters);
    const std::string from =
        address(s.inputs.at(0), s.at.at(1)) + with_counters(in, s.at.at(1).size(), swapped);
    line("transpose(" + to + ", " + std::to_string(out.row_step) + ", " + std::to_string(out.col_step) +
             ", " + from + ", " + std::to_string(in.row_step) + ", " + std::to_string(in.col_step) + ", " +
             counted_extent(program.dims.at(type.item().rows.value), layout.row_list) + ", " +
             counted_extent(program.dims.at(type.item().cols.value), layout.col_list) + ");",
         at.node, &at);
    depth_ -= type.rank();
    line("sync();", at.node);
}

}  // namespace blockscope::gpu

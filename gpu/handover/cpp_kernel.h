// One kernel of a loop program as a C++ function; cpp_source.cpp puts them together.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/cost/terms.h"
#include "core/loops/loop_program.h"
#include "gpu/codegen/kernels.h"
#include "gpu/codegen/values.h"

namespace blockscope::gpu {

// What all kernels of a program share.
struct Generated {
    Generated(const LoopProgram& program, std::string name);

    const LoopProgram& program;
    std::string name;  // of the function; those of kernels begin with it
    TempExtents extents;
    Arrays arrays;  // intermediates in float32
    Listing listing;
    std::vector<int> makers;           // by temporary: how many lines set it
    std::vector<const Load*> loaders;  // by temporary: the last load of it, if there is one

    std::size_t axes(Temp temp) const { return extents.of(temp).axes.size(); }
    std::int64_t longest(Temp temp, std::size_t axis) const;
    std::string shared_type() const { return name + "_shared"; }
    std::string type_of(Temp temp) const;     // "Block<128, 64>", "float"
    std::string pointer(int buffer) const;    // "b_Q"; "b_V", too, of one that is read transposed
    std::string parameter(int buffer) const;  // "const bf16* b_Q"
    bool is_mask(int buffer) const;
};

class CppKernel {
public:
    // `shared`: temporaries that other kernels name, too.
    CppKernel(const Generated& generated, const Kernel& kernel, std::string name,
              const std::set<int>& shared);

    std::string text() const;
    std::string call() const;
    const std::set<int>& buffers() const { return buffers_; }  // that it is given

private:
    void line(const std::string& text, const Statement* statement = nullptr);
    void statement(const Statement& statement);
    void loop(const Statement& at, const Loop& loop);
    void open_grid();
    std::string loop_head(const Loop& loop) const;
    void begin_of_memory();

    void write(const Statement& at, const Load& s);
    void write(const Statement& at, const Store& s);
    void write(const Statement& at, const Compute& s);
    void write(const Statement& at, const Evaluate& s);
    void write(const Statement& at, const Accumulate& s);
    void write(const Statement& at, const Initialise& s);
    void write(const Statement& at, const Assign& s);
    void write(const Statement& at, const CallMisc& s);
    void write(const Statement& at, const LoopPtr& s) { loop(at, *s); }

    // `op` of the operands, written to the value or added to it.
    void apply(const Statement& at, FunctionalOp op, Temp to, const std::vector<Temp>& args, bool add);
    void copied(const Statement& at, Temp to, Temp from, bool add);

    std::string view_type(const Load& load) const;  // "View<bf16, 128, 1>", "Causal"
    std::string viewed(const Load& load);           // "{b_Q + i_m * 16384LL, 128, 64}"
    bool is_view(Temp temp) const;
    bool is_scalar(Temp temp) const { return of_.axes(temp) == 0; }
    std::string address(int buffer, const std::vector<Index>& at);
    std::string index(const Index& index) const;
    std::string extent(const Extent& extent) const;
    std::string shape(Temp temp) const;  // "Shape{128, 64}"

    const Generated& of_;
    const Kernel& kernel_;
    std::string name_;
    const std::set<int>& shared_;
    std::set<int> stored_;   // buffers
    std::set<int> buffers_;  // that it reads or stores to
    std::vector<LoopVar> vars_;
    int depth_ = 1;
    std::string lines_;
};

}  // namespace blockscope::gpu

// Writes one kernel, statement by statement: a line of the listing is one call of the tile library.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/loops/loop_program.h"
#include "core/support/stop_sign.h"
#include "gpu/codegen/exponents.h"
#include "gpu/codegen/kernels.h"
#include "gpu/codegen/tile_plan.h"
#include "gpu/codegen/values.h"

namespace blockscope::gpu {

std::string named(Temp temp);  // "t7": the variable that holds it

std::string literal(double value);  // of float: "0.125f", "-INFINITY_F"

// An elementwise expression in float32; `args` stand for the inputs. Parts without arguments are computed
// here, in double precision. `applied` is one primitive's expression of CUDA with its arguments in their
// places.
std::string to_cuda(const Expr& expr, const std::vector<std::string>& args, const DimTable& dims);
std::string applied(Fn fn, const std::string& a, const std::string& b);

// "i_m". Letters, digits and _ only, whatever the dimension is called; two of one spelling are told apart by
// number.
std::string variable(const LoopVar& var, const DimTable& dims);

// A line of the listing holds names from the file: nothing in them may end the comment.
std::string comment(const std::string& text);

// What all kernels of a program share.
struct Generation {
    const LoopProgram& program;
    const DeviceValues& values;
    Arrays& arrays;
    const Listing listing;
    const Products& products;
    const std::set<int>& delayed;  // products that are computed where they are added
    const MaskBlocks masks;
    Exponents exponents = {};
    std::int64_t scratch_bytes = 0;  // shared memory of everything but tiles
    std::int64_t shared_limit = 0;   // of a thread block
    std::string shared_of = {};      // the target or the device that has no more
    int threads = 0;                 // that compute
    bool warp_specialised = false;   // kernels may have threads that only copy
    bool tensor_cores = false;       // the set has products for them
    int stages = 0;                  // of tiles that are copied ahead, at most; 0: as many as suit
    // Whether scores with a causal mask may pass through arrays of f16, which has no -1e30. Half of its
    // smallest number is as good as that for an exponential, and leaves room for the scores.
    bool half_masks = false;
    bool text = true;                   // else launches alone are wanted
    const StopSign& stop = kNeverStop;  // asked for each statement
};

// Threads behind those that compute; one of them copies.
constexpr int kProducerThreads = 128;

// What setmaxnreg leaves to each thread where so many compute; 0 where it is not needed.
struct Registers {
    int producer = 0;
    int consumer = 0;
};
Registers registers_of(int threads);

class KernelWriter {
public:
    KernelWriter(const Generation& generation, const Kernel& kernel, std::string name);

    // Temporaries that other kernels leave for this one, and that it leaves for others: their workspaces.
    void exchange(std::map<int, int> taken, std::map<int, int> left);

    // The kernel's lines.
    std::vector<SourceLine> write();
    const Launch& launch() const { return launch_; }  // its arrays after write()
    const TilePlan& tiles() const { return tiles_; }
    const std::set<WgmmaShape>& wgmma() const { return wgmma_; }  // after write()
    bool by_warpgroups() const { return !rings_.empty(); }        // its products; else each warp for itself
    // Why the kernel has no thread that copies, where the target has such; a full sentence.
    std::optional<std::string> note() const;

private:
    // Lines (kernel_writer.cpp).
    void line(const std::string& text, NodeId node = {}, const Statement* statement = nullptr);
    void signature();
    void open_grid();
    void take_workspaces();
    void leave_workspaces();
    std::string from_workspace(Temp temp, int array, const std::string& offset) const;
    std::string steps_of(Temp temp, int array) const;  // of a store to it

    // Reductions in parts (parts.cpp).
    bool is_part() const { return kernel_.split && !kernel_.split->combines; }
    bool in_parts(const Loop& loop) const { return is_part() && kernel_.split->loop == &loop; }
    std::string first_of(const Loop& loop) const;  // the bounds of a loop
    std::string end_of(const Loop& loop) const;
    std::string visible(const Loop& loop) const;  // of one with the bounds of a causal mask
    std::string hidden(const Loop& loop) const;
    std::string mask_sizes(const Loop& loop) const;
    void plan_parts(const Split& split);
    std::int64_t blocks_of_part() const { return launch_.tiles / launch_.parts; }
    std::int64_t size_in_part(int array) const;  // numbers that a thread block leaves in a workspace
    void open_part();
    void leave_parts();
    void take_parts();
    void take_sums();
    void take_part(const Carried& one);
    void scale_part(const Carried& one);
    void statements(const std::vector<const Statement*>& list);
    void statement(const Statement& statement);
    void loop(const Statement& statement, const Loop& loop);
    std::string declaration(Temp temp);

    void open_loop(const Loop& loop, NodeId node, const Statement* statement);
    void close_loop(NodeId node);

    // One statement of each kind (statements.cpp).
    void write(const Statement& at, const Load& s);
    void write(const Statement& at, const Store& s);
    void write(const Statement& at, const Compute& s);
    void write(const Statement& at, const Evaluate& s);
    void write(const Statement& at, const Accumulate& s);
    void write(const Statement& at, const Initialise& s);
    void write(const Statement& at, const Assign& s);
    void write(const Statement& at, const CallMisc& s);
    void write(const Statement& at, const LoopPtr& s) { loop(at, *s); }
    void assign(const Statement& at, Temp to, const std::string& value);
    std::string applied(const Statement& at, FunctionalOp op, const std::vector<Temp>& args) const;
    std::string mapped(const Expr& expr, const std::vector<Temp>& args,
                       std::optional<ElemType> cast = {}) const;
    std::string where_masked(const Statement& at, const std::vector<Temp>& args,
                             const std::string& all) const;
    std::string shifted_exponential(const std::vector<Temp>& args) const;
    std::string zeros(Temp mask) const;
    // "dot(t4, t5_tile)"
    std::string product(const Statement& at, const std::string& call, const std::string& before, Temp left,
                        Temp right) const;
    std::string filled(Temp temp, double value) const;

    bool in_pairs(const Store& s) const;

    // Tiles in shared memory (tiles.cpp).
    void load_tile(const Statement& at, const Load& s, const TileSlot& slot);
    void copy(const TileSlot& slot);  // the line that starts it
    std::string tile(const TileSlot& slot, Temp temp) const;
    int bytes_at_once(const TileSlot& slot) const;
    void copy_at_start();
    void wait_for_start();
    std::string open_pipeline(const Loop& loop);  // the name of what copies the tiles of an iteration
    void continue_pipeline(const Loop& loop, const std::string& copies);

    // Tiles that a thread of its own brings.
    struct Ring {
        std::string name;
        std::string map;  // the parameter
        std::int64_t barriers = 0;
        Box box;
    };
    struct Reason {
        const Statement* at = nullptr;
        std::string why;
    };
    TileSources sources() const;
    void choose_form();
    std::optional<Reason> reason_against_rings() const;
    void name_rings(std::map<const Statement*, Box> boxes);
    const Ring* ring(const TileSlot& slot) const;  // null if there is none
    void open_rings();
    void produce(const std::vector<const Statement*>& body, const Loop* owner);
    void produce_loop(const Statement& at, const Loop& loop);
    bool feeds(const Loop& loop) const;
    void fill(const TileSlot& slot);
    const Statement& last_reader(const Loop& loop, const TileSlot& slot) const;
    bool reads_any(const Statement& line, std::set<int>& temps) const;
    void release_rings(const Loop& loop, const Statement& behind);

    // Names, types and places.
    std::string type_of(Temp temp) const;
    std::string operand(Temp temp) const;  // of dot: the view if there is one
    std::string columns(Temp temp) const;  // a vector along columns
    std::string variable(const LoopVar& var) const { return gpu::variable(var, generation_.program.dims); }
    std::string index(const Index& index) const;
    std::string address(int buffer, const std::vector<Index>& at);
    std::string view_of(Temp temp, int buffer, const std::vector<Index>& at);
    std::string axis_extent(const Extent& extent) const;
    std::string extents_of(Temp temp) const;  // "128, extent(i_d, 100, 64)"
    std::int64_t longest(Temp temp, std::size_t axis) const;

    int parameter(int array);  // takes the array as a parameter
    void transpose(const Statement& at, const CallMisc& s);

    const Generation& generation_;
    const Kernel& kernel_;
    std::optional<Scopes> scopes_;  // from write() on
    Launch launch_;
    std::map<int, int> taken_, left_;  // temporary -> workspace
    std::set<int> stored_;             // buffers that the kernel stores to
    std::set<int> declared_;
    std::vector<LoopVar> vars_;  // loops around the present line
    TilePlan tiles_;
    std::map<const TileSlot*, Ring> rings_;  // empty: the kernel is as for sm_80
    std::optional<Reason> why_not_;
    mutable std::set<WgmmaShape> wgmma_;
    std::vector<std::pair<LoopVar, int>> fixed_;  // variables that stand for a number here
    bool start_pending_ = false;                  // tiles that were copied at the start may not be there yet
    int pipelines_ = 0;
    std::vector<SourceLine> lines_;
    int depth_ = 1;
};

// What cannot be generated, before anything is.

// The threads of a thread block that suit the program's blocks.
int threads_for(const SetNeeds& needs);
// The same with tensor cores: a warp for each 16 or 32 rows, so that accumulators fit its registers.
int threads_for_tensor_cores(const SetNeeds& needs);

// The same in groups of four warps, which take 64 rows at once.
int threads_for_warpgroups(const SetNeeds& needs);

// Operators without a CUDA form and values that do not fit a thread block, each with its line of the listing.
Problems find_problems(const Generation& generation, int threads);

// A kernel whose tiles do not fit the target, if there is one.
Problems find_large_kernels(const Generation& generation, const TilePlan& tiles, Target target);

// Shared memory of products in float32: panels of two operands.
constexpr int kPanelBytes = 48 * 1024;

}  // namespace blockscope::gpu

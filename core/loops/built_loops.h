// From the paper's loops to those that are built: pure functions from one loop program to another of the same
// meaning. Fused attention with D and L in one block loads Q once for each block of rows:
//
//     forall m in range(M):            forall m in range(M):
//       forall l in range(L):            t1 = load(Q[m,0])
//         for n in range(N):             for n in range(N):
//           for d in range(D):             t2 = load(K[n,0])
//             t1 = load(Q[m,d])            t3 = dot(t1,t2)
//             t2 = load(K[n,d])            ...
//             t3 += dot(t1,t2)
//           ...
//
// The listing, the counts, the processor's engine and CUDA all take built loops (core/state); what they do
// need not be found out again by any of them.
#pragma once

#include "core/loops/loop_program.h"

namespace blockscope {

// All passes below, in their order, until nothing changes; temporaries and intermediates numbered anew.
LoopProgram built(LoopProgram program);

// Whether built() makes the same loops of the program with other blocks, those of `dims`, and the same values
// are alive when: sizes are the same, each dimension has one block, two or more as before, and causal masks
// that hid blocks still do. `loops` are built of the program already.
bool same_loops(const LoopProgram& loops, const DimTable& dims);

// Loops over one block become their bodies: the variable is index 0, and a sum of one summand is that
// summand. A peeled loop over one block runs never and goes, unless it has sums, which are zero behind it.
// Top-level statements are kernels: a loop there stays, unless all that it holds is another loop, which takes
// its place.
LoopProgram without_single_loops(LoopProgram program);

// A load of what a line above it, in the same iteration of the same loops, has loaded or stored takes that
// value. Kernels hand nothing on but arrays. The result of a cast to a narrower type is loaded again, as its
// array rounds it, unless products alone read what is loaded: whoever generates kernels rounds where the cast
// is.
LoopProgram with_values_kept(LoopProgram program);

// What is an input in float32 is not stored to be loaded again by the same kernel: the input is, and cast
// once more, which moves at most as much. Inputs of fewer bits than that are what norms in float32 begin
// with.
LoopProgram with_casts_repeated(LoopProgram program);

// An array that one kernel alone stores and loads has the fewest bits that casts beside it leave of its
// numbers. What is cast to more bits, and then stored, is stored before the cast, which each load repeats:
// in bf16, as a kernel of its own would store it, and in f16 what is rounded already. What is loaded only to
// be cast to fewer bits is cast where it is stored. That holds for blocks, as generated kernels keep other
// items in float32, and for 8 bits only where products alone read them.
LoopProgram with_narrow_arrays(LoopProgram program);

// Loads leave loops that neither index them nor store to their buffers. They stay in kernels and in loops of
// thread blocks (core/loops/loop_program.h).
LoopProgram with_loads_moved_out(LoopProgram program);

// Without what nobody sees: stores to intermediates that nothing loads, temporaries that nothing reads, loops
// that hold nothing.
LoopProgram without_dead_lines(LoopProgram program);

// Serial loops over the columns of a causal mask run over the blocks that a row sees (Loop::bounds), where
// the other iterations change nothing (docs/decisions/causal-loops.md).
LoopProgram with_causal_bounds(LoopProgram program);

}  // namespace blockscope

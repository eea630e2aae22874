// Programs that have a name of their own, recognised by what their loops compute, not by what they are
// called.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/loops/loop_program.h"
#include "core/state/state.h"
#include "core/support/text.h"

namespace blockscope {

// A loop that carries a running maximum and a running sum of exponentials, rescaled whenever the maximum
// grows:
//
//     m' = max(m, row_max(s))    l' = l*exp(m-m') + row_sum(exp(s-m'))    acc' = acc*exp(m-m') + exp(s-m') @
//     v
struct OnlineSoftmax {
    NodeId loop;
    Temp maximum;                     // m
    Temp sum;                         // l
    std::optional<Temp> accumulator;  // acc; none: the weights are not multiplied in this loop
    Temp rescale;                     // exp(m-m')
    // The operators that make the next values of these, and the factor.
    NodeId maximum_node, sum_node, accumulator_node, rescale_node;
};
std::vector<OnlineSoftmax> online_softmaxes(const LoopProgram& program);

// "m", "l", "acc" and "rescale", by the operators of the safe program that make them; empty if there is no
// online softmax.
std::map<NodeId, std::string> online_names(const State& safe);

// A loop over keys that computes scores, takes their exponentials, and adds up both their sums and their
// products with values, in one pass, while scores and exponentials stay in local memory; what it adds up is
// divided by the sums afterwards (Dao et al., FlashAttention). Of the form without safety or the safe one.
struct FlashAttention {
    NodeId loop;
    DimId over;        // the keys
    std::string keys;  // buffers that the loop reads
    std::string values;
    bool online = false;  // its softmax is online: the safe form
};
std::vector<FlashAttention> flash_attentions(const LoopProgram& program);

// "This is Flash Attention: 538 MB → 102 MB, kernels 7 → 1, loops over N (K and VT) 6 → 1." Of a
// state and the unfused one; empty if it is not. What a kernel that people use has besides stands in
// real_kernel_adds().
Text flash_attention_text(const State& unfused, const State& state);
// "This is online softmax: t3 is the running maximum m, ..." of a state in the safe form; empty if there is
// none.
Text online_softmax_text(const State& safe);
// The same in the names that a picture of the safe form has: "m is the running maximum, ...".
Text online_softmax_legend(const State& safe);
Text real_kernel_adds(const State& state);

// Loops over a dimension in the listing: each is a pass over the arrays that have it.
int passes_over(const LoopProgram& program, DimId dim);

}  // namespace blockscope

// The core's sentences as phrases, for translators and for recognising them. Where two fit, the first counts.
// tests/window/words_test.cpp finds sentences that are missing here.
#include <QtGlobal>

#include "app/words/words.h"

namespace blockscope {

const std::vector<Phrase>& names() {
    static const std::vector<Phrase> kNames = {
        // Operators.
        {QT_TRANSLATE_NOOP("Core", "the input port %1")},
        {QT_TRANSLATE_NOOP("Core", "the output port %1")},
        {QT_TRANSLATE_NOOP("Core", "the input %1")},
        {QT_TRANSLATE_NOOP("Core", "the output %1")},
        {QT_TRANSLATE_NOOP("Core", "the sum over %1 %2")},
        {QT_TRANSLATE_NOOP("Core", "the max over %1 %2")},
        {QT_TRANSLATE_NOOP("Core", "the elementwise operator %1 (%2)")},
        {QT_TRANSLATE_NOOP("Core", "the miscellaneous operator %1 (%2)")},
        {QT_TRANSLATE_NOOP("Core", "the operator %1 (%2)")},
        {QT_TRANSLATE_NOOP("Core", "the %1-map %2 (%3)")},
        {QT_TRANSLATE_NOOP("Core", "a long expression")},
        // Situations of rules 6 and 7.
        {QT_TRANSLATE_NOOP("Core", "its inner map iterates over what the outer map makes")},
        {QT_TRANSLATE_NOOP("Core", "its inner map and the outer map iterate over the same input")},
        {QT_TRANSLATE_NOOP("Core", "its inner map and the outer map iterate over the same value")},
        // What a rule needs to be asked about.
        {QT_TRANSLATE_NOOP("Core", "two maps, a producer and its consumer")},
        {QT_TRANSLATE_NOOP("Core", "two maps with a common parent")},
        {QT_TRANSLATE_NOOP("Core", "a map and the reduction of its result")},
        {QT_TRANSLATE_NOOP("Core", "a map of %1 and the matrix multiplication that takes its result")},
        {QT_TRANSLATE_NOOP("Core", "a map of %1 (and, if you like, its consumers)")},
        {QT_TRANSLATE_NOOP("Core", "the map to extend (and, if you like, the outer map)")},
        {QT_TRANSLATE_NOOP("Core", "the map to peel (and, if you like, the outer map)")},
        {QT_TRANSLATE_NOOP("Core", "two elementwise operators, a producer and its only consumer")},
        // Operators in the outline.
        {QT_TRANSLATE_NOOP("Core", "sum over %1")},
        {QT_TRANSLATE_NOOP("Core", "max over %1")},
        // Roles of nodes in a match.
        {QT_TRANSLATE_NOOP("Core", "producer")},
        {QT_TRANSLATE_NOOP("Core", "consumer")},
        {QT_TRANSLATE_NOOP("Core", "first")},
        {QT_TRANSLATE_NOOP("Core", "second")},
        {QT_TRANSLATE_NOOP("Core", "map")},
        {QT_TRANSLATE_NOOP("Core", "reduction")},
        {QT_TRANSLATE_NOOP("Core", "scale")},
        {QT_TRANSLATE_NOOP("Core", "shift")},
        {QT_TRANSLATE_NOOP("Core", "matmul")},
        {QT_TRANSLATE_NOOP("Core", "extended")},
        {QT_TRANSLATE_NOOP("Core", "peeled")},
        {QT_TRANSLATE_NOOP("Core", "outer")},
        // What a box of a picture is.
        {QT_TRANSLATE_NOOP("Core", "causal mask %1: %2")},
        {QT_TRANSLATE_NOOP("Core", "input %1: %2 (%3 read transposed), %4")},
        {QT_TRANSLATE_NOOP("Core", "input %1: %2")},
        {QT_TRANSLATE_NOOP("Core", "output %1: %2")},
        {QT_TRANSLATE_NOOP("Core", "operator %1: %2")},
        {QT_TRANSLATE_NOOP("Core", "elementwise %1: %2, rounded to %3")},
        {QT_TRANSLATE_NOOP("Core", "elementwise %1: %2")},
        {QT_TRANSLATE_NOOP("Core", "reduction %1: sum over %2")},
        {QT_TRANSLATE_NOOP("Core", "reduction %1: maximum over %2")},
        {QT_TRANSLATE_NOOP("Core", "opaque operator %1: %2")},
        {QT_TRANSLATE_NOOP("Core", "serial map %1 over %2: %3")},
        {QT_TRANSLATE_NOOP("Core", "serial map %1 over %2")},
        {QT_TRANSLATE_NOOP("Core", "maps %1 over %2: %3")},
        {QT_TRANSLATE_NOOP("Core", "maps %1 over %2")},
        {QT_TRANSLATE_NOOP("Core", "map %1 over %2: %3")},
        {QT_TRANSLATE_NOOP("Core", "map %1 over %2")},
        {QT_TRANSLATE_NOOP("Core", "input %1")},
        {QT_TRANSLATE_NOOP("Core", "output %1")},
        // Terms of time models, and what is being measured.
        {QT_TRANSLATE_NOOP("Core", "matrix")},
        {QT_TRANSLATE_NOOP("Core", "vector")},
        {QT_TRANSLATE_NOOP("Core", "special")},
        {QT_TRANSLATE_NOOP("Core", "moves")},
        {QT_TRANSLATE_NOOP("Core", "calls")},
        {QT_TRANSLATE_NOOP("Core", "idle")},
        {QT_TRANSLATE_NOOP("Core", "tasks")},
        {QT_TRANSLATE_NOOP("Core", "launch")},
        {QT_TRANSLATE_NOOP("Core", "packing")},
        {QT_TRANSLATE_NOOP("Core", "fill")},
        {QT_TRANSLATE_NOOP("Core", "combine")},
        {QT_TRANSLATE_NOOP("Core", "atomics")},
        {QT_TRANSLATE_NOOP("Core", "shared")},
        {QT_TRANSLATE_NOOP("Core", "compute")},
        {QT_TRANSLATE_NOOP("Core", "memory")},
        {QT_TRANSLATE_NOOP("Core", "reference")},
        {QT_TRANSLATE_NOOP("Core", "check")},
        {QT_TRANSLATE_NOOP("Core", "warm")},
        {QT_TRANSLATE_NOOP("Core", "cold")},
        {QT_TRANSLATE_NOOP("Core", "operators")},
        {QT_TRANSLATE_NOOP("Core", "compare")},
        {QT_TRANSLATE_NOOP("Core", "caches")},
        {QT_TRANSLATE_NOOP("Core", "multiply-add")},
        {QT_TRANSLATE_NOOP("Core", "exp")},
        {QT_TRANSLATE_NOOP("Core", "block products")},
        {QT_TRANSLATE_NOOP("Core", "passes")},
        {QT_TRANSLATE_NOOP("Core", "parallel regions")},
        {QT_TRANSLATE_NOOP("Core", "programs")},
        {QT_TRANSLATE_NOOP("Core", "launches")},
        {QT_TRANSLATE_NOOP("Core", "tensor cores")},
        {QT_TRANSLATE_NOOP("Core", "choosing block sizes")},
        {QT_TRANSLATE_NOOP("Core", "generating kernels")},
        {QT_TRANSLATE_NOOP("Core", "compiling kernels")},
    };
    return kNames;
}

const std::vector<Phrase>& sentences() {
    static const std::vector<Phrase> kSentences = {
        // What a step does.
        {QT_TRANSLATE_NOOP(
            "Core",
            "Fuses %1 with its consumer %2: each iteration hands its result on in local memory instead of "
            "through a list in global memory.")},
        {QT_TRANSLATE_NOOP("Core", "Fuses the siblings %1 and %2: what both read is read once.")},
        {QT_TRANSLATE_NOOP(
            "Core",
            "Fuses %1 with %2: each result is accumulated as it comes instead of being stored in a list "
            "first.")},
        {QT_TRANSLATE_NOOP("Core", "Multiplies first and scales the rows of the product: swaps %1 and %2.")},
        {QT_TRANSLATE_NOOP(
            "Core",
            "Multiplies first and adds the shift's share of the product, the outer product of the shift "
            "and the row sums of the right operand: swaps %1 and %2.")},
        {QT_TRANSLATE_NOOP(
            "Core", "Extends %1 to the entire graph, so that %2 runs inside it, once per iteration: %3.")},
        {QT_TRANSLATE_NOOP(
            "Core",
            "Peels the first iteration off %1, so that it can fuse with %2 without repeating work: %3.")},
        {QT_TRANSLATE_NOOP(
            "Core",
            "Gives each of the %1 matrix multiplications that read %2 a copy of its own, so that each can "
            "be swapped with its copy.")},
        {QT_TRANSLATE_NOOP("Core", "Composes %1 and %2 into one elementwise operator.")},
        // Why a run ended.
        {QT_TRANSLATE_NOOP("Core", "No rule matches anywhere in the program any more.")},
        {QT_TRANSLATE_NOOP("Core", "The run was stopped.")},
        {QT_TRANSLATE_NOOP("Core", "A rule was applied by hand.")},
        {QT_TRANSLATE_NOOP(
            "Core",
            "The history has as many steps of this program as the memory is meant for. Delete a branch to "
            "go on.")},
        // Changes that cannot be made.
        {QT_TRANSLATE_NOOP("Core", "The change was cancelled.")},
        {QT_TRANSLATE_NOOP("Core",
                           "The program has other dimensions; sizes can be given to those that it has.")},
        {QT_TRANSLATE_NOOP(
            "Core",
            "The text does not declare its dimensions one a line, so that their sizes cannot be replaced; "
            "change them in the text.")},
        // Why a rule does not apply.
        {QT_TRANSLATE_NOOP("Core", "there is no node %1 in this state")},
        {QT_TRANSLATE_NOOP("Core", "%1 and %2 are not in the same graph; rules see one level")},
        {QT_TRANSLATE_NOOP("Core",
                           "%1 is not in this graph; a rule sees one level of the hierarchy at a time")},
        {QT_TRANSLATE_NOOP("Core", "the rule needs %1")},
        {QT_TRANSLATE_NOOP("Core", "%1 and %2 are not both maps")},
        {QT_TRANSLATE_NOOP("Core", "%1 and %2 do not start at the same iteration")},
        {QT_TRANSLATE_NOOP("Core", "%1 and %2 run over different dimensions")},
        {QT_TRANSLATE_NOOP("Core", "%1 and %2 have no common parent: no value is an input of both")},
        {QT_TRANSLATE_NOOP("Core", "%1 and %2 are not siblings: the second needs a result of the first")},
        {QT_TRANSLATE_NOOP("Core", "%1 needs the finished sum of all iterations of %2")},
        {QT_TRANSLATE_NOOP("Core", "%1 needs the whole list that %2 makes in every iteration")},
        {QT_TRANSLATE_NOOP("Core", "%1 needs the result of %2")},
        {QT_TRANSLATE_NOOP("Core", "no edge leads from %1 to %2")},
        {QT_TRANSLATE_NOOP("Core", "an indirect path leads from %1 to %2: fusing them would make a cycle")},
        {QT_TRANSLATE_NOOP("Core", "%1 is not a reduction")},
        {QT_TRANSLATE_NOOP("Core", "%1 does not reduce a result of %2")},
        {QT_TRANSLATE_NOOP("Core", "%1 does not reduce over the iterations of %2")},
        {QT_TRANSLATE_NOOP("Core",
                           "each iteration of %1 makes a list, which cannot be accumulated in local memory")},
        {QT_TRANSLATE_NOOP("Core", "something else than %1 also uses the list that %2 makes")},
        {QT_TRANSLATE_NOOP("Core", "%1 is not another map")},
        {QT_TRANSLATE_NOOP("Core", "%1 is not a map of %2 and nothing else")},
        {QT_TRANSLATE_NOOP("Core", "%1 is not a map")},
        {QT_TRANSLATE_NOOP("Core", "%1 does not take the block and the vector from its inputs")},
        {QT_TRANSLATE_NOOP("Core", "%1 does not iterate over the blocks")},
        {QT_TRANSLATE_NOOP("Core", "%1 takes another vector in every iteration instead of one for all")},
        {QT_TRANSLATE_NOOP(
            "Core",
            "%1 is not a matrix multiplication, that is, a map of { a map of dot; the sum over it }")},
        {QT_TRANSLATE_NOOP("Core", "%1 takes its right operand from %2")},
        {QT_TRANSLATE_NOOP("Core", "%1 does not take its left operand from %2")},
        {QT_TRANSLATE_NOOP("Core", "%1 iterates over, instead of taking whole, the result of %2")},
        {QT_TRANSLATE_NOOP("Core", "%1 contracts over %2 and not over the dimension of %3")},
        {QT_TRANSLATE_NOOP(
            "Core",
            "%1 has %2 consumers; its result is still needed by the others (rule 8 can duplicate it)")},
        {QT_TRANSLATE_NOOP(
            "Core", "%1 feeds %2 matrix multiplications as their left operand; the rule needs two or more")},
        {QT_TRANSLATE_NOOP(
            "Core", "%1 is not a matrix multiplication that takes the scaled rows as its left operand")},
        {QT_TRANSLATE_NOOP("Core", "%1 has been peeled already")},
        {QT_TRANSLATE_NOOP("Core", "%1 has been peeled")},
        {QT_TRANSLATE_NOOP("Core", "%1 carries values from one iteration to the next")},
        {QT_TRANSLATE_NOOP(
            "Core", "%1 does not come last: something else than an output of the graph uses its result")},
        {QT_TRANSLATE_NOOP("Core", "%1 cannot take a miscellaneous operator in")},
        {QT_TRANSLATE_NOOP("Core", "%1 does not make every output of the graph")},
        {QT_TRANSLATE_NOOP("Core",
                           "%1 iterates over a list that is made inside the graph, not over inputs only")},
        {QT_TRANSLATE_NOOP("Core", "no other map could fuse with a map inside %1")},
        {QT_TRANSLATE_NOOP("Core", "no %1-map directly inside %2 iterates over the whole result of %3")},
        {QT_TRANSLATE_NOOP("Core", "no %1-map directly inside %2 iterates over the same graph input as %3")},
        {QT_TRANSLATE_NOOP("Core",
                           "no %1-map directly inside %2 iterates over the same intermediate value as %3")},
        {QT_TRANSLATE_NOOP("Core", "%1 is not elementwise")},
        {QT_TRANSLATE_NOOP("Core", "%1 does not feed %2")},
        {QT_TRANSLATE_NOOP("Core", "%1's result is used by more than %2")},
        {QT_TRANSLATE_NOOP("Core", "%1 rounds its result to another element type before %2 reads it")},
        {QT_TRANSLATE_NOOP("Core", "%1 and %2 together make an expression of more than 1000 operations")},
        // What a time model says, in parts that semicolons join.
        {QT_TRANSLATE_NOOP("Core",
                           "It holds a miscellaneous operator, of which only the transfers are counted")},
        {QT_TRANSLATE_NOOP("Core", "A stand-in runs for its custom operator, one number after the other")},
        {QT_TRANSLATE_NOOP("Core", "its time means nothing")},
        {QT_TRANSLATE_NOOP("Core", "Block products take longest")},
        {QT_TRANSLATE_NOOP("Core", "Elementwise operations and sums take longest")},
        {QT_TRANSLATE_NOOP("Core", "exp and its like take longest")},
        {QT_TRANSLATE_NOOP("Core", "Copying and transposing blocks takes longest")},
        {QT_TRANSLATE_NOOP("Core", "Calling kernels on small blocks takes longest")},
        {QT_TRANSLATE_NOOP("Core", "Starting and joining the workers takes longest")},
        {QT_TRANSLATE_NOOP("Core", "Handing out tasks takes longest")},
        {QT_TRANSLATE_NOOP("Core", "Cores without a task take longest")},
        // Formulas of time models, of terms by their names.
        {QT_TRANSLATE_NOOP("Core", "t = max(bytes / W, matrix / P_m, vector / P_v, special / P_s)")},
        {QT_TRANSLATE_NOOP("Core", "t = (t_mem + t_comp) · α,  α = (N_block + N_SM) / N_block")},
        {QT_TRANSLATE_NOOP("Core", "t = Σ (t_compute + t_memory + t_launch)")},
        {QT_TRANSLATE_NOOP("Core",
                           "t = launch + max(fill + busy + idle, memory),  busy = max(R) + (1 − w) · (Σ R − "
                           "max(R)),  R = {max(matrix, shared), vector + special, L2}")},
        {QT_TRANSLATE_NOOP(
            "Core",
            "t = launch + tasks + busy + idle,  busy = max(R) + (1 − w) · (Σ R − max(R)),  R = "
            "{matrix + vector + special + moves + calls, L2, L3, memory}")},
        {QT_TRANSLATE_NOOP("Core", "Processors without a task take longest")},
        {QT_TRANSLATE_NOOP("Core", "%1 from and to memory take longest")},
        {QT_TRANSLATE_NOOP("Core", "Traffic with the %1 cache takes longest")},
        {QT_TRANSLATE_NOOP("Core", "%1 of %2 cores have a task")},
        {QT_TRANSLATE_NOOP("Core", "%1 tasks do not spread evenly over %2 cores")},
        {QT_TRANSLATE_NOOP("Core", "Inputs are brought into the layout of their readers: %1")},
        {QT_TRANSLATE_NOOP("Core", "Launching takes longer than the work")},
        {QT_TRANSLATE_NOOP("Core", "Waiting for the first operands takes longest")},
        {QT_TRANSLATE_NOOP("Core", "%1 from memory take longest")},
        {QT_TRANSLATE_NOOP("Core", "%1 from the L2 cache take longest")},
        {QT_TRANSLATE_NOOP("Core", "Local memory cannot feed the matrix unit fast enough")},
        {QT_TRANSLATE_NOOP("Core", "The %1 unit is busy longest")},
        {QT_TRANSLATE_NOOP("Core", "only %1 of %2 processors have a task")},
        {QT_TRANSLATE_NOOP("Core", "reductions are in %1 parts")},
        {QT_TRANSLATE_NOOP("Core", "Putting the parts of its reductions together takes longest")},
        {QT_TRANSLATE_NOOP("Core", "Adding the parts of its reductions up takes longest")},
        {QT_TRANSLATE_NOOP("Core", "the last wave is not full")},
        {QT_TRANSLATE_NOOP("Core", "%1 alive in one task do not fit its local memory (%2)")},
        {QT_TRANSLATE_NOOP("Core", "%1 at %2 take longer than the operations")},
        {QT_TRANSLATE_NOOP("Core", "The %1 unit's operations take longer than %2 at %3")},
        {QT_TRANSLATE_NOOP("Core", "Idle processors take most of it")},
        {QT_TRANSLATE_NOOP("Core", "The %1 term is the largest")},
        {QT_TRANSLATE_NOOP("Core", "%1 thread blocks make it %2 times as long")},
        {QT_TRANSLATE_NOOP("Core", "%1 thread block makes it %2 times as long")},
        {QT_TRANSLATE_NOOP("Core",
                           "The launch alone is the largest part: fusing it into a neighbour saves it")},
        {QT_TRANSLATE_NOOP("Core",
                           "Memory is the largest part: fusing saves what is stored and loaded again")},
        {QT_TRANSLATE_NOOP("Core", "Computing is the largest part, which fusion leaves as it is")},
        {QT_TRANSLATE_NOOP("Core", "Nothing runs")},
        // Why a measured time is not of what is shown.
        {QT_TRANSLATE_NOOP("Core", "The program has changed.")},
        {QT_TRANSLATE_NOOP("Core", "The state has changed.")},
        {QT_TRANSLATE_NOOP("Core", "The dimensions differ.")},
        {QT_TRANSLATE_NOOP("Core", "The sizes differ: %1 was %2 and is %3.")},
        {QT_TRANSLATE_NOOP("Core", "%1 was %2 and is %3.")},
        {QT_TRANSLATE_NOOP("Core", "The type differs: it was %1.")},
        {QT_TRANSLATE_NOOP("Core", "It was measured on another device: %1.")},
        {QT_TRANSLATE_NOOP("Core", "It was measured on another machine: %1.")},
        {QT_TRANSLATE_NOOP("Core", "The number of threads differs.")},
        {QT_TRANSLATE_NOOP("Core", "%1, %2% of it in kernels that %3 binds")},
    };
    return kSentences;
}

}  // namespace blockscope

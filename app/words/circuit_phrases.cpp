// The sentences of core/circuit (stream.cpp, plan.cpp, place.cpp, session.cpp, step_tree.cpp) as phrases;
// tests/circuit_view finds what is missing here.
#include "app/words/circuit_phrases.h"

#include <QtGlobal>

namespace blockscope {

const std::vector<Phrase>& circuit_sentences() {
    static const std::vector<Phrase> kSentences = {
        // Refusals.
        {QT_TRANSLATE_NOOP("Core", "%1 cannot be grouped: %2 (%3)")},
        {QT_TRANSLATE_NOOP("Core", "%1 cannot be streamed: %2 (%3)")},
        {QT_TRANSLATE_NOOP("Core", "found a partition of an axis that no array has")},
        {QT_TRANSLATE_NOOP("Core", "found parts of %1 of %2; expected 1 to %3")},
        {QT_TRANSLATE_NOOP("Core", "found two partitions of %1")},
        {QT_TRANSLATE_NOOP("Core",
                           "found streams of %1 and %2, which share only some of their operators; expected "
                           "one inside the other")},
        {QT_TRANSLATE_NOOP("Core", "found the name '%1'; expected one without blanks and operators")},
        {QT_TRANSLATE_NOOP("Core", "there is an axis %1 already")},
        {QT_TRANSLATE_NOOP("Core", "there is no such axis")},
        {QT_TRANSLATE_NOOP("Core", "%1 is not split")},
        {QT_TRANSLATE_NOOP("Core", "the name of an axis has at most %1 bytes")},
        {QT_TRANSLATE_NOOP("Core", "a circuit has at most %1 states")},
        {QT_TRANSLATE_NOOP("Core", "%1 is grouped in parts of %2 already")},
        {QT_TRANSLATE_NOOP("Core", "%1 is streamed in parts of %2 already")},
        // Groups.
        {QT_TRANSLATE_NOOP("Core",
                           "Every operator that has %1 is weaved over it: its parts are computed apart and "
                           "joined.")},
        {QT_TRANSLATE_NOOP("Core", "Two axes of %1 are %2: each part would need all the others.")},
        {QT_TRANSLATE_NOOP(
            "Core", "The output %1 does not have %2, so that the groups' results could not be joined.")},
        {QT_TRANSLATE_NOOP("Core", "No output has %1.")},
        // Streams.
        {QT_TRANSLATE_NOOP("Core",
                           "The output %1 has %2: what an accumulator maintains would grow with it.")},
        {QT_TRANSLATE_NOOP("Core",
                           "%1 is known only after all of %2, and the output %3 has %4: what an accumulator "
                           "maintains would grow with it. Followed by a contraction along %5, it could be "
                           "streamed.")},
        {QT_TRANSLATE_NOOP("Core", "%1 does not come in by a transfer.")},
        {QT_TRANSLATE_NOOP("Core", "Two axes of %1 are %2.")},
        {QT_TRANSLATE_NOOP("Core", "No operator accumulates along %1.")},
        {QT_TRANSLATE_NOOP("Core", "%1 has no accumulator that is known.")},
        {QT_TRANSLATE_NOOP("Core",
                           "Contraction along %1 has an accumulator: the sum over the first part plus the "
                           "sum over the rest.")},
        {QT_TRANSLATE_NOOP("Core", "A maximum along %1 is the larger of the parts' maxima.")},
        {QT_TRANSLATE_NOOP("Core", "A sum along %1 is the sum of the parts' sums.")},
        {QT_TRANSLATE_NOOP(
            "Core",
            "SoftMax followed by %1 along %2 is streamable: a running maximum and sum are kept, the result "
            "so far is scaled when the maximum moves, and the division by the sum is its tail.")},
        {QT_TRANSLATE_NOOP("Core",
                           "RMSNorm followed by %1 along %2 is streamable: the sum of squares is kept, and "
                           "the division, one number per row, is the tail of a linear operator.")},
        {QT_TRANSLATE_NOOP(
            "Core",
            "LayerNorm followed by %1 along %2 is streamable: sums of values and squares are kept; shift "
            "and division, one number each per row, are the tail of a linear operator.")},
        {QT_TRANSLATE_NOOP("Core",
                           "%1 is known only after all of %2, and %3 is not linear in it, so that the "
                           "scaling cannot wait for the tail.")},
        {QT_TRANSLATE_NOOP("Core", "%1 ends in no contraction.")},
        {QT_TRANSLATE_NOOP("Core", "%1 needs %2, finished over all of %3, for every part of %4.")},
        {QT_TRANSLATE_NOOP(
            "Core",
            "%1 is weaved over %2: composing with it keeps the axis, so the whole stays streamable.")},
        {QT_TRANSLATE_NOOP("Core",
                           "Weaving over %1 keeps the axis: the weaved accumulator accumulates the weaved "
                           "function (Figure 40).")},
        {QT_TRANSLATE_NOOP("Core", "%1 does not have %2: it is fused before or after the stream.")},
        {QT_TRANSLATE_NOOP("Core", "%1 acts along %2.")},
        // Theorems.
        {QT_TRANSLATE_NOOP("Core", "Appendix %1, by the same argument")},
        {QT_TRANSLATE_NOOP("Core", "Appendix %1")},
        {QT_TRANSLATE_NOOP("Core", "Section %1")},
        {QT_TRANSLATE_NOOP("Core", "Theorem 1, composition")},
        {QT_TRANSLATE_NOOP("Core", "Theorem 1, weaving")},
        {QT_TRANSLATE_NOOP("Core", "Figure 38, head and tail")},
    };
    return kSentences;
}

namespace {

std::vector<Phrase> all_phrases() {
    std::vector<Phrase> all = circuit_sentences();
    const std::vector<Phrase> operators = {
        {QT_TRANSLATE_NOOP("Core", "%1 that makes %2")},
        {QT_TRANSLATE_NOOP("Core", "the elementwise %1")},
        {QT_TRANSLATE_NOOP("Core", "The elementwise %1")},
        {QT_TRANSLATE_NOOP("Core", "the operator %1")},
        {QT_TRANSLATE_NOOP("Core", "The operator %1")},
        {QT_TRANSLATE_NOOP("Core", "the contraction")},
        {QT_TRANSLATE_NOOP("Core", "The contraction")},
        {QT_TRANSLATE_NOOP("Core", "the sum")},
        {QT_TRANSLATE_NOOP("Core", "The sum")},
        {QT_TRANSLATE_NOOP("Core", "the mean")},
        {QT_TRANSLATE_NOOP("Core", "The mean")},
        {QT_TRANSLATE_NOOP("Core", "the max")},
        {QT_TRANSLATE_NOOP("Core", "The max")},
        {QT_TRANSLATE_NOOP("Core", "the softmax")},
        {QT_TRANSLATE_NOOP("Core", "The softmax")},
        {QT_TRANSLATE_NOOP("Core", "the rmsnorm")},
        {QT_TRANSLATE_NOOP("Core", "The rmsnorm")},
        {QT_TRANSLATE_NOOP("Core", "the layernorm")},
        {QT_TRANSLATE_NOOP("Core", "The layernorm")},
        {QT_TRANSLATE_NOOP("Core", "the mask")},
        {QT_TRANSLATE_NOOP("Core", "The mask")},
        {QT_TRANSLATE_NOOP("Core", "the cast")},
        {QT_TRANSLATE_NOOP("Core", "The cast")},
        {QT_TRANSLATE_NOOP("Core", "the reindex")},
        {QT_TRANSLATE_NOOP("Core", "The reindex")},
        {QT_TRANSLATE_NOOP("Core", "a result")},
    };
    all.insert(all.end(), operators.begin(), operators.end());
    return all;
}

}  // namespace

const std::vector<Phrase>& circuit_phrases() {
    static const std::vector<Phrase> kPhrases = all_phrases();
    return kPhrases;
}

const std::vector<Phrase>& kernel_phrases() {
    static const std::vector<Phrase> kPhrases = {
        // Why there is none.
        {QT_TRANSLATE_NOOP("Core", "%1 has no shared memory or no registers; expected a GPU")},
        {QT_TRANSLATE_NOOP("Core", "%1 has no rate for %2")},
        {QT_TRANSLATE_NOOP("Core", "found %1 operators; expected at most %2 in one algorithm")},
        {QT_TRANSLATE_NOOP("Core", "no axis can be grouped")},
        {QT_TRANSLATE_NOOP("Core", "no axis can be streamed")},
        {QT_TRANSLATE_NOOP("Core", "found no axis to stream")},
        {QT_TRANSLATE_NOOP("Core", "there is no variable %1 in the configuration")},
        {QT_TRANSLATE_NOOP("Core", "there is no axis %1; there are %2")},
        {QT_TRANSLATE_NOOP("Core", "%1 cannot be grouped: %2")},
        {QT_TRANSLATE_NOOP("Core", "%1 cannot be streamed: %2")},
        // Why there is no H*, and no arithmetic intensity.
        {QT_TRANSLATE_NOOP("Core", "not even the smallest parts fit")},
        {QT_TRANSLATE_NOOP("Core", "no term of the widest column has all groups in it")},
        {QT_TRANSLATE_NOOP(
            "Core", "the widest column has several terms with all groups in them that grow differently")},
        {QT_TRANSLATE_NOOP("Core", "its coefficients are roots of sums")},
        {QT_TRANSLATE_NOOP("Core", "more terms than tile sizes pull against each other")},
        {QT_TRANSLATE_NOOP("Core", "a tile size costs more memory than it saves traffic at every size")},
        {QT_TRANSLATE_NOOP("Core", "the least traffic lies at the edge of what tile sizes may be")},
        {QT_TRANSLATE_NOOP("Core", "there is no H*")},
        {QT_TRANSLATE_NOOP("Core", "H* is known with the sizes put in alone")},
        {QT_TRANSLATE_NOOP("Core", "it has no product of matrices")},
        {QT_TRANSLATE_NOOP("Core", "its operations are a sum, %1, that H* cannot be divided by")},
        {QT_TRANSLATE_NOOP("Core", "%1 cannot be streamed in every part of %2: %3 stands between the two")},
        // Divisors.
        {QT_TRANSLATE_NOOP("Core", "%1 = %2 does not divide by %3 (%4).")},
        {QT_TRANSLATE_NOOP("Core", "%1; %2")},
        {QT_TRANSLATE_NOOP("Core", "a warpgroup has %1 threads")},
        {QT_TRANSLATE_NOOP("Core", "coalesced transfer of %1")},
        // Pseudocode and operations.
        {QT_TRANSLATE_NOOP("Core", "load %1")},
        {QT_TRANSLATE_NOOP("Core", "save %1")},
        {QT_TRANSLATE_NOOP("Core", "initialise %1")},
        {QT_TRANSLATE_NOOP("Core", "scale by %1")},
        {QT_TRANSLATE_NOOP("Core", "scale and add to %1")},
        {QT_TRANSLATE_NOOP("Core", "scale %1 and add %2")},
        {QT_TRANSLATE_NOOP("Core", "%1 to tensor cores, through shared memory")},
        {QT_TRANSLATE_NOOP("Core", "%1 to threads, through shared memory")},
        {QT_TRANSLATE_NOOP("Core", "%1 of %2")},
        {QT_TRANSLATE_NOOP("Core", "%1 that makes %2")},
        // What variables are.
        {QT_TRANSLATE_NOOP("Core", "input")},
        {QT_TRANSLATE_NOOP("Core", "operand")},
        {QT_TRANSLATE_NOOP("Core", "accumulator")},
        {QT_TRANSLATE_NOOP("Core", "threads")},
        {QT_TRANSLATE_NOOP("Core", "threads, part")},
        {QT_TRANSLATE_NOOP("Core", "shared copy")},
        {QT_TRANSLATE_NOOP("Core", "shared copy, part")},
        {QT_TRANSLATE_NOOP("Core", "tensor cores")},
        {QT_TRANSLATE_NOOP("Core", "tensor cores, part")},
    };
    return kPhrases;
}

}  // namespace blockscope

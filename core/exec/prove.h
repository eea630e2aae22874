// Proof of a rewrite on the spot: both programs are evaluated in exact arithmetic on random inputs at
// small sizes where every dimension has a number of blocks and a block size of its own.
#pragma once

#include <optional>
#include <string>

#include "core/exec/evaluate.h"

namespace blockscope {

// Small sizes for proofs: each dimension its own small prime number of blocks (2, 3, 5, ...; as
// far as the work stays bounded), its own block size, some blocks ragged. Same program otherwise. Operators
// that need blocks of an even size, or a dimension in one block, have that.
DimTable proof_dims(const DimTable& dims, const BlockNeeds& needs);
inline DimTable proof_dims(const BlockProgram& program) {
    return proof_dims(program.dims, block_needs(program));
}
inline DimTable proof_dims(const ArrayProgram& program) {
    return proof_dims(program.dims, block_needs(program));
}

// Estimated scalar operations of evaluating `program` once at `dims`.
double proof_work(const BlockProgram& program, const DimTable& dims);

struct Mismatch {
    std::string output;  // name of the program output that differs
    std::int64_t index;  // of the first element that differs
    std::uint64_t seed;
};

// Where `a` and `b` (same inputs and outputs) give different outputs for `seed` at `dims`; empty if they
// give the same. Throws InternalError if one of them combines items that do not fit each other, as broken
// programs do where blocks are ragged.
std::optional<Mismatch> compare_exact(const BlockProgram& a, const BlockProgram& b, const DimTable& dims,
                                      std::uint64_t seed);
std::optional<Mismatch> compare_exact(const ArrayProgram& a, const BlockProgram& b, const DimTable& dims,
                                      std::uint64_t seed);

// The same in doubles: the largest difference relative to the output's largest reference value; infinite
// if any value is not finite.
double relative_error(const ArrayProgram& a, const BlockProgram& b, const DimTable& dims, std::uint64_t seed,
                      double scale = 1);

// Proves a sequence of states against one reference, evaluating the reference once.
class Prover {
public:
    Prover(const BlockProgram& reference, std::uint64_t seed, const StopSign& stop = kNeverStop);
    // Ends with Stopped while `stop` is up, as making it does.
    std::optional<Mismatch> check(const BlockProgram& state, const StopSign& stop = kNeverStop) const;

private:
    DimTable dims_;
    std::uint64_t seed_;
    Tensors<Exact> inputs_;
    Tensors<Exact> outputs_;
};

}  // namespace blockscope

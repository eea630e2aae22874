// Array programs and the block programs that they convert to mean the same, operator by operator and for
// every sample: exactly in finite fields, and to rounding in doubles.
#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "tests/exec/programs.h"
#include "tests/program/operator_cases.h"
#include "tests/support/paper_examples.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

void expect_agreement(const ArrayProgram& array, const BlockProgram& block, const DimTable& dims) {
    const std::optional<Mismatch> mismatch = compare_exact(array, block, dims, 7);
    EXPECT_FALSE(mismatch) << mismatch->output << " at element " << mismatch->index;
    EXPECT_LT(relative_error(array, block, dims, 8), 1e-10);
}

// At the sizes of the cases and at those of proofs, with ragged blocks.
TEST(Agreement, OfEveryOperatorInEveryBatchShapeAndForm) {
    for (const OperatorCase& c : every_operator_case()) {
        SCOPED_TRACE(c.name);
        const BlockProgram block = to_block_program(c.program).program;
        expect_agreement(c.program, block, c.program.dims);
        expect_agreement(c.program, block, proof_dims(c.program));
    }
}

void expect_agreement_at_every_step(const ArrayProgram& program) {
    const DimTable dims = proof_dims(program);
    const auto initial = std::make_shared<const BlockProgram>(to_block_program(program).program);
    expect_agreement(program, *initial, dims);
    const Prover prover(*initial, 9);
    const Trace trace = fuse(initial);
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
        const std::optional<Mismatch> mismatch = prover.check(*trace.steps[i].after);
        EXPECT_FALSE(mismatch) << "step " << i + 1 << ": " << trace.steps[i].explanation;
    }
    expect_agreement(program, *trace.last(), dims);
}

TEST(Agreement, OfEverySampleAtEveryStep) {
    ASSERT_FALSE(sample_names().empty());
    for (const std::string& name : sample_names()) {
        SCOPED_TRACE(name);
        expect_agreement_at_every_step(read_sample(name));
    }
}

TEST(Agreement, OfThePapersExamplesAtEveryStep) {
    for (const ArrayProgram& program : {paper_attention(), paper_layernorm_matmul(), paper_rmsnorm_swiglu()})
        expect_agreement_at_every_step(program);
}

}  // namespace
}  // namespace blockscope::test

// Array programs and the block programs that they convert to mean the same, operator by operator and for
// every sample: exactly in finite fields, and to rounding in doubles.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "tests/exec/programs.h"
#include "tests/program/operator_cases.h"
#include "tests/support/paper_examples.h"

namespace blockscope::test {
namespace {

void expect_agreement(const ArrayProgram& array, const BlockProgram& block, const DimTable& dims) {
    const std::optional<Mismatch> mismatch = compare_exact(array, block, dims, 7);
    EXPECT_FALSE(mismatch) << mismatch->output << " at element " << mismatch->index;
    EXPECT_LT(relative_error(array, block, dims, 8), 1e-10);
}

TEST(Agreement, OfEveryOperatorInEveryBatchShapeAndForm) {
    for (const CaseDims& dims : all_case_dims())
        for (const Use use : {Use::Plain, Use::TransposedOnly, Use::BothWays})
            for (const OperatorCase& c : operator_cases(dims, use)) {
                SCOPED_TRACE(c.name + ", batch '" + dims.batch + "', axes " + dims.rows + dims.cols +
                             dims.inner);
                expect_agreement(c.program, to_block_program(c.program).program, c.program.dims);
            }
}

std::vector<std::filesystem::path> samples() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(BLOCKSCOPE_SOURCE_DIR) + "/samples"))
        if (entry.path().extension() == ".bp") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

void expect_agreement_at_every_step(const ArrayProgram& program) {
    const DimTable dims = proof_dims(program.dims);
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
    ASSERT_FALSE(samples().empty());
    for (const std::filesystem::path& file : samples()) {
        SCOPED_TRACE(file.filename().string());
        std::ifstream stream(file);
        std::stringstream text;
        text << stream.rdbuf();
        const Result<ArrayProgram> program = parse_program(text.str(), file.string());
        ASSERT_TRUE(program) << to_string(program.problems()[0]);
        expect_agreement_at_every_step(*program);
    }
}

TEST(Agreement, OfThePapersExamplesAtEveryStep) {
    for (const ArrayProgram& program : {paper_attention(), paper_layernorm_matmul(), paper_rmsnorm_swiglu()})
        expect_agreement_at_every_step(program);
}

}  // namespace
}  // namespace blockscope::test

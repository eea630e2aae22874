// What makes two measurements comparable.
#include "core/measure/record.h"

#include <gmock/gmock.h>

#include <set>

#include "core/fusion/trace.h"
#include "core/safety/safety.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace measure;

TEST(StructureKey, IgnoresSizesAndNodeNumbers) {
    const ProgramPtr program = block_sample("attention");
    const std::string key = structure_key(*program);
    EXPECT_EQ(key.size(), 16U);
    BlockProgram other = *program;
    for (Dim& dim : other.dims) {
        dim.size = 512;
        dim.block = 64;
    }
    EXPECT_EQ(structure_key(other), key);
    // The safe form of a program without exponentials is the program itself; that of this one is another one.
    EXPECT_NE(structure_key(make_safe(*program).program), key);
    // The same matches in another run give the same structure, whatever numbers they make.
    const Trace trace = fuse(program);
    Trace again = branch(trace, 0, trace.steps[0].match);
    again = fuse_on(again);
    EXPECT_EQ(structure_key(*again.last()), structure_key(*trace.last()));
}

TEST(StructureKey, TellsAllStatesOfAllSamplesApart) {
    std::set<std::string> keys;
    std::size_t states = 0;
    for (const char* name : {"attention", "layernorm-matmul", "rmsnorm-swiglu", "gqa", "softmax", "lora"}) {
        const Trace trace = fuse(block_sample(name));
        for (std::size_t i = 0; i <= trace.steps.size(); ++i, ++states)
            keys.insert(structure_key(*trace.state(static_cast<int>(i))));
    }
    EXPECT_EQ(keys.size(), states);
}

TEST(Stale, SaysWhatDiffers) {
    Subject a;
    a.program_key = "p";
    a.state_key = "s";
    a.dims = {{"M", 4096, 128, DimKind::Blocked}};
    a.elem = "f32";
    a.device = "cpu";
    a.machine = "here";
    Subject b = a;
    EXPECT_THAT(stale_reasons(a, b), testing::IsEmpty());
    b.program = "another name";
    EXPECT_EQ(subject_key(a), subject_key(b));
    b.dims[0].size = 2048;
    EXPECT_THAT(stale_reasons(a, b),
                testing::ElementsAre("The sizes differ: M was 4096/128 and is 2048/128."));
    EXPECT_NE(subject_key(a), subject_key(b));
    b = a;
    b.state_key = "t";
    EXPECT_THAT(stale_reasons(a, b), testing::ElementsAre("The state has changed."));
    b = a;
    b.machine = "there";
    EXPECT_THAT(stale_reasons(a, b), testing::ElementsAre(testing::HasSubstr("another machine")));
    EXPECT_NE(subject_key(a), subject_key(b));
}

// An edited program may have other dimensions, too: the sizes of those that both have are compared.
TEST(Stale, SaysEverythingThatDiffers) {
    Subject a;
    a.program_key = "p";
    a.state_key = "s";
    a.dims = {{"M", 64, 8, DimKind::Blocked}, {"N", 32, 8, DimKind::Blocked}};
    a.elem = "f32";
    Subject b = a;
    b.program_key = b.state_key = "q";
    b.dims = {
        {"K", 16, 8, DimKind::Blocked}, {"N", 32, 16, DimKind::Blocked}, {"M", 32, 8, DimKind::Blocked}};
    b.elem = "bf16";
    EXPECT_THAT(stale_reasons(a, b),
                testing::ElementsAre("The program has changed.", "The sizes differ: N was 32/8 and is 32/16.",
                                     "M was 64/8 and is 32/8.", "The type differs: it was f32."));
    b = a;
    b.dims.pop_back();
    EXPECT_THAT(stale_reasons(a, b), testing::ElementsAre("The dimensions differ."));
}

}  // namespace
}  // namespace blockscope::test

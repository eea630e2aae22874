// What makes two measurements comparable.
#include "core/measure/subject.h"

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
    EXPECT_EQ(stale_reason(a, b), "");
    b.program = "another name";
    EXPECT_EQ(subject_key(a), subject_key(b));
    b.dims[0].size = 2048;
    EXPECT_EQ(stale_reason(a, b), "The sizes differ: M was 4096/128 and is 2048/128.");
    EXPECT_NE(subject_key(a), subject_key(b));
    b = a;
    b.state_key = "t";
    EXPECT_EQ(stale_reason(a, b), "The state has changed.");
    b = a;
    b.machine = "there";
    EXPECT_THAT(stale_reason(a, b), testing::HasSubstr("another machine"));
    EXPECT_NE(subject_key(a), subject_key(b));
}

}  // namespace
}  // namespace blockscope::test

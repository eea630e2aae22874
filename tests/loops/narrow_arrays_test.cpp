// Which arrays between loops are narrow: those that generated kernels store in so few bits, too, so that the
// bytes that are counted are the bytes that are moved.
#include <gmock/gmock.h>

#include "core/state/state.h"
#include "gpu/codegen/values.h"
#include "tests/loops/hand_made.h"
#include "tests/support/listing_check.h"

namespace blockscope::test {
namespace {

enum class Use : std::uint8_t { Product, Elementwise, Both };

// A list in float32, which a second loop casts to `elem`: blocks, or vectors.
BlockProgram cast_later(const std::string& items, ElemType elem, Use use) {
    HandMade h;
    const ValueRef x = h.input("X", items);
    const ValueRef w = h.input("W", "K:NK");
    const auto rows = h.map(
        h.top, 'M', {{x, kEach}, {w, kWhole}}, {kList, kList, kList}, [&](Builder& b, const Values& in) {
            const auto first =
                h.map(b, 'K', {{in[0], kEach}}, {kList, kSum}, [&](Builder& c, const Values& each) {
                    const ValueRef squared = square(c, each[0]);
                    return Values{squared, squared};
                });
            const auto second = h.map(
                b, 'K', {{first[0], kEach}, {in[1], kEach}}, {kSum, kSum},
                [&](Builder& c, const Values& each) {
                    const ValueRef narrow = c.cast(elem, each[0]);
                    const ValueRef squared = use == Use::Product ? square(c, each[1]) : square(c, narrow);
                    const ValueRef product = use == Use::Elementwise
                                                 ? square(c, each[1])
                                                 : c.functional(FunctionalOp::Dot, {narrow, each[1]});
                    return Values{squared, product};
                });
            return Values{first[1], second[0], second[1]};
        });
    h.output(rows[0], "A");
    h.output(rows[1], "B");
    h.output(rows[2], "C");
    return h.program();
}

// The type of the array between the loops, which the generator has to store in it, too.
ElemType between_loops(const BlockProgram& program) {
    const State state(program);
    const gpu::Arrays arrays = gpu::plan_arrays(state.loops());
    for (const gpu::DeviceArray& array : arrays.arrays) {
        const Buffer& buffer = state.loops().buffers.at(static_cast<std::size_t>(array.buffer));
        if (buffer.kind != Buffer::Kind::Intermediate) continue;
        EXPECT_EQ(buffer.type.elem(), array.elem) << array.name << " of CUDA";
        return buffer.type.elem();
    }
    throw std::runtime_error("nothing lies between the loops");
}

TEST(NarrowArrays, OfEightBitsAreForProductsAlone) {
    EXPECT_EQ(between_loops(cast_later("MK:MK", ElemType::E4M3, Use::Product)), ElemType::E4M3);
    EXPECT_EQ(between_loops(cast_later("MK:MK", ElemType::E4M3, Use::Elementwise)), ElemType::F32);
    EXPECT_EQ(between_loops(cast_later("MK:MK", ElemType::E4M3, Use::Both)), ElemType::F32);
    EXPECT_EQ(between_loops(cast_later("MK:MK", ElemType::BF16, Use::Both)), ElemType::BF16);
}

TEST(NarrowArrays, HoldBlocks) {
    EXPECT_EQ(between_loops(cast_later("MK:MK", ElemType::BF16, Use::Elementwise)), ElemType::BF16);
    EXPECT_EQ(between_loops(cast_later("MK:M", ElemType::BF16, Use::Elementwise)), ElemType::F32);
}

}  // namespace
}  // namespace blockscope::test

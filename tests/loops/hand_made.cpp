#include "tests/loops/hand_made.h"

#include <gtest/gtest.h>

#include "core/graph/verify.h"
#include "core/state/state.h"
#include "core/support/result.h"
#include "tests/support/listing_check.h"

namespace blockscope::test {

HandMade::HandMade()
    : dims{{"M", 7, 3, DimKind::Blocked},
           {"N", 5, 3, DimKind::Blocked},
           {"K", 13, 4, DimKind::Blocked},
           {"L", 3, 2, DimKind::Blocked},
           {"T", 5, 4, DimKind::Blocked}},
      top(dims, ids) {}

DimId HandMade::dim(char name) const {
    for (std::size_t i = 0; i < dims.size(); ++i)
        if (dims[i].name == std::string(1, name)) return {static_cast<std::uint16_t>(i)};
    throw InternalError(std::string("no dimension ") + name);
}

Type HandMade::type(const std::string& text) const {
    const std::size_t colon = text.find(':');
    const std::string axes = text.substr(colon + 1);
    Item item = Item::scalar();
    if (axes.size() == 1) item = Item::vector(dim(axes[0]));
    if (axes.size() == 2) item = Item::block(dim(axes[0]), dim(axes[1]));
    Type result(item, ElemType::F32);
    for (std::size_t i = colon; i-- > 0;) result = result.list_over(dim(text[i]));
    return result;
}

std::vector<ValueRef> HandMade::map(Builder& builder, char name,
                                    const std::vector<std::pair<ValueRef, MapInput>>& inputs,
                                    const std::vector<MapOutput>& outputs, const MakeBody& body, int start) {
    Builder inner(dims, ids);
    Map map{dim(name), start, {}, outputs, nullptr};
    std::vector<ValueRef> ports;
    std::vector<ValueRef> refs;
    for (const auto& [ref, mode] : inputs) {
        map.inputs.push_back(mode);
        refs.push_back(ref);
        if (mode.mode == PortIn::Continued) continue;
        const Type outer = builder.type(ref);
        ports.push_back(inner.input(mode.mode == PortIn::Iterated ? outer.element() : outer));
    }
    for (const MapOutput& output : outputs)  // carried values are blocks of M and N here
        if (output.mode == PortOut::Carried) ports.push_back(inner.input(type(":MN")));
    for (const ValueRef& result : body(inner, ports)) inner.output(result);
    map.body = inner.finish();
    return builder.map(std::move(map), std::move(refs));
}

BlockProgram HandMade::program() {
    BlockProgram result{dims, top.finish(), ids.next()};
    for (const Violation& violation : verify(result)) ADD_FAILURE() << violation.sentence;
    return result;
}

ValueRef square(Builder& builder, ValueRef x) {
    return builder.elementwise(call(Fn::Pow, arg(0), number(2)), {x});
}

void expect_listing(HandMade& made, const std::string& text) {
    const BlockProgram program = made.program();
    EXPECT_EQ(listing(program, Form{}.as_in_paper()), text);
    EXPECT_EQ(reader::check_listing(program, program.dims, 3), "");
}

}  // namespace blockscope::test

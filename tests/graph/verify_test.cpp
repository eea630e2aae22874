// Every way in which a rewrite could break a program is found, with the node it concerns.
#include "core/graph/verify.h"

#include <gmock/gmock.h>

#include <functional>

#include "core/graph/graph.h"
#include "core/support/result.h"
#include "tests/support/graph_text.h"

namespace blockscope::test {
namespace {

const char* const kProgram = R"(
X: MN|MN
c: M|M
u = map M i:X i:c {v = map N i:X b:c {t = row_scale X c; -> t}; -> v}
O = out u
)";

using Change = std::function<void(Node&)>;

// The program with one node changed, wherever it is.
BlockProgram with_change(const NamedProgram& named, const std::string& name, const Change& change) {
    std::vector<NodeId> path;
    EXPECT_TRUE(find_path(*named.program, named.id(name), path));
    std::vector<NodePtr> nodes = graph_at(*named.program, path)->nodes().vector();
    for (NodePtr& node : nodes) {
        if (node->id != named.id(name)) continue;
        Node copy = *node;
        change(copy);
        node = std::make_shared<const Node>(std::move(copy));
    }
    return with_graph_at(*named.program, path, std::make_shared<const Graph>(std::move(nodes)));
}

struct Break {
    std::string label;
    std::string node;
    Change change;
    std::string sentence;
};

std::ostream& operator<<(std::ostream& out, const Break& b) {
    return out << b.label;
}

class Broken : public testing::TestWithParam<Break> {};

Map& map_of(Node& node) {
    return std::get<Map>(node.kind);
}

TEST_P(Broken, IsFound) {
    const NamedProgram named = graph_from_text(kProgram);
    ASSERT_TRUE(verify(*named.program).empty());
    const BlockProgram broken = with_change(named, GetParam().node, GetParam().change);
    const std::vector<Violation> violations = verify(broken);
    EXPECT_THAT(violations, testing::Contains(testing::Field(&Violation::sentence,
                                                             testing::HasSubstr(GetParam().sentence))));
    std::vector<NodeId> path;
    find_path(*named.program, named.id(GetParam().node), path);
    EXPECT_FALSE(verify_change(*named.program, broken, path).empty())
        << "the incremental verifier sees it too";
}

INSTANTIATE_TEST_SUITE_P(
    Verify, Broken,
    testing::Values(
        Break{"DanglingInput", "u", [](Node& n) { n.inputs.own()[0].node = {999}; },
              "does not come before it"},
        Break{"NoSuchPort", "u", [](Node& n) { n.inputs.own()[0].port = 3; }, "does not have"},
        Break{"TooManyIndices", "u", [](Node& n) { n.inputs.own()[0].first = 3; }, "does not have"},
        Break{"DuplicateId", "u/v/t", [](Node& n) { n.id = {1}; }, "stands in the program twice"},
        Break{"IdZero", "u/v/t", [](Node& n) { n.id = {0}; }, "is not an id of this program"},
        Break{"IdTooLarge", "u/v/t", [](Node& n) { n.id = {100000}; }, "is not an id of this program"},
        Break{"ModeChanged", "u/v", [](Node& n) { map_of(n).inputs.own()[1].mode = PortIn::Iterated; },
              "cannot iterate over"},
        Break{"ListReduced", "u", [](Node& n) { map_of(n).outputs[0].mode = PortOut::ReducedSum; },
              "needs an item"},
        Break{"DimensionChanged", "u", [](Node& n) { map_of(n).dim = {1}; }, "cannot iterate over"},
        Break{"NoSuchDimension", "u", [](Node& n) { map_of(n).dim = {99}; }, "dimension does not exist"},
        Break{"ModeMissing", "u", [](Node& n) { map_of(n).inputs.own().pop_back(); }, "do not fit"},
        Break{"NoOutputs", "u", [](Node& n) { map_of(n).outputs.clear(); }, "needs an output"},
        Break{"NoBody", "u", [](Node& n) { map_of(n).body = nullptr; }, "needs an inner graph"},
        Break{"PeeledWithoutFirst", "u", [](Node& n) { map_of(n).start = 1; }, "continues one input"},
        Break{"StartsLate", "u", [](Node& n) { map_of(n).start = 2; }, "starts at 0"},
        Break{"WrongOperator", "u/v/t", [](Node& n) { n.kind = Functional{FunctionalOp::Dot}; },
              "dot does not take"},
        Break{"WrongArity", "u/v/t", [](Node& n) { n.inputs.own().pop_back(); }, "takes 2 inputs"},
        Break{"WrongType", "u/v/t", [](Node& n) { n.outputs[0] = n.outputs[0].with_elem(ElemType::BF16); },
              "declares types"},
        Break{"MissingArgument", "u/v/t", [](Node& n) { n.kind = Elementwise{arg(2)}; },
              "refers to more arguments"},
        Break{"ShapesDiffer", "u/v/t", [](Node& n) { n.kind = Elementwise{call(Fn::Add, arg(0), arg(1))}; },
              "one shape"},
        Break{"NamelessOutput", "O", [](Node& n) { n.kind = Output{}; }, "needs a name"},
        Break{"NotAList", "u/v",
              [](Node& n) {
                  n.kind = Reduce{ReduceOp::Sum, {0}};
              },
              "takes 1 input"}),
    [](const auto& broken) { return broken.param.label; });

// Sizes of a program that is there may change; then the blocks of a rotation's columns still have to hold
// pairs.
TEST(Verify, RotationsNeedTheirPairsInOneBlock) {
    struct Sizes {
        const char* op;
        std::int64_t size, block;
        const char* sentence;  // empty: right
    };
    for (const Sizes& sizes : {
             Sizes{"rotate_half", 6, 6, ""},
             Sizes{"rotate_half", 6, 2, "needs N in one block of an even size, found 6 in blocks of 2"},
             Sizes{"rotate_half", 5, 5, "needs N in one block of an even size, found 5 in blocks of 5"},
             Sizes{"rotate_pairs", 6, 2, ""},
             Sizes{"rotate_pairs", 6, 6, ""},
             Sizes{"rotate_pairs", 6, 4, ""},
             Sizes{"rotate_pairs", 6, 3, "needs N in blocks of an even size, found 6 in blocks of 3"},
             Sizes{"rotate_pairs", 5, 2, "needs N in blocks of an even size, found 5 in blocks of 2"},
         }) {
        const DimTable right = {{"M", 4, 2}, {"N", 8, 8}};
        IdSource ids(1);
        Builder top(right, ids);
        const FunctionalOp op =
            std::string(sizes.op) == "rotate_half" ? FunctionalOp::RotateHalf : FunctionalOp::RotatePairs;
        const Type item(Item::block({0}, {1}), ElemType::F32);
        const ValueRef x = top.input(item, {"X"});
        top.output(top.functional(op, {x}), "Z");
        BlockProgram program{right, top.finish(), ids.next()};
        EXPECT_EQ(block_needs(program).at(1), functional_operator(op).cols);
        program.dims[1].size = sizes.size;
        program.dims[1].block = sizes.block;
        std::string found;
        for (const Violation& violation : verify(program)) found += violation.sentence.str();
        if (*sizes.sentence == 0)
            EXPECT_EQ(found, "") << sizes.op << sizes.size << "/" << sizes.block;
        else
            EXPECT_THAT(found, testing::HasSubstr(sizes.sentence));
        DimTable longer = program.dims;
        meet_needs(longer, block_needs(program));
        EXPECT_EQ(meets(longer[1], functional_operator(op).cols), sizes.size % 2 == 0);
        EXPECT_EQ(longer[0], program.dims[0]);
    }
}

TEST(Verify, ReportsAllProblems) {
    const NamedProgram named = graph_from_text(kProgram);
    BlockProgram broken = with_change(named, "u", [](Node& n) { n.inputs.own()[0].node = {999}; });
    broken.graph = with_change({std::make_shared<const BlockProgram>(broken), named.ids}, "O", [](Node& n) {
                       n.inputs.own()[0].port = 9;
                   }).graph;
    EXPECT_EQ(verify(broken).size(), 2u);
}

TEST(Builder, RefusesWhatDoesNotFit) {
    const DimTable dims = {{"M", 4, 2, DimKind::Blocked}, {"N", 4, 2, DimKind::Blocked}};
    IdSource ids(1);
    Builder builder(dims, ids);
    const ValueRef block = builder.input(Type(Item::block({0}, {1}), ElemType::F32), Input{"X"});
    const ValueRef vector = builder.input(Type(Item::vector({1}), ElemType::F32), Input{"c"});
    EXPECT_THROW(builder.functional(FunctionalOp::RowScale, {block, vector}), InternalError);
    EXPECT_THROW(builder.functional(FunctionalOp::Add, {block, vector}), InternalError);
    EXPECT_THROW(builder.reduce(ReduceOp::Sum, {0}, block), InternalError);
    EXPECT_THROW(builder.elementwise(arg(0), {}), InternalError);
    EXPECT_THROW(builder.output({NodeId{77}}), InternalError);
    EXPECT_EQ(builder.type(builder.functional(FunctionalOp::ColScale, {block, vector})), builder.type(block));
}

}  // namespace
}  // namespace blockscope::test

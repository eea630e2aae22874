// Block programs: what is written is read back as the same program, and written again as the same bytes.
#include <gmock/gmock.h>

#include <limits>

#include "core/graph/graph.h"
#include "core/json/json_io.h"
#include "core/program/convert.h"
#include "tests/json/compare.h"

namespace blockscope::test {
namespace {

const DimTable kDims = {
    {"M", 10, 3, DimKind::Blocked}, {"N", 8, 4, DimKind::Blocked}, {"B", 5, 1, DimKind::Batch}};
const DimId kM{0};
const DimId kN{1};

Type list_of_blocks() {
    return Type(Item::block(kM, kN), ElemType::BF16).list_over(kN).list_over(kM);
}

BlockProgram finish(Builder& builder) {
    return {kDims, builder.finish(), builder.ids().next()};
}

// The largest entry of each row block, carried along N, and a miscellaneous operator of two results.
TEST(BlockJson, CarriedOutputsAndMiscellaneousOperatorsRoundTrip) {
    IdSource ids(5);
    Builder builder(kDims, ids);
    const ValueRef x = builder.input(list_of_blocks(), {"X"});
    Builder rows(kDims, ids);
    const ValueRef row = rows.input(list_of_blocks().element());
    Builder cols(kDims, ids);
    const ValueRef block = cols.input(list_of_blocks().element(2));
    const ValueRef before = cols.input(Type(Item::vector(kM), ElemType::BF16));
    const ValueRef top = cols.functional(FunctionalOp::RowMax, {block});
    cols.output(cols.elementwise(call(Fn::Max, arg(0), arg(1)), {before, top}));
    Map inner{kN,
              0,
              {{PortIn::Iterated}},
              {{PortOut::Carried, -std::numeric_limits<double>::infinity()}},
              cols.finish()};
    rows.output(rows.map(inner, {row})[0]);
    const ValueRef maxima =
        builder.map({kM, 0, {{PortIn::Iterated}}, {{PortOut::Collected}}, rows.finish()}, {x})[0];
    const auto results =
        builder.misc("sort_with_places", {maxima, x}, {builder.type(maxima), list_of_blocks()});
    builder.output(results[0], "Y");
    builder.output(results[1], "Z");
    const BlockProgram program = finish(builder);
    EXPECT_THAT(write_json(program), testing::HasSubstr("\"init\": \"-inf\""));
    expect_round_trip(program);
}

BlockProgram from_text(const std::string& text) {
    const Result<ArrayProgram> program = parse_program(text, "t.bp");
    EXPECT_TRUE(program) << to_string(program.problems().at(0));
    return to_block_program(*program).program;
}

// The input's name stands twice, and the program stores to X what X holds.
TEST(BlockJson, AnInputThatIsAnOutputRoundTrips) {
    const std::string dims = "batch B = 2\ndim M = 7 / 3\ndim N = 5 / 2\n";
    for (const char* text : {"input X[B, M, N]\noutput X\n", "input X[M, M], c[M]\noutput X\noutput c\n",
                             "input X[M, N]\noutput Y = exp(X)\noutput X\n"}) {
        SCOPED_TRACE(text);
        const auto initial = std::make_shared<const BlockProgram>(from_text(dims + text));
        expect_round_trip(*initial);
        expect_round_trip(fuse(initial));
    }
}

TEST(BlockJson, OnlyACopyHasTheNameOfItsInput) {
    for (const char* text : {"dim M = 7 / 3\ninput X[M, M]\noutput Y = exp(X)\n",
                             "dim M = 7 / 3\ninput X[M, M]\noutput Y = X.T\n",
                             "dim M = 7 / 3\ninput X[M, M], Z[M, M]\noutput Z\noutput Y = Z\n"}) {
        std::string json = write_json(from_text(text));
        const std::string name = "\"name\": \"Y\"";
        ASSERT_NE(json.find(name), std::string::npos);
        json.replace(json.find(name), name.size(), "\"name\": \"X\"");
        const auto read = read_block_program(json, "f");
        ASSERT_FALSE(read) << text;
        EXPECT_THAT(to_string(read.problems().at(0)), testing::HasSubstr("second definition of X"));
    }
}

// A sum over N of which iteration 0 was taken out: the rest continues it (rule 7).
TEST(BlockJson, PeeledMapsRoundTrip) {
    IdSource ids(1);
    Builder builder(kDims, ids);
    const Type vector = Type(Item::vector(kN), ElemType::F32);
    const ValueRef x = builder.input(vector.list_over(kN), {"X", false});
    const ValueRef head = builder.elementwise(call(Fn::Exp, arg(0)), {ValueRef{x.node, 0, 1}});
    Builder body(kDims, ids);
    body.output(body.elementwise(call(Fn::Exp, arg(0)), {body.input(vector)}));
    Map rest{kN, 1, {{PortIn::Iterated}, {PortIn::Continued, 0}}, {{PortOut::ReducedSum}}, body.finish()};
    const ValueRef sum = builder.map(rest, {x, head})[0];
    Builder spread(kDims, ids);
    spread.output(spread.functional(FunctionalOp::Add, {spread.input(vector), spread.input(vector)}));
    builder.output(
        builder.map(
            {kN, 0, {{PortIn::Iterated}, {PortIn::Broadcast}}, {{PortOut::Collected}}, spread.finish()},
            {x, sum})[0],
        "Y");
    expect_round_trip(finish(builder));
}

TEST(BlockJson, CastsAndExpressionsRoundTrip) {
    IdSource ids(1);
    Builder builder(kDims, ids);
    const ValueRef x = builder.input(Type(Item::scalar(), ElemType::F32), {"x"});
    const ExprPtr shared = call(Fn::Pow, size_of(kM), number(-0.5));
    const ExprPtr expr = call(Fn::Sub, call(Fn::Mul, arg(0), shared), call(Fn::Div, shared, number(-0.0)));
    const NodeId node = builder.add(Elementwise{expr, ElemType::E4M3}, {x});
    builder.output(ValueRef{node}, "y");
    const BlockProgram program = finish(builder);
    EXPECT_THAT(write_json(program),
                testing::AllOf(testing::HasSubstr("\"to\": \"e4m3\""), testing::HasSubstr("[\"pow\", 1, 2]"),
                               testing::HasSubstr("[\"number\", -0.0]")));
    expect_round_trip(program);
}

// Equal trees are the same text, whether or not they share their parts.
TEST(BlockJson, SharingDoesNotShow) {
    const auto program = [](const ExprPtr& expr) {
        IdSource ids(1);
        Builder builder(kDims, ids);
        const ValueRef x = builder.input(Type(Item::scalar(), ElemType::F32), {"x"});
        builder.output(builder.elementwise(expr, {x}), "y");
        return write_json(finish(builder));
    };
    const ExprPtr part = call(Fn::Exp, arg(0));
    EXPECT_EQ(program(call(Fn::Add, part, part)),
              program(call(Fn::Add, call(Fn::Exp, arg(0)), call(Fn::Exp, arg(0)))));
}

// The verifier's findings become problems at the nodes that they concern, all at once.
TEST(BlockJson, ViolationsHavePlaces) {
    IdSource ids(1);
    Builder builder(kDims, ids);
    const Type scalar(Item::scalar(), ElemType::F32);
    const ValueRef x = builder.input(scalar, {"x"});
    const ValueRef y = builder.elementwise(call(Fn::Exp, arg(0)), {x});
    builder.output(y, "y");
    builder.output(builder.functional(FunctionalOp::Add, {x, y}), "z");
    std::string text = write_json(finish(builder));
    const auto replace = [&](const std::string& from, const std::string& to) {
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
    };
    replace("[[\"arg\", 0]", "[[\"arg\", 3]");
    replace("\"op\": \"add\"", "\"op\": \"dot\"");
    const Result<BlockProgram> read = read_block_program(text, "f");
    ASSERT_FALSE(read);
    ASSERT_EQ(read.problems().size(), 2U);
    EXPECT_EQ(read.problems()[0].place.pointer, "/graph/1");
    EXPECT_EQ(read.problems()[1].place.pointer, "/graph/3");
    EXPECT_THAT(read.problems()[1].message,
                testing::HasSubstr("dot does not take scalar f32 and scalar f32"));
}

// A program that hands on an input that is generated.
std::string masked(const Type& type) {
    IdSource ids(1);
    Builder builder(kDims, ids);
    builder.output(builder.input(type, {"C", false, InputSource::CausalMask}), "Y");
    return write_json(finish(builder));
}

TEST(BlockJson, AWindowIsOfACausalMask) {
    IdSource ids(1);
    Builder builder(kDims, ids);
    builder.output(builder.input(list_of_blocks(), {"C", false, InputSource::CausalMask, 16}), "Y");
    const std::string text = write_json(finish(builder));
    const Result<BlockProgram> read = read_block_program(text, "f");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->graph->nodes().front()->as<Input>()->window, 16);
    std::string other = text;
    other.replace(other.find("causal_mask"), std::string("causal_mask").size(), "array");
    const Result<BlockProgram> refused = read_block_program(other, "f");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.problems()[0].place.pointer, "/graph/0/window");
}

// What generates a mask compares the row of a matrix with the column.
TEST(BlockJson, ACausalMaskIsAMatrix) {
    const DimId batch{2};
    const Type matrix = list_of_blocks();
    EXPECT_TRUE(read_block_program(masked(matrix), "f"));
    for (const Type& type : {Type(Item::scalar(), ElemType::F32),
                             Type(Item::vector(kM), ElemType::F32).list_over(kM), matrix.list_over(batch)}) {
        const Result<BlockProgram> read = read_block_program(masked(type), "f");
        ASSERT_FALSE(read) << to_string(type, kDims);
        EXPECT_EQ(read.problems()[0].place.pointer, "/graph/0");
        EXPECT_THAT(read.problems()[0].message.str(),
                    testing::EndsWith("a causal mask has two axes and no batch"));
    }
}

}  // namespace
}  // namespace blockscope::test

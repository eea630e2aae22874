#include "core/diagram/operators.h"

#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>

namespace blockscope::circuit {
namespace {

TEST(DiagramOperators, OneRowAtMostStandsForAnOperatorOfPrograms) {
    std::map<ArrayOpKind, std::string> rows;
    for (const DiagramOperator& row : kOperators)
        for (const auto& what : row.stands_for)
            if (what) {
                EXPECT_TRUE(rows.emplace(*what, row.name).second)
                    << row.name << " and " << rows[*what] << " both stand for " << describe(*what);
            }
    for (const auto& [what, name] : rows) EXPECT_EQ(to_string(kind_of(what)), name);
}

TEST(DiagramOperators, WhatNoRowStandsForIsOpaque) {
    EXPECT_EQ(kind_of(ArrayOpKind::Custom), OperatorKind::Custom);
    EXPECT_EQ(kind_of(ArrayOpKind::Transpose), OperatorKind::Custom);
    EXPECT_EQ(kind_of(ArrayOpKind::SumOver), OperatorKind::Sum);
    EXPECT_EQ(kind_of(ArrayOpKind::Outer), OperatorKind::Elementwise);
}

TEST(DiagramOperators, RowsAgreeWithThemselves) {
    std::set<std::string> names;
    for (const DiagramOperator& row : kOperators) {
        SCOPED_TRACE(row.name);
        EXPECT_TRUE(names.insert(row.name).second) << "documents tell operators by their names";
        EXPECT_LE(row.inputs.least, row.inputs.most);
        EXPECT_LE(row.own.least, row.own.most);
        // A rotation needs its axis whole, of as many arrays as it takes.
        const bool whole = row.kind == OperatorKind::Rotate;
        EXPECT_LE(row.owners, whole ? row.inputs.most : row.inputs.least) << "an owner may be missing";
        const bool streams = row.accumulates || row.normalises;
        EXPECT_FALSE(row.accumulates && row.normalises);
        EXPECT_EQ(streams || whole, row.owners > 0) << "what acts along an axis says how it streams along it";
        EXPECT_EQ(row.keeps, whole || row.normalises.has_value()) << "else a normalisation keeps its axis";
        EXPECT_EQ(row.kept.count > 0, row.normalises.has_value());
        EXPECT_EQ(std::string(row.kept.glyph).empty(), !row.normalises) << "the loop names its step";
        EXPECT_EQ(row.arrangement == Arrangement::Along, row.keeps && !whole);
        EXPECT_EQ(row.arrangement == Arrangement::Ends, row.accumulates.has_value());
    }
}

}  // namespace
}  // namespace blockscope::circuit

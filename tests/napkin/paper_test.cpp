// Every figure and number of the papers: source, formula, inputs, value.
#include <cctype>
#include <cmath>

#include "tests/napkin/paper_table.h"

namespace blockscope::test {

void PrintTo(const PaperRow& row, std::ostream* out) {
    *out << row.source << ": " << row.formula << " with " << row.inputs;
}

namespace {

class Paper : public testing::TestWithParam<PaperRow> {};

TEST_P(Paper, Says) {
    const PaperRow& row = GetParam();
    SCOPED_TRACE(row.source + ": " + row.formula + " with " + row.inputs);
    const auto found = row.found();
    if (const std::string* expected = std::get_if<std::string>(&row.expected)) {
        ASSERT_TRUE(std::holds_alternative<std::string>(found));
        EXPECT_THAT(summands(std::get<std::string>(found)),
                    testing::UnorderedElementsAreArray(summands(*expected)));
        return;
    }
    const Near& near = std::get<Near>(row.expected);
    ASSERT_TRUE(std::holds_alternative<double>(found));
    EXPECT_NEAR(std::get<double>(found), near.value, near.tolerance + 1e-12 * std::abs(near.value));
}

// "Figure18_3": the source without what names of tests may not have, and which row it is.
std::string name_of(const testing::TestParamInfo<PaperRow>& row) {
    std::string name;
    for (const char letter : row.param.source)
        if (std::isalnum(static_cast<unsigned char>(letter))) name += letter;
    return name + "_" + std::to_string(row.index);
}

INSTANTIATE_TEST_SUITE_P(Diagrams, Paper, testing::ValuesIn(rows_of_diagrams()), name_of);
INSTANTIATE_TEST_SUITE_P(Models, Paper, testing::ValuesIn(rows_of_models()), name_of);
INSTANTIATE_TEST_SUITE_P(Kernels, Paper, testing::ValuesIn(rows_of_kernels()), name_of);
INSTANTIATE_TEST_SUITE_P(McFuser, Paper, testing::ValuesIn(rows_of_mcfuser()), name_of);
INSTANTIATE_TEST_SUITE_P(Fusion, Paper, testing::ValuesIn(rows_of_fusion()), name_of);

// The table has every figure with numbers, every table, and the sections that state some.
TEST(PaperTable, IsComplete) {
    std::string sources;
    for (const PaperRows& rows :
         {rows_of_diagrams(), rows_of_models(), rows_of_kernels(), rows_of_mcfuser(), rows_of_fusion()})
        for (const PaperRow& row : rows) {
            sources += row.source + "; ";
            EXPECT_FALSE(row.formula.empty() || row.inputs.empty()) << row.source;
        }
    for (const char* source :
         {"Figure 9;",       "Figure 11;",   "Figure 12;",      "Figure 15;",      "Figure 16;",
          "Figure 17;",      "Figure 18;",   "Figure 20;",      "Figure 21;",      "Figure 22;",
          "Figure 23;",      "Figure 24;",   "Figure 25;",      "Figure 27;",      "Figure 28;",
          "Figure 29;",      "Figure 30;",   "Figure 31;",      "Figure 32;",      "Figure 33;",
          "Figure 34;",      "Figure 35;",   "Figure 36;",      "Figure 37;",      "Table 1;",
          "Table 2;",        "Table 3;",     "Table 4;",        "Section 4.3;",    "Section 6.1;",
          "Section 6.2;",    "Section 6.3;", "Appendix A.2.1;", "Appendix A.2.2;", "Appendix A.2.3;",
          "Appendix B.0.1;", "Appendix B.1;"})
        EXPECT_THAT(sources, testing::HasSubstr(source));
}

}  // namespace
}  // namespace blockscope::test

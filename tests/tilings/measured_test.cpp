// Tables of measured times: what is read, what is refused, and files that end too early.
#include "core/tilings/search.h"

#include <gmock/gmock.h>

#include "tests/tilings/chains.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;

tilings::MeasuredText read(const std::string& text) {
    return tilings::read_measured_text(text, "f").value();
}

TEST(MeasuredTable, ReadsWhatItWrites) {
    const std::string subject = tilings::measured_subject("G1", workload_chain("G1"), "cpu, 1 thread");
    EXPECT_EQ(subject, "G1: m=512 n=256 k=64 h=64 batch=1, on cpu, 1 thread");
    const std::string text = tilings::measured_head(subject) +
                             tilings::measured_line("mhnk m=32 n=64 k=16 h=16", 1.25e-5) +
                             tilings::measured_line("mhnk m=512 n=64 k=16 h=16", std::nullopt);
    const tilings::MeasuredText found = read(text);
    EXPECT_FALSE(found.cut);
    ASSERT_EQ(found.sections.size(), 1u);
    EXPECT_EQ(found.sections[0].subject, subject);
    const tilings::MeasuredTable& table = found.sections[0].table;
    ASSERT_EQ(table.size(), 2u);
    EXPECT_EQ(table.at("mhnk m=32 n=64 k=16 h=16"), 1.25e-5);
    EXPECT_EQ(table.at("mhnk m=512 n=64 k=16 h=16"), std::nullopt);
}

// A file of several chains: each head begins one, or goes on with it.
TEST(MeasuredTable, HoldsSeveralChains) {
    const tilings::MeasuredText found =
        read(tilings::measured_head("G1: m=512, on cpu") + "mhnk m=16: 1e-5\n" +
             tilings::measured_head("G12: m=64, on cpu") + "mhnk m=16: 2e-5\n" +
             tilings::measured_head("G1: m=512, on cpu") + "mhnk m=32: 3e-5\nmhnk m=4");
    EXPECT_TRUE(found.cut);
    EXPECT_EQ(found.last_subject, "G1: m=512, on cpu");
    ASSERT_EQ(found.sections.size(), 2u);
    ASSERT_EQ(found.named("G1").size(), 1u);
    EXPECT_EQ(found.named("G1")[0], found.of("G1: m=512, on cpu"));
    EXPECT_EQ(found.named("G1")[0]->table,
              (tilings::MeasuredTable{{"mhnk m=16", 1e-5}, {"mhnk m=32", 3e-5}}));
    EXPECT_EQ(found.of("G12: m=64, on cpu")->table, (tilings::MeasuredTable{{"mhnk m=16", 2e-5}}));
    EXPECT_EQ(found.of("G2: m=64, on cpu"), nullptr);
    EXPECT_TRUE(found.named("G2").empty());
}

// Whatever byte a crash ends it at: what is read is a part of what was written, and no time is another one.
TEST(MeasuredTable, ThatEndsTooEarlyKeepsItsWholeLines) {
    std::string text = tilings::measured_head("G1: m=512, on cpu");
    for (int i = 1; i <= 5; ++i)
        text += tilings::measured_line("mhnk m=" + std::to_string(16 * i), i * 1.2345e-5);
    const tilings::MeasuredTable whole = read(text).sections[0].table;
    const std::size_t head = tilings::measured_head("G1: m=512, on cpu").size();
    for (std::size_t length = head; length <= text.size(); ++length) {
        const tilings::MeasuredText part = read(text.substr(0, length));
        EXPECT_EQ(part.cut, text[length - 1] != '\n') << length;
        for (const auto& [candidate, seconds] : part.sections[0].table)
            EXPECT_EQ(seconds, whole.at(candidate)) << length;
    }
}

// One that was written by hand may end without a line break.
TEST(MeasuredTable, OfOthersNeedsNoLastLineBreak) {
    EXPECT_EQ(read("mhnk m=16: 2e-5").sections[0].table.at("mhnk m=16"), 2e-5);
    EXPECT_EQ(read("# times\r\nmhnk m=16: 2e-5\r\n\r\n").sections[0].table.at("mhnk m=16"), 2e-5);
    EXPECT_TRUE(read("").sections[0].table.empty());
}

TEST(MeasuredTable, RefusesWhatIsNone) {
    for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
             {"mhnk m=16\n", "f:1:1: expected a candidate, a colon and its seconds or null"},
             {": 1e-5\n", "f:1:1: expected a candidate"},
             {"\nmhnk m=16: -1\n", "f:2:12: expected a candidate"},
             {"mhnk m=16: 0\n", "f:1:12: expected a candidate"},
             {"mhnk m=16: nan\n", "f:1:12: expected a candidate"},
             {"mhnk m=16: inf\n", "f:1:12: expected a candidate"},
             {"mhnk m=16: 1e999\n", "f:1:12: expected a candidate"},
             {"mhnk m=16: 1e-5 s\n", "f:1:12: expected a candidate"},
             {"mhnk m=16: nullx\n", "f:1:12: expected a candidate"},
             {"a: 1\na: 2\n", "f:2:1: the candidate a stands in the table twice"},
             {std::string("a\0b", 3), "f:1:1: expected a candidate"},
             {std::string(5000, 'a') + ": 1\n", "f:1:1: a line has at most 4096 bytes"}}) {
        const auto found = tilings::read_measured_text(text, "f");
        ASSERT_FALSE(found) << text;
        EXPECT_THAT(to_string(found.problems().front()), HasSubstr(said));
    }
}

}  // namespace
}  // namespace blockscope::test

// blockscope-cli glossary: one term by any of its names, all of them, and what there is instead of no term.
#include <gmock/gmock.h>

#include "core/glossary/glossary.h"
#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(GlossaryCommand, ExplainsATermByAnyOfItsNames) {
    const Outcome term = run_cli({"glossary", "Buffered edge"});
    EXPECT_EQ(term.code, 0);
    EXPECT_THAT(term.out, StartsWith("Buffered edge\n  An edge whose value goes through global memory"));
    EXPECT_THAT(term.out, HasSubstr("\n  see also: "));
    EXPECT_EQ(run_cli({"glossary", "buffered"}).out, term.out) << "another word for it";
    EXPECT_THAT(run_cli({"glossary", "built"}), ends(0, {"Built form"})) << "the only name with that word";
}

TEST(GlossaryCommand, ListsAllTermsALineEach) {
    const Outcome all = run_cli({"glossary"});
    EXPECT_EQ(all.code, 0);
    EXPECT_EQ(lines_of(all.out).size(), glossary().size());
    EXPECT_THAT(all.out, HasSubstr("\nSnapshot "));
}

TEST(GlossaryCommand, SaysWhereAnUnknownWordStands) {
    EXPECT_THAT(run_cli({"glossary", "forgetful"}), ends(2, {}, {"there is no term 'forgetful'"}));
    EXPECT_THAT(run_cli({"glossary", "sequences"}).err, HasSubstr("it stands in: Batch dimension"));
}

TEST(GlossaryCommand, HasTermsAsJson) {
    const std::string json = run_cli({"glossary", "map", "--json"}).out;
    EXPECT_THAT(json, StartsWith("{\n  \"blockscope\": \"glossary\","));
    EXPECT_THAT(json, HasSubstr("\"term\": \"Map\""));
    EXPECT_THAT(json, HasSubstr("\"see_also\": ["));
}

}  // namespace
}  // namespace blockscope::test

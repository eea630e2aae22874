#include "app/export/derivation.h"

#include <gmock/gmock.h>

#include <regex>
#include <set>

#include "app/export/runs.h"
#include "tests/export/run.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> all(const std::string& text, const std::string& pattern) {
    std::vector<std::string> found;
    const std::regex expression(pattern);
    for (auto it = std::sregex_iterator(text.begin(), text.end(), expression); it != std::sregex_iterator();
         ++it)
        found.push_back((*it)[1]);
    return found;
}

TEST(Page, IsWellFormedAndHasEveryStep) {
    FusedRun run("attention");
    const Derivation derivation = run.derivation();
    const std::string page = derivation_page(derivation);
    EXPECT_THAT(xml_problem(page), IsEmpty());
    EXPECT_THAT(all(page, "data-step=\"([0-9]+)\""), testing::SizeIs(derivation.stages.size()));
    for (const Stage& stage : derivation.stages)
        EXPECT_THAT(page, HasSubstr("data-step=\"" + std::to_string(stage.number) + "\""));
    EXPECT_THAT(page, HasSubstr("extend loop"));
    EXPECT_THAT(all(page, "class=\"chip snapshot\">(snapshot [0-9]+)<"), testing::SizeIs(2));
}

TEST(Page, ItsLegendExplainsWhatOccurs) {
    FusedRun run("attention");
    const Derivation derivation = run.derivation();
    const std::string page = derivation_page(derivation);
    const std::string legend =
        page.substr(page.find("<details"), page.find("</details>") - page.find("<details"));
    const Signs signs = signs_of(derivation);
    EXPECT_THAT(all(legend, "<(li)>"), testing::SizeIs(signs.size()));
    EXPECT_EQ(signs.count(Sign::Sum), 1U);
    EXPECT_THAT(legend, HasSubstr("summed over iterations"));
    EXPECT_EQ(signs.count(Sign::Misc), 0U);
    EXPECT_THAT(legend, Not(HasSubstr("opaque")));
}

TEST(Page, AsksForNothingFromElsewhere) {
    FusedRun run("attention");
    std::string page = derivation_page(run.derivation());
    const std::string name = "http://www.w3.org/2000/svg";  // of a vocabulary; nobody fetches it
    for (std::size_t at = page.find(name); at != std::string::npos; at = page.find(name))
        page.erase(at, name.size());
    EXPECT_THAT(page, Not(HasSubstr("http:")));
    EXPECT_THAT(page, Not(HasSubstr("https:")));
    EXPECT_THAT(page, Not(HasSubstr("url(")));
    EXPECT_THAT(page, Not(HasSubstr("@import")));
    EXPECT_THAT(page, Not(HasSubstr("src=")));
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(Page, EveryReferenceLeadsToADefinition) {
    FusedRun run("attention");
    const std::string page = derivation_page(run.derivation());
    const std::vector<std::string> defined = all(page, "<g id=\"([^\"]+)\"");
    const std::set<std::string> known(defined.begin(), defined.end());
    EXPECT_EQ(known.size(), defined.size());
    const std::vector<std::string> used = all(page, "<use href=\"#([^\"]+)\"");
    EXPECT_GT(used.size(), known.size());  // stages share what they have in common
    for (const std::string& name : used) EXPECT_EQ(known.count(name), 1U) << name;
}

TEST(Page, EveryColourHasALightAndADarkForm) {
    FusedRun run("softmax");
    const std::string page = derivation_page(run.derivation());
    for (const std::string& name : all(page, "var\\((--c[0-9]+)\\)"))
        EXPECT_THAT(all(page, "(" + name + "):#"), testing::SizeIs(2)) << name;
}

TEST(Page, LinesOfTheListingLeadToNodesOfThePicture) {
    FusedRun run("attention");
    const Derivation derivation = run.derivation();
    for (const Stage& stage : derivation.stages) {
        int linked = 0;
        for (const ListingRow& row : stage.listing.rows) linked += stage.picture->figure.find(row.node) >= 0;
        EXPECT_GT(linked * 2, static_cast<int>(stage.listing.rows.size()));
    }
    EXPECT_THAT(derivation_page(derivation), HasSubstr("class=\"line changed\""));
    EXPECT_THAT(derivation_page(derivation), HasSubstr("class=\"line removed\""));
}

TEST(Page, NotesAreThereAndCannotBreakIt) {
    FusedRun run("softmax");
    Content content = *run.content;
    content.history.set_note(1, "<script>alert(1)</script> ]]> & so on");
    run.content = std::make_shared<const Content>(content);
    const std::string page = derivation_page(run.derivation());
    EXPECT_THAT(xml_problem(page), IsEmpty());
    EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)"));
    EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
}

TEST(Page, ItAndTheDeckSayTheCommandThatOpensEachState) {
    FusedRun run("softmax");
    const std::size_t states = run.derivation().stages.size();
    for (const char* kind : {"html", "deck"}) {
        const auto page =
            write_run(kind, "html", *run.content, {.opened = QStringLiteral("it's.bp")}, run.source());
        ASSERT_TRUE(page);
        EXPECT_THAT(xml_problem(page->toStdString()), IsEmpty());
        const std::vector<std::string> links = all(page->toStdString(), "<code>([^<]*)</code>");
        ASSERT_EQ(links.size(), states) << kind;
        EXPECT_EQ(links.front(), "blockscope 'it'\\''s.bp' --step 0");
        EXPECT_EQ(links.back(), "blockscope 'it'\\''s.bp' --step " + std::to_string(states - 1));
        const auto nameless = write_run(kind, "html", *run.content, {}, run.source());
        EXPECT_THAT(all(nameless->toStdString(), "<(code)>"), IsEmpty()) << "there is nothing that opens it";
    }
}

TEST(Page, OnlyMarksOfTheNextStepCanBeHidden) {
    FusedRun run("softmax");
    const std::string page = derivation_page(run.derivation());
    EXPECT_THAT(page, HasSubstr("class=\"light matched\""));
    EXPECT_THAT(page, HasSubstr("class=\"light\""));
}

TEST(Page, TheSameInputGivesTheSameBytes) {
    FusedRun first("softmax");
    FusedRun second("softmax");
    EXPECT_EQ(derivation_page(first.derivation()), derivation_page(second.derivation()));
}

}  // namespace
}  // namespace blockscope::test

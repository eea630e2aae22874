// The glossary: its page is read, its words are found, and what breaks its form is said.
#include "core/glossary/glossary.h"

#include <gmock/gmock.h>

namespace blockscope {
namespace {

using testing::ElementsAre;

constexpr const char* kPage =
    "# Glossary\n"
    "\n"
    "What words mean.\n"
    "\n"
    "## Map\n"
    "\n"
    "A loop over *blocks*. It is written\n"
    "`forall`.\n"
    "\n"
    "It is drawn as a frame.\n"
    "\n"
    "Also: maps, M-map.\n"
    "\n"
    "See also: [H*](#h), Map.\n"
    "\n"
    "## H*\n"
    "\n"
    "The least traffic: H* is at most H.\n";

std::vector<std::string> messages(const char* page) {
    std::vector<std::string> texts;
    const Result<Glossary> terms = parse_glossary(page, "page.md");
    if (!terms)
        for (const Problem& problem : terms.problems()) texts.push_back(to_string(problem));
    return texts;
}

TEST(Glossary, IsReadTermByTerm) {
    const Result<Glossary> terms = parse_glossary(kPage, "page.md");
    ASSERT_TRUE(terms) << to_string(terms.problems()[0]);
    EXPECT_THAT(*terms, ElementsAre(GlossaryTerm{.name = "Map",
                                                 .aliases = {"maps", "M-map"},
                                                 .text = {"A loop over *blocks*. It is written `forall`.",
                                                          "It is drawn as a frame."},
                                                 .see_also = {"H*", "Map"}},
                                    GlossaryTerm{.name = "H*",
                                                 .aliases = {},
                                                 .text = {"The least traffic: H* is at most H."},
                                                 .see_also = {}}));
}

TEST(Glossary, SaysWhatBreaksItsForm) {
    EXPECT_THAT(messages("# Glossary\n"),
                ElementsAre("page.md:1:1: expected a term, as a heading \"## NAME\""));
    EXPECT_THAT(messages("## Map\n## List\nMany items.\n"),
                ElementsAre("page.md:1:1: the term \"Map\" has no text"));
    EXPECT_THAT(messages("## Map\nA loop.\n\nAlso: list.\n\n## List\nMany.\n\nSee also: Loop.\n"),
                ElementsAre("page.md:6:1: \"List\" is explained in line 4 already",
                            "page.md:9:1: there is no term \"Loop\""));
}

TEST(Glossary, FindsTermsByNamesAndAliasesWhateverTheirCase) {
    const Glossary terms = parse_glossary(kPage, "page.md").value();
    EXPECT_EQ(find_term(terms, "map"), &terms[0]);
    EXPECT_EQ(find_term(terms, "m-map"), &terms[0]);
    EXPECT_EQ(find_term(terms, "h*"), &terms[1]);
    EXPECT_EQ(find_term(terms, "loop"), nullptr);
    EXPECT_THAT(search_terms(terms, "FORALL"), ElementsAre(&terms[0]));
    EXPECT_THAT(search_terms(terms, "h"), ElementsAre(&terms[1]));
    EXPECT_THAT(search_terms(terms, "A"), ElementsAre(&terms[0], &terms[1]));
    EXPECT_THAT(search_terms(terms, "nothing"), ElementsAre());
}

TEST(Glossary, PlainTextHasNoMarks) {
    EXPECT_EQ(plain_text("*Safe* forms of `exp(x*y)`, (*both*): H* = 2"),
              "Safe forms of exp(x*y), (both): H* = 2");
}

TEST(Glossary, HasBlockscopesOwnTerms) {
    ASSERT_GE(glossary().size(), 120U);
    for (const char* word :
         {"block program", "map",     "buffered edge", "local memory", "snapshot",   "state",
          "step",          "level",   "group",         "stream",       "H*",         "napkin",
          "traffic",       "work",    "launch",        "candidate",    "safe form",  "per-block form",
          "trace",         "proof",   "tile",          "regret",       "objective",  "built form",
          "paper form",    "contest", "verdict",       "rounding",     "split axis", "sub-loop",
          "wgmma",         "mma",     "tile size"})
        EXPECT_NE(find_term(glossary(), word), nullptr) << word;
    for (const GlossaryTerm& term : glossary()) {
        const std::string& first = term.text.front();
        EXPECT_LE(first.substr(0, first.find(". ")).size(), 240U) << term.name << ": the definition is long";
        EXPECT_EQ(first.back(), '.') << term.name;
    }
}

// Words that mean something else in most sentences are no names of terms: nobody is told of an option there.
TEST(Glossary, ExplainsNoWordsOfEverydayUse) {
    EXPECT_TRUE(mentions("Some paper says what is built, how it is split and where to round.").empty());
}

// The order in which a reader looks a word up.
TEST(Glossary, StandsInAlphabeticalOrder) {
    for (std::size_t i = 1; i < glossary().size(); ++i) {
        const auto key = [](const GlossaryTerm& term) {
            std::string letters;
            for (const char c : term.name)
                letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            return letters;
        };
        EXPECT_LT(key(glossary()[i - 1]), key(glossary()[i]));
    }
}

TEST(Glossary, KnowsThePicturesOfItsTerms) {
    const auto terms =
        parse_glossary("## Map\n\n![Map](pictures/glossary/a-map.svg)\n\nA loop.\n", "page.md");
    ASSERT_TRUE(terms) << to_string(terms.problems()[0]);
    EXPECT_EQ(terms->front().picture, "a-map");
    EXPECT_THAT(terms->front().text, ElementsAre("A loop."));
    EXPECT_THAT(messages("## Map\n\n![Map](map.png)\n\nA loop.\n"),
                ElementsAre("page.md:3:1: expected a picture, as ![NAME](FOLDER/NAME.svg)"));
}

// Two sentences and a picture each.
TEST(Glossary, OfBlockscopeExplainsEveryTermInWordsAndInAPicture) {
    for (const GlossaryTerm& term : glossary()) {
        EXPECT_FALSE(term.picture.empty()) << term.name;
        int ends = 0;
        for (const std::string& paragraph : term.text)
            for (std::size_t i = 0; i < paragraph.size(); ++i)
                if ((paragraph[i] == '.' || paragraph[i] == '?') &&
                    (i + 1 == paragraph.size() || paragraph[i + 1] == ' '))
                    ++ends;
        EXPECT_EQ(ends, 2) << term.name;
    }
}

}  // namespace
}  // namespace blockscope

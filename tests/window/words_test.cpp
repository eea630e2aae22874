// The core's sentences are known to the phrases of app/words, and its fixed texts to the translators.
#include "app/words/words.h"

#include <gmock/gmock.h>

#include <QCoreApplication>
#include <QFile>
#include <QXmlStreamReader>
#include <set>

#include "app/figure/figure.h"
#include "app/words/languages.h"
#include "app/words/pseudo_locale.h"
#include "core/fusion/trace.h"
#include "core/rules/ask.h"
#include "tests/support/samples.h"

namespace blockscope {
namespace {

TEST(Words, PhrasesAreRecognisedWithWhatStandsInTheirPlaces) {
    const Phrase phrase{"%1 is not a map of %2 and nothing else"};
    EXPECT_THAT(arguments_of(phrase, "the M-map n4 (dot) is not a map of row_scale and nothing else"),
                testing::Optional(testing::ElementsAre("the M-map n4 (dot)", "row_scale")));
    EXPECT_FALSE(arguments_of(phrase, "n4 is not a map of row_scale"));
    EXPECT_FALSE(arguments_of(phrase, " is not a map of row_scale and nothing else"));
    EXPECT_FALSE(arguments_of({"%1 is not a map"}, "the M-map n4 (dot) is not a map of dot"));
    EXPECT_THAT(arguments_of({"%2 before %1"}, "a before b"),
                testing::Optional(testing::ElementsAre("b", "a")));
}

TEST(Words, PartsOfSentencesAreTranslatedToo) {
    PseudoLocale locale;
    QCoreApplication::installTranslator(&locale);
    EXPECT_EQ(in_words("the M-map n4 (dot) is not a reduction"),
              locale.translate("", "%1 is not a reduction", nullptr, -1)
                  .arg(locale.translate("", "the %1-map %2 (%3)", nullptr, -1).arg("M", "n4", "dot")));
    QCoreApplication::removeTranslator(&locale);
    EXPECT_EQ(in_words("the M-map n4 (dot) is not a reduction"),
              QStringLiteral("the M-map n4 (dot) is not a reduction"));
    EXPECT_EQ(as_sentence("n4 is not a map"), QStringLiteral("n4 is not a map."));
    EXPECT_EQ(as_sentence("two maps become one"), QStringLiteral("Two maps become one."));
}

void expect_phrase(std::set<std::string>& missing, const std::string& text) {
    if (!has_phrase(text)) missing.insert(text);
}

// Why no rule applies to any pair of neighbours, nor to any one node.
void ask(const BlockProgram& program, const Graph& graph, const std::vector<NodeId>& path,
         std::set<std::string>& missing) {
    const auto& nodes = graph.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        std::vector<std::vector<NodeId>> questions = {{nodes[i]->id}};
        for (std::size_t other = 0; other < i; ++other) questions.push_back({nodes[other]->id, nodes[i]->id});
        for (const std::vector<NodeId>& question : questions)
            for (const Rule& rule : rules())
                if (const auto refusal = diagnose(program, rule.id, {path, question}))
                    expect_phrase(missing, refusal->sentence);
        if (const Map* map = nodes[i]->as<Map>()) {
            std::vector<NodeId> inner = path;
            inner.push_back(nodes[i]->id);
            ask(program, *map->body, inner, missing);
        }
    }
}

TEST(Words, ThereIsAPhraseForEverySentenceOfTheSamples) {
    std::set<std::string> missing;
    for (const char* name : {"attention", "layernorm-matmul", "rmsnorm-swiglu", "biased-attention"}) {
        const Trace trace = fuse(test::block_sample(name));
        expect_phrase(missing, trace.stopped);
        for (const Step& step : trace.steps) expect_phrase(missing, step.explanation);
        for (const int state :
             {0, static_cast<int>(trace.steps.size()) / 2, static_cast<int>(trace.steps.size())}) {
            const BlockProgram& program = *trace.state(state);
            for (const Match& match : all_matches(program)) expect_phrase(missing, explain(program, match));
            ask(program, *program.graph, {}, missing);
            for (const Box& box : make_figure(program, folds_at_depth(program, 1), plain_measure).boxes)
                expect_phrase(missing, box.detail);
        }
    }
    EXPECT_THAT(missing, testing::IsEmpty());
}

// Sources of the context "Core" in the translation, which `./dev translations` brings up to date.
TEST(Words, TranslatorsHaveTheTextsOfTheCore) {
    QFile file(QStringLiteral(BLOCKSCOPE_SOURCE_DIR "/resources/translations/blockscope_de.ts"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    std::set<std::string> sources;
    for (QXmlStreamReader xml(&file); !xml.atEnd(); xml.readNext())
        if (xml.isStartElement() && xml.name() == QLatin1String("source"))
            sources.insert(xml.readElementText().toStdString());
    for (const Rule& rule : rules())
        for (const std::string& text :
             {rule.name, rule.summary, rule.condition, rule.reason, rule.use, rule.section})
            EXPECT_EQ(sources.count(text), 1U) << text << "\n./dev translations";
    for (const auto* phrases : {&sentences(), &names()})
        for (const Phrase& phrase : *phrases) EXPECT_EQ(sources.count(phrase.english), 1U) << phrase.english;
}

TEST(Words, GermanIsSpokenWhereItIsCompiledIn) {
    const std::vector<Language> all = languages();
    const auto german =
        std::find_if(all.begin(), all.end(), [](const Language& language) { return language.code == "de"; });
    if (german == all.end()) GTEST_SKIP() << "built without lrelease";
    EXPECT_EQ(german->name, QStringLiteral("Deutsch"));
    install_translations(QStringLiteral("de"));
    const auto german_for = [](const char* context, const char* text) {
        return QCoreApplication::translate(context, text);
    };
    EXPECT_EQ(german_for("actions", "&Next step"), QStringLiteral("&Nächster Schritt"));
    EXPECT_EQ(german_for("blockscope::RuleCard", "In the paper"), QStringLiteral("Im Aufsatz"));
    EXPECT_EQ(german_for("blockscope::ListingPanel", "Step %1, rule %2"),
              QStringLiteral("Schritt %1, Regel %2"));
    EXPECT_EQ(in_words("the M-map n4 (dot) is not a map"), QStringLiteral("M-Map n4 (dot) ist keine Map"));
    for (auto* translator : QCoreApplication::instance()->findChildren<QTranslator*>()) delete translator;
}

}  // namespace
}  // namespace blockscope

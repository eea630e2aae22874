// The core's sentences are known to the phrases of app/words, and its fixed texts to the translators.
#include "app/words/words.h"
#include "app/words/worker_phrases.h"

#include <gmock/gmock.h>

#include <QCoreApplication>
#include <QFile>
#include <QXmlStreamReader>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "app/costs/cost_table.h"
#include "app/figure/figure.h"
#include "app/words/languages.h"
#include "app/words/pseudo_locale.h"
#include "core/cost/models/model.h"
#include "core/engine/plan_work.h"
#include "core/fusion/trace.h"
#include "core/json/device_files.h"
#include "core/rules/ask.h"
#include "tests/program/error_cases.h"
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

// What stands in quotes or brackets, names and numbers have no translation.
bool has_words(std::string text) {
    for (const char* quoted : {"\"[^\"]*\"", "'[^']*'", "\\[[^\\]]*\\]", "\\{.*\\}"})
        text = std::regex_replace(text, std::regex(quoted), "");
    return std::regex_search(text, std::regex("(^|[^A-Za-z_.(=])[a-z]{2,} +[a-z]{2,}"));
}

void expect_phrases(std::set<std::string>& missing, const std::string& message) {
    if (message.rfind("this is not JSON", 0) == 0) return;  // goes on with what the JSON library says
    for (const std::string& text : without_phrase(message))
        if (has_words(text)) missing.insert(text + "   of: " + message);
}

TEST(Words, ThereAreWordsInSentencesAndNoneInData) {
    EXPECT_TRUE(has_words("the end of the line"));
    EXPECT_TRUE(has_words("a product of 6 batch dimensions"));
    EXPECT_FALSE(has_words("'some thing'"));
    EXPECT_FALSE(has_words("A[M, D]"));
    EXPECT_FALSE(has_words("f32"));
}

TEST(Words, ThereIsAPhraseForEveryProblemOfWrongPrograms) {
    std::set<std::string> missing;
    int seen = 0;
    for (const auto* cases : {&statement_errors, &operator_errors, &expression_errors})
        for (const ErrorCase& wrong : *cases) {
            std::istringstream lines(wrong.errors);
            for (std::string line; std::getline(lines, line); ++seen)
                expect_phrases(missing, std::regex_replace(line, std::regex("^t:[0-9]+:[0-9]+: "), ""));
        }
    EXPECT_GT(seen, 100);
    EXPECT_THAT(missing, testing::IsEmpty());
}

TEST(Words, ThereIsAPhraseForEveryProblemOfHostileFiles) {
    std::set<std::string> missing;
    int seen = 0;
    for (const char* kind : {"text", "json"})
        for (const auto& entry : std::filesystem::directory_iterator(
                 std::string(BLOCKSCOPE_SOURCE_DIR "/tests/hostile/") + kind)) {
            if (entry.path().extension() != ".expected") continue;
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line); ++seen)
                expect_phrases(missing, std::regex_replace(line, std::regex("^[^ ]*: "), ""));
        }
    EXPECT_GT(seen, 100);
    EXPECT_THAT(missing, testing::IsEmpty());
}

// What a model says is recognised part by part, as the window shows it.
void expect_parts(std::set<std::string>& missing, std::string sentence) {
    if (!sentence.empty() && sentence.back() == '.') sentence.pop_back();
    for (std::size_t begin = 0; begin <= sentence.size();) {
        const std::size_t end = std::min(sentence.find("; ", begin), sentence.size());
        expect_phrase(missing, sentence.substr(begin, end - begin));
        begin = end + 2;
    }
}

TEST(Words, ThereIsAPhraseForWhatTheTimeModelsSay) {
    std::set<std::string> missing;
    for (const char* name : {"attention", "gemm-relu", "softmax", "layernorm", "mcfuser-g4"}) {
        const Trace trace = fuse(test::block_sample(name));
        for (const ProgramPtr& state : {trace.initial, trace.last()}) {
            const StateWork work = engine_work(lower(*state), {ElemType::F32, ElemType::F32});
            for (const Device& device : builtin_devices())
                for (const TimeModel& model : time_models()) {
                    const Prediction prediction = predict(model, work, device);
                    expect_parts(missing, prediction.sentence);
                    for (const KernelTime& kernel : prediction.kernels)
                        expect_parts(missing, kernel.sentence);
                }
        }
    }
    EXPECT_THAT(missing, testing::IsEmpty());
}

TEST(Words, ThereAreGermanPhrasesForWhatWorkersSay) {
    const std::vector<Language> all = languages();
    if (std::none_of(all.begin(), all.end(), [](const Language& language) { return language.code == "de"; }))
        GTEST_SKIP() << "built without lrelease";
    install_translations(QStringLiteral("de"));
    EXPECT_EQ(in_words("The worker ended while compiling. It was ended by signal 11 (Segmentation fault)."),
              QStringLiteral("Der Arbeitsprozess endete beim Übersetzen. Er wurde von Signal 11 beendet "
                             "(Segmentation fault)."));
    EXPECT_EQ(
        in_words(
            "The worker ended while timing the program. It exited with code 3. The worker was lost 3 times "
            "in a row; nothing more is tried."),
        QStringLiteral("Der Arbeitsprozess endete bei der Zeitmessung. Er endete mit Code 3. Der "
                       "Arbeitsprozess ging 3-mal hintereinander verloren; es wird nichts mehr versucht."));
    EXPECT_EQ(in_words("The card failed while the kernel kernel_1 was started: CUDA_ERROR_LAUNCH_FAILED."),
              QStringLiteral("Die Karte versagte, als der Kernel kernel_1 gestartet wurde: "
                             "CUDA_ERROR_LAUNCH_FAILED."));
    install_translations(QStringLiteral("en"));
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
    for (const auto* phrases : {&sentences(), &names(), &problem_sentences(), &problem_parts(),
                                &worker_sentences(), &worker_parts()})
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
    Document document;
    const CostTable table(document, Costs::of(document));
    EXPECT_EQ(table.headerData(CostTable::Predicted, Qt::Horizontal, Qt::DisplayRole).toString(),
              QStringLiteral("Vorhergesagt"));
    EXPECT_EQ(in_words("the M-map n4 (dot) is not a map"), QStringLiteral("M-Map n4 (dot) ist keine Map"));
    EXPECT_EQ(
        in_words("found the name t, which is not defined; expected an array that an earlier line defines. "
                 "Did you mean T?"),
        QStringLiteral("Gefunden: der Name t, der nicht definiert ist; erwartet: ein Array, das eine frühere "
                       "Zeile definiert. War T gemeint?"));
    for (auto* translator : QCoreApplication::instance()->findChildren<QTranslator*>()) delete translator;
}

}  // namespace
}  // namespace blockscope

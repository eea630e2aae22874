// Whatever the core says can be translated: by template, with what stands in its places.
#include "app/words/words.h"

#include <gmock/gmock.h>

#include <QCoreApplication>
#include <QTranslator>
#include <filesystem>
#include <set>

#include "app/document/content.h"
#include "app/figure/figure.h"
#include "core/cost/models/model.h"
#include "core/engine/cpu_program.h"
#include "core/fusion/trace.h"
#include "core/json/device_files.h"
#include "core/program/convert.h"
#include "core/rules/conditions.h"
#include "tests/support/samples.h"
#include "tests/support/templates.h"
#include "tests/support/text_cases.h"

namespace blockscope {
namespace {

using Missing = std::set<std::string>;

// Turns the order of two places round, as other languages do.
class Turned : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* text, const char*, int) const override {
        if (QByteArray(context) != "Core") return {};
        if (QByteArray(text) == "%1 does not feed %2") return QStringLiteral("<%2> 100% not from <%1>%3");
        if (QByteArray(text) == "the %1-map %2 (%3)") return QStringLiteral("map %2");
        return {};
    }
};

TEST(Words, TemplatesAreTranslatedAndFilledWithTranslatedArguments) {
    const Text text("%1 does not feed %2",
                    Text("the %1-map %2 (%3)", std::string("M"), std::string("n4"), std::string("%1")),
                    std::string("%2 and %1"));
    EXPECT_EQ(translated(text), QStringLiteral("the M-map n4 (%1) does not feed %2 and %1"));
    Turned turned;
    QCoreApplication::installTranslator(&turned);
    EXPECT_EQ(translated(text), QStringLiteral("<%2 and %1> 100% not from <map n4>%3"));
    EXPECT_EQ(translated(Text(std::string("%1 does not feed %2"))), QStringLiteral("%1 does not feed %2"));
    QCoreApplication::removeTranslator(&turned);
    EXPECT_EQ(text.str(), "the M-map n4 (%1) does not feed %2 and %1");
}

TEST(Words, SentencesBeginWithACapitalAndEndWithAFullStop) {
    EXPECT_EQ(as_sentence(Text("%1 is not a map", std::string("n4"))), QStringLiteral("n4 is not a map."));
    EXPECT_EQ(as_sentence(Text("no axis can be grouped")), QStringLiteral("No axis can be grouped."));
    EXPECT_EQ(translated(Problem{{"a.bp", 3, 7, {}}, Text("found %1", std::string("x"))}),
              QStringLiteral("a.bp:3:7: found x"));
}

TEST(Words, ListsAreTexts) {
    const std::vector<Text> names = {std::string("a"), std::string("b"), std::string("c")};
    EXPECT_EQ(comma_list(names), "a, b, c");
    EXPECT_EQ(in_groups(999), "999");
    EXPECT_EQ(in_groups(-1000), "-1,000");
    EXPECT_EQ(in_groups(109'051'904), "109,051,904");
    EXPECT_EQ(and_list(names), "a, b and c");
    EXPECT_EQ(and_list({names[0]}), "a");
    EXPECT_TRUE(and_list({}).empty());
}

TEST(Words, ThereAreWordsInSentencesAndNoneInData) {
    for (const char* words : {"the end of the line", "a product of 6 batch dimensions"})
        EXPECT_TRUE(test::has_words(words));
    for (const char* data : {"'some thing'", "A[M, D]", "f32"}) EXPECT_FALSE(test::has_words(data));
    EXPECT_GT(test::listed_templates().size(), 500U);
    EXPECT_EQ(
        test::listed_templates().count("found the text \"%1\"; expected a name, a number or a function"), 1U);
    Missing missing;
    test::look_for_untranslated(Text("no axis can be grouped"), missing);
    test::look_for_untranslated(Text::of_template("never written", {Text(std::string("two words"))}),
                                missing);
    EXPECT_THAT(missing, testing::ElementsAre("never written", "two words"));
}

// Why no rule applies to any pair of neighbours, nor to any one node.
void collect_missing(const BlockProgram& program, const Graph& graph, const std::vector<NodeId>& path,
                     Missing& missing) {
    const auto& nodes = graph.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        std::vector<std::vector<NodeId>> questions = {{nodes[i]->id}};
        for (std::size_t other = 0; other < i; ++other) questions.push_back({nodes[other]->id, nodes[i]->id});
        for (const std::vector<NodeId>& question : questions)
            for (const Rule& rule : rules())
                if (const auto refusal = diagnose(program, rule.id, {path, question}))
                    test::look_for_untranslated(refusal->sentence, missing);
        if (const Map* map = nodes[i]->as<Map>()) {
            std::vector<NodeId> inner = path;
            inner.push_back(nodes[i]->id);
            collect_missing(program, *map->body, inner, missing);
        }
    }
}

TEST(Words, EverySentenceOfTheSamplesCanBeTranslated) {
    Missing missing;
    for (const char* name : {"attention", "layernorm-matmul", "rmsnorm-swiglu", "biased-attention"}) {
        const Trace trace = fuse(test::block_sample(name));
        test::look_for_untranslated(trace.stopped, missing);
        for (const Step& step : trace.steps) test::look_for_untranslated(step.explanation, missing);
        for (const int state :
             {0, static_cast<int>(trace.steps.size()) / 2, static_cast<int>(trace.steps.size())}) {
            const BlockProgram& program = *trace.state(state);
            for (const Match& match : all_matches(program))
                test::look_for_untranslated(explain(program, match), missing);
            collect_missing(program, *program.graph, {}, missing);
            for (const Box& box : make_figure(program, folds_at_depth(program, 1), plain_measure).boxes)
                test::look_for_untranslated(box.detail, missing);
        }
    }
    EXPECT_THAT(missing, testing::IsEmpty());
}

TEST(Words, RulesCanBeTranslated) {
    Missing missing;
    for (const Rule& rule : rules())
        for (const Text* text :
             {&rule.name, &rule.summary, &rule.condition, &rule.reason, &rule.use, &rule.section}) {
            EXPECT_TRUE(text->is_template()) << *text;
            test::look_for_untranslated(*text, missing);
        }
    EXPECT_THAT(missing, testing::IsEmpty());
}

TEST(Words, EveryProblemOfWrongProgramsAndFilesCanBeTranslated) {
    Missing missing;
    int seen = 0;
    const std::string tests = BLOCKSCOPE_SOURCE_DIR "/tests/";
    for (const char* table : {"program/errors.txt", "hostile/text.txt", "hostile/json.txt"})
        for (const test::TextCase& wrong : test::text_cases(tests + table)) {
            const Result<Content> read = read_any(wrong.input, "f");
            if (read) continue;
            for (const Problem& problem : read.problems()) {
                EXPECT_TRUE(problem.message.is_template()) << problem.message;
                test::look_for_untranslated(problem.message, missing);
                ++seen;
            }
        }
    EXPECT_GT(seen, 300);
    EXPECT_THAT(missing, testing::IsEmpty());
}

TEST(Words, WhatTheTimeModelsSayCanBeTranslated) {
    Missing missing;
    for (const char* name : {"attention", "gemm-relu", "softmax", "layernorm", "mcfuser-g4"}) {
        const Trace trace = fuse(test::block_sample(name));
        for (const ProgramPtr& state : {trace.initial, trace.last()}) {
            const StateWork work = engine_work(lower(*state), {ElemType::F32, ElemType::F32});
            for (const Device& device : builtin_devices())
                for (const TimeModel& model : time_models()) {
                    const Prediction prediction = predict(model, work, device);
                    test::look_for_untranslated(prediction.sentence, missing);
                    for (const KernelTime& kernel : prediction.kernels)
                        test::look_for_untranslated(kernel.sentence, missing);
                }
        }
    }
    EXPECT_THAT(missing, testing::IsEmpty());
}

}  // namespace
}  // namespace blockscope

// Slides: a page each, everything on it, pictures and words that can be read.
#include "app/export/slides.h"

#include <gmock/gmock.h>

#include <regex>

#include "app/export/runs.h"
#include "app/files/svg.h"
#include "tests/export/run.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr double kNames = 12;  // the height of the smallest names of a picture at scale 1

Derivation slides_run(FusedRun& run, Stages stages = Stages::All) {
    return derive(*run.content, stages, run.source(), slide_shape()).value();
}

int pages_of(const QByteArray& pdf) {
    const std::regex page("/Type /Page[^s]");
    const std::string text = pdf.toStdString();
    return static_cast<int>(
        std::distance(std::sregex_iterator(text.begin(), text.end(), page), std::sregex_iterator()));
}

double number_in(const std::string& head, const std::string& name) {
    const std::size_t at = head.find(" " + name + "=\"");
    return at == std::string::npos ? 0 : std::stod(head.substr(at + name.size() + 3));
}

std::string texts_of(const Derivation& derivation, const Slide& slide) {
    VectorDevice device;
    device.set_centred(false);
    QPainter painter(&device);
    device.start();
    paint_slide(painter, derivation, slide, Theme::light());
    painter.end();
    std::string texts;
    for (const VectorItem& item : device.items())
        for (const VectorElement& element : item.elements) {
            if (element.content.empty()) continue;
            texts += element.content + "\n";
            if (!element.clip.isEmpty()) continue;  // of a picture's part, which is cut off at its edge
            const double x = number_in(element.head, "x"), y = number_in(element.head, "y");
            EXPECT_GE(x, 0) << element.content;
            EXPECT_LE(x + number_in(element.head, "textLength"), kSlide.width) << element.content;
            EXPECT_LE(y, kSlide.height) << element.content;
        }
    return texts;
}

class EverySlide : public testing::TestWithParam<const char*> {};

TEST_P(EverySlide, CanBeRead) {
    FusedRun run(GetParam());
    const Derivation derivation = slides_run(run);
    for (const Slide& slide : slides_of(derivation)) {
        const std::string texts = texts_of(derivation, slide);
        if (slide.kind != Slide::Kind::Stage) continue;
        const Stage& stage = derivation.stages[static_cast<std::size_t>(slide.stage)];
        const SlideView view = slide_view(stage);
        EXPECT_GE(view.scale * kNames, view.whole ? 9.99 : 13.3) << stage.number;
        const Lights lights = lights_of(stage);
        const bool seen = std::any_of(lights.boxes.begin(), lights.boxes.end(), [&](const auto& lit) {
            return view.part.intersects(stage.picture->geometry.boxes[static_cast<std::size_t>(lit.first)]);
        });
        EXPECT_TRUE(seen || lights.boxes.empty()) << "what the step is about, " << stage.number;
        EXPECT_THAT(texts, HasSubstr("kernels"));
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, EverySlide, testing::Values("attention", "gemm-relu", "rmsnorm-swiglu"),
                         [](const auto& one) {
                             std::string name = one.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

TEST(Slides, OnePageEachBetweenATitleAndWhatWasGained) {
    FusedRun run("attention");
    const Derivation derivation = slides_run(run);
    EXPECT_THAT(slides_of(derivation), SizeIs(18 + 3));
    const QByteArray pdf = slides_pdf(derivation, Theme::light(), false);
    EXPECT_EQ(pages_of(pdf), 21);
    EXPECT_TRUE(pdf.contains("/MediaBox [0 0 960.0")) << "13.3 x 7.5 inches";
    EXPECT_EQ(pdf, slides_pdf(derivation, Theme::light(), false)) << "the same bytes again";
    EXPECT_EQ(pages_of(slides_pdf(derivation, Theme::light(), true)), 21);
    const std::string end = texts_of(derivation, slides_of(derivation).back());
    EXPECT_THAT(end, HasSubstr("This is Flash Attention"));
    EXPECT_THAT(texts_of(derivation, slides_of(derivation).front()), HasSubstr("softmax"));
}

TEST(Slides, OfEachChapter) {
    FusedRun run("attention");
    const Derivation derivation = slides_run(run, Stages::Chapters);
    ASSERT_THAT(derivation.stages, SizeIs(5));
    EXPECT_EQ(derivation.stages[1].title, "Line the loops up");
    EXPECT_THAT(derivation.stages[1].steps, SizeIs(6));
    EXPECT_EQ(derivation.stages.back().number, 17);
    EXPECT_THAT(texts_of(derivation, {Slide::Kind::Stage, 1}), HasSubstr("Steps 1 to 6: Line the loops up"));
}

TEST(Slides, ThoseOfOtherProgramsClaimNothing) {
    FusedRun run("gemm-relu");
    const Derivation derivation = slides_run(run);
    EXPECT_THAT(texts_of(derivation, slides_of(derivation).back()), Not(HasSubstr("Flash")));
}

TEST(Slides, NotesHoldTheReasonAQuestionAndWhatTheUserWrote) {
    FusedRun run("attention");
    Content content = *run.content;
    const std::vector<StateId> way = content.history.path(content.history.branch(content.branch).tip);
    content.history.set_note(way[3], "Wait here.");
    const auto derivation = derive(content, Stages::All, run.source(), slide_shape());
    const std::vector<QString> notes = notes_of(derivation->stages[3]);
    ASSERT_GE(notes.size(), 4U);
    EXPECT_EQ(notes.front(), QStringLiteral("Wait here."));
    EXPECT_TRUE(notes.back().startsWith(QStringLiteral("Ask before the next step: ")));
    EXPECT_TRUE(derivation->stages.back().questions.empty()) << "nothing follows";
}

TEST(Deck, IsWellFormedAndAsksForNothingFromElsewhere) {
    FusedRun run("attention");
    const std::string page = deck_page(slides_run(run));
    EXPECT_THAT(xml_problem(page), IsEmpty());
    EXPECT_THAT(page, Not(HasSubstr("https:")));
    EXPECT_THAT(page, Not(HasSubstr("http:")));
    EXPECT_THAT(page, HasSubstr("This is Flash Attention"));
}

}  // namespace
}  // namespace blockscope::test

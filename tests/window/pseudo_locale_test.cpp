// Every text that the user sees goes through tr(): with the made-up language all of them are in brackets.
#include <gmock/gmock.h>

#include <QAbstractButton>
#include <QLabel>
#include <QRegularExpression>

#include "app/circuit/circuit_view.h"
#include "app/export/derivation.h"
#include "app/export/export_dialog.h"
#include "app/lessons/lesson_shelf.h"
#include "app/panels/search_panel.h"
#include "app/panels/timeline.h"
#include "app/window/dialogs.h"
#include "app/window/message_bars.h"
#include "app/window/panel_table.h"
#include "app/window/picture_view.h"
#include "app/words/words.h"
#include "core/cost/models/model.h"
#include "core/glossary/glossary.h"
#include "core/json/device_files.h"
#include "tests/window/texts.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

class InPseudoLocale : public testing::Test {
protected:
    void SetUp() override { QCoreApplication::installTranslator(&locale_); }
    void TearDown() override { QCoreApplication::removeTranslator(&locale_); }

private:
    PseudoLocale locale_;
};

TEST_F(InPseudoLocale, KeepsPlacesForArguments) {
    const PseudoLocale locale;
    EXPECT_EQ(locale.translate("x", "Go to step %1", nullptr, -1), QStringLiteral("[!! Ĝö ţö šţéþ %1 !!]"));
    EXPECT_EQ(locale.translate("x", "<b>Zoom</b>", nullptr, -1), QStringLiteral("[!! <b>Žööm</b> !!]"));
}

// Proper names, keys, and the words of programs: operators, types, roles in listings.
const char* const kNames =
    "Blockscope Qt Graphviz Apache DejaVu English "
    "Ctrl Shift Alt Space Home End Esc Return PgUp PgDown Left Right Up Down Backspace Enter Del "
    "block vector scalar bf16 f32 f16 i32 dot exp sum max row_sum row_scale row_max row_shift "
    "matmul softmax transpose dim input output forall for range load store inf "
    "GFLOP SVG PDF PNG DOT JSON HTML svg pdf png dot json html bp Markdown GEMM FLOP "
    "attention Algorithm Branch sm_90a "
    "xcb offscreen Flash Blockbuster";

void allow_samples(test::Texts& texts) {
    for (const Sample& sample : samples()) {
        texts.allow(sample.name);
        texts.allow(sample.title);
        for (const QString& line : sample.comment) texts.allow(line);
    }
    for (const CircuitSample& sample : circuit_samples()) texts.allow(sample.title);
    // Lessons are texts of their own, in the language that they are written in.
    for (const LessonInfo& info : lesson_shelf()) {
        texts.allow(info.title());
        for (const std::string& goal : info.lesson->goals) texts.allow(QString::fromStdString(goal));
    }
}

TEST_F(InPseudoLocale, AllTextsAreTranslated) {
    test::Texts texts;
    texts.allow(QString::fromLatin1(kNames));
    allow_samples(texts);
    for (const Device& device : builtin_devices()) {
        texts.allow(QString::fromStdString(device.title));
        texts.allow(QString::fromStdString(device.name));
    }
    // Titles of papers and pages.
    for (const TimeModel& model : time_models()) texts.allow(QString::fromStdString(model.reference));
    test::TestWindow t;
    texts.allow(t.folder.path());
    texts.look(t.window);  // the start page
    ASSERT_TRUE(t.open_sample("attention"));
    Document& document = t.window.document();
    for (const PanelInfo& panel : panel_table()) t.window.services().show_panel(panel.id);
    for (int i = 0; i < 8; ++i) document.forward();
    t.window.actions().trigger("picture.down");
    document.set_note(document.content().current, QStringLiteral("abc"));
    texts.allow(QStringLiteral("abc"));
    ASSERT_TRUE(test::wait_until([&] { return !t.window.services().work.busy(); }));
    texts.look(t.window);

    auto* search = t.window.findChild<SearchPanel*>();
    for (const char* query : {"exp", "nothing of this kind", "x:y"}) {
        search->look_for(QString::fromLatin1(query));
        texts.allow(QString::fromLatin1(query));
        ASSERT_TRUE(test::wait_until([&] { return !t.window.services().work.busy(); }));
        texts.look(*search);
    }
    auto* strip = t.window.findChild<TimelineStrip*>();
    for (int i = 0; i < 10; ++i) texts.check("timeline", "tooltip", strip->tip(i));
    ASSERT_TRUE(test::wait_until([&] { return t.window.view().picture() != nullptr; }));
    const PicturePtr picture = t.window.view().picture();
    for (const Box& box : picture->figure.boxes) texts.check("picture", "detail", translated(box.detail));

    t.window.actions().trigger("help.palette");
    QCoreApplication::processEvents();
    texts.look(t.window.palette_panel());
    document.compare_with({0});
    ASSERT_TRUE(test::wait_until([&] { return !t.window.services().work.busy(); }));
    texts.look(t.window);
    texts.look(SettingsDialog(t.settings));
    texts.look(ShortcutSheet(t.appearance));
    // Its terms are those of a page, which is English.
    for (const GlossaryTerm& term : glossary()) texts.allow(QString::fromStdString(term.name));
    texts.look(GlossaryDialog(t.appearance));
    ExportDialog dialog(t.appearance.theme(), {0, 0, 100, 100}, {});
    for (const auto what : {ExportRequest::What::Seen, ExportRequest::What::Strip, ExportRequest::What::Page,
                            ExportRequest::What::Circuit}) {
        dialog.choose(what, formats_of(what).front());
        texts.look(dialog);
    }
    t.window.problem_bar().show_failure(t.window.tr("x"));
    texts.look(t.window.problem_bar());
    EXPECT_THAT(texts.bare(), testing::IsEmpty());
}

// What only exports say.
TEST_F(InPseudoLocale, ExportsAreTranslated) {
    test::TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    const Content& content = t.window.document().content();
    Pictures pictures(plain_measure);
    const ContentPtr shared = t.window.document().snapshot();
    for (const Stages stages : {Stages::All, Stages::Snapshots}) {
        const auto derivation =
            derive(content, stages, [&](StateId id, const PictureShape& shape, const auto&) {
                return pictures.now(shared, id, shape);
            });
        ASSERT_TRUE(derivation);
        test::Texts texts;
        texts.allow(QString::fromLatin1(kNames));
        for (const Stage& stage : derivation->stages) {
            texts.check("stage", "title", QString::fromStdString(stage.title));
            texts.check("stage", "explanation", QString::fromStdString(stage.explanation));
        }
        texts.check("derivation", "end", QString::fromStdString(derivation->stopped));
        // Of the page: what stands between tags and in what is read aloud, without listings and drawings.
        QString page = QString::fromStdString(derivation_page(*derivation));
        for (const char* part :
             {"<style.*?</style>", "<script.*?</script>", "<pre.*?</pre>", "<svg.*?</svg>"})
            page.remove(QRegularExpression(QString::fromLatin1(part),
                                           QRegularExpression::DotMatchesEverythingOption));
        static const QRegularExpression spoken(
            QStringLiteral("(?:aria-label|title|data-spoken)=\"([^\"]*)\"|>([^<]*)<"));
        for (auto it = spoken.globalMatch(page); it.hasNext();) {
            const auto match = it.next();
            texts.check("page", "text", match.captured(1) + match.captured(2));
        }
        EXPECT_THAT(texts.bare(), testing::IsEmpty());
    }
}

TEST_F(InPseudoLocale, EveryControlHasAnAccessibleName) {
    test::TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    QCoreApplication::processEvents();
    for (const QWidget* widget : t.window.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith(QStringLiteral("qt_")))
            continue;
        // A label is its own name; the list of a combo box is Qt's.
        if (qobject_cast<const QLabel*>(widget) != nullptr || widget->inherits("QComboBoxListView")) continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        if (button != nullptr && !button->text().isEmpty()) continue;
        EXPECT_FALSE(widget->accessibleName().isEmpty())
            << widget->metaObject()->className() << " in "
            << widget->parentWidget()->metaObject()->className() << " " << widget->toolTip().toStdString();
    }
}

}  // namespace
}  // namespace blockscope

#include "app/window/main_window.h"

#include <gmock/gmock.h>

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QFontInfo>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QStatusBar>

#include "app/circuit/circuit_page.h"
#include "app/circuit/circuit_view.h"
#include "app/circuit/kernel_panel.h"
#include "app/costs/best.h"
#include "app/costs/cost_page.h"
#include "app/cuda/cuda_page.h"
#include "app/document/files.h"
#include "app/panels/editor_panel.h"
#include "app/panels/listing_panel.h"
#include "app/scene/canvas.h"
#include "app/shell/code_view.h"
#include "app/window/dialogs.h"
#include "app/window/docks.h"
#include "app/window/message_bars.h"
#include "app/window/picture_view.h"
#include "app/window/start_page.h"
#include "tests/window/panel_of.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

using test::TestWindow;

void drop_on(MainWindow& window, const QString& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &drop);
}

// The button of that text that is seen.
void press(ProblemBar& bar, const char* text) {
    for (QPushButton* button : bar.findChildren<QPushButton*>())
        if (button->isVisible() && button->text() == QLatin1String(text)) return button->click();
    FAIL() << "no such button: " << text;
}

// Costs, CUDA and the kernel panel are for the one device that the toolbar has.
TEST(Window, OneDeviceIsChosenInOnePlace) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    t.window.services().show_panel("panel.kernel");
    t.window.services().show_panel("panel.costs");
    QComboBox* device = nullptr;
    for (QComboBox* box : t.window.findChildren<QComboBox*>()) {
        if (!box->isVisible() || box->accessibleName() != QLatin1String("Device")) continue;
        EXPECT_EQ(device, nullptr) << "one place";
        device = box;
    }
    ASSERT_NE(device, nullptr);
    EXPECT_LE(device->mapTo(&t.window, device->rect().bottomRight()).x(), 1280);
    device->setCurrentIndex(device->findData(QStringLiteral("a100-sxm-80gb")));
    Q_EMIT device->activated(device->currentIndex());
    EXPECT_EQ(Forecast::of(t.window.document()).device().name, "a100-sxm-80gb");
    bool said = false;
    for (const QLabel* label : test::panel_of<KernelPanel>(t.window)->findChildren<QLabel*>())
        said = said || label->text().contains(QStringLiteral("A100"));
    EXPECT_TRUE(said) << "the kernel panel says it where there is room";
    auto* costs = test::panel_of<CostPage>(t.window);
    EXPECT_TRUE(test::wait_until([&] { return costs->best().text().contains(QStringLiteral("A100")); }));
    t.window.services().show_panel("panel.cuda");
    EXPECT_TRUE(test::panel_of<CudaPage>(t.window)->target().itemText(0).contains(QStringLiteral("A100")));
}

TEST(Window, OneKeyGoesToTheBestStateAnotherToTheEnd) {
    TestWindow t;
    Document& document = t.window.document();
    Forecast::of(document).set_device("h100-sxm5");
    ASSERT_TRUE(t.open_sample("rmsnorm-swiglu"));
    Best& best = Best::of(document);
    const StateId tip = document.content().history.branch(document.content().branch).tip;
    ASSERT_TRUE(test::wait_until([&] { return best.state() && best.value_of(tip); }));
    ASSERT_NE(best.state(), tip);
    QLabel* said = nullptr;
    for (QLabel* label : t.window.statusBar()->findChildren<QLabel*>())
        if (label->accessibleName() == QLatin1String("Best state")) said = label;
    ASSERT_NE(said, nullptr);
    t.window.actions().trigger("step.end");
    EXPECT_EQ(document.content().current, tip);
    EXPECT_TRUE(said->text().contains(QStringLiteral("slower than the best"))) << said->text().toStdString();
    t.window.actions().trigger("step.best");
    EXPECT_EQ(document.content().current, *best.state());
    EXPECT_EQ(said->text(), QStringLiteral("\u2605 Best state"));
}

TEST(Window, AFileWithMistakesIsRefusedInPlaceWithEveryPlace) {
    TestWindow t;
    const QString path = t.file("bad.bp", "dim M = 8 / 4\ninput A[M, K]\noutput B = nosuch(A)\n");
    t.window.open_file(path);
    ASSERT_TRUE(test::wait_until([&] { return t.window.problem_bar().isVisible(); }));
    EXPECT_TRUE(t.window.document().empty());
    const auto* list = t.window.problem_bar().findChild<QListWidget*>();
    ASSERT_GE(list->count(), 1);
    EXPECT_TRUE(list->item(0)->text().startsWith(path + QStringLiteral(":2:")));
    EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
    // What to do next: mend it and try again.
    t.file("bad.bp", "dim M = 8 / 4\ninput A[M, M]\noutput B = relu(A)\n");
    press(t.window.problem_bar(), "Try again");
    ASSERT_TRUE(test::wait_until([&] { return !t.window.document().empty(); }));
    EXPECT_FALSE(t.window.problem_bar().isVisible());
    // Another file with mistakes changes nothing of what is open.
    const ContentPtr before = t.window.document().snapshot();
    t.window.open_file(t.file("worse.bp", "dim M = 8 / 4\noutput B = nosuch(A)\n"));
    ASSERT_TRUE(test::wait_until([&] { return t.window.problem_bar().isVisible(); }));
    EXPECT_EQ(t.window.document().snapshot(), before);
}

TEST(Window, ALongProblemIsSeenWhole) {
    TestWindow t;
    t.window.open_file(t.file("bad.bp", "dim M = 8 / 4\ninput A[M, K]\n"));
    ASSERT_TRUE(test::wait_until([&] { return t.window.problem_bar().isVisible(); }));
    auto* list = t.window.problem_bar().findChild<QListWidget*>();
    ASSERT_GE(list->count(), 1);
    for (const int width : {1280, 760, 1600}) {
        t.window.resize(width, 800);
        const auto whole = [&] {
            const QRect row = list->visualItemRect(list->item(0));
            const QRect room(0, 0, row.width() - 8, 1000);
            const QRect text =
                list->fontMetrics().boundingRect(room, Qt::TextWordWrap, list->item(0)->text());
            return t.window.width() == width && list->viewport()->rect().contains(row) &&
                   row.height() >= text.height();
        };
        EXPECT_TRUE(test::wait_until(whole)) << width;
    }
}

TEST(Window, AMissingFileIsAProblemToo) {
    TestWindow t;
    t.window.open_file(t.folder.filePath(QStringLiteral("none.bp")));
    ASSERT_TRUE(test::wait_until([&] { return t.window.problem_bar().isVisible(); }));
    t.window.open_file(t.folder.path());
    ASSERT_TRUE(test::wait_until([&] { return !t.window.services().work.busy(); }));
    EXPECT_TRUE(t.window.problem_bar().isVisible());
}

TEST(Window, ADroppedFileOpens) {
    TestWindow t;
    drop_on(t.window, t.file("a.bp", find_sample(QStringLiteral("gemm-relu"))->text.toUtf8()));
    EXPECT_TRUE(test::wait_until([&] { return !t.window.document().empty(); }));
}

TEST(Window, ACircuitFileOpensInAWindowOfItsOwnAndAsksNothing) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("gemm-relu"));
    t.window.document().set_note(0, QStringLiteral("mine"));
    const ContentPtr before = t.window.document().snapshot();
    const CircuitSample sample = circuit_samples().front();
    QFile bytes(sample.path);
    ASSERT_TRUE(bytes.open(QIODevice::ReadOnly));
    const test::DialogsRefused dialogs;
    drop_on(t.window, t.file("circuit.json", bytes.readAll()));
    EXPECT_TRUE(test::wait_until([&] { return t.window.findChild<CircuitWindow*>() != nullptr; }));
    EXPECT_EQ(dialogs.count(), 0);
    EXPECT_EQ(t.window.document().snapshot(), before);
    // A program would take the document's place: that is asked.
    const QString program = t.file("a.bp", find_sample(QStringLiteral("softmax"))->text.toUtf8());
    Q_EMIT t.window.start_page().file_chosen(program);
    EXPECT_EQ(dialogs.count(), 1);
    EXPECT_EQ(t.window.document().snapshot(), before);
}

TEST(Window, WhatIsJustOpenedIsNotModified) {
    TestWindow t;
    for (const char* sample : {"gemm-relu", "rmsnorm-swiglu", "attention"}) {
        ASSERT_TRUE(t.open_sample(sample));
        ASSERT_TRUE(
            test::wait_until([&] { return t.window.windowTitle().startsWith(QString::fromLatin1(sample)); }));
        EXPECT_FALSE(t.window.isWindowModified()) << sample;
    }
    t.window.document().set_note(0, QStringLiteral("mine"));
    EXPECT_TRUE(t.window.isWindowModified());
}

TEST(Window, AProgramOpensBeforeItsFirstStepWithTheWholeRun) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    const Content& content = t.window.document().content();
    EXPECT_EQ(content.current, 0);
    EXPECT_GT(content.history.states().size(), 10u);
    EXPECT_FALSE(content.history.branch(content.branch).stopped.empty());
}

TEST(Window, LookingAroundIsNoWorkButANoteIs) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    t.window.actions().trigger("step.end");
    t.window.actions().trigger("view.fold_all");
    EXPECT_FALSE(t.window.opener().has_unsaved_work());
    t.window.document().set_note(0, QStringLiteral("mine"));
    EXPECT_TRUE(t.window.opener().has_unsaved_work());
}

TEST(Window, AProgramThatIsTypedAndNotAppliedIsWork) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("softmax"));
    auto* editor = t.window.findChild<EditorPanel*>();
    ASSERT_NE(editor, nullptr);
    EXPECT_FALSE(t.window.isWindowModified());
    editor->edit().appendPlainText(QStringLiteral("output Z = exp("));
    EXPECT_TRUE(t.window.opener().has_unsaved_work());
    EXPECT_TRUE(t.window.isWindowModified());
    {
        const test::DialogsRefused asked;
        t.window.close();
        EXPECT_EQ(asked.count(), 1);
    }
    EXPECT_TRUE(t.window.isVisible());
    editor->revert();
    EXPECT_FALSE(t.window.opener().has_unsaved_work());
    EXPECT_FALSE(t.window.isWindowModified());
}

TEST(Window, WhatAnotherProgramWroteIsNotOverwrittenWithoutAQuestion) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("softmax"));
    const QString path = t.folder.filePath(QStringLiteral("a.blockscope"));
    ASSERT_TRUE(t.window.opener().save(path));
    const auto save = [&] {
        const test::DialogsRefused asked;
        t.window.actions().trigger("file.save");
        return asked.count();
    };
    t.window.document().set_note(0, QStringLiteral("mine"));
    EXPECT_EQ(save(), 0) << "its own writing is no change";
    t.file("a.blockscope", "theirs");
    t.window.document().set_note(0, QStringLiteral("mine again"));
    EXPECT_EQ(save(), 1);
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll(), "theirs");
    EXPECT_TRUE(t.window.document().modified());
}

TEST(Window, SavingSaysSoAndWhatItLeavesOut) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("softmax"));
    ASSERT_TRUE(t.window.opener().save(t.folder.filePath(QStringLiteral("a.blockscope"))));
    t.window.document().set_note(0, QStringLiteral("mine"));
    t.window.actions().trigger("file.save");
    EXPECT_TRUE(
        test::wait_until([&] { return t.window.statusBar()->currentMessage() == QStringLiteral("Saved."); }));
    t.window.actions().trigger("panel.editor");
    auto* editor = t.window.findChild<EditorPanel*>();
    editor->edit().setPlainText(QStringLiteral("nonsense"));
    t.window.actions().trigger("file.save");
    EXPECT_TRUE(test::wait_until([&] {
        return t.window.statusBar()->currentMessage().contains(QStringLiteral("without the edits"));
    }));
}

TEST(Window, ASavedDocumentOpensAgain) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    t.window.actions().trigger("step.forward");
    t.window.document().set_note(1, QStringLiteral("mine"));
    const QString path = t.folder.filePath(QStringLiteral("a.blockscope"));
    ASSERT_TRUE(t.window.opener().save(path));
    EXPECT_FALSE(t.window.opener().has_unsaved_work());
    EXPECT_TRUE(t.window.windowTitle().startsWith(QStringLiteral("a[*]"))) << "the file's name";
    const std::string text = write_document(t.window.document().content());
    t.window.document().close();
    t.window.open_file(path);
    ASSERT_TRUE(test::wait_until([&] { return !t.window.document().empty(); }));
    EXPECT_EQ(write_document(t.window.document().content()), text);
    EXPECT_EQ(t.window.document().content().current, 1);
}

TEST(Window, ANewProgramIsWrittenInTheEditor) {
    TestWindow t;
    t.window.activateWindow();
    t.window.actions().trigger("file.new");
    auto* editor = t.window.findChild<EditorPanel*>();
    ASSERT_NE(editor, nullptr);
    ASSERT_TRUE(test::wait_until([&] { return !t.window.document().empty() && editor->isVisible(); }));
    EXPECT_FALSE(editor->visibleRegion().isEmpty());
    ASSERT_NE(t.window.focusWidget(), nullptr);
    EXPECT_TRUE(editor->isAncestorOf(t.window.focusWidget()));
}

TEST(Window, LongDocumentsAreSavedInTheBackground) {
    TestWindow t;
    const QByteArray comment = QByteArray("# ") + QByteArray(98, 'x') + "\n";
    t.window.open_file(
        t.file("long.bp", comment.repeated(4000) + "dim M = 8 / 4\ninput X[M]\noutput Y = exp(X)\n"));
    ASSERT_TRUE(
        test::wait_until([&] { return !t.window.document().empty() && !t.window.services().work.busy(); }));
    t.window.document().set_note(0, QStringLiteral("first"));
    const QString path = t.folder.filePath(QStringLiteral("a.blockscope"));
    bool done = false;
    t.window.opener().save_and(path, [&] { done = true; });
    EXPECT_FALSE(done);
    EXPECT_TRUE(t.window.opener().saving().busy());
    t.window.document().set_note(0, QStringLiteral("second"));  // meanwhile
    ASSERT_TRUE(test::wait_until([&] { return done; }));
    EXPECT_TRUE(t.window.opener().has_unsaved_work());
    const Result<Content> saved = read_document(*read_file(path), "a");
    ASSERT_TRUE(saved);
    EXPECT_EQ(saved->history.state(0).note, "first");
    t.window.opener().save_and(t.folder.filePath(QStringLiteral("b.blockscope")), [&] { ADD_FAILURE(); });
    t.window.opener().saving().cancel();
    EXPECT_TRUE(t.window.opener().has_unsaved_work());
}

// The document stays as it is, and what to do next is to write it, not to read anything.
TEST(Window, WhatCannotBeWrittenIsSaidInPlace) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("gemm-relu"));
    t.window.document().set_note(0, QStringLiteral("mine"));
    const QString path = t.folder.filePath(QStringLiteral("later/a.blockscope"));
    EXPECT_FALSE(t.window.opener().save(path));
    ProblemBar& bar = t.window.problem_bar();
    EXPECT_TRUE(bar.isVisible());
    EXPECT_EQ(bar.findChild<QLabel*>()->text(), QStringLiteral("a.blockscope is not saved."));
    EXPECT_TRUE(t.window.opener().has_unsaved_work());
    press(bar, "Try again");
    EXPECT_TRUE(bar.isVisible());
    EXPECT_EQ(t.window.document().content().history.state(0).note, "mine");
    ASSERT_TRUE(QDir(t.folder.path()).mkdir(QStringLiteral("later")));
    press(bar, "Try again");
    EXPECT_FALSE(bar.isVisible());
    EXPECT_TRUE(QFile::exists(path));
    EXPECT_FALSE(t.window.opener().has_unsaved_work());
}

TEST(Window, TryingAFileAgainAsksBeforeUnsavedWorkIsLost) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("gemm-relu"));
    const QString path = t.file("bad.bp", "dim M = 8 / 4\ninput A[M, K]\n");
    t.window.open_file(path);
    ASSERT_TRUE(test::wait_until([&] { return t.window.problem_bar().isVisible(); }));
    t.window.document().set_note(0, QStringLiteral("mine"));
    t.file("bad.bp", "dim M = 8 / 4\ninput A[M, M]\noutput B = relu(A)\n");
    const test::DialogsRefused dialogs;
    press(t.window.problem_bar(), "Try again");
    EXPECT_EQ(dialogs.count(), 1);
    ASSERT_TRUE(test::wait_until([&] { return !t.window.services().work.busy(); }));
    EXPECT_EQ(t.window.document().content().history.state(0).note, "mine");
}

// Which rules the algorithm tries is chosen in the menu, for this document and for those opened later; the
// paper's loops are one choice of menu and listing.
TEST(Window, RulesAndLoopsOfThePaperAreChosenInTheMenuAndRemembered) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("layernorm-matmul"));
    Actions& actions = t.window.actions();
    EXPECT_TRUE(actions.get("rules.extended")->isChecked());
    actions.trigger("rules.paper");
    ASSERT_TRUE(test::wait_until([&] { return !t.window.document().is_busy(); }));
    EXPECT_EQ(t.window.document().content().history.rules(), kPaperRules);
    EXPECT_TRUE(actions.get("rules.paper")->isChecked());
    EXPECT_FALSE(actions.get("rules.extended")->isChecked());
    actions.trigger("rules.paper");
    EXPECT_TRUE(actions.get("rules.paper")->isChecked()) << "one of them always is";
    ASSERT_TRUE(t.open_sample("attention"));
    ASSERT_TRUE(test::wait_until([&] { return t.window.document().content().name == "attention"; }));
    EXPECT_EQ(t.window.document().content().history.rules(), kPaperRules) << "of the next document as well";
    const Settings again(t.folder.filePath(QStringLiteral("settings.ini")));
    EXPECT_EQ(rules_of(again), kPaperRules);
    t.window.services().show_panel("panel.listing");
    const auto* listing = t.window.findChild<ListingPanel*>();
    ASSERT_NE(listing, nullptr);
    const auto shown = [&] { return listing->findChild<CodeView*>()->toPlainText().toStdString() + "\n"; };
    t.window.document().end();
    const BlockProgram& program = *t.window.document().content().program();
    EXPECT_EQ(shown(), blockscope::listing(program));
    actions.trigger("view.paper_loops");
    EXPECT_EQ(shown(), blockscope::listing(program, Form{}.as_in_paper()));
    EXPECT_TRUE(t.settings.paper_loops());
}

TEST(Window, SettingsAndPanelsAreRemembered) {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("settings.ini"));
    ASSERT_FALSE(panel_table().empty());
    const char* const panel = panel_table().front().id;
    {
        Settings settings(file);
        Appearance appearance(settings);
        MainWindow window(settings, appearance);
        window.show();
        window.opener().open_sample(samples().front());
        ASSERT_TRUE(test::wait_until([&] { return !window.document().empty(); }));
        window.actions().trigger("view.theme_dark");
        EXPECT_TRUE(appearance.dark());
        window.docks().dock(panel)->hide();
        window.close();
    }
    Settings settings(file);
    Appearance appearance(settings);
    EXPECT_TRUE(appearance.dark());
    MainWindow window(settings, appearance);
    window.show();
    window.opener().open_sample(samples().front());
    ASSERT_TRUE(test::wait_until([&] { return !window.on_start_page(); }));
    EXPECT_TRUE(window.actions().get("view.theme_dark")->isChecked());
    EXPECT_TRUE(window.docks().dock(panel)->isHidden());
    EXPECT_FALSE(window.actions().get(panel)->isChecked());
    window.actions().trigger("window.reset");
    EXPECT_EQ(window.docks().dock(panel)->isHidden(), !panel_table().front().open);
}

TEST(Window, PresentationHidesEverythingButThePictureAndEscEndsIt) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    const int pixels = t.appearance.pixels();
    t.window.actions().trigger("view.presentation");
    EXPECT_GT(t.appearance.pixels(), pixels);
    EXPECT_FALSE(t.window.docks().shown());
    EXPECT_FALSE(t.window.statusBar()->isVisible());
    t.window.actions().trigger("edit.deselect");
    EXPECT_EQ(t.appearance.pixels(), pixels);
    EXPECT_TRUE(t.window.docks().shown());
    EXPECT_TRUE(t.window.statusBar()->isVisible());
    EXPECT_FALSE(t.window.actions().get("view.presentation")->isChecked());
}

// Esc ends what is seen, one thing at a time: not first what another state has selected.
TEST(Window, EscEndsAPresentationWhereNothingIsSeenSelected) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    Document& document = t.window.document();
    ASSERT_TRUE(test::wait_until([&] { return t.window.view().picture() != nullptr; }));
    const auto picture_of_now = [&] {
        const PicturePtr now = t.window.services().pictures.known(
            document.snapshot(), document.content().current, t.window.view().shape());
        return now && now == t.window.view().picture();
    };
    const NodeId node = t.window.view().picture()->figure.boxes.back().id();
    document.select({{node}, {}, {}});
    t.window.actions().trigger("view.presentation");
    t.window.actions().trigger("edit.deselect");
    EXPECT_TRUE(t.appearance.presenting()) << "the selection was seen";
    document.select({{NodeId{999'999}}, {}, {}});
    document.end();
    ASSERT_TRUE(test::wait_until(picture_of_now));
    t.window.actions().trigger("edit.deselect");
    EXPECT_FALSE(t.appearance.presenting());
    EXPECT_TRUE(document.selection().empty());
}

int pixels_of(const QWidget& widget) {
    return QFontInfo(widget.font()).pixelSize();
}

// What nobody sees is not styled: of all of the window that would take half a second.
TEST(Window, PresentationEnlargesWhatIsSeenAlone) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    const int usual = t.appearance.pixels();
    QWidget* seen = &t.window.view().canvas();
    QWidget* hidden = t.window.docks().dock("panel.listing")->widget();
    t.window.actions().trigger("view.presentation");
    const int large = t.appearance.pixels();
    ASSERT_GT(large, usual);
    EXPECT_EQ(pixels_of(*seen), large);
    EXPECT_EQ(pixels_of(*hidden), usual);
    EXPECT_EQ(pixels_of(t.window), usual);
    const ShortcutSheet sheet(t.appearance, &t.window);
    EXPECT_EQ(pixels_of(sheet), large) << "a dialog";
    QWidget other(&t.window, Qt::Window);
    other.ensurePolished();
    EXPECT_EQ(pixels_of(other), large) << "a window, as that of a circuit";
    t.window.actions().trigger("view.presentation");
    for (const QWidget* widget : std::initializer_list<const QWidget*>{seen, hidden, &sheet, &other})
        EXPECT_EQ(pixels_of(*widget), usual) << widget->metaObject()->className();
}

// Another page is enlarged as a whole, what has type of its own included, and is as before afterwards.
TEST(Window, AnotherPageOfAPresentationIsEnlarged) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    const auto parts = [&] {
        const auto* cuda = test::panel_of<CudaPage>(t.window);
        const auto* costs = test::panel_of<CostPage>(t.window);
        return std::vector<QWidget*>{cuda->findChild<CodeView*>(),
                                     costs->findChild<DerivationView*>()->findChild<QLabel*>()};
    }();
    const int usual = t.appearance.pixels();
    t.window.actions().trigger("panel.costs");
    t.window.actions().trigger("view.presentation");
    const int large = t.appearance.pixels();
    const auto look = [&](QWidget* part, int pixels) {
        EXPECT_EQ(pixels_of(*part), pixels) << part->metaObject()->className();
    };
    const auto look_at_both = [&](int pixels) {
        t.window.actions().trigger("panel.cuda");
        look(parts[0], pixels);
        t.window.actions().trigger("panel.costs");
        look(parts[1], pixels);
        EXPECT_TRUE(parts[1]->font().bold());
    };
    look_at_both(large);
    t.window.actions().trigger("view.presentation");
    look_at_both(usual);
}

TEST(Window, TheStartPageEndsAPresentation) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    for (const char* way : {"file.start", "file.close"}) {
        t.window.actions().trigger("view.presentation");
        ASSERT_TRUE(t.appearance.presenting());
        t.window.actions().trigger(way);
        EXPECT_FALSE(t.appearance.presenting()) << way;
        EXPECT_FALSE(t.window.docks().shown()) << way;
        EXPECT_FALSE(t.window.isFullScreen()) << way;
        EXPECT_TRUE(t.window.statusBar()->isVisible()) << way;
        t.window.actions().trigger("edit.deselect");  // back
    }
    EXPECT_TRUE(t.window.document().empty());
}

// The circuit can be presented, too; any other page gives way to the picture.
TEST(Window, PresentationShowsTheCircuitWhereThatIsSeen) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    auto* page = t.window.findChild<CircuitPage*>();
    t.window.actions().trigger("panel.circuit");
    ASSERT_TRUE(page->isVisible());
    t.window.actions().trigger("view.presentation");
    EXPECT_TRUE(page->isVisible());
    EXPECT_FALSE(page->kind().isVisible());
    t.window.actions().trigger("view.presentation");
    EXPECT_TRUE(page->kind().isVisible());
    t.window.actions().trigger("panel.costs");
    t.window.actions().trigger("view.presentation");
    EXPECT_TRUE(t.window.view().isVisible());
    t.window.actions().trigger("view.presentation");
    EXPECT_TRUE(test::panel_of<CostPage>(t.window)->isVisible()) << "it is back";
}

// `blockscope FILE --state best` shows the state that the star is on, and leaves whoever went elsewhere
// alone.
TEST(Window, ALinkToTheBestStateShowsTheStarsState) {
    TestWindow t;
    const Sample& sample = *find_sample(QStringLiteral("rmsnorm-swiglu"));
    const auto current = [&] { return t.window.document().content().current; };
    t.window.opener().open_sample(sample, StateChoice::best());
    Best& best = Best::of(t.window.document());
    ASSERT_TRUE(test::wait_until([&] { return !t.window.document().empty() && best.state().has_value(); }));
    EXPECT_TRUE(test::wait_until([&] { return current() == *best.state(); }));
    EXPECT_NE(current(), 0);
    t.window.document().home();
    EXPECT_EQ(current(), 0);
    Q_EMIT best.changed();
    EXPECT_EQ(current(), 0) << "the user is elsewhere";
}

}  // namespace
}  // namespace blockscope

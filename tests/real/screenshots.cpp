// Takes the pictures of the documentation from the real window. `./dev screenshots` runs it, with the folder
// for them in BLOCKSCOPE_SCREENSHOTS.
#include <gtest/gtest.h>

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <cstdio>

#include "app/circuit/circuit_page.h"
#include "app/circuit/kernel_panel.h"
#include "app/circuit/model_view.h"
#include "app/costs/costs.h"
#include "app/cuda/cuda_page.h"
#include "app/document/journal.h"
#include "app/export/export_dialog.h"
#include "app/panels/matches.h"
#include "app/panels/search_panel.h"
#include "app/plan/plan_page.h"
#include "app/plan/plan_tables.h"
#include "app/scene/canvas.h"
#include "app/tilings/funnel_view.h"
#include "app/tilings/tilings_page.h"
#include "app/window/dialogs.h"
#include "app/window/message_bars.h"
#include "app/window/start_page.h"
#include "app/window/status_bar.h"
#include "core/rules/rule.h"
#include "tests/real/desk.h"

namespace blockscope::test {
namespace {

const QSize kSize{1440, 900};
const QString kAttention = QStringLiteral("attention");

void keep(const QImage& image, const char* name) {
    const QString file = QStringLiteral("%1/%2.png")
                             .arg(qEnvironmentVariable("BLOCKSCOPE_SCREENSHOTS"), QString::fromLatin1(name));
    EXPECT_TRUE(image.save(file)) << file.toStdString() << " cannot be written";
}

void act(Desk& desk, const char* action) {
    desk.window().actions().trigger(action);
    desk.settle();
}

void step(Desk& desk, int count) {
    for (int i = 0; i < count; ++i) act(desk, "step.forward");
}

void show(Desk& desk, const char* panel) {
    desk.window().services().show_panel(panel);
    desk.settle();
}

bool all_proven(Desk& desk) {
    return wait_until([&] {
        for (const auto& [id, state] : desk.content().history.states())
            if (desk.window().services().proofs.proof(state->program).verdict == Proof::Verdict::Waiting)
                return false;
        return true;
    });
}

// A sample once its proofs are done.
void open(Desk& desk, const QString& sample = kAttention) {
    ASSERT_TRUE(desk.open(sample));
    ASSERT_TRUE(all_proven(desk));
}

// Until every panel tells of the state that the picture shows.
void catch_up(Desk& desk) {
    EXPECT_TRUE(wait_until([&] {
        const auto* matches = desk.window().findChild<MatchFinder*>();
        const bool searching = matches != nullptr && matches->searching();
        return !searching && !Costs::of(desk.document()).busy();
    }));
    desk.settle();
}

void keep_window(Desk& desk, const char* name) {
    catch_up(desk);
    keep(desk.image(), name);
}

// Of the window one panel alone.
void keep_panel(Desk& desk, const char* panel, const char* name) {
    show(desk, panel);
    catch_up(desk);
    const QWidget* dock = desk.window().docks().dock(panel);
    keep(desk.image().copy(QRect(dock->mapTo(&desk.window(), QPoint(0, 0)), dock->size())), name);
}

// Makes a dock as wide as that.
void widen(Desk& desk, const char* panel, int width) {
    show(desk, panel);
    desk.window().resizeDocks({desk.window().docks().dock(panel)}, {width}, Qt::Horizontal);
    desk.settle();
}

NodeId node_with(Desk& desk, const std::string& label) {
    for (const Box& box : desk.picture()->figure.boxes)
        if (box.label == label) return box.id();
    ADD_FAILURE() << "no box is labelled " << label;
    return {};
}

TEST(Screenshots, StartPage) {
    Desk desk(Desk::Motion::Off, kSize);
    ASSERT_TRUE(wait_until([&] { return !desk.window().thumbnails().busy(); }));
    keep_window(desk, "start");
}

TEST(Screenshots, Lesson) {
    Desk desk(Desk::Motion::Off, kSize);
    LessonDesk& lessons = desk.window().lessons();
    const LessonInfo& lesson = *find_lesson("4-flash-attention");
    int part = 0;
    while (lesson.lesson->stops[static_cast<std::size_t>(part)].heading != "The bytes fall") ++part;
    lessons.begin(lesson, part);
    ASSERT_TRUE(wait_until([&] { return !lessons.busy() && !lessons.text().isEmpty(); }));
    ASSERT_TRUE(all_proven(desk));
    keep_window(desk, "lesson");
}

TEST(Screenshots, Picture) {
    Desk desk(Desk::Motion::Off, kSize);
    open(desk);
    keep_window(desk, "initial");
    act(desk, "step.end");
    keep_window(desk, "final");
    desk.document().select({{node_with(desk, "exp(x*(DD**-0.5))")}, {}, {}});
    act(desk, "view.zoom_in");
    act(desk, "view.zoom_in");
    keep(desk.window().view().grab().toImage(), "zoomed");
}

TEST(Screenshots, Stepping) {
    Desk desk(Desk::Motion::Off, kSize);
    open(desk);
    step(desk, 6);
    keep_panel(desk, "panel.timeline", "timeline");
    widen(desk, "panel.rule", 380);
    keep_panel(desk, "panel.rule", "rule");
    widen(desk, "panel.listing", 460);
    keep_panel(desk, "panel.listing", "listing");
}

// What a click on the badge of the status bar tells. Of the screen, because it is a window of its own.
TEST(Screenshots, Proof) {
    Desk desk(Desk::Motion::Off, kSize);
    open(desk);
    step(desk, 6);
    auto* badge = desk.window().findChild<ProofBadge*>();
    ASSERT_NE(badge, nullptr);
    desk.click(*badge, badge->rect().center());
    const auto tip = []() -> QWidget* {
        for (QWidget* top : QApplication::topLevelWidgets())
            if (top->inherits("QTipLabel") && top->isVisible() && top->windowOpacity() == 1) return top;
        return nullptr;
    };
    ASSERT_TRUE(wait_until([&] { return tip() != nullptr; }));
    QTest::qWait(500);  // until the screen has it
    ASSERT_NE(tip(), nullptr);
    const QRect told = tip()->geometry();
    const QRect place =
        told.united(QRect(badge->mapToGlobal(QPoint(0, 0)), badge->size())).adjusted(-60, -110, 0, 0);
    const QRect seen =
        place.intersected(QRect(desk.window().mapToGlobal(QPoint(0, 0)), desk.window().size()));
    keep(desk.window().screen()->grabWindow(0, seen.x(), seen.y(), seen.width(), seen.height()).toImage(),
         "proof");
}

// A match pointed at: it glows, and its result is previewed.
TEST(Screenshots, MatchesAndWhyNot) {
    Desk desk(Desk::Motion::Off, kSize);
    open(desk);
    step(desk, 3);
    auto* matches = desk.panel<Matches>("panel.matches");
    ASSERT_NE(matches, nullptr);
    ASSERT_TRUE(wait_until([&] {
        return !matches->finder().searching() &&
               matches->finder().report().program == desk.content().program();
    }));
    widen(desk, "panel.matches", 400);
    const PicturePtr before = desk.picture();
    MatchList& list = matches->list();
    list.setFocus();
    list.setCurrentIndex(list.model()->index(1, 0, list.model()->index(0, 0)));
    ASSERT_TRUE(wait_until([&] { return desk.document().preview().has_value(); }));
    ASSERT_TRUE(
        wait_until([&] { return desk.picture() != before && !desk.window().view().canvas().moving(); }));
    keep(desk.window().grab().toImage(), "matches");
    desk.window().actions().trigger("window.picture");
    ASSERT_TRUE(wait_until([&] { return desk.picture() == before; }));
    const Figure& figure = before->figure;  // two maps with others between them
    std::set<NodeId> maps;
    for (const int box : figure.roots)
        if (figure.boxes[static_cast<std::size_t>(box)].kind == BoxKind::Frame)
            maps.insert(figure.boxes[static_cast<std::size_t>(box)].id());
    desk.document().select({{*maps.begin(), *maps.rbegin()}, {}, {}});
    desk.settle();
    keep_panel(desk, "panel.matches", "why");
}

// Another match than the algorithm's, run to its end; notes; two states side by side.
TEST(Screenshots, Branches) {
    Desk desk(Desk::Motion::Off, kSize);
    open(desk);
    step(desk, 3);
    const std::vector<Match> found = all_matches(*desk.content().program());
    desk.document().apply(found.back());
    desk.settle();
    desk.document().set_note(desk.content().current,
                             QStringLiteral("The product *last*: does it end in the same kernel?"));
    desk.document().run_from_here();
    desk.settle();
    desk.document().rename_branch(desk.content().branch, QStringLiteral("Product first"));
    ASSERT_TRUE(all_proven(desk));
    widen(desk, "panel.history", 380);
    act(desk, "step.previous_snapshot");
    desk.document().go(desk.content().history.branch(1).tip);
    desk.settle();
    keep_panel(desk, "panel.history", "history");
    desk.document().compare_with({0});
    desk.settle();
    keep_window(desk, "compare");
}

TEST(Screenshots, TextAndNumbers) {
    Desk desk(Desk::Motion::Off, kSize);
    open(desk);
    act(desk, "step.end");
    widen(desk, "panel.sizes", 460);
    keep_panel(desk, "panel.sizes", "sizes");
    widen(desk, "panel.editor", 520);
    keep_panel(desk, "panel.editor", "editor");
    show(desk, "panel.array");
    keep_window(desk, "array");
}

TEST(Screenshots, Costs) {
    Desk desk(Desk::Motion::Off, kSize);
    open(desk);
    step(desk, 17);
    show(desk, "panel.costs");
    EXPECT_TRUE(wait_until([&] { return !Costs::of(desk.window().document()).busy(); }));
    desk.settle();
    for (auto* table : desk.window().findChildren<QTableView*>()) table->horizontalScrollBar()->setValue(0);
    keep(desk.image(), "costs");
    act(desk, "window.picture");
    act(desk, "heat.moved");
    keep(desk.window().view().grab().toImage(), "heat");
}

TEST(Screenshots, Circuit) {
    Desk desk(Desk::Motion::Off, kSize);
    open(desk);
    step(desk, 17);
    show(desk, "panel.circuit");
    auto* page = desk.panel<CircuitPage>("panel.circuit");
    ASSERT_NE(page, nullptr);
    EXPECT_TRUE(wait_until([&] { return !page->busy(); }));
    desk.settle();
    keep(desk.image(), "circuit");
}

// An axis grouped, another one streamed, and the kernel that it makes.
TEST(Screenshots, CircuitStepsAndKernel) {
    Desk desk(Desk::Motion::Off, kSize);
    open(desk);
    show(desk, "panel.circuit_steps");
    widen(desk, "panel.circuit_steps", 400);
    auto* page = desk.panel<CircuitPage>("panel.circuit");
    ASSERT_NE(page, nullptr);
    page->set_stepping();
    CircuitSteps& steps = page->steps();
    const auto still = [&] { return wait_until([&] { return steps.session() && !page->busy(); }); };
    ASSERT_TRUE(still());
    const auto axis = [&](const std::string& name) {
        const circuit::Axes& axes = steps.session()->current().flow->axes;
        for (std::size_t i = 0; i < axes.size(); ++i)
            if (axes[i].name == name) return circuit::AxisId{static_cast<int>(i)};
        ADD_FAILURE() << "no axis " << name;
        return circuit::AxisId{};
    };
    using Kind = circuit::CircuitAction::Kind;
    steps.act({Kind::Group, axis("M"), 128, {}});
    ASSERT_TRUE(still());
    steps.act({Kind::Stream, axis("N"), 128, {}});
    ASSERT_TRUE(still());
    steps.choose(axis("N"));
    ASSERT_TRUE(still());
    keep_window(desk, "circuit-steps");
    show(desk, "panel.kernel");
    auto* kernel = desk.panel<KernelPanel>("panel.kernel");
    ASSERT_NE(kernel, nullptr);
    desk.window().resizeDocks({desk.window().docks().dock("panel.kernel")}, {420}, Qt::Vertical);
    ASSERT_TRUE(wait_until([&] { return !kernel->tables().busy(); }));
    keep_panel(desk, "panel.kernel", "kernel");
    kernel->tables().tabs().setCurrentIndex(4);
    kernel->tables().models().derive(1, 0, 5);
    keep_panel(desk, "panel.kernel", "models");
}

TEST(Screenshots, Cuda) {
    Desk desk(Desk::Motion::Off, kSize);
    open(desk);
    step(desk, 17);
    auto* page = desk.panel<CudaPage>("panel.cuda");
    ASSERT_NE(page, nullptr);
    ASSERT_TRUE(wait_until([&] { return !page->busy(); }));
    keep_window(desk, "cuda");
}

// Of a program whose best plan is more than one kernel.
TEST(Screenshots, Plan) {
    Desk desk(Desk::Motion::Off, kSize);
    open(desk, QStringLiteral("rmsnorm-swiglu"));
    auto* page = desk.panel<PlanPage>("panel.plan");
    ASSERT_NE(page, nullptr);
    if (page->find_button().isVisible()) page->find_button().click();
    ASSERT_TRUE(wait_until([&] { return page->ways().model()->rowCount() > 0; }));
    keep_window(desk, "plan");
}

// What rule 3 drops of G1 on an A100.
TEST(Screenshots, Tilings) {
    Desk desk(Desk::Motion::Off, kSize);
    open(desk, QStringLiteral("mcfuser-g1"));
    Forecast::of(desk.window().document()).set_device("a100-pcie-40gb");
    auto* page = desk.panel<TilingsPage>("panel.tilings");
    ASSERT_NE(page, nullptr);
    ASSERT_TRUE(wait_until(
        [&] { return page->study().found() && page->study().found()->device.name == "a100-pcie-40gb"; }));
    page->funnel().choose_rule(3);
    keep_window(desk, "tilings");
}

TEST(Screenshots, FindAndOutline) {
    Desk desk(Desk::Motion::Off, kSize);
    open(desk, QStringLiteral("layernorm-matmul"));
    act(desk, "step.next_snapshot");
    auto* search = desk.panel<SearchPanel>("panel.search");
    ASSERT_NE(search, nullptr);
    search->look_for(QStringLiteral("op:row"));
    ASSERT_TRUE(wait_until([&] { return !search->found().empty(); }));
    widen(desk, "panel.search", 320);
    keep_window(desk, "find");
    act(desk, "edit.deselect");
    act(desk, "view.fold_depth_1");
    show(desk, "panel.outline");
    keep_window(desk, "outline");
}

TEST(Screenshots, DarkAndPresentation) {
    Desk desk(Desk::Motion::Off, kSize);
    open(desk, QStringLiteral("decoder-block"));
    act(desk, "view.theme_dark");
    act(desk, "step.next_snapshot");
    act(desk, "view.fold_depth_2");
    act(desk, "view.fit");
    keep_window(desk, "decoder-dark");
    open(desk);
    act(desk, "step.end");
    act(desk, "view.presentation");
    act(desk, "view.fit");
    keep_window(desk, "presentation");
}

TEST(Screenshots, Dialogs) {
    Desk desk(Desk::Motion::Off, kSize);
    open(desk);
    SettingsDialog settings(desk.settings(), &desk.window());
    settings.show();
    desk.settle();
    keep(settings.grab().toImage(), "settings");
    settings.hide();
    desk.with_dialogs([&] { act(desk, "file.export"); },
                      [](QDialog& dialog) {
                          const auto* exported = qobject_cast<ExportDialog*>(&dialog);
                          EXPECT_TRUE(exported != nullptr && wait_until([&] {
                                          return !exported->preview().waiting() &&
                                                 !exported->preview().shown().image.isNull();
                                      }));
                          keep(dialog.grab().toImage(), "export");
                          dialog.reject();
                      });
    act(desk, "help.palette");
    for (const QChar letter : QStringLiteral("snap")) desk.type(letter);
    keep_window(desk, "palette");
}

// As if a process had died that had written this.
TEST(Screenshots, Recovery) {
    Desk desk(Desk::Motion::Off, {1100, 520});
    const QString folder = desk.path(QStringLiteral("died"));
    ASSERT_TRUE(QDir().mkpath(folder));
    const Content content =
        content_of_source(find_sample(kAttention)->text.toStdString(), "attention").value();
    desk.file(QStringLiteral("died/999999-1-1.blockscope"),
              QByteArray::fromStdString(journal_header(QStringLiteral("/home/me/attention.blockscope")) +
                                        write_document(content)));
    ASSERT_TRUE(wait_until([&] { return !desk.window().thumbnails().busy(); }));
    desk.window().findChild<RecoveryBar*>()->look(folder);
    keep_window(desk, "recovery");
}

}  // namespace
}  // namespace blockscope::test

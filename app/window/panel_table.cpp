#include "app/window/panel_table.h"

#include <QShowEvent>
#include <QVBoxLayout>
#include <QtGlobal>
#include <utility>

#include "app/circuit/circuit_page.h"
#include "app/circuit/kernel_panel.h"
#include "app/circuit/steps_panel.h"
#include "app/costs/choosers.h"
#include "app/costs/cost_page.h"
#include "app/costs/forecast.h"
#include "app/costs/measurements.h"
#include "app/cuda/cuda_page.h"
#include "app/lessons/lesson_panel.h"
#include "app/panels/array_view.h"
#include "app/panels/editor_panel.h"
#include "app/panels/history_panel.h"
#include "app/panels/listing_panel.h"
#include "app/panels/matches.h"
#include "app/panels/outline_panel.h"
#include "app/panels/rule_card.h"
#include "app/panels/search_panel.h"
#include "app/panels/sizes_panel.h"
#include "app/panels/timeline.h"
#include "app/plan/layers_page.h"
#include "app/plan/plan_page.h"
#include "app/shell/actions.h"
#include "app/shell/services.h"
#include "app/shell/settings.h"
#include "app/tilings/tilings_page.h"

#define TEXT(text) QT_TRANSLATE_NOOP("actions", text)

namespace blockscope {

LatePanel::LatePanel(Make make, QWidget* parent) : QWidget(parent), make_(std::move(make)) {
    setFocusPolicy(Qt::StrongFocus);  // until there is a content that takes it
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
}

QWidget* LatePanel::content() {
    if (content_ != nullptr) return content_;
    content_ = make_(this);
    layout()->addWidget(content_);
    setFocusProxy(content_);
    if (isVisible()) content_->show();
    return content_;
}

// Before Qt shows the children.
void LatePanel::showEvent(QShowEvent* event) {
    content();
    QWidget::showEvent(event);
}

// ---- The stepping panels, with the window's actions, settings and other panels attached.

namespace {

// Playing is the timeline's: its actions, and the speed that the settings keep.
void connect_play(Timeline& timeline, Services& services) {
    Player* player = &timeline.player();
    Actions* actions = &services.actions;
    Settings* settings = &services.settings;
    actions->on_toggle(
        "step.play", [player](bool on) { player->set_playing(on); }, player);
    QObject::connect(player, &Player::playing_changed, actions,
                     [actions](bool on) { actions->set_checked("step.play", on); });
    actions->on(
        "step.faster", [settings] { settings->set_play_interval(settings->play_interval() / 2); }, player);
    actions->on(
        "step.slower", [settings] { settings->set_play_interval(settings->play_interval() * 2); }, player);
    QObject::connect(&timeline, &Timeline::interval_chosen, settings, &Settings::set_play_interval);
    QObject::connect(settings, &Settings::changed, &timeline,
                     [&timeline, settings] { timeline.set_interval(settings->play_interval()); });
    timeline.set_interval(settings->play_interval());
}

QWidget* make_timeline(Document& document, Services& services, QWidget* parent) {
    std::vector<QAction*> transport;
    for (const char* id : {"step.home", "step.previous_snapshot", "step.back", "step.play", "step.forward",
                           "step.next_snapshot", "step.end", "step.best"})
        transport.push_back(services.actions.get(id));
    auto* timeline = new Timeline(document, services.proofs, transport, parent);
    connect_play(*timeline, services);
    Settings* settings = &services.settings;
    Actions* actions = &services.actions;
    const auto fold = [timeline, settings, actions] {
        timeline->strip().set_folding(settings->fold_steps());
        actions->set_checked("step.fold", settings->fold_steps());
    };
    actions->on_toggle(
        "step.fold", [settings](bool on) { settings->set_fold_steps(on); }, timeline);
    QObject::connect(settings, &Settings::changed, timeline, fold);
    fold();
    timeline->strip().setContextMenuPolicy(Qt::ActionsContextMenu);
    for (const char* id : {"step.group", "step.rename", "step.compare"})
        timeline->strip().addAction(actions->get(id));
    QObject::connect(timeline, &Timeline::form_chosen, timeline,
                     [&services] { services.actions.trigger("view.compact"); });
    return timeline;
}

QWidget* make_matches(Document& document, Services&, QWidget* parent) {
    return new Matches(document, parent);
}

QWidget* make_history(Document& document, Services& services, QWidget* parent) {
    auto* panel = new HistoryPanel(document, services.proofs, parent);
    QObject::connect(panel, &HistoryPanel::matches_wanted, panel, [&services] {
        services.show_panel("panel.matches");
        services.say(HistoryPanel::tr("Another match than the next one begins a branch: Enter applies it."));
    });
    QObject::connect(panel, &HistoryPanel::run_wanted, panel,
                     [&services] { services.actions.trigger("step.run"); });
    return panel;
}

QWidget* make_rule_card(Document& document, Services& services, QWidget* parent) {
    return new RuleCard(document, services.pictures, parent);
}

template <class Panel>
QWidget* make(Document& document, Services& services, QWidget* parent) {
    return new Panel(document, services, parent);
}

// Of a panel that is large, stands behind a tab and answers no action before it is seen.
template <class Panel>
QWidget* make_late(Document& document, Services& services, QWidget* parent) {
    return new LatePanel(
        [&document, &services](QWidget* within) { return new Panel(document, services, within); }, parent);
}

// What is measured and predicted is said although its page has not been seen.
QWidget* make_costs(Document& document, Services& services, QWidget* parent) {
    QWidget* page = make_late<CostPage>(document, services, parent);
    Measurements* measurements = &Measurements::of(document);
    keep_hosts(measurements->places(), services.settings);
    QObject::connect(measurements, &Measurements::finished, page,
                     [&services, measurements](const QString& problem) {
                         const QString done = measurements->cancelled()
                                                  ? CostPage::tr("Cancelled: what was measured before stays.")
                                                  : CostPage::tr("Measured.");
                         services.say(problem.isEmpty() ? done : problem);
                     });
    QObject::connect(&Forecast::of(document), &Forecast::failed, page,
                     [&services](const QString& what) { services.say(what); });
    return page;
}

}  // namespace

const std::vector<PanelInfo>& panel_table() {
    static const std::vector<PanelInfo> table{
        {.id = "panel.lesson",
         .title = TEXT("Lesson"),
         .help = TEXT("The lesson that is being taken; without one, all that there are."),
         .keys = {"Alt+Y"},
         .area = PanelArea::Beside,
         .open = false,
         .make = &make<LessonPanel>},
        {.id = "panel.matches",
         .title = TEXT("Matches"),
         .help = TEXT("Every place where a rule applies, and why a rule does not."),
         .keys = {"Alt+M"},
         .area = PanelArea::Left,
         .open = true,
         .make = &make_matches},
        {.id = "panel.history",
         .title = TEXT("History"),
         .help = TEXT("All branches as a tree, with notes on steps."),
         .keys = {"Alt+B"},
         .area = PanelArea::Left,
         .open = true,
         .make = &make_history},
        {.id = "panel.timeline",
         .title = TEXT("Timeline"),
         .help = TEXT("The steps of the branch, playing, and a slider over the run."),
         .keys = {"Alt+T"},
         .area = PanelArea::Bottom,
         .open = true,
         .make = &make_timeline},
        {.id = "panel.listing",
         .title = TEXT("Listing"),
         .help = TEXT("The state as pseudocode, with what changed, linked with the picture."),
         .keys = {"Alt+L"},
         .area = PanelArea::Right,
         .open = true,
         .make = &make<ListingPanel>},
        {.id = "panel.rule",
         .title = TEXT("Rule"),
         .help =
             TEXT("The rule of the current step: both sides drawn, its condition, why it preserves meaning."),
         .keys = {"Alt+R"},
         .area = PanelArea::Right,
         .open = true,
         .make = &make_rule_card},
        {.id = "panel.sizes",
         .title = TEXT("Sizes"),
         .help = TEXT("Sizes and block sizes, and what the state costs with them."),
         .keys = {"Alt+D"},
         .area = PanelArea::Right,
         .open = true,
         .make = &make<SizesPanel>},
        {.id = "panel.editor",
         .title = TEXT("Program"),
         .help = TEXT("The program as text, with problems shown while typing."),
         .keys = {"Ctrl+E"},
         .area = PanelArea::Right,
         .open = true,
         .make = &make<EditorPanel>},
        {.id = "panel.circuit_steps",
         .title = TEXT("Circuit steps"),
         .help = TEXT(
             "The circuit step by step: its axes, what can be done with them and why, and what it costs."),
         .keys = {"Alt+N"},
         .area = PanelArea::Right,
         .open = true,
         .make = &make<StepsPanel>},
        {.id = "panel.kernel",
         .title = TEXT("Kernel"),
         .help = TEXT(
             "The algorithm as a kernel of warpgroups: pseudocode, sizes and limits, clocks and overlap."),
         .keys = {"Alt+K"},
         .area = PanelArea::Bottom,
         .open = false,
         .make = &make_late<KernelPanel>},
        {.id = "panel.outline",
         .title = TEXT("Outline"),
         .help = TEXT("Maps and operators as a tree; its boxes fold and unfold maps."),
         .keys = {"Alt+O"},
         .area = PanelArea::Left,
         .open = true,
         .make = &make<OutlinePanel>},
        {.id = "panel.search",
         .title = TEXT("Find"),
         .help = TEXT("Finds nodes by name, operator, type or regular expression."),
         .keys = {"Ctrl+F"},
         .area = PanelArea::Left,
         .open = false,
         .make = &make<SearchPanel>},
        {.id = "panel.array",
         .title = TEXT("Array program"),
         .help = TEXT("The operators on whole arrays, before there are blocks."),
         .keys = {"Alt+A"},
         .area = PanelArea::Centre,
         .open = true,
         .make = &make<ArrayView>,
         .tab = TEXT("Arrays")},
        {.id = "panel.circuit",
         .title = TEXT("Circuit"),
         .help =
             TEXT("The neural circuit diagram: wires, levels, groups and streams, what is moved and what is "
                  "held."),
         .keys = {"Alt+I"},
         .area = PanelArea::Centre,
         .open = true,
         .make = &make<CircuitPage>},
        {.id = "panel.costs",
         .title = TEXT("Costs"),
         .help = TEXT("What every state costs: a table, charts, formulas, predicted and measured times."),
         .keys = {"Alt+C"},
         .area = PanelArea::Centre,
         .open = true,
         .make = &make_costs},
        {.id = "panel.layers",
         .title = TEXT("Layers"),
         .help = TEXT("The parts of a model, repeated layers once, and what each moves and takes; a part "
                      "opens as a program."),
         .keys = {"Alt+Shift+L"},
         .area = PanelArea::Centre,
         .open = true,
         .make = &make<LayersPage>},
        {.id = "panel.plan",
         .title = TEXT("Plan"),
         .help =
             TEXT("Which kernels to build of the program, each from which operators, and what that brings."),
         .keys = {"Alt+J"},
         .area = PanelArea::Centre,
         .open = true,
         .make = &make<PlanPage>},
        {.id = "panel.tilings",
         .title = TEXT("Tilings"),
         .help = TEXT("MCFuser's tilings of a chain of products: what prunes them, what ranks them, what is "
                      "measured."),
         .keys = {"Alt+Q"},
         .area = PanelArea::Centre,
         .open = true,
         .make = &make<TilingsPage>},
        {.id = "panel.cuda",
         .title = TEXT("CUDA"),
         .help = TEXT("The state as CUDA: source, what the compiler makes of it, times on a graphics card."),
         .keys = {"Alt+X"},
         .area = PanelArea::Centre,
         .open = true,
         .make = &make_late<CudaPage>},
    };
    return table;
}

}  // namespace blockscope

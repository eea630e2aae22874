#include "app/panels/step_panels.h"

#include "app/panels/history_panel.h"
#include "app/panels/matches.h"
#include "app/panels/rule_card.h"
#include "app/panels/timeline.h"
#include "app/shell/actions.h"
#include "app/shell/services.h"
#include "app/shell/settings.h"

namespace blockscope {

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

}  // namespace

QWidget* make_timeline(Document& document, Services& services) {
    std::vector<QAction*> transport;
    for (const char* id : {"step.home", "step.previous_snapshot", "step.back", "step.play", "step.forward",
                           "step.next_snapshot", "step.end"})
        transport.push_back(services.actions.get(id));
    auto* timeline = new Timeline(document, services.proofs, transport);
    connect_play(*timeline, services);
    return timeline;
}

QWidget* make_matches(Document& document, Services&) {
    return new Matches(document);
}

QWidget* make_history(Document& document, Services& services) {
    auto* panel = new HistoryPanel(document, services.proofs);
    QObject::connect(panel, &HistoryPanel::matches_wanted, panel, [&services] {
        services.show_panel("panel.matches");
        services.say(HistoryPanel::tr("Another match than the next one begins a branch: Enter applies it."));
    });
    QObject::connect(panel, &HistoryPanel::run_wanted, panel,
                     [&services] { services.actions.trigger("step.run"); });
    return panel;
}

QWidget* make_rule_card(Document& document, Services& services) {
    return new RuleCard(document, services.pictures);
}

}  // namespace blockscope

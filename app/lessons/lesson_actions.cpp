// How the desk carries out what a lesson shows: one thing after the other, as some of them take time.
#include <algorithm>
#include <utility>

#include "app/costs/best.h"
#include "app/costs/forecast.h"
#include "app/costs/measurements.h"
#include "app/lessons/lesson_desk.h"

namespace blockscope {

void LessonDesk::go_on() {
    if (going_on_) return;
    going_on_ = true;
    while (!turns_.empty() && !document_.is_busy() && !opening_) {
        const Turn turn = std::move(turns_.front());
        turns_.pop_front();
        if (!turn()) break;
    }
    going_on_ = false;
    if (active() && !busy()) soon_.start();
}

void LessonDesk::add_actions(const std::vector<lesson::Action>& actions) {
    for (const lesson::Action& action : actions) add_turn([this, action] { return carry_out(action); });
}

bool LessonDesk::owns_document() const {
    if (document_.empty()) return true;
    const Content& content = document_.content();
    const auto& states = content.history.states();
    const bool noted = std::any_of(states.begin(), states.end(),
                                   [](const auto& each) { return !each.second->note.empty(); });
    return opened_program_ && document_.path().isEmpty() && !noted &&
           same_but_sizes(*content.history.state(0).program, *opened_program_);
}

// False: it is not open yet, and what comes then goes on.
bool LessonDesk::open(const std::string& file) {
    const QString name = QString::fromStdString(file.substr(0, file.rfind('.')));
    const std::string text = lesson_program(*lesson_->lesson, file);
    opening_ = true;
    const auto then = [this] {
        opening_ = false;
        opened_program_ = document_.content().history.state(0).program;
        go_on();
    };
    if (window_.open && window_.open(name, QString::fromStdString(text), !owns_document(), then))
        return false;
    opening_ = false;
    turns_.clear();
    add_turn([this] {
        arrive();
        return true;
    });
    return true;
}

void LessonDesk::change_to(Content content) {
    const Content& now = document_.content();
    if (content.current == now.current && content.branch == now.branch && content.history.same(now.history))
        return;
    if (content.history.same(now.history)) return document_.go(content.current, content.branch);
    document_.change(tr("The lesson's step"), std::move(content));
}

// The user's own choice comes back with the end of the lesson.
void LessonDesk::set_objective(const std::string& name) {
    if (quizzing()) return;
    Best& best = Best::of(document_);
    if (!best.objective_lent()) objective_before_ = best.objective();  // the user may have chosen meanwhile
    for (const ObjectiveRow& row : objectives())
        if (row.name == name) best.lend_objective(row.kind);
}

bool LessonDesk::set_state(const lesson::Learner& wanted) {
    if (document_.empty() || !is_program(document_.content(), *reference())) return true;
    if (document_.content().program()->dims != wanted.trace.initial->dims)
        document_.set_dims(wanted.trace.initial->dims);
    change_to(at_steps(document_.content(), wanted.trace, wanted.step));
    Forecast& forecast = Forecast::of(document_);
    if (wanted.device != forecast.device().name && player_->programs().device(forecast.device().name))
        forecast.set_device(wanted.device);
    set_objective(wanted.objective);
    if (window_.set_safe) window_.set_safe(wanted.safe);
    document_.select({{wanted.selected.begin(), wanted.selected.end()}, {}, {}});
    std::string view = "picture";
    for (int i = 0; i <= player_->at(); ++i) {
        const lesson::Stop& stop = player_->lesson().stops[static_cast<std::size_t>(i)];
        const auto last_view = [&](const std::vector<lesson::Action>& actions) {
            for (const lesson::Action& action : actions)
                if (action.kind == lesson::ActionKind::View) view = action.words.front();
        };
        last_view(stop.show);
        if (i == player_->at() || !stop.task) continue;
        last_view(stop.task->show_me);
        last_view(stop.task->reveal);
    }
    set_view(view);
    return true;
}

// The page or panel, and the picture beside it; a panel that was opened for another part goes.
void LessonDesk::set_view(const std::string& view) {
    const std::string panel = view == "program" ? "panel.editor" : "panel." + view;
    const std::vector<std::string> opened = std::exchange(panels_, {});
    for (const std::string& before : opened) {
        if (before != panel && window_.hide_panel) window_.hide_panel(before);
        if (before == panel) panels_.push_back(before);
    }
    if (view == "picture") {
        if (window_.show_picture) window_.show_picture();
        return;
    }
    if (panels_.empty() && window_.panel_is_open && !window_.panel_is_open(panel)) panels_.push_back(panel);
    if (window_.show_panel) window_.show_panel(panel);
}

void LessonDesk::light(const lesson::Action& action) {
    const auto found = lesson::find_pointed(*document_.content().program(), action);
    const auto& [nodes, value] = found ? *found : lesson::Pointed{};
    if (action.kind == lesson::ActionKind::Look) {
        if (window_.look_at) window_.look_at(nodes);
        return;
    }
    if (action.kind == lesson::ActionKind::Select)
        document_.select({{nodes.begin(), nodes.end()}, value, {}});
    else
        document_.set_glow({Glow::Kind::Search, nodes});
}

bool LessonDesk::carry_out(const lesson::Action& action) {
    using Do = lesson::ActionKind;
    if (action.kind == Do::Open) {
        const bool open_already = !document_.empty() && player_->stop().program == action.words.front() &&
                                  is_program(document_.content(), *reference()) && owns_document();
        return open_already || open(action.words.front());
    }
    if (document_.empty()) return true;
    switch (action.kind) {
        case Do::Go: {
            const lesson::Reference* known = reference();
            if (known == nullptr || !is_program(document_.content(), *known)) break;
            const Result<int> step = lesson::step_named(action.words.front(), *known, learner(),
                                                        player_->programs(), action.place);
            if (step) change_to(at_steps(document_.content(), known->run, *step));
            break;
        }
        case Do::Apply:
            if (const Result<Match> match = lesson::match_of(learner(), action))
                document_.apply(*match);
            else
                say(Said::Tone::Note, tr("That does not apply in this state. *Set this part up again* shows "
                                         "the state that is meant."));
            break;
        case Do::Run:
            document_.run_from_here();
            add_turn([this] {
                document_.end();
                return true;
            });
            break;
        case Do::Select:
        case Do::Highlight:
        case Do::Look:
            light(action);
            break;
        case Do::View:
            set_view(action.words.front());
            break;
        case Do::Device:
            Forecast::of(document_).set_device(action.words.front());
            break;
        case Do::Safe:
            if (window_.set_safe) window_.set_safe(action.words.front() == "on");
            break;
        case Do::Objective:
            set_objective(action.words.front());
            break;
        case Do::Size:
            if (const auto dims = lesson::sizes_after(document_.content().program()->dims,
                                                      action.words.front(), action.place))
                document_.set_dims(*dims);
            break;
        case Do::Measure:
            Measurements::of(document_).measure({document_.content().current});
            break;
        case Do::Open:
            break;
    }
    return true;
}

}  // namespace blockscope

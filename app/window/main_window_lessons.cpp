// What the window does for lessons, and what their actions do.
#include <QApplication>
#include <QInputDialog>
#include <QPointer>
#include <functional>
#include <memory>

#include "app/lessons/lesson_panel.h"
#include "app/panels/listing_panel.h"
#include "app/shell/controls.h"
#include "app/window/docks.h"
#include "app/window/main_window.h"
#include "app/window/message_bars.h"
#include "app/window/picture_view.h"
#include "app/window/start_page.h"
#include "app/words/words.h"

namespace blockscope {

LessonWindow MainWindow::window_of_lessons() {
    auto* listing = findChild<ListingPanel*>();
    connect(listing, &ListingPanel::safe_shown, &lessons_, &LessonDesk::look_soon);
    // The learner goes on where the keys were: a panel that comes to the front does not take them.
    const auto keeping_keys = [](const std::function<void()>& show) {
        const QPointer<QWidget> focus = QApplication::focusWidget();
        show();
        if (focus && focus->isVisible()) focus->setFocus(Qt::OtherFocusReason);
    };
    LessonWindow window;
    window.open = [this](const QString& name, const QString& text, bool confirm, std::function<void()> then) {
        const auto begun = std::make_shared<bool>(false);
        const auto open = [this, name, text, begun, then = std::move(then)] {
            *begun = true;
            opener_.open_program(name, text, then);
        };
        confirm ? leave_and(open) : open();
        return *begun;
    };
    window.show_picture = [this] {
        if (!on_start_page()) pages_->setCurrentIndex(0);
    };
    window.look_at = [this](const std::vector<NodeId>& nodes) { view_->look_at(nodes); };
    window.focus_work = [this] {
        (pages_->currentIndex() == 0 ? static_cast<QWidget*>(view_) : pages_->currentWidget())->setFocus();
    };
    window.show_panel = [this, keeping_keys](const std::string& panel) {
        keeping_keys([&] { show_panel(panel); });
    };
    window.hide_panel = [this](const std::string& panel) {
        if (docks_->has(panel)) docks_->dock(panel)->hide();
    };
    window.panel_is_open = [this](const std::string& panel) {
        return docks_->has(panel) && !docks_->dock(panel)->isHidden();
    };
    window.safe = [listing] { return listing->shows_safe(); };
    window.set_safe = [listing](bool on) { listing->show_safe(on); };
    window.arrange = [this](bool calm) {
        if (calm && on_start_page()) return;                                 // once its program is shown
        if (!calm && !docks_->calm()) docks_->dock("panel.lesson")->hide();  // the arrangement was reset
        docks_->set_calm(calm);
        if (!calm) return;
        docks_->dock("panel.timeline")->show();
        docks_->raise("panel.lesson");
    };
    return window;
}

void MainWindow::connect_lessons() {
    lessons_.set_window(window_of_lessons());
    connect(&lesson_store_, &LessonStore::failed, problems_, &ProblemBar::show_failure);
    const auto refresh = [this] {
        const bool active = lessons_.active();
        const bool task = active && !lessons_.finished() && lessons_.player().stop().task.has_value() &&
                          !lessons_.player().done();
        for (const char* id : {"lesson.next", "lesson.again", "lesson.restart", "lesson.leave"})
            actions_.enable(id, active);
        actions_.enable("lesson.back", active && (lessons_.player().at() > 0 || lessons_.finished()));
        actions_.enable("lesson.hint", task && lessons_.player().has_hint());
        actions_.enable("lesson.show_me", task);
        actions_.set_checked("lesson.predict", lessons_.quizzing());
        if (active && !lessons_.busy() && on_start_page() && !document_.empty()) show_start(false);
    };
    connect(&lessons_, &LessonDesk::changed, &actions_, refresh);
    connect(&lessons_, &LessonDesk::replied, &actions_, refresh);
    refresh();
}

void MainWindow::connect_lesson_actions() {
    actions_.on("lesson.list", [this] {
        show_start(true);
        start_->show_lessons();
    });
    actions_.on("lesson.tour", [this] { begin_lesson(tour_lesson()); });
    actions_.on_toggle("lesson.predict", [this](bool on) {
        if (on && !document_.empty())
            lessons_.begin_quiz();
        else if (lessons_.quizzing())
            lessons_.leave();
        actions_.set_checked("lesson.predict", lessons_.quizzing());
        if (on && !lessons_.quizzing())
            services_.say(tr("Open a program first, with the usual rules and with steps to predict."));
    });
    actions_.on("lesson.next", [this] { lessons_.forward(); });
    actions_.on("lesson.back", [this] { lessons_.back(); });
    actions_.on("lesson.hint", [this] { lessons_.hint(); });
    actions_.on("lesson.show_me", [this] { lessons_.show_me(); });
    actions_.on("lesson.again", [this] { lessons_.set_up_again(); });
    actions_.on("lesson.restart", [this] { lessons_.begin_again(); });
    actions_.on("lesson.leave", [this] { lessons_.leave(); });
    actions_.on("lesson.export", [this] { export_progress(); });
    actions_.on("lesson.learner", [this] { ask_who_learns(); });
}

void MainWindow::begin_lesson(const LessonInfo& lesson) {
    lessons_.begin(lesson);
}

void MainWindow::export_progress() {
    const QString name = file_name_of(lesson_store_.learner()) + QStringLiteral("-lessons.json");
    ask_where_to_write(*this, tr("Export my progress"), tr("Progress of lessons (*.json)"), name,
                       [this](const QString& path) {
                           const auto problem = lesson_store_.export_to(path);
                           if (problem) return problems_->show_failure(translated(*problem));
                           services_.say(tr("Written: %1").arg(path));
                       });
}

void MainWindow::ask_who_learns() {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Who is learning"));
    dialog->setLabelText(tr("Name, as it stands in the exported progress"));
    dialog->setTextValue(lesson_store_.learner());
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
        lesson_store_.set_learner(name);
        if (lessons_.active()) lessons_.begin(*lessons_.lesson());
    });
    dialog->open();
}

}  // namespace blockscope

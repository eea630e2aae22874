#include "app/lessons/lesson_panel.h"

#include <QAccessible>
#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "app/shell/actions.h"
#include "app/shell/appearance.h"
#include "app/shell/step_look.h"
#include "app/shell/telling.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr int kNumberLetters = 12;
constexpr int kAnswerGap = 6;

}  // namespace

AnswerView::AnswerView(LessonDesk& desk, Document& document, Appearance& appearance, QWidget* parent)
    : QWidget(parent),
      desk_(desk),
      document_(document),
      appearance_(appearance),
      column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(kAnswerGap);
    setAccessibleName(tr("Answer"));
    setAccessibleDescription(tr("Tab and the arrow keys go to what can be chosen."));
}

// The arrow keys lead into the choices, which have no key before one goes to them.
void AnswerView::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (choices_.empty() || (key != Qt::Key_Down && key != Qt::Key_Up)) return QWidget::keyPressEvent(event);
    ChoiceButton* choice = key == Qt::Key_Down ? choices_.front() : choices_.back();
    choice->setFocus(Qt::TabFocusReason);
}

void AnswerView::clear() {
    number_ = nullptr;
    send_ = list_ = nullptr;
    choices_.clear();
    last_ = nullptr;
    while (QLayoutItem* item = column_->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

void AnswerView::show_task() {
    clear();
    const lesson::Stop& stop = desk_.player().stop();
    const bool asked = stop.task && stop.task->expected;
    setVisible(asked);
    if (!asked) return;
    const lesson::Expected& expected = *stop.task->expected;
    switch (expected.kind) {
        case lesson::AnswerKind::Number:
            ask_number(expected);
            break;
        case lesson::AnswerKind::Choice:
            ask_choice(expected);
            break;
        case lesson::AnswerKind::Rule:
            ask_rule();
            break;
        case lesson::AnswerKind::Arrow:
            ask_edge();
            break;
    }
    show_reply();
}

void AnswerView::ask_number(const lesson::Expected& expected) {
    auto* line = new QWidget(this);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    number_ = new QLineEdit(line);
    number_->setAccessibleName(tr("Your answer"));
    number_->setPlaceholderText(tr("a number"));
    number_->setMaximumWidth(kNumberLetters * number_->fontMetrics().averageCharWidth() + 40);
    row->addWidget(number_, 1);
    if (expected.unit != nullptr) {
        auto* unit = new QLabel(
            QString::fromUtf8(expected.unit->word.data(), static_cast<qsizetype>(expected.unit->word.size())),
            line);
        unit->setProperty("program_data", true);
        row->addWidget(unit);
    }
    send_ = new QPushButton(tr("Answer"), line);
    row->addWidget(send_);
    row->addStretch(1);
    const auto send = [this] {
        const QString typed = number_->text().trimmed();
        if (!typed.isEmpty() && !number_->isReadOnly()) desk_.answer(typed.toStdString());
    };
    connect(number_, &QLineEdit::returnPressed, this, send);
    connect(send_, &QPushButton::clicked, this, send);
    column_->addWidget(line);
}

ChoiceButton* AnswerView::add_choice(const QString& markdown, const lesson::Answer& answer) {
    auto* choice = new ChoiceButton(markdown, appearance_, this);
    connect(choice, &ChoiceButton::clicked, this, [this, choice, answer] {
        if (desk_.player().done()) return;
        last_ = choice;
        desk_.answer(answer);
    });
    column_->addWidget(choice);
    choices_.push_back(choice);
    choice->show();
    return choice;
}

void AnswerView::ask_choice(const lesson::Expected& expected) {
    for (std::size_t i = 0; i < expected.choices.size(); ++i)
        add_choice(desk_.choice_text(expected.choices[i]), static_cast<int>(i));
}

void AnswerView::ask_rule() {
    for (const RuleId id : desk_.rule_choices())
        add_choice(tr("Rule %1: %2").arg(QString::number(id.number), short_rule_name(id)), id);
}

void AnswerView::ask_edge() {
    auto* how = new QLabel(tr("Click the red edge in the picture."), this);
    how->setWordWrap(true);
    how->setForegroundRole(QPalette::PlaceholderText);
    column_->addWidget(how);
    list_ = new QPushButton(tr("Choose it from a list"), this);
    connect(list_, &QPushButton::clicked, this, &AnswerView::list_edges);
    column_->addWidget(list_, 0, Qt::AlignLeft);
}

// An edge of the list is lit in the picture while it is looked at.
void AnswerView::list_edges() {
    if (!choices_.empty()) return;
    for (const EdgeChoice& edge : desk_.edge_choices()) {
        ChoiceButton* choice = add_choice(edge_text(edge), edge.arrow);
        connect(choice, &ChoiceButton::looked_at, this, [this, edge](bool on) {
            document_.set_hover(on ? Spot{{}, edge.value, edge.consumer} : Spot{});
        });
    }
    list_->hide();
    if (!choices_.empty()) choices_.front()->setFocus(Qt::TabFocusReason);
}

// "exp(x) of P → row_sum": what flows, and who reads it.
QString AnswerView::edge_text(const EdgeChoice& choice) const {
    const StateTold* told = Telling::of(document_).current();
    if (told == nullptr || !told->names)
        return tr("%1 → %2").arg(QString::fromStdString(to_string(choice.arrow.from)),
                                 QString::fromStdString(to_string(choice.arrow.to)));
    return tr("%1 → %2").arg(translated(told->names->result_of(choice.value)),
                             translated(told->names->operators(choice.arrow.to)));
}

void AnswerView::show_reply() {
    const bool done = desk_.player().done();
    const lesson::TaskProgress* progress = desk_.player().task();
    if (number_ != nullptr) {
        number_->setReadOnly(done);
        if (done && number_->text().isEmpty() && progress != nullptr)
            number_->setText(QString::fromStdString(progress->answer));
        send_->setVisible(!done);
    }
    if (list_ != nullptr && done) list_->hide();
    if (last_ != nullptr)
        last_->set_verdict(done && desk_.said().tone == Said::Tone::Right ? ChoiceButton::Verdict::Right
                                                                          : ChoiceButton::Verdict::Wrong);
}

QWidget* AnswerView::first() const {
    if (isHidden()) return nullptr;
    if (number_ != nullptr) return number_;
    return list_ != nullptr && !list_->isHidden() ? list_ : nullptr;
}

namespace {

constexpr int kPanelAir = 14;
constexpr double kHeadingSize = 1.3;

QFont heading_font(const QFont& font) {
    QFont large = font;
    large.setPixelSize(static_cast<int>(large.pixelSize() * kHeadingSize));
    large.setBold(true);
    return large;
}

// A button for an action of the table.
QPushButton* make_button(const QString& text, Actions& actions, const char* id, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    button->setToolTip(actions.get(id)->toolTip());
    button->setAccessibleDescription(actions.get(id)->statusTip());
    QObject::connect(button, &QPushButton::clicked, actions.get(id), &QAction::trigger);
    return button;
}

// Of predictions: how many came true.
QString tally(const lesson::LessonProgress& progress) {
    const auto right = std::count_if(progress.tasks.begin(), progress.tasks.end(),
                                     [](const lesson::TaskProgress& task) { return task.right; });
    return LessonPanel::tr("%1 of %2 right").arg(right).arg(progress.done());
}

void empty_layout(QLayout& layout) {
    while (QLayoutItem* item = layout.takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

}  // namespace

QString lesson_standing(const LessonInfo& lesson, const LessonStore* store) {
    QString minutes = LessonPanel::tr("%1 minutes").arg(lesson.lesson->minutes);
    const lesson::LessonProgress* kept = store != nullptr ? store->find(lesson.name) : nullptr;
    if (kept == nullptr || kept->done() == 0) return minutes;
    const int tasks = lesson.tasks();
    if (kept->done() >= tasks) return LessonPanel::tr("%1 · ✓ done").arg(minutes);
    return LessonPanel::tr("%1 · %2 of %3 done").arg(minutes).arg(kept->done()).arg(tasks);
}

LessonPanel::LessonPanel(Document& document, Services& services, QWidget* parent)
    : QWidget(parent),
      desk_(LessonDesk::of(document)),
      document_(document),
      services_(services),
      pages_(new QStackedWidget(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(pages_);
    pages_->addWidget(make_shelf());
    pages_->addWidget(make_lesson());
    connect(&desk_, &LessonDesk::changed, this, &LessonPanel::show_part);
    connect(&desk_, &LessonDesk::replied, this, &LessonPanel::show_reply);
    connect(&desk_, &LessonDesk::text_changed, this, &LessonPanel::show_texts);
    connect(&services.appearance, &Appearance::changed, this, &LessonPanel::size_up);
    size_up();
    show_part();
}

QWidget* LessonPanel::make_shelf() {
    auto* page = new QWidget(pages_);
    auto* column = new QVBoxLayout(make_scrolled_content(page));
    column->setContentsMargins(kPanelAir, kPanelAir, kPanelAir, kPanelAir);
    column->setSpacing(8);
    auto* about = new QLabel(
        tr("Lessons open programs, ask, and notice what you do. Nothing is locked, and everything is kept."),
        page);
    about->setWordWrap(true);
    column->addWidget(about);
    shelf_ = new QVBoxLayout;
    shelf_->setSpacing(6);
    column->addLayout(shelf_);
    column->addStretch(1);
    return page;
}

void LessonPanel::list_lessons() {
    empty_layout(*shelf_);
    lessons_.clear();
    for (const LessonInfo& info : lesson_shelf()) {
        auto* button = new ChoiceButton(
            QStringLiteral("**%1** · %2").arg(info.title(), lesson_standing(info, desk_.store())),
            services_.appearance, this);
        button->setToolTip(QString::fromStdString(info.lesson->goals.front()));
        connect(button, &ChoiceButton::clicked, this, [this, &info] { desk_.begin(info); });
        shelf_->addWidget(button);
        lessons_.push_back(button);
    }
}

QWidget* LessonPanel::make_lesson() {
    auto* page = new QWidget(pages_);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(make_head());
    auto* scrolled = new QWidget(page);
    content_ = make_scrolled_content(scrolled);
    auto* inner = new QVBoxLayout(content_);
    inner->setContentsMargins(kPanelAir, 4, kPanelAir, kPanelAir);
    inner->setSpacing(8);
    heading_ = new QLabel(content_);
    heading_->setWordWrap(true);
    heading_->setTextFormat(Qt::PlainText);
    heading_->setProperty("program_data", true);
    inner->addWidget(heading_);
    text_ = new LessonText(services_.appearance, content_);
    inner->addWidget(text_);
    inner->addWidget(make_task());
    reply_ = new ReplyBox(services_.appearance, content_);
    inner->addWidget(reply_);
    inner->addStretch(1);
    column->addWidget(scrolled, 1);
    column->addWidget(make_feet());
    return page;
}

QWidget* LessonPanel::make_head() {
    auto* head = new QWidget(pages_);
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(kPanelAir, 6, 8, 4);
    column->setSpacing(2);
    auto* row = new QHBoxLayout;
    title_ = new ElidedLabel(head);
    title_->setProperty("program_data", true);
    row->addWidget(title_, 1);
    where_ = new QLabel(head);
    where_->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(where_);
    QToolButton* more = make_bar_button(head, tr("More"), tr("More"), tr("Parts, progress, leaving"));
    more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(more);
    parts_menu_ = menu->addMenu(tr("Go to a part"));
    connect(parts_menu_, &QMenu::aboutToShow, this, &LessonPanel::list_parts);
    for (const char* id :
         {"lesson.again", "lesson.restart", "lesson.export", "lesson.learner", "lesson.leave"})
        menu->addAction(services_.actions.get(id));
    more->setMenu(menu);
    row->addWidget(more);
    column->addLayout(row);
    parts_ = new PartsBar(services_.appearance, head);
    connect(parts_, &PartsBar::chosen, &desk_, &LessonDesk::go);
    column->addWidget(parts_);
    return head;
}

QWidget* LessonPanel::make_task() {
    task_ = new QFrame(content_);
    task_->setObjectName(QStringLiteral("lesson_task"));
    auto* column = new QVBoxLayout(task_);
    column->setContentsMargins(12, 10, 12, 10);
    column->setSpacing(8);
    kind_ = new QLabel(task_);
    kind_->setProperty("heading", true);
    column->addWidget(kind_);
    prompt_ = new LessonText(services_.appearance, task_);
    column->addWidget(prompt_);
    answers_ = new AnswerView(desk_, document_, services_.appearance, task_);
    column->addWidget(answers_);
    hints_ = new LessonText(services_.appearance, task_);
    column->addWidget(hints_);
    auto* row = new QHBoxLayout;
    hint_ = make_button(tr("Hint"), services_.actions, "lesson.hint", task_);
    show_me_ = make_button(tr("Show me"), services_.actions, "lesson.show_me", task_);
    for (QPushButton* button : {hint_, show_me_}) {
        button->setFlat(true);
        row->addWidget(button);
    }
    row->addStretch(1);
    column->addLayout(row);
    return task_;
}

QWidget* LessonPanel::make_feet() {
    auto* feet = new QWidget(pages_);
    auto* row = new QHBoxLayout(feet);
    row->setContentsMargins(kPanelAir, 8, kPanelAir, 8);
    back_ = make_button(tr("Back"), services_.actions, "lesson.back", feet);
    next_ = make_button(tr("Next"), services_.actions, "lesson.next", feet);
    keys_ = new QLabel(QStringLiteral("%1   %2").arg(action_keys(services_.actions.info("lesson.back")),
                                                     action_keys(services_.actions.info("lesson.next"))),
                       feet);
    keys_->setProperty("program_data", true);
    keys_->setForegroundRole(QPalette::PlaceholderText);
    keys_->setAlignment(Qt::AlignCenter);
    row->addWidget(back_);
    row->addWidget(keys_, 1);
    row->addWidget(next_);
    return feet;
}

void LessonPanel::size_up() {
    heading_->setFont(heading_font(services_.appearance.font()));
    QFont bold = services_.appearance.font();
    bold.setBold(true);
    title_->setFont(bold);
}

// ---- A part.

void LessonPanel::list_parts() {
    parts_menu_->clear();
    QString heading;
    for (int i = 0; desk_.active() && i < desk_.player().count(); ++i) {
        const QString now =
            QString::fromStdString(desk_.player().lesson().stops[static_cast<std::size_t>(i)].heading);
        if (std::exchange(heading, now) == now) continue;
        parts_menu_->addAction(tr("%1: %2").arg(QString::number(i + 1), now), this,
                               [this, i] { desk_.go(i); });
    }
}

void LessonPanel::show_parts() {
    const lesson::LessonPlayer& player = desk_.player();
    const lesson::LessonProgress progress = player.progress();
    std::vector<PartsBar::Part> parts;
    std::size_t task = 0;
    for (const lesson::Stop& stop : player.lesson().stops) {
        PartsBar::Part part{QString::fromStdString(stop.heading), stop.task.has_value(), false};
        if (stop.task && task < progress.tasks.size()) part.done = progress.tasks[task++].done;
        parts.push_back(part);
    }
    parts_->show_parts(std::move(parts), player.at());
}

void LessonPanel::show_part() {
    if (!desk_.active()) {
        shown_part_ = -1;
        shown_lesson_ = nullptr;
        list_lessons();
        return pages_->setCurrentIndex(0);
    }
    pages_->setCurrentIndex(1);
    const lesson::LessonPlayer& player = desk_.player();
    title_->setText(desk_.lesson()->title());
    where_->setText(desk_.quizzing() ? tally(player.progress())
                                     : tr("%1 of %2").arg(player.at() + 1).arg(player.count()));
    show_parts();
    if (desk_.finished()) return show_end();
    fresh_ = fresh_ || shown_lesson_ != desk_.lesson();
    const bool another = shown_lesson_ != desk_.lesson() || shown_part_ != player.at();
    shown_part_ = player.at();
    shown_lesson_ = desk_.lesson();
    if (another)
        if (auto* area = qobject_cast<QScrollArea*>(content_->parentWidget()->parentWidget()))
            area->verticalScrollBar()->setValue(0);
    heading_->setText(QString::fromStdString(player.stop().heading));
    const bool loading = desk_.text().isEmpty() && desk_.prompt().isEmpty();
    task_->setVisible(!loading && player.stop().task.has_value());
    if (player.stop().task && !loading) {
        using Task = lesson::TaskKind;
        const Task kind = player.stop().task->kind;
        kind_->setText(kind == Task::Do    ? tr("Your turn")
                       : kind == Task::Ask ? tr("Question")
                                           : tr("Predict, then see"));
        answers_->show_task();
    }
    show_texts();
    show_reply();
    if (!loading) give_keys();
}

void LessonPanel::show_texts() {
    if (!desk_.active() || desk_.finished()) return;
    QString text = desk_.text();
    const lesson::Lesson& lesson = desk_.player().lesson();
    if (desk_.player().at() == 0 && !text.isEmpty() && !lesson.goals.empty()) {
        QString goals = tr("After this lesson you can:") + QStringLiteral("\n\n");
        for (const std::string& goal : lesson.goals)
            goals += QStringLiteral("- ") + QString::fromStdString(goal) + QLatin1Char('\n');
        text = goals + QLatin1Char('\n') + text;
    }
    text_->set_markdown(text);
    text_->setVisible(!text.isEmpty());
    prompt_->set_markdown(desk_.prompt());
}

void LessonPanel::show_reply() {
    if (!desk_.active() || desk_.finished()) return;
    const lesson::LessonPlayer& player = desk_.player();
    const Said& said = desk_.said();
    const bool task = player.stop().task.has_value();
    const bool done = player.done();
    // A part that one comes back to says that it is done.
    const bool again = task && done && said.text.isEmpty() && !desk_.prompt().isEmpty();
    if (again)
        reply_->say(ReplyBox::Tone::Right, tr("This is done already."));
    else
        reply_->say(static_cast<ReplyBox::Tone>(said.tone), said.text);
    if (task && !desk_.prompt().isEmpty()) answers_->show_reply();
    QString hints;
    for (const QString& hint : desk_.hints()) hints += tr("Hint: %1").arg(hint) + QStringLiteral("\n\n");
    hints_->set_markdown(hints);
    hints_->setVisible(!hints.isEmpty());
    if (desk_.quizzing()) where_->setText(tally(player.progress()));
    hint_->setVisible(task && !done && player.has_hint());
    show_me_->setVisible(task && !done);
    back_->setEnabled(player.at() > 0);
    next_->setText(done ? (player.at_end() ? tr("Finish") : tr("Next")) : tr("Skip"));
    next_->setDefault(done);
    show_parts();
    const QWidget* focus = QApplication::focusWidget();
    if (done && task && focus != nullptr && isAncestorOf(focus)) next_->setFocus(Qt::OtherFocusReason);
    // What was just said is seen.
    QTimer::singleShot(0, this, [this] {
        auto* area = qobject_cast<QScrollArea*>(content_->parentWidget()->parentWidget());
        if (area != nullptr && reply_->isVisible()) area->ensureWidgetVisible(reply_, 0, 8);
    });
}

// What was learned.
void LessonPanel::show_end() {
    const lesson::LessonProgress progress = desk_.player().progress();
    heading_->setText(tr("The end"));
    QString text = tr("You did %1 of %2 tasks, %3 of them at the first try.")
                       .arg(progress.done())
                       .arg(progress.tasks.size())
                       .arg(progress.at_first_try());
    const std::vector<LessonInfo>& shelf = lesson_shelf();
    const auto here = std::find_if(shelf.begin(), shelf.end(),
                                   [&](const LessonInfo& info) { return info.name == desk_.lesson()->name; });
    if (here != shelf.end() && here + 1 != shelf.end())
        text += QStringLiteral("\n\n") + tr("The next lesson is *%1*.").arg((here + 1)->title());
    text_->set_markdown(text);
    text_->setVisible(true);
    task_->hide();
    reply_->say(ReplyBox::Tone::Note, {});
    back_->setEnabled(true);
    next_->setText(here != shelf.end() && here + 1 != shelf.end() ? tr("Next lesson") : tr("Leave"));
    next_->setDefault(true);
    next_->setFocus(Qt::OtherFocusReason);
}

// A part that is come to gets the keys: one can answer at once, or work at once. Of a quiz only from the
// panel: whoever steps on in the picture goes on stepping.
void LessonPanel::give_keys() {
    const QWidget* focus = QApplication::focusWidget();
    const bool mine = focus == nullptr || focus == this || isAncestorOf(focus);
    if (desk_.busy() || (!std::exchange(fresh_, false) && desk_.quizzing() && !mine)) return;
    const lesson::LessonPlayer& player = desk_.player();
    if (player.done()) return next_->setFocus(Qt::OtherFocusReason);
    // Not the first choice: whoever steps on with Space would choose it.
    if (!answers_->isHidden() && !answers_->choices().empty())
        return answers_->setFocus(Qt::OtherFocusReason);
    if (QWidget* first = answers_->first()) return first->setFocus(Qt::OtherFocusReason);
    if (desk_.window().focus_work) desk_.window().focus_work();
}

}  // namespace blockscope

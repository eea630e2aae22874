#include "app/lessons/answer_view.h"

#include <QHBoxLayout>
#include <QLabel>

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
    if (!choices_.empty()) return choices_.front();
    return list_ != nullptr && !list_->isHidden() ? list_ : nullptr;
}

}  // namespace blockscope

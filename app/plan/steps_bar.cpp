#include "app/plan/steps_bar.h"

#include <QCheckBox>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/plan/plan_words.h"
#include "app/shell/controls.h"

namespace blockscope {

StepsBar::StepsBar(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    stepping_ = new QCheckBox(tr("Step by step"), bar);
    stepping_->setAccessibleName(stepping_->text());
    stepping_->setToolTip(tr("Shows the decisions of this way one by one"));
    as_printed_ = new QCheckBox(tr("As printed"), bar);
    as_printed_->setAccessibleName(as_printed_->text());
    as_printed_->setToolTip(tr("The algorithm exactly as the article on the taxonomy of fusion prints it"));
    back_ = make_bar_button(bar, tr("Back"), tr("The decision before"));
    forward_ = make_bar_button(bar, tr("Next decision"), tr("The next decision"));
    for (QWidget* part : std::initializer_list<QWidget*>{stepping_, as_printed_, back_, forward_})
        row->addWidget(part);
    column->addWidget(bar);
    text_ = new QLabel(this);
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::PlainText);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text_->setAccessibleName(tr("The decision that is shown"));
    column->addWidget(text_);
    connect(stepping_, &QCheckBox::toggled, this, &StepsBar::restart);
    connect(as_printed_, &QCheckBox::toggled, this, &StepsBar::restart);
    connect(back_, &QToolButton::clicked, this, [this] { go(-1); });
    connect(forward_, &QToolButton::clicked, this, [this] { go(1); });
}

void StepsBar::show_way(FoundPlansPtr plans, const std::string& way) {
    const bool same = plans == plans_ && way == way_;
    plans_ = std::move(plans);
    way_ = way;
    if (!same) at_ = 0;
    setVisible(plans_ && plans_->steps.contains(way_) && !plans_->steps.at(way_).steps.empty());
    refresh();
}

const plan::Decided* StepsBar::decided() const {
    if (!plans_ || !stepping_->isChecked()) return nullptr;
    const auto found = plans_->steps.find(way_ + (as_printed_->isChecked() ? "-as-printed" : ""));
    return found == plans_->steps.end() || found->second.steps.empty() ? nullptr : &found->second;
}

const plan::DecisionStep* StepsBar::step() const {
    const plan::Decided* now = decided();
    return now ? &now->steps[std::min(at_, now->steps.size() - 1)] : nullptr;
}

QString StepsBar::text() const {
    return text_->text();
}

void StepsBar::restart() {
    at_ = 0;
    refresh();
    Q_EMIT changed();
}

void StepsBar::go(int by) {
    const plan::Decided* now = decided();
    if (!now || (by < 0 && at_ == 0) || (by > 0 && at_ + 1 >= now->steps.size())) return;
    at_ = by < 0 ? at_ - 1 : at_ + 1;
    refresh();
    Q_EMIT changed();
}

void StepsBar::refresh() {
    const plan::Decided* now = decided();
    for (QWidget* part : std::initializer_list<QWidget*>{as_printed_, back_, forward_, text_})
        part->setVisible(now != nullptr);
    if (!now) return;
    at_ = std::min(at_, now->steps.size() - 1);
    back_->setEnabled(at_ > 0);
    forward_->setEnabled(at_ + 1 < now->steps.size());
    text_->setText(step_text(*now, at_));
}

}  // namespace blockscope

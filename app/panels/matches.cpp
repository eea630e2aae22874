#include "app/panels/matches.h"

#include <QSplitter>
#include <QVBoxLayout>

#include "app/panels/elided_label.h"
#include "app/panels/rule_combo.h"
#include "app/panels/step_look.h"
#include "app/window/late_bar.h"

namespace blockscope {

namespace {

constexpr int kLateTop = 8;  // of what says that the matches are late

}  // namespace

Matches::Matches(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      finder_(document),
      list_(new MatchList(document, finder_, this)),
      why_(new WhyView(document, this)),
      rules_(new RuleCombo(this)),
      text_(new QLineEdit(this)),
      count_(new ElidedLabel(this)) {
    setAccessibleName(tr("Matches"));
    auto* upper = new QWidget(this);
    auto* list = new QVBoxLayout(upper);
    list->setContentsMargins(0, 0, 0, 0);
    list->setSpacing(4);
    list->addLayout(make_head());
    list->addWidget(list_, 1);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(upper);
    splitter->addWidget(why_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({420, 280});
    splitter->setChildrenCollapsible(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(splitter);
    connect(list_, &MatchList::filtered, this, &Matches::say_count);
    connect(&finder_, &MatchFinder::changed, this, &Matches::say_count);
    connect(list_, &MatchList::why_asked, why_, &WhyView::ask);
    const auto* late = new LateBar(finder_.work(), kLateTop, list_);
    connect(late, &LateBar::cancelled, &finder_, &MatchFinder::cancel);
    say_count();
}

QLayout* Matches::make_head() {
    text_->setPlaceholderText(tr("Filter"));
    text_->setClearButtonEnabled(true);
    text_->setAccessibleName(tr("Filter of matches"));
    count_->setAccessibleName(tr("Number of matches"));
    count_->setFont(scaled_font(*this, 0.92));
    rules_->setMinimumWidth(5 * fontMetrics().height());
    auto* row = new QHBoxLayout;
    row->addWidget(text_, 1);
    row->addWidget(rules_, 1);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(10, 8, 10, 2);
    head->setSpacing(8);
    head->addLayout(row);
    head->addWidget(count_);
    connect(text_, &QLineEdit::textChanged, this, &Matches::filter);
    connect(rules_, &QComboBox::currentIndexChanged, this, &Matches::filter);
    return head;
}

void Matches::filter() {
    list_->set_filter(parse_rule_id(rules_->currentData().toString().toStdString()), text_->text());
}

void Matches::say_count() {
    const int all = static_cast<int>(finder_.report().lines.size());
    if (document_.empty())
        count_->clear();
    else if (finder_.searching())
        count_->setText(tr("Looking for matches..."));
    else if (!finder_.trouble().isEmpty())
        count_->setText(finder_.trouble());
    else if (all == 0)
        count_->setText(tr("No rule applies to this state any more."));
    else if (list_->shown() == all)
        count_->setText(tr("Matches: %1. Enter applies one.").arg(all));
    else
        count_->setText(tr("Matches shown: %1 of %2").arg(list_->shown()).arg(all));
}

void Matches::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    finder_.set_active(true);
}

void Matches::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    finder_.set_active(false);
}

}  // namespace blockscope

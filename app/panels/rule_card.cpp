#include "app/panels/rule_card.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/panels/rule_combo.h"
#include "app/panels/step_look.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

QLabel* make_text(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

RuleCard::RuleCard(Document& document, Pictures& pictures, QWidget* parent)
    : QWidget(parent),
      document_(document),
      picture_(new RulePicture(pictures, this)),
      rules_(new RuleCombo(this)),
      number_(new QLabel(this)),
      name_(make_text(this)),
      summary_(make_text(this)) {
    setAccessibleName(tr("Rule card"));
    rules_->setItemText(0, tr("Rule of the current step"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(make_head());
    column->addWidget(make_body(), 1);
    connect(rules_, &QComboBox::currentIndexChanged, this, &RuleCard::follow);
    connect(&document, &Document::current_changed, this, &RuleCard::follow);
    shown_ = rules().front().id;
    show_rule(shown_);
    follow();
}

QLayout* RuleCard::make_head() {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(10, 8, 10, 4);
    row->addWidget(rules_, 1);
    const auto add = [&](Qt::ArrowType arrow, const QString& help, int by) {
        auto* button = new QToolButton(this);
        button->setArrowType(arrow);
        button->setAutoRaise(true);
        button->setToolTip(help);
        button->setAccessibleName(help);
        connect(button, &QToolButton::clicked, this, [this, by] { turn(by); });
        row->addWidget(button);
    };
    add(Qt::LeftArrow, tr("Previous rule"), -1);
    add(Qt::RightArrow, tr("Next rule"), 1);
    return row;
}

QWidget* RuleCard::make_body() {
    auto* body = new QWidget(this);
    body->setObjectName(QStringLiteral("card"));
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(12, 4, 12, 12);
    column->setSpacing(4);
    number_->setFont(scaled_font(*this, 1.1, true));
    name_->setFont(scaled_font(*this, 1.25, true));
    column->addWidget(number_);
    column->addWidget(name_);
    column->addWidget(summary_);
    column->addSpacing(4);
    column->addWidget(picture_);
    const Section step = add_section(*column, tr("In this step"));
    step_title_ = step.title;
    step_ = step.text;
    condition_ = add_section(*column, tr("When it applies"));
    reason_ = add_section(*column, tr("Why it preserves meaning"));
    use_ = add_section(*column, tr("What it is good for"));
    section_ = add_section(*column, tr("In the paper"));
    column->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setAccessibleName(tr("Rule"));
    scroll->setWidget(body);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return scroll;
}

RuleCard::Section RuleCard::add_section(QVBoxLayout& column, const QString& title) {
    Section section{new QLabel(title, this), make_text(this)};
    section.title->setFont(scaled_font(*this, 0.92, true));
    section.title->setForegroundRole(QPalette::Link);
    section.text->setAccessibleName(title);
    column.addSpacing(8);
    column.addWidget(section.title);
    column.addWidget(section.text);
    return section;
}

void RuleCard::choose(std::optional<RuleId> rule) {
    rules_->setCurrentIndex(rule ? std::max(0, rules_->findData(rule_text(*rule))) : 0);
}

void RuleCard::turn(int by) {
    const std::vector<Rule>& all = rules();
    const int count = static_cast<int>(all.size());
    int at = 0;
    while (all[static_cast<std::size_t>(at)].id != shown_) ++at;
    choose(all[static_cast<std::size_t>((at + by + count) % count)].id);
}

void RuleCard::follow() {
    const auto chosen = parse_rule_id(rules_->currentData().toString().toStdString());
    if (chosen)
        show_rule(*chosen);
    else if (!document_.empty() && document_.content().state().step)
        show_rule(document_.content().state().step->match.rule);
    show_step();
}

void RuleCard::show_rule(RuleId id) {
    shown_ = id;
    const Rule& shown = rule(id);
    number_->setText(tr("Rule %1").arg(rule_text(id)));
    name_->setText(in_words(shown.name));
    summary_->setText(as_sentence(shown.summary));
    condition_.text->setText(in_words(shown.condition));
    reason_.text->setText(in_words(shown.reason));
    use_.text->setText(in_words(shown.use));
    section_.text->setText(tr("Blockbuster, section %1").arg(in_words(shown.section)));
    picture_->show_rule(id);
}

void RuleCard::show_step() {
    const bool is_step = !document_.empty() && document_.content().state().step &&
                         document_.content().state().step->match.rule == shown_;
    step_title_->setVisible(is_step);
    step_->setVisible(is_step);
    step_->setText(is_step ? in_words(document_.content().state().step->explanation) : QString());
}

}  // namespace blockscope

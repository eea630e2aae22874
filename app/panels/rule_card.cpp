#include "app/panels/rule_card.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/shell/step_look.h"
#include "app/words/words.h"
#include "core/rules/examples.h"

namespace blockscope {

RuleCombo::RuleCombo(QWidget* parent) : ElidedCombo(parent) {
    setAccessibleName(tr("Rule"));
    setToolTip(tr("One rule or all of them"));
    addItem(tr("All rules"), QString());
    for (const Rule& rule : rules()) {
        addItem(tr("%1  %2").arg(rule_text(rule.id), translated(rule.short_name)), rule_text(rule.id));
        setItemData(count() - 1, translated(rule.name), Qt::ToolTipRole);
    }
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(12);
}

namespace {

constexpr double kArrow = 34;          // pixels between the two sides
constexpr double kLargestScale = 1.0;  // pixels per unit: no larger than in the main picture
constexpr double kBefore = 28;         // pixels before anything is laid out
constexpr int kRuleDelay = 100;        // milliseconds before that is said

Lights lights_for(const Picture& picture, const std::vector<NodeId>& nodes, Mark mark) {
    Lights lights;
    lights.edge_labels = false;
    for (const NodeId id : nodes)
        if (const int box = picture.figure.find(id); box >= 0) lights.boxes[box] = mark;
    return lights;
}

ContentPtr example_content(RuleId rule) {
    const RuleExample& example = rule_example(rule);
    Content content = content_of_blocks(*example.program, to_string(rule));
    content.folds = example.folded;
    return std::make_shared<const Content>(apply_match(std::move(content), example.match));
}

}  // namespace

RulePicture::RulePicture(Pictures& pictures, QWidget* parent) : QWidget(parent), pictures_(pictures) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    delay_.setSingleShot(true);
    delay_.setInterval(kRuleDelay);
    connect(&delay_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
}

RulePicture::~RulePicture() {
    pictures_.cancel(&left_);
    pictures_.cancel(&right_);
}

void RulePicture::show_rule(RuleId id) {
    if (rule_ == id) return;
    rule_ = id;
    setAccessibleName(tr("Picture of rule %1").arg(rule_text(id)));
    setAccessibleDescription(translated(rule(id).summary));
    example_ = example_content(id);
    left_ = right_ = nullptr;
    delay_.start();
    pictures_.request(&left_, example_, 0, [this](PicturePtr picture) {
        left_ = std::move(picture);
        take();
    });
    pictures_.request(&right_, example_, example_->current, [this](PicturePtr picture) {
        right_ = std::move(picture);
        take();
    });
    update();
}

void RulePicture::take() {
    if (!complete()) return;
    const Step& step = *example_->state().step;
    std::vector<NodeId> matched, made;
    for (const Role& role : step.match.roles) matched.push_back(role.node);
    for (const Lineage& lineage : step.made) made.push_back(lineage.made);
    matched_ = lights_for(*left_, matched, Mark::Match);
    made_ = lights_for(*right_, made, Mark::Made);
    updateGeometry();
    update();
    Q_EMIT completed();
}

double RulePicture::scale_for(int width) const {
    const double units = left_->geometry.bounds.width + right_->geometry.bounds.width;
    return std::min(kLargestScale, std::max(0.1, (width - kArrow) / std::max(1.0, units)));
}

int RulePicture::heightForWidth(int width) const {
    if (!complete()) return static_cast<int>(kBefore);
    const double units = std::max(left_->geometry.bounds.height, right_->geometry.bounds.height);
    return static_cast<int>(units * scale_for(width)) + 8;
}

QSize RulePicture::sizeHint() const {
    return {280, heightForWidth(std::max(160, width()))};
}

void RulePicture::paint_side(QPainter& painter, const Picture& picture, const Lights& lights, QPointF corner,
                             double scale) const {
    const Rect& bounds = picture.geometry.bounds;
    painter.save();
    painter.translate(corner);
    painter.scale(scale, scale);
    painter.translate(-bounds.x, -bounds.y);
    paint(painter, picture, theme_of(*this), lights, bounds, scale);
    painter.restore();
}

void RulePicture::paintEvent(QPaintEvent*) {
    const Colors& colors = colors_of(*this);
    const Theme theme = theme_of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.line, 1));
    painter.setBrush(theme.canvas);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    if (!complete()) {
        painter.setPen(colors.muted);
        if (!delay_.isActive()) painter.drawText(rect(), Qt::AlignCenter, tr("Laying out the picture"));
        return;
    }
    const double scale = scale_for(width());
    const Rect& a = left_->geometry.bounds;
    const Rect& b = right_->geometry.bounds;
    const double x = (width() - kArrow - (a.width + b.width) * scale) / 2;
    paint_side(painter, *left_, matched_, {x, (height() - a.height * scale) / 2}, scale);
    const double start = x + a.width * scale + 6;
    const QPointF tip(start + kArrow - 12, height() / 2.0);
    painter.setPen(QPen(colors.muted, 2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(start, tip.y()), tip - QPointF(3, 0));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.muted);
    painter.drawPolygon(QPolygonF{tip, tip + QPointF(-8, -5), tip + QPointF(-8, 5)});
    paint_side(painter, *right_, made_, {start + kArrow - 6, (height() - b.height * scale) / 2}, scale);
}

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
      best_(Best::of(document)),
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
    setFocusProxy(rules_);
    column->addWidget(make_body(), 1);
    connect(rules_, &QComboBox::currentIndexChanged, this, &RuleCard::follow);
    connect(&document, &Document::current_changed, this, &RuleCard::follow);
    connect(&best_, &Best::changed, this, &RuleCard::show_step);
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
    number_->setWordWrap(true);
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

// A hidden card waits until it is shown: its texts are laid out anew for every step.
void RuleCard::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    follow();
}

void RuleCard::follow() {
    if (!isVisible()) return;
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
    name_->setText(translated(shown.short_name));
    summary_->setText(as_sentence(shown.summary));
    condition_.text->setText(translated(shown.condition));
    reason_.text->setText(translated(shown.reason));
    use_.text->setText(translated(shown.use));
    section_.text->setText(
        tr("Blockbuster, section %1: %2").arg(translated(shown.section), translated(shown.name)));
    picture_->show_rule(id);
}

void RuleCard::show_step() {
    if (!isVisible()) return;
    const bool is_step = !document_.empty() && document_.content().state().step &&
                         document_.content().state().step->match.rule == shown_;
    step_title_->setVisible(is_step);
    step_->setVisible(is_step);
    if (!is_step) return step_->clear();
    const HistoryState& state = document_.content().state();
    QString text = translated(state.step->explanation);
    const QString more = best_.is_best(state.id) ? best_.sentence() : best_.warning(state.id);
    if (!more.isEmpty())
        text +=
            (best_.is_best(state.id) ? QStringLiteral("\n\n\u2605 ") : QStringLiteral("\n\n\u25b2 ")) + more;
    step_->setText(text);
}

}  // namespace blockscope

#include "app/compare/compare_pane.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <array>

#include "core/cost/counts.h"

namespace blockscope {

namespace {

// "1.5 G", "820 ": three digits with a decimal prefix, ready for a unit.
QString quantity(std::int64_t value) {
    static constexpr std::array<const char*, 6> kPrefixes{" ", " k", " M", " G", " T", " P"};
    double scaled = static_cast<double>(value);
    std::size_t prefix = 0;
    while (scaled >= 999.5 && prefix + 1 < kPrefixes.size()) scaled /= 1000, ++prefix;
    const int decimals = prefix == 0 || scaled >= 99.5 ? 0 : scaled >= 9.95 ? 1 : 2;
    return QLocale().toString(scaled, 'f', decimals) + QString::fromUtf8(kPrefixes[prefix]);
}

QString rule_of(const Content& content, StateId state) {
    const HistoryState& shown = content.history.state(state);
    if (!shown.step) return ComparePane::tr("Initial program");
    return ComparePane::tr("Step %1 · rule %2")
        .arg(content.history.depth(state))
        .arg(QString::fromStdString(to_string(shown.step->match.rule)));
}

}  // namespace

QString state_name(const Content& content, StateId state) {
    const HistoryState& shown = content.history.state(state);
    QString name = rule_of(content, state);
    if (shown.snapshot) name += ComparePane::tr(" · snapshot");
    if (content.history.branches().size() < 2 || !shown.step) return name;
    const int branch = content.history.branch_through(state, content.branch);
    return name + QStringLiteral(" · ") + QString::fromStdString(content.history.branch(branch).name);
}

QString summary(const DiffCounts& counts) {
    QStringList parts;
    if (counts.removed > 0) parts << ComparePane::tr("%1 removed").arg(counts.removed);
    if (counts.added > 0) parts << ComparePane::tr("%1 added").arg(counts.added);
    if (counts.moved > 0) parts << ComparePane::tr("%1 moved").arg(counts.moved);
    if (counts.changed > 0) parts << ComparePane::tr("%1 changed").arg(counts.changed);
    return parts.isEmpty() ? ComparePane::tr("no difference") : parts.join(QStringLiteral(", "));
}

QString short_summary(const DiffCounts& counts) {
    QStringList parts;
    const auto add = [&](int number, const char* sign) {
        if (number > 0) parts << QString::fromUtf8(sign) + QString::number(number);
    };
    add(counts.removed, "−");
    add(counts.added, "+");
    add(counts.moved, "⇄");
    add(counts.changed, "∼");
    return parts.isEmpty() ? ComparePane::tr("no difference") : parts.join(QLatin1Char(' '));
}

QString short_state_name(const Content& content, StateId state) {
    if (!content.history.state(state).step) return ComparePane::tr("Initial program");
    return ComparePane::tr("Step %1").arg(content.history.depth(state));
}

ComparePane::ComparePane(const Content& content, StateId state, QWidget* parent)
    : QWidget(parent),
      state_(state),
      current_(state == content.current),
      title_(new ElidedLabel(this)),
      costs_(new ElidedLabel(this)),
      summary_(new ElidedLabel(this)),
      canvas_(new Canvas(this)) {
    const QString name = state_name(content, state);
    setAccessibleName(name);
    canvas_->setAccessibleName(tr("Picture of %1").arg(name));
    title_->setText(current_ ? tr("%1 (current)").arg(name) : name);
    QStringList shorter{rule_of(content, state), short_state_name(content, state)};
    for (QString& form : shorter)
        if (current_) form = tr("%1 (current)").arg(form);
    title_->set_shorter(shorter);
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    show_costs(*content.history.state(state).program);

    auto* head = new QHBoxLayout;
    head->addWidget(title_, 1);
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("×"));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Remove %1 from the comparison").arg(name));
    close->setToolTip(tr("Remove from the comparison"));
    connect(close, &QToolButton::clicked, this, &ComparePane::removed);
    head->addWidget(close);
    // Its room stays, so that all pictures begin at the same height.
    QSizePolicy policy = close->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    close->setSizePolicy(policy);
    close->setVisible(!current_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    for (ElidedLabel* line : {costs_, summary_}) line->setContentsMargins(8, 0, 8, 0);
    head->setContentsMargins(8, 6, 4, 0);
    summary_->setContentsMargins(8, 0, 8, 6);
    layout->addLayout(head);
    layout->addWidget(costs_);
    layout->addWidget(summary_);
    layout->addWidget(canvas_, 1);

    connect(canvas_, &Canvas::hovered, this, [this](int box, int edge) {
        std::vector<NodeId> nodes;
        const PicturePtr& picture = canvas_->picture();
        if (picture && box >= 0) nodes = picture->figure.boxes[static_cast<std::size_t>(box)].nodes;
        if (picture && box < 0 && edge >= 0)
            nodes = {picture->figure.edges[static_cast<std::size_t>(edge)].value.node};
        Q_EMIT pointed(nodes);
    });
    connect(canvas_, &Canvas::clicked, this, &ComparePane::chosen);
}

void ComparePane::show_costs(const BlockProgram& program) {
    const Counts counts = count(blockscope::lower(program));
    const int buffered = buffered_edges(program);
    costs_->setText(tr("Buffered edges %1 · moves %2B · operations %3 · launches %4")
                        .arg(buffered)
                        .arg(quantity(counts.bytes()), quantity(counts.flops.total()).trimmed())
                        .arg(counts.launches));
    const QString moved = quantity(counts.bytes());
    costs_->set_shorter({tr("%1 buffered · %2B · operations %3 · launches %4")
                             .arg(buffered)
                             .arg(moved, quantity(counts.flops.total()).trimmed())
                             .arg(counts.launches),
                         tr("%1 buffered · %2B · launches %3").arg(buffered).arg(moved).arg(counts.launches),
                         tr("%1 buffered · %2B").arg(buffered).arg(moved)});
    costs_->setToolTip(
        costs_->text() + QLatin1Char('\n') +
        tr("%1 bytes moved between global and local memory, %2 arithmetic operations, %3 bytes "
           "of local memory")
            .arg(QLocale().toString(counts.bytes()), QLocale().toString(counts.flops.total()),
                 QLocale().toString(counts.local.bytes)));
}

void ComparePane::set_summary(const QString& text, const QStringList& shorter) {
    summary_->setText(text);
    summary_->set_shorter(shorter);
    summary_->setToolTip(text);
}

void ComparePane::set_marks(std::map<NodeId, Mark> marks) {
    marks_ = std::move(marks);
    light();
}

void ComparePane::set_pointed(std::vector<NodeId> nodes) {
    if (nodes == pointed_) return;
    pointed_ = std::move(nodes);
    light();
}

void ComparePane::light() {
    const PicturePtr& picture = canvas_->picture();
    if (!picture) return;
    Lights lights;
    for (const auto& [node, mark] : marks_)
        if (const int box = picture->figure.find(node); box >= 0) lights.boxes[box] = mark;
    for (const NodeId node : pointed_) {
        const int box = picture->figure.find(node);
        if (box < 0) continue;
        if (lights.boxes.count(box) > 0)
            lights.around[box] = Mark::Selected;
        else
            lights.boxes[box] = Mark::Selected;
    }
    canvas_->set_lights(lights);
}

void ComparePane::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    Q_EMIT resized();
}

void ComparePane::mousePressEvent(QMouseEvent* event) {
    Q_EMIT chosen();
    QWidget::mousePressEvent(event);
}

}  // namespace blockscope

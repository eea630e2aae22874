#include "app/compare/compare_view.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QVBoxLayout>
#include <cmath>

#include "app/costs/cost_table.h"
#include "app/panels/sizes_panel.h"
#include "app/scene/legend.h"

namespace blockscope {

MarksLegend::MarksLegend(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("What the marks mean"));
    hide();
}

void MarksLegend::set_theme(const Theme& theme) {
    theme_ = theme;
    update();
}

void MarksLegend::show_signs(const Signs& signs) {
    signs_ = signs;
    QStringList meanings;
    for (const LegendEntry& entry : legend_entries(signs_)) meanings << entry.text;
    setAccessibleDescription(meanings.join(QStringLiteral("; ")));
    setVisible(!signs_.empty());
    resizeEvent(nullptr);
    update();
}

int MarksLegend::columns() const {
    return legend_columns(signs_, width());
}

// As many rows as the width makes it.
void MarksLegend::resizeEvent(QResizeEvent*) {
    if (!signs_.empty()) setFixedHeight(static_cast<int>(std::ceil(legend_size(signs_, columns()).height)));
}

void MarksLegend::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.fillRect(event->rect(), theme_.canvas);
    paint_legend(painter, theme_, signs_, columns());
}

namespace {

QString rule_of(const Content& content, StateId state) {
    const HistoryState& shown = content.history.state(state);
    if (!shown.step) return ComparePane::tr("Initial program");
    return ComparePane::tr("Step %1 · rule %2")
        .arg(content.history.depth(state))
        .arg(QString::fromStdString(to_string(shown.step->match.rule)));
}

}  // namespace

QString state_name(const Content& content, StateId state, std::optional<int> branch) {
    const HistoryState& shown = content.history.state(state);
    QString name = rule_of(content, state);
    if (shown.snapshot) name += ComparePane::tr(" · snapshot");
    if (content.history.branches().size() < 2 || !shown.step) return name;
    if (!branch) branch = content.history.branch_through(state, content.branch);
    return name + QStringLiteral(" · ") + QString::fromStdString(content.history.branch(*branch).name);
}

std::map<StateId, int> branches_of_states(const Content& content) {
    const History& history = content.history;
    std::map<StateId, int> branch_of;
    const auto add = [&](const Branch& branch) {
        for (StateId at = branch.tip; at >= 0 && branch_of.emplace(at, branch.id).second;)
            at = history.state(at).parent;
    };
    add(history.branch(content.branch));
    for (const Branch& branch : history.branches()) add(branch);
    return branch_of;
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

ComparePane::ComparePane(const Content& content, StateId state, Costs& costs, QWidget* parent)
    : QWidget(parent),
      state_(state),
      program_(content.history.state(state).program),
      costs_(costs),
      current_(state == content.current),
      title_(new ElidedLabel(this)),
      numbers_(new ElidedLabel(this)),
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
    title_->setProperty("heading", true);
    numbers_->setCursor(Qt::PointingHandCursor);
    connect(&costs_, &Costs::choices_changed, this, &ComparePane::show_costs);
    connect(&costs_, &Costs::counted, this, &ComparePane::show_costs);
    show_costs();

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
    for (ElidedLabel* line : {numbers_, summary_}) line->setContentsMargins(8, 0, 8, 0);
    head->setContentsMargins(8, 6, 4, 0);
    summary_->setContentsMargins(8, 0, 8, 6);
    layout->addLayout(head);
    layout->addWidget(numbers_);
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

// As the costs page counts them, of the state as it is: so is the picture.
void ComparePane::show_costs() {
    const StateCostsPtr counted = costs_.plain(program_);
    if (counted && counted == counted_) return;
    counted_ = counted;
    if (!counted) {
        forms_.clear();
        numbers_->set_shorter({});
        numbers_->setToolTip({});
        return numbers_->setText(costs_.missing());
    }
    const Counts& counts = counted->state.counts();
    const int buffered = buffered_edges(*program_);
    const QString moved = quantity_text(counts.bytes(), QStringLiteral("B"));
    const QString operations = quantity_text(counts.flops.total(), {}).trimmed();
    // Buffered edges are what intermediates move through.
    constexpr int kEdges = CostTable::Intermediates, kMoved = CostTable::Moved;
    constexpr int kOperations = CostTable::Operations, kLaunches = CostTable::Launches;
    forms_ = {
        {tr("Buffered edges %1 · moves %2 · operations %3 · launches %4")
             .arg(buffered)
             .arg(moved, operations)
             .arg(counts.launches),
         {kEdges, kMoved, kOperations, kLaunches}},
        {tr("%1 buffered · %2 · operations %3 · launches %4")
             .arg(buffered)
             .arg(moved, operations)
             .arg(counts.launches),
         {kEdges, kMoved, kOperations, kLaunches}},
        {tr("%1 buffered · %2 · launches %3").arg(buffered).arg(moved).arg(counts.launches),
         {kEdges, kMoved, kLaunches}},
        {tr("%1 buffered · %2").arg(buffered).arg(moved), {kEdges, kMoved}},
    };
    numbers_->setText(forms_.front().text);
    QStringList shorter;
    for (std::size_t i = 1; i < forms_.size(); ++i) shorter << forms_[i].text;
    numbers_->set_shorter(shorter);
    numbers_->setToolTip(
        numbers_->text() + QLatin1Char('\n') +
        tr("%1 bytes moved between global and local memory, %2 arithmetic operations, %3 bytes "
           "of local memory")
            .arg(QLocale().toString(counts.bytes()), QLocale().toString(counts.flops.total()),
                 QLocale().toString(counts.local.bytes)) +
        QLatin1Char('\n') + tr("A click on a number opens where it comes from."));
}

// Of the number at `x` of the line; none beside the text.
std::optional<int> ComparePane::column_at(int x) const {
    const QString shown = numbers_->shown();
    const QFontMetrics metrics = numbers_->fontMetrics();
    const int from = numbers_->contentsRect().left();
    for (const CostForm& form : forms_) {
        if (form.text != shown) continue;
        qsizetype end = 0;
        for (const int column : form.columns) {
            end = form.text.indexOf(QStringLiteral(" · "), end + 1);
            if (end < 0) end = form.text.size();
            if (x < from + metrics.horizontalAdvance(form.text.left(end))) return column;
        }
    }
    return {};
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

int ComparePane::head_height() const {
    return std::max(0, layout()->sizeHint().height() - std::max(0, canvas_->sizeHint().height()));
}

void ComparePane::light() {
    const PicturePtr& picture = canvas_->picture();
    if (!picture) return;
    Lights lights = lights_of(marks_, *picture);
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
    const QPoint on_line = numbers_->mapFrom(this, event->position().toPoint());
    if (numbers_->rect().contains(on_line))
        if (const auto column = column_at(on_line.x())) costs_.ask_for_derivation(state_, *column);
    QWidget::mousePressEvent(event);
}

}  // namespace blockscope

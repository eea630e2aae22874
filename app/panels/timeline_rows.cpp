#include "app/panels/timeline_rows.h"

#include <QEvent>
#include <QFontInfo>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "app/costs/step_cost.h"
#include "app/shell/controls.h"
#include "app/shell/step_look.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr std::size_t kMostChapters = 200;  // more are not told
constexpr std::size_t kMostGhosts = 60;     // steps of the algorithm beside the branch
constexpr int kChapterAir = 4;              // above and below the text; twice as much at its sides
constexpr int kGhostGap = 3;

// The first of these that has room; nothing if none has.
QString that_fits(const QStringList& texts, int room, const QFontMetrics& metrics) {
    for (const QString& text : texts)
        if (metrics.horizontalAdvance(text) <= room) return text;
    return {};
}

// As the style sheet has it (#chapter, #ghost), which rounds down.
QFont small_font(const QWidget& widget) {
    QFont font = widget.font();
    font.setPixelSize(std::max(1, QFontInfo(font).pixelSize() * 11 / 13));
    return font;
}

int row_height(const QWidget& widget) {
    return QFontMetrics(small_font(widget)).height() + kChapterAir;
}

void clear(std::vector<QToolButton*>& buttons) {
    for (QToolButton* button : buttons) {
        button->hide();
        button->deleteLater();
    }
    buttons.clear();
}

}  // namespace

ChapterRow::ChapterRow(Document& document, CellPlace place, QWidget* parent)
    : QWidget(parent), document_(document), telling_(Telling::of(document)), place_(std::move(place)) {
    setObjectName(QStringLiteral("chapter_row"));
    setAccessibleName(tr("Chapters of the run"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&telling_, &Telling::told_now, this, &ChapterRow::rebuild);
    connect(&document, &Document::current_changed, this, &ChapterRow::arrange);
    connect(&document, &Document::opened, this, &ChapterRow::rebuild);
    rebuild();
}

QSize ChapterRow::sizeHint() const {
    return {200, row_height(*this)};
}

int ChapterRow::current() const {
    if (document_.empty()) return -1;
    const int step = document_.content().history.depth(document_.content().current);
    const std::vector<Chapter>& chapters = telling_.chapters();
    const Chapter* found = chapter_at(chapters, step);
    return found ? static_cast<int>(found - chapters.data()) : -1;
}

void ChapterRow::rebuild() {
    const std::vector<Chapter>& chapters = telling_.chapters();
    const std::size_t count = chapters.size() > kMostChapters ? 0 : chapters.size();
    if (buttons_.size() != count) clear(buttons_);
    while (buttons_.size() < count) {
        auto* button = new QToolButton(this);
        const std::size_t chapter = buttons_.size();
        button->setObjectName(QStringLiteral("chapter"));
        button->setProperty("program_data", true);
        button->installEventFilter(this);
        connect(button, &QToolButton::clicked, this, [this, chapter] { go(chapter); });
        button->show();
        buttons_.push_back(button);
    }
    arrange();
}

void ChapterRow::arrange() {
    const std::vector<Chapter>& chapters = telling_.chapters();
    if (buttons_.size() != chapters.size()) return;
    const QFont font = small_font(*this);
    const QFontMetrics metrics(font);
    const int shown = current();
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        const Chapter& chapter = chapters[i];
        QToolButton& button = *buttons_[i];
        const QRect first = place_(chapter.first), last = place_(chapter.last);
        // The part of it that is seen: its name is, too.
        const QRect area =
            QRect(first.left(), 0, std::max(0, last.right() - first.left() + 1), height()) & rect();
        const QString title = translated(chapter.title);
        const QString bytes = bytes_change(chapter.bytes_before, chapter.bytes_after);
        const QString range = chapter.first == chapter.last
                                  ? tr("Step %1").arg(chapter.first)
                                  : tr("Steps %1 to %2").arg(chapter.first).arg(chapter.last);
        const bool own = chapter.kind == ChapterKind::Own;
        button.setToolTip(own ? tr("%1: %2, %3; grouped by you").arg(range, title, bytes)
                              : tr("%1: %2, %3").arg(range, title, bytes));
        button.setAccessibleName(button.toolTip());
        button.setVisible(!area.isEmpty() && !document_.hides_run());  // its bytes may be what is asked for
        if (area.isEmpty()) continue;
        button.setGeometry(area);
        QFont own_font = font;
        own_font.setItalic(own);
        button.setFont(own_font);
        button.setCheckable(true);
        button.setChecked(static_cast<int>(i) == shown);
        const bool stop = static_cast<int>(i) == std::max(shown, 0);
        button.setFocusPolicy(stop ? Qt::StrongFocus : Qt::ClickFocus);
        const QString text =
            that_fits({tr("%1 · %2").arg(title, bytes), title, translated(chapter.short_title)},
                      area.width() - 4 * kChapterAir, metrics);
        const QString shortest =
            that_fits({translated(chapter.shortest_title)}, area.width() - 2 * kChapterAir, metrics);
        button.setText(text.isEmpty() ? shortest : text);
        if (button.text().isEmpty()) button.hide();  // of one that is hardly in sight: a box without a name
    }
}

// Its first step; from there, its last one.
void ChapterRow::go(std::size_t chapter) {
    const std::vector<Chapter>& chapters = telling_.chapters();
    if (document_.empty() || chapter >= chapters.size()) return;
    const Content& content = document_.content();
    const std::vector<StateId> way = content.history.path(content.history.branch(content.branch).tip);
    const int here = content.history.depth(content.current);
    const int step = here == chapters[chapter].first ? chapters[chapter].last : chapters[chapter].first;
    if (step < static_cast<int>(way.size()))
        document_.go(way[static_cast<std::size_t>(step)], content.branch);
    arrange();
}

bool ChapterRow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key != Qt::Key_Left && key != Qt::Key_Right) return QWidget::eventFilter(watched, event);
    const auto at = std::find(buttons_.begin(), buttons_.end(), watched);
    const auto next = (at - buttons_.begin()) + (key == Qt::Key_Left ? -1 : 1);
    if (at == buttons_.end() || next < 0 || next >= static_cast<std::ptrdiff_t>(buttons_.size())) return true;
    buttons_[static_cast<std::size_t>(next)]->setFocus(Qt::TabFocusReason);
    return true;
}

void ChapterRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void ChapterRow::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
    updateGeometry();
    arrange();
}

GhostRow::GhostRow(Document& document, CellPlace place, QWidget* parent)
    : QWidget(parent), document_(document), place_(std::move(place)) {
    setObjectName(QStringLiteral("ghost_row"));
    setAccessibleName(tr("The algorithm's steps beside this branch"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&document, &Document::content_changed, this, &GhostRow::rebuild);
    rebuild();
}

QSize GhostRow::sizeHint() const {
    return {200, row_height(*this) + kGhostGap};
}

void GhostRow::rebuild() {
    std::vector<StateId> states;
    if (left_algorithm(document_) && !document_.hides_run()) {
        const Content& content = document_.content();
        const StateId tip = content.history.branches().front().tip;
        const StateId fork = content.history.common_ancestor(content.history.branch(content.branch).tip, tip);
        const std::vector<StateId> way = content.history.path(tip);
        const auto from = static_cast<std::size_t>(content.history.depth(fork));
        for (std::size_t i = from; i < way.size() && states.size() < kMostGhosts; ++i)
            states.push_back(way[i]);
    }
    setVisible(!states.empty());
    if (states == states_) return arrange();
    states_ = std::move(states);
    clear(buttons_);
    for (std::size_t i = 0; i < states_.size(); ++i) {
        const HistoryState& state = document_.content().history.state(states_[i]);
        auto* button = new QToolButton(this);
        button->setObjectName(QStringLiteral("ghost"));
        button->setProperty("program_data", true);
        button->setFocusPolicy(i == 0 ? Qt::StrongFocus : Qt::ClickFocus);
        if (i == 0) {
            button->setText(tr("← Algorithm"));
            button->setToolTip(tr("Back to where this branch left the algorithm's steps"));
        } else {
            // Steps by the same rule in a row are named once, so that all names have room.
            const RuleId rule = state.step->match.rule;
            const bool named =
                i == 1 || document_.content().history.state(states_[i - 1]).step->match.rule != rule;
            button->setText(named ? tr("%1 · %2").arg(state.depth).arg(short_rule_name(rule))
                                  : QString::number(state.depth));
            button->setToolTip(tr("Step %1 of the algorithm: %2")
                                   .arg(state.depth)
                                   .arg(short_rule_name(state.step->match.rule)));
        }
        button->setAccessibleName(button->toolTip());
        connect(button, &QToolButton::clicked, this, [this, id = states_[i]] {
            if (!document_.empty()) document_.go(id, document_.content().history.branches().front().id);
        });
        buttons_.push_back(button);
    }
    arrange();
}

// From where the branch began, or farther to the left where all have room then; one beside the other.
void GhostRow::arrange() {
    // Asked to between two documents, it still shows the steps of the one before.
    if (buttons_.empty() || document_.empty() || !document_.content().history.has(states_.front())) return;
    const QFont font = small_font(*this);
    const QFontMetrics metrics(font);
    const auto width_of = [&](const QToolButton* button) {
        return metrics.horizontalAdvance(button->text()) + 4 * kChapterAir;
    };
    int all = -kGhostGap;
    for (const QToolButton* button : buttons_) all += width_of(button) + kGhostGap;
    const int fork = place_(document_.content().history.depth(states_.front())).left();
    int x = std::max(0, std::min(fork, width() - all));
    for (QToolButton* button : buttons_) {
        button->setFont(font);
        button->setGeometry(x, 0, width_of(button), height() - kGhostGap);
        // No name is cut off: a narrow row leaves out its last steps.
        button->setVisible(button == buttons_.front() || x + button->width() <= width());
        x += button->width() + kGhostGap;
    }
}

void GhostRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

std::vector<FoldedSteps> fold_steps(const std::vector<std::optional<std::int64_t>>& bytes) {
    std::vector<FoldedSteps> cells;
    bool idle_before = false;
    for (int step = 0; step < static_cast<int>(bytes.size()); ++step) {
        const auto& now = bytes[static_cast<std::size_t>(step)];
        const bool idle = step > 0 && now && now == bytes[static_cast<std::size_t>(step) - 1];
        if (idle && idle_before)
            cells.back().last = step;
        else
            cells.push_back({step, step});
        idle_before = idle;
    }
    return cells;
}

namespace {

constexpr double kMargin = 14;  // to the left and right of the chart
constexpr double kHandle = 5;   // radius

}  // namespace

RunSlider::RunSlider(Document& document, TimelineModel& model, QWidget* parent)
    : QSlider(Qt::Horizontal, parent), document_(document), model_(model), best_(Best::of(document)) {
    setAccessibleName(tr("Position in the run"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setSingleStep(1);
    setPageStep(5);
    connect(&model, &TimelineModel::cells_changed, this, &RunSlider::refresh);
    connect(&model, &TimelineModel::current_changed, this, &RunSlider::refresh);
    connect(&best_, &Best::changed, this, &RunSlider::describe);
    connect(this, &QSlider::valueChanged, this, [this](int value) {
        if (value >= 0 && value < model_.size())
            document_.go(model_.cells()[static_cast<std::size_t>(value)].id, document_.content().branch);
    });
    refresh();
}

QSize RunSlider::sizeHint() const {
    return {200, QFontInfo(font()).pixelSize() * 3};
}

void RunSlider::refresh() {
    const QSignalBlocker blocker(this);
    setEnabled(model_.size() > 1);
    setRange(0, std::max(0, model_.size() - 1));
    setValue(std::max(0, model_.current()));
    describe();
}

void RunSlider::describe() {
    const QString best = document_.hides_run() ? QString() : best_.sentence();
    setAccessibleDescription(best);
    const QString what = tr("The curve: %1. Drag to go to any step.").arg(best_.objective_text());
    setToolTip(best.isEmpty() ? what : what + QLatin1Char('\n') + best);
    update();
}

double RunSlider::x_of(int index) const {
    const double share = maximum() == 0 ? 0 : static_cast<double>(index) / maximum();
    return kMargin + share * (width() - 2 * kMargin);
}

int RunSlider::index_at(double x) const {
    const double share = (x - kMargin) / std::max(1.0, width() - 2 * kMargin);
    return std::clamp(qRound(share * maximum()), 0, maximum());
}

int RunSlider::told() const {
    return document_.hides_run() ? std::max(0, model_.current()) + 1 : model_.size();
}

// A staircase: a state's value holds until the next step. At most one point a pixel is drawn. What is not
// known (yet) has no part of it.
void RunSlider::paint_curve(QPainter& painter, double bottom) const {
    const double room = bottom - 14;
    double most = 0;
    for (const StepCell& cell : model_.cells()) most = std::max(most, best_.value_of(cell.id).value_or(0));
    if (most <= 0) return;
    QPainterPath line;
    for (int i = 0; i < told(); ++i) {
        const auto value = best_.value_of(model_.cells()[static_cast<std::size_t>(i)].id);
        if (!value) continue;
        const QPointF at(x_of(i), bottom - room * *value / most);
        if (line.elementCount() == 0) {
            line.moveTo(at);
            continue;
        }
        if (i + 1 < told() && at.x() - line.currentPosition().x() < 0.5) continue;
        line.lineTo(at.x(), line.currentPosition().y());
        line.lineTo(at);
    }
    QPainterPath area = line;
    area.lineTo(area.currentPosition().x(), bottom);
    area.lineTo(QPointF(line.elementAt(0)).x(), bottom);
    const Colors& colors = colors_of(*this);
    QColor fill = colors.accent;
    fill.setAlphaF(theme_of(*this).dark ? 0.20F : 0.12F);
    painter.fillPath(area, fill);
    painter.strokePath(line, QPen(colors.accent, 1.3));
}

// Flags of snapshots, and the star of the best state to the left of its flag, if it has one.
void RunSlider::paint_marks(QPainter& painter, double bottom) const {
    const Colors& colors = colors_of(*this);
    for (int i = 0; i < told(); ++i) {
        const StepCell& cell = model_.cells()[static_cast<std::size_t>(i)];
        const bool best = best_.is_best(cell.id);
        if (!cell.snapshot() && !best) continue;
        const double x = x_of(i);
        painter.setPen(QPen(colors.accent, 1, Qt::DashLine));
        painter.drawLine(QPointF(x, 12), QPointF(x, bottom));
        if (cell.snapshot()) paint_flag(painter, QRectF(x - 2.6, 1, 11, 11), colors.accent);
        if (best) paint_star(painter, QRectF(x - (cell.snapshot() ? 13 : 6), 0, 12, 12), colors.accent);
    }
}

void RunSlider::paintEvent(QPaintEvent*) {
    if (model_.size() == 0) return;
    const Colors& colors = colors_of(*this);
    const double bottom = height() - 8.5;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paint_curve(painter, bottom);
    painter.setPen(QPen(colors.line, 1));
    painter.drawLine(QPointF(x_of(0), bottom), QPointF(x_of(maximum()), bottom));
    const double here = x_of(sliderPosition());
    painter.setPen(QPen(colors.accent, 2));
    painter.drawLine(QPointF(x_of(0), bottom), QPointF(here, bottom));
    paint_marks(painter, bottom);
    painter.setPen(QPen(colors.window, 2));
    painter.setBrush(colors.accent);
    painter.drawEllipse(QPointF(here, bottom), kHandle + 1, kHandle + 1);
    if (!hasFocus()) return;
    paint_focus_ring(painter, rect(), colors.accent, 5);
}

void RunSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) setValue(index_at(event->position().x()));
}

void RunSlider::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) setValue(index_at(event->position().x()));
}

}  // namespace blockscope

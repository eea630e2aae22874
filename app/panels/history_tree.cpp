#include "app/panels/history_tree.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

#include "app/panels/step_look.h"
#include "app/words/words.h"

namespace blockscope {

HistoryTree::HistoryTree(Document& document, Proofs& proofs, QWidget* parent)
    : QAbstractScrollArea(parent),
      document_(document),
      proofs_(proofs),
      edges_(EdgeCounts::of(document)),
      editor_(new QLineEdit(viewport())) {
    install_cells_accessibility();
    setAccessibleName(tr("Tree of states"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    editor_->setAccessibleName(tr("Name of the branch"));
    editor_->hide();
    editor_->installEventFilter(this);
    connect(editor_, &QLineEdit::editingFinished, this, [this] { finish_rename(true); });
    connect(&document, &Document::opened, this, [this] {
        expanded_.clear();
        finish_rename(false);  // of a branch of the document before
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        if (renamed_ >= 0) place_editor();
    });
    connect(&document, &Document::content_changed, this, &HistoryTree::refresh);
    connect(&document, &Document::current_changed, this, &HistoryTree::show_current);
    connect(&proofs, &Proofs::proof_changed, viewport(), qOverload<>(&QWidget::update));
    connect(&edges_, &EdgeCounts::counted, viewport(), qOverload<>(&QWidget::update));
    refresh();
}

int HistoryTree::unit() const {
    return std::max(8, QFontInfo(font()).pixelSize());
}
int HistoryTree::row_height() const {
    return unit() * 2 + 2;
}
double HistoryTree::lane_x(int lane) const {
    return unit() * (1.3 + 1.25 * lane);
}
double HistoryTree::text_x(int) const {
    return lane_x(std::min(lanes_, 8) - 1) + unit() * 1.2;
}

int HistoryTree::current_row() const {
    if (document_.empty()) return -1;
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (!rows_[i].collapsed() && rows_[i].first() == document_.content().current)
            return static_cast<int>(i);
    return -1;
}

QRect HistoryTree::row_rect(int row) const {
    return {0, 4 + row * row_height() - verticalScrollBar()->value(), viewport()->width(), row_height()};
}

int HistoryTree::row_at(const QPoint& point) const {
    const int offset = point.y() + verticalScrollBar()->value() - 4;
    const int row = offset / row_height();
    return offset < 0 || row >= static_cast<int>(rows_.size()) ? -1 : row;
}

QString HistoryTree::row_text(int row) const {
    const HistoryRow& shown = rows_[static_cast<std::size_t>(row)];
    const History& history = document_.content().history;
    const HistoryState& state = history.state(shown.first());
    if (shown.collapsed()) return tr("... %1 steps").arg(shown.states.size());
    if (!state.step) return tr("Initial program");
    const Match& match = state.step->match;
    if (match.path.empty()) return rule_name(match.rule);
    return tr("%1 · %2").arg(rule_name(match.rule), place_text(*state.step->before, match.path));
}

void HistoryTree::refresh() {
    rows_.clear();
    if (!document_.empty()) rows_ = history_rows(document_.content(), expanded_);
    lanes_ = 1;
    for (const HistoryRow& row : rows_) lanes_ = std::max(lanes_, row.lane + 1);
    const int height = static_cast<int>(rows_.size()) * row_height() + 8;
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(row_height());
    viewport()->update();
    if (renamed_ >= 0 && !place_editor()) finish_rename(false);
}

// After refresh(): the content changes before the current state is said to.
void HistoryTree::show_current() {
    const int row = current_row();
    setAccessibleDescription(row < 0 ? QString() : tr("Current: %1").arg(row_text(row)));
    if (row < 0) return;
    const QRect rect = row_rect(row);
    QScrollBar& bar = *verticalScrollBar();
    if (rect.top() < row_height()) bar.setValue(bar.value() + rect.top() - row_height());
    const int below = rect.bottom() - viewport()->height() + row_height();
    if (below > 0) bar.setValue(bar.value() + below);
}

void HistoryTree::set_hovered(int row) {
    if (row == hovered_) return;
    hovered_ = row;
    viewport()->setCursor(row < 0 ? Qt::ArrowCursor : Qt::PointingHandCursor);
    viewport()->update();
}

void HistoryTree::expand(int row) {
    // Every state of the run, so that one that is no longer remarkable does not fold the rest of it again.
    const HistoryRow& run = rows_[static_cast<std::size_t>(row)];
    expanded_.insert(run.states.begin(), run.states.end());
    refresh();
}

QRectF HistoryTree::pill_rect(int row, int which) const {
    const HistoryRow& shown = rows_[static_cast<std::size_t>(row)];
    const QRectF rect = row_rect(row);
    const QFont small = scaled_font(*this, 0.85, true);
    double right = rect.right() - 8;
    for (int i = 0;; ++i) {
        const Branch& branch =
            document_.content().history.branch(shown.branches[static_cast<std::size_t>(i)]);
        const QString name = QFontMetrics(small).elidedText(QString::fromStdString(branch.name),
                                                            Qt::ElideRight, viewport()->width() / 3);
        const double width = pill_width(small, name);
        const double height = QFontMetricsF(small).height() + 2;
        if (i == which) return {right - width, rect.center().y() - height / 2, width, height};
        right -= width + 4;
    }
}

int HistoryTree::pill_at(const QPoint& point) const {
    const int row = row_at(point);
    if (row < 0) return -1;
    const std::vector<int>& branches = rows_[static_cast<std::size_t>(row)].branches;
    for (std::size_t i = 0; i < branches.size(); ++i)
        if (pill_rect(row, static_cast<int>(i)).contains(point)) return branches[i];
    return -1;
}

void HistoryTree::rename(int branch) {
    renamed_ = branch;
    if (!place_editor()) {
        renamed_ = -1;
        return;
    }
    editor_->setText(QString::fromStdString(document_.content().history.branch(branch).name));
    editor_->selectAll();
    editor_->show();
    editor_->setFocus();
}

// In the row of the branch; false if there is none any more.
bool HistoryTree::place_editor() {
    const auto row = std::find_if(rows_.begin(), rows_.end(), [this](const HistoryRow& each) {
        return std::count(each.branches.begin(), each.branches.end(), renamed_) > 0;
    });
    if (row == rows_.end()) return false;
    const QRect rect = row_rect(static_cast<int>(row - rows_.begin()));
    const int width = std::min(rect.width() - 16, unit() * 14);
    editor_->setGeometry(rect.right() - 8 - width, rect.top(), width, rect.height());
    return true;
}

void HistoryTree::finish_rename(bool keep) {
    const int branch = std::exchange(renamed_, -1);
    if (branch < 0) return;
    editor_->hide();
    setFocus();
    if (!keep) return;
    const QString name = editor_->text();
    if (QString::fromStdString(document_.content().history.branch(branch).name) != name)
        document_.rename_branch(branch, name);
}

// Esc leaves the name as it was; as a shortcut of the window it would end a selection.
bool HistoryTree::eventFilter(QObject* watched, QEvent* event) {
    const auto is_escape = [&] { return static_cast<const QKeyEvent*>(event)->key() == Qt::Key_Escape; };
    if (watched == editor_ && event->type() == QEvent::ShortcutOverride && is_escape()) {
        event->accept();
        return true;
    }
    if (watched == editor_ && event->type() == QEvent::KeyPress && is_escape()) {
        finish_rename(false);
        return true;
    }
    return QAbstractScrollArea::eventFilter(watched, event);
}

bool HistoryTree::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) set_hovered(-1);
    if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = row_at(help->pos());
    if (row < 0) return true;
    const HistoryRow& shown = rows_[static_cast<std::size_t>(row)];
    const HistoryState& state = document_.content().history.state(shown.last());
    QString text = shown.collapsed() ? tr("Click to show these steps.") : row_text(row);
    if (!shown.collapsed() && state.step) text = in_words(state.step->explanation);
    if (!state.note.empty()) text += QStringLiteral("\n\n") + QString::fromStdString(state.note);
    const auto ends = [&](int branch) { return document_.content().history.branch(branch).stopped; };
    for (const int branch : shown.branches)
        if (!ends(branch).empty()) text += QStringLiteral("\n\n") + in_words(ends(branch));
    QToolTip::showText(help->globalPos(), text, viewport(), row_rect(row));
    return true;
}

void HistoryTree::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    refresh();
}

void HistoryTree::mousePressEvent(QMouseEvent* event) {
    const int row = row_at(event->pos());
    if (event->button() != Qt::LeftButton || row < 0) return;
    const HistoryRow& shown = rows_[static_cast<std::size_t>(row)];
    const int pill = pill_at(event->pos());
    if (pill >= 0) return document_.go(document_.content().history.branch(pill).tip, pill);
    if (shown.collapsed()) return expand(row);
    document_.go(shown.first());
}

void HistoryTree::mouseDoubleClickEvent(QMouseEvent* event) {
    const int pill = pill_at(event->pos());
    if (pill >= 0) rename(pill);
}

void HistoryTree::mouseMoveEvent(QMouseEvent* event) {
    set_hovered(row_at(event->pos()));
}

void HistoryTree::keyPressEvent(QKeyEvent* event) {
    if (document_.empty()) return QAbstractScrollArea::keyPressEvent(event);
    const int row = current_row();
    const int step = event->key() == Qt::Key_Up ? -1 : event->key() == Qt::Key_Down ? 1 : 0;
    if (step != 0 && row >= 0) {
        const int next = std::clamp(row + step, 0, static_cast<int>(rows_.size()) - 1);
        const HistoryRow& shown = rows_[static_cast<std::size_t>(next)];
        return document_.go(step > 0 ? shown.first() : shown.last());
    }
    if (event->key() == Qt::Key_F2) return rename(document_.content().branch);
    if (event->key() == Qt::Key_Delete) return document_.remove_branch(document_.content().branch);
    QAbstractScrollArea::keyPressEvent(event);
}

void HistoryTree::contextMenuEvent(QContextMenuEvent* event) {
    const int row = event->reason() == QContextMenuEvent::Keyboard ? current_row() : row_at(event->pos());
    if (row < 0 || rows_[static_cast<std::size_t>(row)].collapsed()) return;
    const QPoint at = event->reason() == QContextMenuEvent::Keyboard
                          ? viewport()->mapToGlobal(row_rect(row).center())
                          : event->globalPos();
    Q_EMIT menu_requested(rows_[static_cast<std::size_t>(row)].first(), at);
}

void HistoryTree::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) refresh();
}

}  // namespace blockscope

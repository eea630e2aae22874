#include "app/panels/history_panel.h"

#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QToolTip>
#include <algorithm>
#include <map>

#include "app/shell/controls.h"
#include "app/shell/step_look.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

class Rows {
public:
    Rows(const Content& content, const std::set<StateId>& expanded, std::optional<StateId> best)
        : content_(content), expanded_(expanded), best_(best) {
        for (const auto& [id, state] : content.history.states()) children_[state->parent].push_back(id);
        for (const Branch& branch : content.history.branches()) tips_[branch.tip].push_back(branch.id);
    }

    std::vector<HistoryRow> make() {
        chain(0, 0, 1, -1);
        return std::move(rows_);
    }

private:
    bool remarkable(StateId id) const {
        const HistoryState& state = content_.history.state(id);
        const auto& compared = content_.compared;
        return state.snapshot || !state.note.empty() || state.parent < 0 || id == content_.current ||
               id == best_ || tips_.count(id) > 0 || children_of(id).size() != 1 ||
               std::find(compared.begin(), compared.end(), id) != compared.end();
    }
    const std::vector<StateId>& children_of(StateId id) const {
        static const std::vector<StateId> kNone;
        const auto found = children_.find(id);
        return found == children_.end() ? kNone : found->second;
    }

    // The states from `id` on that make one row.
    std::vector<StateId> run_from(StateId id) const {
        std::vector<StateId> run{id};
        if (remarkable(id) || expanded_.count(id) > 0) return run;
        while (!remarkable(children_of(run.back()).front())) run.push_back(children_of(run.back()).front());
        if (run.size() <= kLongestRun) run.resize(1);
        return run;
    }

    // The states of an expanded run are rows of their own, and so are those of short ones.
    int add(std::vector<StateId> states, int lane, int parent) {
        HistoryRow row;
        row.lane = lane;
        row.parent = parent;
        const auto tip = tips_.find(states.back());
        if (tip != tips_.end()) row.branches = tip->second;
        row.forks = children_of(states.back()).size() > 1;
        row.states = std::move(states);
        rows_.push_back(std::move(row));
        return static_cast<int>(rows_.size()) - 1;
    }

    // From `id` to the end of its lane. Where it forks, the oldest child goes on in the lane and the others
    // come first, each in a lane of its own, so that their lines are short; lanes from `free` on are free.
    void chain(StateId id, int lane, int free, int parent) {
        for (bool open = false;;) {  // `open`: within an expanded or short run
            std::vector<StateId> run = open && !remarkable(id) ? std::vector<StateId>{id} : run_from(id);
            open = run.size() == 1 && !remarkable(id);
            const StateId last = run.back();
            parent = add(std::move(run), lane, parent);
            const std::vector<StateId>& next = children_of(last);
            if (next.empty()) return;
            const int sides = static_cast<int>(next.size()) - 1;
            for (int side = sides; side >= 1; --side)
                chain(next[static_cast<std::size_t>(side)], free + side - 1, free + side, parent);
            id = next.front();
        }
    }

    const Content& content_;
    const std::set<StateId>& expanded_;
    const std::optional<StateId> best_;
    std::map<StateId, std::vector<StateId>> children_;
    std::map<StateId, std::vector<int>> tips_;
    std::vector<HistoryRow> rows_;
};

}  // namespace

std::vector<HistoryRow> history_rows(const Content& content, const std::set<StateId>& expanded,
                                     std::optional<StateId> best) {
    return Rows(content, expanded, best).make();
}

HistoryTree::HistoryTree(Document& document, Proofs& proofs, QWidget* parent)
    : QAbstractScrollArea(parent),
      document_(document),
      proofs_(proofs),
      edges_(EdgeCounts::of(document)),
      best_(Best::of(document)),
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
    connect(&best_, &Best::changed, this, &HistoryTree::refresh);
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

QString HistoryTree::row_name(int row) const {
    const HistoryRow& shown = rows_[static_cast<std::size_t>(row)];
    const HistoryState& state = document_.content().history.state(shown.first());
    if (shown.collapsed()) return tr("... %1 steps").arg(shown.states.size());
    if (!state.step) return tr("Initial program");
    return state.name.empty() ? short_rule_name(state.step->match.rule) : QString::fromStdString(state.name);
}

QString HistoryTree::row_place(int row) const {
    const HistoryRow& shown = rows_[static_cast<std::size_t>(row)];
    const HistoryState& state = document_.content().history.state(shown.first());
    if (shown.collapsed() || !state.step || !state.name.empty() || state.step->match.path.empty()) return {};
    return place_text(*state.step->before, state.step->match.path);
}

QString HistoryTree::row_text(int row) const {
    const QString place = row_place(row);
    return place.isEmpty() ? row_name(row) : tr("%1 · %2").arg(row_name(row), place);
}

QString HistoryTree::accessible_cell(int index) const {
    const HistoryRow& row = rows_[static_cast<std::size_t>(index)];
    const bool best = !row.collapsed() && best_.is_best(row.first());
    return best ? tr("%1, best state").arg(row_text(index)) : row_text(index);
}

void HistoryTree::refresh() {
    rows_.clear();
    if (!document_.empty()) rows_ = history_rows(document_.content(), expanded_, best_.state());
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
    if (!shown.collapsed() && state.step) text = translated(state.step->explanation);
    const auto say = [&text](const QString& more) {
        if (!more.isEmpty()) text += QStringLiteral("\n\n") + more;
    };
    if (!shown.collapsed()) say(best_.is_best(state.id) ? best_.sentence() : best_.warning(state.id));
    if (!state.note.empty()) text += QStringLiteral("\n\n") + QString::fromStdString(state.note);
    const auto ends = [&](int branch) { return document_.content().history.branch(branch).stopped; };
    for (const int branch : shown.branches)
        if (!ends(branch).empty()) text += QStringLiteral("\n\n") + translated(ends(branch));
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

// F2 means the branch here, and the step elsewhere.
bool HistoryTree::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_F2) {
        event->accept();
        return true;
    }
    return QAbstractScrollArea::event(event);
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

namespace {

constexpr std::size_t kMostCompared = 3;  // states beside the current one

}  // namespace

HistoryPanel::HistoryPanel(Document& document, Proofs& proofs, QWidget* parent)
    : QWidget(parent),
      document_(document),
      tree_(new HistoryTree(document, proofs, this)),
      note_(new QPlainTextEdit(this)),
      note_of_(new QLabel(this)) {
    setAccessibleName(tr("History"));
    setFocusProxy(tree_);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(tree_);
    splitter->addWidget(make_note());
    splitter->setStretchFactor(0, 4);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({480, 110});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(splitter, 1);
    column->addWidget(make_buttons());
    // At once: a note that waited to be written would be written after an undo, and take redo away.
    connect(note_, &QPlainTextEdit::textChanged, this, [this] {
        if (!showing_ && noted_ >= 0) document_.set_note(noted_, note_->toPlainText());
    });
    connect(&document, &Document::content_changed, this, &HistoryPanel::show_note);
    connect(tree_, &HistoryTree::menu_requested, this, [this](StateId state, const QPoint& at) {
        QMenu* menu = make_menu(state);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(at);
    });
    show_note();
}

HistoryPanel::~HistoryPanel() = default;

QWidget* HistoryPanel::make_note() {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(10, 6, 10, 6);
    column->setSpacing(4);
    note_of_->setFont(scaled_font(*this, 0.92, true));
    note_->setAccessibleName(tr("Note of the current step"));
    note_->setPlaceholderText(tr("What is worth remembering of this step? Saved with the document."));
    note_->setUndoRedoEnabled(false);  // the document's undo takes notes back
    note_->setTabChangesFocus(true);
    column->addWidget(note_of_);
    column->addWidget(note_);
    return box;
}

QWidget* HistoryPanel::make_buttons() {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(8, 4, 8, 8);
    row->setSpacing(4);
    const auto add = [&](const QString& text, const QString& help, auto action) {
        auto* button = new QPushButton(text, bar);
        button->setToolTip(help);
        button->setAccessibleDescription(help);
        connect(button, &QPushButton::clicked, this, action);
        row->addWidget(button);
    };
    add(tr("Run from here"), tr("Runs the algorithm on from the current state."),
        [this] { Q_EMIT run_wanted(); });
    add(tr("New branch..."), tr("Apply another match here: the matches are listed."),
        [this] { Q_EMIT matches_wanted(); });
    return bar;
}

QMenu* HistoryPanel::make_menu(StateId state) {
    auto* menu = new QMenu(this);
    const Content& content = document_.content();
    const int branch = content.history.branch_through(state, content.branch);
    QString name = QString::fromStdString(content.history.branch(branch).name);
    name.replace(QLatin1Char('&'), QStringLiteral("&&"));  // no mnemonic
    menu->addAction(tr("Go here"), this, [this, state] { document_.go(state); });
    menu->addAction(tr("Run the algorithm from here"), this, [this, state] {
        document_.go(state);
        Q_EMIT run_wanted();
    });
    menu->addAction(tr("New branch from here..."), this, [this, state] {
        document_.go(state);
        Q_EMIT matches_wanted();
    });
    menu->addSeparator();
    const bool beside = std::count(content.compared.begin(), content.compared.end(), state) > 0;
    const bool full = !beside && content.compared.size() >= kMostCompared;
    QAction* compare_it = menu->addAction(beside ? tr("Do not show beside the current state")
                                          : full ? tr("Compare with the current state (four stand there)")
                                                 : tr("Compare with the current state"),
                                          this, [this, state] { compare(state); });
    compare_it->setEnabled(beside || (state != content.current && !full));
    QAction* baseline =
        menu->addAction(tr("Mark the listing's changes against this state"), this, [this, state] {
            document_.set_baseline(document_.content().baseline == state ? std::nullopt
                                                                         : std::optional(state));
        });
    baseline->setCheckable(true);
    baseline->setChecked(content.baseline == state);
    menu->addSeparator();
    menu->addAction(tr("Rename branch \"%1\"").arg(name), this, [this, branch] { tree_->rename(branch); });
    QAction* remove = menu->addAction(tr("Delete branch \"%1\"").arg(name), this,
                                      [this, branch] { document_.remove_branch(branch); });
    remove->setEnabled(content.history.branches().size() > 1);
    return menu;
}

void HistoryPanel::compare(StateId state) {
    std::vector<StateId> states = document_.content().compared;
    if (std::erase(states, state) == 0) states.push_back(state);
    document_.compare_with(std::move(states));
}

void HistoryPanel::show_note() {
    const StateId current = document_.empty() ? -1 : document_.content().current;
    noted_ = current;
    note_->setEnabled(current >= 0);
    showing_ = true;
    const QString text = current < 0 ? QString() : QString::fromStdString(document_.content().state().note);
    if (text != note_->toPlainText()) note_->setPlainText(text);
    showing_ = false;
    note_of_->setText(current < 0 ? tr("Note")
                                  : tr("Note on step %1").arg(document_.content().history.depth(current)));
}

}  // namespace blockscope

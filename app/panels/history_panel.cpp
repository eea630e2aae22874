#include "app/panels/history_panel.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <algorithm>

#include "app/panels/flow_layout.h"
#include "app/panels/step_look.h"

namespace blockscope {

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

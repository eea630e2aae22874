#include "app/costs/size_search.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/costs/cost_table.h"
#include "app/shell/controls.h"
#include "app/shell/progress.h"
#include "app/words/words.h"
#include "app/worker/predict.h"

namespace blockscope {

namespace {

constexpr int kMostChoices = 12;  // the best and its runners-up

enum SearchColumn { TimeColumn, BindsColumn, BlocksColumn, StateColumn, SplitColumn, BuiltColumn };

bool same_sizes_of(const DimTable& a, const DimTable& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Dim& x, const Dim& y) {
        return x.name == y.name && x.kind == y.kind && x.size == y.size;
    });
}

SizeChoice choice_of(const worker::PredictedChoice& found, StateId state) {
    SizeChoice choice{.state = state,
                      .dims = found.dims,
                      .seconds = found.prediction.seconds,
                      .binds = term_text(found.prediction.binding),
                      .sentence = found.prediction.sentence,
                      .parts = 1,
                      .target = QString::fromStdString(found.plan.target)};
    for (const auto& [node, parts] : found.plan.setting.parts)
        choice.parts = std::max(choice.parts, parts.parts);
    return choice;
}

}  // namespace

BlockSizeSearch::BlockSizeSearch(Document& document)
    : document_(document),
      costs_(Costs::of(document)),
      forecast_(Forecast::of(document)),
      best_(Best::of(document)) {
    connect(&document_, &Document::opened, this, [this] {
        work_.cancel();
        choices_.clear();
        Q_EMIT changed();
    });
    connect(&document_, &Document::content_changed, this, &BlockSizeSearch::forget_outdated);
    connect(&forecast_, &Forecast::changed, this, &BlockSizeSearch::forget_outdated);
    connect(&work_, &Work::progressed, this, &BlockSizeSearch::progressed);
    connect(&work_, &Work::failed, this, [this](const QString& what) {
        Q_EMIT changed();
        Q_EMIT failed(what);
    });
}

std::vector<StateId> BlockSizeSearch::searched_states() const {
    const Content& content = document_.content();
    std::vector<StateId> states;
    for (const StateId id : content.history.path(content.history.branch(content.branch).tip))
        if (id == 0 || content.history.state(id).snapshot) states.push_back(id);
    for (const std::optional<StateId> other : {std::optional(content.current), best_.state()})
        if (other && std::find(states.begin(), states.end(), *other) == states.end())
            states.push_back(*other);
    return states;
}

void BlockSizeSearch::start() {
    if (document_.empty()) return;
    std::vector<StateId> ids;
    std::vector<ChosenState> states;
    for (const StateId id : searched_states()) {
        const StateCostsPtr counted = costs_.of(id);
        if (!counted) continue;
        ids.push_back(id);
        states.push_back({counted->built, document_.content().history.depth(id), {}});
    }
    if (states.empty()) return;
    choices_.clear();
    sizes_ = document_.content().program()->dims;
    device_ = forecast_.device().name;
    const auto job = [this, ids, states, device = forecast_.device()](const Stop& stop) -> Work::Finish {
        const worker::PredictedSearch found = worker::search_predicted(
            states, device, kMostChoices, stop.sign(), [&stop](double share) { stop.done(share); });
        std::vector<SizeChoice> choices;
        choices.reserve(found.best.size());
        for (const worker::PredictedChoice& one : found.best)
            choices.push_back(choice_of(one, ids[one.state]));
        return
            [this, choices = std::move(choices), considered = found.considered, fitting = found.predicted] {
                choices_ = choices;
                considered_ = considered;
                fitting_ = fitting;
                Q_EMIT changed();
            };
    };
    work_.start(tr("Searching block sizes"), job);
    Q_EMIT changed();
}

void BlockSizeSearch::cancel() {
    work_.cancel();
    Q_EMIT changed();
}

// Other block sizes are what the search is about; other sizes have other choices.
void BlockSizeSearch::forget_outdated() {
    const bool same = !document_.empty() && device_ == forecast_.device().name &&
                      same_sizes_of(document_.content().program()->dims, sizes_);
    if (!same) {
        work_.cancel();
        choices_.clear();
    }
    std::erase_if(choices_, [this](const SizeChoice& choice) {
        return !document_.content().history.has(choice.state);
    });
    Q_EMIT changed();
}

void BlockSizeSearch::use(std::size_t index) {
    if (index >= choices_.size() || document_.empty()) return;
    const SizeChoice choice = choices_[index];  // the document's change may forget them
    const Content& content = document_.content();
    if (content.history.has(choice.state) && content.current != choice.state)
        document_.go(choice.state, content.history.branch_through(choice.state, content.branch));
    document_.set_dims(choice.dims);
}

bool BlockSizeSearch::in_use(const SizeChoice& choice) const {
    return !document_.empty() && document_.content().current == choice.state &&
           document_.content().program()->dims == choice.dims;
}

BlockSizeSearchView::BlockSizeSearchView(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      search_(document),
      sentence_(new QLabel(this)),
      table_(new QTreeWidget(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(6);
    column->addWidget(make_bar());
    sentence_->setWordWrap(true);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(sentence_);
    table_->setHeaderLabels(
        {tr("Predicted"), tr("Binds"), tr("Block sizes"), tr("State"), tr("Parts"), tr("Built for")});
    table_->headerItem()->setToolTip(BindsColumn, tr("The term of the model that is largest"));
    table_->headerItem()->setToolTip(
        SplitColumn, tr("Into how many parts reductions are split, which a second launch adds"));
    table_->setAccessibleName(tr("Block sizes that the search found"));
    table_->setRootIsDecorated(false);
    table_->setUniformRowHeights(true);
    table_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(table_, &QTreeWidget::itemActivated, this, &BlockSizeSearchView::use_chosen);
    connect(table_, &QTreeWidget::currentItemChanged, this, &BlockSizeSearchView::refresh);
    column->addWidget(table_, 1);
    connect(&search_, &BlockSizeSearch::changed, this, [this] {
        fill();
        refresh();
    });
    connect(&search_, &BlockSizeSearch::progressed, this,
            [this](int share) { progress_->show_share(share); });
    connect(&search_, &BlockSizeSearch::failed, sentence_, &QLabel::setText);
    fill();
    refresh();
}

QWidget* BlockSizeSearchView::make_bar() {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    start_ =
        make_bar_button(bar, tr("Search"),
                        tr("Predicts the unfused program, the snapshots, the best state and the one that "
                           "is shown at other block sizes, for the window's device; nothing is measured"));
    connect(start_, &QToolButton::clicked, &search_, &BlockSizeSearch::start);
    use_ = make_bar_button(bar, tr("Use these"),
                           tr("Shows the state of the chosen row and gives the program its block sizes"));
    connect(use_, &QToolButton::clicked, this, &BlockSizeSearchView::use_chosen);
    cancel_ = make_bar_button(bar, tr("Cancel"), tr("Ends the search"));
    connect(cancel_, &QToolButton::clicked, &search_, &BlockSizeSearch::cancel);
    progress_ = new ShareBar(tr("Searching block sizes"), bar);
    progress_->setFixedWidth(140);
    for (QWidget* part : {static_cast<QWidget*>(start_), static_cast<QWidget*>(use_),
                          static_cast<QWidget*>(cancel_), static_cast<QWidget*>(progress_)})
        row->addWidget(part);
    return bar;
}

QString BlockSizeSearchView::sentence() const {
    return sentence_->text();
}

void BlockSizeSearchView::refresh() {
    const bool busy = search_.busy();
    start_->setEnabled(!busy && !document_.empty());
    cancel_->setVisible(busy);
    progress_->setVisible(busy);
    if (busy) progress_->show_share(search_.work().permille());
    QTreeWidgetItem* item = table_->currentItem();
    const int row = item ? table_->indexOfTopLevelItem(item) : -1;
    use_->setEnabled(!busy && row >= 0 && !search_.in_use(search_.choices()[static_cast<std::size_t>(row)]));
    sentence_->setText(busy ? tr("Searching block sizes...") : found_text());
}

QString BlockSizeSearchView::found_text() const {
    const std::string device = Forecast::of(document_).device().title;
    if (search_.choices().empty())
        return tr("Block sizes and splits by the model alone, for %1, whether it is there or not.")
            .arg(QString::fromStdString(device));
    const SizeChoice& best = search_.choices().front();
    QString text =
        tr("Best of %1 block sizes, of which %2 fit %3: %4 for %5; %6 binds.")
            .arg(QLocale().toString(search_.considered(), 'f', 0),
                 QLocale().toString(search_.fitting(), 'f', 0), QString::fromStdString(device),
                 time_text(best.seconds), row_name(document_.content(), best.state), translated(best.binds));
    // The search is by Blockscope's own model. Times of another one do not stand beside its.
    if (Forecast::of(document_).model().name != kUsualModel)
        return text + QLatin1Char(' ') +
               tr("These times are by the model \"%1\".")
                   .arg(translated(find_time_model(kUsualModel)->title));
    const std::optional<double> now = [&]() -> std::optional<double> {
        const PredictionPtr known = Forecast::of(document_).of(document_.content().current);
        return known ? std::optional(known->seconds) : std::nullopt;
    }();
    if (now) text += QLatin1Char(' ') + tr("The state that is shown takes %1 as it is.").arg(time_text(*now));
    return text;
}

void BlockSizeSearchView::fill() {
    const int before = table_->currentItem() ? table_->indexOfTopLevelItem(table_->currentItem()) : 0;
    const QSignalBlocker quiet(table_);
    table_->clear();
    for (const SizeChoice& choice : search_.choices()) {
        auto* item = new QTreeWidgetItem(
            table_, {time_text(choice.seconds), translated(choice.binds),
                     QString::fromStdString(worker::short_blocks(choice.dims)),
                     row_name(document_.content(), choice.state), QLocale().toString(choice.parts),
                     choice.target.isEmpty() ? QStringLiteral("\u2013") : choice.target});
        for (const int right : {TimeColumn, SplitColumn})
            item->setTextAlignment(right, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(BindsColumn, translated(choice.sentence));
        if (search_.in_use(choice)) {
            QFont font = item->font(TimeColumn);
            font.setBold(true);
            for (int i = 0; i < table_->columnCount(); ++i) item->setFont(i, font);
            item->setToolTip(BlocksColumn, tr("The program has these block sizes now"));
        }
    }
    const int rows = table_->topLevelItemCount();
    if (rows > 0) table_->setCurrentItem(table_->topLevelItem(std::clamp(before, 0, rows - 1)));
}

void BlockSizeSearchView::use_chosen() {
    QTreeWidgetItem* item = table_->currentItem();
    if (item) search_.use(static_cast<std::size_t>(table_->indexOfTopLevelItem(item)));
}

}  // namespace blockscope

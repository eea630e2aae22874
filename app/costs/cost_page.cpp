#include "app/costs/cost_page.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/costs/choosers.h"
#include "app/costs/cost_table.h"
#include "app/costs/forecast.h"
#include "app/costs/size_search.h"
#include "app/files/file_formats.h"
#include "app/shell/controls.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr int kNarrow = 560;      // pixels; below them charts and formulas stand one above the other
constexpr int kAnyWidth = 4000;   // pixels; all buttons of a bar have room beside each other
constexpr int kShort = 330;       // pixels; below them the bars are shown if they are asked for
constexpr int kLeastLower = 240;  // a chart, or a formula and its lines

// The heading, four states, and what they are compared with.
int least_table(const QWidget& page) {
    return 7 * page.fontMetrics().height() + 80;
}

// Small pages scroll (make_scrolled_content()).
void scroll_to(QWidget& part) {
    for (QWidget* around = part.parentWidget(); around; around = around->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(around)) return area->ensureWidgetVisible(&part);
}

}  // namespace

namespace {

// Its columns are as wide as their texts: room for the arrow of sorting has only the one that is sorted by.
class NumberHeader : public QHeaderView {
public:
    explicit NumberHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
        setSectionsClickable(true);
        connect(this, &QHeaderView::sortIndicatorChanged, this, [this] { resizeSections(); });
    }

protected:
    QSize sectionSizeFromContents(int section) const override {
        const QSize size = QHeaderView::sectionSizeFromContents(section);
        if (!model() || section == sortIndicatorSection()) return size;
        const QString text = model()->headerData(section, Qt::Horizontal).toString();
        const int around = 4 * fontMetrics().averageCharWidth();
        return {std::min(size.width(), fontMetrics().size(0, text).width() + around), size.height()};
    }
};

}  // namespace

CostPage::CostPage(Document& document, Services& services, QWidget* parent)
    : QWidget(parent),
      document_(document),
      services_(services),
      costs_(Costs::of(document)),
      forecast_(Forecast::of(document)),
      measurements_(Measurements::of(document)),
      baselines_(Baselines::of(document)),
      best_(Best::of(document)),
      table_(document, costs_),
      best_text_(new QLabel(this)),
      bars_(make_bar_button(
          this, tr("Model and measuring"),
          tr("Shows what costs are of, and what measures: this page has no room for all of it"))),
      choices_(new ChoiceBar(document, this)),
      measuring_(new MeasureBar(document, this)),
      view_(new QTableView(this)),
      charts_(new ChartTabs(
          document, services.appearance, [this](StateId state) { return times_of(state); }, this)),
      side_(new QTabWidget(this)),
      derivation_(new DerivationView(document, this)),
      sliders_(new SizeSliders(document, this)),
      size_search_(new BlockSizeSearchView(document, this)) {
    QWidget* all = make_scrolled_content(this);
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bars_, 0, Qt::AlignLeft);
    column->addWidget(choices_);
    column->addWidget(measuring_);
    best_text_->setWordWrap(true);
    best_text_->setTextFormat(Qt::PlainText);
    best_text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    best_text_->setContentsMargins(10, 2, 10, 6);
    best_text_->setAccessibleName(tr("The best state"));
    column->addWidget(best_text_);
    bars_->setObjectName(QStringLiteral("more"));
    bars_->setCheckable(true);
    bars_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    measuring_->hand_focus_to(view_);
    add_buttons();
    make_table();
    column->addWidget(make_parts(), 1);
    setFocusProxy(view_);
    connect_parts();
    refresh_times();
    show_best();
    if (const auto asked = costs_.take_asked()) open_derivation(asked->state, asked->column, asked->place);
}

void CostPage::show_best() {
    const QString sentence = best_.sentence();
    const QString verdict = best_.verdict();
    best_text_->setText(sentence.isEmpty()  ? QString()
                        : verdict.isEmpty() ? QStringLiteral("\u2605 ") + sentence
                                            : QStringLiteral("\u2605 %1\n%2").arg(sentence, verdict));
    table_.set_best(best_.state());
    fit_bars();
}

void CostPage::add_buttons() {
    auto* baseline =
        make_bar_button(measuring_, tr("Baseline"), tr("Ratios are against the selected row from now on"));
    connect(baseline, &QToolButton::clicked, this, &CostPage::compare_with_chosen);
    auto* search = make_bar_button(measuring_, tr("Search block sizes"),
                                   tr("Predicts other block sizes for the window's device, which need not be "
                                      "there; nothing is measured"));
    search->setObjectName(QStringLiteral("search_sizes"));
    connect(search, &QToolButton::clicked, this, [this] {
        side_->setCurrentWidget(size_search_);
        scroll_to(*side_);
        size_search_->search().start();
    });
    auto* copy = make_bar_button(measuring_, tr("Copy"), tr("Copies the table as CSV, with exact numbers"));
    connect(copy, &QToolButton::clicked, this, &CostPage::copy_table);
    auto* write =
        make_bar_button(measuring_, tr("Export..."), tr("Writes the chart in front as SVG, PDF or PNG"));
    connect(write, &QToolButton::clicked, this, &CostPage::ask_and_export);
    for (QToolButton* button : {search, baseline, copy, write}) measuring_->add(button);
}

// Ratios are then of states; those of kernels are chosen by what they are.
void CostPage::compare_with_chosen() {
    const QModelIndex index = view_->currentIndex();
    if (!index.isValid() || table_.state(index.row()) == kBaselineRow) return;
    costs_.set_baseline(table_.state(index.row()));
    baselines_.choose(BaselineKind::Unfused);
}

void CostPage::make_table() {
    view_->setModel(&table_);
    view_->setHorizontalHeader(new NumberHeader(view_));
    view_->setItemDelegate(new CostDelegate(this));
    view_->setAccessibleName(tr("What every state costs"));
    view_->setSelectionBehavior(QAbstractItemView::SelectItems);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setShowGrid(false);
    view_->setTabKeyNavigation(false);
    view_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);  // as the states follow one another
    view_->horizontalHeader()->setSortIndicatorClearable(true);
    view_->setSortingEnabled(true);
    view_->setWordWrap(false);
    // The names of the states stay where they are when the numbers scroll sideways.
    view_->setColumnHidden(CostTable::State, true);
    view_->setCornerButtonEnabled(false);
    view_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    view_->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    view_->horizontalHeader()->setHighlightSections(false);
    view_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    view_->horizontalHeader()->setResizeContentsPrecision(0);  // as wide as the rows that are seen
    view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    // What lessons and verdicts are about stands first: the rest is scrolled to.
    QHeaderView& header = *view_->horizontalHeader();
    for (const int column : {CostTable::Intermediates, CostTable::Moved})
        header.moveSection(header.visualIndex(column), header.visualIndex(CostTable::Ratio) + 1);
    const auto fit = [this] { fit_columns(); };
    connect(&table_, &QAbstractItemModel::dataChanged, this, fit);
    connect(&table_, &QAbstractItemModel::modelReset, this, fit);
    connect(&table_, &QAbstractItemModel::rowsInserted, this, fit);
    fit_columns();
}

// An empty column takes no room.
void CostPage::fit_columns() {
    bool measured = false;
    for (int row = 0; row < table_.rowCount() && !measured; ++row)
        measured = table_.index(row, CostTable::Measured).data(CostTable::NumberRole).toDouble() > 0;
    if (view_->isColumnHidden(CostTable::Measured) == measured)
        view_->setColumnHidden(CostTable::Measured, !measured);
}

// At least as high as it can be read; small pages scroll.
QWidget* CostPage::make_parts() {
    parts_ = new QSplitter(Qt::Vertical, this);
    parts_->setChildrenCollapsible(false);
    parts_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    parts_->addWidget(view_);
    parts_->addWidget(make_lower());
    parts_->setStretchFactor(0, 2);
    parts_->setStretchFactor(1, 3);
    fit_parts();
    return parts_;
}

void CostPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_parts();
    fit_bars();
}

// A short page begins with the table, whose star says which is the best. Bars that would take several rows
// each are there when they are asked for. How a measurement goes is seen in any case.
void CostPage::fit_bars() {
    const auto in_one_row = [this](const QWidget& bar) {
        return bar.heightForWidth(width()) <= bar.heightForWidth(kAnyWidth);
    };
    const bool low = height() < kShort;
    const bool crowded = low || !in_one_row(*choices_) || !in_one_row(measuring_->buttons());
    const bool shown = !crowded || bars_->isChecked();
    bars_->setVisible(crowded);
    bars_->setArrowType(bars_->isChecked() ? Qt::DownArrow : Qt::RightArrow);
    choices_->setVisible(shown);
    measuring_->buttons().setVisible(shown);
    measuring_->setVisible(shown || !low || measurements_.busy());
    best_text_->setVisible((shown || !low) && !best_text_->text().isEmpty());
}

// Charts and formulas stand below each other where there is no room for them side by side.
void CostPage::fit_parts() {
    const bool narrow = width() < kNarrow;
    lower_->setOrientation(narrow ? Qt::Vertical : Qt::Horizontal);
    const int lower = kLeastLower * (narrow ? 2 : 1);
    lower_->setMinimumHeight(lower);
    const int table = least_table(*this);
    view_->setMinimumHeight(table);
    parts_->setMinimumHeight(table + parts_->handleWidth() + lower);
}

QWidget* CostPage::make_lower() {
    side_->setDocumentMode(true);
    side_->setAccessibleName(tr("Formula and sizes"));
    side_->addTab(derivation_, tr("Formula"));
    side_->addTab(sliders_, tr("Sizes"));
    side_->addTab(size_search_, tr("Search"));
    lower_ = new QSplitter(Qt::Horizontal, this);
    lower_->setChildrenCollapsible(false);
    lower_->addWidget(charts_);
    lower_->addWidget(side_);
    lower_->setStretchFactor(0, 1);
    lower_->setStretchFactor(1, 1);
    return lower_;
}

void CostPage::connect_parts() {
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &CostPage::choose_cell);
    // Return, or a double click.
    connect(view_, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (index.isValid()) go_to(table_.state(index.row()));
    });
    // A number that was chosen by hand, the same one again, too: its formula comes to the front.
    connect(view_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        choose_cell(index);
        side_->setCurrentWidget(derivation_);
    });
    connect(view_->verticalHeader(), &QHeaderView::sectionClicked, this, &CostPage::choose_row);
    connect(view_->verticalHeader(), &QHeaderView::sectionDoubleClicked, this, [this](int row) {
        if (row >= 0) go_to(table_.state(row));  // -1: below the last one
    });
    connect(bars_, &QToolButton::toggled, this, &CostPage::fit_bars);
    connect(&measurements_, &Measurements::progressed, this, &CostPage::fit_bars);
    connect(charts_, &ChartTabs::state_chosen, this, &CostPage::go_to);
    connect(charts_, &ChartTabs::number_chosen, this, &CostPage::open_derivation);
    connect(charts_, &ChartTabs::other_chosen, this, &CostPage::show_other);
    connect(&costs_, &Costs::derivation_asked, this, &CostPage::open_derivation);
    connect(&best_, &Best::changed, this, &CostPage::show_best);
    connect(&baselines_, &Baselines::changed, this, &CostPage::follow_chosen);
    connect(&costs_, &Costs::counted, charts_, &ChartTabs::refresh);
    connect(&costs_, &Costs::rows_changed, charts_, &ChartTabs::refresh);
    connect(&document_, &Document::content_changed, charts_, &ChartTabs::refresh);
    connect(&measurements_, &Measurements::measured, this, &CostPage::refresh_times);
    connect(&measurements_.places(), &MeasurePlaces::changed, charts_, &ChartTabs::refresh);
    connect(&forecast_, &Forecast::changed, this, &CostPage::refresh_times);
    connect(&document_, &Document::current_changed, this, &CostPage::select_current);
    connect(&costs_, &Costs::counted, this, &CostPage::follow_chosen);
    formula_.setSingleShot(true);
    connect(&formula_, &QTimer::timeout, this, [this] {
        if (unfollowed_) show_chosen();
    });
    table_.set_seen(false);
}

void CostPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    table_.set_seen(true);
    const auto once_it_is_seen = [this] {
        select_current();
        if (unfollowed_) follow_chosen();
    };
    QMetaObject::invokeMethod(this, once_it_is_seen, Qt::QueuedConnection);
}

void CostPage::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    table_.set_seen(false);
}

// The row of the current state; the column stays.
void CostPage::select_current() {
    if (document_.empty() || !isVisible()) return;
    const int row = table_.row_of(document_.content().current);
    if (row < 0) return;
    // What nobody chose is not selected (choose_cell()).
    const QModelIndex now = view_->currentIndex();
    const bool chosen = now.isValid() && view_->selectionModel()->isSelected(now);
    const int column = chosen ? now.column() : CostTable::Moved;
    following_ = true;
    // Times come first: where there is little room they stay in sight until somebody scrolls.
    const int scrolled = view_->horizontalScrollBar()->value();
    view_->setCurrentIndex(table_.index(row, column));
    view_->horizontalScrollBar()->setValue(scrolled);
    following_ = false;
    charts_->highlight();
}

// What step led to the state; its name stands in the header, which has no cell to choose.
void CostPage::choose_row(int row) {
    view_->setCurrentIndex(table_.index(row, CostTable::State));
    side_->setCurrentWidget(derivation_);
}

// A state that is no row becomes the current one, which always is.
void CostPage::open_derivation(StateId state, int column, const CostPlace& place) {
    table_.set_seen(true);  // it is about to be
    if (table_.row_of(state) < 0) go_to(state);
    const int row = table_.row_of(state);
    if (row < 0) return;
    view_->setCurrentIndex(table_.index(row, column));
    place_ = place;
    other_.reset();
    show_chosen();
    side_->setCurrentWidget(derivation_);
}

void CostPage::choose_cell(const QModelIndex& index) {
    place_ = {};
    other_.reset();
    if (!index.isValid()) return;
    // What Qt makes current as the table gets the focus, which nobody chose; select_current() follows.
    if (!view_->selectionModel()->isSelected(index)) return;
    if (following_) return follow_chosen();
    show_chosen();
    if (view_->hasFocus()) side_->setCurrentWidget(derivation_);
}

// Until another number is chosen.
void CostPage::show_other(ChartTabs::Other what, int index) {
    other_ = {what, index};
    show_chosen();
    side_->setCurrentWidget(derivation_);
}

// Of the device as it is chosen now. False if it has no such number (any longer).
bool CostPage::explain_other() {
    const auto& [what, index] = *other_;
    QString title, text;
    if (what == ChartTabs::Other::Statistics) {
        title = tr("How well predictions fit");
        text = agreement_derivation(document_, [this](StateId id) { return times_of(id); });
    } else if (what == ChartTabs::Other::Limit) {
        title = QString::fromStdString(forecast_.device().title) + QStringLiteral(", ") +
                forecast_.local_limit().name;
        text = limit_derivation(forecast_.device());
    } else {
        const std::vector<RooflineCeiling> ceilings = forecast_.ceilings();
        if (index < std::ssize(ceilings)) {
            const RooflineCeiling& chosen = ceilings[static_cast<std::size_t>(index)];
            title = chosen.title;
            text = chosen.derivation;
        }
    }
    if (text.isEmpty()) return false;
    derivation_->show_text(title, text);
    return true;
}

// The formula of a page that is not seen waits; that of a large program takes a turn of the event loop of its
// own.
void CostPage::follow_chosen() {
    unfollowed_ = true;
    if (isVisible()) formula_.start();
}

void CostPage::show_chosen() {
    unfollowed_ = false;
    if (other_ && !document_.empty() && explain_other()) return;
    const QModelIndex index = view_->currentIndex();
    if (!index.isValid() || document_.empty()) return;
    const StateId state = table_.state(index.row());
    if (state == kBaselineRow)
        return derivation_->show_text(baselines_.name(), baselines_.derivation(baselines_.kind()));
    if (!document_.content().history.has(state)) return;  // the table is about to hear of it
    show_number(*derivation_, document_, table_, [this](StateId id) { return times_of(id); },
                {state, index.column(), place_});
}

// What the table says of times; asked for anew whenever they may be others.
void CostPage::refresh_times() {
    times_.clear();
    table_.set_limit(forecast_.local_limit());
    table_.set_devices(QString::fromStdString(forecast_.device().name),
                       MeasurePlaces::title(measurements_.place()), forecast_.other_form());
    table_.set_times([this](StateId state) { return times_of(state); });
    follow_chosen();
    charts_->refresh();
}

StateTimes CostPage::times_of(StateId state) const {
    if (state == kBaselineRow) return baseline_times();
    const StateCostsPtr counted = costs_.of(state);
    if (!counted) return {};
    KnownTimes& known = times_[state];
    if (known.counted != counted) known = {counted, work_out_times(state)};
    return known.times;
}

// Of kernels that people have: as Blockscope's own model has them, which is about all kinds of kernels.
StateTimes CostPage::baseline_times() const {
    StateTimes times;
    times.predicted = baselines_.seconds(baselines_.kind());
    const BaselineCosts* kernels = baselines_.costs(baselines_.kind());
    if (!times.predicted || !kernels) return times;
    times.levels = kernels->prediction.levels;
    times.peak = device_rate(forecast_.device(), Unit::Matrix, forecast_.element_type());
    times.binds = translated(kernels->prediction.sentence);
    return times;
}

StateTimes CostPage::work_out_times(StateId state) const {
    StateTimes times;
    const PredictionPtr prediction = forecast_.of(state);
    if (!prediction) return times;
    times.predicted = prediction->seconds;
    times.levels = prediction->levels;
    times.peak = device_rate(forecast_.device(), Unit::Matrix, forecast_.element_type());
    times.binds = prediction_text(*prediction, forecast_.device(), forecast_.model());
    const auto result = measurements_.of(state);
    if (!result) return times;
    times.comparable = measurements_.not_comparable().isEmpty();
    times.how = record_text(result->record);
    times.stale = !result->stale.isEmpty();
    if (times.stale) times.how = result->stale + QLatin1Char('\n') + times.how;
    times.failed = result->record.failure.has_value();
    if (!times.failed && result->record.warm) times.measured = result->record.warm->summary.median;
    return times;
}

void CostPage::go_to(int state) {
    if (!document_.empty() && document_.content().history.has(state)) document_.go(state);
}

void CostPage::ask_and_export() {
    const auto write = [this](const QString& path) {
        if (export_chart(path)) {
            if (services_.wrote) services_.wrote(path);
            return services_.say(tr("Written: %1").arg(path));
        }
        const QFileInfo file(path);
        const std::vector<std::string> endings = picture_formats();
        const std::string ending = file.suffix().toLower().toStdString();
        const QString reason =
            std::find(endings.begin(), endings.end(), ending) == endings.end()
                ? tr("The ending has to be %1.").arg(QString::fromStdString(endings_text(endings)))
            : !file.absoluteDir().exists() ? tr("There is no such folder.")
                                           : tr("The folder may be protected or full.");
        services_.say(tr("%1 could not be written. %2").arg(path, reason));
    };
    ask_where_to_write(*this, tr("Export chart"),
                       tr("Pictures (%1)").arg(QString::fromStdString(name_filter(picture_formats()))),
                       charts_->file_name(), write);
}

void CostPage::copy_table() {
    QGuiApplication::clipboard()->setText(table_.csv());
    services_.say(tr("The table was copied."));
}

}  // namespace blockscope

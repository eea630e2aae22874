#include "app/costs/cost_page.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QSaveFile>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "app/charts/chart_export.h"
#include "app/costs/cost_delegate.h"
#include "app/costs/derivation_view.h"
#include "app/costs/size_sliders.h"
#include "app/window/appearance.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

enum Chart { RooflineChart, TrafficChart, MemoryChart, ScatterChart };

// The count that a column shows; none for times and ratios.
std::optional<CostQuantity> quantity_of(int column) {
    using Kind = CostQuantity::Kind;
    const auto bytes = [](Kind kind) { return CostQuantity{kind, CostQuantity::Measure::Bytes, -1, {}}; };
    switch (column) {
        case CostTable::Inputs:
            return bytes(Kind::Inputs);
        case CostTable::Outputs:
            return bytes(Kind::Outputs);
        case CostTable::Intermediates:
            return bytes(Kind::Intermediates);
        case CostTable::Moved:
            return bytes(Kind::Moved);
        case CostTable::Operations:
            return bytes(Kind::Operations);
        case CostTable::Replication:
            return bytes(Kind::Replication);
        case CostTable::Intensity:
            return bytes(Kind::Intensity);
        case CostTable::Local:
            return bytes(Kind::LocalMemory);
        case CostTable::Launches:
            return bytes(Kind::Launches);
        case CostTable::Tasks:
            return bytes(Kind::Tasks);
        default:
            return {};
    }
}

QToolButton* button(const QString& text, const QString& help, QWidget* parent) {
    auto* made = new QToolButton(parent);
    made->setText(text);
    made->setToolTip(help);
    made->setAccessibleName(text);
    made->setAccessibleDescription(help);
    return made;
}

}  // namespace

CostPage::CostPage(Document& document, Services& services, QWidget* parent)
    : QWidget(parent),
      document_(document),
      services_(services),
      costs_(Costs::of(document)),
      forecast_(Forecast::of(document)),
      measurements_(Measurements::of(document)),
      table_(document, costs_),
      view_(new QTableView(this)),
      charts_(new QTabWidget(this)),
      derivation_(new DerivationView(document, this)),
      sliders_(new SizeSliders(document, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(make_bar());
    column->addWidget(make_measuring());
    make_table();
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setChildrenCollapsible(false);
    parts->addWidget(view_);
    parts->addWidget(make_charts());
    parts->setStretchFactor(0, 2);
    parts->setStretchFactor(1, 3);
    column->addWidget(parts, 1);
    setFocusProxy(view_);
    connect_parts();
    refresh_times();
    restyle();
}

QWidget* CostPage::make_bar() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(10, 6, 10, 6);
    row->setSpacing(8);
    auto* type = new QComboBox(bar);
    type->setAccessibleName(tr("Element type"));
    type->setToolTip(tr("The element type of everything: as the program declares, or another one"));
    type->addItem(tr("declared type"), -1);
    for (const ElemType elem : {ElemType::F32, ElemType::F16, ElemType::BF16, ElemType::E4M3, ElemType::E5M2})
        type->addItem(QString::fromStdString(to_string(elem)), static_cast<int>(elem));
    connect(type, &QComboBox::currentIndexChanged, this, [this, type] {
        const int chosen = type->currentData().toInt();
        costs_.set_type(chosen < 0 ? std::nullopt : std::optional(static_cast<ElemType>(chosen)));
    });
    auto* all = new QCheckBox(tr("All steps"), bar);
    all->setToolTip(tr("Rows for every step of the branch, not only for its snapshots"));
    connect(all, &QCheckBox::toggled, this, [this](bool on) { costs_.set_all_steps(on); });
    row->addWidget(make_choices());
    row->addWidget(type);
    row->addWidget(all);
    row->addStretch(1);
    return bar;
}

QWidget* CostPage::make_measuring() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(10, 0, 10, 6);
    row->setSpacing(8);
    measure_one_ =
        button(tr("Measure this"),
               tr("Runs the current state on this machine's processor: checks it, then times it"), bar);
    measure_all_ =
        button(tr("Measure all"), tr("Measures every state of the table, one after the other"), bar);
    cancel_ = button(tr("Cancel"), tr("Ends the measuring; results that are there stay"), bar);
    progress_ = new QProgressBar(bar);
    progress_->setAccessibleName(tr("Measuring"));
    progress_->setRange(0, 1000);
    progress_->setTextVisible(false);
    progress_->setMaximumWidth(220);
    progress_text_ = new QLabel(bar);
    connect(measure_one_, &QToolButton::clicked, this, [this] {
        if (!document_.empty()) measurements_.measure({document_.content().current});
    });
    connect(measure_all_, &QToolButton::clicked, this, [this] { measurements_.measure(costs_.rows()); });
    connect(cancel_, &QToolButton::clicked, &measurements_, &Measurements::cancel);
    row->addWidget(measure_one_);
    row->addWidget(measure_all_);
    row->addWidget(progress_);
    row->addWidget(cancel_);
    row->addWidget(progress_text_, 1);
    auto* baseline = button(tr("Baseline"), tr("Ratios are against the selected row from now on"), bar);
    connect(baseline, &QToolButton::clicked, this, [this] {
        if (view_->currentIndex().isValid()) costs_.set_baseline(table_.state(view_->currentIndex().row()));
    });
    auto* copy = button(tr("Copy"), tr("Copies the table as CSV, with exact numbers"), bar);
    connect(copy, &QToolButton::clicked, this, &CostPage::copy_table);
    auto* write = button(tr("Export..."), tr("Writes the chart in front as SVG, PDF or PNG"), bar);
    connect(write, &QToolButton::clicked, this, &CostPage::ask_and_export);
    row->addWidget(baseline);
    row->addWidget(copy);
    row->addWidget(write);
    show_progress();
    return bar;
}

void CostPage::show_progress() {
    const bool busy = measurements_.busy();
    measure_one_->setEnabled(!busy);
    measure_all_->setEnabled(!busy);
    progress_->setVisible(busy);
    cancel_->setVisible(busy);
    if (!busy) return progress_text_->clear();
    const Measurements::Progress& now = measurements_.progress();
    progress_->setValue(static_cast<int>(now.share * 1000));
    QString text =
        tr("%1 of %2 \u00b7 %3").arg(std::min(now.done + 1, now.total)).arg(now.total).arg(now.what);
    if (now.seconds_left) text += tr(" \u00b7 about %1\u00a0s left").arg(std::ceil(*now.seconds_left));
    progress_text_->setText(text);
}

// The device and the model of the predictions.
QWidget* CostPage::make_choices() {
    auto* both = new QWidget(this);
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    device_ = new QComboBox(both);
    device_->setAccessibleName(tr("Device"));
    device_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    device_->setMinimumContentsLength(24);
    fill_devices();
    model_ = new QComboBox(both);
    model_->setAccessibleName(tr("Time model"));
    for (const TimeModel& model : time_models()) {
        model_->addItem(in_words(model.title), QString::fromStdString(model.name));
        model_->setItemData(model_->count() - 1, in_words(model.explanation), Qt::ToolTipRole);
    }
    model_->setCurrentIndex(model_->findData(QString::fromStdString(forecast_.model().name)));
    connect(device_, &QComboBox::activated, this,
            [this] { forecast_.set_device(device_->currentData().toString().toStdString()); });
    connect(model_, &QComboBox::activated, this,
            [this] { forecast_.set_model(model_->currentData().toString().toStdString()); });
    row->addWidget(device_);
    row->addWidget(model_);
    return both;
}

void CostPage::fill_devices() {
    device_->clear();
    for (const Device& device : forecast_.devices())
        device_->addItem(QString::fromStdString(device.title), QString::fromStdString(device.name));
    device_->setCurrentIndex(device_->findData(QString::fromStdString(forecast_.device().name)));
    device_->setToolTip((QStringList(tr("The device that times are predicted for")) + forecast_.problems())
                            .join(QLatin1Char('\n')));
}

void CostPage::make_table() {
    view_->setModel(&table_);
    view_->setItemDelegate(new CostDelegate(this));
    view_->setAccessibleName(tr("What every state costs"));
    view_->setSelectionBehavior(QAbstractItemView::SelectItems);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setShowGrid(false);
    view_->setTabKeyNavigation(false);
    view_->setWordWrap(false);
    view_->verticalHeader()->hide();
    view_->horizontalHeader()->setHighlightSections(false);
    view_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
}

QWidget* CostPage::make_charts() {
    add_chart(tr("Roofline"));
    add_chart(tr("Traffic"));
    add_chart(tr("Local memory"));
    add_chart(tr("Predicted and measured"));
    charts_->setDocumentMode(true);
    charts_->setAccessibleName(tr("Charts"));
    auto* side = new QTabWidget(this);
    side->setDocumentMode(true);
    side->setAccessibleName(tr("Formula and sizes"));
    side->addTab(derivation_, tr("Formula"));
    side->addTab(sliders_, tr("Sizes"));
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->setChildrenCollapsible(false);
    parts->addWidget(charts_);
    parts->addWidget(side);
    parts->setStretchFactor(0, 1);
    parts->setStretchFactor(1, 1);
    return parts;
}

void CostPage::add_chart(const QString& title) {
    auto* view = new ChartView(charts_);
    view->setAccessibleName(title);
    charts_->addTab(view, title);
    const bool memory = chart_views_.size() == MemoryChart;
    chart_views_.push_back(view);
    connect(view, &ChartView::chosen, this, [this, memory](int key) {
        if (!memory) return go_to(key);
        const StateCostsPtr counted = document_.empty() ? nullptr : costs_.of(document_.content().current);
        if (counted && key >= 0 && key < std::ssize(counted->alive))
            document_.select({{counted->alive[static_cast<std::size_t>(key)].node}, {}, {}});
    });
}

void CostPage::connect_parts() {
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &CostPage::choose_cell);
    // Return, or a double click.
    connect(view_, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (index.isValid()) go_to(table_.state(index.row()));
    });
    const auto changed = [this] {
        stale_charts_ = true;
        if (isVisible()) refresh_charts();
    };
    connect(&costs_, &Costs::counted, this, changed);
    connect(&costs_, &Costs::rows_changed, this, changed);
    connect(&measurements_, &Measurements::measured, this, [this, changed] {
        refresh_times();
        changed();
    });
    connect(&measurements_, &Measurements::progressed, this, &CostPage::show_progress);
    connect(&measurements_, &Measurements::finished, this,
            [this](const QString& problem) { services_.say(problem.isEmpty() ? tr("Measured.") : problem); });
    connect(&forecast_, &Forecast::changed, this, [this, changed] {
        fill_devices();
        refresh_times();
        changed();
    });
    connect(&document_, &Document::content_changed, this, changed);
    connect(charts_, &QTabWidget::currentChanged, this, changed);
    connect(&document_, &Document::current_changed, this, &CostPage::select_current);
    connect(&costs_, &Costs::counted, this, [this] { choose_cell(view_->currentIndex()); });
    connect(&services_.appearance, &Appearance::changed, this, &CostPage::restyle);
}

void CostPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_charts_) refresh_charts();
    select_current();
}

// The row of the current state; the column stays.
void CostPage::select_current() {
    if (document_.empty() || !isVisible()) return;
    const int row = table_.row_of(document_.content().current);
    if (row < 0) return;
    const int column = view_->currentIndex().isValid() ? view_->currentIndex().column() : CostTable::Moved;
    view_->setCurrentIndex(table_.index(row, column));
    for (ChartView* chart : chart_views_) {
        ChartStyle style = chart->style_now();
        if (chart != chart_views_[MemoryChart]) style.highlighted = document_.content().current;
        chart->set_style(style);
    }
}

void CostPage::choose_cell(const QModelIndex& index) {
    if (!index.isValid() || document_.empty()) return;
    const StateId state = table_.state(index.row());
    if (!document_.content().history.has(state)) return;  // the table is about to hear of it
    const QString title =
        tr("%1: %2").arg(row_name(document_.content(), state),
                         table_.headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString());
    const std::optional<CostQuantity> quantity = quantity_of(index.column());
    const StateCostsPtr counted = costs_.of(state);
    const StateCostsPtr unfused = costs_.of(StateId{0});
    if (index.column() == CostTable::Predicted) return show_prediction(state, title);
    if (!quantity || !counted || !unfused)
        return derivation_->show_text(title, index.data(Qt::ToolTipRole).toString());
    derivation_->show_derivation(title, derive(counted->loops, *quantity, &unfused->loops), counted->loops);
}

void CostPage::show_prediction(StateId state, const QString& title) {
    const std::optional<Prediction> prediction = forecast_.of(state);
    if (!prediction) return derivation_->show_text(title, tr("The state is being counted."));
    derivation_->show_text(title, prediction_details(*prediction, forecast_.device(), forecast_.model()));
}

// What the table says of times; asked for anew whenever they may be others.
void CostPage::refresh_times() {
    table_.set_limit(forecast_.local_limit());
    table_.set_times([this](StateId state) { return times_of(state); });
    if (view_->currentIndex().isValid()) choose_cell(view_->currentIndex());
}

StateTimes CostPage::times_of(StateId state) const {
    StateTimes times;
    const std::optional<Prediction> prediction = forecast_.of(state);
    if (!prediction) return times;
    times.predicted = prediction->seconds;
    times.binds = prediction_text(*prediction, forecast_.device(), forecast_.model());
    const auto result = measurements_.of(state);
    if (!result) return times;
    times.comparable = forecast_.device().kind == DeviceKind::Cpu;
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

void CostPage::refresh_charts() {
    if (document_.empty()) {
        for (ChartView* view : chart_views_) view->show_chart({}, {});
        return;
    }
    stale_charts_ = false;
    const Content& content = document_.content();
    const TimesOf times = [this](StateId state) { return times_of(state); };
    ChartView& view = *chart_views_.at(static_cast<std::size_t>(charts_->currentIndex()));
    const QString title = charts_->tabText(charts_->currentIndex());
    switch (charts_->currentIndex()) {
        case RooflineChart: {
            const Roofline chart = roofline_of(content, costs_, times, forecast_.ceilings());
            return view.show_chart(
                [chart](QPainter& p, const QRectF& all, const ChartStyle& style) {
                    return paint_roofline(p, all, style, chart);
                },
                title);
        }
        case TrafficChart: {
            const TrafficBars chart = traffic_of(content, costs_);
            return view.show_chart(
                [chart](QPainter& p, const QRectF& all, const ChartStyle& style) {
                    return paint_traffic_bars(p, all, style, chart);
                },
                title);
        }
        case MemoryChart: {
            const MemoryStrip chart = memory_of(costs_.of(content.current), forecast_.local_limit());
            return view.show_chart(
                [chart](QPainter& p, const QRectF& all, const ChartStyle& style) {
                    return paint_memory_strip(p, all, style, chart);
                },
                title);
        }
        case ScatterChart: {
            const Scatter chart = scatter_of(content, costs_, times);
            return view.show_chart(
                [chart](QPainter& p, const QRectF& all, const ChartStyle& style) {
                    return paint_scatter(p, all, style, chart);
                },
                title);
        }
        default:
            return;
    }
}

void CostPage::restyle() {
    for (ChartView* view : chart_views_) {
        ChartStyle style = view->style_now();
        style.theme = services_.appearance.theme();
        style.text = services_.appearance.pixels() * 12.0 / 13;
        view->set_style(style);
    }
}

bool CostPage::export_chart(const QString& path) {
    const ChartView& view = *chart_views_.at(static_cast<std::size_t>(charts_->currentIndex()));
    if (!view.chart()) return false;
    const QString title = charts_->tabText(charts_->currentIndex());
    const ChartFile file{title.toStdString(), view.accessibleDescription().toStdString(), QSizeF(view.size()),
                         2};
    const std::string format = path.mid(path.lastIndexOf(QLatin1Char('.')) + 1).toLower().toStdString();
    const QByteArray bytes = chart_bytes(format, view.chart(), view.style_now(), file);
    if (bytes.isEmpty()) return false;
    QSaveFile out(path);
    return out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() && out.commit();
}

void CostPage::ask_and_export() {
    const QString name =
        charts_->tabText(charts_->currentIndex()).toLower().replace(QLatin1Char(' '), QLatin1Char('-'));
    auto* dialog = new QFileDialog(this, tr("Export chart"), {}, tr("Pictures (*.svg *.pdf *.png)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(name + QStringLiteral(".svg"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        services_.say(
            export_chart(path)
                ? tr("Written: %1").arg(path)
                : tr("%1 could not be written. The ending has to be .svg, .pdf or .png.").arg(path));
    });
    dialog->open();
}

void CostPage::copy_table() {
    QGuiApplication::clipboard()->setText(table_.csv());
    services_.say(tr("The table was copied."));
}

}  // namespace blockscope

#include "app/circuit/kernel_tables.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTableWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "app/circuit/circuit_steps.h"
#include "app/circuit/circuit_view.h"
#include "app/circuit/clock_view.h"
#include "app/circuit/model_view.h"
#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/words/words.h"
#include "core/json/device_files.h"
#include "core/napkin/group_sizes.h"
#include "core/napkin/study.h"

namespace blockscope {

namespace {

constexpr int kMostWarpgroups = 8;
constexpr double kMostPercent = 400;
constexpr double kWidthsOfDrawings[] = {2400, 1500, 1000};  // docks are low and wide: few lines, if they fit
constexpr double kCodeShare = 0.65, kLevelsShare = 0.4;     // of the tabs' width
constexpr double kLargestTableFit = 1.5;                    // as views fit diagrams
constexpr int kKernelTabs = 3;                              // the first ones
constexpr double kTera = 1e12;

}  // namespace

KernelTables::KernelTables(Appearance& appearance, QWidget* parent)
    : QWidget(parent), appearance_(appearance), devices_(load_devices().devices), work_(this) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(make_choices());
    message_ = new QLabel(this);
    message_->setWordWrap(true);
    message_->setContentsMargins(10, 2, 10, 6);
    message_->hide();
    column->addWidget(message_);
    tabs_ = new QTabWidget(this);
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Tables of the kernel"));
    tabs_->addTab(make_clocks(), tr("Clocks"));
    tabs_->addTab(make_configuration(), tr("Configuration"));
    tabs_->addTab(make_code(), tr("Pseudocode"));
    tabs_->addTab(make_level_plans(), tr("Levels"));
    tabs_->addTab(make_models(), tr("Models"));
    tabs_->setCornerWidget(make_corner());
    column->addWidget(tabs_, 1);
    connect(&appearance_, &Appearance::changed, this, &KernelTables::restyle);
    connect(&work_, &Work::failed, this, &KernelTables::show_message);
    restyle();
}

QWidget* KernelTables::make_choices() {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(8, 4, 8, 4);
    add_device(*row);
    add_execution(*row);
    return bar;
}

// Beside the tabs, which leave room: in the row above there is none in narrow windows.
QWidget* KernelTables::make_corner() {
    auto* corner = new QWidget(this);
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 0, 8, 0);
    followed_ = new QLabel(corner);
    followed_->setAccessibleName(tr("Device"));
    followed_->setToolTip(tr("The device of the window, chosen in its toolbar"));
    followed_->hide();
    row->addWidget(followed_);
    export_ = new QToolButton(corner);
    export_->setText(tr("Export..."));
    export_->setToolTip(tr("Write what this tab shows to a file: a diagram, or tables as CSV"));
    export_->setAccessibleName(export_->toolTip());
    connect(export_, &QToolButton::clicked, this, &KernelTables::ask_and_export);
    row->addWidget(export_);
    return corner;
}

void KernelTables::add_device(FlowLayout& row) {
    device_ = new QComboBox(this);
    device_->setAccessibleName(tr("Device"));
    device_->setSizeAdjustPolicy(QComboBox::AdjustToContents);  // the whole name
    for (const Device& device : devices_)
        device_->addItem(QString::fromStdString(device.title), QString::fromStdString(device.name));
    device_->setCurrentIndex(std::max(0, device_->findData(QString::fromLatin1(kUsualCard))));
    connect(device_, &QComboBox::currentIndexChanged, this, [this] {
        if (!filling_) start();
    });
    row.addWidget(device_);
}

void KernelTables::follow(const Device& device) {
    follows_ = true;
    device_->hide();
    followed_->setText(QString::fromStdString(device.title));
    fit_corner();
    const auto known = std::find_if(devices_.begin(), devices_.end(),
                                    [&](const Device& other) { return other.name == device.name; });
    const QString name = QString::fromStdString(device.name);
    if (known != devices_.end() && *known == device && device_->currentData() == name) return;
    const QSignalBlocker quiet(device_);
    if (known == devices_.end()) {
        devices_.push_back(device);
        device_->addItem(QString::fromStdString(device.title), name);
    } else {
        *known = device;
    }
    device_->setCurrentIndex(device_->findData(name));
    start();
}

// The names of the tabs come first: the device's is in the toolbar, too, and the button has a tooltip.
void KernelTables::fit_corner() {
    constexpr int kAir = 24;
    const int room = width() - tabs_->tabBar()->sizeHint().width() - kAir;
    export_->setText(tr("Export..."));
    if (export_->sizeHint().width() > room) export_->setText(QStringLiteral("..."));
    followed_->setVisible(follows_ && followed_->sizeHint().width() + export_->sizeHint().width() <= room);
}

void KernelTables::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_corner();
}

void KernelTables::add_execution(FlowLayout& row) {
    warpgroups_ = new QSpinBox(this);
    warpgroups_->setRange(0, kMostWarpgroups);
    warpgroups_->setSpecialValueText(tr("as many as fit"));
    warpgroups_->setAccessibleName(tr("Warpgroups"));
    warpgroups_->setToolTip(tr("Warpgroups of a processor"));
    overlap_ = new QComboBox(this);
    overlap_->addItem(tr("between warpgroups"), static_cast<int>(circuit::Overlap::Inter));
    overlap_->addItem(tr("within a warpgroup"), static_cast<int>(circuit::Overlap::Intra));
    overlap_->setAccessibleName(tr("Overlap"));
    overlap_->setToolTip(
        tr("What overlaps: the iterations of several warpgroups, or those of one (Figures 36 and 37)"));
    const auto percent = [&](const QString& name, const QString& help) {
        auto* box = new QDoubleSpinBox(this);
        box->setRange(0, kMostPercent);
        box->setDecimals(1);
        box->setSuffix(QStringLiteral(" %"));
        box->setAccessibleName(name);
        box->setToolTip(help);
        return box;
    };
    special_ = percent(tr("Overhead of special functions"),
                       tr("How much longer special functions take than their clocks"));
    vector_ = percent(tr("Overhead of vector operations"),
                      tr("How much longer vector operations take than their clocks"));
    fragments_ = new QCheckBox(tr("In fragments"), this);
    fragments_->setToolTip(
        tr("Threads work on what tensor cores hold, without shared memory between (FlashAttention-3)"));
    // A control stands beside its name wherever the line breaks.
    const auto add = [&](const QString& name, QWidget* control) {
        auto* pair = new QWidget(this);
        auto* both = new QHBoxLayout(pair);
        both->setContentsMargins(0, 0, 0, 0);
        both->setSpacing(4);
        auto* label = new QLabel(name, pair);
        label->setBuddy(control);
        both->addWidget(label);
        both->addWidget(control);
        row.addWidget(pair);
    };
    add(tr("Warpgroups"), warpgroups_);
    add(tr("Overlap"), overlap_);
    add(tr("Overheads: special"), special_);
    add(tr("vector"), vector_);
    row.addWidget(fragments_);
    connect(warpgroups_, &QSpinBox::valueChanged, this, &KernelTables::edit_execution);
    connect(overlap_, &QComboBox::currentIndexChanged, this, &KernelTables::edit_execution);
    connect(special_, &QDoubleSpinBox::valueChanged, this, &KernelTables::edit_execution);
    connect(vector_, &QDoubleSpinBox::valueChanged, this, &KernelTables::edit_execution);
    connect(fragments_, &QCheckBox::toggled, this, &KernelTables::edit_execution);
}

void KernelTables::restyle() {
    clocks_->set_theme(appearance_.theme());
    code_picture_->set_theme(appearance_.theme());
    levels_picture_->set_theme(appearance_.theme());
    if (study_ && study_->kernel) show_clocks();
}

void KernelTables::show_message(const QString& text) {
    work_.cancel();
    study_ = nullptr;
    code_drawing_ = level_drawing_ = {};
    message_->setText(text);
    message_->setVisible(!text.isEmpty());
    enable_tabs(false);
    Q_EMIT studied();
}

void KernelTables::show_algorithm(Algorithm algorithm) {
    const bool same = algorithm_.flow && algorithm.rows == algorithm_.rows &&
                      algorithm.stream == algorithm_.stream && !algorithm.execution;
    if (same) algorithm.execution = algorithm_.execution;
    if (!same) types_.clear();
    algorithm_ = std::move(algorithm);
    as_many_as_fit_ = !algorithm_.execution || (same && as_many_as_fit_);
    if (!same && !follows_ && algorithm_.execution && !algorithm_.execution->device.empty()) {
        const QSignalBlocker quiet(device_);
        const int known = device_->findData(QString::fromStdString(algorithm_.execution->device));
        if (known >= 0) device_->setCurrentIndex(known);
    }
    start();
}

void KernelTables::start() {
    const Device* device = find_device(devices_, device_->currentData().toString().toStdString());
    if (!device) return;
    current_ = false;  // what is shown beside it is of the device and the state of now
    Q_EMIT studied();
    if (algorithm_.diagram) return start_drawn(*device);
    if (!algorithm_.flow) return;
    circuit::StudyOptions options;
    options.rows = algorithm_.rows;
    options.stream = algorithm_.stream;
    options.execution = algorithm_.execution;
    if (options.execution && as_many_as_fit_) options.execution->warpgroups = 0;
    options.types = types_;
    options.link = link_->value() * kTera;
    work_.start(tr("Analysing the kernel"),
                [=, this, flow = algorithm_.flow, device = *device, code_page = page(kCodeShare),
                 levels_page = page(kLevelsShare)](const Stop&) -> Work::Finish {
                    Result<circuit::Study> made = circuit::study(*flow, device, options);
                    QString problem;
                    if (!made) problem = as_sentence(made.problems().front().message);
                    std::shared_ptr<const circuit::Study> study;
                    Code code, levels;
                    if (made) {
                        study = std::make_shared<const circuit::Study>(*std::move(made));
                        code = drawing_of(circuit::pseudocode(*study, device), code_page);
                        levels = drawing_of(circuit::level_circuit(*study), levels_page);
                    }
                    return [=, this] { take(study, code, levels, problem, device); };
                });
}

QSizeF KernelTables::page(double share_of_width) const {
    return {share_of_width * tabs_->width(),
            static_cast<double>(tabs_->height() - tabs_->tabBar()->height())};
}

KernelTables::Code KernelTables::drawing_of(Result<circuit::Circuit> circuit, QSizeF page) {
    if (!circuit) return {};
    circuit::LayoutOptions options;
    options.measure = circuit_measure();
    DrawingPtr best;
    double largest = 0;
    for (const double width : kWidthsOfDrawings) {
        options.width = width;
        auto drawing = std::make_shared<const circuit::Drawing>(circuit::lay_out(*circuit, options));
        const double scale = fitted(drawing->bounds, page, kLargestTableFit).scale;
        if (best && scale <= largest) continue;
        largest = scale;
        best = std::move(drawing);
    }
    return {std::make_shared<const circuit::Circuit>(std::move(circuit).value()), std::move(best)};
}

// What they show; their names keep the keys.
void KernelTables::enable_tabs(bool on) {
    for (int tab = 0; tab < tabs_->count(); ++tab) tabs_->widget(tab)->setEnabled(on);
    tabs_->cornerWidget()->setEnabled(on);
}

// What is no kernel of warpgroups has levels and models alone.
void KernelTables::enable_kernel_tabs(bool kernel) {
    for (int tab = 0; tab < kKernelTabs; ++tab) tabs_->setTabEnabled(tab, kernel);
    if (!kernel && tabs_->currentIndex() < kKernelTabs) tabs_->setCurrentIndex(kKernelTabs);
}

void KernelTables::take(std::shared_ptr<const circuit::Study> study, Code code, Code levels,
                        const QString& problem, const Device& device) {
    study_ = std::move(study);
    current_ = true;
    code_drawing_ = std::move(code);
    level_drawing_ = std::move(levels);
    const bool kernel = study_ && study_->kernel;
    problem_ = problem;
    tell_no_kernel();
    enable_tabs(study_ != nullptr);
    Q_EMIT studied();
    if (!study_) return;
    enable_kernel_tabs(kernel);
    show_level_plans(study_->level_plans);
    share_width();
    models_->show_sections(model_sections(*study_, device));
    levels_picture_->setVisible(level_drawing_.drawing != nullptr);
    levels_picture_->show_drawing(level_drawing_.drawing);
    if (!kernel) return;
    filling_ = true;
    show_execution();
    show_code();
    show_sizes();
    show_variables();
    show_levels();
    show_clocks();
    share_width();
    filling_ = false;
}

// The tables are of all operators together; a state may be many kernels.
void KernelTables::show_kernels(std::optional<std::int64_t> of_state) {
    if (of_state == kernels_of_state_) return;
    kernels_of_state_ = of_state;
    if (!study_) return;
    study_->kernel ? show_clocks() : tell_no_kernel();
}

void KernelTables::tell_no_kernel() {
    const bool kernel = study_ && study_->kernel;
    message_->setVisible(!kernel);
    if (!study_ || kernel) return message_->setText(problem_);
    QString said =
        tr("The whole program is no single kernel of warpgroups: %1.").arg(translated(study_->no_kernel));
    if (kernels_of_state_ && *kernels_of_state_ > 1)
        said += QLatin1Char(' ') + tr("The state in the picture is %1 kernels.").arg(*kernels_of_state_);
    message_->setText(said);
}

void KernelTables::show_execution() {
    const circuit::Deployment& execution = study_->kernel->execution;
    warpgroups_->setValue(as_many_as_fit_ ? 0 : execution.warpgroups);
    overlap_->setCurrentIndex(overlap_->findData(static_cast<int>(execution.overlap)));
    special_->setValue(100 * execution.special_overhead);
    vector_->setValue(100 * execution.vector_overhead);
    fragments_->setChecked(execution.fragments);
}

void KernelTables::edit_execution() {
    if (filling_ || !study_ || !study_->kernel) return;
    circuit::Deployment execution = study_->kernel->execution;
    as_many_as_fit_ = warpgroups_->value() == 0;
    if (!as_many_as_fit_) execution.warpgroups = warpgroups_->value();
    execution.overlap = static_cast<circuit::Overlap>(overlap_->currentData().toInt());
    execution.special_overhead = special_->value() / 100;
    execution.vector_overhead = vector_->value() / 100;
    execution.fragments = fragments_->isChecked();
    algorithm_.execution = execution;
    start();
}

QString KernelTables::level_sum() const {
    return level_sum_->text();
}

QString KernelTables::summary() const {
    return summary_->text();
}

// The tabs of the tables of a kernel.

namespace {

constexpr int kRowHeight = 34, kFormulaWidth = 220, kCellEdge = 20;
constexpr double kTight = 1.05;         // times the width: what columns need with room around their texts
constexpr double kMostOfLevels = 0.68;  // of the tab's width: the table beside the diagram
constexpr int kAroundLevels = 24;       // pixels of the tab that neither of them has
constexpr double kLeastScaleOfDrawings = 0.6;  // in a low dock their beginning is seen, not a smear
constexpr double kMostLink = 1000;             // TB/s

QTableWidget* make_table(const QString& name, const QStringList& headers, QWidget* parent) {
    auto* table = new QTableWidget(0, static_cast<int>(headers.size()), parent);
    table->setAccessibleName(name);
    table->setHorizontalHeaderLabels(headers);
    table->setShowGrid(false);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    for (int i = 0; i < table->columnCount(); ++i)
        table->horizontalHeaderItem(i)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    return table;
}

// Of all columns, whether the table has been shown or not.
int table_width(const QTableWidget& table) {
    const QHeaderView& header = *table.horizontalHeader();
    int width = 2 * table.frameWidth();
    width += table.verticalScrollBar()->sizeHint().width();  // a low panel has it for a few rows, too
    for (int column = 0; column < table.columnCount(); ++column) {
        int most = header.sectionSizeHint(column);
        for (int row = 0; row < table.rowCount(); ++row) {
            const QWidget* inside = table.cellWidget(row, column);
            const QTableWidgetItem* item = table.item(row, column);
            if (inside) most = std::max(most, inside->sizeHint().width());
            if (item) most = std::max(most, table.fontMetrics().horizontalAdvance(item->text()) + kCellEdge);
        }
        width += most;
    }
    return width;
}

}  // namespace

QWidget* KernelTables::make_code() {
    auto* splitter = new QSplitter(Qt::Horizontal, page_parent(*tabs_));
    code_picture_ = new CircuitView(splitter);
    code_picture_->setAccessibleName(tr("Pseudocode as a diagram"));
    code_picture_->set_least_scale(kLeastScaleOfDrawings);
    code_ = new QTreeWidget(splitter);
    code_->setAccessibleName(tr("Pseudocode"));
    code_->setHeaderLabels({tr("Operation"), tr("Where")});
    code_->setSelectionMode(QAbstractItemView::SingleSelection);
    code_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({880, 520});  // whole sentences
    splitter->setChildrenCollapsible(false);
    return splitter;
}

QWidget* KernelTables::make_configuration() {
    auto* splitter = configuration_ = new QSplitter(Qt::Horizontal, page_parent(*tabs_));
    sizes_ = make_table(tr("Sizes"), {tr("Symbol"), tr("Size"), tr("Divides by")}, splitter);
    levels_ = make_table(tr("Limits of the device"),
                         {tr("Level"), tr("Limit"), tr("Block"), tr("Warpgroup"), tr("Warpgroups"),
                          tr("Left"), tr("Left per warpgroup"), tr("Left per thread")},
                         splitter);
    variables_ = make_table(
        tr("Variables"),
        {tr("Variable"), tr("Axes"), tr("Type"), tr("Level"), tr("Block"), tr("Warpgroup"), tr("Is")},
        splitter);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 5);
    splitter->setStretchFactor(2, 6);
    connect(splitter, &QSplitter::splitterMoved, this, [this] { widths_chosen_ = true; });
    for (QTableWidget* table : {sizes_, levels_, variables_})
        table->horizontalHeader()->setStretchLastSection(true);
    splitter->setChildrenCollapsible(false);
    connect(sizes_, &QTableWidget::cellChanged, this, [this](int row, int column) {
        if (!filling_ && column == 1) edit_size(row);
    });
    return splitter;
}

void KernelTables::share_width() {
    if (widths_chosen_) return;
    const int all = tabs_->width();  // hidden tabs have none of their own
    QList<int> needed;
    for (const QTableWidget* table : {sizes_, levels_, variables_}) needed << table_width(*table);
    const bool fits = std::accumulate(needed.begin(), needed.end(), 0) <= kTight * all;
    // Where there is no room for all columns they are scrolled, not cut.
    for (QTableWidget* table : {sizes_, levels_, variables_})
        table->horizontalHeader()->setStretchLastSection(fits);
    configuration_->setSizes(needed);
    const int wanted = table_width(*level_plans_), most = static_cast<int>(kMostOfLevels * all);
    level_plans_->horizontalHeader()->setStretchLastSection(wanted <= most);
    const int table = std::min(wanted, most), room = all - kAroundLevels;
    if (room > table) level_plans_beside_->setSizes({room - table, table});
}

// The first tab of what is no kernel of warpgroups.
QWidget* KernelTables::make_level_plans() {
    auto* box = new QWidget(page_parent(*tabs_));
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(8, 4, 8, 8);
    auto* splitter = level_plans_beside_ = new QSplitter(Qt::Horizontal, box);
    levels_picture_ = new CircuitView(splitter);
    levels_picture_->set_least_scale(kLeastScaleOfDrawings);
    levels_picture_->setAccessibleName(tr("The algorithm on every level"));
    level_plans_ = make_table(tr("Levels with groups of their own"),
                              {tr("Level"), tr("Instances"), tr("Groups"), tr("Values held"),
                               tr("Values moved"), tr("Bandwidth"), tr("Time")},
                              splitter);
    level_plans_->horizontalHeader()->setStretchLastSection(true);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({540, 760});
    connect(splitter, &QSplitter::splitterMoved, this, [this] { widths_chosen_ = true; });
    splitter->setChildrenCollapsible(false);
    level_sum_ = new QLabel(box);
    level_sum_->setWordWrap(true);
    level_sum_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(level_sum_);
    column->addWidget(splitter, 1);
    return box;
}

QWidget* KernelTables::make_clocks() {
    auto* area = new QScrollArea(page_parent(*tabs_));
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    auto* inside = new QWidget(area);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(8, 4, 8, 8);
    summary_ = new QLabel(inside);
    summary_->setWordWrap(true);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    prediction_ = new QLabel(inside);
    prediction_->setWordWrap(true);
    prediction_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    prediction_->hide();
    warnings_ = new QLabel(inside);
    warnings_->setWordWrap(true);
    comparison_ = make_table(tr("This schedule and the costs page"),
                             {tr("Term"), tr("This schedule"), tr("Costs page"), tr("Because")}, inside);
    comparison_->horizontalHeader()->setStretchLastSection(true);
    comparison_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    comparison_->hide();
    clocks_ = new ClockView(inside);
    pipelines_ = make_table(
        tr("Clocks per thread and part of the stream"),
        {tr("Operation"), tr("Unit"), tr("Operations"), tr("Value"), tr("Per clock"), tr("Clocks")}, inside);
    pipelines_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    pipelines_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    pipelines_->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Interactive);
    pipelines_->setColumnWidth(2, kFormulaWidth);
    column->addWidget(summary_);
    column->addWidget(prediction_);
    column->addWidget(warnings_);
    column->addWidget(clocks_);
    column->addWidget(pipelines_);
    column->addWidget(comparison_);
    column->addStretch(1);
    area->setWidget(inside);
    area->setAccessibleName(tr("Clocks"));
    return area;
}

QWidget* KernelTables::make_models() {
    auto* box = new QWidget(page_parent(*tabs_));
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QWidget(box);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(10, 4, 10, 4);
    link_ = new QDoubleSpinBox(bar);
    link_->setRange(0, kMostLink);
    link_->setDecimals(2);
    link_->setSingleStep(0.5);
    link_->setSuffix(tr(" TB/s"));
    link_->setSpecialValueText(tr("at no cost"));
    link_->setKeyboardTracking(false);
    link_->setAccessibleName(tr("Links between instances"));
    link_->setToolTip(tr("What links between instances of a level carry all together (Section 4.5)"));
    auto* name = new QLabel(tr("Links between instances"), bar);
    name->setBuddy(link_);
    row->addWidget(name);
    row->addWidget(link_);
    row->addStretch(1);
    connect(link_, &QDoubleSpinBox::valueChanged, this, [this] {
        if (!filling_) start();
    });
    models_ = new ModelView(box);
    column->addWidget(bar);
    column->addWidget(models_, 1);
    return box;
}

// The levels of a diagram that is no program of operators on whole axes: of a peeled or a safe state.

void KernelTables::start_drawn(const Device& device) {
    circuit::StudyOptions options;
    options.link = link_->value() * 1e12;
    work_.start(tr("Analysing the diagram"),
                [=, this, circuit = algorithm_.diagram](const Stop&) -> Work::Finish {
                    const auto study = std::make_shared<const circuit::DiagramStudy>(
                        circuit::study_diagram(*circuit, device, options));
                    return [=, this] { take_drawn(*study, device); };
                });
}

void KernelTables::take_drawn(const circuit::DiagramStudy& study, const Device& device) {
    study_ = nullptr;
    code_drawing_ = level_drawing_ = {};
    const circuit::Values values = circuit::sizes(study.circuit.axes);
    const auto number = [&](const circuit::Formula& formula) {
        return QStringLiteral("%1 = %2").arg(formula_html(formula),
                                             QLocale().toString(formula.value(values), 'f', 0));
    };
    QString text = tr("The diagram is analysed as it is drawn. %1").arg(algorithm_.why.toHtmlEscaped());
    text += QStringLiteral("<br>H = ") + number(study.resources.transferred) + QStringLiteral("<br>M = ") +
            number(study.resources.widest(1));
    if (study.law)
        text += QStringLiteral("<br>H* = ") + formula_html(study.law->formula(study.memory_symbol));
    message_->setText(text);
    message_->show();
    enable_tabs(true);
    enable_kernel_tabs(false);
    models_->show_sections(model_sections(study, device));
    levels_picture_->hide();
    show_level_plans(study.level_plans);
    Q_EMIT studied();
}

QString KernelTables::message() const {
    return message_->text();
}

}  // namespace blockscope

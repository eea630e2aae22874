#include "app/circuit/kernel_tables.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QTabWidget>
#include <QTableWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/circuit/circuit_view.h"
#include "app/circuit/clock_view.h"
#include "app/window/appearance.h"
#include "app/words/circuit_phrases.h"
#include "core/circuit/level_circuit.h"
#include "core/circuit/pseudocode.h"
#include "core/json/device_files.h"

namespace blockscope {

namespace {

const char* const kFirstDevice = "h100-sxm5";
constexpr int kMostWarpgroups = 8;
constexpr int kRowHeight = 34, kFormulaWidth = 220;
constexpr double kMostPercent = 400;
constexpr double kWidthOfDrawings = 2400;      // docks are low and wide: few lines
constexpr double kLeastScaleOfDrawings = 0.6;  // in a low dock their beginning is seen, not a smear

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
    column->addWidget(tabs_, 1);
    connect(&appearance_, &Appearance::changed, this, &KernelTables::restyle);
    connect(&work_, &Work::failed, this, &KernelTables::show_message);
    restyle();
}

QWidget* KernelTables::make_choices() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(6);
    add_device(*row);
    add_execution(*row);
    row->addStretch(1);
    auto* button = new QToolButton(bar);
    button->setText(tr("Export..."));
    button->setToolTip(tr("Write the clock diagram, or that of the pseudocode, to a file"));
    button->setAccessibleName(button->toolTip());
    connect(button, &QToolButton::clicked, this, &KernelTables::ask_and_export);
    row->addWidget(button);
    return bar;
}

void KernelTables::add_device(QHBoxLayout& row) {
    device_ = new QComboBox(this);
    device_->setAccessibleName(tr("Device"));
    device_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    device_->setMinimumContentsLength(14);
    for (const Device& device : devices_)
        device_->addItem(QString::fromStdString(device.title), QString::fromStdString(device.name));
    device_->setCurrentIndex(std::max(0, device_->findData(QString::fromLatin1(kFirstDevice))));
    connect(device_, &QComboBox::currentIndexChanged, this, [this] {
        if (!filling_) start();
    });
    row.addWidget(device_);
}

void KernelTables::add_execution(QHBoxLayout& row) {
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
    const auto label = [&](const QString& text) { row.addWidget(new QLabel(text, this)); };
    label(tr("Warpgroups"));
    row.addWidget(warpgroups_);
    label(tr("Overlap"));
    row.addWidget(overlap_);
    label(tr("Overhead"));
    row.addWidget(special_);
    row.addWidget(vector_);
    row.addWidget(fragments_);
    connect(warpgroups_, &QSpinBox::valueChanged, this, &KernelTables::edit_execution);
    connect(overlap_, &QComboBox::currentIndexChanged, this, &KernelTables::edit_execution);
    connect(special_, &QDoubleSpinBox::valueChanged, this, &KernelTables::edit_execution);
    connect(vector_, &QDoubleSpinBox::valueChanged, this, &KernelTables::edit_execution);
    connect(fragments_, &QCheckBox::toggled, this, &KernelTables::edit_execution);
}

QWidget* KernelTables::make_code() {
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    drawn_code_ = new CircuitView(splitter);
    drawn_code_->setAccessibleName(tr("Pseudocode as a diagram"));
    drawn_code_->set_least_scale(kLeastScaleOfDrawings);
    code_ = new QTreeWidget(splitter);
    code_->setAccessibleName(tr("Pseudocode"));
    code_->setHeaderLabels({tr("Operation"), tr("Where")});
    code_->setSelectionMode(QAbstractItemView::SingleSelection);
    code_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

QWidget* KernelTables::make_configuration() {
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    sizes_ = make_table(tr("Sizes"), {tr("Symbol"), tr("Size"), tr("Divides by")}, splitter);
    levels_ = make_table(tr("Limits of the device"),
                         {tr("Level"), tr("Limit"), tr("Block"), tr("Warpgroup"), tr("Warpgroups"),
                          tr("Left"), tr("Left per thread")},
                         splitter);
    variables_ = make_table(
        tr("Variables"),
        {tr("Variable"), tr("Axes"), tr("Type"), tr("Level"), tr("Block"), tr("Warpgroup"), tr("Is")},
        splitter);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 4);
    splitter->setStretchFactor(2, 6);
    for (QTableWidget* table : {sizes_, levels_, variables_})
        table->horizontalHeader()->setStretchLastSection(true);
    splitter->setChildrenCollapsible(false);
    connect(sizes_, &QTableWidget::cellChanged, this, [this](int row, int column) {
        if (!filling_ && column == 1) edit_size(row);
    });
    return splitter;
}

// The only tab of what is no kernel of warpgroups; it is the last.
QWidget* KernelTables::make_level_plans() {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(8, 4, 8, 8);
    auto* splitter = new QSplitter(Qt::Horizontal, box);
    drawn_levels_ = new CircuitView(splitter);
    drawn_levels_->set_least_scale(kLeastScaleOfDrawings);
    drawn_levels_->setAccessibleName(tr("The algorithm on every level"));
    level_plans_ = make_table(tr("Levels with groups of their own"),
                              {tr("Level"), tr("Instances"), tr("Groups"), tr("Values held"),
                               tr("Values moved"), tr("Bytes per second"), tr("Time")},
                              splitter);
    level_plans_->horizontalHeader()->setStretchLastSection(true);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({560, 720});  // all columns of the table
    splitter->setChildrenCollapsible(false);
    level_sum_ = new QLabel(box);
    level_sum_->setWordWrap(true);
    level_sum_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(level_sum_);
    column->addWidget(splitter, 1);
    return box;
}

QWidget* KernelTables::make_clocks() {
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    auto* inside = new QWidget(area);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(8, 4, 8, 8);
    summary_ = new QLabel(inside);
    summary_->setWordWrap(true);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    warnings_ = new QLabel(inside);
    warnings_->setWordWrap(true);
    clocks_ = new ClockView(inside);
    pipelines_ = make_table(
        tr("Clocks per thread and part of the stream"),
        {tr("Operation"), tr("Unit"), tr("Operations"), tr("Value"), tr("Per clock"), tr("Clocks")}, inside);
    pipelines_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    pipelines_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    pipelines_->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Interactive);
    pipelines_->setColumnWidth(2, kFormulaWidth);
    column->addWidget(summary_);
    column->addWidget(warnings_);
    column->addWidget(clocks_);
    column->addWidget(pipelines_);
    column->addStretch(1);
    area->setWidget(inside);
    area->setAccessibleName(tr("Clocks"));
    return area;
}

void KernelTables::restyle() {
    clocks_->set_theme(appearance_.theme());
    drawn_code_->set_theme(appearance_.theme());
    drawn_levels_->set_theme(appearance_.theme());
    if (study_ && study_->kernel) show_clocks();
}

void KernelTables::show_message(const QString& text) {
    work_.cancel();
    study_ = nullptr;
    drawn_ = {};
    message_->setText(text);
    message_->setVisible(!text.isEmpty());
    tabs_->setEnabled(false);
}

void KernelTables::show_algorithm(Algorithm algorithm) {
    const bool same = algorithm_.flow && algorithm.rows == algorithm_.rows &&
                      algorithm.stream == algorithm_.stream && !algorithm.execution;
    if (same) algorithm.execution = algorithm_.execution;
    if (!same) types_.clear();
    algorithm_ = std::move(algorithm);
    as_many_as_fit_ = !algorithm_.execution || (same && as_many_as_fit_);
    if (!same && algorithm_.execution && !algorithm_.execution->device.empty()) {
        const QSignalBlocker quiet(device_);
        const int known = device_->findData(QString::fromStdString(algorithm_.execution->device));
        if (known >= 0) device_->setCurrentIndex(known);
    }
    start();
}

void KernelTables::start() {
    const Device* device = find_device(devices_, device_->currentData().toString().toStdString());
    if (!device) return;
    if (algorithm_.drawn) return start_drawn(*device);
    if (!algorithm_.flow) return;
    circuit::StudyOptions options;
    options.rows = algorithm_.rows;
    options.stream = algorithm_.stream;
    options.execution = algorithm_.execution;
    if (options.execution && as_many_as_fit_) options.execution->warpgroups = 0;
    options.types = types_;
    work_.start(tr("Analysing the kernel"),
                [=, this, flow = algorithm_.flow, device = *device](const Stop&) -> Work::Finish {
                    Result<circuit::Study> made = circuit::study(*flow, device, options);
                    QString problem;
                    if (!made)
                        problem = as_sentence(in_kernel_words(made.problems().front().message).toStdString());
                    std::shared_ptr<const circuit::Study> study;
                    Code code, levels;
                    if (made) {
                        study = std::make_shared<const circuit::Study>(*std::move(made));
                        code = drawn(circuit::pseudocode(*study, device));
                        levels = drawn(circuit::level_circuit(*study));
                    }
                    return [=, this] { take(study, code, levels, problem); };
                });
}

KernelTables::Code KernelTables::drawn(Result<circuit::Circuit> circuit) {
    if (!circuit) return {};
    circuit::LayoutOptions options;
    options.measure = circuit_measure();
    options.width = kWidthOfDrawings;
    auto drawing = std::make_shared<const circuit::Drawing>(circuit::lay_out(*circuit, options));
    return {std::make_shared<const circuit::Circuit>(*std::move(circuit)), std::move(drawing)};
}

void KernelTables::take(std::shared_ptr<const circuit::Study> study, Code code, Code levels,
                        const QString& problem) {
    study_ = std::move(study);
    drawn_ = std::move(code);
    const bool kernel = study_ && study_->kernel;
    message_->setText(study_ && !kernel ? tr("There is no kernel: %1").arg(in_kernel_words(study_->no_kernel))
                                        : problem);
    message_->setVisible(!kernel);
    tabs_->setEnabled(study_ != nullptr);
    if (!study_) return;
    const int last = tabs_->count() - 1;
    for (int tab = 0; tab < last; ++tab) tabs_->setTabEnabled(tab, kernel);
    if (!kernel) tabs_->setCurrentIndex(last);
    show_level_plans(study_->level_plans);
    drawn_levels_->setVisible(levels.drawing != nullptr);
    drawn_levels_->show_drawing(levels.drawing);
    if (!kernel) return;
    filling_ = true;
    show_execution();
    show_code();
    show_sizes();
    show_variables();
    show_levels();
    show_clocks();
    filling_ = false;
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

}  // namespace blockscope

#include "app/circuit/kernel_tables.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/circuit/circuit_view.h"
#include "app/circuit/clock_view.h"
#include "app/circuit/model_view.h"
#include "app/panels/flow_layout.h"
#include "app/window/appearance.h"
#include "app/words/circuit_phrases.h"
#include "core/circuit/level_circuit.h"
#include "core/circuit/pseudocode.h"
#include "core/json/device_files.h"

namespace blockscope {

namespace {

const char* const kFirstDevice = "h100-sxm5";
constexpr int kMostWarpgroups = 8;
constexpr double kMostPercent = 400;
constexpr double kWidthsOfDrawings[] = {2400, 1500, 1000};  // docks are low and wide: few lines, if they fit
constexpr double kCodeShare = 0.65, kLevelsShare = 0.4;     // of the tabs' width
constexpr double kFitMost = 1.5;                            // as views fit diagrams
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
    auto* button = new QToolButton(bar);
    button->setText(tr("Export..."));
    button->setToolTip(tr("Write what this tab shows to a file: a diagram, or tables as CSV"));
    button->setAccessibleName(button->toolTip());
    connect(button, &QToolButton::clicked, this, &KernelTables::ask_and_export);
    row->addWidget(button);
    return bar;
}

void KernelTables::add_device(FlowLayout& row) {
    device_ = new QComboBox(this);
    device_->setAccessibleName(tr("Device"));
    device_->setSizeAdjustPolicy(QComboBox::AdjustToContents);  // the whole name
    for (const Device& device : devices_)
        device_->addItem(QString::fromStdString(device.title), QString::fromStdString(device.name));
    device_->setCurrentIndex(std::max(0, device_->findData(QString::fromLatin1(kFirstDevice))));
    connect(device_, &QComboBox::currentIndexChanged, this, [this] {
        if (!filling_) start();
    });
    row.addWidget(device_);
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
    add(tr("Overhead: special functions"), special_);
    add(tr("vector units"), vector_);
    row.addWidget(fragments_);
    connect(warpgroups_, &QSpinBox::valueChanged, this, &KernelTables::edit_execution);
    connect(overlap_, &QComboBox::currentIndexChanged, this, &KernelTables::edit_execution);
    connect(special_, &QDoubleSpinBox::valueChanged, this, &KernelTables::edit_execution);
    connect(vector_, &QDoubleSpinBox::valueChanged, this, &KernelTables::edit_execution);
    connect(fragments_, &QCheckBox::toggled, this, &KernelTables::edit_execution);
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
    drawn_ = level_drawing_ = {};
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
    options.link = link_->value() * kTera;
    work_.start(tr("Analysing the kernel"),
                [=, this, flow = algorithm_.flow, device = *device, code_page = page(kCodeShare),
                 levels_page = page(kLevelsShare)](const Stop&) -> Work::Finish {
                    Result<circuit::Study> made = circuit::study(*flow, device, options);
                    QString problem;
                    if (!made)
                        problem = as_sentence(in_kernel_words(made.problems().front().message).toStdString());
                    std::shared_ptr<const circuit::Study> study;
                    Code code, levels;
                    if (made) {
                        study = std::make_shared<const circuit::Study>(*std::move(made));
                        code = drawn(circuit::pseudocode(*study, device), code_page);
                        levels = drawn(circuit::level_circuit(*study), levels_page);
                    }
                    return [=, this] { take(study, code, levels, problem, device); };
                });
}

QSizeF KernelTables::page(double share_of_width) const {
    return {share_of_width * tabs_->width(),
            static_cast<double>(tabs_->height() - tabs_->tabBar()->height())};
}

KernelTables::Code KernelTables::drawn(Result<circuit::Circuit> circuit, QSizeF page) {
    if (!circuit) return {};
    circuit::LayoutOptions options;
    options.measure = circuit_measure();
    DrawingPtr best;
    double largest = 0;
    for (const double width : kWidthsOfDrawings) {
        options.width = width;
        auto drawing = std::make_shared<const circuit::Drawing>(circuit::lay_out(*circuit, options));
        const double scale = fitted(drawing->bounds, page, kFitMost).scale;
        if (best && scale <= largest) continue;
        largest = scale;
        best = std::move(drawing);
    }
    return {std::make_shared<const circuit::Circuit>(std::move(circuit).value()), std::move(best)};
}

// What is no kernel of warpgroups has levels and models alone.
void KernelTables::enable_kernel_tabs(bool kernel) {
    for (int tab = 0; tab < kKernelTabs; ++tab) tabs_->setTabEnabled(tab, kernel);
    if (!kernel && tabs_->currentIndex() < kKernelTabs) tabs_->setCurrentIndex(kKernelTabs);
}

void KernelTables::take(std::shared_ptr<const circuit::Study> study, Code code, Code levels,
                        const QString& problem, const Device& device) {
    study_ = std::move(study);
    drawn_ = std::move(code);
    level_drawing_ = std::move(levels);
    const bool kernel = study_ && study_->kernel;
    message_->setText(study_ && !kernel ? tr("There is no kernel: %1").arg(in_kernel_words(study_->no_kernel))
                                        : problem);
    message_->setVisible(!kernel);
    tabs_->setEnabled(study_ != nullptr);
    if (!study_) return;
    enable_kernel_tabs(kernel);
    show_level_plans(study_->level_plans);
    share_width();
    models_->show_sections(model_sections(*study_, device));
    drawn_levels_->setVisible(level_drawing_.drawing != nullptr);
    drawn_levels_->show_drawing(level_drawing_.drawing);
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

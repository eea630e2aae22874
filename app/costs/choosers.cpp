#include "app/costs/choosers.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <QStandardItemModel>
#include <algorithm>
#include <bit>
#include <utility>

#include "app/costs/best.h"
#include "app/shell/controls.h"
#include "app/shell/settings.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr int kDeclared = -1;
constexpr int kLeastTypeLength = 5;  // letters that narrow pages show of a choice

}  // namespace

TypeChooser::TypeChooser(Costs& costs, For purpose, QWidget* parent)
    : QComboBox(parent), costs_(costs), purpose_(purpose) {
    setAccessibleName(tr("Element type"));
    setMinimumContentsLength(kLeastTypeLength);
    setToolTip(tr(
        "The element type of everything: as the program declares, or another one. Processors keep inputs in "
        "float32 (or bf16, if that is chosen) and all else in float32."));
    addItem(tr("declared type"), kDeclared);
    for (const ElemType elem : {ElemType::F32, ElemType::F16, ElemType::BF16, ElemType::E4M3, ElemType::E5M2})
        addItem(QString::fromStdString(to_string(elem)), static_cast<int>(elem));
    connect(this, &QComboBox::activated, this, [this] {
        const int chosen = currentData().toInt();
        costs_.set_type(chosen < 0 ? std::nullopt : std::optional(static_cast<ElemType>(chosen)));
    });
    connect(&costs_, &Costs::choices_changed, this, &TypeChooser::follow);
    follow();
}

// There may be several choosers.
void TypeChooser::follow() {
    const auto type = costs_.type();
    auto* items = qobject_cast<QStandardItemModel*>(model());
    for (int i = 0; items && i < count(); ++i) {
        const int elem = itemData(i).toInt();
        const bool possible = elem < 0 || purpose_ == For::Kernels || !costs_.on_processor() ||
                              cpu_type(static_cast<ElemType>(elem)) == static_cast<ElemType>(elem);
        items->item(i)->setEnabled(possible);
    }
    // Counts of a processor are not in what the program declares.
    const bool kept_in_float32 = purpose_ != For::Kernels && costs_.on_processor();
    setItemText(0, kept_in_float32 ? tr("float32 (as processors keep arrays)") : tr("declared type"));
    setCurrentIndex(findData(type ? static_cast<int>(*type) : kDeclared));
}

namespace {

constexpr int kLeastLength = 5;  // letters that narrow pages show of a choice
constexpr int kMostLength = 34;  // letters of a choice; calibrated machines and baselines have long names

// As rich text it is broken into lines.
QString paragraph(const QString& plain) {
    return QStringLiteral("<p>%1</p>").arg(plain.toHtmlEscaped());
}

}  // namespace

DeviceChooser::DeviceChooser(Document& document, QWidget* parent)
    : ElidedCombo(parent), forecast_(Forecast::of(document)) {
    setAccessibleName(tr("Device"));
    setSizeAdjustPolicy(AdjustToContents);
    setMinimumContentsLength(kLeastLength);
    connect(this, &QComboBox::activated, this,
            [this] { forecast_.set_device(currentData().toString().toStdString()); });
    connect(&forecast_, &Forecast::changed, this, &DeviceChooser::fill);
    fill();
}

void DeviceChooser::fill() {
    QStringList names;
    for (const Device& device : forecast_.devices()) names << QString::fromStdString(device.title);
    QStringList shown;
    for (int i = 0; i < count(); ++i) shown << itemText(i);
    if (shown != names) {
        clear();
        for (const Device& device : forecast_.devices())
            addItem(QString::fromStdString(device.title), QString::fromStdString(device.name));
    }
    setMaximumWidth(kMostLength * fontMetrics().averageCharWidth());
    setCurrentIndex(findData(QString::fromStdString(forecast_.device().name)));
    setToolTip((QStringList(tr("The device of all pages: costs, timeline, CUDA and kernel are for it")) +
                forecast_.problems())
                   .join(QLatin1Char('\n')));
}

ObjectiveChooser::ObjectiveChooser(Document& document, QWidget* parent) : QComboBox(parent) {
    Best& best = Best::of(document);
    setAccessibleName(tr("Best by"));
    setToolTip(tr("What the best state has least of: a star marks it, and the timeline's curve shows it"));
    for (const ObjectiveRow& row : objectives()) addItem(translated(row.title), static_cast<int>(row.kind));
    const auto follow = [this, &best] { setCurrentIndex(findData(static_cast<int>(best.objective()))); };
    connect(this, &QComboBox::activated, this,
            [this, &best] { best.set_objective(static_cast<ObjectiveKind>(currentData().toInt())); });
    connect(&best, &Best::changed, this, follow);
    follow();
}

BaselineChooser::BaselineChooser(Document& document, QWidget* parent)
    : ElidedCombo(parent), document_(document), baselines_(Baselines::of(document)) {
    setAccessibleName(tr("Baseline"));
    setMinimumContentsLength(kLeastLength);
    setSizeAdjustPolicy(AdjustToContents);
    setMaximumWidth(kMostLength * fontMetrics().averageCharWidth());
    for (const BaselineKind kind : all_baselines())
        addItem(tr("against %1").arg(translated(baseline_title(kind))), static_cast<int>(kind));
    connect(this, &QComboBox::activated, this,
            [this] { baselines_.choose(static_cast<BaselineKind>(currentData().toInt())); });
    connect(&baselines_, &Baselines::changed, this, &BaselineChooser::fill);
    connect(&document, &Document::content_changed, this, &BaselineChooser::fill);
    fill();
}

// The last one is a state: the unfused program, or the row that was chosen.
void BaselineChooser::fill() {
    const StateId state = Costs::of(document_).baseline();
    const QString title = state == 0 || document_.empty() ? translated(baseline_title(BaselineKind::Unfused))
                                                          : row_name(document_.content(), state);
    setItemText(findData(static_cast<int>(BaselineKind::Unfused)), tr("against %1").arg(title));
    auto* items = qobject_cast<QStandardItemModel*>(model());
    const bool kernels = baselines_.has_kernels() || document_.empty();
    for (int i = 0; items && i < count(); ++i)
        items->item(i)->setEnabled(kernels || itemData(i).toInt() == static_cast<int>(BaselineKind::Unfused));
    setCurrentIndex(findData(static_cast<int>(baselines_.kind())));
    setToolTip(kernels ? tr("What ratios of times are against, and the table's last row")
                       : tr("What ratios of times are against. This is a block program: kernels of libraries "
                            "and compilers are known of programs with operators on arrays"));
}

ChoiceBar::ChoiceBar(Document& document, QWidget* parent)
    : QWidget(parent), costs_(Costs::of(document)), forecast_(Forecast::of(document)) {
    auto* row = new FlowLayout(this);
    row->setContentsMargins(10, 6, 10, 6);
    row->setSpacing(8);
    add_models(*row);
    row->addWidget(new TypeChooser(costs_, TypeChooser::For::Counts, this));
    row->addWidget(new BaselineChooser(document, this));
    auto* all = new QCheckBox(tr("All steps"), this);
    all->setToolTip(tr("Rows for every step of the branch, not only for its snapshots"));
    connect(all, &QCheckBox::toggled, this, [this](bool on) { costs_.set_all_steps(on); });
    row->addWidget(all);
}

void ChoiceBar::add_models(QLayout& row) {
    auto* models = new QComboBox(this);
    models->setAccessibleName(tr("Time model"));
    models->setMinimumContentsLength(kLeastLength);
    for (const TimeModel& model : time_models()) {
        models->addItem(translated(model.title), QString::fromStdString(model.name));
        models->setItemData(models->count() - 1, paragraph(translated(model.explanation)), Qt::ToolTipRole);
    }
    models->setCurrentIndex(models->findData(QString::fromStdString(forecast_.model().name)));
    const auto explain = [models] { models->setToolTip(models->currentData(Qt::ToolTipRole).toString()); };
    explain();
    connect(models, &QComboBox::activated, this, [this, models, explain] {
        forecast_.set_model(models->currentData().toString().toStdString());
        explain();
    });
    row.addWidget(models);
}

namespace {

// Items that are no places.
constexpr int kOtherMachine = -1, kLookAgain = -2, kForget = -3, kSilent = -4;

const QString kHosts = QStringLiteral("measure/hosts");

}  // namespace

PlaceChooser::PlaceChooser(Measurements& measurements, QWidget* parent)
    : QComboBox(parent), measurements_(measurements), places_(measurements.places()) {
    setAccessibleName(tr("Measured on"));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setMinimumContentsLength(14);
    connect(this, &QComboBox::activated, this, &PlaceChooser::choose);
    connect(&places_, &MeasurePlaces::changed, this, &PlaceChooser::fill);
    connect(&measurements_, &Measurements::chosen, this, &PlaceChooser::fill);
    connect(&measurements_, &Measurements::progressed, this, [this] { setEnabled(!measurements_.busy()); });
    fill();
}

void PlaceChooser::showEvent(QShowEvent* event) {
    QComboBox::showEvent(event);
    if (!places_.looked() && !places_.looking()) places_.look();
}

void PlaceChooser::fill() {
    const QSignalBlocker quiet(this);
    clear();
    int current = -1;
    const std::vector<MeasurePlace>& all = places_.all();
    for (std::size_t i = 0; i < all.size(); ++i) {
        addItem(MeasurePlaces::title(all[i]), static_cast<int>(i));
        setItemData(count() - 1, QString::fromStdString(all[i].model), Qt::UserRole + 1);
        if (all[i] == measurements_.place()) current = static_cast<int>(i);
    }
    add_silent();
    insertSeparator(count());
    addItem(tr("Another machine..."), kOtherMachine);
    addItem(places_.looking() ? tr("Looking for devices...") : tr("Look again"), kLookAgain);
    if (!places_.silent().isEmpty()) addItem(tr("Forget machines that do not answer"), kForget);
    setCurrentIndex(current);
    QStringList tip{tr("The device that programs are measured on")};
    if (!places_.looking() && places_.looked() && all.size() == 1)
        tip << tr("No graphics card was found; Help > Graphics cards says why.");
    setToolTip((tip + places_.problems()).join(QLatin1Char('\n')));
}

// Machines that gave no answer cannot be chosen, and say why.
void PlaceChooser::add_silent() {
    auto* items = qobject_cast<QStandardItemModel*>(model());
    for (int i = 0; i < places_.silent().size(); ++i) {
        addItem(tr("%1 (does not answer)").arg(places_.silent().at(i)), kSilent);
        setItemData(count() - 1, places_.problems().at(i), Qt::ToolTipRole);
        if (items) items->item(count() - 1)->setEnabled(false);
    }
}

void PlaceChooser::choose(int item) {
    const int which = itemData(item).toInt();
    if (which >= 0) return measurements_.choose(places_.all().at(static_cast<std::size_t>(which)));
    fill();  // the current place stays
    if (which == kLookAgain) places_.look();
    if (which == kForget) places_.forget_silent();
    if (which == kOtherMachine) ask_for_host();
}

void PlaceChooser::ask_for_host() {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Another machine"));
    dialog->setLabelText(
        tr("Its name as ssh knows it, HOST or USER@HOST. blockscope-cli has to be installed there, "
           "and ssh must not ask for a password."));
    dialog->setOkButtonText(tr("Add"));
    dialog->setCancelButtonText(tr("Cancel"));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this](const QString& host) { places_.add_host(host); });
    dialog->open();
}

void keep_hosts(MeasurePlaces& places, Settings& settings) {
    places.set_hosts(settings.value(kHosts).toStringList());
    QObject::connect(&places, &MeasurePlaces::changed, &settings, [&places, &settings] {
        if (settings.value(kHosts).toStringList() != places.hosts())
            settings.set_value(kHosts, places.hosts());
    });
}

namespace {

constexpr int kMostSize = 20;   // 2^20 elements
constexpr int kMostBlock = 12;  // 2^12
constexpr int kMostRows = 24;   // of dimensions with sliders; the sizes panel has all

// The power of two at or below `value`.
int exponent_of(std::int64_t value) {
    return value < 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value))) - 1;
}

QString number(std::int64_t value) {
    return QLocale().toString(static_cast<qlonglong>(value));
}

}  // namespace

SizeSliders::SizeSliders(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), grid_(new QGridLayout), none_(new QLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 8);
    column->addLayout(grid_);
    column->addWidget(none_);
    column->addStretch(1);
    grid_->setHorizontalSpacing(10);
    grid_->setVerticalSpacing(4);
    none_->setWordWrap(true);
    connect(&document_, &Document::content_changed, this, &SizeSliders::refresh);
    refresh();
}

QSlider* SizeSliders::size_slider(const std::string& dim) const {
    for (const Row& row : rows_)
        if (row.name == dim) return row.size;
    return nullptr;
}

QSlider* SizeSliders::block_slider(const std::string& dim) const {
    for (const Row& row : rows_)
        if (row.name == dim) return row.block;
    return nullptr;
}

void SizeSliders::refresh() {
    const DimTable dims = document_.empty() ? DimTable{} : document_.content().program()->dims;
    // By place and name: another program may have the same names in other places.
    std::vector<std::pair<DimId, std::string>> wanted;
    for (std::size_t i = 0; i < dims.size(); ++i)
        if (dims[i].kind == DimKind::Blocked && std::ssize(wanted) < kMostRows)
            wanted.emplace_back(DimId{static_cast<std::uint16_t>(i)}, dims[i].name);
    std::vector<std::pair<DimId, std::string>> shown;
    for (const Row& row : rows_) shown.emplace_back(row.dim, row.name);
    if (wanted != shown) build(dims);
    show(dims);
}

void SizeSliders::build(const DimTable& dims) {
    while (QLayoutItem* item = grid_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    rows_.clear();
    none_->setVisible(dims.empty());
    none_->setText(tr("Open a program to change its sizes."));
    int line = 0;
    const auto heading = [&](int column, const QString& text) {
        auto* made = new QLabel(text, this);
        made->setEnabled(false);  // secondary text
        grid_->addWidget(made, 0, column);
    };
    if (!dims.empty()) heading(1, tr("Size")), heading(3, tr("Block"));
    int index = -1;
    for (const Dim& dim : dims) {
        ++index;
        if (dim.kind != DimKind::Blocked || std::ssize(rows_) >= kMostRows) continue;
        ++line;
        const QString name = QString::fromStdString(dim.name);
        Row row{.dim = DimId{static_cast<decltype(DimId::value)>(index)},
                .name = dim.name,
                .size = nullptr,
                .block = nullptr,
                .size_text = new QLabel(this),
                .block_text = new QLabel(this)};
        grid_->addWidget(new QLabel(name, this), line, 0);
        row.size = add_slider(line, 1, kMostSize, tr("Size of %1").arg(name));
        row.block = add_slider(line, 3, kMostBlock, tr("Block size of %1").arg(name));
        for (QLabel* text : {row.size_text, row.block_text}) {
            text->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("8,888,888")));
            text->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        }
        grid_->addWidget(row.size_text, line, 2);
        grid_->addWidget(row.block_text, line, 4);
        connect(row.size, &QSlider::valueChanged, this, [this, row](int value) { change(row, true, value); });
        connect(row.block, &QSlider::valueChanged, this,
                [this, row](int value) { change(row, false, value); });
        rows_.push_back(row);
    }
}

QSlider* SizeSliders::add_slider(int row, int column, int most, const QString& name) {
    auto* slider = new QSlider(Qt::Horizontal, this);
    slider->setRange(0, most);
    slider->setPageStep(2);
    slider->setAccessibleName(name);
    slider->setMinimumWidth(70);
    grid_->addWidget(slider, row, column);
    grid_->setColumnStretch(column, 1);
    return slider;
}

void SizeSliders::show(const DimTable& dims) {
    showing_ = true;
    for (const Row& row : rows_) {
        const Dim& dim = dims.at(row.dim.value);
        row.size->setValue(exponent_of(dim.size));
        row.block->setValue(exponent_of(dim.block));
        row.size_text->setText(number(dim.size));
        row.block_text->setText(number(dim.block));
    }
    showing_ = false;
}

// A block that is the whole dimension stays the whole of it.
void SizeSliders::change(const Row& row, bool size, int exponent) {
    if (showing_ || document_.empty()) return;
    DimTable dims = document_.content().program()->dims;
    Dim& dim = dims.at(row.dim.value);
    const std::int64_t value = std::int64_t{1} << exponent;
    if (size) {
        const bool whole = dim.block == dim.size;
        dim.size = value;
        dim.block = whole ? value : std::min(dim.block, value);
    } else {
        dim.block = std::min(value, dim.size);
    }
    meet_needs(dims, block_needs(*document_.content().program()));
    document_.set_dims(dims);
}

}  // namespace blockscope

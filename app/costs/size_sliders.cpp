#include "app/costs/size_sliders.h"

#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QSlider>
#include <algorithm>
#include <bit>
#include <utility>

namespace blockscope {

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
    none_->setVisible(dims.size() == 0);
    none_->setText(tr("Open a program to change its sizes."));
    int line = 0;
    const auto heading = [&](int column, const QString& text) {
        auto* made = new QLabel(text, this);
        made->setEnabled(false);  // secondary text
        grid_->addWidget(made, 0, column);
    };
    if (dims.size() > 0) heading(1, tr("Size")), heading(3, tr("Block"));
    int index = -1;
    for (const Dim& dim : dims) {
        ++index;
        if (dim.kind != DimKind::Blocked || std::ssize(rows_) >= kMostRows) continue;
        ++line;
        const QString name = QString::fromStdString(dim.name);
        Row row{DimId{static_cast<decltype(DimId::value)>(index)},
                dim.name,
                nullptr,
                nullptr,
                new QLabel(this),
                new QLabel(this)};
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
    document_.set_dims(dims);
}

}  // namespace blockscope

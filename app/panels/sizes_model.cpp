#include "app/panels/sizes_model.h"

#include <QLocale>
#include <QSpinBox>
#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace blockscope {

namespace {

constexpr std::int64_t kMostElements = std::numeric_limits<std::int32_t>::max();

// A number that is too large becomes the largest, which `limited` hears of (true, the largest) as of one that
// is too small (false, the least); QSpinBox would drop its last digits without a word.
class PowerSpinBox : public QSpinBox {
public:
    PowerSpinBox(std::function<void(bool, int)> limited, QWidget* parent)
        : QSpinBox(parent), limited_(std::move(limited)) {}

    QValidator::State validate(QString& text, int& position) const override {
        const QValidator::State state = QSpinBox::validate(text, position);
        return state == QValidator::Invalid && number_in(text) ? QValidator::Intermediate : state;
    }
    void fixup(QString& text) const override {
        const std::optional<double> number = number_in(text);
        if (!number || (*number >= minimum() && *number <= maximum())) return QSpinBox::fixup(text);
        const bool most = *number > maximum();
        if (most) text = textFromValue(maximum());
        limited_(most, most ? maximum() : minimum());
    }
    void stepBy(int steps) override {
        std::int64_t next = value();
        for (int i = 0; i < std::abs(steps); ++i) next = power_step(next, steps > 0);
        setValue(static_cast<int>(std::clamp<std::int64_t>(next, minimum(), maximum())));
    }

private:
    std::optional<double> number_in(QString text) const {
        text.remove(locale().groupSeparator());
        bool is_number = false;
        const double number = text.toDouble(&is_number);
        const bool digits = std::all_of(text.begin(), text.end(), [](QChar c) { return c.isDigit(); });
        return is_number && digits ? std::optional(number) : std::nullopt;
    }

    std::function<void(bool, int)> limited_;
};

}  // namespace

std::int64_t power_step(std::int64_t value, bool up) {
    std::int64_t power = 1;
    if (up) {
        while (power <= value) power *= 2;
        return power;
    }
    while (power * 2 < value) power *= 2;
    return power;
}

SizesModel::SizesModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent), document_(document) {
    connect(&document_, &Document::content_changed, this, &SizesModel::refresh);
    refresh();
}

void SizesModel::refresh() {
    const DimTable dims = document_.empty() ? DimTable{} : document_.content().program()->dims;
    const auto same = [](const Dim& a, const Dim& b) { return a.name == b.name && a.kind == b.kind; };
    if (std::equal(dims.begin(), dims.end(), dims_.begin(), dims_.end(), same)) {
        if (dims == dims_) return;
        dims_ = dims;
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    dims_ = dims;
    endResetModel();
}

int SizesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(dims_.size());
}

int SizesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QString SizesModel::blocks_text(const Dim& dim) const {
    const QLocale locale;
    const QString count = locale.toString(static_cast<qlonglong>(dim.blocks()));
    const std::int64_t last = dim.block_size(dim.blocks() - 1);
    if (last == dim.block) return count;
    return tr("%1, last %2").arg(count, locale.toString(static_cast<qlonglong>(last)));
}

QVariant SizesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Dim& dim = dims_[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole && index.column() != Name)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && index.column() == Blocks && dim.block_size(dim.blocks() - 1) != dim.block)
        return tr("The block size does not divide the size: the last block is shorter.");
    if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
    switch (index.column()) {
        case Name: {
            const QString name = QString::fromStdString(dim.name);
            if (dim.kind == DimKind::Batch) return tr("%1 (batch)").arg(name);
            if (dim.kind == DimKind::Group) return tr("%1 (group)").arg(name);
            return name;
        }
        case Size:
            return static_cast<qlonglong>(dim.size);
        case Block:
            return static_cast<qlonglong>(dim.block);
        case Blocks:
            return blocks_text(dim);
        default:
            return {};
    }
}

bool SizesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) return false;
    const auto number = static_cast<std::int64_t>(value.toLongLong());
    if (number < 1 || number > kMostElements) return false;
    DimTable dims = dims_;
    Dim& dim = dims[static_cast<std::size_t>(index.row())];
    if (index.column() == Size) {
        // A dimension that is one block stays one.
        const bool whole = dim.kind == DimKind::Blocked && dim.block == dim.size;
        dim.size = number;
        dim.block = whole ? number : std::min(dim.block, number);
    } else {
        if (number > dim.size) return false;
        dim.block = number;
    }
    if (dims == dims_) return true;
    document_.set_dims(dims);
    return !document_.empty() && document_.content().program()->dims == dims;
}

Qt::ItemFlags SizesModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!index.isValid()) return flags;
    const bool blocked = dims_[static_cast<std::size_t>(index.row())].kind == DimKind::Blocked;
    if (index.column() == Size || (index.column() == Block && blocked)) flags |= Qt::ItemIsEditable;
    return flags;
}

QVariant SizesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Name:
            return tr("Dimension");
        case Size:
            return tr("Size");
        case Block:
            return tr("Block");
        default:
            return tr("Blocks");
    }
}

// ---- Editing

QWidget* SizesDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                     const QModelIndex& index) const {
    auto* self = const_cast<SizesDelegate*>(this);
    const bool block = index.column() == SizesModel::Block;
    const QString name = index.siblingAtColumn(SizesModel::Name).data().toString();
    const auto limited = [self, block, name](bool too_large, int end) {
        const QString number = QLocale().toString(end);
        Q_EMIT self->limited(!too_large ? tr("1 is the least.")
                             : block ? tr("A block of %1 has %2 at most: the size of %1.").arg(name, number)
                                     : tr("The size of %1 is %2 at most.").arg(name, number));
    };
    auto* box = new PowerSpinBox(limited, parent);
    const QModelIndex size = index.siblingAtColumn(SizesModel::Size);
    const auto most = block ? size.data(Qt::EditRole).toLongLong() : qlonglong{kMostElements};
    box->setRange(1, static_cast<int>(most));
    box->setGroupSeparatorShown(true);
    box->setAlignment(Qt::AlignRight);
    // Without buttons, which leave no room for nine digits: the arrow keys and the wheel do the same.
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setAccessibleName(block ? tr("Block size of %1").arg(name) : tr("Size of %1").arg(name));
    box->setToolTip(tr("Up and Down go from power to power of two; any number can be typed"));
    // Not each digit of a number that is being typed, but its end and each step.
    box->setKeyboardTracking(false);
    connect(box, &QSpinBox::valueChanged, self, [self, box] { Q_EMIT self->commitData(box); });
    return box;
}

void SizesDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    auto* box = static_cast<QSpinBox*>(editor);
    const QSignalBlocker quiet(box);
    if (index.column() == SizesModel::Block)
        box->setMaximum(index.siblingAtColumn(SizesModel::Size).data(Qt::EditRole).toInt());
    box->setValue(index.data(Qt::EditRole).toInt());
}

void SizesDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    auto* box = static_cast<QSpinBox*>(editor);
    if (!model->setData(index, box->value(), Qt::EditRole)) setEditorData(editor, index);
}

}  // namespace blockscope

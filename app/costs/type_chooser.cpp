#include "app/costs/type_chooser.h"

#include <QStandardItemModel>

namespace blockscope {

namespace {

constexpr int kDeclared = -1;
constexpr int kLeastLength = 5;  // letters that narrow pages show of a choice

}  // namespace

TypeChooser::TypeChooser(Costs& costs, For purpose, QWidget* parent)
    : QComboBox(parent), costs_(costs), purpose_(purpose) {
    setAccessibleName(tr("Element type"));
    setMinimumContentsLength(kLeastLength);
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
    setCurrentIndex(findData(type ? static_cast<int>(*type) : kDeclared));
}

}  // namespace blockscope

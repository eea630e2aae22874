#include "app/panels/cells_accessible.h"

#include <QAbstractScrollArea>
#include <QAccessibleWidget>
#include <QPointer>
#include <QWindow>
#include <map>

namespace blockscope {

namespace {

const AccessibleCells* cells_of(QObject* object) {
    return dynamic_cast<const AccessibleCells*>(object);
}

class CellAccessible : public QAccessibleInterface {
public:
    CellAccessible(QAbstractScrollArea* area, int index) : area_(area), index_(index) {}

    bool isValid() const override {
        const AccessibleCells* cells = cells_of(area_);
        return cells && index_ < cells->accessible_cells();
    }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return area_ ? area_->window()->windowHandle() : nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* parent() const override {
        return area_ ? QAccessible::queryAccessibleInterface(area_) : nullptr;
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text what) const override {
        return what == QAccessible::Name && isValid() ? cells_of(area_)->accessible_cell(index_) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override {
        if (!isValid()) return {};
        const QRect place = cells_of(area_)->cell_place(index_);
        return {area_->viewport()->mapToGlobal(place.topLeft()), place.size()};
    }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QAccessible::State state() const override {
        QAccessible::State result;
        result.selectable = true;
        result.invalid = !isValid();
        if (result.invalid) return result;
        result.selected = cells_of(area_)->current_cell() == index_;
        result.focused = result.selected && area_->hasFocus();
        result.offscreen = !area_->viewport()->rect().intersects(cells_of(area_)->cell_place(index_));
        return result;
    }

private:
    QPointer<QAbstractScrollArea> area_;
    int index_;
};

class CellsAccessible : public QAccessibleWidget {
public:
    explicit CellsAccessible(QAbstractScrollArea* area) : QAccessibleWidget(area, QAccessible::List) {}
    ~CellsAccessible() override {
        for (const auto& [index, id] : ids_) QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override {
        const AccessibleCells* cells = cells_of(object());  // none any more while the widget goes
        return cells ? cells->accessible_cells() : 0;
    }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount()) return nullptr;
        const auto found = ids_.find(index);
        if (found != ids_.end()) return QAccessible::accessibleInterface(found->second);
        auto* made = new CellAccessible(static_cast<QAbstractScrollArea*>(object()), index);
        ids_[index] = QAccessible::registerAccessibleInterface(made);  // owns it
        return made;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (const auto& [index, id] : ids_)
            if (QAccessible::accessibleInterface(id) == child) return index;
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        for (int i = 0; i < childCount(); ++i)
            if (child(i)->rect().contains(x, y)) return child(i);
        return nullptr;
    }

private:
    mutable std::map<int, QAccessible::Id> ids_;
};

QAccessibleInterface* make_interface(const QString&, QObject* object) {
    auto* area = qobject_cast<QAbstractScrollArea*>(object);
    return area && cells_of(area) ? new CellsAccessible(area) : nullptr;
}

}  // namespace

void install_cells_accessibility() {
    static const bool kInstalled = [] {
        QAccessible::installFactory(make_interface);
        return true;
    }();
    static_cast<void>(kInstalled);
}

}  // namespace blockscope

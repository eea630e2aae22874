#include "app/window/large_type.h"

#include <QApplication>
#include <QEvent>
#include <algorithm>
#include <utility>

namespace blockscope {

LargeType::LargeType(QFont font, QString sheet) : font_(std::move(font)), sheet_(std::move(sheet)) {
    qApp->installEventFilter(this);
}

LargeType::~LargeType() {
    clear();
}

void LargeType::set_parts(const std::vector<QWidget*>& parts) {
    clear();
    for (QWidget* part : parts) enlarge(*part);
    for (const QPointer<QWidget>& window : windows_)
        if (window) enlarge(*window);
}

void LargeType::clear() {
    // First the type: with its sheet a part gets the window's back, which has headings in bold.
    for (const QPointer<QWidget>& widget : std::exchange(enlarged_, {}))
        if (widget) widget->setFont({});
    for (const QPointer<QWidget>& part : std::exchange(parts_, {}))
        if (part) part->setStyleSheet({});
}

void LargeType::enlarge(QWidget& part) {
    parts_.emplace_back(&part);
    part.setStyleSheet(sheet_);
    set_font(part);
    for (QWidget* widget : part.findChildren<QWidget*>()) set_font(*widget);
}

// Where there is a style sheet Qt hands no font on to children.
void LargeType::set_font(QWidget& widget) {
    if (widget.testAttribute(Qt::WA_SetFont)) return;  // its own, which follows the appearance
    widget.setFont(font_);
    enlarged_.emplace_back(&widget);
}

bool LargeType::has(const QWidget* widget) const {
    for (; widget != nullptr; widget = widget->parentWidget())
        if (std::count(parts_.begin(), parts_.end(), widget) > 0) return true;
    return false;
}

// What is made meanwhile is polished before it is measured and shown.
bool LargeType::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Polish || !watched->isWidgetType()) return false;
    auto& widget = *static_cast<QWidget*>(watched);
    if (has(&widget)) {
        set_font(widget);
    } else if (widget.windowType() == Qt::Dialog || widget.windowType() == Qt::Window) {
        windows_.emplace_back(&widget);
        enlarge(widget);
    }
    return false;
}

}  // namespace blockscope

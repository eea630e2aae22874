// Pages behind tabs.
#pragma once

#include <QStackedWidget>
#include <QTabWidget>
#include <QWidget>

namespace blockscope {

// What is made to be a page of the tabs stands within this from the start: moved there, every part of it
// would be styled anew.
inline QWidget* page_parent(QTabWidget& tabs) {
    auto* stack = tabs.findChild<QStackedWidget*>(QString(), Qt::FindDirectChildrenOnly);
    return stack ? static_cast<QWidget*>(stack) : &tabs;
}

}  // namespace blockscope

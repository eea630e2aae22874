// How the tables of the page Tilings look and are walked through.
#pragma once

#include <QHeaderView>
#include <QLabel>
#include <QTreeView>

namespace blockscope {

inline void set_up_tilings_table(QTreeView& table, const QString& name) {
    table.setAccessibleName(name);
    table.setRootIsDecorated(false);
    table.setAllColumnsShowFocus(true);
    table.setTabKeyNavigation(false);
    table.setUniformRowHeights(true);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setTextElideMode(Qt::ElideNone);  // a wide table scrolls instead
    table.header()->setSectionsMovable(false);
    table.header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table.header()->setStretchLastSection(false);
    table.header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
}

// A text that wraps and that one can select.
inline QLabel* make_tilings_text(QWidget* parent, const QString& name) {
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setAccessibleName(name);
    return label;
}

}  // namespace blockscope

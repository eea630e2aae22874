#include "app/panels/panel_bar.h"

#include <QScrollArea>
#include <QVBoxLayout>

namespace blockscope {

PanelBar make_panel_bar(QWidget* panel) {
    auto* bar = new QWidget(panel);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(4);
    return {bar, row};
}

QToolButton* make_bar_button(QWidget* bar, const QString& text, const QString& name, const QString& help) {
    auto* button = new QToolButton(bar);
    button->setText(text);
    button->setAccessibleName(name);
    button->setToolTip(help);
    if (help != name) button->setAccessibleDescription(help);
    return button;
}

void fill_or_scroll(QWidget& page, QWidget* content) {
    auto* scrolled = new QScrollArea(&page);
    scrolled->setFrameShape(QFrame::NoFrame);
    scrolled->setWidgetResizable(true);
    scrolled->setFocusPolicy(Qt::NoFocus);
    scrolled->setWidget(content);
    auto* column = new QVBoxLayout(&page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(scrolled);
}

}  // namespace blockscope

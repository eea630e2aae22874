#include "app/panels/panel_bar.h"

#include <QScrollArea>
#include <QVBoxLayout>

namespace blockscope {

namespace {

// A scroll area asks how high its content has to be for a width. That is at least what each part needs, bars
// of several lines among them; a widget would say what its parts would like best.
class ScrolledContent : public QWidget {
public:
    int heightForWidth(int width) const override {
        return layout() ? layout()->minimumHeightForWidth(width) : QWidget::heightForWidth(width);
    }
};

}  // namespace

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

QToolButton* make_bar_button(QWidget* bar, const QString& text, const QString& help) {
    return make_bar_button(bar, text, text, help);
}

QWidget* make_scrolled_content(QWidget* page) {
    QWidget* content = new ScrolledContent;
    auto* scrolled = new QScrollArea(page);
    scrolled->setFrameShape(QFrame::NoFrame);
    scrolled->setWidgetResizable(true);
    scrolled->setFocusPolicy(Qt::NoFocus);
    scrolled->setWidget(content);
    for (QWidget* part : {scrolled->viewport(), content})
        part->setAutoFillBackground(false);  // the page has one
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(scrolled);
    return content;
}

}  // namespace blockscope

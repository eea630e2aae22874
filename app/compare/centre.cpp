#include "app/compare/centre.h"

#include <QStackedWidget>

#include "app/compare/compare_view.h"
#include "app/document/document.h"

namespace blockscope {

QWidget* picture_or_comparison(QWidget* picture, Document& document, Pictures& pictures,
                               Appearance& appearance, QWidget* parent) {
    auto* stack = new QStackedWidget(parent);
    auto* comparison = new CompareView(document, pictures, appearance, stack);
    stack->addWidget(picture);
    stack->addWidget(comparison);
    const auto choose = [stack, picture, comparison, &document] {
        const bool compare = !document.empty() && !document.content().compared.empty();
        QWidget* shown = compare ? static_cast<QWidget*>(comparison) : picture;
        stack->setFocusProxy(shown);
        stack->setCurrentWidget(shown);
    };
    QObject::connect(&document, &Document::content_changed, stack, choose);
    choose();
    return stack;
}

}  // namespace blockscope

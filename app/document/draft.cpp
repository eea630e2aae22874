#include "app/document/draft.h"

namespace blockscope {

Draft& Draft::of(Document& document) {
    if (auto* found = document.findChild<Draft*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new Draft(document);
}

Draft::Draft(Document& document) : QObject(&document) {}

void Draft::set(const QString& text) {
    if (text == text_) return;
    text_ = text;
    Q_EMIT changed();
}

void Draft::bring_back(const QString& text) {
    set(text);
    Q_EMIT brought_back();
}

}  // namespace blockscope

#include "app/shell/late_panel.h"

#include <QShowEvent>
#include <QVBoxLayout>
#include <utility>

namespace blockscope {

LatePanel::LatePanel(Make make, QWidget* parent) : QWidget(parent), make_(std::move(make)) {
    setFocusPolicy(Qt::StrongFocus);  // until there is a content that takes it
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
}

QWidget* LatePanel::content() {
    if (content_ != nullptr) return content_;
    content_ = make_(this);
    layout()->addWidget(content_);
    setFocusProxy(content_);
    if (isVisible()) content_->show();
    return content_;
}

// Before Qt shows the children.
void LatePanel::showEvent(QShowEvent* event) {
    content();
    QWidget::showEvent(event);
}

}  // namespace blockscope

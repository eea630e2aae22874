#include "app/window/breadcrumb.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

namespace blockscope {
namespace {

// A map is called the same, folded or not.
QString part_name(const Box& box) {
    const bool map = box.kind == BoxKind::Frame || box.kind == BoxKind::Cloud;
    if (map) return Breadcrumb::tr("%1-map").arg(QString::fromStdString(box.corner));
    return QString::fromStdString(box.label);
}

}  // namespace

Breadcrumb::Breadcrumb(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    setAccessibleName(tr("Where the selection is"));
    setObjectName(QStringLiteral("breadcrumb"));
    setAttribute(Qt::WA_StyledBackground);  // it may lie over the picture
    row_ = new QHBoxLayout(this);
    row_->setContentsMargins(6, 4, 6, 4);
    row_->setSpacing(0);
    setVisible(false);
}

void Breadcrumb::show_way(const PicturePtr& picture) {
    while (QLayoutItem* item = row_->takeAt(0)) {
        if (QWidget* part = item->widget()) {
            part->hide();
            part->deleteLater();
        }
        delete item;
    }
    std::vector<int> way;
    if (picture && !document_.empty() && document_.selection().nodes.size() == 1)
        for (int box = picture->figure.find(*document_.selection().nodes.begin()); box >= 0;
             box = picture->figure.boxes[box].parent)
            way.push_back(box);
    setVisible(!way.empty());
    if (way.empty()) return;
    std::reverse(way.begin(), way.end());
    add_part(QString::fromStdString(document_.content().name), {}, false);
    for (const int index : way) {
        const Box& box = picture->figure.boxes[index];
        add_part(part_name(box), box.id(), index == way.back());
    }
    adjustSize();
}

// Parts are shown, and then have a size, once events have been handled.
bool Breadcrumb::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) adjustSize();
    return QWidget::event(event);
}

void Breadcrumb::add_part(const QString& text, NodeId node, bool last) {
    auto* part = new QToolButton(this);
    part->setText(text.size() > 40 ? text.left(39) + QChar(0x2026) : text);
    part->setAccessibleName(text);
    part->setProperty("program_data", true);
    part->setAutoRaise(true);
    part->setFocusPolicy(Qt::TabFocus);
    connect(part, &QToolButton::clicked, this, [this, node] { Q_EMIT chosen(node); });
    row_->addWidget(part);
    if (last) return;
    auto* arrow = new QLabel(QStringLiteral("\u203a"), this);
    arrow->setProperty("program_data", true);
    row_->addWidget(arrow);
}

}  // namespace blockscope

#include "app/window/panel_strip.h"

#include <QAction>
#include <QPainter>
#include <QVBoxLayout>

#include "app/shell/step_look.h"

namespace blockscope {

namespace {

constexpr int kAcross = 5, kAlong = 10;  // pixels around a name

}  // namespace

StripButton::StripButton(QAction& action, bool left, QWidget* parent) : QToolButton(parent), left_(left) {
    setDefaultAction(&action);
    setFocusPolicy(Qt::TabFocus);
    setAutoRaise(true);
    setText(action.text().remove(QLatin1Char('&')));
    setAccessibleName(text());
}

QSize StripButton::sizeHint() const {
    const QSize text = fontMetrics().size(Qt::TextSingleLine, this->text());
    return {text.height() + 2 * kAcross, text.width() + 2 * kAlong};
}

void StripButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QColor mark = palette().color(QPalette::Highlight);
    if (underMouse() || isDown() || isChecked()) {
        QColor back = mark;
        back.setAlphaF(isChecked() ? 0.24F : 0.12F);
        painter.fillRect(rect(), back);
    }
    if (isChecked()) painter.fillRect(left_ ? width() - 2 : 0, 0, 2, height(), mark);    // towards the panel
    if (hasFocus()) paint_focus_ring(painter, rect(), palette().color(QPalette::Link));  // the accent
    painter.setPen(
        palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::WindowText));
    painter.translate(left_ ? 0 : width(), left_ ? height() : 0);
    painter.rotate(left_ ? -90 : 90);
    painter.drawText(QRect(0, 0, height(), width()), Qt::AlignCenter, text());
}

PanelStrip::PanelStrip(const QString& title, bool left, QWidget* parent) : QWidget(parent), left_(left) {
    setAccessibleName(title);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kAcross, kAcross, kAcross, kAcross);
    column->setSpacing(kAcross);
    column->addStretch(1);
    hide();
}

void PanelStrip::set_panels(const std::vector<QAction*>& panels) {
    for (StripButton* old : findChildren<StripButton*>()) delete old;
    auto* column = static_cast<QVBoxLayout*>(layout());
    int at = 0;
    for (QAction* panel : panels)
        column->insertWidget(at++, new StripButton(*panel, left_, this), 0, Qt::AlignHCenter);
}

PanelShade::PanelShade(bool left, QWidget* parent) : QWidget(parent), left_(left) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void PanelShade::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QLinearGradient shadow(left_ ? 0 : width(), 0, left_ ? width() : 0, 0);
    shadow.setColorAt(0, QColor(0, 0, 0, 60));
    shadow.setColorAt(1, QColor(0, 0, 0, 0));
    painter.fillRect(rect(), shadow);
    painter.fillRect(left_ ? 0 : width() - 1, 0, 1, height(), palette().color(QPalette::Mid));
}

}  // namespace blockscope

#include "app/panels/proof_badge.h"

#include <QToolTip>

#include "app/panels/step_look.h"

namespace blockscope {

ProofBadge::ProofBadge(Document& document, Proofs& proofs, QWidget* parent)
    : QAbstractButton(parent), document_(document), proofs_(proofs) {
    setAccessibleName(tr("Proof of this state"));
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
    connect(&document, &Document::current_changed, this, &ProofBadge::refresh);
    connect(&proofs, &Proofs::proof_changed, this, &ProofBadge::refresh);
    connect(this, &QAbstractButton::clicked, this, &ProofBadge::show_details);
    refresh();
}

void ProofBadge::refresh() {
    setVisible(!document_.empty());
    if (document_.empty()) return;
    proof_ = proofs_.proof(document_.content().program());
    QString text = verdict_text(proof_.verdict);
    text[0] = text[0].toUpper();
    setText(text);
    setAccessibleDescription(details());
    setToolTip(details());
    updateGeometry();
    update();
}

QString ProofBadge::details() const {
    switch (proof_.verdict) {
        case Proof::Verdict::Proven:
            return tr("Proven: this state computes what the initial program computes.\nBy %1.")
                .arg(proof_.oracle);
        case Proof::Verdict::Wrong:
            return tr("Wrong: this state does not compute what the initial program computes. %1\nBy %2.")
                .arg(proof_.detail, proof_.oracle);
        case Proof::Verdict::TooLarge:
            return tr("Too large to prove: %1 The structural verifier has accepted every step.")
                .arg(proof_.detail);
        case Proof::Verdict::Waiting:
            break;
    }
    return tr(
        "Not proven yet: the proof runs in the background. The structural verifier has accepted every "
        "step.");
}

void ProofBadge::show_details() {
    QToolTip::showText(mapToGlobal(QPoint(0, -height())), details(), this);
}

QSize ProofBadge::sizeHint() const {
    const QFontMetrics metrics(font());
    return {metrics.horizontalAdvance(text()) + metrics.height() + 22, metrics.height() + 6};
}

void ProofBadge::paintEvent(QPaintEvent*) {
    const Colors& colors = colors_of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || hasFocus()) {
        painter.setPen(hasFocus() ? QPen(colors.accent, 1) : QPen(Qt::NoPen));
        painter.setBrush(colors.tint);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    }
    const double size = QFontMetrics(font()).height() * 0.85;
    paint_verdict(painter, QRectF(8, (height() - size) / 2, size, size), proof_.verdict, colors);
    painter.setPen(colors.text);
    painter.drawText(QRectF(8 + size + 6, 0, width() - size - 14, height()), Qt::AlignVCenter, text());
}

}  // namespace blockscope

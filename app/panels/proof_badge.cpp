#include "app/panels/proof_badge.h"

#include <QToolTip>

#include "app/shell/step_look.h"

namespace blockscope {

namespace {

constexpr int kAround = 6;  // as much as around the labels beside it
constexpr int kGap = 4;
constexpr int kBelowPointer = 36;  // where Qt shows what is told, and its rim

QColor color_of(Proof::Verdict verdict, const Colors& colors) {
    switch (verdict) {
        case Proof::Verdict::Proven:
            return colors.good;
        case Proof::Verdict::Wrong:
            return colors.bad;
        case Proof::Verdict::TooLarge:
        case Proof::Verdict::Undecided:
            return colors.warn;
        case Proof::Verdict::Waiting:
        case Proof::Verdict::Cancelled:
            break;
    }
    return colors.muted;
}

int sign_size(const QFontMetrics& metrics) {
    return metrics.ascent();
}

}  // namespace

ProofBadge::ProofBadge(Document& document, Proofs& proofs, QWidget* parent)
    : QAbstractButton(parent), document_(document), proofs_(proofs) {
    setAccessibleName(tr("Proof of this state"));
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
    connect(&document, &Document::current_changed, this, &ProofBadge::refresh);
    connect(&proofs, &Proofs::proof_changed, this, &ProofBadge::refresh);
    connect(this, &QAbstractButton::clicked, this, [this] {
        if (proof_.verdict == Proof::Verdict::Cancelled) return proofs_.prove_again(document_.snapshot());
        show_details();
    });
    refresh();
}

void ProofBadge::refresh() {
    setVisible(!document_.empty());
    if (document_.empty()) return;
    proof_ = proofs_.proof(document_.content().program());
    QString text = verdict_text(proof_.verdict);
    text[0] = text[0].toUpper();
    if (proof_.verdict == Proof::Verdict::Cancelled) text = tr("%1. Prove again").arg(text);
    setText(text);
    setAccessibleDescription(details());
    setToolTip(details());
    updateGeometry();
    update();
}

QString ProofBadge::details() const {
    switch (proof_.verdict) {
        case Proof::Verdict::Proven:
            return tr("Proven: this state computes what the initial program computes.\nOracles: %1.")
                .arg(proof_.oracle);
        case Proof::Verdict::Wrong:
            return tr("Wrong: this state does not compute what the initial program computes. %1\nOracles: "
                      "%2.")
                .arg(proof_.detail, proof_.oracle);
        case Proof::Verdict::TooLarge:
            return tr("Too large to prove: %1 The structural verifier has accepted every step.")
                .arg(proof_.detail);
        case Proof::Verdict::Undecided:
            return tr("Not proven: %1. The structural verifier has accepted every step.").arg(proof_.detail);
        case Proof::Verdict::Cancelled:
            return tr(
                "Not proven: proving was cancelled. A click here proves this state and all others.\nThe "
                "structural verifier has accepted every step.");
        case Proof::Verdict::Waiting:
            break;
    }
    return tr(
        "Not proven yet: the proof runs in the background. The structural verifier has accepted every "
        "step.");
}

void ProofBadge::show_details() {
    const QString text = details();
    const int lines = static_cast<int>(text.count(QLatin1Char('\n'))) + 1;
    const int above = lines * QFontMetrics(QToolTip::font()).lineSpacing() + kBelowPointer;
    QToolTip::showText(mapToGlobal(QPoint(0, -above)), text, this);
}

QSize ProofBadge::sizeHint() const {
    const QFontMetrics metrics(font());
    return {metrics.horizontalAdvance(text()) + sign_size(metrics) + kGap + 2 * kAround, metrics.height()};
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
    const int size = sign_size(fontMetrics());
    paint_verdict(painter, QRectF(kAround, (height() - size) / 2.0, size, size), proof_.verdict, colors);
    painter.setPen(color_of(proof_.verdict, colors));
    painter.drawText(rect().adjusted(kAround + size + kGap, 0, 0, 0), Qt::AlignVCenter, text());
}

}  // namespace blockscope

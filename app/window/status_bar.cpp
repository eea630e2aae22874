#include "app/window/status_bar.h"

#include <cmath>

#include "app/document/proofs.h"
#include "app/panels/edge_counts.h"
#include "app/scene/canvas.h"
#include "app/window/appearance.h"

namespace blockscope {

StatusBar::StatusBar(Document& document, Services& services, Canvas& canvas, QWidget* parent)
    : QStatusBar(parent), document_(document), services_(services), canvas_(canvas) {
    setAccessibleName(tr("Status bar"));
    setSizeGripEnabled(false);
    state_ = add(tr("Step"));
    edges_ = add(tr("Buffered edges"));
    proof_ = add(tr("Proof"));
    zoom_ = add(tr("Zoom"));
    connect(&document_, &Document::content_changed, this, &StatusBar::say_state);
    connect(&EdgeCounts::of(document_), &EdgeCounts::counted, this, &StatusBar::say_edges);
    connect(&document_, &Document::current_changed, this, &StatusBar::say_proof);
    connect(&services_.proofs, &Proofs::proof_changed, this, &StatusBar::say_proof);
    connect(&services_.appearance, &Appearance::changed, this, &StatusBar::say_proof);
    connect(&canvas_, &Canvas::camera_changed, this, &StatusBar::say_zoom);
    say_state();
    say_proof();
}

QLabel* StatusBar::add(const QString& name) {
    auto* label = new QLabel(this);
    label->setAccessibleName(name);
    addPermanentWidget(label);
    return label;
}

void StatusBar::say_state() {
    const bool open = !document_.empty();
    for (QLabel* label : {state_, edges_, proof_, zoom_}) label->setVisible(open);
    if (!open) return;
    const Content& content = document_.content();
    const HistoryState& state = content.state();
    const int depth = content.history.depth(state.id);
    const int last = content.history.depth(content.history.branch(content.branch).tip);
    QString text = state.step ? tr("Step %1 of %2, rule %3")
                                    .arg(depth)
                                    .arg(last)
                                    .arg(QString::fromStdString(to_string(state.step->match.rule)))
                   : last == 0 ? tr("There is no step yet")
                   : last == 1 ? tr("Before the only step")
                               : tr("Before the first of %1 steps").arg(last);
    if (state.snapshot) text = tr("%1, snapshot").arg(text);
    state_->setText(text);
    say_edges();
}

// Those of a large program take a moment to count.
void StatusBar::say_edges() {
    if (document_.empty()) return;
    const std::optional<int> count = EdgeCounts::of(document_).of(document_.content().program());
    edges_->setText(count ? tr("Buffered edges: %1").arg(*count) : QString());
}

void StatusBar::say_proof() {
    if (document_.empty()) return;
    const Proof proof = services_.proofs.proof(document_.content().program());
    const Colors& c = services_.appearance.colors();
    QString text;
    QColor color = c.muted;
    switch (proof.verdict) {
        case Proof::Verdict::Waiting:
            text = tr("Proof: waiting");
            break;
        case Proof::Verdict::Proven:
            text = tr("\u2713 Proven");
            color = c.good;
            break;
        case Proof::Verdict::Wrong:
            text = tr("\u2717 Wrong");
            color = c.bad;
            break;
        case Proof::Verdict::TooLarge:
            text = tr("Too large to prove");
            color = c.warn;
            break;
    }
    proof_->setText(text);
    const QString style = QStringLiteral("color: %1").arg(color.name());
    if (proof_->styleSheet() != style) proof_->setStyleSheet(style);
    proof_->setToolTip(proof.detail.isEmpty() ? proof.oracle
                                              : proof.oracle + QLatin1Char('\n') + proof.detail);
}

void StatusBar::say_zoom() {
    zoom_->setText(tr("%1 %").arg(std::lround(canvas_.camera().scale * 100)));
}

}  // namespace blockscope

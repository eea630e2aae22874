#include "app/window/status_bar.h"

#include <QLocale>

#include "app/panels/edge_counts.h"
#include "app/panels/proof_badge.h"
#include "app/scene/canvas.h"

namespace blockscope {

StatusBar::StatusBar(Document& document, Services& services, Canvas& canvas, QWidget* parent)
    : QStatusBar(parent), document_(document), canvas_(canvas) {
    setAccessibleName(tr("Status bar"));
    setSizeGripEnabled(false);
    state_ = add(tr("Step"));
    edges_ = add(tr("Buffered edges"));
    addPermanentWidget(new ProofBadge(document_, services.proofs, this));
    zoom_ = add(tr("Zoom"));
    connect(&document_, &Document::content_changed, this, &StatusBar::say_state);
    connect(&EdgeCounts::of(document_), &EdgeCounts::counted, this, &StatusBar::say_edges);
    connect(&canvas_, &Canvas::camera_changed, this, &StatusBar::say_zoom);
    say_state();
}

QLabel* StatusBar::add(const QString& name) {
    auto* label = new QLabel(this);
    label->setAccessibleName(name);
    addPermanentWidget(label);
    return label;
}

void StatusBar::say_state() {
    const bool open = !document_.empty();
    for (QLabel* label : {state_, edges_, zoom_}) label->setVisible(open);
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

void StatusBar::say_zoom() {
    const double percent = canvas_.camera().scale * 100;
    zoom_->setText(tr("%1 %").arg(QLocale().toString(percent, 'f', percent < 1 ? 1 : 0)));
}

}  // namespace blockscope

#include "app/window/status_bar.h"

#include <QEvent>
#include <QLocale>

#include "app/costs/costs.h"
#include "app/costs/forecast.h"
#include "app/panels/proof_badge.h"
#include "app/scene/canvas.h"
#include "app/shell/dialogs.h"
#include "app/shell/progress.h"
#include "app/shell/timeline_model.h"

namespace blockscope {

StatusBar::StatusBar(Document& document, Services& services, Canvas& canvas, QWidget* parent)
    : QStatusBar(parent), document_(document), canvas_(canvas) {
    setAccessibleName(tr("Status bar"));
    setSizeGripEnabled(false);
    auto* background = new WorkStrip(this);
    EdgeCounts& counts = EdgeCounts::of(document_);
    background->follow(services.proofs.work(), [&services] { services.proofs.cancel(); });
    background->follow(counts.work(), [&counts] { counts.cancel(); });
    Costs& costs = Costs::of(document_);
    background->follow(costs.work(), [&costs] { costs.cancel(); });
    Forecast& forecast = Forecast::of(document_);
    background->follow(forecast.work(), [&forecast] { forecast.cancel(); });
    addPermanentWidget(background);  // what is said stands at the left
    state_ = add(tr("Step"));
    edges_ = add(tr("Buffered edges"));
    addPermanentWidget(new ProofBadge(document_, services.proofs, this));
    zoom_ = add(tr("Zoom"));
    connect(&document_, &Document::content_changed, this, &StatusBar::say_state);
    connect(edges_, &QLabel::linkActivated, &counts, &EdgeCounts::count_again);
    connect(&counts, &EdgeCounts::counted, this, &StatusBar::say_edges);
    connect(&canvas_, &Canvas::camera_changed, this, &StatusBar::say_zoom);
    canvas_.installEventFilter(this);
    say_state();
    say_zoom();
    zoom_->setVisible(canvas_.isVisible());
}

// Whose zoom it is may be behind another page.
bool StatusBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide)
        zoom_->setVisible(event->type() == QEvent::Show);
    return QStatusBar::eventFilter(watched, event);
}

QLabel* StatusBar::add(const QString& name) {
    auto* label = new QLabel(this);
    label->setAccessibleName(name);
    addPermanentWidget(label);
    return label;
}

void StatusBar::say_state() {
    const bool open = !document_.empty();
    for (QLabel* label : {state_, edges_}) label->setVisible(open);
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
    const EdgeCounts& counts = EdgeCounts::of(document_);
    const std::optional<int> count = counts.of(document_.content().program());
    QString text = count ? tr("Buffered edges: %1").arg(*count) : QString();
    // What is not counted may be other states'.
    if (counts.given_up())
        text = count ? tr("%1, others not counted. <a href=\"count\">Count again</a>").arg(text)
                     : tr("Buffered edges not counted. <a href=\"count\">Count again</a>");
    edges_->setText(text);
    set_reachable_links(*edges_, counts.given_up());
}

void StatusBar::say_zoom() {
    const double percent = canvas_.camera().scale * 100;
    zoom_->setText(tr("%1 %").arg(QLocale().toString(percent, 'f', percent < 1 ? 1 : 0)));
}

}  // namespace blockscope

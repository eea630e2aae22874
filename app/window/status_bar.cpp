#include "app/window/status_bar.h"

#include <QEvent>
#include <QLocale>
#include <QToolTip>

#include "app/costs/costs.h"
#include "app/costs/forecast.h"
#include "app/scene/canvas.h"
#include "app/shell/controls.h"
#include "app/shell/progress.h"
#include "app/shell/step_look.h"
#include "app/shell/timeline_model.h"

namespace blockscope {

namespace {

constexpr int kAround = 6;  // as much as around the labels beside it
constexpr int kBadgeGap = 4;
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
    return {metrics.horizontalAdvance(text()) + sign_size(metrics) + kBadgeGap + 2 * kAround,
            metrics.height()};
}

void ProofBadge::paintEvent(QPaintEvent*) {
    const Colors& colors = colors_of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || hasFocus()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.tint);
        painter.drawRoundedRect(QRectF(rect()), 5, 5);
    }
    if (hasFocus()) paint_focus_ring(painter, rect(), colors.accent, 5);
    const int size = sign_size(fontMetrics());
    paint_verdict(painter, QRectF(kAround, (height() - size) / 2.0, size, size), proof_.verdict, colors);
    painter.setPen(color_of(proof_.verdict, colors));
    painter.drawText(rect().adjusted(kAround + size + kBadgeGap, 0, 0, 0), Qt::AlignVCenter, text());
}

StatusBar::StatusBar(Document& document, Services& services, Canvas& canvas, QWidget* parent)
    : QStatusBar(parent), document_(document), canvas_(canvas), best_state_(Best::of(document)) {
    setAccessibleName(tr("Status bar"));
    setSizeGripEnabled(false);
    auto* background = new StatusProgress(this);
    EdgeCounts& counts = EdgeCounts::of(document_);
    background->follow(services.proofs.work(), [&services] { services.proofs.cancel(); });
    background->follow(counts.work(), [&counts] { counts.cancel(); });
    Costs& costs = Costs::of(document_);
    background->follow(costs.work(), [&costs] { costs.cancel(); });
    Forecast& forecast = Forecast::of(document_);
    background->follow(forecast.work(), [&forecast] { forecast.cancel(); });
    addPermanentWidget(background);  // what is said stands at the left
    state_ = add(tr("Step"));
    best_ = add(tr("Best state"));
    edges_ = add(tr("Buffered edges"));
    addPermanentWidget(new ProofBadge(document_, services.proofs, this));
    zoom_ = add(tr("Zoom"));
    connect(&document_, &Document::content_changed, this, &StatusBar::say_state);
    connect(&best_state_, &Best::changed, this, &StatusBar::say_best);
    connect(best_, &QLabel::linkActivated, this, [this] { best_state_.go(); });
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
    say_best();
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
                               : tr("Initial program, %1 steps").arg(last);
    if (state.snapshot) text = tr("%1, snapshot").arg(text);
    state_->setText(text);
    say_edges();
}

// A star at the best state, elsewhere a link to it. An invisible sign stands before the link: from a link at
// the very start of a label Shift+Tab does not lead away.
void StatusBar::say_best() {
    const QString standing =
        document_.empty() ? QString() : best_state_.standing(document_.content().current);
    const bool here = !document_.empty() && best_state_.is_best(document_.content().current);
    best_->setVisible(!standing.isEmpty());
    best_->setText(here ? QStringLiteral("\u2605 ") + standing
                        : QStringLiteral("\u200b<a href=\"best\">%1</a>").arg(standing));
    best_->setToolTip(best_state_.sentence());
    best_->setAccessibleDescription(best_state_.sentence());
    set_reachable_links(*best_, !here);
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

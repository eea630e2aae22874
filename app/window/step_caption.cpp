#include "app/window/step_caption.h"

#include "app/document/document.h"
#include "app/panels/edge_counts.h"
#include "app/panels/step_look.h"
#include "app/scene/corner.h"
#include "app/window/appearance.h"

namespace blockscope {

StepCaption::StepCaption(Document& document, Appearance& appearance, QWidget* over)
    : QLabel(over), document_(document), appearance_(appearance) {
    setObjectName(QStringLiteral("step_caption"));
    setTextFormat(Qt::PlainText);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setVisible(false);
    new InCorner(this, Qt::BottomLeftCorner, 16);
    connect(&document, &Document::content_changed, this, &StepCaption::refresh);
    connect(&appearance, &Appearance::changed, this, &StepCaption::refresh);
    connect(&EdgeCounts::of(document), &EdgeCounts::counted, this, &StepCaption::refresh);
}

void StepCaption::refresh() {
    const bool shown = appearance_.presenting() && !document_.empty();
    if (shown) setText(words());
    if (shown) adjustSize();
    setVisible(shown);
}

QString StepCaption::words() const {
    const History& history = document_.content().history;
    const HistoryState& state = document_.content().state();
    EdgeCounts& edges = EdgeCounts::of(document_);
    const auto after = edges.of(state.program);
    QString text = tr("Before the first step");
    auto before = after;
    if (state.step) {
        const int last = history.depth(history.branch(document_.content().branch).tip);
        const RuleId rule = state.step->match.rule;
        text = tr("Step %1 of %2 · rule %3: %4")
                   .arg(history.depth(state.id))
                   .arg(last)
                   .arg(rule_text(rule), rule_name(rule));
        before = edges.of(history.state(state.parent).program);
    }
    if (!before || !after) return text;
    if (*before == *after && *after == 1) return text + tr(" · 1 buffered edge");
    if (*before == *after) return text + tr(" · %1 buffered edges").arg(*after);
    return text + tr(" · %1 → %2 buffered edges").arg(*before).arg(*after);
}

}  // namespace blockscope

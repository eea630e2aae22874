#include "app/panels/rule_combo.h"

#include "app/panels/step_look.h"
#include "app/words/words.h"

namespace blockscope {

RuleCombo::RuleCombo(QWidget* parent) : ElidedCombo(parent) {
    setAccessibleName(tr("Rule"));
    setToolTip(tr("One rule or all of them"));
    addItem(tr("All rules"), QString());
    for (const Rule& rule : rules())
        addItem(tr("%1  %2").arg(rule_text(rule.id), in_words(rule.name)), rule_text(rule.id));
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(12);
}

}  // namespace blockscope

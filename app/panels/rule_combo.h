// A list of all rules to choose one from; the first entry means all of them.
#pragma once

#include "app/panels/elided_combo.h"

namespace blockscope {

class RuleCombo : public ElidedCombo {
    Q_OBJECT

public:
    // The data of an entry is the rule's number as text, empty for all rules.
    explicit RuleCombo(QWidget* parent = nullptr);
};

}  // namespace blockscope

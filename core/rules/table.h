// The rules' entries, one function per file; rules() collects them.
#pragma once

#include "core/rules/rule.h"

namespace blockscope {

Rule rule_1();
Rule rule_2();
Rule rule_3();
Rule rule_4();
Rule rule_5();
Rule rule_6(char variant);  // 'a', 'b', 'c'
Rule rule_7(char variant);
Rule rule_8();
Rule rule_8_shift();
Rule rule_9();

}  // namespace blockscope

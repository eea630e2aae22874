// Programs that several tables use (notation: tests/support/graph_text.h).
#pragma once

namespace blockscope::test {

// Two consecutive maps over M, as one paragraph.
inline const char* const kChain = R"(
X: M|M
u = map M i:X {t = exp X; -> t}
v = map M i:u {t = neg u; -> t}
O = out v
)";

inline const char* const kSiblings = R"(
X: M|M
u = map M i:X {t = exp X; -> t}
v = map M i:X {t = neg X; -> t}
O = out u
P = out v
)";

inline const char* const kRowSum = R"(
X: N|MN
u = map N i:X {t = row_sum X; -> t}
s = sum N u
O = out s
)";

}  // namespace blockscope::test

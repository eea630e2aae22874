// Words that circuit documents share with their readers.
#pragma once

#include <string>
#include <vector>

namespace blockscope::circuit {

// In the order of OperatorKind.
const std::vector<std::string>& operator_names();
// In the order of BlockStyle.
inline const std::vector<std::string>& block_style_names() {
    static const std::vector<std::string> names = {"group", "repeat", "kernel", "split"};
    return names;
}
// In the order of PartitionKind: of an axis, and of a term.
inline const std::vector<std::string>& part_names() {
    static const std::vector<std::string> names = {"group", "stream"};
    return names;
}
// In the order of Overlap.
inline const std::vector<std::string>& overlap_names() {
    static const std::vector<std::string> names = {"inter", "intra"};
    return names;
}
// The kinds of terms.
inline const std::vector<std::string>& term_names() {
    static const std::vector<std::string> names = {"apply", "rearrange", "compose", "product",
                                                   "block", "groups",    "stream"};
    return names;
}

}  // namespace blockscope::circuit

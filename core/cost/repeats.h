// From when on a state counts as one that repeats work.
#pragma once

namespace blockscope {

// Times the unfused program's operations (Counts::replication): a state that does more may lose for its block
// sizes alone, and others are worth a look.
constexpr double kRepeatsWork = 1.1;

}  // namespace blockscope

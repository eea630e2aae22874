// The order of a program's inputs. It stays from step to step, until a rewrite has made it wrong.
#pragma once

#include "app/layout/arrange.h"
#include "app/layout/layout.h"

namespace blockscope {

// Other places in their row for inputs whose edges cross those of other inputs: `wishes` with one input
// elsewhere each, those that promise fewest crossings first. None if the order is as good as it gets, or the
// program has too many inputs for it to be seen.
std::vector<Wishes> other_orders(const Figure& figure, const Geometry& geometry, const Wishes& wishes);

}  // namespace blockscope

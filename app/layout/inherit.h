// Where things wish to be after a rewrite: where they or their ancestors were.
#pragma once

#include "app/layout/arrange.h"
#include "app/layout/dot.h"
#include "app/layout/layout.h"

namespace blockscope {

// Boxes that both pictures show are kept where they are. What was made appears in the middle of its
// ancestors; frames that hold nothing old are laid out by themselves first. Edges run where those that they
// stand for ran.
Wishes inherited(Dot& dot, const Figure& figure, const Tree& tree, const Picture& before,
                 const std::vector<Lineage>& made);

}  // namespace blockscope

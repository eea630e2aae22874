// Work that has time: the window, and the picture that it waits for, come first where there are few
// processors.
#pragma once

namespace blockscope {

enum class Patience {
    Little,  // the picture: the window itself comes first, all the same
    Some,    // a part of the window waits for it: what a panel shows
    Much,    // nobody looks at it now: proofs, counts along edges
};

// The calling thread yields to others from now on. There is no way back, so it is for threads of one purpose.
void be_patient(Patience patience = Patience::Much);

}  // namespace blockscope

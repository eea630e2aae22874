// Work that has time: the window, and what it waits for, come first where there are few processors.
#pragma once

namespace blockscope {

// The calling thread yields to others from now on. There is no way back, so it is for threads of one purpose.
void be_patient();

}  // namespace blockscope

// Whether the user has asked the system for less motion.
#pragma once

namespace blockscope {

// True if BLOCKSCOPE_REDUCED_MOTION is set (and not to 0), or if the desktop's settings files
// (gtk-enable-animations, AnimationDurationFactor of KDE) switch animations off. Reads the files.
bool asks_for_less_motion();
// The same as the program found it first.
bool motion_reduced();

}  // namespace blockscope

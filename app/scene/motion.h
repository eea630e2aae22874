// Whether the user has asked the system for less motion.
#pragma once

namespace blockscope {

// True if BLOCKSCOPE_REDUCED_MOTION is set (and not to 0), or if the desktop's settings
// (gtk-enable-animations, AnimationDurationFactor of KDE) switch animations off. Read once.
bool motion_reduced();

}  // namespace blockscope

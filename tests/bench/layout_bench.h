// Benchmarks of the layout of pictures.
#pragma once

namespace blockscope {

// layout/fresh and layout/follow against the number of nodes; stability/SAMPLE: the share of untouched blocks
// that move by more than 40 pixels in a step, median and worst over the sample's run.
void register_layout_benchmarks();

}  // namespace blockscope

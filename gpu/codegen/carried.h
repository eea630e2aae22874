// What a serial loop hands from one iteration to the next, and whether parts of the loop that run side by
// side can be put together afterwards (docs/gpu.md, "Reductions in parts").
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/loops/loop_program.h"

namespace blockscope::gpu {

struct Kernel;

// A value that is known behind the loop only.
struct Carried {
    enum class How : std::uint8_t {
        Sum,       // parts are added
        Largest,   // the largest of the parts: a running maximum of exponents
        Rescaled,  // added after each is multiplied by exp(its own maximum - the largest of all)
    };
    Temp temp;
    How how = How::Sum;
    Temp largest = {};  // Rescaled: the running maximum that it is relative to
};

// All that `loop`, a line of the kernel's body, hands on; or why parts of it cannot be put together: what
// follows "since ". Sums of the loop's own `+=`, and the running sums and maxima of online softmax
// (Blockbuster, appendix), which are recognised by what their lines compute and not by how they came about.
std::variant<std::vector<Carried>, std::string> carried_by(const Kernel& kernel, const Loop& loop);

}  // namespace blockscope::gpu

// The jobs of one panel off the interface thread: the newest counts, results of older ones are dropped.
#pragma once

#include "app/document/work.h"

namespace blockscope {

class Background : public Work {
public:
    using Work::Work;
    // Here and now, for what is known to be quick. Ends the job that runs.
    void run_now(const Job& job);
};

}  // namespace blockscope

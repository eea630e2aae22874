// What of CUDA is there, asked of a process of its own: a driver or compiler that crashes takes that process
// along, and not the window.
#pragma once

#include <QString>

#include "gpu/driver/diagnostics.h"

namespace blockscope {

struct AskedForCuda {
    gpu::Findings findings;
    QString trouble;  // a sentence, if there is no answer; empty: `findings` is what there is
    QString said;     // what the process wrote besides, where there is trouble
};

// Runs `program diagnostics --json`. Where that cannot be started, the libraries are opened in this process.
// Waits half a minute at most: not for the interface thread.
AskedForCuda ask_for_cuda(const QString& program);

}  // namespace blockscope

// Colours of CUDA source.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/shell/appearance.h"
#include "app/shell/code_view.h"
#include "app/worker/client.h"
#include "core/cost/models/model.h"
#include "core/graph/graph.h"
#include "core/support/stop_sign.h"
#include "gpu/driver/for_card.h"

namespace blockscope {

enum class CudaWord : std::uint8_t { Keyword, Type, Function, Number, Comment };

struct CudaToken {
    int start = 0, length = 0;
    CudaWord word = CudaWord::Keyword;
    bool operator==(const CudaToken&) const = default;
};

// The words of one line that have a colour. A word before '(' or '<' is a function unless it is a type's
// name: one with a capital, or of the language.
std::vector<CudaToken> cuda_tokens(const QString& line);

class CudaHighlighter : public LazyHighlighter {
    Q_OBJECT

public:
    CudaHighlighter(QTextDocument* document, Appearance& appearance);
    // Problems are plain text.
    void set_plain(bool plain) { plain_ = plain; }

protected:
    void colour(const QString& text) override;

private:
    Appearance& appearance_;
    bool plain_ = false;
};

// A state as CUDA, for reading: its kernels with the node of each line, or why there are none; and what the
// compiler makes of them. No Qt; both may take seconds and run off the interface thread. The compiler runs in
// a worker process: what becomes of it does not become of the window.
struct CudaChoice {
    std::optional<gpu::Target> target;   // empty: what suits the card
    std::string architecture = "sm_80";  // of the card
    std::optional<Device> device;        // that the source is for; empty: one of the card's generation
    bool is_card = false;                // that is there; else a target stands for cards of its generation
    ElemType elem = ElemType::F32;
    bool tf32 = false;     // of F32: products by tensor cores, operands rounded to 11 bits
    bool safe = true;      // the numerically safe form
    bool library = false;  // with the tile library in front
    bool operator==(const CudaChoice&) const = default;
};

struct CudaSource {
    gpu::KernelSet set;
    StateWork work;                      // of what the kernels compute, for forecasts
    std::vector<NodeId> kernel_nodes;    // of each launch, as `work` has them
    std::vector<gpu::SourceLine> lines;  // as shown; of problems, the operator that each is about
    std::string architecture;            // that it is compiled for
    std::string instead_of;              // why it is another target than suits the card best
    bool made = false;                   // else `lines` are the problems
};
// Ends with Stopped while `stop` is up.
CudaSource cuda_source(const ProgramPtr& program, const CudaChoice& choice,
                       const StopSign& stop = kNeverStop);

// One launch as the compiler reports it.
struct CudaKernel {
    std::string kernel;
    NodeId node;
    std::int64_t tiles = 0;  // thread blocks
    int threads = 0;         // of each
    int registers = 0;       // of a thread
    int spilled_bytes = 0;   // of a thread, stored
    int shared_bytes = 0;    // of a thread block, static and dynamic
    int resident = 0;        // thread blocks of a multiprocessor
    double occupancy = 0;    // share of its threads
};
struct CudaReport {
    std::vector<CudaKernel> kernels;
    std::string compiler;  // "NVRTC 13.0"
    std::string architecture;
    double seconds = 0;
    bool from_cache = false;
    std::vector<std::string> warnings;
    std::string problem;   // why it was not compiled, with the compiler's words; empty: it was
    Text lost;             // what became of the process that compiled, a sentence; empty: it answered
    bool missing = false;  // there is no compiler
};
// By the worker that `client` talks to; takes from the cache of CUBINs what was compiled before.
CudaReport compile_cuda(const CudaSource& source, worker::Client& client);

// What a model expects of these kernels; Blockscope's own one with the thread blocks that a multiprocessor
// holds by their shared memory and threads, and by their registers, too, where `report` is theirs (else
// null).
Prediction predicted(const CudaSource& source, const CudaReport* report, const Device& device,
                     const TimeModel& model);

}  // namespace blockscope

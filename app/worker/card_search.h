// Block sizes, threads and stages for a card: enumerated, ranked by the model, generated, compiled side by
// side, and ranked once more with the registers and shared memory that they really need. What is left is for
// measuring.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/worker/session.h"
#include "core/cost/device.h"
#include "core/measure/backend.h"

namespace blockscope::worker {

// What is known of one choice.
struct SearchRow {
    DimTable dims;
    int threads = 0;  // of a thread block; 0: not generated yet
    int stages = 0;   // of tiles in shared memory at once, the most of any load; 0: there are none
    // What was asked for to have these; 0: what the generator chooses by itself.
    int asked_threads = 0;
    int asked_stages = 0;
    double predicted_seconds = 0;
    // Of its kernels the largest, as the compiler reports them; `resident` thread blocks at once the least.
    bool compiled = false;
    int registers = 0;
    int spilled_bytes = 0;  // of a thread
    int shared_bytes = 0;   // of a thread block
    int resident = 0;
    std::string refused;  // why it is out: what cannot be generated or compiled
};

// Whether the row is of this task: its block sizes, threads and stages.
bool is_of(const SearchRow& row, const Task& task);

struct CardChoice {
    Task task;  // with these block sizes, and what the model expects of them
    SearchRow row;
};

struct CardSearch {
    std::string architecture;         // of the card: "sm_90a"
    Device device;                    // that the model predicts for
    int top = 8;                      // choices that come out
    std::vector<std::string> worker;  // the command of one; some of them compile side by side
    // What is known so far, whenever that is more: once kernels are there, and once they are compiled.
    std::function<void(const std::vector<SearchRow>& rows)> watch = [](const auto&) {};
};

struct CardSearchResult {
    std::vector<CardChoice> choices;  // best first; all have kernels
    std::vector<SearchRow> refused;   // the model liked them, but they cannot be had
    std::size_t considered = 0;       // combinations of block sizes
    bool compiled = false;            // false: there is no compiler where the workers are
};

// Blocks are powers of two from 16 to 256, and the whole dimension, where padding stays under 5% (MCFuser,
// rule 3), and values alive in a task fit an SM (rule 4). The task's own blocks are among them. The best of
// them come with the threads of a thread block that their values may be spread over (gpu::thread_choices),
// and with two, three or four stages where those make other kernels.
measure::Outcome<CardSearchResult> search_card(const Task& task, const CardSearch& search,
                                               const measure::WorkProgress& progress);

// The description for a card: calibrated, built in under its name, else that of another card of its
// generation, so that there is something to rank by.
Device description_for(const std::vector<Device>& devices, const std::string& calibrated,
                       const std::string& model, const std::string& architecture);

}  // namespace blockscope::worker

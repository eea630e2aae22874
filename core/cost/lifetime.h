// Which temporaries are alive at which line of a listing, and where a load stands once it has left the loops
// that do not need it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/cost/counts.h"
#include "core/cost/terms.h"

namespace blockscope {

// How many of the loops of `nest` (outermost first) stay around the load: it leaves serial loops that do not
// index it and do not store to its buffer, and loops of one block.
std::size_t hoisted_depth(const LoopProgram& program, const Nest& nest, const Load& load);

// Which temporaries are alive when: lifetime analysis of a loop program.

// Lines of the listing that a statement takes, its body's included.
int lines_of(const Statement& statement);

// What is alive while one line of the listing runs: made by then and read by it or later, or made by it.
struct LiveSet {
    NodeId node;
    int line = 0;  // from 0
    std::vector<Temp> alive;
    std::vector<Temp> before;  // those of them that are alive when the line begins
};

// One per line. Values are followed through the loops: what an iteration needs of the one before is alive in
// between, and what a loop carries is not, from its last use to its next value. A sum is made on entry to the
// loop that zeroes it, a load that is moved out of loops (LoadPlacement) on entry to the outermost of them. A
// loop of no iteration (a peeled one of a dimension in one block) makes and reads nothing.
std::vector<LiveSet> live_sets(const LoopProgram& program, LoadPlacement placement);

// The same with how much it is at most (largest_size), by line; and the first of the largest.
std::vector<LocalMemory> local_memory(const LoopProgram& program, const TempExtents& extents);
// Says how much it is at the sizes of `program`, which has the loops that the sets are of.
void set_sizes(std::vector<LocalMemory>& alive, const LoopProgram& program, const TempExtents& extents);
LocalMemory largest_of(const std::vector<LocalMemory>& alive);
// The most bytes that any line has in one of the places of cards, registers or tiles.
std::int64_t most_of(const std::vector<LocalMemory>& alive, std::int64_t LocalMemory::*place);

// How much of what a program keeps in temporaries is still needed at one time, found out as it runs.

// A value is alive from when it is set to when it is read last.
class ValueLives {
public:
    explicit ValueLives(int temps) : open_(static_cast<std::size_t>(temps) + 1) {}

    void next() { ++time_; }  // before every statement
    void set(int temp, std::int64_t size);
    // A number whose shape is not known yet: it has that of what the temporary is set to next.
    void set_unshaped(int temp);
    void grow(int temp, std::int64_t size);  // in place: a sum
    void read(int temp) { open_[static_cast<std::size_t>(temp)].last = time_; }

    // The most that was alive at one time. Nothing may follow.
    std::int64_t most();

private:
    struct Life {
        std::int64_t first = -1;  // -1: nothing is set
        std::int64_t last = -1;
        std::int64_t size = 0;
        bool unshaped = false;
    };
    void end(Life& life);

    std::int64_t time_ = 0;
    std::vector<Life> open_;             // by temporary
    std::vector<std::int64_t> changes_;  // of what is alive, by time
};

}  // namespace blockscope

// The numbers of `optimum`: block sizes that a search finds for a memory, with what they move and how long
// that takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/envelope.h"
#include "core/cost/device.h"
#include "core/loops/loop_program.h"
#include "core/napkin/levels.h"
#include "core/napkin/optimum.h"

namespace blockscope::cli {

struct SearchedProgram {
    LoopProgram built;                  // hidden blocks left out, as `cost` counts: what searches count
    std::optional<LoopProgram> masked;  // of a causal mask or a window: with the blocks that it hides
};

// Block sizes that a search found for a memory.
struct Searched {
    std::int64_t bytes = 0;                    // of the memory
    std::optional<napkin::BestBlocks> best;    // none fit
    std::optional<napkin::BestBlocks> masked;  // the same, if what a mask hides is loaded, too
    std::string from;                          // the level that feeds the memory; empty: no device
    double seconds = 0;                        // in which it does so
};

// Null if there is none of this name.
const circuit::ByteLevel* find_level(const std::vector<circuit::ByteLevel>& levels, const std::string& name);

// `level`: the one whose memory it is; null: none of a device.
Searched searched(const SearchedProgram& program, std::int64_t bytes, std::int64_t multiple,
                  const circuit::ByteLevel* level);
void print_searched(const Searched& found);
Json searched_json(const Searched& found);

// Equation 2 where there is no formula: a search for each level's own block sizes.
struct SearchedLevels {
    struct Level {
        circuit::ByteLevel level;
        Searched found;
    };
    std::vector<Level> levels;      // outermost first
    std::optional<double> seconds;  // none: nothing fits into some level
};

SearchedLevels searched_levels(const SearchedProgram& program, const Device& device, std::int64_t multiple);
void print_searched_levels(const SearchedLevels& searched, const Device& device);
Json searched_levels_json(const SearchedLevels& searched, const Device& device);

}  // namespace blockscope::cli

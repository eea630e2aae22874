// What a measurement is of, so that a result can be told from one of another program, state or size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace blockscope::measure {

struct Subject {
    std::string program;      // what people call it: the file's or document's name
    std::string state;        // "step 0", "snapshot 2", "snapshot 2, safe"
    std::string program_key;  // structure_key() of the initial program
    std::string state_key;    // structure_key() of the state that ran
    DimTable dims;            // names, sizes and blocks
    std::string elem;         // "f32": what runs, whatever the program declares
    std::string device;       // "cpu"
    std::string machine;      // CPU model and host; another machine's result is another result
    int threads = 0;          // 0: all

    bool operator==(const Subject&) const = default;
};

// 16 hexadecimal digits that two programs share if they have the same structure and operators, whatever their
// sizes, block sizes and node numbers.
std::string structure_key(const BlockProgram& program);

// The same for everything that makes a result comparable: both structures, sizes, blocks, type, device,
// machine, threads. Names for people do not count.
std::string subject_key(const Subject& subject);

// What differs between what was `measured` and what is asked for `now`, a sentence each: "The program has
// changed.", "The sizes differ: M was 4096/128 and is 2048/128." Empty if the result is still one of this
// (same subject key).
std::vector<std::string> stale_reasons(const Subject& measured, const Subject& now);

}  // namespace blockscope::measure

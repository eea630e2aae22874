// Tables of inputs that a reader refuses and of what it says about them (tests/hostile, for example).
//
//     ----- zero_size
//     dim M = 0
//     => f:1:9: found the number 0; expected the dimension's size in elements
//
// is the case `zero_size`: the input "dim M = 0\n", and the one thing that is said about it. A name may be
// missing. What stands before the first case explains the table; blank lines between cases do not count.
//
// Escapes, in inputs and in what is said:
//     %0D            the byte 0x0D, by two hexadecimal digits; %25 is the character % itself
//     %{1000 exp(}   "exp(" a thousand times; inside of it %7D is the character } and %0A a line break
//     %(5 2)         inside of a repetition: the number 5 + 2 i in round i, counted from 0
//     %              at a line's end joins it with the next line, whose leading spaces do not count; at the
//                    end of the input it drops the last line break
//
// A part called `===== NAME` is a text that cases change, and no case itself:
//
//     ----- block_id_zero
//     ~ block
//     - "id": 1
//     + "id": 0
//     => f#/graph/0/id: expected a whole number from 1 to 17, found 0
//
// replaces the first `"id": 1` of the text called block. Several changes are made one after the other.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace blockscope::test {

struct TextCase {
    std::string name;
    std::string input;
    std::vector<std::string> said;
};

// Throws std::runtime_error where the table is malformed, or a change finds nothing to replace.
std::vector<TextCase> text_cases(const std::filesystem::path& table);

// The lines of a text, for tables that hold one a line.
std::vector<std::string> lines_of(const std::string& text);

// What `say` gives for the cases' inputs where that is not what the table holds, case by case; empty if all
// agree. With BLOCKSCOPE_UPDATE=1 (./dev update) the table is written anew with what `say` gives; inputs stay
// as they are.
std::string said_otherwise(const std::filesystem::path& table,
                           const std::function<std::vector<std::string>(const TextCase&)>& say);

}  // namespace blockscope::test

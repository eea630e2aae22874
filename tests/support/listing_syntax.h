// Text of a listing -> tree, by the grammar of docs/listing.md and nothing else.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/support/listing_value.h"

namespace blockscope::reader {

struct Access {
    std::string array;
    std::vector<std::string> indices;  // loop variables or "0"
};

// An arithmetic expression over temporaries.
struct Formula {
    enum class Kind { Number, Temporary, Size, Call } kind = Kind::Number;
    double number = 0;
    int temporary = 0;
    std::string name;  // of a size: the dimension; of a call: for elementwise()
    std::vector<Formula> args;
};

struct Line {
    enum class Kind {
        Loop,
        Load,
        Store,
        Functional,
        AddFunctional,
        AddTemporary,
        Assign,
        Misc
    } kind = Kind::Loop;
    int number = 0;                       // from 1
    int temporary = 0;                    // left of = or +=, or stored
    Access access;                        // Load, Store
    std::string name;                     // function or miscellaneous operator
    std::vector<int> args;                // temporaries
    Formula formula;                      // Assign
    std::vector<Access> outputs, inputs;  // Misc
    bool parallel = false;                // Loop: forall
    std::string variable, dim;            // Loop
    std::string rows;                     // of range(visible(m,N)): m; M if one block holds all rows
    std::int64_t window = 0;              // of range(hidden(m,N,16),visible(m,N)): 16
    int start = 0;                        // Loop
    std::vector<Line> body;               // Loop
    std::set<int> assigned;               // Loop: temporaries set anywhere in the body
    std::set<int> accumulators;           // Loop: targets of += directly in the body
};

// `dims`: names of the program's dimensions. Throws ListingError with the line's number.
std::vector<Line> parse_listing(const std::string& text, const std::vector<std::string>& dims);

}  // namespace blockscope::reader

// Everything that is demanded of one program: the initial state, each step of the algorithm, random
// orders of the rules and the safe form are valid and equal to the program in exact arithmetic.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/fusion/trace.h"
#include "core/program/array_program.h"

namespace blockscope {

// A program under test: its initial block program, and what a state of it is compared with.
struct Subject {
    ProgramPtr initial;
    // Empty if the state equals the program, else what differs.
    std::function<std::string(const BlockProgram&)> difference;
};

// Reference: the array evaluator on random inputs at the program's own sizes.
Subject subject_of(const ArrayProgram& program, std::uint64_t seed);
// Reference: the initial state itself.
Subject subject_of(const BlockProgram& program, std::uint64_t seed);

constexpr const char* kGeneration = "generation and reference";

struct Failure {
    std::string stage;     // "fuse, step 7", "random order, step 3", "safe form", kGeneration
    std::string rule;      // the rule of the step; empty if it is none's
    std::string sentence;  // what is wrong
    int nodes = 0;         // size of the state before the step
};
std::string to_string(const Failure& failure);

struct Statistics {
    long programs = 0;
    long steps = 0;        // rewrites, all of them proven
    long walks_ended = 0;  // random orders that left no match
    long safe_forms = 0;
    long listings = 0;
    std::map<RuleId, long> applied;

    void add(const Statistics& other);
};

struct CheckOptions {
    int walks = 1;        // random orders of the rules
    int walk_steps = 60;  // most rewrites in one of them
    bool safe = true;
    bool listing = false;
};

// The first thing that is wrong. Never throws what a broken rule throws.
std::optional<Failure> check(const Subject& subject, std::uint64_t seed, const CheckOptions& options,
                             Statistics& statistics);

// Whether all inputs and outputs are arrays as programs declare them, so that a reader can execute the
// listing. Random block programs have others too.
bool reads_and_writes_arrays(const BlockProgram& program);

// Program number `seed` of the random sequence: most of them array programs, the others block programs.
bool is_array_seed(std::uint64_t seed);
std::optional<Failure> check_seed(std::uint64_t seed, const CheckOptions& options, Statistics& statistics);

}  // namespace blockscope

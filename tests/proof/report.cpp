#include "tests/proof/report.h"

#include "core/print/print.h"
#include "tests/proof/shrink.h"
#include "tests/support/random_blocks.h"
#include "tests/support/random_program.h"

namespace blockscope {

namespace {

std::string text_of(const ArrayProgram& program) {
    return print_program(program);
}
std::string text_of(const BlockProgram& program) {
    return outline(program);
}

// Checks once more, with more random orders: a smaller program takes others with the same seed.
template <class Program>
std::optional<Failure> failure_of(const Program& program, std::uint64_t seed, CheckOptions options) {
    Statistics statistics;
    options.walks *= 4;
    try {
        return check(subject_of(program, seed), seed, options, statistics);
    } catch (const std::exception& error) {
        return Failure{"reference", "", std::string("throws: ") + error.what(), 0};
    }
}

// Of the same rule, so that reducing does not wander to another defect.
template <class Program>
std::string reduced(const Program& program, std::uint64_t seed, const Failure& failure,
                    const CheckOptions& options) {
    const auto fails = [&](const Program& candidate) {
        const std::optional<Failure> found = failure_of(candidate, seed, options);
        return found && found->rule == failure.rule;
    };
    if (!fails(program)) return "not reduced: only this random order fails\n" + text_of(program);
    const Program small = shrink(program, fails);
    return "reduced to " + std::to_string(operator_count(small)) + " operators, which fail so:\n  " +
           to_string(*failure_of(small, seed, options)) + "\n\n" + text_of(small);
}

}  // namespace

std::string failure_report(std::uint64_t seed, const Failure& failure, const CheckOptions& options) {
    std::string head = "seed " + std::to_string(seed) + ": " + to_string(failure) +
                       "\n  (again: ./dev fuzz 1 " + std::to_string(seed) + ")\n";
    if (failure.stage == kGeneration) return head;
    if (is_array_seed(seed)) return head + reduced(random_array_program(seed), seed, failure, options);
    return head + reduced(random_block_program(seed), seed, failure, options);
}

}  // namespace blockscope

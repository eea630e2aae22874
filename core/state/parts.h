// A program taken apart into programs that share no value: four attentions side by side are four parts. A
// state's costs are then those of its parts, and of a run's states most parts are those of the state before.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/graph/graph.h"
#include "core/state/state.h"

namespace blockscope {

struct IndependentPart {
    // Its inputs, operators and outputs with all dimensions. Of parts that are alike this is the one that
    // came first: names and numbers of nodes may be those of another.
    ProgramPtr program;
    // Parts of one taker with the same number are alike but for names and the numbers of nodes.
    std::uint64_t number = 0;
};
using IndependentParts = std::vector<IndependentPart>;

// Takes the states of a run apart, one after the other: in little more time than it takes to look at each
// node once, and if a step has changed one part only, at each node of that.
class PartsOfStates {
public:
    PartsOfStates();
    PartsOfStates(PartsOfStates&& other) noexcept;
    PartsOfStates& operator=(PartsOfStates&& other) noexcept;
    ~PartsOfStates();

    // In the order in which their kernels run. Empty of a program whose costs are not those of its parts one
    // behind the other: one that is a single part, or whose parts take turns, or that hands an input on as a
    // result. Valid until the next call.
    const IndependentParts& of(const ProgramPtr& program);

private:
    class Taker;
    std::unique_ptr<Taker> taker_;
};

// What a part of a state is worth, worked out once for each part.
template <class Value>
class ValueOfParts {
public:
    explicit ValueOfParts(std::function<Value(const IndependentPart&)> of) : of_(std::move(of)) {}

    const Value& operator()(const IndependentPart& part) {
        const auto found = values_.find(part.number);
        return found != values_.end() ? found->second : values_.emplace(part.number, of_(part)).first->second;
    }

private:
    std::function<Value(const IndependentPart&)> of_;
    std::unordered_map<std::uint64_t, Value> values_;
};

// The bytes that the states of a run move between global and local memory: Counts::bytes(), in time for the
// parts that are not those of the state that was asked for before.
class BytesOfStates {
public:
    explicit BytesOfStates(const Form& form);

    std::int64_t of(const ProgramPtr& program);
    std::int64_t of(const IndependentParts& parts);  // at least one

private:
    struct Moved {
        std::int64_t inputs = 0, outputs = 0, intermediates = 0;
    };

    Form form_;
    PartsOfStates taker_;
    ValueOfParts<Moved> moved_;
    ProgramPtr last_;  // of those that do not come apart
    std::int64_t bytes_of_last_ = 0;
};

}  // namespace blockscope

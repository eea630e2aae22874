// Hand-made block programs, for what the algorithm never makes or makes only deep inside.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.h"

namespace blockscope::test {

// How a map takes or gives one value.
inline const MapInput kEach{PortIn::Iterated, -1};
inline const MapInput kWhole{PortIn::Broadcast, -1};
inline MapInput continues(int output) {
    return {PortIn::Continued, output};
}
inline const MapOutput kList{PortOut::Collected, 0};
inline const MapOutput kSum{PortOut::ReducedSum, 0};
inline const MapOutput kMax{PortOut::ReducedMax, 0};
inline MapOutput carried(double init) {
    return {PortOut::Carried, init};
}

inline ValueRef first_of(ValueRef ref, int count = 1) {
    ref.first = static_cast<std::uint16_t>(count);
    return ref;
}

using Values = std::vector<ValueRef>;

// Given the builder of a map's inner graph and its input ports, returns the values of its outputs.
using MakeBody = std::function<std::vector<ValueRef>(Builder&, const std::vector<ValueRef>&)>;

class HandMade {
public:
    // M 3 blocks, N 2, K 4, L 2, T 2; all ragged.
    HandMade();

    // A dimension by its letter; types as "MN:MN" (lists, then the item's axes).
    DimId dim(char name) const;
    Type type(const std::string& text) const;

    ValueRef input(const std::string& name, const std::string& type) {
        return top.input(this->type(type), {name});
    }
    void output(ValueRef value, const std::string& name) { top.output(value, name); }

    // A map over `dim` from `start`, in the graph that `builder` makes.
    std::vector<ValueRef> map(Builder& builder, char dim,
                              const std::vector<std::pair<ValueRef, MapInput>>& inputs,
                              const std::vector<MapOutput>& outputs, const MakeBody& body, int start = 0);

    BlockProgram program();

    DimTable dims;
    IdSource ids{1};
    Builder top;
};

ValueRef square(Builder& builder, ValueRef x);

// Expects that the program is printed as `text`, and that the text computes what the program does.
void expect_listing(HandMade& made, const std::string& text);

}  // namespace blockscope::test

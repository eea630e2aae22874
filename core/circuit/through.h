// Arrays on their way through a term, from left to right.
#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "core/circuit/term.h"
#include "core/support/cases.h"

namespace blockscope::circuit {

// What `term` makes of `in`. `again` takes them through a part of it; `own` are the cases of operators,
// products and partitions, the others only order arrays.
template <class Array, class Again, class... Own>
std::vector<Array> through(const Term& term, const std::vector<Array>& in, const Again& again, Own... own) {
    return std::visit(Cases{std::move(own)...,
                            [&](const Rearrange& what) {
                                std::vector<Array> out;
                                for (const int i : what.take)
                                    out.push_back(in.at(static_cast<std::size_t>(i)));
                                return out;
                            },
                            [&](const Compose& what) {
                                std::vector<Array> now = in;
                                for (const TermPtr& part : what.parts) now = again(*part, now);
                                return now;
                            },
                            [&](const Block& what) { return again(*what.body, in); }},
                      term.what);
}

}  // namespace blockscope::circuit

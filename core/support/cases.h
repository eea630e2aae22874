// One function object of several: the cases of std::visit.
#pragma once

namespace blockscope {

template <class... F>
struct Cases : F... {
    using F::operator()...;
};
template <class... F>
Cases(F...) -> Cases<F...>;

}  // namespace blockscope

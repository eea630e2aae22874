#include "core/circuit/layout/trace.h"

namespace blockscope::circuit {

namespace {

Producer through(const Axes& axes, const Product& what, int output) {
    int before_in = 0;
    int before_out = 0;
    int all = 0;
    for (const TermPtr& part : what.parts) all += static_cast<int>(part->codomain.size());
    for (const TermPtr& part : what.parts) {
        const int outputs = static_cast<int>(part->codomain.size());
        if (output < before_out + outputs) {
            Producer found = producer_of(axes, *part, output - before_out);
            if (!found.term) found.output += before_in;
            found.above += before_out;
            found.below += all - before_out - outputs;
            return found;
        }
        before_in += static_cast<int>(part->domain.size());
        before_out += outputs;
    }
    return {};
}

Producer through(const Axes& axes, const Compose& what, int output) {
    for (auto part = what.parts.rbegin(); part != what.parts.rend(); ++part) {
        const Producer found = producer_of(axes, **part, output);
        if (found.term) return found;
        output = found.output;
    }
    return {nullptr, output, 0, 0};
}

}  // namespace

bool is_trivial(const Axes& axes, const Partition& what) {
    const Axis& part = axis_of(axes, what.part);
    return !part.open && axis_of(axes, what.whole).size == part.size;
}

Producer producer_of(const Axes& axes, const Term& term, int output) {
    if (const auto* what = term.as<Rearrange>())
        return {nullptr, what->take.at(static_cast<std::size_t>(output)), 0, 0};
    if (const auto* what = term.as<Product>()) return through(axes, *what, output);
    if (const auto* what = term.as<Compose>()) return through(axes, *what, output);
    if (const auto* what = term.as<Block>()) return producer_of(axes, *what->body, output);
    if (const auto* what = term.as<Partition>(); what && is_trivial(axes, *what))
        return producer_of(axes, *what->body, output);
    return {&term, output, 0, 0};
}

}  // namespace blockscope::circuit

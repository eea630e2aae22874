#include "app/costs/heat_time.h"

#include "core/cost/lifetime.h"

namespace blockscope {

namespace {

bool is_operation(Quantity quantity) {
    return quantity == Quantity::Matrix || quantity == Quantity::Vector || quantity == Quantity::Special;
}

// Which unit or path of the machine a term of a model is about.
enum class Cause { Matrix, Vector, Special, Compute, Transfer, None };

Cause cause_of(const std::string& term) {
    if (term == "matrix") return Cause::Matrix;
    if (term == "vector") return Cause::Vector;
    if (term == "special") return Cause::Special;
    if (term == "compute") return Cause::Compute;
    for (const char* none : {"launch", "fill", "idle", "tasks", "calls"})
        if (term == none) return Cause::None;
    return Cause::Transfer;  // memory, shared memory, the caches by name, copies
}

double amount_for(Cause cause, const StateCosts& costs, const Term& term) {
    if (cause == Cause::Transfer) return moved_bytes(costs, term);
    const bool asked = cause == Cause::Matrix    ? term.quantity == Quantity::Matrix
                       : cause == Cause::Vector  ? term.quantity == Quantity::Vector
                       : cause == Cause::Special ? term.quantity == Quantity::Special
                       : cause == Cause::Compute ? is_operation(term.quantity)
                                                 : false;
    return asked ? static_cast<double>(value(term, costs.loops.dims)) : 0;
}

using LineTerms = std::vector<const Term*>;

double amount_of_all(const LineTerms& lines, Cause cause, const StateCosts& costs) {
    double sum = 0;
    for (const Term* term : lines) sum += amount_for(cause, costs, *term);
    return sum;
}

// The kernel whose lines are [first, end).
void share_out(const StateCosts& costs, const KernelTime& kernel, int first, int end,
               std::vector<TimeShare>& shares) {
    LineTerms lines;
    for (const Term& term : costs.terms)
        if (term.line >= first && term.line < end) lines.push_back(&term);
    double caused = 0;
    for (const TimeTerm& term : kernel.terms)
        if (amount_of_all(lines, cause_of(term.name), costs) > 0) caused += term.seconds;
    if (caused <= 0) {
        shares.push_back({first, kernel.node, {}, -1, {}, kernel.seconds, kernel.seconds, 1, 1});
        return;
    }
    for (const TimeTerm& term : kernel.terms) {
        const Cause cause = cause_of(term.name);
        const double all = amount_of_all(lines, cause, costs);
        const double whole = term.seconds * kernel.seconds / caused;
        if (all <= 0 || whole <= 0) continue;
        for (const Term* each : lines)
            if (const double amount = amount_for(cause, costs, *each); amount > 0)
                shares.push_back({each->line, each->node, each->value, each->buffer, term.name,
                                  whole * amount / all, whole, amount, all});
    }
}

}  // namespace

const Buffer& buffer_of(const StateCosts& costs, const Term& term) {
    return costs.loops.buffers.at(static_cast<std::size_t>(term.buffer));
}

double moved_bytes(const StateCosts& costs, const Term& term) {
    if (term.quantity != Quantity::LoadValues && term.quantity != Quantity::StoreValues) return 0;
    const Buffer& buffer = buffer_of(costs, term);
    if (buffer.source != InputSource::Array) return 0;
    return static_cast<double>(value(term, costs.loops.dims)) * bytes_per_element(buffer.type.elem());
}

std::vector<TimeShare> time_shares(const StateCosts& costs, const Prediction& predicted) {
    std::vector<TimeShare> shares;
    int first = 0;
    for (std::size_t i = 0; i < costs.loops.body.size(); ++i) {
        const int end = first + lines_of(costs.loops.body[i]);
        for (const KernelTime& kernel : predicted.kernels)
            if (kernel.kernel == static_cast<int>(i)) share_out(costs, kernel, first, end, shares);
        first = end;
    }
    return shares;
}

}  // namespace blockscope

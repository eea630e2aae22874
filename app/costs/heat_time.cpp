#include "app/costs/heat_time.h"

#include <algorithm>
#include <map>

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

// Of each statement of the body: the terms of its lines, in their order.
std::vector<LineTerms> terms_of_body(const StateCosts& costs, const std::vector<int>& ends) {
    std::vector<LineTerms> terms(ends.size());
    for (const Term& term : costs.terms) {
        const auto statement = std::upper_bound(ends.begin(), ends.end(), term.line) - ends.begin();
        if (term.line >= 0 && statement < std::ssize(terms))
            terms[static_cast<std::size_t>(statement)].push_back(&term);
    }
    return terms;
}

// The kernel that begins with line `first`.
void share_out(const StateCosts& costs, const KernelTime& kernel, int first, const LineTerms& lines,
               std::vector<TimeShare>& shares) {
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
    std::vector<int> ends;
    for (const Statement& statement : costs.loops.body)
        ends.push_back((ends.empty() ? 0 : ends.back()) + lines_of(statement));
    const std::vector<LineTerms> terms = terms_of_body(costs, ends);
    std::multimap<int, const KernelTime*> kernels;
    for (const KernelTime& kernel : predicted.kernels) kernels.emplace(kernel.kernel, &kernel);
    std::vector<TimeShare> shares;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const auto [begin, end] = kernels.equal_range(static_cast<int>(i));
        for (auto at = begin; at != end; ++at)
            share_out(costs, *at->second, i == 0 ? 0 : ends[i - 1], terms[i], shares);
    }
    return shares;
}

}  // namespace blockscope

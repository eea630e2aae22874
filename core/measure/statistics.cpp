#include "core/measure/statistics.h"

#include <algorithm>
#include <cmath>

#include "core/support/result.h"

namespace blockscope::measure {
namespace {

double quantile(const std::vector<double>& sorted, double p) {
    const double at = p * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    if (below + 1 >= sorted.size()) return sorted.back();
    const double part = at - static_cast<double>(below);
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

// log of the probability of `k` heads in `count` throws.
double log_binomial(int count, int k) {
    return std::lgamma(count + 1.0) - std::lgamma(k + 1.0) - std::lgamma(count - k + 1.0) -
           count * std::log(2.0);
}

}  // namespace

double median_coverage(int count, int k) {
    // The median lies outside if fewer than k samples are below it, or fewer than k above it.
    double tail = 0;
    for (int i = 0; i < k; ++i) tail += std::exp(log_binomial(count, i));
    return 1 - 2 * tail;
}

int median_rank(int count, double coverage) {
    double tail = 0;
    int k = 0;
    while (2 * k < count) {
        tail += std::exp(log_binomial(count, k));
        if (1 - 2 * tail < coverage) break;
        ++k;
    }
    return k;
}

Summary summarize(std::vector<double> samples) {
    if (samples.empty()) throw InternalError("a summary of no samples");
    std::sort(samples.begin(), samples.end());
    Summary summary;
    summary.count = static_cast<int>(samples.size());
    summary.min = samples.front();
    summary.max = samples.back();
    summary.q1 = quantile(samples, 0.25);
    summary.median = quantile(samples, 0.5);
    summary.q3 = quantile(samples, 0.75);
    const int rank = std::max(1, median_rank(summary.count));
    const auto k = static_cast<std::size_t>(rank);
    summary.interval = {samples[k - 1], samples[samples.size() - k]};
    summary.coverage = std::min(kCoverage, std::max(0.0, median_coverage(summary.count, rank)));
    return summary;
}

Ratio paired_ratio(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) throw InternalError("paired samples of different number");
    std::vector<double> ratios(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) ratios[i] = a[i] / b[i];
    const Summary summary = summarize(std::move(ratios));
    return {summary.median, summary.interval, summary.coverage, summary.count};
}

}  // namespace blockscope::measure

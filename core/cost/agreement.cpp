#include "core/cost/agreement.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/support/result.h"

namespace blockscope {

namespace {

void check(const std::vector<double>& x, const std::vector<double>& y) {
    if (x.size() != y.size()) throw InternalError("statistics of lists of different length");
}

double mean(const std::vector<double>& x) {
    return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

}  // namespace

CorrelationSums correlation_sums(const std::vector<double>& x, const std::vector<double>& y) {
    check(x, y);
    CorrelationSums sums;
    if (x.empty()) return sums;
    const double mx = mean(x);
    const double my = mean(y);
    for (std::size_t i = 0; i < x.size(); ++i) {
        sums.xx += (x[i] - mx) * (x[i] - mx);
        sums.yy += (y[i] - my) * (y[i] - my);
        sums.xy += (x[i] - mx) * (y[i] - my);
    }
    return sums;
}

std::optional<double> pearson(const std::vector<double>& x, const std::vector<double>& y) {
    const CorrelationSums sums = correlation_sums(x, y);
    if (x.size() < 2 || sums.xx <= 0 || sums.yy <= 0) return std::nullopt;
    return std::clamp(sums.xy / std::sqrt(sums.xx) / std::sqrt(sums.yy), -1.0, 1.0);
}

std::vector<double> ranks(const std::vector<double>& x) {
    std::vector<std::size_t> order(x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
    std::vector<double> result(x.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first + 1;
        while (end < order.size() && x[order[end]] <= x[order[first]]) ++end;
        const double shared = static_cast<double>(first + 1 + end) / 2;
        for (std::size_t i = first; i < end; ++i) result[order[i]] = shared;
        first = end;
    }
    return result;
}

std::optional<double> spearman(const std::vector<double>& x, const std::vector<double>& y) {
    check(x, y);
    return pearson(ranks(x), ranks(y));
}

std::optional<double> mean_absolute_percentage_error(const std::vector<double>& predicted,
                                                     const std::vector<double>& measured) {
    check(predicted, measured);
    if (predicted.empty()) return std::nullopt;
    double sum = 0;
    for (std::size_t i = 0; i < predicted.size(); ++i)
        sum += std::abs(predicted[i] - measured[i]) / measured[i];
    return sum / static_cast<double>(predicted.size());
}

std::size_t predicted_pick(const std::vector<double>& predicted, const std::vector<double>& measured) {
    check(predicted, measured);
    std::size_t pick = 0;
    for (std::size_t i = 1; i < predicted.size(); ++i) {
        const bool faster = predicted[i] < predicted[pick];
        const bool tie = !faster && predicted[i] <= predicted[pick];
        if (faster || (tie && measured[i] > measured[pick])) pick = i;
    }
    return pick;
}

std::optional<double> top1_regret(const std::vector<double>& predicted, const std::vector<double>& measured) {
    check(predicted, measured);
    if (predicted.empty()) return std::nullopt;
    return measured[predicted_pick(predicted, measured)] /
               *std::min_element(measured.begin(), measured.end()) -
           1;
}

Agreement agreement(const std::vector<double>& predicted, const std::vector<double>& measured) {
    check(predicted, measured);
    const auto usable = [](double seconds) { return std::isfinite(seconds) && seconds > 0; };
    std::vector<double> p;
    std::vector<double> m;
    for (std::size_t i = 0; i < predicted.size(); ++i) {
        if (!usable(predicted[i]) || !usable(measured[i])) continue;
        p.push_back(predicted[i]);
        m.push_back(measured[i]);
    }
    const auto logs = [](std::vector<double> x) {
        for (double& v : x) v = std::log(v);
        return x;
    };
    return {p.size(), pearson(logs(p), logs(m)), spearman(p, m), mean_absolute_percentage_error(p, m),
            top1_regret(p, m)};
}

}  // namespace blockscope

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

std::optional<double> pearson(const std::vector<double>& x, const std::vector<double>& y) {
    check(x, y);
    if (x.size() < 2) return std::nullopt;
    const double mx = mean(x);
    const double my = mean(y);
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    if (xx <= 0 || yy <= 0) return std::nullopt;
    return std::clamp(xy / std::sqrt(xx) / std::sqrt(yy), -1.0, 1.0);
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

std::optional<double> top1_regret(const std::vector<double>& predicted, const std::vector<double>& measured) {
    check(predicted, measured);
    if (predicted.empty()) return std::nullopt;
    const double pick = *std::min_element(predicted.begin(), predicted.end());
    double taken = 0;
    for (std::size_t i = 0; i < predicted.size(); ++i)
        if (predicted[i] <= pick) taken = std::max(taken, measured[i]);
    return taken / *std::min_element(measured.begin(), measured.end()) - 1;
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

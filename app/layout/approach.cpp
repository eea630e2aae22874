#include "app/layout/approach.h"

#include <algorithm>
#include <cmath>

namespace blockscope {

namespace {

// The shift of all of `tidy` that brings it closest to `held`: a weighted median.
double common_shift(const std::vector<double>& held, const std::vector<double>& tidy,
                    const std::vector<double>& weight) {
    std::vector<std::pair<double, double>> shifts;
    double total = 0;
    for (std::size_t i = 0; i < held.size(); ++i) {
        shifts.emplace_back(held[i] - tidy[i], weight[i]);
        total += weight[i];
    }
    std::sort(shifts.begin(), shifts.end());
    double sum = 0;
    for (const auto& [shift, w] : shifts) {
        sum += w;
        if (sum >= total / 2) return shift;
    }
    return 0;
}

}  // namespace

std::vector<double> approach(const Separations& separations, const Axis& axis, std::vector<double> tidy) {
    if (std::all_of(axis.most.begin(), axis.most.end(), [](double most) { return std::isinf(most); })) {
        const double all = common_shift(axis.wish, tidy, axis.weight);
        for (double& place : tidy) place += all;
        return tidy;
    }
    const std::vector<double> held =
        separations.nearest(axis.wish, axis.weight, Separations::Measure::Median);
    const double shift = common_shift(held, tidy, axis.weight);
    std::vector<double> lower(held.size()), upper(held.size());
    for (std::size_t i = 0; i < held.size(); ++i) {
        const double most = axis.most[i];
        const bool forced = std::abs(held[i] - axis.wish[i]) > most;
        lower[i] = std::min(held[i] - (forced ? most : 0), axis.wish[i] - most);
        upper[i] = std::max(held[i] + (forced ? most : 0), axis.wish[i] + most);
    }
    lower = separations.least(std::move(lower));
    upper = separations.greatest(std::move(upper));
    for (std::size_t i = 0; i < held.size(); ++i)
        tidy[i] = std::max(lower[i], std::min(tidy[i] + shift, upper[i]));
    return tidy;
}

double snapped(double value) {
    return std::floor(value + 0.5);
}

}  // namespace blockscope

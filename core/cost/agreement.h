// How well predictions agree with measurements.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace blockscope {

// What Pearson's coefficient is made of: sums of products of the differences from the means. It is
// xy / sqrt(xx yy).
struct CorrelationSums {
    double xx = 0;
    double yy = 0;
    double xy = 0;
};
CorrelationSums correlation_sums(const std::vector<double>& x, const std::vector<double>& y);
// Pearson's correlation coefficient; none for fewer than two pairs or where either side is constant.
std::optional<double> pearson(const std::vector<double>& x, const std::vector<double>& y);
// Spearman's: Pearson's of the ranks, ties sharing their mean rank.
std::optional<double> spearman(const std::vector<double>& x, const std::vector<double>& y);
// Ranks from 1, ties sharing their mean.
std::vector<double> ranks(const std::vector<double>& x);
// The mean of |predicted - measured| / measured; none without pairs.
std::optional<double> mean_absolute_percentage_error(const std::vector<double>& predicted,
                                                     const std::vector<double>& measured);
// The model's fastest choice; of choices that it finds equally fast the slowest one. Lists that are not
// empty.
std::size_t predicted_pick(const std::vector<double>& predicted, const std::vector<double>& measured);
// What trusting the model costs: measured time of its pick over the best measured time, less 1.
std::optional<double> top1_regret(const std::vector<double>& predicted, const std::vector<double>& measured);

struct Agreement {
    std::size_t count = 0;
    std::optional<double> pearson;  // of the logarithms: times span orders of magnitude
    std::optional<double> spearman;
    std::optional<double> error;   // mean absolute percentage error, 0.12 for 12%
    std::optional<double> regret;  // 0.05 for 5%
};
// Pairs with a time that is not positive and finite are left out.
Agreement agreement(const std::vector<double>& predicted, const std::vector<double>& measured);

}  // namespace blockscope

// How well predictions agree with measurements, and the parameters of Blockscope's model that fit them best.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/cost/models/model.h"

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

// Refits the free parameters of Blockscope's own model to measurements, by least squares of the logarithms of
// times, so that a factor counts the same for short and for long ones.

// A measured state.
struct FitSample {
    StateWork work;
    ModelSetting setting;
    double seconds = 0;
};

struct FitOptions {
    std::vector<std::string> parameters;  // to move; empty: all of the device's kind
    // How strongly parameters are held where they started: the misfit that a parameter's move by a factor of
    // e costs, in squared logarithms of one sample. What samples do not tell stays as it is.
    double hold = 0.02;
    int rounds = 60;  // at most
};

struct FitResult {
    std::vector<Parameter> parameters;  // all that were moved, with the fit as their source
    Agreement before;
    Agreement after;
    int rounds = 0;
    std::size_t samples = 0;  // that were used: positive, finite times
};

FitResult fit(const Device& device, const std::vector<FitSample>& samples, const FitOptions& options = {});

// The device with these parameters instead of its own of the same names. A source that it lacks is added:
// `source`, whose id the parameters carry.
Device with_parameters(const Device& device, const std::vector<Parameter>& parameters, const Source& source);

constexpr const char* kFitSource = "fit";

}  // namespace blockscope

// Refits the free parameters of Blockscope's own model to measurements, by least squares of the logarithms of
// times, so that a factor counts the same for short and for long ones.
#pragma once

#include <string>
#include <vector>

#include "core/cost/agreement.h"
#include "core/cost/models/model.h"

namespace blockscope {

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

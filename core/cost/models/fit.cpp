#include "core/cost/models/fit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "core/cost/models/model.h"
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
    return {.count = p.size(),
            .pearson = pearson(logs(p), logs(m)),
            .spearman = spearman(p, m),
            .error = mean_absolute_percentage_error(p, m),
            .regret = top1_regret(p, m)};
}

namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

// Solves a x = b for a symmetric positive definite matrix (Cholesky). Empty if it is none.
Vector solve(Matrix a, Vector b) {
    const std::size_t n = b.size();
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k];
        if (!(a[j][j] > 0)) return {};
        a[j][j] = std::sqrt(a[j][j]);
        for (std::size_t i = j + 1; i < n; ++i) {
            for (std::size_t k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
    return b;
}

// A parameter that the fit moves. Those that may be 0 move by themselves, all others by their logarithm.
struct MovedBytes {
    const ModelParameter* parameter;
    double start = 0;
    double least = 0;
    double most = 0;

    bool linear() const { return parameter->least <= 0; }
    double coordinate(double value) const { return linear() ? value : std::log(value); }
    double value(double coordinate_) const { return linear() ? coordinate_ : std::exp(coordinate_); }
};

class Fitter {
public:
    Fitter(const Device& device, const std::vector<FitSample>& samples, const FitOptions& options)
        : device_(device), options_(options) {
        for (const FitSample& sample : samples)
            if (std::isfinite(sample.seconds) && sample.seconds > 0) samples_.push_back(&sample);
        for (const ModelParameter& known : blockscope_parameters(device.kind)) {
            const auto& wanted = options.parameters;
            if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), known.name) == wanted.end())
                continue;
            MovedBytes moved{&known};
            moved.start = moved.coordinate(blockscope_parameter(device, known.name));
            moved.least = moved.coordinate(known.least);
            moved.most = moved.coordinate(known.most);
            moved_.push_back(moved);
        }
    }

    FitResult run() {
        FitResult result;
        result.samples = samples_.size();
        Vector at;
        for (const MovedBytes& moved : moved_) at.push_back(moved.start);
        result.before = agreement_at(at);
        if (!samples_.empty()) at = descend(std::move(at), result.rounds);
        result.after = agreement_at(at);
        result.parameters = parameters(at);
        return result;
    }

private:
    std::vector<Parameter> parameters(const Vector& at) const {
        char how[96];
        std::snprintf(how, sizeof how, "least squares of log times over %zu measurements", samples_.size());
        std::vector<Parameter> list;
        for (std::size_t i = 0; i < moved_.size(); ++i) {
            // A figure is positive; what reads it limits it to the parameter's bounds.
            const double value = std::max(moved_[i].value(at[i]), 1e-12);
            list.push_back({moved_[i].parameter->name, {value, kFitSource, how}});
        }
        return list;
    }

    Vector predictions(const Vector& at) const {
        const Device device = with_parameters(device_, parameters(at), {kFitSource, "fit", ""});
        const TimeModel model = blockscope_model();
        Vector seconds;
        for (const FitSample* sample : samples_)
            seconds.push_back(predict(model, sample->work, device, sample->setting).seconds);
        return seconds;
    }

    Agreement agreement_at(const Vector& at) const {
        Vector measured;
        for (const FitSample* sample : samples_) measured.push_back(sample->seconds);
        return agreement(predictions(at), measured);
    }

    // Logarithms of predicted over measured times, then the pulls back to the start.
    Vector residuals(const Vector& at) const {
        Vector r = predictions(at);
        for (std::size_t i = 0; i < r.size(); ++i) r[i] = std::log(r[i] / samples_[i]->seconds);
        for (std::size_t i = 0; i < at.size(); ++i)
            r.push_back(std::sqrt(options_.hold) * (at[i] - moved_[i].start));
        return r;
    }

    static double squares(const Vector& r) {
        double sum = 0;
        for (const double v : r) sum += v * v;
        return sum;
    }

    // Derivatives of the residuals, by differences that stay within the bounds.
    Matrix derivatives(const Vector& at, const Vector& r) const {
        Matrix columns;
        for (std::size_t i = 0; i < at.size(); ++i) {
            Vector moved = at;
            const double step = at[i] + 1e-4 <= moved_[i].most ? 1e-4 : -1e-4;
            moved[i] += step;
            Vector column = residuals(moved);
            for (std::size_t k = 0; k < column.size(); ++k) column[k] = (column[k] - r[k]) / step;
            columns.push_back(std::move(column));
        }
        return columns;
    }

    // A step of Levenberg and Marquardt, kept within the bounds.
    Vector stepped(const Vector& at, const Vector& r, const Matrix& columns, double damping) const {
        const std::size_t n = at.size();
        Matrix normal(n, Vector(n, 0));
        Vector right(n, 0);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t k = 0; k < r.size(); ++k) normal[i][j] += columns[i][k] * columns[j][k];
            for (std::size_t k = 0; k < r.size(); ++k) right[i] -= columns[i][k] * r[k];
            normal[i][i] += damping * (normal[i][i] + 1e-6);
        }
        const Vector step = solve(std::move(normal), std::move(right));
        Vector next = at;
        for (std::size_t i = 0; i < step.size(); ++i)
            next[i] = std::clamp(at[i] + step[i], moved_[i].least, moved_[i].most);
        return next;
    }

    Vector descend(Vector at, int& rounds) const {
        Vector r = residuals(at);
        double damping = 1e-2;
        for (rounds = 0; rounds < options_.rounds; ++rounds) {
            const Matrix columns = derivatives(at, r);
            bool better = false;
            double gain = 0;
            while (!better && damping < 1e8) {
                const Vector next = stepped(at, r, columns, damping);
                Vector there = residuals(next);
                gain = squares(r) - squares(there);
                better = gain > 0;
                damping *= better ? 0.3 : 5;
                if (!better) continue;
                at = next;
                r = std::move(there);
            }
            if (!better || gain < 1e-9 * (1 + squares(r))) break;
        }
        return at;
    }

    const Device& device_;
    const FitOptions& options_;
    std::vector<const FitSample*> samples_;
    std::vector<MovedBytes> moved_;
};

}  // namespace

FitResult fit(const Device& device, const std::vector<FitSample>& samples, const FitOptions& options) {
    return Fitter(device, samples, options).run();
}

Device with_parameters(const Device& device, const std::vector<Parameter>& parameters, const Source& source) {
    Device changed = device;
    for (const Parameter& parameter : parameters) {
        const auto found = std::find_if(changed.parameters.begin(), changed.parameters.end(),
                                        [&](const Parameter& p) { return p.name == parameter.name; });
        if (found == changed.parameters.end())
            changed.parameters.push_back(parameter);
        else
            *found = parameter;
    }
    const auto same = [&](const Source& s) { return s.id == source.id; };
    const auto known = std::find_if(changed.sources.begin(), changed.sources.end(), same);
    if (known == changed.sources.end())
        changed.sources.push_back(source);
    else
        *known = source;
    return changed;
}

}  // namespace blockscope

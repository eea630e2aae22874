#include "core/cost/models/model.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace blockscope {

namespace {

void add_terms(std::vector<TimeTerm>& to, const std::vector<TimeTerm>& more) {
    for (const TimeTerm& term : more) {
        const auto found =
            std::find_if(to.begin(), to.end(), [&](const TimeTerm& t) { return t.name == term.name; });
        if (found == to.end())
            to.push_back(term);
        else
            found->seconds += term.seconds;
    }
}

void add_levels(std::vector<LevelBytes>& to, const std::vector<LevelBytes>& more) {
    for (const LevelBytes& level : more) {
        const auto found =
            std::find_if(to.begin(), to.end(), [&](const LevelBytes& l) { return l.level == level.level; });
        if (found == to.end())
            to.push_back(level);
        else
            found->bytes += level.bytes;
    }
}

// The term that binds the kernels that take most of the time.
std::string binding_of(const std::vector<KernelTime>& kernels) {
    std::vector<TimeTerm> shares;
    for (const KernelTime& kernel : kernels)
        if (kernel.binding >= 0)
            add_terms(shares,
                      {{kernel.terms[static_cast<std::size_t>(kernel.binding)].name, kernel.seconds}});
    return shares.empty() ? "" : shares[static_cast<std::size_t>(largest(shares))].name;
}

Text summary(const Prediction& prediction) {
    if (prediction.kernels.empty()) return Text("Nothing runs.");
    double bound = 0;
    for (const KernelTime& kernel : prediction.kernels)
        if (kernel.binding >= 0 &&
            kernel.terms[static_cast<std::size_t>(kernel.binding)].name == prediction.binding)
            bound += kernel.seconds;
    const int percent =
        prediction.seconds > 0 ? static_cast<int>(std::lround(100 * bound / prediction.seconds)) : 0;
    return Text("%1, %2% of it in kernels that %3 binds.", seconds_text(prediction.seconds), percent,
                term_text(prediction.binding));
}

std::string scaled(double value, const std::vector<std::pair<double, const char*>>& units, int more = 0) {
    char text[64];
    for (const auto& [scale, unit] : units) {
        const double v = value / scale;
        if (v < 0.9995 && &unit != &units.back().second) continue;
        const int digits = more + (v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2);
        std::snprintf(text, sizeof text, "%.*f %s", digits, v, unit);
        return text;
    }
    return "0";
}

}  // namespace

Prediction predict(const TimeModel& model, const StateWork& state, const Device& device,
                   const ModelSetting& setting) {
    Prediction prediction;
    prediction.kernels = model.kernels({state, device, setting});
    for (const KernelTime& kernel : prediction.kernels) {
        prediction.seconds += kernel.seconds;
        add_terms(prediction.terms, kernel.terms);
        add_levels(prediction.levels, kernel.levels);
    }
    prediction.binding = binding_of(prediction.kernels);
    prediction.sentence = summary(prediction);
    return prediction;
}

double busy_processors(const ModelInput& input) {
    const double all = input.device.processors.value;
    return input.setting.processors > 0 ? std::min<double>(input.setting.processors, all) : all;
}

UnitSeconds unit_seconds(const KernelWork& kernel, const Device& device, bool plain_vector) {
    UnitSeconds seconds;
    double known = 0;
    for (const MatrixWork& product : kernel.products) {
        seconds.matrix += product.flops / device_rate(device, Unit::Matrix, product.elem);
        known += product.flops;
    }
    const double rest = std::max(0.0, kernel.matrix - known);
    seconds.matrix += rest / device_rate(device, Unit::Matrix, kernel.elem);
    const double slots = plain_vector ? 2 : 1;
    seconds.vector = slots * kernel.vector / device_rate(device, Unit::Vector, ElemType::F32);
    seconds.special = kernel.special / device_rate(device, Unit::Special, ElemType::F32);
    return seconds;
}

int largest(const std::vector<TimeTerm>& terms) {
    const auto found = std::max_element(terms.begin(), terms.end(), [](const TimeTerm& a, const TimeTerm& b) {
        return a.seconds < b.seconds;
    });
    return found == terms.end() ? -1 : static_cast<int>(found - terms.begin());
}

void add_up(KernelTime& time) {
    time.binding = largest(time.terms);
    time.seconds = 0;
    for (const TimeTerm& term : time.terms) time.seconds += term.seconds;
}

double seconds_of(const std::vector<TimeTerm>& terms, const std::string& name) {
    for (const TimeTerm& term : terms)
        if (term.name == name) return term.seconds;
    return 0;
}

Text term_text(const std::string& name) {
    static const std::vector<Text> kTerms = {
        Text("matrix"), Text("vector"),  Text("special"), Text("moves"), Text("calls"),   Text("idle"),
        Text("tasks"),  Text("launch"),  Text("packing"), Text("fill"),  Text("combine"), Text("atomics"),
        Text("shared"), Text("compute"), Text("memory"),  Text("again"),
    };
    for (const Text& term : kTerms)
        if (term == name) return term;
    return {name};
}

std::string seconds_text(double seconds) {
    return scaled(seconds, {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}});
}

namespace {

std::string bytes_with(double bytes, int more_digits) {
    if (bytes == 0) return "0 B";
    return scaled(bytes, {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}, more_digits);
}

}  // namespace

std::string bytes_text_of(double bytes) {
    return bytes_with(bytes, 0);
}

TwoTexts bytes_texts_of(double before, double after) {
    constexpr int kMostMore = 12;  // a terabyte to the byte
    TwoTexts texts{bytes_text_of(before), bytes_text_of(after)};
    for (int more = 1; more <= kMostMore && before != after && texts.before == texts.after; ++more)
        texts = {bytes_with(before, more), bytes_with(after, more)};
    return texts;
}

std::string times_text(double times) {
    char text[32];
    std::snprintf(text, sizeof text, times < 9.95 ? "%.1f" : "%.0f", times);
    std::string result = text;
    if (result.size() > 2 && result.ends_with(".0")) result.resize(result.size() - 2);
    return result;
}

std::string rate_text(double per_second, const std::string& unit) {
    return scaled(per_second, {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1, ""}}) + unit + "/s";
}

namespace {

double touched(const StateWork& state, const KernelWork& kernel) {
    double bytes = 0;
    for (const BufferWork& of : kernel.buffers)
        if (!state.buffers[static_cast<std::size_t>(of.buffer)].generated) bytes += of.distinct;
    return bytes;
}

bool uses(const KernelWork& kernel, int buffer) {
    return std::any_of(kernel.buffers.begin(), kernel.buffers.end(),
                       [&](const BufferWork& of) { return of.buffer == buffer; });
}

// Whether a cache that keeps so many bytes has room for `bytes` and what runs between two runs of the state.
bool fit_beside(const StateWork& state, double bytes, double keeps) {
    if (!state.between) return bytes <= keeps;
    BytesBetween& between = *state.between;
    const double room = keeps - bytes;
    const bool fit = between.bytes <= room;
    double& bound = fit ? between.most : between.least;
    bound = fit ? std::min(bound, room) : std::max(bound, room);
    return fit;
}

// Whether a buffer is still in a cache of `keeps` bytes: some kernel used it before this one, and what was
// touched since, that kernel's and this one's bytes included, fits.
bool stays(const StateWork& state, int kernel, int buffer, double keeps, bool warm) {
    const int count = static_cast<int>(state.kernels.size());
    double bytes = touched(state, state.kernels[static_cast<std::size_t>(kernel)]);
    for (int back = 1; back <= count && bytes <= keeps; ++back) {
        if (back > kernel && !warm) return false;
        const KernelWork& earlier = state.kernels[static_cast<std::size_t>((kernel - back + count) % count)];
        if (back < count) bytes += touched(state, earlier);
        if (back != count && !uses(earlier, buffer)) continue;
        return back > kernel ? fit_beside(state, bytes, keeps) : bytes <= keeps;  // in the end itself
    }
    return false;
}

}  // namespace

double touched_bytes(const StateWork& state) {
    double bytes = 0;
    for (const KernelWork& kernel : state.kernels) bytes += touched(state, kernel);
    return bytes;
}

Passing passing(const StateWork& state, int kernel, const CacheView& cache, double keeps, bool warm) {
    const KernelWork& work = state.kernels[static_cast<std::size_t>(kernel)];
    const std::vector<double> missed = misses(state, work, cache);
    Passing passing;
    for (std::size_t i = 0; i < missed.size(); ++i) {
        const BufferWork& of = work.buffers[i];
        const double all = of.loaded + of.stored;
        if (all <= 0) continue;
        double bytes = missed[i];
        if (stays(state, kernel, of.buffer, keeps, warm)) bytes = std::max(0.0, bytes - of.distinct);
        passing.loaded += bytes * of.loaded / all;
        passing.stored += bytes * of.stored / all;
    }
    return passing;
}

double overlapped(const std::vector<double>& resources, double overlap) {
    double sum = 0;
    double longest = 0;
    for (const double r : resources) {
        sum += r;
        longest = std::max(longest, r);
    }
    return longest + (1 - overlap) * (sum - longest);
}

}  // namespace blockscope

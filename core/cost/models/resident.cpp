#include "core/cost/models/resident.h"

#include <algorithm>

namespace blockscope {

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

// Whether a buffer is still in a cache of `keeps` bytes: some kernel used it before this one, and what was
// touched since, that kernel's and this one's bytes included, fits.
bool stays(const StateWork& state, int kernel, int buffer, double keeps, bool warm) {
    const int count = static_cast<int>(state.kernels.size());
    double bytes = touched(state, state.kernels[static_cast<std::size_t>(kernel)]);
    for (int back = 1; back <= count && bytes <= keeps; ++back) {
        if (back > kernel && !warm) return false;
        const KernelWork& earlier = state.kernels[static_cast<std::size_t>((kernel - back + count) % count)];
        if (back < count) bytes += touched(state, earlier);
        if (uses(earlier, buffer)) return bytes <= keeps;
    }
    return false;
}

}  // namespace

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

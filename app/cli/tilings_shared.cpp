// Shared memory that equation 1 estimates, against what the kernels that we generate take: Fig. 10.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <numeric>

#include "app/cli/terminal.h"
#include "app/cli/tilings.h"
#include "core/tilings/schedule.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/driver/for_card.h"
#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::tilings {

using namespace cli;  // NOLINT(google-build-using-namespace): a command, of the tilings' own names

namespace {

// Candidates that rule 3 keeps, whatever they take, those that rule 4 drops among them. Spread by a stride of
// the golden section, so that no loop has the same tile in all of them.
std::vector<Candidate> sampled(const TilingsResult& result, int sample) {
    const Space& space = result.space;
    std::vector<std::vector<std::int64_t>> tiles{{}};
    for (const std::vector<TileSize>& sizes : space.sizes) {
        std::vector<std::vector<std::int64_t>> longer;
        for (const std::vector<std::int64_t>& each : tiles)
            for (const TileSize& size : sizes)
                if (size.kept) {
                    longer.push_back(each);
                    longer.back().push_back(size.size);
                }
        tiles = std::move(longer);
    }
    std::vector<int> expressions;
    for (std::size_t i = 0; i < space.expressions.size(); ++i)
        if (space.expressions[i].kept()) expressions.push_back(static_cast<int>(i));
    const std::size_t all = tiles.size() * expressions.size();
    const std::size_t count = std::min(all, static_cast<std::size_t>(sample));
    std::vector<Candidate> chosen;
    auto stride = static_cast<std::size_t>(static_cast<double>(all) * 0.618);
    while (std::gcd(stride, all) != 1) ++stride;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t number = i * stride % all;
        const std::vector<std::int64_t>& own = tiles[number % tiles.size()];
        chosen.push_back({.expression = expressions[number / tiles.size()],
                          .tiles = own,
                          .shared = shared_bytes(space.chain, own, space.rules.tiles)});
    }
    std::stable_sort(chosen.begin(), chosen.end(),
                     [](const Candidate& a, const Candidate& b) { return a.shared < b.shared; });
    return chosen;
}

// The narrow type of the arrays decides whether tensor cores are for them.
gpu::Target target_of(const TilingsResult& result) {
    return gpu::target_for(gpu::capability_of(result.device), result.space.chain.elem);
}

// What a kernel would take that the generator refuses for its size; 0: it refuses it for something else.
std::int64_t wanted_bytes(const Text& refusal) {
    if (refusal.english().starts_with("%1 KiB of shared memory"))
        return std::stoll(refusal.arguments().front().str()) * 1024;
    for (const Text& part : refusal.arguments())
        if (const std::int64_t bytes = wanted_bytes(part); bytes > 0) return bytes;
    return 0;
}

class SharedKernels {
public:
    SharedKernels(const TilingsResult& result, const gpu::Nvrtc& nvrtc)
        : result_(result), nvrtc_(nvrtc), cache_(gpu::cubin_folder()) {}

    SharedPoint point(const Candidate& candidate) const {
        SharedPoint made{.candidate = candidate};
        const Space& space = result_.space;
        const Result<Schedule> schedule = schedule_of(space.chain, space.judged(candidate), candidate.tiles);
        if (!schedule) return refused(made, schedule.problems().front().message.str());
        if (!schedule->listed.empty())
            return refused(made, "its partial tiles are lists, which our kernels keep in global memory");
        gpu::CodegenOptions options;
        options.target = target_of(result_);
        options.reference = false;
        const State state(schedule->program, safe_form());
        const Result<gpu::KernelSet> set = gpu::generate(state.loops(), options);
        if (!set) {
            made.layout = wanted_bytes(set.problems().front().message);
            return refused(made, set.problems().front().message.str());
        }
        for (const gpu::Launch& launch : set->launches)
            made.layout = std::max<std::int64_t>(made.layout, launch.shared_bytes);
        if (nvrtc_) compile(*set, made);
        return made;
    }

private:
    static SharedPoint refused(SharedPoint& made, const std::string& why) {
        made.refused = why;
        return made;
    }

    void compile(const gpu::KernelSet& set, SharedPoint& made) const {
        const auto compiled = cache_.compile(nvrtc_, gpu::source(set), gpu::architecture_of(set.target));
        if (!compiled) {
            made.refused = compiled.problems().front().message.str();
            return;
        }
        for (const gpu::Launch& launch : set.launches)
            made.compiled =
                std::max<std::int64_t>(made.compiled, gpu::needs_of(launch, &*compiled).shared_bytes);
    }

    const TilingsResult& result_;
    const gpu::Nvrtc& nvrtc_;
    gpu::CubinCache cache_;
};

// The paper's quadrants, of what was generated.
struct Quadrants {
    int agree = 0;    // I and III: kept and fits, or dropped and does not
    int kept = 0;     // II: kept, and does not fit
    int dropped = 0;  // IV: dropped, and fits
    int count() const { return agree + kept + dropped; }
};

Quadrants quadrants(const TilingsResult& result, const SharedMemory& shared) {
    Quadrants found;
    for (const SharedPoint& point : shared.points) {
        const std::int64_t taken = std::max(point.layout, point.compiled);
        if (taken == 0) continue;
        const bool fits = taken <= shared.limit;
        const bool survives = point.candidate.shared <= result.space.limit;
        ++(fits == survives ? found.agree : survives ? found.kept : found.dropped);
    }
    return found;
}

double median_ratio(const SharedMemory& shared) {
    std::vector<double> ratios;
    for (const SharedPoint& point : shared.points)
        if (point.layout > 0)
            ratios.push_back(static_cast<double>(std::max(point.layout, point.compiled)) /
                             static_cast<double>(point.candidate.shared));
    if (ratios.empty()) return 0;
    std::nth_element(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2),
                     ratios.end());
    return ratios[ratios.size() / 2];
}

}  // namespace

SharedMemory shared_memory(const TilingsResult& result, int sample) {
    if (result.device.kind != DeviceKind::Gpu)
        throw UsageError("--plot fig10 is of kernels for cards; " + result.device.name + " is none");
    SharedMemory shared{.limit = gpu::shared_limit(target_of(result)),
                        .of = static_cast<int>(result.space.funnel[3].left)};
    const gpu::Nvrtc nvrtc = gpu::Nvrtc::open();
    if (nvrtc)
        shared.architecture = gpu::architecture_of(target_of(result));
    else
        shared.why_not = "NVRTC is not here, hence the layout of the generated kernels alone";
    const SharedKernels kernels(result, nvrtc);
    Progress progress("kernels");
    for (const Candidate& candidate : sampled(result, sample)) {
        progress.at(static_cast<int>(shared.points.size()) + 1, sample);
        shared.points.push_back(kernels.point(candidate));
    }
    return shared;
}

void print_shared(const TilingsResult& result, const SharedMemory& shared) {
    std::vector<Row> rows{{"candidate", "equation 1", "layout", "compiled", ""}};
    for (const SharedPoint& point : shared.points)
        rows.push_back({to_string(result.space, point.candidate), bytes_text(point.candidate.shared),
                        point.layout > 0 ? bytes_text(point.layout) : "-",
                        point.compiled > 0 ? bytes_text(point.compiled) : "-", point.refused});
    std::cout << "\nShared memory of " << shared.points.size() << " of " << shared.of
              << " candidates that rule 3 keeps";
    if (!shared.architecture.empty()) std::cout << ", compiled for " << shared.architecture;
    std::cout << ":\n\n";
    print_table(rows, Align::Left, style_for(1));
    if (!shared.why_not.empty()) std::cout << shared.why_not << ".\n";
    const Quadrants found = quadrants(result, shared);
    if (found.count() == 0) {
        std::cout << "None of them could be generated.\n";
        return;
    }
    const auto share = [&](int count) {
        char text[32];
        std::snprintf(text, sizeof text, "%.1f%%", 100.0 * count / found.count());
        return std::string(text);
    };
    char ratio[32];
    std::snprintf(ratio, sizeof ratio, "%.2f", median_ratio(shared));
    std::cout
        << "Of " << found.count() << " that were generated rule 4 is right for " << share(found.agree)
        << ", keeps " << share(found.kept) << " that do not fit " << bytes_text(shared.limit) << " and drops "
        << share(found.dropped) << " that do. The paper says over 90%, 8.2% and 1.2%.\nOurs take " << ratio
        << " times the estimate, in the middle: sums stay in registers, and operands are copied ahead.\n";
}

Json shared_json(const TilingsResult& result, const SharedMemory& shared) {
    const Quadrants found = quadrants(result, shared);
    Json json =
        json::Object{{"limit", shared.limit},
                     {"of", shared.of},
                     {"architecture", shared.architecture.empty() ? Json() : Json(shared.architecture)},
                     {"agree", found.agree},
                     {"kept_but_too_large", found.kept},
                     {"dropped_but_fits", found.dropped},
                     {"median_ratio", median_ratio(shared)}};
    json["points"] = json::Array{};
    for (const SharedPoint& point : shared.points)
        json["points"].push_back(
            json::Object{{"candidate", to_string(result.space, point.candidate)},
                         {"estimate", point.candidate.shared},
                         {"layout", point.layout > 0 ? Json(point.layout) : Json()},
                         {"compiled", point.compiled > 0 ? Json(point.compiled) : Json()},
                         {"refused", point.refused.empty() ? Json() : Json(point.refused)}});
    return json;
}

}  // namespace blockscope::tilings

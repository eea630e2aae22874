#include "gpu/codegen/splits.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include "core/cost/terms.h"
#include "gpu/codegen/kernels.h"
#include "gpu/codegen/tile_plan.h"
#include "gpu/codegen/values.h"

namespace blockscope::gpu {

namespace {

constexpr int kKibi = 1024;
constexpr int kWarp = 32;
constexpr int kRegisterUnit = 256;  // registers, of a warp
constexpr int kSharedUnit = 128;    // bytes

int up_to(int number, int unit) {
    return (number + unit - 1) / unit * unit;
}

}  // namespace

std::optional<Capability> capability_of(const std::string& architecture) {
    const std::string prefix = "sm_";
    if (architecture.rfind(prefix, 0) != 0) return std::nullopt;
    int number = 0;  // the last digit is the minor part
    const char* begin = architecture.data() + prefix.size();
    const auto [end, error] = std::from_chars(begin, architecture.data() + architecture.size(), number);
    if (error != std::errc() || number < 10) return std::nullopt;
    return Capability{number / 10, number % 10};
}

Capability capability_of(const Device& device) {
    const MemoryLevel* shared = first_level(device, LevelRole::Shared);
    const double bytes = shared ? shared->capacity.value : 0;
    const auto takes = [&](auto what) { return std::any_of(device.tiles.begin(), device.tiles.end(), what); };
    const bool groups = takes([](const MatrixTile& tile) { return tile.rows >= 64; });
    const bool eight_bits = takes([](const MatrixTile& tile) { return tile.elem == ElemType::E4M3; });
    if (bytes >= 200 * kKibi) return groups ? Capability{9, 0} : Capability{10, 0};
    if (bytes >= 128 * kKibi) return {8, 0};
    return {8, eight_bits ? 9 : 6};
}

bool runs_on(Target target, Capability card) {
    if (target == Target::F32) return true;
    const Capability own = *capability_of(to_string(target));
    if (has_warpgroups(target)) return own == card;
    return std::pair(own.major, own.minor) <= std::pair(card.major, card.minor);
}

int shared_limit(Target target, const Device* device) {
    if (!device || !runs_on(target, capability_of(*device))) return shared_limit(target);
    const ProcessorLimits limits = limits_of(capability_of(*device));
    return std::min(shared_limit(target), limits.shared_bytes - limits.reserved_shared_bytes);
}

ProcessorLimits limits_of(Capability card) {
    const int number = 10 * card.major + card.minor;
    if (number < 80)
        return {.threads = 1024,
                .blocks = 16,
                .registers = 65536,
                .shared_bytes = 64 * kKibi,
                .reserved_shared_bytes = 0};
    if (number == 86)
        return {.threads = 1536,
                .blocks = 16,
                .registers = 65536,
                .shared_bytes = 100 * kKibi,
                .reserved_shared_bytes = kKibi};
    if (number == 87)
        return {.threads = 1536,
                .blocks = 16,
                .registers = 65536,
                .shared_bytes = 164 * kKibi,
                .reserved_shared_bytes = kKibi};
    if (number == 89)
        return {.threads = 1536,
                .blocks = 24,
                .registers = 65536,
                .shared_bytes = 100 * kKibi,
                .reserved_shared_bytes = kKibi};
    if (number < 90)
        return {.threads = 2048,
                .blocks = 32,
                .registers = 65536,
                .shared_bytes = 164 * kKibi,
                .reserved_shared_bytes = kKibi};
    if (number < 120)
        return {.threads = 2048,
                .blocks = 32,
                .registers = 65536,
                .shared_bytes = 228 * kKibi,
                .reserved_shared_bytes = kKibi};
    return {.threads = 1536,
            .blocks = 24,
            .registers = 65536,
            .shared_bytes = 100 * kKibi,
            .reserved_shared_bytes = kKibi};
}

int blocks_per_processor(const ProcessorLimits& limits, const KernelNeeds& needs) {
    const int warps = std::max(1, up_to(needs.threads, kWarp) / kWarp);
    int blocks = std::min(limits.blocks, limits.threads / (warps * kWarp));
    if (needs.registers > 0)
        blocks = std::min(blocks, limits.registers / up_to(needs.registers * kWarp, kRegisterUnit) / warps);
    const int shared = up_to(needs.shared_bytes + limits.reserved_shared_bytes, kSharedUnit);
    if (shared > 0) blocks = std::min(blocks, limits.shared_bytes / shared);
    return blocks;
}

double occupancy(const ProcessorLimits& limits, const KernelNeeds& needs) {
    const int threads = blocks_per_processor(limits, needs) * up_to(needs.threads, kWarp);
    return static_cast<double>(threads) / limits.threads;
}

namespace {

constexpr int kMostParts = 128;
constexpr double kWorthwhile = 0.95;  // of the time without parts

const Loop* loop_of(const Statement& line) {
    const auto* loop = std::get_if<LoopPtr>(&line.what);
    return loop ? loop->get() : nullptr;
}

// Temporaries that a line reads, in loops in it, too.
void add_reads(const Statement& line, std::set<int>& wanted) {
    for (const Temp temp : uses_of(line).reads) wanted.insert(temp.id);
    if (const Loop* loop = loop_of(line))
        for (const Statement& inner : loop->body) add_reads(inner, wanted);
}

// Accumulators and what is assigned in loops, too.
bool sets_one_of(const Statement& line, const std::set<int>& wanted) {
    if (const Loop* loop = loop_of(line))
        return std::any_of(loop->body.begin(), loop->body.end(),
                           [&](const Statement& inner) { return sets_one_of(inner, wanted); });
    return wanted.count(uses_of(line).makes.id) > 0;  // numbers begin with 1
}

// Of lines in front of others, those whose results these need; `wanted` grows by what they need themselves.
std::vector<const Statement*> needed(const std::vector<const Statement*>& lines, std::set<int>& wanted) {
    std::vector<const Statement*> kept;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        if (!sets_one_of(**line, wanted)) continue;
        add_reads(**line, wanted);
        kept.push_back(*line);
    }
    std::reverse(kept.begin(), kept.end());
    return kept;
}

std::vector<const Statement*>::const_iterator line_of(const Kernel& kernel, const Loop* loop) {
    return std::find_if(kernel.body.begin(), kernel.body.end(),
                        [&](const Statement* line) { return loop_of(*line) == loop; });
}

bool stores(const Statement& line) {
    if (const Loop* loop = loop_of(line)) return std::any_of(loop->body.begin(), loop->body.end(), stores);
    return std::holds_alternative<Store>(line.what) || std::holds_alternative<CallMisc>(line.what);
}

// By one thread block, all iterations together.
double numbers_loaded(const Statement& line, const LoopProgram& program) {
    if (const Loop* loop = loop_of(line)) {
        double all = 0;
        for (const Statement& inner : loop->body) all += numbers_loaded(inner, program);
        return all * static_cast<double>(iterations(*loop, program.dims));
    }
    const auto* load = std::get_if<Load>(&line.what);
    if (!load) return 0;
    double numbers = 1;
    for (const DimId dim : item_axes(program.buffers.at(static_cast<std::size_t>(load->buffer)).type.item()))
        numbers *= static_cast<double>(program.dims.at(dim.value).block_size(0));
    return numbers;
}

// One loop of a kernel's body, whatever else is there.
Splittable loop_in_parts(const Kernel& kernel, const Statement& line) {
    Splittable found;
    found.loop = loop_of(line);
    found.line = &line;
    for (const Statement* before : kernel.body) {
        if (before == &line) break;
        if (!stores(*before)) continue;
        found.why_not = "it stores in front of the loop";
        return found;
    }
    auto carried = carried_by(kernel, *found.loop);
    if (const auto* why = std::get_if<std::string>(&carried))
        found.why_not = *why;
    else
        found.carried = std::get<std::vector<Carried>>(std::move(carried));
    return found;
}

const KernelWork* work_of(const SplitQuestion& question) {
    const Block& body = question.program.body;
    for (std::size_t i = 0; i < body.size(); ++i)
        if (&body[i] == question.kernel.loop_lines.front()) return &question.work.kernels.at(i);
    return nullptr;
}

}  // namespace

Splittable splittable(const Kernel& kernel, const LoopProgram& program) {
    Splittable best;
    if (kernel.grid.empty()) {
        best.why_not = "it is no loop over thread blocks";
        return best;
    }
    best.why_not = "there is no reduction in its thread blocks";
    double most = 0, all = 0;
    for (const Statement* line : kernel.body) {
        const Loop* loop = loop_of(*line);
        if (!loop || !loop->serial) continue;
        const double loaded = numbers_loaded(*line, program);
        all += loaded;
        Splittable found = loop_in_parts(kernel, *line);
        // One that can be in parts is better than none; of several the one that loads most.
        const bool better =
            best.loop == nullptr || (best.why_not.empty() ? found.why_not.empty() && loaded > most
                                                          : found.why_not.empty() || loaded > most);
        if (!better) continue;
        best = std::move(found);
        most = loaded;
    }
    best.rest = all > 0 ? 1 - most / all : 0;
    return best;
}

bool are_sums(const Splittable& what) {
    return what.why_not.empty() &&
           std::all_of(what.carried.begin(), what.carried.end(),
                       [](const Carried& one) { return one.how == Carried::How::Sum; });
}

std::int64_t thread_blocks(const Kernel& kernel, const DimTable& dims) {
    std::int64_t blocks = 1;
    for (const Loop* loop : kernel.grid) blocks *= iterations(*loop, dims);
    return blocks;
}

std::optional<Split> split_into(const Splittable& what, int wanted, const DimTable& dims) {
    if (!what.why_not.empty() || wanted < 2) return std::nullopt;
    const std::int64_t all = iterations(*what.loop, dims);
    const std::int64_t length = (all + wanted - 1) / wanted;
    if (length < 1) return std::nullopt;
    const auto parts = static_cast<int>((all + length - 1) / length);
    if (parts < 2) return std::nullopt;
    return Split{.loop = what.loop,
                 .parts = parts,
                 .length = length,
                 .carried = what.carried,
                 .workspaces = {},
                 .adds = false,
                 .combines = false,
                 .rest = what.rest};
}

SplitAnswer best_split(const SplitQuestion& question, const Splittable& what) {
    const KernelWork* work = work_of(question);
    if (!work) return {};
    ModelSetting setting;
    const KernelNeeds needs{question.threads, question.registers, static_cast<int>(question.shared_bytes)};
    setting.resident[work->node] =
        std::max(1, blocks_per_processor(limits_of(capability_of(question.device)), needs));
    if (!question.wgmma) setting.by_warps.insert(work->node);
    setting.computed_in = question.computed_in;
    const auto seconds = [&](int parts, bool adds) {
        setting.parts.clear();
        if (parts > 1) setting.parts[work->node] = {parts, question.part_bytes, adds, what.rest};
        return blockscope_gpu({question.work, question.device, setting}, *work).seconds;
    };
    SplitAnswer answer;
    answer.whole_seconds = answer.split_seconds = seconds(1, false);
    const auto try_all = [&](bool adds) {
        double least = kWorthwhile * answer.split_seconds;  // of what is known so far
        int before = 1;
        for (int wanted = 2; wanted <= kMostParts; ++wanted) {
            std::optional<Split> split = split_into(what, wanted, question.program.dims);
            if (!split || split->parts == before) continue;
            before = split->parts;
            const double now = seconds(split->parts, adds);
            if (now >= least) continue;
            split->adds = adds;
            answer.split = std::move(split);
            answer.split_seconds = least = now;
        }
    };
    const bool can_add = are_sums(what) && question.combine != Combine::Workspace;
    if (!can_add || question.combine != Combine::Atomics) try_all(false);
    if (can_add) try_all(true);
    return answer;
}

std::string note_on_parts(const std::string& kernel, const Splittable& what, const SplitAnswer& answer,
                          std::int64_t blocks, const Device* device, const Listing& listing) {
    const std::string many = std::to_string(blocks) + (blocks == 1 ? " thread block" : " thread blocks");
    const std::string processors =
        device ? std::to_string(std::lround(device->processors.value)) + " processors" : "";
    if (!answer.split) {
        if (what.why_not.empty() || !what.loop) return "";
        return kernel + " has " + many + (device ? " for " + processors : "") +
               "; its reduction stays whole, since " + what.why_not + ".";
    }
    const std::string& text = listing.at(what.line);
    std::string note = kernel + " computes `" + text.substr(text.find_first_not_of(' ')) + "` (" +
                       to_string(what.line->node) + ") in " + std::to_string(answer.split->parts) +
                       " parts side by side, " +
                       (answer.split->adds ? "which atomics add up in any order (last bits may differ from "
                                             "run to run), and " +
                                                 kernel + "_combine takes the sums"
                                           : "and " + kernel + "_combine puts them together");
    if (!device) return note + ".";
    return note + ": " + many + " would leave " + processors + " without enough work (" +
           seconds_text(answer.split_seconds) + " predicted instead of " +
           seconds_text(answer.whole_seconds) + ").";
}

Kernel parts_of(const Kernel& kernel, Split split) {
    Kernel parts = kernel;
    const auto loop = line_of(kernel, split.loop);
    std::set<int> wanted;
    add_reads(**loop, wanted);
    for (const Carried& one : split.carried) wanted.insert(one.temp.id);
    parts.body = needed({kernel.body.begin(), loop}, wanted);
    parts.body.push_back(*loop);
    parts.before = needed(kernel.before, wanted);
    parts.split = std::move(split);
    return parts;
}

Kernel combination_of(const Kernel& kernel, Split split) {
    Kernel all = kernel;
    const auto loop = line_of(kernel, split.loop);
    std::set<int> wanted;
    for (auto line = loop + 1; line != kernel.body.end(); ++line) add_reads(**line, wanted);
    for (const Carried& one : split.carried) wanted.erase(one.temp.id);
    all.body = needed({kernel.body.begin(), loop}, wanted);
    all.body.insert(all.body.end(), loop + 1, kernel.body.end());
    all.before = needed(kernel.before, wanted);
    split.combines = true;
    all.split = std::move(split);
    return all;
}

std::map<NodeId, PartsOfKernel> parts_for_model(const KernelSet& set) {
    std::map<NodeId, PartsOfKernel> parts;
    for (const Launch& launch : set.launches)
        if (launch.parts > 1)
            parts[launch.node] = {launch.parts, static_cast<double>(launch.part_bytes), launch.adds,
                                  launch.rest};
    return parts;
}

}  // namespace blockscope::gpu

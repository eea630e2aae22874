#include "core/napkin/block_search.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/cost/choices.h"
#include "core/cost/extents.h"
#include "core/cost/lifetime.h"

namespace blockscope::napkin {

namespace {

constexpr double kMostExhaustive = 40'000;  // choices; a few microseconds each

// Block sizes that give different numbers of blocks, ascending: the smallest for each number.
std::vector<std::int64_t> candidates(const Dim& dim, std::int64_t multiple) {
    std::vector<std::int64_t> sizes;
    for (std::int64_t blocks = 1; blocks <= dim.size;) {
        const std::int64_t smallest = (dim.size + blocks - 1) / blocks;
        const std::int64_t rounded = (smallest + multiple - 1) / multiple * multiple;
        sizes.push_back(std::min(rounded, dim.size));
        if (smallest == 1) break;
        blocks = (dim.size + smallest - 2) / (smallest - 1);  // the next number that needs smaller blocks
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

// Every `step`-th, the last included.
std::vector<std::int64_t> thinned(const std::vector<std::int64_t>& sizes, std::size_t most) {
    if (sizes.size() <= most) return sizes;
    std::vector<std::int64_t> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(sizes[i * (sizes.size() - 1) / (most - 1)]);
    return some;
}

class Search {
public:
    Search(const LoopProgram& program, const BlockSearchOptions& options)
        : program_(program), options_(options) {
        for (std::size_t i = 0; i < program.dims.size(); ++i) {
            const Dim& dim = program.dims[i];
            if (dim.kind != DimKind::Blocked || dim.blocks() == 1) continue;
            free_.push_back(i);
            candidates_.push_back(candidates(dim, options.multiple));
        }
    }

    std::optional<BlockChoice> run() {
        const bool all = number_of_choices(candidates_) <= kMostExhaustive;
        std::size_t most = 2;
        while (!all && number_of_choices(grid(most + 1)) <= kMostExhaustive) ++most;
        each_choice(all ? candidates_ : grid(most), [&](const std::vector<std::int64_t>& blocks) {
            for (std::size_t i = 0; i < free_.size(); ++i) program_.dims[free_[i]].block = blocks[i];
            consider();
        });
        if (!all && best_) descend();
        if (best_) {
            best_->exhaustive = all;
            best_->tried = tried_;
        }
        return best_;
    }

private:
    // What only changes with which dimensions are in one block.
    struct Structure {
        std::vector<Term> terms;
        std::vector<std::map<std::vector<Factor>, std::pair<std::int64_t, std::int64_t>>> live;
    };

    ChoiceLists grid(std::size_t most) const {
        ChoiceLists thin;
        for (const auto& sizes : candidates_) thin.push_back(thinned(sizes, most));
        return thin;
    }

    const Structure& structure() {
        std::vector<bool> whole;
        for (const Dim& dim : program_.dims) whole.push_back(dim.blocks() == 1);
        const auto [place, fresh] = structures_.try_emplace(whole);
        if (!fresh) return place->second;
        Structure& made = place->second;
        for (const Term& term : cost_terms(program_, options_.placement))
            if (is_moved(term)) made.terms.push_back(term);
        const TempExtents extents(program_);
        for (const LiveSet& set : live_sets(program_, options_.placement)) {
            auto& sizes = made.live.emplace_back();
            for (const Temp temp : set.alive) {
                auto& [count, bytes] = sizes[full_size(extents.of(temp).axes)];
                ++count;
                bytes += bytes_per_element(extents.of(temp).elem);
            }
        }
        std::sort(made.live.begin(), made.live.end());
        made.live.erase(std::unique(made.live.begin(), made.live.end()), made.live.end());
        return made;
    }

    bool is_moved(const Term& term) const {
        if (term.quantity != Quantity::LoadValues && term.quantity != Quantity::StoreValues) return false;
        return program_.buffers.at(static_cast<std::size_t>(term.buffer)).source != InputSource::CausalMask;
    }

    // Saturating: what does not fit 63 bits never wins.
    std::int64_t size(const std::vector<Factor>& factors) const {
        std::int64_t product = 1;
        for (const Factor& factor : factors)
            product = saturating_multiply(product, value(factor, program_.dims));
        return product;
    }

    BlockChoice evaluate() {
        ++tried_;
        const Structure& now = structure();
        BlockChoice choice;
        for (const auto& set : now.live) {
            std::int64_t values = 0;
            std::int64_t bytes = 0;
            for (const auto& [factors, amount] : set) {
                const std::int64_t each = size(factors);
                values = saturating_add(values, saturating_multiply(each, amount.first));
                bytes = saturating_add(bytes, saturating_multiply(each, amount.second));
            }
            choice.local_values = std::max(choice.local_values, values);
            choice.local_bytes = std::max(choice.local_bytes, bytes);
        }
        for (const Term& term : now.terms) {
            const std::int64_t values = value(term, program_.dims);
            const Buffer& buffer = program_.buffers[static_cast<std::size_t>(term.buffer)];
            choice.moved_values = saturating_add(choice.moved_values, values);
            choice.moved_bytes = saturating_add(
                choice.moved_bytes, saturating_multiply(values, bytes_per_element(buffer.type.elem())));
        }
        return choice;
    }

    void consider() {
        BlockChoice choice = evaluate();
        if (choice.local_bytes > options_.memory_bytes) return;
        const auto order = [](const BlockChoice& c) { return std::tuple(c.moved_bytes, c.local_bytes); };
        if (best_ && order(*best_) <= order(choice)) return;
        choice.dims = program_.dims;
        best_ = std::move(choice);
    }

    // One dimension at a time, then two, until nothing is better.
    void descend() {
        std::int64_t before = kCountLimit;
        while (best_->moved_bytes < before) {
            before = best_->moved_bytes;
            for (std::size_t a = 0; a < free_.size(); ++a)
                for (std::size_t b = a; b < free_.size(); ++b) vary(a, b);
        }
    }

    void vary(std::size_t a, std::size_t b) {
        const DimTable from = best_->dims;
        constexpr std::size_t kMostOfPair = 48;
        for (const std::int64_t first : a == b ? candidates_[a] : thinned(candidates_[a], kMostOfPair)) {
            program_.dims = from;
            program_.dims[free_[a]].block = first;
            if (a == b) {
                consider();
                continue;
            }
            for (const std::int64_t second : thinned(candidates_[b], kMostOfPair)) {
                program_.dims[free_[b]].block = second;
                consider();
            }
        }
    }

    LoopProgram program_;  // its block sizes are those at hand
    BlockSearchOptions options_;
    std::vector<std::size_t> free_;  // indices of dimensions
    ChoiceLists candidates_;
    std::map<std::vector<bool>, Structure> structures_;
    std::optional<BlockChoice> best_;
    int tried_ = 0;
};

}  // namespace

std::optional<BlockChoice> search_blocks(const LoopProgram& program, const BlockSearchOptions& options) {
    return Search(program, options).run();
}

}  // namespace blockscope::napkin

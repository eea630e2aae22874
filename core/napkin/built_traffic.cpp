// What launches move as they are built, where causal masks hide blocks, at the tiles of the paper's optimum.
#include <utility>

#include "core/napkin/optimum.h"

namespace blockscope::napkin {

namespace {

bool is_settled(const Tile& tile) {
    return tile.how != Tile::How::Fixed && tile.how != Tile::How::Unknown;
}

// What stands for the tile's block size.
PowerProduct size_of(const Tile& tile, const DimTable& dims) {
    if (tile.how == Tile::How::Solved) return tile.size;
    return tile.how == Tile::How::Whole ? PowerProduct(algebra::Powers{{size_symbol(tile.dim, dims), 1}})
                                        : PowerProduct(1);
}

// One product of the traffic, with the tiles put in.
PowerProduct at_tiles(algebra::Powers powers, double coefficient, const std::vector<Tile>& tiles,
                      const DimTable& dims) {
    PowerProduct sizes(1);
    for (const Tile& tile : tiles) {
        if (!is_settled(tile)) continue;
        const algebra::Symbol block = block_symbol(tile.dim, dims);
        if (!powers.contains(block)) continue;
        sizes = sizes.times(size_of(tile, dims).to_the(power_of(powers, block)));
        powers.erase(block);
    }
    return PowerProduct(coefficient).times(PowerProduct(powers)).times(sizes);
}

}  // namespace

void add_built_traffic(Optimum& optimum, const LoopProgram& built, const OptimumOptions& options) {
    const std::vector<std::optional<LaunchForm>> forms = built_forms(built, options.same);
    if (forms.size() != optimum.launches.size() || !optimum.has_law()) return;
    for (std::size_t i = 0; i < forms.size(); ++i)
        if (!forms[i] || forms[i]->node != optimum.launches[i].node) return;
    const Symbol memory = memory_symbol(built.dims);
    std::vector<LawFormula> all;
    bool differs = false;
    for (std::size_t i = 0; i < forms.size(); ++i) {
        LaunchOptimum& launch = optimum.launches[i];
        if (forms[i]->traffic.same_as(launch.traffic)) {
            for (const LawFormula& term : launch.law) add_to(all, term.alpha, term.beta);
            continue;
        }
        differs = true;
        launch.built = forms[i]->traffic;
        for (const auto& [powers, coefficient] : launch.built.terms()) {
            const PowerProduct product = at_tiles(powers, coefficient, launch.tiles, built.dims);
            const Rational beta = -algebra::power_of(product.powers(), memory);
            add_to(launch.built_law, product.without(memory), beta);
        }
        sort(launch.built_law);
        for (const LawFormula& term : launch.built_law) add_to(all, term.alpha, term.beta);
    }
    if (!differs) return;
    sort(all);
    optimum.built_law = std::move(all);
}

}  // namespace blockscope::napkin

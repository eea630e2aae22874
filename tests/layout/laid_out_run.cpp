#include "tests/layout/laid_out_run.h"

#include <map>
#include <utility>

#include "tests/support/samples.h"

namespace blockscope::test {

std::vector<Picture> pictures_of(Layouter& layouter, const Trace& trace, Flow flow) {
    std::vector<Picture> pictures;
    const auto add = [&](const BlockProgram& program, const std::vector<Lineage>& made) {
        Figure figure = make_figure(program, {}, plain_measure);
        if (flow == Flow::Right) lay_on_side(figure);
        Geometry geometry =
            pictures.empty() ? layouter.fresh(figure) : layouter.follow(figure, pictures.back(), made);
        pictures.push_back({std::move(figure), std::move(geometry)});
    };
    add(*trace.initial, {});
    for (const Step& step : trace.steps) add(*step.after, step.made);
    return pictures;
}

const LaidOutRun& laid_out_run(const std::string& sample, Flow flow) {
    static std::map<std::pair<std::string, Flow>, LaidOutRun> runs;
    const auto [entry, fresh] = runs.try_emplace({sample, flow});
    if (fresh) {
        Layouter layouter;
        entry->second.trace = fuse(block_sample(sample));
        entry->second.pictures = pictures_of(layouter, entry->second.trace, flow);
    }
    return entry->second;
}

}  // namespace blockscope::test

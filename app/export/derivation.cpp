#include "app/export/derivation.h"

#include <QCoreApplication>

#include "app/words/words.h"
#include "core/rules/rule.h"

namespace blockscope {

namespace {

struct DerivationTexts {
    Q_DECLARE_TR_FUNCTIONS(DerivationTexts)
};

std::string rules_of(const std::vector<const HistoryState*>& states) {
    std::string text;
    std::string last;
    for (const HistoryState* state : states) {
        const std::string id = to_string(state->step->match.rule);
        if (id != last) text += (text.empty() ? "" : ", ") + id;
        last = id;
    }
    return text;
}

// Nodes of `state` that were made by one of the rewrites.
std::vector<NodeId> made_by(const std::vector<const HistoryState*>& rewrites) {
    std::vector<NodeId> made;
    for (const HistoryState* state : rewrites)
        for (const Lineage& lineage : state->step->made) made.push_back(lineage.made);
    return made;
}

void describe(Stage& stage, const std::vector<const HistoryState*>& rewrites) {
    if (rewrites.empty()) {
        stage.title = DerivationTexts::tr("Initial block program").toStdString();
    } else if (rewrites.size() == 1) {
        const Step& step = *rewrites.front()->step;
        stage.rule = to_string(step.match.rule);
        stage.title = translated(rule(step.match.rule).name).toStdString();
        stage.explanation = translated(step.explanation).toStdString();
    } else {
        stage.title = DerivationTexts::tr("%1 rewrites: rules %2")
                          .arg(rewrites.size())
                          .arg(QString::fromStdString(rules_of(rewrites)))
                          .toStdString();
    }
    stage.made = made_by(rewrites);
}

}  // namespace

std::optional<Derivation> derive(const Content& content, Stages stages, const PictureSource& pictures) {
    const History& history = content.history;
    const Branch& branch = history.branch(content.branch);
    Derivation result{content.name, translated(branch.stopped).toStdString(), {}};
    std::vector<const HistoryState*> rewrites;
    std::vector<ListingLine> lines_before;
    int snapshots = 0;
    const std::vector<StateId> way = history.path(branch.tip);
    for (std::size_t i = 0; i < way.size(); ++i) {
        const HistoryState& state = history.state(way[i]);
        if (i > 0) rewrites.push_back(&state);
        if (state.snapshot) ++snapshots;
        if (stages == Stages::Snapshots && i > 0 && !state.snapshot) continue;
        Stage stage;
        stage.state = state.id;
        stage.number = static_cast<int>(i);
        stage.rewrites = static_cast<int>(rewrites.size());
        stage.note = state.note;
        stage.snapshot = state.snapshot ? snapshots : 0;
        describe(stage, rewrites);
        stage.buffered_after = buffered_edges(*state.program);
        stage.buffered_before =
            result.stages.empty() ? stage.buffered_after : result.stages.back().buffered_after;
        stage.picture = pictures(state.id);
        if (!stage.picture) return {};
        const State listed(state.program);
        std::vector<ListingLine> lines = listed.listing();
        stage.listing = result.stages.empty()
                            ? listing_rows(lines)
                            : listing_rows(lines_before, lines,
                                           Ancestry(history, result.stages.back().state, state.id), true);
        lines_before = std::move(lines);
        if (rewrites.size() == 1 && !result.stages.empty())
            for (const Role& role : state.step->match.roles)
                result.stages.back().matched.push_back(role.node);
        rewrites.clear();
        result.stages.push_back(std::move(stage));
    }
    return result;
}

Lights lights_of(const Stage& stage) {
    Lights lights;
    lights.edge_labels = false;
    const Figure& figure = stage.picture->figure;
    for (const NodeId id : stage.made)
        if (const int box = figure.find(id); box >= 0) lights.boxes[box] = Mark::Made;
    for (const NodeId id : stage.matched) {
        const int box = figure.find(id);
        if (box < 0) continue;
        if (lights.boxes.count(box) > 0) lights.around[box] = Mark::Made;
        lights.boxes[box] = Mark::Match;
    }
    return lights;
}

Signs signs_of(const Derivation& derivation) {
    Signs signs;
    for (const Stage& stage : derivation.stages) signs.merge(signs_of(*stage.picture, lights_of(stage)));
    return signs;
}

}  // namespace blockscope

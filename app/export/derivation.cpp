#include "app/export/derivation.h"

#include <QCoreApplication>
#include <QString>

#include "app/words/words.h"
#include "core/rules/rule.h"
#include "core/story/chapters.h"
#include "core/story/questions.h"
#include "core/story/recognised.h"
#include "core/story/step_story.h"

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

std::vector<StageQuestion> questions(const RunStory& story, int step) {
    std::vector<StageQuestion> all;
    for (const Question& question : questions_about(story, step)) {
        all.push_back({translated(question.asked).toStdString(), {}, question.right});
        for (const Text& choice : question.choices)
            all.back().choices.push_back(translated(choice).toStdString());
    }
    return all;
}

// The same words as under the picture in the window.
void tell(Stage& stage, const RunStory& story, const std::vector<Chapter>& chapters) {
    const Trace& trace = story.trace();
    const State unfused(trace.initial), state(trace.state(stage.number));
    stage.bytes_after = stage.bytes_before = state.counts().bytes();
    stage.launches = state.counts().launches;
    if (const Chapter* chapter = chapter_at(chapters, stage.number))
        stage.chapter = translated(chapter->title).toStdString();
    const Text called = flash_attention_text(unfused, state);
    if (!called.empty())
        stage.called =
            (translated(called) + QLatin1Char(' ') + translated(real_kernel_adds(state))).toStdString();
    if (stage.rewrites == 1) stage.told = translated(story.step(stage.number).sentence()).toStdString();
    for (int step = stage.number - stage.rewrites + 1; stage.rewrites > 1 && step <= stage.number; ++step)
        stage.steps.push_back(std::to_string(step) + "  " + translated(story.step(step).done).toStdString());
}

void describe(Stage& stage, const std::vector<const HistoryState*>& rewrites) {
    if (rewrites.empty()) {
        stage.title = DerivationTexts::tr("Initial program").toStdString();
    } else if (rewrites.size() == 1) {
        const Step& step = *rewrites.front()->step;
        stage.rule = to_string(step.match.rule);
        stage.title = translated(rule(step.match.rule).short_name).toStdString();
        stage.explanation = translated(step.explanation).toStdString();
        stage.reason = translated(rule(step.match.rule).reason).toStdString();
    } else {
        stage.title = DerivationTexts::tr("%1 rewrites: rules %2")
                          .arg(rewrites.size())
                          .arg(QString::fromStdString(rules_of(rewrites)))
                          .toStdString();
    }
    stage.made = made_by(rewrites);
    for (const HistoryState* rewrite : rewrites)
        if (!rewrite->note.empty()) stage.note += (stage.note.empty() ? "" : "\n") + rewrite->note;
}

// Whether the state after `step` steps is left out.
bool left_out(Stages stages, const HistoryState& state, int step, const std::vector<Chapter>& chapters) {
    if (step == 0 || stages == Stages::All) return false;
    if (stages == Stages::Snapshots) return !state.snapshot;
    const Chapter* chapter = chapter_at(chapters, step);
    return chapter && chapter->last != step;
}

}  // namespace

ContentPtr with_folds(const ContentPtr& content, const std::optional<Folds>& folds) {
    if (!folds) return content;
    Content folded = *content;
    folded.folds = *folds;
    return std::make_shared<const Content>(std::move(folded));
}

std::optional<Derivation> derive(const Content& content, Stages stages, const PictureSource& pictures,
                                 const PictureShape& shape, std::size_t most) {
    const History& history = content.history;
    const Branch& branch = history.branch(content.branch);
    Derivation result{content.name, translated(branch.stopped).toStdString(), content.source, {}};
    const RunStory story(history.trace(branch.tip), content.array.get());
    const std::vector<Chapter> chapters =
        with_groups(chapters_of(story.trace()), groups_of_branch(content), story.trace());
    std::vector<const HistoryState*> rewrites;
    std::vector<ListingLine> lines_before;
    int snapshots = 0;
    const std::vector<StateId> way = history.path(branch.tip);
    for (std::size_t i = 0; i < way.size() && result.stages.size() < most; ++i) {
        const HistoryState& state = history.state(way[i]);
        if (i > 0) rewrites.push_back(&state);
        if (state.snapshot) ++snapshots;
        if (left_out(stages, state, static_cast<int>(i), chapters)) continue;
        Stage stage;
        stage.state = state.id;
        stage.number = static_cast<int>(i);
        stage.rewrites = static_cast<int>(rewrites.size());
        if (i == 0) stage.note = state.note;
        stage.snapshot = state.snapshot ? snapshots : 0;
        describe(stage, rewrites);
        stage.buffered_after = buffered_edges(*state.program);
        stage.buffered_before =
            result.stages.empty() ? stage.buffered_after : result.stages.back().buffered_after;
        tell(stage, story, chapters);
        if (!result.stages.empty()) stage.bytes_before = result.stages.back().bytes_after;
        if (stages == Stages::Chapters && stage.rewrites > 0) stage.title = stage.chapter;
        stage.picture = pictures(state.id, shape, std::nullopt);
        if (!stage.picture) return {};
        stage.pinned = content.pinned;
        const State listed(state.program);
        std::vector<ListingLine> lines = listed.listing();
        stage.listing = result.stages.empty()
                            ? listing_rows(lines)
                            : listing_rows(lines_before, lines,
                                           Ancestry(history, result.stages.back().state, state.id), true);
        lines_before = std::move(lines);
        if (rewrites.size() == 1 && !result.stages.empty()) {
            for (const Role& role : state.step->match.roles)
                result.stages.back().matched.push_back(role.node);
            result.stages.back().questions = questions(story, stage.number);
        }
        rewrites.clear();
        result.stages.push_back(std::move(stage));
    }
    return result;
}

QString heading_of(const Stage& stage) {
    QString title = QString::fromStdString(stage.title);
    if (stage.rewrites == 0) return title;
    if (!stage.rule.empty())
        return DerivationTexts::tr("Step %1 · rule %2: %3")
            .arg(stage.number)
            .arg(QString::fromStdString(stage.rule), title);
    if (stage.rewrites == 1) return DerivationTexts::tr("Step %1: %2").arg(stage.number).arg(title);
    return DerivationTexts::tr("Steps %1 to %2: %3")
        .arg(stage.number - stage.rewrites + 1)
        .arg(stage.number)
        .arg(title);
}

QString moved_text(const Stage& stage) {
    return bytes_change(stage.bytes_before, stage.bytes_after);
}

std::vector<QString> notes_of(const Stage& stage) {
    std::vector<QString> notes;
    const auto add = [&](const std::string& text) {
        if (!text.empty()) notes.push_back(QString::fromStdString(text));
    };
    add(stage.note);
    add(stage.explanation);
    add(stage.reason);
    for (const StageQuestion& question : stage.questions)
        notes.push_back(
            DerivationTexts::tr("Ask before the next step: %1 (%2)")
                .arg(QString::fromStdString(question.asked),
                     QString::fromStdString(question.choices[static_cast<std::size_t>(question.right)])));
    return notes;
}

Lights lights_of(const Stage& stage) {
    Lights lights;
    lights.edge_labels = false;
    lights.notes = notes_in(*stage.picture, stage.pinned);
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

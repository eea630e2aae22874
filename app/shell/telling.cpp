#include "app/shell/telling.h"

#include <QCoreApplication>
#include <set>
#include <utility>

#include "app/shell/step_look.h"
#include "app/words/words.h"
#include "core/cost/models/model.h"
#include "core/story/recognised.h"

namespace blockscope {

namespace {

constexpr std::size_t kMostKnown = 400;  // states whose sentences are kept

// Whether another order of rewrites has led to the same program: the loops are the same, line by line. Of the
// states of other branches those that are as deep, as large and move as many bytes are looked at, ends of
// branches first.
void find_same(const Content& content, const State& now, StateTold& told) {
    constexpr int kMostCompared = 40;
    const History& history = content.history;
    const std::vector<StateId> way = history.path(history.branch(content.branch).tip);
    const std::set<StateId> own(way.begin(), way.end());
    std::vector<StateId> others;
    for (const Branch& branch : history.branches()) others.push_back(branch.tip);
    for (const auto& [id, state] : history.states()) others.push_back(id);
    const int nodes = node_count(*now.source());
    const std::string lines = listing(now);
    int compared = 0;
    for (const StateId id : others) {
        if (own.count(id) > 0 || compared >= kMostCompared) continue;
        const ProgramPtr& program = history.state(id).program;
        if (node_count(*program) != nodes) continue;
        ++compared;
        const State other(program);
        if (other.counts().bytes() != now.counts().bytes() || listing(other) != lines) continue;
        told.same_branch = history.branch(history.branch_through(id, content.branch)).name;
        told.same_step = history.depth(id);
        return;
    }
}

StateTold tell_state(const Content& content, bool safe) {
    const Form form = safe_form(safe);
    const StateId state = content.current;
    const int depth = content.history.depth(state);
    const StateId tip = content.history.branch(content.branch).tip;
    const RunStory story(content.history.trace(tip), content.array.get(), form);
    StateTold told{};
    told.state = state;
    told.safe = safe;
    told.names = std::make_shared<const ProgramNames>(story.names(depth));
    if (depth > 0) told.step = story.step(depth);
    const State unfused(story.trace().initial, form), now(content.program(), form);
    told.called = flash_attention_text(unfused, now);
    if (!told.called.empty()) told.adds = real_kernel_adds(now);
    if (safe) told.online = online_softmax_legend(now);
    find_same(content, now.in_form({}), told);
    return told;
}

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Telling)
};

QString bytes_words(const StepClaims& claims) {
    return bytes_change(claims.bytes_before, claims.bytes_after);
}

// "This is Flash Attention: ..."
QString called_words(const StateTold& told) {
    if (told.called.empty() && told.online.empty()) return {};
    QStringList said;
    if (!told.called.empty()) said << translated(told.called);
    if (!told.online.empty())
        said << (told.called.empty() ? Words::tr("This is online softmax:")
                                     : Words::tr("With online softmax:"))
             << translated(told.online);
    return said.join(QLatin1Char(' '));
}

}  // namespace

Telling::Telling(Document& document) : QObject(&document), document_(document) {
    connect(&document, &Document::opened, this, [this] {
        known_.clear();
        chapters_.clear();
        chaptered_ = nullptr;
    });
    connect(&document, &Document::content_changed, this, &Telling::tell);
    connect(&document, &Document::safe_changed, this, [this] {
        known_.clear();
        chaptered_ = nullptr;  // chapters have bytes of the form, too
        safe_ = document_.shows_safe();
        tell();
    });
    tell();
}

Telling& Telling::of(Document& document) {
    if (auto* found = document.findChild<Telling*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new Telling(document);
}

const StateTold* Telling::current() const {
    if (document_.empty()) return nullptr;
    const auto found = known_.find(document_.content().program());
    return found == known_.end() ? nullptr : &found->second;
}

QString Telling::chapter(int step) const {
    const Chapter* found = chapter_at(chapters_, step);
    return found ? translated(found->title) : QString();
}

void Telling::tell() {
    asked_ = document_.empty() ? nullptr : document_.snapshot();
    if (!asked_) return work_.cancel();
    const ContentPtr content = asked_;
    const History& history = content->history;
    const ProgramPtr last = history.state(history.branch(content->branch).tip).program;
    const bool same_run = last == chaptered_ && content->groups == grouped_;
    if (same_run && current()) return;
    const std::vector<Chapter> before = same_run ? chapters_ : std::vector<Chapter>();
    work_.start(
        tr("Telling the step"), [this, content, before, same_run, safe = safe_](const Stop&) -> Work::Finish {
            lower_priority(Priority::Panel);
            StateTold told = tell_state(*content, safe);
            const StateId tip = content->history.branch(content->branch).tip;
            const Trace trace = content->history.trace(tip);
            const Form form = safe_form(safe);
            std::vector<Chapter> chapters =
                same_run ? before
                         : with_groups(chapters_of(trace, form), groups_of_branch(*content), trace, form);
            return [this, content, told = std::move(told), chapters = std::move(chapters)]() mutable {
                take(content, std::move(told), std::move(chapters));
            };
        });
}

void Telling::take(const ContentPtr& content, StateTold told, std::vector<Chapter> chapters) {
    if (known_.size() >= kMostKnown) known_.clear();
    known_.insert_or_assign(content->program(), std::move(told));
    const History& history = content->history;
    const ProgramPtr last = history.state(history.branch(content->branch).tip).program;
    // A longer run may use what a step of it made: its sentence is told anew.
    if (last != chaptered_)
        std::erase_if(known_, [&](const auto& each) { return each.first != content->program(); });
    chaptered_ = last;
    grouped_ = content->groups;
    chapters_ = std::move(chapters);
    Q_EMIT told_now();
}

CaptionWords caption_words(Document& document) {
    CaptionWords words;
    if (document.empty()) return words;
    const Content& content = document.content();
    const HistoryState& state = content.state();
    const Telling& telling = Telling::of(document);
    const StateTold* told = telling.current();
    if (!state.step) {
        words.head = Words::tr("Initial program");
        words.sentence = Words::tr(
            "Every operator is a kernel of its own: each red line is a trip through global memory.");
    } else {
        const int depth = content.history.depth(state.id);
        const int last = content.history.depth(content.history.branch(content.branch).tip);
        const QString step = Words::tr("Step %1 of %2").arg(depth).arg(last);
        const QString named =
            Words::tr("%1 · %2").arg(step, state.name.empty() ? short_rule_name(state.step->match.rule)
                                                              : QString::fromStdString(state.name));
        words.chapter = telling.chapter(depth);
        words.head = words.chapter.isEmpty() ? named : Words::tr("%1 · %2").arg(words.chapter, named);
        words.short_heads = {named, step};
    }
    if (!told) return words;
    if (told->step) {
        words.sentence = translated(told->step->sentence());
        words.bytes = bytes_words(told->step->claims);
    }
    if (!told->same_branch.empty()) {
        const QString same = Words::tr(" · the same program as step %1 of %2")
                                 .arg(told->same_step)
                                 .arg(QString::fromStdString(told->same_branch));
        QStringList with_it{words.head + same};
        for (const QString& head : words.short_heads) with_it << head + same;
        // "Step 3 of 3 = step 4 of Algorithm"
        with_it << Words::tr("%1 = step %2 of %3")
                       .arg(words.short_heads.back())
                       .arg(told->same_step)
                       .arg(QString::fromStdString(told->same_branch));
        words.short_heads = with_it.mid(1) + QStringList{words.head} + words.short_heads;
        words.head = with_it.front();
    }
    words.called = called_words(*told);
    if (told->step && !words.called.isEmpty()) words.done = translated(told->step->reasoned());
    words.adds = translated(told->adds);
    return words;
}

bool left_algorithm(const Document& document) {
    if (document.empty()) return false;
    const Content& content = document.content();
    return content.branch != content.history.branches().front().id;
}

void back_to_algorithm(Document& document) {
    if (!left_algorithm(document)) return;
    const Content& content = document.content();
    const Branch& first = content.history.branches().front();
    document.go(content.history.common_ancestor(content.current, first.tip), first.id);
}

}  // namespace blockscope

#include "app/document/document.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "app/document/document_json.h"
#include "app/document/work.h"
#include "app/words/words.h"
#include "core/diagram/step_tree.h"

namespace blockscope {

namespace {

constexpr std::size_t kMaxUndo = 2000;
constexpr std::int64_t kLargeHistory = 200'000;  // nodes (History::weight) to replay: some 20 ms

// What was looked at meanwhile, `now` after `base`, stays in `changed`.
void keep_view(const Content& now, const Content& base, Content& changed) {
    const auto known = [&](StateId id) { return changed.history.has(id); };
    changed.folds = now.folds;
    changed.moved = now.moved;
    changed.pinned = now.pinned;
    changed.groups = now.groups;
    if (now.tilings != base.tilings)
        changed.tilings = changed.source == base.source ? now.tilings : without_own_runs(now.tilings);
    drop_lost_groups(changed);
    changed.compared.clear();
    std::copy_if(now.compared.begin(), now.compared.end(), std::back_inserter(changed.compared), known);
    changed.baseline = now.baseline && known(*now.baseline) ? now.baseline : std::nullopt;
    if ((now.current == base.current && now.branch == base.branch) || !known(now.current)) return;
    changed.current = now.current;
    changed.branch = changed.history.branch_through(now.current, now.branch);
}

// Whether ids mean the same in both: those of another program do not.
bool same_nodes(const Content& a, const Content& b) {
    const ProgramPtr one = a.history.state(0).program, other = b.history.state(0).program;
    return one == other || same_but_sizes(*one, *other);
}

// Whether the steps with the circuit, and the notes on them, are the same.
bool same_circuit_work(const circuit::StepTreePtr& a, const circuit::StepTreePtr& b) {
    static const circuit::StepTree none;
    return a == b || (a ? *a : none).same_work(b ? *b : none);
}

}  // namespace

Document::Document(QObject* parent) : QObject(parent), work_(std::make_unique<Work>()) {
    connect(work_.get(), &Work::slow, this, &Document::busy);
    connect(work_.get(), &Work::progressed, this, &Document::progressed);
    connect(work_.get(), &Work::finished, this, &Document::idle);
    connect(work_.get(), &Work::failed, this, &Document::failed);
}
Document::~Document() {
    work_->disconnect(this);
}

void Document::reset(Content content, const QString& path) {
    auto old = std::make_tuple(content_, saved_, std::move(undo_), std::move(redo_));
    content_ = std::make_shared<const Content>(std::move(content));
    saved_ = content_;
    path_ = path;
    view_ = content_->view;
    forget();
    destroy_elsewhere(std::move(old));
}

void Document::close() {
    auto old = std::make_tuple(content_, saved_, std::move(undo_), std::move(redo_));
    content_ = saved_ = nullptr;
    view_ = {};
    path_.clear();
    forget();
    destroy_elsewhere(std::move(old));
}

// Nothing of the document before is left.
void Document::forget() {
    work_->cancel();
    undo_.clear();
    redo_.clear();
    merging_ = false;
    Q_EMIT opened();
    select({});
    set_hover({});
    set_glow({});
    set_preview({});
    show_safe(false);
    Q_EMIT content_changed();
    Q_EMIT current_changed();
    Q_EMIT saved_changed();
    Spot selected{{view_.selection.begin(), view_.selection.end()}, {}, {}};
    if (view_.edge) {
        selected.value = view_.edge->value;
        selected.consumer = view_.edge->consumer;
    }
    select(selected);
}

Content Document::to_save() const {
    Content content = *content_;
    content.view = view_;
    content.view.selection.assign(selection_.nodes.begin(), selection_.nodes.end());
    content.view.edge.reset();
    if (selection_.value) content.view.edge = SavedView::Edge{*selection_.value, selection_.consumer};
    return content;
}

void Document::set_path(const QString& path) {
    path_ = path;
    Q_EMIT saved_changed();
}

void Document::mark_saved() {
    mark_saved(content_);
}

void Document::mark_saved(const ContentPtr& content) {
    saved_ = content;
    merging_ = false;
    Q_EMIT saved_changed();
}

bool Document::has_work() const {
    if (empty() || content_ == saved_) return false;
    return !saved_ || content_->source != saved_->source || !content_->history.same(saved_->history) ||
           content_->moved != saved_->moved || content_->pinned != saved_->pinned ||
           content_->groups != saved_->groups || !same_circuit_work(content_->circuit, saved_->circuit) ||
           !same_tilings(content_->tilings, saved_->tilings);
}

void Document::mark_unsaved() {
    saved_ = nullptr;
    Q_EMIT saved_changed();
}

// ---- Undo

void Document::change(const QString& label, Content content, const QString& merge) {
    redo_.clear();
    if (merging_ && !merge.isEmpty() && undo_.back().merge == merge)
        undo_.back().label = label;
    else
        undo_.push_back({label, merge, content_});
    merging_ = true;
    if (undo_.size() > kMaxUndo) undo_.erase(undo_.begin());
    show(std::make_shared<const Content>(std::move(content)));
}

QString Document::undo_label() const {
    return can_undo() ? undo_.back().label : QString();
}
QString Document::redo_label() const {
    return can_redo() ? redo_.back().label : QString();
}

void Document::undo() {
    if (!can_undo()) return;
    Entry entry = std::move(undo_.back());
    undo_.pop_back();
    redo_.push_back({entry.label, entry.merge, content_});
    merging_ = false;
    show(entry.before);
}

void Document::redo() {
    if (!can_redo()) return;
    Entry entry = std::move(redo_.back());
    redo_.pop_back();
    undo_.push_back({entry.label, entry.merge, content_});
    merging_ = false;
    show(entry.before);
}

void Document::show(ContentPtr content) {
    const ContentPtr before = std::move(content_);
    content_ = std::move(content);
    const bool moved = !before || before->current != content_->current ||
                       before->branch != content_->branch || before->program() != content_->program();
    if (before && !same_nodes(*before, *content_)) select({}), set_hover({});
    // Nobody asks for the match of the state before in this one.
    const bool previewed = moved && std::exchange(preview_, std::nullopt).has_value();
    Q_EMIT content_changed();
    if (previewed) Q_EMIT preview_changed();
    if (moved) Q_EMIT current_changed();
    Q_EMIT saved_changed();
}

// ---- Looking

void Document::hide_next(const QObject* asking, bool on) {
    const bool hidden = hides_next();
    on ? (void)asking_.insert(asking) : (void)asking_.erase(asking);
    if (hidden != hides_next()) Q_EMIT next_hidden_changed();
}

void Document::hide_run(bool on) {
    if (on == std::exchange(run_hidden_, on)) return;
    Q_EMIT next_hidden_changed();
}

void Document::show_safe(bool on) {
    if (on == safe_) return;
    safe_ = on;
    Q_EMIT safe_changed();
}

void Document::set_folds(Folds folds, const QString& label) {
    if (empty() || folds == content_->folds) return;
    Content changed = *content_;
    changed.folds = std::move(folds);
    change(label, std::move(changed));
}

void Document::toggle_fold(NodeId map) {
    if (empty()) return;
    Folds folds = content_->folds;
    const bool folded = folds.erase(map) == 0;
    if (folded) folds.insert(map);
    set_folds(std::move(folds), folded ? tr("Fold map") : tr("Unfold map"));
}

void Document::move_block(NodeId node, Shift by) {
    if (empty() || by == Shift{}) return;
    Content changed = *content_;
    Shift& shift = changed.moved[node];
    shift.x = std::clamp(shift.x + by.x, -kFarthestShift, kFarthestShift);
    shift.y = std::clamp(shift.y + by.y, -kFarthestShift, kFarthestShift);
    if (shift == Shift{}) changed.moved.erase(node);
    change(tr("Move block"), std::move(changed), QStringLiteral("move %1").arg(node.value));
}

void Document::pin_note(NodeId node, const PinnedNote& given) {
    if (empty()) return;
    const PinnedNote note{QString::fromStdString(given.text).trimmed().toStdString(), given.color};
    const auto found = content_->pinned.find(node);
    if (found == content_->pinned.end() ? note.text.empty() : found->second == note) return;
    if (note.text.size() > kMaxNoteBytes) {
        Q_EMIT failed(tr("The note is too long. A note may have %1 bytes.").arg(kMaxNoteBytes));
        return;
    }
    Content changed = *content_;
    if (note.text.empty())
        changed.pinned.erase(node);
    else
        changed.pinned[node] = note;
    change(tr("Pin note"), std::move(changed));
}

void Document::set_tilings(TilingsWork work, const QString& label, const QString& merge) {
    auto kept = std::make_shared<const TilingsWork>(std::move(work));
    if (empty() || same_tilings(content_->tilings, kept)) return;
    Content changed = *content_;
    changed.tilings = std::move(kept);
    change(label, std::move(changed), merge);
}

void Document::compare_with(std::vector<StateId> states) {
    if (empty()) return;
    std::erase_if(states, [&](StateId id) { return !content_->history.has(id); });
    if (states.size() > kMaxCompared) states.resize(kMaxCompared);
    if (states == content_->compared) return;
    Content changed = *content_;
    changed.compared = std::move(states);
    change(tr("Compare states"), std::move(changed));
}

void Document::set_baseline(std::optional<StateId> state) {
    if (empty() || state == content_->baseline || (state && !content_->history.has(*state))) return;
    Content changed = *content_;
    changed.baseline = state;
    change(tr("Choose what to compare with"), std::move(changed));
}

void Document::set_dims(const DimTable& dims) {
    if (empty() || dims == content_->program()->dims) return;
    const auto make = [dims](const Content& content, const StepObserver& observer) {
        return with_dims(content, dims, observer);
    };
    perform({.label = tr("Change sizes"),
             .merge = QStringLiteral("dims"),
             .while_busy = WhileBusy::Replace,
             .make = make,
             .replays = true});
}

void Document::set_rules(RuleSet rules) {
    if (empty() || rules == content_->history.rules()) return;
    const auto make = [rules](const Content& content, const StepObserver& observer) -> Result<Content> {
        return with_rules(content, rules, observer);
    };
    perform({.label = tr("Change the rules"),
             .merge = QStringLiteral("rules"),
             .while_busy = WhileBusy::Replace,
             .make = make,
             .replays = true});
}

void Document::set_source(const QString& source) {
    if (empty()) return;
    const std::string text = source.toStdString();
    if (text == content_->source) return;
    const auto make = [text](const Content& content, const StepObserver& observer) -> Result<Content> {
        Result<Content> made = with_source(content, text, content.name, observer);
        if (!made) return made;
        return prepared(std::move(made).value(), observer);
    };
    perform({.label = tr("Change the program"),
             .merge = QStringLiteral("source"),
             .while_busy = WhileBusy::Replace,
             .make = make,
             .replays = true});
}

// ---- In the background

bool Document::is_busy() const {
    return work_->busy();
}

void Document::cancel() {
    if (!is_busy()) return;
    work_->cancel();
    Q_EMIT cancelled();
}

void Document::wait() {
    QEventLoop loop;
    connect(work_.get(), &Work::finished, &loop, &QEventLoop::quit, Qt::QueuedConnection);
    while (work_->busy()) loop.exec();
}

bool Document::is_large() const {
    return node_count(*content_->program()) > background_above_ ||
           content_->history.weight() > std::min(kLargeHistory, 200L * background_above_);
}

void Document::perform(Action action) {
    if (is_busy() && action.while_busy == WhileBusy::Ignore) return;
    if (is_busy() && action.while_busy == WhileBusy::Refuse) {
        Q_EMIT failed(tr("\"%1\" is still running. Wait for it, or cancel it.").arg(work_->title()));
        return;
    }
    if (!is_large()) return take(action, content_, action.make(*content_, {}));
    const QString title = action.label;
    work_->start(title,
                 [this, action = std::move(action), base = content_](const Stop& stop) -> Work::Finish {
                     const std::size_t replayed = base->history.states().size() - 1;
                     const auto observer = [&, steps = std::size_t{0}](const Step&) mutable {
                         ++steps;
                         if (action.replays) stop.done(steps, replayed);
                         return !stop;
                     };
                     auto made = std::make_shared<const Result<Content>>(action.make(*base, observer));
                     return [this, action, base, made] { take(action, base, *made); };
                 });
}

void Document::take(const Action& action, const ContentPtr& base, const Result<Content>& made) {
    if (!made) {
        Q_EMIT failed(translated(made.problems().front()));
        return;
    }
    const bool other_program = made->history.state(0).program != base->history.state(0).program &&
                               content_->circuit != base->circuit;
    if (!content_->history.same(base->history) || other_program) {
        Q_EMIT failed(tr("\"%1\" was dropped because the steps have changed meanwhile.").arg(action.label));
        return;
    }
    Content changed = *made;
    if (changed.history.same(base->history) && changed.current == base->current &&
        changed.branch == base->branch && changed.source == base->source) {
        if (!action.nothing.isEmpty()) Q_EMIT said(action.nothing);
        return;
    }
    if (content_->circuit != base->circuit) changed.circuit = content_->circuit;
    if (content_ != base) keep_view(*content_, *base, changed);
    if (changed.history.has(base->current) && changed.history.weight() >= base->history.weight())
        changed.folds = carried_folds(changed.history, changed.folds, base->current, changed.current);
    change(action.label, std::move(changed), action.merge);
}

// ---- What is pointed at

void Document::select(const Spot& spot) {
    if (spot == selection_) return;
    selection_ = spot;
    Q_EMIT selection_changed();
}

void Document::set_hover(const Spot& spot) {
    if (spot == hover_) return;
    hover_ = spot;
    Q_EMIT hover_changed();
}

void Document::set_glow(const Glow& glow) {
    if (glow == glow_) return;
    glow_ = glow;
    Q_EMIT glow_changed();
}

void Document::reveal(NodeId node) {
    if (empty()) return;
    std::vector<NodeId> around;
    if (!find_path(*content_->program(), node, around)) return;
    Folds folds = content_->folds;
    for (const NodeId map : around) folds.erase(map);
    set_folds(std::move(folds), tr("Unfold to what was found"));
    select({{node}, {}, {}});
    Q_EMIT reveal_asked(node);
}

void Document::set_preview(std::optional<Match> match) {
    if (match == preview_) return;
    preview_ = std::move(match);
    Q_EMIT preview_changed();
}

// Stepping through the history and changing it.

namespace {

QString step_label(const HistoryState& state) {
    if (!state.step) return Document::tr("Go to the initial program");
    return Document::tr("Go to step %1").arg(state.depth);
}

QString rule_name(const Match& match) {
    return QString::fromStdString(to_string(match.rule));
}

}  // namespace

void Document::go(StateId id) {
    if (empty() || !content_->history.has(id)) return;
    go(id, content_->history.branch_through(id, content_->branch));
}

void Document::go(StateId id, int branch) {
    if (empty() || !content_->history.has(id)) return;
    Content changed = *content_;
    changed.current = id;
    changed.branch = changed.history.branch_through(id, branch);
    if (changed.current == content_->current && changed.branch == content_->branch) return;
    changed.folds = carried_folds(changed.history, changed.folds, content_->current, id);
    const QString label = step_label(changed.state());  // before `changed` moves away
    change(label, std::move(changed), QStringLiteral("go"));
}

bool Document::can_forward() const {
    if (empty()) return false;
    return content_->history.next(content_->current, content_->branch) ||
           content_->history.branch(content_->branch).stopped.empty();
}

bool Document::can_back() const {
    return !empty() && content_->state().parent >= 0;
}

void Document::forward() {
    if (empty()) return;
    if (const auto next = content_->history.next(content_->current, content_->branch)) return go(*next);
    if (!can_forward()) return;
    perform({.label = tr("Next step of the algorithm"),
             .while_busy = WhileBusy::Ignore,
             .make = [](const Content& content, const StepObserver&) -> Result<Content> {
                 return next_step(content);
             }});
}

void Document::back() {
    if (can_back()) go(content_->state().parent);
}

void Document::next_snapshot() {
    if (empty()) return;
    const std::vector<StateId> way = content_->history.path(content_->history.branch(content_->branch).tip);
    const std::size_t here = static_cast<std::size_t>(content_->history.depth(content_->current));
    for (std::size_t i = here + 1; i < way.size(); ++i)
        if (content_->history.state(way[i]).snapshot) return go(way[i]);
}

void Document::previous_snapshot() {
    if (empty()) return;
    for (StateId at = content_->state().parent; at >= 0; at = content_->history.state(at).parent)
        if (content_->history.state(at).snapshot) return go(at);
    home();
}

void Document::home() {
    go(0);
}

void Document::end() {
    if (!empty()) go(content_->history.branch(content_->branch).tip);
}

void Document::apply(const Match& match) {
    if (empty()) return;
    set_preview({});
    const auto make = [match](const Content& content, const StepObserver&) -> Result<Content> {
        if (applies(*content.program(), match)) return apply_match(content, match);
        return Problem{{},
                       tr("Rule %1 no longer applies there. The list of matches shows where it does.")
                           .arg(rule_name(match))
                           .toStdString()};
    };
    perform({.label = tr("Apply rule %1").arg(rule_name(match)), .make = make});
}

void Document::run_from_here() {
    if (empty()) return;
    const auto make = [](const Content& content, const StepObserver& observer) -> Result<Content> {
        return run_algorithm(content, content.current, observer);
    };
    perform({.label = tr("Run the algorithm"),
             .nothing = tr("The algorithm's steps from here are there already; End goes to the last one."),
             .make = make});
}

void Document::rename_branch(int branch, const QString& name) {
    if (empty()) return;
    const std::string text = name.trimmed().toStdString();
    if (text.size() > kMaxTitleBytes) {
        Q_EMIT failed(tr("The name is too long. Choose one of at most %1 bytes.").arg(kMaxTitleBytes));
        return;
    }
    const std::vector<Branch>& branches = content_->history.branches();
    const auto other_name = [&](const Branch& other) { return other.id == branch && other.name != text; };
    if (text.empty() || std::none_of(branches.begin(), branches.end(), other_name)) return;
    Content changed = *content_;
    changed.history.rename(branch, text);
    change(tr("Rename branch"), std::move(changed));
}

void Document::remove_branch(int branch) {
    if (empty()) return;
    Content changed = *content_;
    if (!changed.history.remove(branch)) {
        Q_EMIT failed(tr("The last branch cannot be deleted."));
        return;
    }
    while (!changed.history.has(changed.current))
        changed.current = content_->history.state(changed.current).parent;
    changed.branch = changed.history.branch_through(changed.current, changed.branch);
    std::erase_if(changed.compared, [&](StateId id) { return !changed.history.has(id); });
    if (changed.baseline && !changed.history.has(*changed.baseline)) changed.baseline.reset();
    drop_lost_groups(changed);
    change(tr("Delete branch"), std::move(changed));
}

void Document::set_note(StateId id, const QString& note) {
    if (empty() || !content_->history.has(id)) return;
    const std::string text = note.toStdString();
    if (content_->history.state(id).note == text) return;
    if (text.size() > kMaxNoteBytes) {
        Q_EMIT failed(tr("The note is too long. A note may have %1 bytes.").arg(kMaxNoteBytes));
        return;
    }
    Content changed = *content_;
    changed.history.set_note(id, text);
    change(tr("Edit note"), std::move(changed), QStringLiteral("note %1").arg(id));
}

void Document::rename_step(StateId id, const QString& name) {
    if (empty() || !content_->history.has(id)) return;
    const std::string text = name.trimmed().toStdString();
    if (content_->history.state(id).name == text) return;
    if (text.size() > kMaxTitleBytes) {
        Q_EMIT failed(tr("The name is too long. Choose one of at most %1 bytes.").arg(kMaxTitleBytes));
        return;
    }
    Content changed = *content_;
    changed.history.set_name(id, text);
    change(tr("Rename step"), std::move(changed));
}

void Document::group_steps(int first, int last, const QString& name) {
    if (empty()) return;
    const History& history = content_->history;
    const std::vector<StateId> way = history.path(history.branch(content_->branch).tip);
    if (first < 1 || last < first || last >= static_cast<int>(way.size())) {
        Q_EMIT failed(tr("This run has the steps 1 to %1.").arg(way.size() - 1));
        return;
    }
    const std::string text = name.trimmed().toStdString();
    if (text.size() > kMaxTitleBytes) {
        Q_EMIT failed(tr("The name is too long. Choose one of at most %1 bytes.").arg(kMaxTitleBytes));
        return;
    }
    Content changed = *content_;
    std::erase_if(changed.groups, [&](const GroupedSteps& group) {
        const std::vector<StateId> states = history.path(group.last);
        return std::any_of(states.begin() + history.depth(group.first), states.end(), [&](StateId state) {
            const int step = history.depth(state);
            return first <= step && step <= last && way[static_cast<std::size_t>(step)] == state;
        });
    });
    if (!text.empty())
        changed.groups.push_back(
            {way[static_cast<std::size_t>(first)], way[static_cast<std::size_t>(last)], text});
    if (changed.groups == content_->groups) return;
    change(text.empty() ? tr("Ungroup steps") : tr("Group steps"), std::move(changed));
}

void Document::tidy() {
    if (empty()) return;
    Content changed = *content_;
    const bool tidy = !changed.state().tidy || !changed.moved.empty();
    changed.moved.clear();
    changed.history.set_tidy(changed.current, tidy);
    change(tidy ? tr("Lay out afresh") : tr("Lay out like the step before"), std::move(changed));
}

namespace {

constexpr qint64 kRunMilliseconds = 2000;

}  // namespace

Content first_run(Content content, const Stop& stop) {
    QElapsedTimer clock;
    clock.start();
    return prepared(std::move(content),
                    [&](const Step&) { return !stop && clock.elapsed() < kRunMilliseconds; });
}

}  // namespace blockscope

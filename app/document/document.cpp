#include "app/document/document.h"

#include <algorithm>
#include <utility>

#include "core/support/result.h"

namespace blockscope {

namespace {

constexpr std::size_t kMaxUndo = 10000;

QString step_label(const HistoryState& state) {
    if (!state.step) return Document::tr("Go to the initial program");
    return Document::tr("Go to rule %1").arg(QString::fromStdString(to_string(state.step->match.rule)));
}

}  // namespace

Document::Document(QObject* parent) : QObject(parent) {}
Document::~Document() = default;

void Document::reset(Content content, const QString& path) {
    content_ = std::make_shared<const Content>(std::move(content));
    saved_ = content_;
    path_ = path;
    undo_.clear();
    redo_.clear();
    selection_ = hover_ = Spot{};
    glow_ = Glow{};
    preview_.reset();
    Q_EMIT opened();
    Q_EMIT content_changed();
    Q_EMIT current_changed();
    Q_EMIT saved_changed();
}

void Document::close() {
    content_ = saved_ = nullptr;
    path_.clear();
    undo_.clear();
    redo_.clear();
    Q_EMIT opened();
    Q_EMIT content_changed();
    Q_EMIT current_changed();
    Q_EMIT saved_changed();
}

void Document::set_path(const QString& path) {
    path_ = path;
    Q_EMIT saved_changed();
}

void Document::mark_saved() {
    saved_ = content_;
    Q_EMIT saved_changed();
}

// ---- Undo

void Document::change(const QString& label, Content content, const QString& merge) {
    redo_.clear();
    const bool merged = !merge.isEmpty() && !undo_.empty() && undo_.back().merge == merge;
    if (!merged) undo_.push_back({label, merge, content_});
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
    show(entry.before);
}

void Document::redo() {
    if (!can_redo()) return;
    Entry entry = std::move(redo_.back());
    redo_.pop_back();
    undo_.push_back({entry.label, entry.merge, content_});
    show(entry.before);
}

void Document::show(ContentPtr content) {
    const ContentPtr before = std::move(content_);
    content_ = std::move(content);
    const bool moved = !before || before->current != content_->current ||
                       before->branch != content_->branch || before->program() != content_->program();
    if (moved) preview_.reset();
    Q_EMIT content_changed();
    if (moved) Q_EMIT current_changed();
    Q_EMIT saved_changed();
}

// ---- Stepping

void Document::go(StateId id) {
    if (empty() || !content_->history.has(id)) return;
    go(id, content_->history.branch_through(id, content_->branch));
}

void Document::go(StateId id, int branch) {
    if (empty() || (id == content_->current && branch == content_->branch)) return;
    Content changed = *content_;
    changed.current = id;
    changed.branch = changed.history.branch_through(id, branch);
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
    const std::size_t states = content_->history.states().size();
    Content changed = run_algorithm(*content_, content_->current, [](const Step&) { return false; });
    const auto next = changed.history.next(changed.current, changed.branch);
    if (next) changed.current = *next;
    const bool stepped = changed.history.states().size() > states;
    change(stepped ? tr("Next step of the algorithm") : tr("End of the algorithm"), std::move(changed));
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
    try {
        Content changed = apply_match(*content_, match);
        const QString rule = QString::fromStdString(to_string(match.rule));
        change(tr("Apply rule %1").arg(rule), std::move(changed));
    } catch (const InternalError&) {
        Q_EMIT failed(tr("Rule %1 no longer applies there. The list of matches shows where it does.")
                          .arg(QString::fromStdString(to_string(match.rule))));
    }
}

void Document::run_from_here() {
    if (empty()) return;
    Content changed = run_algorithm(*content_, content_->current);
    change(tr("Run the algorithm"), std::move(changed));
}

void Document::rename_branch(int branch, const QString& name) {
    if (empty() || name.trimmed().isEmpty()) return;
    Content changed = *content_;
    changed.history.rename(branch, name.trimmed().toStdString());
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
    change(tr("Delete branch"), std::move(changed));
}

void Document::set_note(StateId id, const QString& note) {
    if (empty() || !content_->history.has(id)) return;
    if (content_->history.state(id).note == note.toStdString()) return;
    Content changed = *content_;
    changed.history.set_note(id, note.toStdString());
    change(tr("Edit note"), std::move(changed), QStringLiteral("note %1").arg(id));
}

void Document::tidy() {
    if (empty()) return;
    Content changed = *content_;
    changed.history.set_tidy(changed.current, !changed.state().tidy);
    change(tr("Lay out afresh"), std::move(changed));
}

// ---- Looking

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

void Document::compare_with(std::vector<StateId> states) {
    if (empty() || states == content_->compared) return;
    Content changed = *content_;
    changed.compared = std::move(states);
    change(tr("Compare states"), std::move(changed));
}

void Document::set_baseline(std::optional<StateId> state) {
    if (empty() || state == content_->baseline) return;
    Content changed = *content_;
    changed.baseline = state;
    change(tr("Choose what to compare with"), std::move(changed));
}

void Document::set_dims(const DimTable& dims) {
    if (empty() || dims == content_->program()->dims) return;
    Result<Content> changed = with_dims(*content_, dims);
    if (changed)
        change(tr("Change sizes"), std::move(changed).value(), QStringLiteral("dims"));
    else
        Q_EMIT failed(QString::fromStdString(to_string(changed.problems().front())));
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

void Document::set_preview(std::optional<Match> match) {
    if (match == preview_) return;
    preview_ = std::move(match);
    Q_EMIT preview_changed();
}

}  // namespace blockscope

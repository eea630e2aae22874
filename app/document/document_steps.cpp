// Stepping through the history and changing it.
#include <algorithm>
#include <utility>

#include "app/document/document.h"
#include "app/document/document_json.h"

namespace blockscope {

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
    perform(
        {tr("Next step of the algorithm"),
         {},
         WhileBusy::Ignore,
         {},
         [](const Content& content, const StepObserver&) -> Result<Content> { return next_step(content); }});
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
    perform({tr("Apply rule %1").arg(rule_name(match)), {}, WhileBusy::Refuse, {}, make});
}

void Document::run_from_here() {
    if (empty()) return;
    const auto make = [](const Content& content, const StepObserver& observer) -> Result<Content> {
        return run_algorithm(content, content.current, observer);
    };
    perform({tr("Run the algorithm"),
             {},
             WhileBusy::Refuse,
             tr("The algorithm's steps from here are there already; End goes to the last one."),
             make});
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

void Document::tidy() {
    if (empty()) return;
    Content changed = *content_;
    const bool tidy = !changed.state().tidy;
    changed.history.set_tidy(changed.current, tidy);
    change(tidy ? tr("Lay out afresh") : tr("Lay out like the step before"), std::move(changed));
}

}  // namespace blockscope

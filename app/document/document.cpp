#include "app/document/document.h"

#include <QEventLoop>
#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "app/document/destroy_elsewhere.h"
#include "app/document/document_json.h"
#include "app/document/work.h"
#include "app/words/words.h"
#include "core/circuit/step_tree.h"

namespace blockscope {

namespace {

constexpr std::size_t kMaxUndo = 2000;
constexpr std::int64_t kLargeHistory = 200'000;  // nodes (History::weight) to replay: some 20 ms

// What was looked at meanwhile, `now` after `base`, stays in `changed`.
void keep_view(const Content& now, const Content& base, Content& changed) {
    const auto known = [&](StateId id) { return changed.history.has(id); };
    changed.folds = now.folds;
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
           !same_circuit_work(content_->circuit, saved_->circuit);
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
    perform({tr("Change sizes"), QStringLiteral("dims"), WhileBusy::Replace, {}, make, true});
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
    perform({tr("Change the program"), QStringLiteral("source"), WhileBusy::Replace, {}, make, true});
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
        Q_EMIT failed(in_words(made.problems().front()));
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

}  // namespace blockscope

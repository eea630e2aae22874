#include "app/panels/edge_counts.h"

#include <QElapsedTimer>
#include <utility>

#include "app/document/patient.h"

namespace blockscope {

namespace {

constexpr int kPatience = 8;        // milliseconds of counting on the interface thread
constexpr std::size_t kBatch = 64;  // counts that come back together

}  // namespace

EdgeCounts::EdgeCounts(Document& document) : QObject(&document), document_(document) {
    connect(&document, &Document::content_changed, this, &EdgeCounts::count);
    connect(&document, &Document::opened, this, [this] {
        counts_.clear();
        given_up_ = false;
    });
    count();
}

EdgeCounts& EdgeCounts::of(Document& document) {
    if (auto* found = document.findChild<EdgeCounts*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new EdgeCounts(document);
}

std::optional<int> EdgeCounts::of(const ProgramPtr& program) const {
    const auto found = counts_.find(program);
    if (found == counts_.end()) return std::nullopt;
    return found->second;
}

void EdgeCounts::count() {
    work_.cancel();
    if (document_.empty()) return;
    const Content& content = document_.content();
    std::vector<ProgramPtr> open{content.program()};  // the first to be asked for
    for (const auto& [id, state] : content.history.states()) open.push_back(state->program);
    std::erase_if(open, [this](const ProgramPtr& program) { return counts_.count(program) > 0; });
    QElapsedTimer clock;
    clock.start();
    std::size_t done = 0;
    for (; done < open.size() && clock.elapsed() < kPatience; ++done)
        counts_.emplace(open[done], buffered_edges(*open[done]));
    if (done == open.size()) given_up_ = false;
    if (done > 0) Q_EMIT counted();
    if (done == open.size() || given_up_) return;
    open.erase(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(done));
    work_.start(tr("Counting buffered edges"),
                [this, open = std::move(open)](const Stop& stop) { return count_all(open, stop); });
}

// Off the interface thread.
Work::Finish EdgeCounts::count_all(const std::vector<ProgramPtr>& programs, const Stop& stop) {
    be_patient();
    Counts batch;
    const auto give = [this, &batch] {
        QMetaObject::invokeMethod(
            this, [this, counts = std::exchange(batch, {})] { take(counts); }, Qt::QueuedConnection);
    };
    for (std::size_t i = 0; i < programs.size() && !stop; ++i) {
        batch.emplace_back(programs[i], buffered_edges(*programs[i]));
        stop.done(i + 1, programs.size());
        if (batch.size() == kBatch) give();
    }
    give();
    return {};
}

void EdgeCounts::cancel() {
    given_up_ = true;
    work_.cancel();
    Q_EMIT counted();
}

void EdgeCounts::count_again() {
    given_up_ = false;
    count();
    Q_EMIT counted();
}

void EdgeCounts::take(const Counts& counts) {
    counts_.insert(counts.begin(), counts.end());
    Q_EMIT counted();
}

}  // namespace blockscope

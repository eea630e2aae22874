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
    pool_.setMaxThreadCount(1);
    connect(&document, &Document::content_changed, this, &EdgeCounts::count);
    connect(&document, &Document::opened, this, [this] { counts_.clear(); });
    count();
}

EdgeCounts::~EdgeCounts() {
    if (stop_) *stop_ = true;
    pool_.waitForDone();
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
    if (stop_) *stop_ = true;
    if (document_.empty()) return;
    std::vector<ProgramPtr> open;
    for (const auto& [id, state] : document_.content().history.states())
        if (counts_.count(state->program) == 0) open.push_back(state->program);
    QElapsedTimer clock;
    clock.start();
    std::size_t done = 0;
    for (; done < open.size() && clock.elapsed() < kPatience; ++done)
        counts_.emplace(open[done], buffered_edges(*open[done]));
    if (done > 0) Q_EMIT counted();
    if (done == open.size()) return;
    stop_ = std::make_shared<std::atomic<bool>>(false);
    pool_.start([this, stop = stop_, open = std::move(open), done] {
        be_patient();
        Counts batch;
        for (std::size_t i = done; i < open.size() && !*stop; ++i) {
            batch.emplace_back(open[i], buffered_edges(*open[i]));
            if (batch.size() < kBatch && i + 1 < open.size()) continue;
            QMetaObject::invokeMethod(
                this, [this, counts = std::exchange(batch, {})] { take(counts); }, Qt::QueuedConnection);
        }
    });
}

void EdgeCounts::take(const Counts& counts) {
    counts_.insert(counts.begin(), counts.end());
    Q_EMIT counted();
}

}  // namespace blockscope

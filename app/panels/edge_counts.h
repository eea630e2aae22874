// Buffered edges of every state of a document, counted once for each program and off the interface thread
// where that takes long.
#pragma once

#include <QObject>
#include <map>
#include <optional>

#include "app/document/document.h"
#include "app/document/work.h"

namespace blockscope {

class EdgeCounts : public QObject {
    Q_OBJECT

public:
    explicit EdgeCounts(Document& document);
    // The one of this document, made when first asked for.
    static EdgeCounts& of(Document& document);

    std::optional<int> of(const ProgramPtr& program) const;

    // The counting, for a bar that announces it; cancel() ends it.
    Work& work() { return work_; }
    // By the user: what takes long is not counted any more until count_again(), or another document.
    void cancel();
    void count_again();
    bool given_up() const { return given_up_; }

Q_SIGNALS:
    void counted();  // some count is new, or given up

private:
    using Counts = std::vector<std::pair<ProgramPtr, int>>;
    void count();
    Work::Finish count_all(const std::vector<ProgramPtr>& programs, const Stop& stop);
    void take(const Counts& counts);

    Document& document_;
    std::map<ProgramPtr, int> counts_;  // keeps the programs, so that no other one gets their addresses
    bool given_up_ = false;
    Work work_;  // last: its jobs are waited for before the rest goes
};

}  // namespace blockscope

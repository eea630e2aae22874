// Buffered edges of every state of a document, counted once for each program and off the interface thread
// where that takes long.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <map>
#include <optional>

#include "app/document/document.h"

namespace blockscope {

class EdgeCounts : public QObject {
    Q_OBJECT

public:
    explicit EdgeCounts(Document& document);
    ~EdgeCounts() override;
    // The one of this document, made when first asked for.
    static EdgeCounts& of(Document& document);

    std::optional<int> of(const ProgramPtr& program) const;

Q_SIGNALS:
    void counted();  // some count is new

private:
    using Counts = std::vector<std::pair<ProgramPtr, int>>;
    void count();
    void take(const Counts& counts);

    Document& document_;
    std::map<ProgramPtr, int> counts_;  // keeps the programs, so that no other one gets their addresses
    std::shared_ptr<std::atomic<bool>> stop_;
    QThreadPool pool_;
};

}  // namespace blockscope

// Where rules apply in a state, found on a thread of its own.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <atomic>

#include "app/document/document.h"
#include "core/rules/ask.h"

namespace blockscope {

struct MatchLine {
    Match match;
    QString nodes;        // "N-map n12 (dot) → N-map n15 (exp(x))", in the order of the roles
    QString roles;        // "producer → consumer"
    QString place;        // "M › N"
    QString explanation;  // what applying would do
    bool next = false;    // the algorithm would take it
};

struct MatchReport {
    ProgramPtr program;
    std::vector<MatchLine> lines;  // in the order of all_matches
};

// `stop` ends the search early with what was found.
MatchReport find_matches(const ProgramPtr& program, const std::atomic<bool>& stop);

class MatchFinder : public QObject {
    Q_OBJECT

public:
    explicit MatchFinder(Document& document, QObject* parent = nullptr);
    ~MatchFinder() override;

    const MatchReport& report() const { return report_; }
    bool searching() const { return stop_ != nullptr; }
    // Looks only while it is wanted: a hidden panel costs nothing.
    void set_active(bool active);

Q_SIGNALS:
    void changed();  // report() or searching()

private:
    void refresh();
    void take(const std::shared_ptr<std::atomic<bool>>& stop, MatchReport report);

    Document& document_;
    MatchReport report_;
    bool active_ = true;
    ProgramPtr asked_;
    std::shared_ptr<std::atomic<bool>> stop_;  // of the search that runs; null without one
    QThreadPool pool_;
};

// The nodes of a match, each once, in the order of its roles.
std::vector<NodeId> nodes_of(const Match& match);

}  // namespace blockscope

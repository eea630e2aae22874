// Where rules apply in a state, found off the interface thread.
#pragma once

#include <QObject>
#include <memory>

#include "app/document/document.h"
#include "app/document/work.h"
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
using MatchReportPtr = std::shared_ptr<const MatchReport>;

// `stop` ends the search with Stopped, and is told how much of it is done.
MatchReport find_matches(const ProgramPtr& program, const Stop& stop);

class MatchFinder : public QObject {
    Q_OBJECT

public:
    explicit MatchFinder(Document& document, QObject* parent = nullptr);
    const MatchReport& report() const { return *report_; }
    const MatchReportPtr& shared_report() const { return report_; }
    bool searching() const { return work_.busy(); }
    // Why there is no report though nothing is searched: it was cancelled, or a rule is broken. Else empty.
    const QString& trouble() const { return trouble_; }
    // The search, for a bar that announces it and can end it.
    Work& work() { return work_; }
    // By the user: the next state, or showing the panel again, looks again.
    void cancel();
    // Looks only while it is wanted: a hidden panel costs nothing.
    void set_active(bool active);

Q_SIGNALS:
    void changed();  // report() or searching()

private:
    void refresh();
    void give_up(const QString& why);

    Document& document_;
    MatchReportPtr report_ = std::make_shared<MatchReport>();
    QString trouble_;
    bool active_ = true;
    ProgramPtr asked_;
    Work work_;
};

// The nodes of a match, each once, in the order of its roles.
std::vector<NodeId> nodes_of(const Match& match);

}  // namespace blockscope

// The rows of the list of matches: rules, and in each the places where it applies. Their texts are made when
// they are seen, so that thousands of matches are there at once.
#pragma once

#include <QAbstractItemModel>

#include "app/panels/match_finder.h"

namespace blockscope {

// Data of the rows beside Qt::DisplayRole (the nodes, or the rule's name).
enum MatchRole : int {
    kMatchIndexRole = Qt::UserRole,  // index in MatchReport::lines; -1 of a rule
    kRuleRole,                       // "6a"
    kCountRole,                      // of a rule: matches shown
    kDetailRole,                     // second line
    kNextRole,                       // the algorithm takes it next
};

class MatchModel : public QAbstractItemModel {
    Q_OBJECT

public:
    using QAbstractItemModel::QAbstractItemModel;

    // Only `rule` (or all), only lines that contain `text`. Rules without a match come last; no rows at all
    // for a report without a program.
    void show(MatchReportPtr report, std::optional<RuleId> rule, const QString& text);
    int shown() const { return shown_; }  // matches

    QModelIndex index(int row, int column, const QModelIndex& parent) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent) const override;
    int columnCount(const QModelIndex& parent) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Group {
        const Rule* rule;
        std::vector<int> lines;  // of the report
    };
    static QVariant group_data(const Group& group, int role);
    QVariant line_data(const Group& group, int line, int role) const;

    MatchReportPtr report_;
    std::vector<Group> groups_;
    int shown_ = 0;
};

}  // namespace blockscope

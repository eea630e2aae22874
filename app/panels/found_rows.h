// The rows of what was found. Their texts are made when they are seen, so that a thousand are there at once.
#pragma once

#include <QAbstractListModel>
#include <map>
#include <optional>
#include <vector>

#include "app/panels/program_links.h"

namespace blockscope {

class FoundRows : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    // Nodes of the program, the first 1,000 of them as rows.
    void show(ProgramPtr program, std::vector<NodeId> nodes);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;  // "dot n17 in M, N"

private:
    QString text(NodeId node) const;

    ProgramPtr program_;
    std::vector<NodeId> nodes_;
    mutable std::optional<ProgramLinks> links_;  // of the program, once a text is asked for
    mutable std::map<int, QString> texts_;       // by row
};

}  // namespace blockscope

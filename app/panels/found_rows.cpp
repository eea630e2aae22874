#include "app/panels/found_rows.h"

#include <utility>

#include "app/words/words.h"
#include "core/print/label.h"

namespace blockscope {

namespace {

constexpr std::size_t kMostListed = 1000;

}  // namespace

void FoundRows::show(ProgramPtr program, std::vector<NodeId> nodes) {
    beginResetModel();
    program_ = std::move(program);
    nodes_ = std::move(nodes);
    if (nodes_.size() > kMostListed) nodes_.resize(kMostListed);
    links_.reset();
    texts_.clear();
    endResetModel();
}

int FoundRows::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(nodes_.size());
}

QVariant FoundRows::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || role != Qt::DisplayRole) return {};
    const auto [known, is_new] = texts_.try_emplace(index.row());
    if (is_new) known->second = text(nodes_.at(static_cast<std::size_t>(index.row())));
    return known->second;
}

QString FoundRows::text(NodeId node) const {
    if (!links_) links_.emplace(program_);
    const DimTable& dims = program_->dims;
    QStringList maps;
    for (const NodeId map : links_->path(node))
        maps << QString::fromStdString(dims.at(links_->find(map)->as<Map>()->dim.value).name);
    const QString name = in_words(label(*links_->find(node), dims));
    return maps.isEmpty() ? name : tr("%1  in %2").arg(name, maps.join(QStringLiteral(", ")));
}

}  // namespace blockscope

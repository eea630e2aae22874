#include "app/panels/match_model.h"

#include <algorithm>
#include <utility>

#include "app/panels/match_list.h"
#include "app/panels/step_look.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr quintptr kRules = 0;  // id of their rows; those of matches have their rule's row plus one

bool contains(const MatchLine& line, const QString& text) {
    if (text.isEmpty()) return true;
    const QString* const parts[] = {&line.nodes, &line.roles, &line.place, &line.explanation};
    return std::any_of(std::begin(parts), std::end(parts),
                       [&](const QString* part) { return part->contains(text, Qt::CaseInsensitive); });
}

}  // namespace

void MatchModel::show(MatchReportPtr report, std::optional<RuleId> rule, const QString& text) {
    beginResetModel();
    report_ = std::move(report);
    groups_.clear();
    shown_ = 0;
    if (report_ && report_->program) {
        for (const Rule& each : rules())
            if (!rule || *rule == each.id) groups_.push_back({&each, {}});
        for (std::size_t i = 0; i < report_->lines.size(); ++i) {
            const MatchLine& line = report_->lines[i];
            const auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& each) {
                return each.rule->id == line.match.rule;
            });
            if (group == groups_.end() || !contains(line, text)) continue;
            group->lines.push_back(static_cast<int>(i));
            ++shown_;
        }
        std::stable_partition(groups_.begin(), groups_.end(),
                              [](const Group& group) { return !group.lines.empty(); });
    }
    endResetModel();
}

QModelIndex MatchModel::index(int row, int column, const QModelIndex& parent) const {
    if (row < 0 || column != 0 || row >= rowCount(parent)) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kRules);
}

QModelIndex MatchModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == kRules) return {};
    return createIndex(static_cast<int>(index.internalId() - 1), 0, kRules);
}

int MatchModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return static_cast<int>(groups_.size());
    if (parent.internalId() != kRules) return 0;
    return static_cast<int>(groups_[static_cast<std::size_t>(parent.row())].lines.size());
}

int MatchModel::columnCount(const QModelIndex&) const {
    return 1;
}

Qt::ItemFlags MatchModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    return index.internalId() == kRules ? flags : flags | Qt::ItemNeverHasChildren;
}

QVariant MatchModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto row = static_cast<std::size_t>(index.row());
    if (index.internalId() == kRules) return group_data(groups_[row], role);
    const Group& group = groups_[static_cast<std::size_t>(index.internalId() - 1)];
    return line_data(group, group.lines[row], role);
}

QVariant MatchModel::group_data(const Group& group, int role) {
    const QString number = rule_text(group.rule->id);
    const auto count = static_cast<int>(group.lines.size());
    switch (role) {
        case Qt::DisplayRole:
            return in_words(group.rule->name);
        case Qt::ToolTipRole:
            return as_sentence(group.rule->summary);
        case Qt::AccessibleTextRole:
            return count == 0 ? MatchList::tr("Rule %1, %2, has no match; Enter asks why")
                                    .arg(number, in_words(group.rule->name))
                              : MatchList::tr("Rule %1, %2, matches: %3")
                                    .arg(number, in_words(group.rule->name))
                                    .arg(count);
        case kMatchIndexRole:
            return -1;
        case kRuleRole:
            return number;
        case kCountRole:
            return count;
        default:
            return {};
    }
}

QVariant MatchModel::line_data(const Group& group, int at, int role) const {
    const MatchLine& line = report_->lines[static_cast<std::size_t>(at)];
    switch (role) {
        case Qt::DisplayRole:
            return line.nodes;
        case Qt::ToolTipRole:  // as a paragraph it has several short lines, and leaves the picture free
            return QStringLiteral("<p>%1</p>").arg(line.explanation.toHtmlEscaped());
        case Qt::AccessibleTextRole:
            return line.explanation +
                   (line.next ? MatchList::tr(" The algorithm takes this one next.") : QString());
        case kMatchIndexRole:
            return at;
        case kRuleRole:
            return rule_text(group.rule->id);
        case kDetailRole:
            return MatchList::tr("%1 · %2").arg(line.place, line.roles);
        case kNextRole:
            return line.next;
        default:
            return {};
    }
}

}  // namespace blockscope

#include "app/tilings/funnel_view.h"

#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "app/tilings/table_look.h"
#include "app/tilings/tilings_words.h"
#include "app/words/words.h"

namespace blockscope {

FunnelView::FunnelView(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 8, 0, 0);
    column->setSpacing(6);
    whole_ = make_tilings_text(this, tr("How many tilings there are"));
    column->addWidget(whole_);
    funnel_ = new QTreeWidget(this);
    funnel_->setHeaderLabels({tr("Rule"), tr("Left"), tr("Dropped"), tr("Share"), tr("The paper")});
    set_up_tilings_table(*funnel_, tr("What each rule leaves"));
    funnel_->headerItem()->setToolTip(Share, tr("Of those that the rule before leaves"));
    funnel_->headerItem()->setToolTip(
        Paper, tr("What MCFuser's paper says of its example, M = N = 1,024 and K = H = 512"));
    column->addWidget(funnel_);
    sizes_ = make_tilings_text(this, tr("Tile sizes"));
    column->addWidget(sizes_);
    filter_ = new QLineEdit(this);
    filter_->setClearButtonEnabled(true);
    filter_->setPlaceholderText(tr("Only dropped tilings such as: mhnk m=48"));
    filter_->setAccessibleName(tr("Which dropped tilings are listed"));
    column->addWidget(filter_);
    listed_ = make_tilings_text(this, tr("What is listed"));
    column->addWidget(listed_);
    dropped_ = new QTreeWidget(this);
    dropped_->setHeaderLabels({tr("Dropped"), tr("Why")});
    set_up_tilings_table(*dropped_, tr("Dropped tilings"));
    dropped_->setMinimumHeight(8 * fontMetrics().height());
    column->addWidget(dropped_, 1);
    setFocusProxy(funnel_);
    connect(funnel_, &QTreeWidget::currentItemChanged, this, &FunnelView::list_dropped);
    connect(filter_, &QLineEdit::textChanged, this, &FunnelView::list_dropped);
}

void FunnelView::show_space(const RankedSpacePtr& ranked) {
    if (ranked == ranked_) return;
    const int before = std::max(0, funnel_->indexOfTopLevelItem(funnel_->currentItem()));
    ranked_ = ranked;
    const QSignalBlocker quiet(funnel_);
    funnel_->clear();
    if (!ranked_) return;
    const tilings::Space& space = ranked_->space;
    whole_->setText(whole_space_text(space));
    for (std::size_t i = 0; i < space.funnel.size(); ++i) {
        const int rule = static_cast<int>(i);
        auto* item = new QTreeWidgetItem(funnel_);
        item->setText(Rule, funnel_rule_title(rule));
        item->setText(Left, whole_text(space.funnel[i].left));
        item->setText(Paper, paper_text(rule));
        item->setToolTip(Paper, paper_help(rule));
        for (const int number : {Left, Dropped, Share})
            item->setTextAlignment(number, Qt::AlignRight | Qt::AlignVCenter);
        if (i == 0) continue;
        const std::int64_t dropped = space.funnel[i - 1].left - space.funnel[i].left;
        item->setText(Dropped, whole_text(dropped));
        if (space.funnel[i - 1].left > 0)
            item->setText(Share, dropped_share_text(static_cast<double>(dropped) /
                                                    static_cast<double>(space.funnel[i - 1].left)));
    }
    sizes_->setText(tile_sizes_text(space).join(QLatin1Char('\n')));
    funnel_->setCurrentItem(funnel_->topLevelItem(before == 0 ? 1 : before));
    list_dropped();
    fit();
}

void FunnelView::choose_rule(int rule) {
    funnel_->setCurrentItem(funnel_->topLevelItem(rule));
}

QString FunnelView::listed_text() const {
    return listed_->text();
}

QString FunnelView::sizes_text() const {
    return sizes_->text();
}

// A candidate that is named whole may be dropped by another rule, or by none.
void FunnelView::say_of_candidate(const tilings::CandidateFilter& filter) {
    const Result<tilings::Candidate> one =
        tilings::parse_candidate(ranked_->space, filter_->text().toStdString());
    const bool whole = std::all_of(filter.tiles.begin(), filter.tiles.end(),
                                   [](const auto& tile) { return tile.has_value(); });
    if (!one || !whole) return;
    const tilings::Verdict verdict = tilings::judge(ranked_->space, *one);
    const QString name = QString::fromStdString(tilings::to_string(ranked_->space, *one));
    listed_->setText(verdict.rule == 0
                         ? tr("%1 survives all rules.").arg(name)
                         : tr("Rule %1 drops %2: %3.").arg(verdict.rule).arg(name, translated(verdict.why)));
}

void FunnelView::list_dropped() {
    dropped_->clear();
    if (!ranked_) return;
    const int rule = funnel_->indexOfTopLevelItem(funnel_->currentItem());
    const Result<tilings::CandidateFilter> filter =
        tilings::parse_filter(ranked_->space, filter_->text().toStdString());
    if (!filter) {
        listed_->setText(as_sentence(filter.problems().front().message));
        return;
    }
    if (rule < 1) {
        listed_->setText(tr("Choose a rule: what it drops is listed here, with the rule's numbers."));
        return say_of_candidate(*filter);
    }
    const tilings::DroppedList list = tilings::dropped_by(ranked_->space, rule, *filter, kMostListed);
    for (const tilings::DroppedTiling& row : list.rows) {
        auto* item = new QTreeWidgetItem(dropped_);
        const QString expression = expression_title(ranked_->space, row.expression);
        item->setText(Tiling, row.tiles.empty()
                                  ? tr("%1, each of its %2 tilings").arg(expression, whole_text(row.count))
                                  : expression + QLatin1Char(' ') + tiles_text(ranked_->space, row.tiles));
        item->setText(Why, translated(row.why));
    }
    const auto step = static_cast<std::size_t>(rule);
    const QString all = whole_text(ranked_->space.funnel[step - 1].left - ranked_->space.funnel[step].left);
    const QString shown = whole_text(static_cast<std::int64_t>(list.rows.size()));
    if (list.rows.empty())
        listed_->setText(list.more ? tr("None of the first %1 that rule %2 looks at.")
                                         .arg(whole_text(tilings::kMostLookedAt))
                                         .arg(rule)
                                   : tr("Rule %1 drops none of these.").arg(rule));
    else if (list.more)
        listed_->setText(tr("Rule %1 drops %2 candidates; the first %3 of those that are asked for:")
                             .arg(rule)
                             .arg(all, shown));
    else
        listed_->setText(tr("Rule %1 drops %2 candidates; those that are asked for:").arg(rule).arg(all));
    say_of_candidate(*filter);
}

// All rules are seen at once.
void FunnelView::fit() {
    int height = funnel_->header()->sizeHint().height() + 2 * funnel_->frameWidth() + 2;
    for (int i = 0; i < funnel_->topLevelItemCount(); ++i)
        height += funnel_->visualItemRect(funnel_->topLevelItem(i)).height();
    if (funnel_->header()->length() > funnel_->viewport()->width())
        height += funnel_->horizontalScrollBar()->sizeHint().height();
    funnel_->setFixedHeight(height);
}

void FunnelView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

}  // namespace blockscope

#include "app/tilings/comparison_view.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QStringList>
#include <QToolButton>
#include <QTreeWidget>

#include "app/charts/chart.h"
#include "app/costs/cost_table.h"
#include "app/shell/controls.h"
#include "app/tilings/table_look.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

QString amount_text(double amount) {
    return QLocale().toString(static_cast<qlonglong>(amount));
}

QString measured_text(const std::optional<double>& seconds) {
    return seconds ? time_text(*seconds) : QStringLiteral("\u2013");
}

}  // namespace

ComparisonView::ComparisonView(TilingsStudy& study, QWidget* parent) : QWidget(parent), study_(study) {
    auto* all = new QVBoxLayout(this);
    auto* buttons = new QHBoxLayout;
    compare_ = make_bar_button(this, tr("Compare with our best state"),
                               tr("Fuses the same program with Blockscope's rules, searches block sizes and "
                                  "sets the best state beside the best candidate"));
    cancel_ = make_bar_button(this, tr("Cancel"), tr("Ends the search"));
    buttons->addWidget(compare_);
    buttons->addWidget(cancel_);
    buttons->addStretch();
    said_ = make_tilings_text(this, tr("Which is faster, and why"));
    table_ = new QTreeWidget(this);
    set_up_tilings_table(*table_, tr("Candidate and our state"));
    table_->setHeaderLabels({tr("What"), tr("MCFuser's model"), tr("Our model"), tr("Measured"),
                             tr("Operations"), tr("Bytes"), tr("Tasks")});
    all->addLayout(buttons);
    all->addWidget(said_);
    all->addWidget(table_, 1);
    connect(compare_, &QToolButton::clicked, this, &ComparisonView::compare);
    connect(cancel_, &QToolButton::clicked, this, [this] {
        work_.cancel();
        show_rows();
    });
    connect(&work_, &Work::failed, this, [this](const QString& what) {
        problem_ = what;
        show_rows();
    });
    refresh();
}

QString ComparisonView::said() const {
    return said_->text();
}

void ComparisonView::refresh() {
    if (study_.found() != of_ || times() != times_) {
        work_.cancel();
        of_ = study_.found();
        times_ = times();
        made_.reset();
        problem_.clear();
    }
    show_rows();
}

// By candidate, where this processor is what predictions are of, too.
std::vector<std::optional<double>> ComparisonView::times() const {
    const RankedSpacePtr found = study_.found();
    const TilingsRun* run = study_.run();
    const bool here = run && QString::fromStdString(run->machine) == study_.machine();
    if (!found || found->device.name != kLocalCpu || !here) return {};
    return study_.times();
}

// The search takes seconds, so that it is off the interface thread.
void ComparisonView::compare() {
    if (!of_ || work_.busy()) return;
    std::map<int, std::optional<double>> measured;
    for (std::size_t i = 0; i < times_.size(); ++i)
        if (times_[i]) measured[static_cast<int>(i)] = times_[i];
    made_.reset();
    problem_.clear();
    work_.start(
        tr("Comparing with our best state"),
        [this, of = of_, measured = std::move(measured)](const Stop& stop) -> Work::Finish {
            lower_priority();
            Result<worker::Compared> made = worker::compare_tilings(
                {.space = &of->space, .counts = of->counts, .device = of->device, .measured = measured},
                stop.sign());
            return [this, made = std::move(made)] {
                if (made) made_ = made->made;
                if (!made_) problem_ = translated(made ? made->why_not : made.problems().front().message);
                show_rows();
            };
        });
    show_rows();
}

void ComparisonView::show_rows() {
    table_->clear();
    compare_->setEnabled(of_ && !of_->space.candidates.empty() && !work_.busy());
    cancel_->setVisible(work_.busy());
    table_->setVisible(made_.has_value());
    if (!made_) {
        said_->setText(work_.busy()         ? tr("Searching our states and their block sizes\u2026")
                       : problem_.isEmpty() ? tr("The best candidate is set beside the best state that the "
                                                 "rules of Blockscope find for the same program, with block "
                                                 "sizes that its model searches.")
                                            : problem_);
        return;
    }
    QStringList lines{translated(worker::verdict_of(*made_))};
    for (const Text& why : made_->why) lines << QStringLiteral("\u2022 ") + translated(why);
    said_->setText(lines.join(QLatin1Char('\n')));
    for (const worker::ComparedRow& row : worker::rows_of(*made_, of_->space)) {
        auto* item = new QTreeWidgetItem(
            table_, {QString::fromStdString(row.name), time_text(row.paper), time_text(row.own),
                     measured_text(row.measured), with_unit(row.flops, QStringLiteral("FLOP")),
                     with_unit(row.bytes, QStringLiteral("B")), amount_text(row.tasks)});
        for (int column = Paper; column < Columns; ++column)
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
}

QString ComparisonView::text() const {
    if (!made_) return {};
    QStringList lines{said()};
    for (int row = 0; row < table_->topLevelItemCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < Columns; ++column)
            cells << table_->headerItem()->text(column) + QStringLiteral(": ") +
                         table_->topLevelItem(row)->text(column);
        lines << cells.join(QStringLiteral("; "));
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace blockscope

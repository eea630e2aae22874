// What the tables of a kernel show.
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QTableWidget>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>

#include "app/circuit/circuit_view.h"
#include "app/circuit/clock_view.h"
#include "app/circuit/kernel_tables.h"
#include "app/circuit/kernel_text.h"
#include "app/circuit/steps_text.h"
#include "app/words/circuit_phrases.h"
#include "core/circuit/kernel.h"

namespace blockscope {

namespace {

using circuit::CodeNode;

QString place_name(circuit::Tier tier) {
    switch (tier) {
        case circuit::Tier::Global:
            return KernelTables::tr("global memory");
        case circuit::Tier::Shared:
            return KernelTables::tr("shared memory");
        case circuit::Tier::Threads:
            return KernelTables::tr("threads");
        case circuit::Tier::Tensor:
            return KernelTables::tr("tensor cores");
    }
    return {};
}

QString unit_name(Unit unit) {
    switch (unit) {
        case Unit::Matrix:
            return KernelTables::tr("tensor cores");
        case Unit::Vector:
            return KernelTables::tr("vector units");
        case Unit::Special:
            return KernelTables::tr("special functions");
    }
    return {};
}

QTableWidgetItem* cell(QTableWidget& table, int row, int column, const QString& text, bool right = false) {
    auto* item = new QTableWidgetItem(text);
    item->setFlags(Qt::ItemIsEnabled);
    item->setTextAlignment((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    table.setItem(row, column, item);
    return item;
}

void add_code(const std::vector<CodeNode>& code, QTreeWidget& tree, QTreeWidgetItem* around) {
    for (const CodeNode& node : code) {
        QString text, place;
        if (node.kind == CodeNode::Kind::Column) {
            text = in_kernel_words(node.text);
            place = place_name(node.place);
        } else if (node.kind == CodeNode::Kind::Split) {
            text = KernelTables::tr("can be split along any axis");
        } else {
            text = KernelTables::tr("for each %1 of %2 (")
                       .arg(QString::fromStdString(node.part), QString::fromStdString(node.whole));
        }
        auto* item =
            around ? new QTreeWidgetItem(around, {text, place}) : new QTreeWidgetItem(&tree, {text, place});
        add_code(node.body, tree, item);
        item->setExpanded(true);
    }
}

}  // namespace

void KernelTables::show_code() {
    code_->clear();
    add_code(study_->kernel->expansion.code, *code_, nullptr);
    drawn_code_->show_drawing(drawn_.drawing);
}

void KernelTables::show_sizes() {
    const circuit::Kernel& kernel = *study_->kernel;
    const std::vector<std::string> symbols = circuit::chosen_symbols(kernel);
    sizes_->setRowCount(static_cast<int>(symbols.size()));
    for (int row = 0; row < sizes_->rowCount(); ++row) {
        const std::string& symbol = symbols[static_cast<std::size_t>(row)];
        const double size = kernel.configuration.sizes.at(symbol);
        cell(*sizes_, row, 0, QString::fromStdString(symbol));
        QTableWidgetItem* number = cell(*sizes_, row, 1, QLocale().toString(size, 'g', 12), true);
        number->setFlags(Qt::ItemIsEnabled | Qt::ItemIsEditable);
        number->setToolTip(tr("Double-click to type another size"));
        QStringList by, why;
        for (const circuit::Divisor& divisor : kernel.divisors) {
            if (divisor.symbol != symbol) continue;
            const bool holds = std::fmod(size, static_cast<double>(divisor.by)) == 0;
            by << (holds ? QStringLiteral("%1 ✓") : QStringLiteral("%1 ✗")).arg(divisor.by);
            why << in_kernel_words(divisor.because);
        }
        cell(*sizes_, row, 2, by.join(QStringLiteral(", ")))->setToolTip(why.join(QLatin1Char('\n')));
    }
}

// A size that is no number above 0 is left as it was.
void KernelTables::edit_size(int row) {
    bool fine = false;
    const double size = QLocale().toDouble(sizes_->item(row, 1)->text(), &fine);
    const std::string symbol = sizes_->item(row, 0)->text().toStdString();
    if (fine && size > 0 && size < 1e9) {
        algorithm_.execution = study_->kernel->execution;
        algorithm_.execution->sizes[symbol] = size;
        return start();
    }
    filling_ = true;
    show_sizes();
    filling_ = false;
}

void KernelTables::show_variables() {
    const circuit::Kernel& kernel = *study_->kernel;
    const auto& all = kernel.expansion.variables;
    variables_->setRowCount(static_cast<int>(all.size()));
    for (int row = 0; row < variables_->rowCount(); ++row) {
        const circuit::Variable& variable = all[static_cast<std::size_t>(row)];
        QStringList axes;
        for (const std::string& symbol : variable.axes) axes << QString::fromStdString(symbol);
        const QString bytes = size_text(bytes_of(variable, kernel.configuration));
        cell(*variables_, row, 0, QString::fromStdString(variable.name));
        cell(*variables_, row, 1, axes.join(QLatin1Char(' ')));
        cell(*variables_, row, 3, place_name(variable.place));
        cell(*variables_, row, 4, variable.per_warpgroup ? QString() : bytes, true);
        cell(*variables_, row, 5, variable.per_warpgroup ? bytes : QString(), true);
        cell(*variables_, row, 6, in_kernel_words(variable.role));
        auto* type = new QComboBox(variables_);
        type->setAccessibleName(tr("Type of %1").arg(QString::fromStdString(variable.name)));
        for (const ElemType elem :
             {ElemType::F32, ElemType::F16, ElemType::BF16, ElemType::E4M3, ElemType::E5M2})
            type->addItem(QString::fromStdString(to_string(elem)), static_cast<int>(elem));
        type->setCurrentIndex(type->findData(static_cast<int>(kernel.configuration.elem(variable))));
        connect(type, &QComboBox::activated, this, [this, type, name = variable.name] {
            types_[name] = static_cast<ElemType>(type->currentData().toInt());
            start();
        });
        variables_->setCellWidget(row, 2, type);
    }
}

void KernelTables::show_levels() {
    const circuit::Kernel& kernel = *study_->kernel;
    levels_->setRowCount(static_cast<int>(kernel.uses.size()));
    for (int row = 0; row < levels_->rowCount(); ++row) {
        const circuit::LevelUse& use = kernel.uses[static_cast<std::size_t>(row)];
        cell(*levels_, row, 0, QString::fromStdString(use.level));
        cell(*levels_, row, 1, size_text(use.limit), true);
        cell(*levels_, row, 2, size_text(use.per_block), true);
        cell(*levels_, row, 3, size_text(use.per_warpgroup), true);
        cell(*levels_, row, 4, number_of(std::max(0.0, use.warpgroups())), true);
        cell(*levels_, row, 5, kernel.fit > 0 ? size_text(use.excess(kernel.fit)) : QString(), true);
        const double left = kernel.fit > 0 ? use.excess_per_thread(kernel.fit, kernel.threads()) : 0;
        cell(*levels_, row, 6, kernel.fit > 0 ? size_text(std::round(left)) : QString(), true);
    }
}

void KernelTables::show_level_plans(const circuit::LevelPlans& plans) {
    level_plans_->setRowCount(static_cast<int>(plans.levels.size()));
    for (int row = 0; row < level_plans_->rowCount(); ++row) {
        const circuit::LevelPlan& plan = plans.levels[static_cast<std::size_t>(row)];
        cell(*level_plans_, row, 0, QString::fromStdString(plan.level.name));
        cell(*level_plans_, row, 1, number_of(plan.level.instances, 0), true);
        QStringList groups;
        for (const auto& [symbol, size] : plan.groups)
            groups << QStringLiteral("%1 = %2").arg(QString::fromStdString(symbol),
                                                    QLocale().toString(static_cast<qlonglong>(size)));
        cell(*level_plans_, row, 2, plan.fits ? groups.join(QStringLiteral(", ")) : tr("nothing fits"));
        const QString held = number_of(plan.values, 0);
        cell(*level_plans_, row, 3, plan.fits ? tr("%1 of %2").arg(number_of(plan.memory, 0), held) : held,
             true);
        cell(*level_plans_, row, 4, plan.fits ? number_of(plan.transferred, 0) : QString(), true);
        cell(*level_plans_, row, 5, rate_text(plan.level.bandwidth), true);
        cell(*level_plans_, row, 6, plan.fits ? duration_text(plan.seconds) : QString(), true);
    }
    const QString best =
        tr("Each level has the groups, powers of two, that move least into it, within those of the "
           "level around it.");
    level_sum_->setText(
        plans.seconds
            ? tr("%1 All together, Σ w H (Equation 2): %2.").arg(best, duration_text(*plans.seconds))
            : best);
}

void KernelTables::show_clocks() {
    const circuit::Kernel& kernel = *study_->kernel;
    const auto& works = kernel.clocks.pipelines;
    pipelines_->setRowCount(static_cast<int>(works.size()));
    int height = pipelines_->horizontalHeader()->sizeHint().height() + 6;
    for (int row = 0; row < pipelines_->rowCount(); ++row) {
        const circuit::PipelineWork& work = works[static_cast<std::size_t>(row)];
        cell(*pipelines_, row, 0, in_kernel_words(work.operation));
        cell(*pipelines_, row, 1, unit_name(work.unit));
        auto* formula = new QLabel(formula_html(work.ops), pipelines_);
        formula->setContentsMargins(6, 0, 6, 0);
        pipelines_->setCellWidget(row, 2, formula);
        const bool whole = work.count == std::round(work.count);
        cell(*pipelines_, row, 3, QLocale().toString(work.count, 'f', whole ? 0 : 2), true);
        cell(*pipelines_, row, 4, QLocale().toString(work.rate, 'g', 6), true);
        cell(*pipelines_, row, 5, number_of(work.clocks()), true);
        height += pipelines_->rowHeight(row);
    }
    pipelines_->setFixedHeight(height);
    clocks_->show_schedule(kernel.schedule);

    QStringList said;
    said << (kernel.fit > 0 ? tr("Warpgroups that fit: %1.").arg(kernel.fit)
                            : tr("Not even one warpgroup fits: smaller sizes are needed."));
    said << tr("Tensor cores bound it at %1 clocks; an iteration of all takes %2: they work %3 of the time.")
                .arg(number_of(kernel.clocks.bound()), number_of(kernel.schedule.period),
                     percent_text(kernel.utilisation));
    if (kernel.least_threads > 0)
        said << tr("Transfers do not bind it from g_%1 = %2 on; ideally it does %3 TFLOP/s.")
                    .arg(QString::fromStdString(kernel.rows),
                         QLocale().toString(std::round(kernel.least_threads), 'f', 0),
                         QLocale().toString(kernel.ideal_rate / 1e12, 'f', 0));
    else if (kernel.clocks.bound() > 0)
        said << tr("Without caches transfers bind it at every g_%1, as each row is streamed, too; ideally it "
                   "does %2 TFLOP/s.")
                    .arg(QString::fromStdString(kernel.rows),
                         QLocale().toString(kernel.ideal_rate / 1e12, 'f', 0));
    if (kernel.least_part > 0)
        said << tr("With s_%1 above %2 some number of rows is enough.")
                    .arg(QString::fromStdString(kernel.stream), number_of(std::floor(kernel.least_part), 0));
    if (kernel.repeats > 1.0001)
        said << tr("Products are computed %1 times: groups and parts of the stream do again what does not "
                   "have "
                   "their axis.")
                    .arg(QLocale().toString(kernel.repeats, 'g', 3));
    if (kernel.clocks.of(Unit::Special) > 0)
        said << tr("Special functions may take %1 longer than they ideally do before the rest waits; ideally "
                   "they idle %2 of the time.")
                    .arg(kernel.allowance < circuit::kMostAllowance
                             ? percent_text(kernel.allowance)
                             : tr("at least %1").arg(percent_text(kernel.allowance)),
                         percent_text(kernel.special_idle));
    // No line ends between "TFLOP/" and "s".
    summary_->setText(said.join(QLatin1Char(' ')).replace(QStringLiteral("/s"), QStringLiteral("/\u2060s")));
    QStringList broken;
    for (const std::string& sentence : kernel.broken) broken << in_kernel_words(sentence);
    warnings_->setText(broken.join(QLatin1Char('\n')));
    warnings_->setVisible(!broken.isEmpty());
}

}  // namespace blockscope

// What the tables of a kernel show.
#include <QComboBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QTabWidget>
#include <QTableWidget>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>

#include "app/circuit/circuit_file.h"
#include "app/circuit/circuit_steps.h"
#include "app/circuit/circuit_view.h"
#include "app/circuit/clock_view.h"
#include "app/circuit/kernel_tables.h"
#include "app/circuit/model_view.h"
#include "app/costs/cost_table.h"
#include "app/document/files.h"
#include "app/files/file_formats.h"
#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/words/words.h"
#include "core/napkin/clocks.h"
#include "core/napkin/study.h"

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
            text = translated(node.text);
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
    code_picture_->show_drawing(code_drawing_.drawing);
}

void KernelTables::show_sizes() {
    const circuit::WarpgroupKernel& kernel = *study_->kernel;
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
            why << translated(divisor.because);
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
    const circuit::WarpgroupKernel& kernel = *study_->kernel;
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
        cell(*variables_, row, 6, translated(variable.role));
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
    const circuit::WarpgroupKernel& kernel = *study_->kernel;
    levels_->setRowCount(static_cast<int>(kernel.uses.size()));
    for (int row = 0; row < levels_->rowCount(); ++row) {
        const circuit::LevelUse& use = kernel.uses[static_cast<std::size_t>(row)];
        cell(*levels_, row, 0, QString::fromStdString(use.level));
        cell(*levels_, row, 1, size_text(use.limit), true);
        cell(*levels_, row, 2, size_text(use.per_block), true);
        cell(*levels_, row, 3, size_text(use.per_warpgroup), true);
        cell(*levels_, row, 4, number_of(std::max(0.0, use.warpgroups())), true);
        cell(*levels_, row, 5, kernel.fit > 0 ? size_text(use.excess(kernel.fit)) : QString(), true);
        const double of_warpgroup = kernel.fit > 0 ? use.excess_per_warpgroup(kernel.fit) : 0;
        const double left = kernel.fit > 0 ? use.excess_per_thread(kernel.fit, kernel.threads()) : 0;
        cell(*levels_, row, 6, kernel.fit > 0 ? size_text(of_warpgroup) : QString(), true);
        cell(*levels_, row, 7, kernel.fit > 0 ? size_text(std::round(left)) : QString(), true);
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
    const circuit::WarpgroupKernel& kernel = *study_->kernel;
    const auto& works = kernel.clocks.pipelines;
    pipelines_->setRowCount(static_cast<int>(works.size()));
    int height = pipelines_->horizontalHeader()->sizeHint().height() + 6;
    for (int row = 0; row < pipelines_->rowCount(); ++row) {
        const circuit::PipelineWork& work = works[static_cast<std::size_t>(row)];
        cell(*pipelines_, row, 0, translated(work.operation));
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
    if (kernels_of_state_)
        said << (*kernels_of_state_ > 1
                     ? tr("This is the whole program as one kernel; the state in the picture is %1 kernels.")
                           .arg(*kernels_of_state_)
                     : tr("This is the whole program as one kernel, as the state in the picture is."));
    said << (kernel.fit > 0 ? tr("Warpgroups that fit: %1.").arg(kernel.fit)
                            : tr("Not even one warpgroup fits: smaller sizes are needed."));
    if (kernel.fit > 0 && kernel.execution.warpgroups > kernel.fit)
        said
            << tr("%1 are scheduled all the same: they need smaller sizes.").arg(kernel.execution.warpgroups);
    said << tr("Tensor cores bound it at %1 clocks; an iteration of all takes %2: they work %3 of the time.")
                .arg(number_of(kernel.clocks.bound()), number_of(kernel.schedule.period),
                     percent_text(kernel.utilisation));
    if (kernel.ideal_rate > 0)
        said << tr("That is %1 of %2 TFLOP/s.")
                    .arg(QLocale().toString(scheduled_rate(kernel) / 1e12, 'f', 0),
                         QLocale().toString(kernel.ideal_rate / 1e12, 'f', 0));
    if (const Text assumed = put_in(kernel); !assumed.empty()) said << translated(assumed);
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
    for (const Text& sentence : kernel.broken) broken << translated(sentence);
    warnings_->setText(broken.join(QLatin1Char('\n')));
    warnings_->setVisible(!broken.isEmpty());
}

// Tables and diagrams of a kernel as files.

namespace {

bool written(const QString& path, const QByteArray& bytes) {
    return !bytes.isEmpty() && !write_file(path, bytes);
}

std::string ending(const QString& path) {
    return QFileInfo(path).suffix().toLower().toStdString();
}

QString text_of(const QTableWidget& table, int row, int column) {
    QWidget* inside = table.cellWidget(row, column);
    if (const auto* box = qobject_cast<QComboBox*>(inside)) return box->currentText();
    if (const auto* label = qobject_cast<QLabel*>(inside)) return label->text();
    const QTableWidgetItem* item = table.item(row, column);
    return item ? item->text() : QString();
}

ModelSection section_of(const QTableWidget& table) {
    ModelSection made{table.accessibleName(), {}, {}, {}};
    for (int column = 0; column < table.columnCount(); ++column)
        made.headers << table.horizontalHeaderItem(column)->text();
    for (int row = 0; row < table.rowCount(); ++row) {
        std::vector<ModelCell> cells;
        for (int column = 0; column < table.columnCount(); ++column)
            cells.push_back({text_of(table, row, column), {}});
        made.rows.push_back(std::move(cells));
    }
    return made;
}

}  // namespace

KernelTables::Tab KernelTables::tab() const {
    return static_cast<Tab>(tabs_->currentIndex());
}

QString KernelTables::endings() const {
    QString circuit = QString::fromStdString(name_filter(circuit_formats()));
    QString table = QStringLiteral("*.csv");
    switch (tab()) {
        case Tab::Clocks:
            return QString::fromStdString(name_filter(told_by_ending(clock_formats()))) + QLatin1Char(' ') +
                   table;
        case Tab::Levels:
            return level_drawing_.drawing ? circuit + QLatin1Char(' ') + table : table;
        case Tab::Code:
            return circuit;
        default:
            return table;
    }
}

QByteArray KernelTables::tables_csv() const {
    switch (tab()) {
        case Tab::Clocks:
            if (comparison_->rowCount() == 0) return csv_of({section_of(*pipelines_)});
            return csv_of({section_of(*pipelines_), section_of(*comparison_)});
        case Tab::Configuration:
            return csv_of({section_of(*sizes_), section_of(*levels_), section_of(*variables_)});
        case Tab::Levels:
            return csv_of({section_of(*level_plans_)});
        case Tab::Models:
            return csv_of(models_->sections());
        default:
            return {};
    }
}

bool KernelTables::export_clocks(const QString& path) {
    if (!study_ || !study_->kernel) return false;
    return written(path, clocks_->file(ending(path), "Clocks of a kernel"));
}

bool KernelTables::export_code(const QString& path) {
    if (!code_drawing_.drawing) return false;
    CircuitFile file;
    file.theme = appearance_.theme();
    file.title = "Pseudocode of a kernel";
    return written(path, circuit_bytes(ending(path), *code_drawing_.circuit, *code_drawing_.drawing, file));
}

bool KernelTables::export_levels(const QString& path) {
    if (!level_drawing_.drawing) return false;
    CircuitFile file;
    file.theme = appearance_.theme();
    file.title = "An algorithm on every level";
    return written(path, circuit_bytes(ending(path), *level_drawing_.circuit, *level_drawing_.drawing, file));
}

bool KernelTables::export_tab(const QString& path) {
    if (ending(path) == "csv") return written(path, tables_csv());
    if (tab() == Tab::Clocks) return export_clocks(path);
    if (tab() == Tab::Code) return export_code(path);
    return tab() == Tab::Levels && export_levels(path);
}

void KernelTables::ask_and_export() {
    const QString all = endings();
    const auto write = [this, all](const QString& path) {
        if (export_tab(path)) return;
        message_->setText(tr("%1 could not be written. The ending has to be one of %2.").arg(path, all));
        message_->show();
    };
    static const char* const kNames[] = {"clocks", "configuration", "pseudocode", "levels", "models"};
    const QString name =
        QLatin1String(kNames[tabs_->currentIndex()]) + all.section(QLatin1Char(' '), 0, 0).mid(1);
    ask_where_to_write(*this, tr("Export %1").arg(tabs_->tabText(tabs_->currentIndex())),
                       tr("Diagrams and tables (%1)").arg(all), name, write);
}

// ---- Beside the costs page, term by term.

namespace {

void set_cells(QTableWidget& table, int row, const QStringList& texts) {
    for (int column = 0; column < table.columnCount(); ++column) {
        auto* item = new QTableWidgetItem(texts.at(column));
        const bool number = column == 1 || column == 2;
        item->setFlags(Qt::ItemIsEnabled);
        item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        item->setToolTip(texts.at(column));
        table.setItem(row, column, item);
    }
}

QString term_time(double seconds) {
    constexpr double kNothing = 1e-12;
    return seconds < kNothing ? QStringLiteral("\u2013") : time_text(seconds);
}

QStringList row_of(const circuit::ComparedTerm& term) {
    return {translated(term.name), term_time(term.here), term_time(term.costs), translated(term.why)};
}

}  // namespace

void KernelTables::show_prediction(const QString& text,
                                   const std::optional<circuit::ComparedTimes>& compared) {
    prediction_->setText(text);
    prediction_->setVisible(!text.isEmpty());
    comparison_->setVisible(compared.has_value());
    comparison_->setRowCount(0);
    if (!compared) return;
    comparison_->setRowCount(static_cast<int>(compared->parts.size() + compared->units.size()) + 1);
    int row = 0;
    for (const circuit::ComparedTerm& term : compared->parts) set_cells(*comparison_, row++, row_of(term));
    set_cells(*comparison_, row++,
              {tr("all together"), time_text(compared->here), time_text(compared->costs), QString()});
    for (const circuit::ComparedTerm& term : compared->units) {
        QStringList cells = row_of(term);
        cells[0] = tr("beside them, at peak: %1").arg(cells[0]);
        set_cells(*comparison_, row++, cells);
    }
    int height = comparison_->horizontalHeader()->sizeHint().height() + 2 * comparison_->frameWidth();
    for (int i = 0; i < row; ++i) height += comparison_->rowHeight(i);
    comparison_->setFixedHeight(height);
}

void KernelTables::await_prediction() {
    prediction_->setText(QStringLiteral("\u2026"));
    comparison_->setRowCount(0);
}

QString KernelTables::prediction() const {
    return prediction_->text();
}

}  // namespace blockscope

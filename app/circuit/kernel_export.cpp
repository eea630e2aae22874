// Tables and diagrams of a kernel as files.
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QTabWidget>
#include <QTableWidget>

#include "app/circuit/circuit_file.h"
#include "app/circuit/circuit_view.h"
#include "app/circuit/clock_view.h"
#include "app/circuit/kernel_tables.h"
#include "app/circuit/model_view.h"
#include "app/document/files.h"
#include "app/panels/write_dialog.h"
#include "app/window/appearance.h"
#include "core/circuit/circuit_json.h"
#include "core/circuit/clock_json.h"
#include "core/json/value.h"

namespace blockscope {

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
    QString picture = QStringLiteral("*.svg *.pdf *.png *.tex *.json"), table = QStringLiteral("*.csv");
    switch (tab()) {
        case Tab::Clocks:
            return picture + QLatin1Char(' ') + table;
        case Tab::Levels:
            return level_drawing_.drawing ? picture + QLatin1Char(' ') + table : table;
        case Tab::Code:
            return picture;
        default:
            return table;
    }
}

QByteArray KernelTables::tables_csv() const {
    switch (tab()) {
        case Tab::Clocks:
            return csv_of({section_of(*pipelines_)});
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
    if (ending(path) == "json")
        return written(path, QByteArray::fromStdString(json::print(to_json(study_->kernel->schedule))));
    return written(path, clocks_->file(ending(path), "Clocks of a kernel"));
}

bool KernelTables::export_code(const QString& path) {
    if (!drawn_.drawing) return false;
    if (ending(path) == "json")
        return written(path, QByteArray::fromStdString(json::print(circuit::to_json(*drawn_.circuit))));
    CircuitFile file;
    file.theme = appearance_.theme();
    file.title = "Pseudocode of a kernel";
    return written(path, circuit_bytes(ending(path), *drawn_.drawing, file));
}

bool KernelTables::export_levels(const QString& path) {
    if (!level_drawing_.drawing) return false;
    if (ending(path) == "json")
        return written(path,
                       QByteArray::fromStdString(json::print(circuit::to_json(*level_drawing_.circuit))));
    CircuitFile file;
    file.theme = appearance_.theme();
    file.title = "An algorithm on every level";
    return written(path, circuit_bytes(ending(path), *level_drawing_.drawing, file));
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

}  // namespace blockscope

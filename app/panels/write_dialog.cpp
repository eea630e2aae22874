#include "app/panels/write_dialog.h"

#include <QFileDialog>
#include <QFileInfo>

namespace blockscope {

namespace {

void prepare(QFileDialog& dialog, const QString& name) {
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QFileInfo(name).suffix());
    dialog.selectFile(name);
}

}  // namespace

void ask_where_to_write(QWidget& parent, const QString& title, const QString& filter, const QString& name,
                        std::function<void(const QString&)> write) {
    auto* dialog = new QFileDialog(&parent, title, {}, filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    prepare(*dialog, name);
    QObject::connect(dialog, &QFileDialog::fileSelected, &parent, std::move(write));
    dialog->open();
}

QString where_to_write(QWidget* parent, const QString& title, const QString& filter, const QString& name) {
    static QString last;  // the folder of the file before, for names without one
    QFileDialog dialog(parent, title, QFileInfo(name).isAbsolute() ? QFileInfo(name).path() : last, filter);
    prepare(dialog, name);
    if (dialog.exec() != QDialog::Accepted) return {};
    const QString file = dialog.selectedFiles().value(0);
    last = QFileInfo(file).path();
    return file;
}

}  // namespace blockscope

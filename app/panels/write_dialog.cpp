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
    // Without a folder: in the one that was last written to.
    const QString folder = QFileInfo(name).isAbsolute() ? QFileInfo(name).path() : QString();
    QFileDialog dialog(parent, title, folder, filter);
    prepare(dialog, name);
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

}  // namespace blockscope

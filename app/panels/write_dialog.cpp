#include "app/panels/write_dialog.h"

#include <QFileDialog>

namespace blockscope {

void ask_where_to_write(QWidget& parent, const QString& title, const QString& filter, const QString& name,
                        std::function<void(const QString&)> write) {
    auto* dialog = new QFileDialog(&parent, title, {}, filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(name);
    QObject::connect(dialog, &QFileDialog::fileSelected, &parent, std::move(write));
    dialog->open();
}

}  // namespace blockscope

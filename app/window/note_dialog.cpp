#include "app/window/note_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPlainTextEdit>

namespace blockscope {

NoteDialog::NoteDialog(const PinnedNote& note, QWidget* parent)
    : QDialog(parent), text_(new QPlainTextEdit(this)), color_(new QComboBox(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Pin a note"));
    text_->setPlainText(QString::fromStdString(note.text));
    text_->setPlaceholderText(tr("Empty: no note"));
    text_->setTabChangesFocus(true);
    text_->setMinimumWidth(fontMetrics().averageCharWidth() * 40);
    // In the order of NoteColor.
    color_->addItems({tr("Yellow"), tr("Blue"), tr("Green"), tr("Orange"), tr("Purple")});
    color_->setCurrentIndex(static_cast<int>(note.color));
    auto* form = new QFormLayout(this);
    form->addRow(tr("&Note on this block"), text_);
    form->addRow(tr("&Colour"), color_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT answered({text_->toPlainText().toStdString(), static_cast<NoteColor>(color_->currentIndex())});
        accept();
    });
}

}  // namespace blockscope

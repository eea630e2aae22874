// Asks for the note on a block, and for its colour.
#pragma once

#include <QDialog>

#include "app/figure/note.h"

class QComboBox;
class QPlainTextEdit;

namespace blockscope {

class NoteDialog : public QDialog {
    Q_OBJECT

public:
    // Begins with `note`. Deletes itself once it is closed.
    NoteDialog(const PinnedNote& note, QWidget* parent);

    QPlainTextEdit& text() { return *text_; }
    QComboBox& color() { return *color_; }

Q_SIGNALS:
    void answered(const PinnedNote& note);

private:
    QPlainTextEdit* text_;
    QComboBox* color_;
};

}  // namespace blockscope

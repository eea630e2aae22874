// Asks for the note on a block, and for its colour.
#pragma once

#include <QDialog>
#include <optional>
#include <utility>

#include "app/document/document.h"
#include "app/figure/note.h"

class QComboBox;
class QPlainTextEdit;
class QLineEdit;
class QSpinBox;

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

// Asks which steps belong together, and for their name.

class GroupDialog : public QDialog {
    Q_OBJECT

public:
    // Begins with `steps`; without any, with the group that the current step is in, else with its chapter.
    GroupDialog(Document& document, std::optional<std::pair<int, int>> steps, QWidget* parent);

    QLineEdit& name() { return *name_; }
    QSpinBox& first() { return *first_; }
    QSpinBox& last() { return *last_; }

private:
    Document& document_;
    QSpinBox *first_, *last_;
    QLineEdit* name_;
};

void ask_and_group_steps(Document& document, std::optional<std::pair<int, int>> steps, QWidget* parent);

}  // namespace blockscope

// Beside the step-by-step circuit: its numbers before and after, its axes with what can be done and why, its
// states as a tree with notes.
#pragma once

#include <QWidget>

#include "app/circuit/circuit_steps.h"
#include "app/document/work.h"
#include "app/shell/services.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QTextBrowser;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace blockscope {

class StepsPanel : public QWidget {
    Q_OBJECT

public:
    StepsPanel(Document& document, Services& services, QWidget* parent = nullptr);

    QTreeWidget& axes() { return *axes_; }
    QTreeWidget& states() { return *states_; }
    QSpinBox& size_box() { return *size_; }
    QPlainTextEdit& note() { return *note_; }
    QString numbers() const;    // as rich text
    QString arguments() const;  // the same
    // What was refused last, until something else is done.
    QString message() const;
    // What the picture's state moves and holds beside this one.
    QString picture() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* make_numbers();
    QWidget* make_axes();
    QWidget* make_split();
    QWidget* make_states();
    void connect_parts();
    void refresh();
    void compare_picture();
    void show_axes();
    void show_axis();
    void show_states();
    void add_states(int state, QTreeWidgetItem* around);
    void show_note();
    void split(circuit::CircuitAction::Kind kind);

    Document& document_;
    Services& services_;
    CircuitSteps& steps_;
    Work counting_;
    QLabel *title_ = nullptr, *numbers_ = nullptr, *picture_ = nullptr, *message_ = nullptr;
    QToolButton *back_ = nullptr, *on_ = nullptr;
    QTreeWidget *axes_ = nullptr, *states_ = nullptr;
    QSpinBox* size_ = nullptr;
    QPushButton *group_ = nullptr, *stream_ = nullptr, *join_ = nullptr;
    QTextBrowser* why_ = nullptr;
    QPlainTextEdit* note_ = nullptr;
    bool filling_ = false;  // the widgets are being filled from the session, so their signals are no edits
};

}  // namespace blockscope

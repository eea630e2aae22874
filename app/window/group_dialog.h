// Asks which steps belong together, and for their name.
#pragma once

#include <QDialog>
#include <optional>
#include <utility>

#include "app/document/document.h"

class QLineEdit;
class QSpinBox;

namespace blockscope {

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

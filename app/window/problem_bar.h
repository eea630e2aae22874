// What is wrong with a file, at the top of the window: every problem with its place, and what to do next.
#pragma once

#include <QFrame>

#include "app/window/appearance.h"
#include "core/support/result.h"

class QLabel;
class QListWidget;
class QPushButton;

namespace blockscope {

class ProblemBar : public QFrame {
    Q_OBJECT

public:
    explicit ProblemBar(Appearance& appearance, QWidget* parent = nullptr);

    // `file` is a path, or the name of what has none.
    void show_problems(const QString& file, const Problems& problems);
    // One sentence without a place.
    void show_failure(const QString& what);

Q_SIGNALS:
    void try_again(const QString& file);
    void choose_other();

private:
    void restyle();
    void show_list(const Problems& problems);

    Appearance& appearance_;
    QString file_;
    QString text_;  // what Copy copies
    QLabel* title_;
    QListWidget* list_;
    QPushButton *edit_, *again_, *copy_, *other_, *close_;
};

}  // namespace blockscope

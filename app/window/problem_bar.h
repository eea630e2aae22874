// What is wrong with a file that is opened or saved, at the top of the window: every problem with its place,
// and what to do next.
#pragma once

#include <QFrame>
#include <vector>

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
    // The document could not be written to `file`: it is still there, and not saved.
    void show_not_saved(const QString& file, const Problems& problems);
    void end_not_saved();  // it is saved now
    // One sentence without a place.
    void show_failure(const QString& what);

Q_SIGNALS:
    void try_again(const QString& file);
    void choose_other();
    void save_again(const QString& file);
    void save_elsewhere();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void restyle();
    void fit_list();
    void show_list(const Problems& problems);
    void show_buttons(const std::vector<QPushButton*>& those);

    Appearance& appearance_;
    QString file_;
    QString text_;  // what Copy copies
    QLabel* title_;
    QListWidget* list_;
    QPushButton *edit_, *again_, *other_;   // of what cannot be opened
    QPushButton *save_again_, *elsewhere_;  // of what cannot be saved
    QPushButton *copy_, *close_;
};

}  // namespace blockscope

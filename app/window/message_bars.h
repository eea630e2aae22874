// Bars at the top of the window: what is wrong with a file, and work that a crash left.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QUrl>
#include <functional>
#include <utility>
#include <vector>

#include "app/document/journal.h"
#include "app/shell/appearance.h"
#include "app/window/opener.h"
#include "core/support/result.h"

// What is wrong with a file that is opened or saved, at the top of the window: every problem with its place,
// and what to do next.
class QLabel;
class QListWidget;
class QPushButton;
class QBoxLayout;

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

// After a crash: work that was not saved, at the top of the window, to be brought back or let go.
class RecoveryBar : public QFrame {
    Q_OBJECT

public:
    // Calls what it is given unless the user wants to go on with the document that is open.
    using Leave = std::function<void(std::function<void()>)>;
    RecoveryBar(Opener& opener, Leave leave_and, QWidget* parent = nullptr);

    // Shows what `folder` holds of processes that are not there any more, the newest first; hides without
    // any. Looks once more a moment later, for those that are just dying.
    void look(const QString& folder);
    // While on it does not show: nothing asks anything during a presentation.
    void hold_back(bool on);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
    void next();
    void restore();
    void look_again(const QString& folder);

    Opener& opener_;
    Leave leave_and_;
    QBoxLayout* all_;  // the text, and the buttons beside or below it
    QLabel* text_;
    std::vector<Recovered> left_;  // the first one is shown
    bool held_back_ = false;
    QTimer again_;
};

// At the top of the window: a file was written, to be opened or shown in its folder.

class WrittenBar : public QFrame {
    Q_OBJECT

public:
    explicit WrittenBar(QWidget* parent = nullptr);
    // Goes by itself after a while, unless the pointer or the focus is on it.
    void show_file(const QString& path);
    QString path() const { return path_; }
    // Instead of the desktop.
    void open_with(std::function<void(const QUrl&)> open) { open_url_ = std::move(open); }

private:
    void go();

    QString path_;
    std::function<void(const QUrl&)> open_url_;
    QLabel* text_;
    QPushButton *open_, *folder_, *close_;
    QTimer later_;
};

}  // namespace blockscope

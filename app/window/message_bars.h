// Bars at the top of the window: problems of a file, unsaved work that a crash left behind, and files that
// were just written.
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

class QBoxLayout;
class QListWidget;

namespace blockscope {

// Lists what is wrong with a file that could not be opened or saved: every problem with its place in the
// file, and buttons for what to do next.
class ProblemBar : public QFrame {
    Q_OBJECT

public:
    explicit ProblemBar(Appearance& appearance, QWidget* parent = nullptr);

    // `file` is a path, or the document's name if it has no file.
    void show_problems(const QString& file, const Problems& problems);
    // The document could not be written to `file`. It stays open and unsaved.
    void show_not_saved(const QString& file, const Problems& problems);
    // Hides what show_not_saved() shows: the document was saved in the meantime.
    void end_not_saved();
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
    QString text_;  // the problems as text, for the Copy button
    QLabel* title_;
    QListWidget* list_;
    QPushButton *edit_, *again_, *other_;   // shown where a file could not be opened
    QPushButton *save_again_, *elsewhere_;  // shown where it could not be saved
    QPushButton *copy_, *close_;
};

// Offers the unsaved work that a crash left behind: the user restores it or discards it.
class RecoveryBar : public QFrame {
    Q_OBJECT

public:
    // Leaves the open document, then calls its argument. Calls nothing if the user decides to keep the
    // document open, because it has unsaved changes.
    using Leave = std::function<void(std::function<void()>)>;
    RecoveryBar(Opener& opener, Leave leave_and, QWidget* parent = nullptr);

    // Shows the journals in `folder` whose process has ended, the newest first, and hides the bar if there
    // are none. Looks once more a moment later, because a process that crashed may still be about to end.
    void look(const QString& folder);
    // Keeps the bar hidden while `on`, so that nothing interrupts a presentation.
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
    QBoxLayout* all_;  // holds the text, and the buttons beside or below it
    QLabel* text_;
    std::vector<Recovered> left_;  // that the user has not decided on yet; the bar shows the first one
    bool held_back_ = false;
    QTimer again_;
};

// A button of a bar: its text, which is its name, too, and what it does.
QPushButton* bar_button(const QString& text, const QString& help, QWidget* bar);

// Says that a file was written, with buttons to open it and to show it in its folder.
class WrittenBar : public QFrame {
    Q_OBJECT

public:
    explicit WrittenBar(QWidget* parent = nullptr);
    // Shows the bar, which disappears by itself after a while unless the pointer or the focus is on it.
    void show_file(const QString& path);
    QString path() const { return path_; }
    // Opens files and folders with `open` instead of the desktop's programs (for tests).
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

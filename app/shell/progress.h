// What is being done, how much of it, and Cancel: under a page, over a picture that is long in coming, in the
// status bar.
#pragma once

#include <QFrame>
#include <QProgressBar>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <vector>

#include "app/document/document.h"
#include "app/document/work.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace blockscope {

// How much of a job is done. A QProgressBar paints at once what it is told, and with it all of the window
// that waits to be painted: in the middle of a change, whoever has not heard of it yet would paint what is
// gone. This one takes the next turn of the event loop.
class ShareBar : public QProgressBar {
public:
    ShareBar(const QString& name, QWidget* parent);  // `name` for who cannot see it
    void show_share(int permille);  // of the job; -1 if it does not know: the bar moves to and fro

private:
    void apply();

    int permille_ = -1;
    bool waiting_ = false;
};

// What is being done, and Cancel, for jobs that take longer than 100 ms.

class ShareBar;

class ProgressFrame : public QFrame {
    Q_OBJECT

public:
    explicit ProgressFrame(QWidget* parent = nullptr);
    // Shows the jobs of `work`; Cancel ends them.
    void follow(Work& work);
    void follow(Document& document);

Q_SIGNALS:
    void cancel_clicked();
    void again_clicked();

protected:
    void show_work(const QString& title);
    // What the user has cancelled, and the button to start it again.
    void show_given_up(const QString& text);
    bool is_given_up() const { return given_up_; }
    void show_share(int permille);

private:
    QLabel* title_;
    ShareBar* bar_;
    QPushButton* cancel_;
    bool given_up_ = false;
};

// In the status bar: what is done in the background and holds nothing up, how much of it, and Cancel. Shows
// one of several jobs, the last that became slow.

class ElidedLabel;
class ShareBar;

class StatusProgress : public QWidget {
    Q_OBJECT

public:
    explicit StatusProgress(QWidget* parent = nullptr);
    // `cancel` ends the jobs of `work`, and knows that the user wanted it.
    void follow(Work& work, std::function<void()> cancel);

private:
    struct Job {
        Work* work;
        std::function<void()> cancel;
    };
    void refresh();

    std::vector<Job> slow_;
    ElidedLabel* title_;
    ShareBar* bar_;
    QToolButton* cancel_;
};

// Lies over a picture, a listing or a list that is long in coming: what is being done, how much of it, and
// Cancel. It covers a little of what was there before instead of moving it.
class ProgressOverlay : public ProgressFrame {
    Q_OBJECT

public:
    // In the middle of `over`, its parent, `top` pixels below its upper edge. It appears when 100 ms have
    // been waited.
    ProgressOverlay(const QString& title, int top, QWidget* over);
    // Of the jobs of `work`, which say their titles themselves and which Cancel ends.
    ProgressOverlay(Work& work, int top, QWidget* over);

    void wait();                    // from now on, unless it waits already
    void show_share(int permille);  // how much is done, if it waits
    void end();                     // the picture is there, or no longer waited for
    // In its place instead: what the user has cancelled, and a button that asks for it again_clicked().
    // Nothing of that for an empty text.
    void say_given_up(const QString& text);
    bool waiting() const { return delay_.isActive() || isVisibleTo(parentWidget()); }

Q_SIGNALS:
    void cancelled();  // by the user; it has ended

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QString title_;
    int top_;
    QTimer delay_;
};

// The jobs of one panel off the interface thread: the newest counts, results of older ones are dropped.
class Background : public Work {
public:
    using Work::Work;
    // Here and now, for what is known to be quick. Ends the job that runs.
    void run_now(const Job& job);
};

}  // namespace blockscope

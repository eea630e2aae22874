// Jobs off the interface thread, with progress and Cancel where they take longer than 100 ms.
#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <functional>
#include <memory>

namespace blockscope {

// Set when nobody waits for the job any more.
using Stop = std::atomic<bool>;

class Work : public QObject {
    Q_OBJECT

public:
    explicit Work(QObject* parent = nullptr);
    ~Work() override;  // waits for the jobs

    // Runs `job` on another thread; what it returns is then called on this one. A new job cancels the one
    // before: its result is dropped. `title` says what is being done ("Opening attention.bp").
    using Finish = std::function<void()>;
    using Job = std::function<Finish(const Stop&)>;
    void start(const QString& title, Job job);
    void cancel();
    bool busy() const { return stop_ != nullptr; }
    QString title() const { return title_; }

Q_SIGNALS:
    void slow(const QString& title);   // the job takes longer than 100 ms
    void finished();                   // done or cancelled
    void failed(const QString& what);  // the job found a broken invariant of the program itself

private:
    QThreadPool pool_;
    QTimer patience_;
    QString title_;
    std::shared_ptr<Stop> stop_;  // of the job that runs; null without one
};

}  // namespace blockscope

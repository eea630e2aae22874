// Work that has time: the window, and the picture that it waits for, come first where there are few
// processors.
#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "core/support/stop_sign.h"

namespace blockscope {

// How soon the result of a thread is needed. The interface thread comes before all of them.
enum class Priority {
    Picture,     // the picture that the user waits for
    Panel,       // what a panel shows
    Background,  // what nobody looks at now: proofs, counts along edges
};

// Lowers the priority of the calling thread to this one. A thread cannot raise its priority again, so this is
// for threads of one purpose.
void lower_priority(Priority priority = Priority::Background);

// Jobs off the interface thread, with progress and Cancel where they take longer than 100 ms. What is told to
// the user about them is the window's.

// What a job is told and what it tells; used by both threads.
class Stop {
public:
    // Whether nobody waits for the job any more.
    operator bool() const { return stopped_; }  // NOLINT(google-explicit-constructor): reads as `if (stop)`
    void request_stop() { stopped_ = true; }
    // The same for the core, whose work then ends with Stopped; the job need not catch that.
    StopSign sign() const {
        return StopSign([this] { return stopped_.load(); });
    }

    // From the job: this share of it is done, 0 to 1. One that does not know says nothing.
    void done(double share) const { permille_ = static_cast<int>(1000 * share); }
    void done(std::size_t part, std::size_t all) const {
        if (all > 0) done(static_cast<double>(std::min(part, all)) / static_cast<double>(all));
    }
    int permille() const { return permille_; }  // -1 if the job has not said

private:
    std::atomic<bool> stopped_ = false;
    mutable std::atomic<int> permille_ = -1;
};

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
    // How much of the job is done, in thousandths; -1 if that is not known.
    int permille() const { return stop_ ? stop_->permille() : -1; }

Q_SIGNALS:
    void slow(const QString& title);   // the job takes longer than 100 ms
    void progressed(int permille);     // now and then after slow(), of jobs that know
    void finished();                   // done or cancelled
    void failed(const QString& what);  // the job found a broken invariant of the program itself

private:
    QThreadPool pool_;
    QTimer delay_, meter_;
    QString title_;
    std::shared_ptr<Stop> stop_;  // of the job that runs; null without one
};

// Thousands of states of a large program, or their counts, take time to go, too: not on the interface's
// thread.

// To be called when nobody else has what `old` holds; what somebody has goes with them.
template <class Old>
void destroy_elsewhere(Old old) {
    auto last = std::make_shared<Old>(std::move(old));
    QThreadPool::globalInstance()->start([last = std::move(last)]() mutable {
        lower_priority(Priority::Panel);
        last.reset();
    });
}

template <class Key, class Value, class IsGone>
void erase_elsewhere(std::map<Key, Value>& entries, const IsGone& is_gone) {
    std::map<Key, Value> gone;
    for (auto it = entries.begin(); it != entries.end();) {
        const auto next = std::next(it);
        if (is_gone(*it)) gone.insert(entries.extract(it));
        it = next;
    }
    if (!gone.empty()) destroy_elsewhere(std::move(gone));
}

}  // namespace blockscope

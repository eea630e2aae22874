#include "app/document/work.h"

#include <exception>

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>

#endif

namespace blockscope {

void lower_priority([[maybe_unused]] Priority priority) {
#ifdef __linux__
    const int nice = priority == Priority::Picture ? 5 : priority == Priority::Panel ? 10 : 19;
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice);  // of this thread alone
#endif
}

namespace {

constexpr int kProgressDelay = 100;  // milliseconds until progress is shown
constexpr int kMeter = 80;           // and until it is shown again

}  // namespace

Work::Work(QObject* parent) : QObject(parent) {
    pool_.setMaxThreadCount(2);  // a cancelled job that cannot stop does not hold up the next
    delay_.setSingleShot(true);
    delay_.setInterval(kProgressDelay);
    connect(&delay_, &QTimer::timeout, this, [this] {
        Q_EMIT slow(title_);
        meter_.start(kMeter);
    });
    connect(&meter_, &QTimer::timeout, this, [this] {
        if (permille() >= 0) Q_EMIT progressed(permille());
    });
}

Work::~Work() {
    if (stop_) stop_->request_stop();
    pool_.waitForDone();
}

void Work::start(const QString& title, Job job) {
    if (stop_) stop_->request_stop();
    auto stop = std::make_shared<Stop>();
    stop_ = stop;
    title_ = title;
    meter_.stop();
    delay_.start();
    // The pool is waited for before this object goes.
    pool_.start([this, stop, job = std::move(job)] {
        lower_priority(Priority::Panel);
        if (*stop) return;  // while it waited its turn
        Finish finish;
        try {
            finish = job(*stop);
        } catch (const Stopped&) {
            return;  // nobody waits
        } catch (const std::exception& error) {
            finish = [this, what = QString::fromUtf8(error.what())] { Q_EMIT failed(what); };
        }
        QMetaObject::invokeMethod(this, [this, stop, finish = std::move(finish)] {
            if (stop_ != stop) return;
            stop_ = nullptr;
            delay_.stop();
            meter_.stop();
            Q_EMIT finished();
            if (finish) finish();
        });
    });
}

void Work::cancel() {
    if (!stop_) return;
    stop_->request_stop();
    stop_ = nullptr;
    delay_.stop();
    meter_.stop();
    Q_EMIT finished();
}

}  // namespace blockscope

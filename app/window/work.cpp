#include "app/window/work.h"

#include <exception>

namespace blockscope {
namespace {

constexpr int kPatience = 100;  // milliseconds until progress is shown

}  // namespace

Work::Work(QObject* parent) : QObject(parent) {
    pool_.setMaxThreadCount(2);  // a cancelled job that cannot stop does not hold up the next
    patience_.setSingleShot(true);
    patience_.setInterval(kPatience);
    connect(&patience_, &QTimer::timeout, this, [this] { Q_EMIT slow(title_); });
}

Work::~Work() {
    if (stop_) *stop_ = true;
    pool_.waitForDone();
}

void Work::start(const QString& title, Job job) {
    if (stop_) *stop_ = true;
    auto stop = std::make_shared<Stop>(false);
    stop_ = stop;
    title_ = title;
    patience_.start();
    // The pool is waited for before this object goes.
    pool_.start([this, stop, job = std::move(job)] {
        Finish finish;
        try {
            finish = job(*stop);
        } catch (const std::exception& error) {
            finish = [this, what = QString::fromUtf8(error.what())] { Q_EMIT failed(what); };
        }
        QMetaObject::invokeMethod(this, [this, stop, finish = std::move(finish)] {
            if (stop_ != stop) return;
            stop_ = nullptr;
            patience_.stop();
            Q_EMIT finished();
            if (finish) finish();
        });
    });
}

void Work::cancel() {
    if (!stop_) return;
    *stop_ = true;
    stop_ = nullptr;
    patience_.stop();
    Q_EMIT finished();
}

}  // namespace blockscope

#include "app/panels/background.h"

#include <QString>
#include <utility>

#include "core/support/result.h"

namespace blockscope {

namespace {

// What came of a job: what to do next, or why there is nothing to do.
std::pair<Background::Finish, QString> result_of(const Background::Job& job) {
    try {
        return {job(), {}};
    } catch (const InternalError& error) {
        return {{}, QString::fromUtf8(error.what())};
    }
}

}  // namespace

Background::Background(QObject* parent) : QObject(parent) {
    pool_.setMaxThreadCount(1);
}

Background::~Background() {
    pool_.clear();
    pool_.waitForDone();
}

void Background::run(Job job) {
    pool_.clear();
    busy_ = true;
    pool_.start([this, job = std::move(job), generation = ++generation_] {
        auto [next, problem] = result_of(job);
        const auto hand_over = [this, generation, next = std::move(next), problem = problem] {
            if (generation == generation_) finish(next, problem);
        };
        QMetaObject::invokeMethod(this, hand_over, Qt::QueuedConnection);
    });
}

void Background::run_now(const Job& job) {
    cancel();
    const auto [next, problem] = result_of(job);
    finish(next, problem);
}

void Background::cancel() {
    pool_.clear();
    ++generation_;
    busy_ = false;
}

void Background::finish(const Finish& finish, const QString& problem) {
    busy_ = false;
    if (finish)
        finish();
    else if (!problem.isEmpty())
        Q_EMIT failed(problem);
    Q_EMIT idle();
}

}  // namespace blockscope

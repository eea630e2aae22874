#include "app/panels/background.h"

#include <exception>
#include <utility>

namespace blockscope {

void Background::run(std::function<Finish()> job) {
    start({}, [job = std::move(job)](const Stop&) { return job(); });
}

void Background::run_now(const Job& job) {
    cancel();
    Finish finish;
    try {
        finish = job(Stop());
    } catch (const std::exception& error) {
        Q_EMIT failed(QString::fromUtf8(error.what()));
    }
    if (finish) finish();
}

}  // namespace blockscope

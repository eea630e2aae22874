#include "app/panels/background.h"

#include <exception>

namespace blockscope {

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

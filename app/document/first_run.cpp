#include "app/document/first_run.h"

#include <QElapsedTimer>

namespace blockscope {

namespace {

constexpr qint64 kRunMilliseconds = 2000;

}  // namespace

Content first_run(Content content, const Stop& stop) {
    QElapsedTimer clock;
    clock.start();
    return prepared(std::move(content),
                    [&](const Step&) { return !stop && clock.elapsed() < kRunMilliseconds; });
}

}  // namespace blockscope

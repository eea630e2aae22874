// Waiting for what happens in the background.
#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTimer>
#include <functional>

namespace blockscope::test {

// Handles events until `done`; false after two minutes. Sleeps until there are events, for 10 ms at most, so
// that the processor is free for what is waited for. (With a limit of time, processEvents() does not sleep:
// its WaitForMoreEvents is ignored.)
inline bool wait_until(const std::function<bool()>& done) {
    QElapsedTimer clock;
    clock.start();
    QTimer tick;
    tick.start(10);
    while (!done()) {
        if (clock.elapsed() > 120'000) return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }
    return true;
}

}  // namespace blockscope::test

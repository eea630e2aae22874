// The window off screen, animations off, and what benchmarks of it share.
#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "app/scene/canvas.h"
#include "app/shell/samples.h"
#include "app/window/main_window.h"
#include "app/window/picture_view.h"

namespace blockscope::bench {

inline double milliseconds(qint64 nanoseconds) {
    return static_cast<double>(nanoseconds) / 1e6;
}

// Processor time of the calling thread.
inline double thread_milliseconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

inline double percentile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const auto last = static_cast<double>(values.size() - 1);
    return values[static_cast<std::size_t>(last * share)];
}

// Counts paints of a widget, so that what it shows counts when it is on the screen.
class Paints : public QObject {
public:
    explicit Paints(QWidget& widget) { widget.installEventFilter(this); }
    long count() const { return count_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint) ++count_;
        return QObject::eventFilter(watched, event);
    }

private:
    long count_ = 0;
};

class Session {
public:
    Session() {
        settings_.set_animations(false);
        settings_.set_theme(ThemeChoice::Light);
        window_.show();
        waker_.start(5);
    }
    MainWindow& window() { return window_; }
    Document& document() { return window_.document(); }

    // Sleeps in between: with a time to wait at most processEvents() would not, and take a core from others.
    // What has not come after two minutes never does: says what the window was at, and gives up.
    template <class Done>
    void wait(const Done& done) {
        QElapsedTimer clock;
        clock.start();
        while (!done()) {
            QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
            if (clock.elapsed() > kLongest) give_up();
        }
    }
    // Milliseconds until the picture that `action` leads to is painted.
    template <class Act>
    double to_picture(const Act& action) {
        QElapsedTimer clock;
        clock.start();
        const long before = paints_.count();
        action();
        wait([&] { return shows_current() && paints_.count() > before; });
        return milliseconds(clock.nsecsElapsed());
    }
    bool shows_current() {
        if (window_.services().work.busy() || document().empty() || document().is_busy()) return false;
        const PicturePtr known = known_picture();
        return known && known == window_.view().picture();
    }
    double open(const Sample& sample) {
        return to_picture([&] { window_.opener().open_sample(sample); });
    }
    double trigger(const char* id) {
        return to_picture([&] { window_.actions().trigger(id); });
    }
    // Whatever is still under way in the background of the panels.
    void rest(int for_milliseconds) {
        QElapsedTimer clock;
        clock.start();
        wait([&] { return clock.elapsed() > for_milliseconds; });
    }

    QString file(const QString& name) const { return folder_.filePath(name); }

private:
    static constexpr qint64 kLongest = 120'000;  // milliseconds

    [[noreturn]] void give_up() {
        const Work& work = window_.services().work;
        std::fprintf(
            stderr,
            "no end after %lld ms: opening %d (%s), document empty %d, at work %d; its picture known %d, "
            "shown %d\n",
            static_cast<long long>(kLongest), work.busy() ? 1 : 0, work.title().toUtf8().constData(),
            document().empty() ? 1 : 0, document().is_busy() ? 1 : 0, known_picture() ? 1 : 0,
            shows_current() ? 1 : 0);
        std::_Exit(1);
    }
    PicturePtr known_picture() {
        if (document().empty()) return nullptr;
        return window_.services().pictures.known(document().snapshot(), document().content().current,
                                                 window_.view().shape());
    }

    QTemporaryDir folder_;
    Settings settings_{folder_.filePath(QStringLiteral("settings.ini"))};
    Appearance appearance_{settings_};
    MainWindow window_{settings_, appearance_, folder_.filePath(QStringLiteral("journals"))};
    Paints paints_{window_.view().canvas()};
    QTimer waker_;  // so that wait() looks again
};

// Those that are among the names, which have other words, too; all samples where none is.
inline std::vector<Sample> samples_named(const std::vector<std::string>& names) {
    std::vector<Sample> named;
    for (const Sample& sample : samples())
        if (std::find(names.begin(), names.end(), sample.name.toStdString()) != names.end())
            named.push_back(sample);
    return named.empty() ? std::vector<Sample>(samples().begin(), samples().end()) : named;
}

// How soon tables, charts and pictures of every sample follow the sliders of its sizes.
// Of the samples named, or of all.
void print_sliders(Session& session, const std::vector<std::string>& names);

}  // namespace blockscope::bench

// A session with the window, off screen, animations off: time to the first picture, from a step's key to its
// picture, from a slider's move to table, chart and picture, how long the interface thread is away from its
// events, memory. Arguments choose parts: steps, sliders, thousand, session, large; without any all are run.
// Names of samples: steps and sliders of these alone (./dev bench session --parts sliders attention).
#include <sys/resource.h>
#include <unistd.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QStyleFactory>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <future>

#include "app/document/files.h"
#include "app/panels/search_panel.h"
#include "app/window/panel_table.h"
#include "core/rules/rule.h"
#include "tests/bench/session.h"
#include "tests/support/decoder_stack.h"

namespace blockscope::bench {
namespace {

constexpr int kThousandBlocks = 2;  // some 1,000 nodes
constexpr int kLargeBlocks = 40;
constexpr int kSteps = 20;  // that are gone one by one in the session with the heartbeat

// A timer of one millisecond in the interface thread: what it is late by the thread was busy, or the machine.
// The processor time of the thread tells the two apart.
class Heartbeat : public QObject {
public:
    struct Gap {
        double wall = 0, processor = 0;  // milliseconds
        QString during;
    };
    Heartbeat() {
        timer_.setTimerType(Qt::PreciseTimer);
        connect(&timer_, &QTimer::timeout, this, &Heartbeat::beat);
        clock_.start();
        timer_.start(1);
    }
    void during(const QString& what) { what_ = what; }
    const std::vector<Gap>& gaps() const { return gaps_; }

private:
    void beat() {
        const double processor = thread_milliseconds();
        gaps_.push_back({milliseconds(clock_.nsecsElapsed()), processor - processor_, what_});
        processor_ = processor;
        clock_.restart();
    }

    QTimer timer_;
    QElapsedTimer clock_;
    double processor_ = thread_milliseconds();
    QString what_;
    std::vector<Gap> gaps_;
};

constexpr double kMiB = 1 << 20;

// The most memory that the process has had, MiB.
double peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / kMiB;
}

// What it has now; 0 where the system does not say.
double memory_now() {
    std::ifstream file("/proc/self/statm");
    double all = 0, resident = 0;
    file >> all >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / kMiB;
}

// Which deed takes memory, and whether it keeps it.
class Memory {
public:
    void after(const std::string& deed) { lines_.push_back({deed, memory_now(), peak_memory()}); }
    void print() const {
        std::printf("\nmemory, MiB: %28s %8s %8s\n", "", "now", "peak");
        for (const Line& line : lines_)
            std::printf("%-41s %8.0f %8.0f\n", line.deed.c_str(), line.now, line.peak);
    }

private:
    struct Line {
        std::string deed;
        double now = 0, peak = 0;
    };
    std::vector<Line> lines_;
};

// Of steps: from the key to the picture, and what of it the interface thread worked. The machine's other work
// is in the first alone.
struct StepTimes {
    std::vector<double> wall, processor;  // milliseconds

    void add(Session& session) {
        const double before = thread_milliseconds();
        wall.push_back(session.trigger("step.forward"));
        processor.push_back(thread_milliseconds() - before);
    }
    void add(const StepTimes& more) {
        wall.insert(wall.end(), more.wall.begin(), more.wall.end());
        processor.insert(processor.end(), more.processor.begin(), more.processor.end());
    }
    void print(const char* name, const std::string& open) const {
        std::printf("%-24s %6zu %8s %8.1f %8.1f %12.1f %8.1f\n", name, wall.size(), open.c_str(),
                    percentile(wall, 0.5), percentile(wall, 1), percentile(processor, 0.5),
                    percentile(processor, 1));
    }
};

void print_steps(Session& session, const std::vector<std::string>& names) {
    std::puts("\nstep to next picture, ms (from the key until it is painted; first time, forward)");
    std::printf("%-24s %6s %8s %8s %8s %12s %8s\n", "sample", "steps", "open", "median", "worst",
                "processor's", "worst");
    StepTimes all;
    for (const Sample& sample : samples_named(names)) {
        const double open = session.open(sample);
        StepTimes times;
        while (session.document().can_forward()) times.add(session);
        times.print(sample.name.toUtf8().constData(), std::to_string(std::lround(open)));
        all.add(times);
    }
    all.print("all", {});
}

// A program of 1,000 nodes: from the file to its picture, and a frame while the picture is dragged.
void print_thousand(Session& session) {
    const QString path = session.file(QStringLiteral("thousand.bp"));
    if (write_file(path, print_program(decoder_stack(kThousandBlocks)))) std::abort();
    const double open = session.to_picture([&] { session.window().opener().open_file(path); });
    const int nodes = node_count(*session.document().content().program());
    std::printf("\n%d nodes: open %.0f ms\n", nodes, open);
    Canvas& canvas = session.window().view().canvas();
    for (const char* zoom : {"view.fit", "view.actual_size"}) {
        session.window().actions().trigger(zoom);
        session.rest(300);
        std::vector<double> frames;
        for (int i = 0; i < 240; ++i) {
            const double before = thread_milliseconds();
            canvas.pan(i % 120 < 60 ? 16 : -16, i % 60 < 30 ? 9 : -9);
            canvas.repaint();
            frames.push_back(thread_milliseconds() - before);
            QCoreApplication::processEvents();
        }
        std::printf(
            "  %-18s frame while panning, ms of processor time: median %.1f, 99th percentile %.1f, worst "
            "%.1f\n",
            zoom, percentile(frames, 0.5), percentile(frames, 0.99), percentile(frames, 1));
    }
}

// The last match in the table's order that the algorithm would not have taken first.
std::optional<Match> another_match(const BlockProgram& program) {
    const std::vector<Match> matches = all_matches(program);
    if (matches.size() < 2) return {};
    return matches.back();
}

void play_session(Session& session, Heartbeat& heart, const char* sample) {
    const auto deed = [&](const char* what, const auto& action) {
        heart.during(QStringLiteral("%1: %2").arg(QLatin1String(sample), QLatin1String(what)));
        action();
        session.wait([&] { return session.shows_current(); });
        session.rest(150);
    };
    const auto trigger = [&](const char* id) { deed(id, [&] { session.window().actions().trigger(id); }); };
    deed("open", [&] { session.window().opener().open_sample(*find_sample(QString::fromLatin1(sample))); });
    for (const PanelInfo& panel : panel_table()) {
        heart.during(QStringLiteral("%1: show %2").arg(QLatin1String(sample), QLatin1String(panel.id)));
        session.window().services().show_panel(panel.id);
        session.rest(300);
    }
    session.window().actions().trigger("window.picture");
    for (int step = 0; step < kSteps && session.document().can_forward(); ++step) trigger("step.forward");
    trigger("step.end");
    for (int step = 0; step < kSteps && session.document().can_back(); ++step) trigger("step.back");
    trigger("step.home");
    if (const auto match = another_match(*session.document().content().program()))
        deed("branch", [&] { session.document().apply(*match); });
    trigger("step.run");
    trigger("step.end");
    heart.during(QStringLiteral("%1: compare").arg(QLatin1String(sample)));
    session.window().actions().trigger("step.compare");
    session.rest(500);
    session.window().actions().trigger("step.compare");
    session.rest(200);
    heart.during(QStringLiteral("%1: search").arg(QLatin1String(sample)));
    session.window().services().show_panel("panel.search");
    if (auto* search = session.window().findChild<SearchPanel*>()) search->look_for(QStringLiteral("d"));
    session.rest(300);
    for (const char* id : {"view.fold_all", "view.unfold_all", "view.fold_depth_1", "edit.undo", "edit.undo"})
        trigger(id);
    for (const char* id : {"view.presentation", "view.presentation", "heat.predicted", "heat.predicted"})
        trigger(id);
    heart.during(QStringLiteral("%1: dark theme").arg(QLatin1String(sample)));
    session.window().actions().trigger("view.theme_dark");
    session.rest(300);
    session.window().actions().trigger("view.theme_light");
    session.rest(300);
}

// A program of 21,000 nodes: every panel, folding, steps, themes, heat maps, two states side by side, search,
// what is under the mouse, sizes, saving.
void play_large(Session& session, Heartbeat& heart) {
    Memory memory;
    std::string deed = "start";
    const auto during = [&](const char* what) {
        memory.after(deed);
        deed = what;
        heart.during(QStringLiteral("large: %1").arg(QLatin1String(what)));
    };
    const QString path = session.file(QStringLiteral("large.bp"));
    if (write_file(path, print_program(decoder_stack(kLargeBlocks)))) std::abort();
    during("open");
    session.window().opener().open_file(path);
    session.wait([&] { return session.shows_current(); });
    std::printf("\nlarge program: %d nodes\n", node_count(*session.document().content().program()));
    for (const PanelInfo& panel : panel_table()) {
        during(panel.id);
        session.window().services().show_panel(panel.id);
        session.rest(1500);
    }
    session.window().actions().trigger("window.picture");
    const auto trigger = [&](const char* id) {
        during(id);
        session.window().actions().trigger(id);
        session.wait([&] { return session.shows_current(); });
        session.rest(500);
    };
    for (const char* id : {"view.fold_all",      "step.forward",     "step.back",        "edit.copy_picture",
                           "view.theme_dark",    "view.theme_light", "view.unfold_all",  "heat.moved",
                           "heat.predicted",     "heat.predicted",   "view.edge_labels", "view.edge_labels",
                           "view.fold_depth_2",  "edit.undo",        "edit.redo",        "edit.undo",
                           "step.next_snapshot", "step.compare",     "step.compare",     "step.home",
                           "view.tidy",          "edit.undo"})
        trigger(id);
    during("compare start and end");
    const History& history = session.document().content().history;
    const StateId last = history.branch(session.document().content().branch).tip;
    session.document().compare_with({last});
    session.rest(3000);
    std::printf("%d steps\n", history.depth(last));
    session.document().compare_with({});
    session.rest(300);
    during("look for another match");
    auto found = std::async(std::launch::async, another_match, *session.document().content().program());
    session.wait([&] { return found.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
    const std::optional<Match> other = found.get();
    during("branch");
    if (other) session.document().apply(*other);
    session.wait([&] { return session.shows_current(); });
    session.rest(500);
    during("note");
    session.document().set_note(session.document().content().current, QStringLiteral("another way"));
    session.rest(300);
    for (const char* id : {"step.back", "step.forward", "step.compare", "step.compare", "view.presentation",
                           "view.presentation", "circuit.beside", "circuit.beside", "window.reset"})
        trigger(id);
    during("remove the branch");
    session.document().remove_branch(session.document().content().branch);
    session.wait([&] { return session.shows_current(); });
    session.rest(300);
    during("search");
    session.window().services().show_panel("panel.search");
    if (auto* search = session.window().findChild<SearchPanel*>()) search->look_for(QStringLiteral("d"));
    session.rest(1000);
    trigger("edit.find_next");
    during("hover");
    Canvas& canvas = session.window().view().canvas();
    for (int i = 0; i < 60; ++i) {
        const QPointF at(100 + 15 * i, 80 + 9 * i);
        QMouseEvent move(QEvent::MouseMove, at, canvas.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
        QCoreApplication::sendEvent(&canvas, &move);
        session.rest(20);
    }
    during("select and ask why");
    session.document().select({{session.document().content().program()->graph->nodes()[100]->id}, {}, {}});
    session.window().services().show_panel("panel.matches");
    session.rest(1500);
    during("sizes");
    DimTable dims = session.document().content().program()->dims;
    for (Dim& dim : dims) dim.size *= 2;
    session.document().set_dims(dims);
    session.wait([&] { return session.shows_current(); });
    during("save");
    session.window().opener().save_and(session.file(QStringLiteral("large.blockscope")), [] {});
    session.rest(1000);
    session.wait([&] { return !session.window().opener().saving().busy(); });
    memory.after(deed);
    memory.print();
}

void print_gaps(const Heartbeat& heart) {
    std::vector<Heartbeat::Gap> gaps = heart.gaps();
    std::vector<double> wall, processor;
    for (const Heartbeat::Gap& gap : gaps) {
        wall.push_back(gap.wall);
        processor.push_back(gap.processor);
    }
    std::puts("\nevent loop: gaps between beats of a 1 ms timer in the interface thread, ms");
    std::printf("%-12s %10s %10s %12s\n", "", "99th perc.", "largest", "over 100 ms");
    const auto line = [](const char* name, const std::vector<double>& times) {
        std::printf("%-12s %10.1f %10.1f %12td\n", name, percentile(times, 0.99), percentile(times, 1),
                    std::count_if(times.begin(), times.end(), [](double time) { return time > 100; }));
    };
    line("wall", wall);
    line("processor", processor);
    std::sort(gaps.begin(), gaps.end(), [](const auto& a, const auto& b) { return a.wall > b.wall; });
    gaps.resize(std::min<std::size_t>(gaps.size(), 12));
    std::puts("the largest, processor (wall):");
    for (const Heartbeat::Gap& gap : gaps)
        std::printf("%8.1f (wall %8.1f)  %s\n", gap.processor, gap.wall, gap.during.toUtf8().constData());
}

int run(int argc, char** argv) {
    QElapsedTimer clock;
    clock.start();
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const QTemporaryDir home;
    for (const char* kind : {"CONFIG", "DATA", "STATE", "CACHE"})
        qputenv(QByteArray("XDG_") + kind + "_HOME", home.path().toLocal8Bit());
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    Session session;
    session.open(samples().front());
    std::printf("start to first picture: %.0f ms\n", milliseconds(clock.nsecsElapsed()));
    const std::vector<std::string> parts(argv + 1, argv + argc);
    const auto wanted = [&](const char* part) {
        return parts.empty() || std::find(parts.begin(), parts.end(), part) != parts.end();
    };
    if (wanted("steps")) print_steps(session, parts);
    if (wanted("sliders")) print_sliders(session, parts);
    if (wanted("thousand")) print_thousand(session);
    if (wanted("session")) {
        Heartbeat heart;
        for (const char* sample : {"attention", "decoder-block"}) play_session(session, heart, sample);
        print_gaps(heart);
    }
    if (wanted("large")) {
        Heartbeat heart;
        play_large(session, heart);
        print_gaps(heart);
    }
    std::printf("\npeak memory: %.0f MiB\n", peak_memory());
    return 0;
}

}  // namespace
}  // namespace blockscope::bench

int main(int argc, char** argv) {
    return blockscope::bench::run(argc, argv);
}

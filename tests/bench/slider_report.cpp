// From the move of a slider to what it changes, in the window: on the costs page until the table with all of
// its states and the chart in front are painted; in front of the picture, with bytes moved as its heat map,
// until it is painted with the numbers of the new sizes. Aim: under 100 ms, each of them.
#include <QSlider>
#include <QTableView>
#include <cstdio>

#include "app/costs/choosers.h"
#include "app/costs/cost_page.h"
#include "tests/bench/session.h"
#include "tests/window/panel_of.h"

namespace blockscope::bench {

namespace {

constexpr int kMoves = 2;        // of every slider before the picture
constexpr int kCharts = 4;       // one after the other in front
constexpr double kAim = 100;     // milliseconds
constexpr int kRest = 20;        // milliseconds from one move to the next, as a hand leaves
constexpr int kPatience = 3000;  // milliseconds; what is not painted by then counts as so long
constexpr int kMostSliders = 8;  // of a sample

// Milliseconds of a move: until all is painted, and processor time of the interface thread, which other
// programs on the machine do not make longer.
struct Move {
    double wall = 0, processor = 0;
};

struct Times {
    std::vector<double> table, picture, processor;
    std::string worst;  // slower than any other
    void add(std::vector<double>& to, Move move, const std::string& what) {
        if (move.wall > std::max(percentile(table, 1), percentile(picture, 1))) worst = what;
        to.push_back(move.wall);
        processor.push_back(move.processor);
    }
};

// All of the table's states are counted at the sizes of now.
bool counted(const Costs& costs) {
    const std::vector<StateId> rows = costs.rows();
    return std::all_of(rows.begin(), rows.end(), [&](StateId id) { return costs.of(id) != nullptr; });
}

// Whether a widget has been painted since it was last asked, once `ready` held.
class PaintedWhen : public QObject {
public:
    PaintedWhen(QWidget& widget, std::function<bool()> ready) : ready_(std::move(ready)) {
        widget.installEventFilter(this);
    }
    void forget() { painted_ = false; }
    bool painted() const { return painted_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint && ready_()) painted_ = true;
        return QObject::eventFilter(watched, event);
    }

private:
    std::function<bool()> ready_;
    bool painted_ = false;
};

struct Slider {
    std::string name;
    QSlider* slider;
    int step;
};

std::vector<Slider> sliders_of(CostPage& page, const DimTable& dims) {
    std::vector<Slider> found;
    for (const Dim& dim : dims) {
        if (found.size() >= kMostSliders) break;
        QSlider* size = page.sliders().size_slider(dim.name);
        QSlider* block = page.sliders().block_slider(dim.name);
        if (size && size->value() < size->maximum()) found.push_back({dim.name, size, 1});
        if (block && block->value() > 0) found.push_back({"block of " + dim.name, block, -1});
    }
    return found;
}

// One move, until all that follows is painted. Sizes grow, blocks, which are no larger than sizes, shrink.
Move move_one(Session& session, const Slider& moved, std::initializer_list<PaintedWhen*> watched) {
    session.rest(kRest);
    QSlider& slider = *moved.slider;
    const int at = slider.value();
    QElapsedTimer clock;
    clock.start();
    const double processor = thread_milliseconds();
    for (PaintedWhen* each : watched) each->forget();
    slider.setValue(at + moved.step);
    session.wait([&] {
        if (clock.elapsed() > kPatience) return true;
        return std::all_of(watched.begin(), watched.end(), [](PaintedWhen* each) { return each->painted(); });
    });
    const Move move{milliseconds(clock.nsecsElapsed()), thread_milliseconds() - processor};
    slider.setValue(at);
    session.wait([&] { return !session.document().is_busy(); });
    return move;
}

Times move_all(Session& session) {
    Times times;
    Costs& costs = Costs::of(session.document());
    CostPage& page = *test::panel_of<CostPage>(session.window());
    const auto ready = [&] { return counted(costs) && !session.document().is_busy(); };
    PaintedWhen table(*page.table_view().viewport(), ready);
    PaintedWhen canvas(session.window().view().canvas(), [&] { return ready() && session.shows_current(); });
    const auto settle = [&] {
        session.rest(100);
        QElapsedTimer clock;
        clock.start();
        session.wait([&] { return clock.elapsed() > kPatience || (!costs.busy() && ready()); });
    };
    const auto sliders = sliders_of(page, session.document().content().program()->dims);
    session.window().services().show_panel("panel.costs");
    for (int chart = 0; chart < kCharts; ++chart) {
        page.charts().setCurrentIndex(chart);
        PaintedWhen plot(page.chart(chart), ready);
        settle();
        for (const Slider& slider : sliders)
            times.add(times.table, move_one(session, slider, {&table, &plot}),
                      slider.name + ", " + page.charts().tabText(chart).toStdString());
    }
    page.charts().setCurrentIndex(0);
    session.window().actions().trigger("window.picture");
    costs.set_heat(HeatMetric::Moved);
    settle();
    for (const Slider& slider : sliders)
        for (int move = 0; move < kMoves; ++move)
            times.add(times.picture, move_one(session, slider, {&canvas}), slider.name + ", picture");
    costs.set_heat(HeatMetric::None);
    return times;
}

}  // namespace

void print_sliders(Session& session, const std::vector<std::string>& names) {
    std::puts(
        "\nslider to table and chart, slider to picture, ms until they are painted; thread: the interface "
        "thread's processor time");
    std::printf("%-24s %6s %8s %8s %8s %8s %8s %8s  %s\n", "sample", "moves", "table", "worst", "picture",
                "worst", "thread", "worst", "the slowest");
    std::vector<double> all, processor;
    for (const Sample& sample : samples_named(names)) {
        session.open(sample);
        session.window().actions().trigger("step.end");
        session.wait([&] { return session.shows_current(); });
        const Times times = move_all(session);
        std::printf("%-24s %6zu %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f  %s\n", sample.name.toUtf8().constData(),
                    times.processor.size(), percentile(times.table, 0.5), percentile(times.table, 1),
                    percentile(times.picture, 0.5), percentile(times.picture, 1),
                    percentile(times.processor, 0.5), percentile(times.processor, 1), times.worst.c_str());
        processor.insert(processor.end(), times.processor.begin(), times.processor.end());
        all.insert(all.end(), times.table.begin(), times.table.end());
        all.insert(all.end(), times.picture.begin(), times.picture.end());
    }
    const auto line = [](const char* name, const std::vector<double>& times) {
        const auto slow = std::count_if(times.begin(), times.end(), [](double time) { return time > kAim; });
        std::printf("%-24s %6zu: median %.1f, 99th percentile %.1f, worst %.1f; %td over %.0f ms\n", name,
                    times.size(), percentile(times, 0.5), percentile(times, 0.99), percentile(times, 1), slow,
                    kAim);
    };
    line("all", all);
    line("all, thread", processor);
}

}  // namespace blockscope::bench

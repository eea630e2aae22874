// Frame times of pictures on a view of 1600 x 1000 pixels: a frame of 60 a second may take 16 ms.
#include <benchmark/benchmark.h>

#include <QApplication>

#include "app/scene/canvas.h"
#include "app/scene/hit.h"
#include "app/scene/transition.h"
#include "tests/scene/pictures.h"

namespace {

using namespace blockscope;

constexpr QSize kView(1600, 1000);

// 1,000, 5,000 or 10,000 boxes.
const PicturePtr& picture_of(std::int64_t boxes) {
    static const auto kSmall = std::make_shared<const Picture>(test::large_picture(40, 25));
    static const auto kLarge = std::make_shared<const Picture>(test::large_picture(100, 50));
    static const auto kLargest = std::make_shared<const Picture>(test::large_picture(125, 80));
    return boxes > 5000 ? kLargest : boxes > 1000 ? kLarge : kSmall;
}

double fitting_scale(const Picture& picture) {
    return std::min(kView.width() / picture.geometry.bounds.width,
                    kView.height() / picture.geometry.bounds.height);
}

void paint_everything(benchmark::State& state) {
    const PicturePtr& picture = picture_of(state.range(0));
    const double scale = fitting_scale(*picture);
    const Theme theme = Theme::light();
    QImage image(kView, QImage::Format_RGB32);
    for (auto _ : state) {
        image.fill(theme.canvas);
        QPainter painter(&image);
        painter.scale(scale, scale);
        paint(painter, *picture, theme, {}, picture->geometry.bounds, scale);
    }
    state.counters["scale"] = scale;
}

// A view that is painted afresh, as in every frame of a zoom; the second argument is the scale in percent.
void paint_view(benchmark::State& state) {
    const PicturePtr& picture = picture_of(state.range(0));
    const double scale = static_cast<double>(state.range(1)) / 100;
    const Theme theme = Theme::light();
    QImage image(kView, QImage::Format_RGB32);
    const Rect visible{500, 400, kView.width() / scale, kView.height() / scale};
    for (auto _ : state) {
        image.fill(theme.canvas);
        QPainter painter(&image);
        painter.scale(scale, scale);
        painter.translate(-visible.x, -visible.y);
        paint(painter, *picture, theme, {}, visible, scale);
    }
}

// A frame while panning: 12 pixels sideways, 7 down.
void pan_frame(benchmark::State& state) {
    const PicturePtr& picture = picture_of(state.range(0));
    Canvas canvas;
    canvas.resize(kView);
    canvas.set_animated(false);
    canvas.show();
    canvas.show_picture(picture);
    const double scale = state.range(1) ? static_cast<double>(state.range(1)) / 100 : fitting_scale(*picture);
    canvas.set_camera({{1500, 1000}, scale});
    QImage image(kView, QImage::Format_RGB32);
    canvas.render(&image);
    int frame = 0;
    for (auto _ : state) {
        const double way = ++frame % 40 < 20 ? 1 : -1;
        canvas.pan(12 * way, 7 * way);
        canvas.render(&image);
    }
}

// A frame of a transition of everything.
void transition_frame(benchmark::State& state) {
    const PicturePtr& picture = picture_of(state.range(0));
    Picture after = *picture;
    for (Rect& rect : after.geometry.boxes) rect.x += 40;
    Transition transition(at_rest(*picture), after, {});
    const double scale = fitting_scale(*picture);
    const Theme theme = Theme::light();
    QImage image(kView, QImage::Format_RGB32);
    double t = 0;
    for (auto _ : state) {
        t = t < 1 ? t + 0.05 : 0;
        image.fill(theme.canvas);
        QPainter painter(&image);
        painter.scale(scale, scale);
        paint(painter, transition.at(t), theme, {}, picture->geometry.bounds, scale);
    }
}

void start_transition(benchmark::State& state) {
    const PicturePtr& picture = picture_of(state.range(0));
    for (auto _ : state) Transition(at_rest(*picture), *picture, {});
}

void hit_test(benchmark::State& state) {
    const HitIndex index(picture_of(state.range(0)));
    double x = 0;
    for (auto _ : state) {
        x = x < 3000 ? x + 17 : 0;
        benchmark::DoNotOptimize(index.box_at({x, 700}));
        benchmark::DoNotOptimize(index.edge_at({x, 700}, 6));
    }
}

BENCHMARK(paint_everything)->Arg(1000)->Arg(5000)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(paint_view)->ArgsProduct({{1000, 5000, 10000}, {50, 100, 150}})->Unit(benchmark::kMillisecond);
BENCHMARK(pan_frame)->ArgsProduct({{1000, 5000, 10000}, {0, 50, 100}})->Unit(benchmark::kMillisecond);
BENCHMARK(transition_frame)->Arg(1000)->Arg(5000)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(start_transition)->Arg(1000)->Arg(5000)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(hit_test)->Arg(5000)->Arg(10000)->Unit(benchmark::kMicrosecond);

}  // namespace

int main(int count, char** texts) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(count, texts);
    benchmark::Initialize(&count, texts);
    if (benchmark::ReportUnrecognizedArguments(count, texts)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

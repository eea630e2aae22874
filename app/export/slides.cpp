#include "app/export/slides.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "app/export/paper.h"
#include "app/files/painting.h"
#include "app/scene/canvas.h"
#include "app/scene/legend.h"
#include "core/cost/models/model.h"

namespace blockscope {

namespace {

struct SlideTexts {
    Q_DECLARE_TR_FUNCTIONS(SlideTexts)
};

constexpr double kEdge = 44;                     // around everything
constexpr Rect kWords{kEdge, 88, 716, 138};      // above the picture
constexpr Rect kBytes{804, 84, 432, 142};        // beside the words
constexpr Rect kPicture{kEdge, 236, 1192, 446};  // of stages
constexpr double kSmallest = 12;                 // the height of the smallest names of a picture at scale 1
constexpr double kWholeFrom = 10 / kSmallest;    // a picture is seen whole if its names are 10 pixels high
constexpr double kOverview = 92;                 // the height of the whole picture below its part
constexpr double kLargest = 1.5;                 // pictures are not blown up beyond this
constexpr double kFoot = 690;                    // the line of page numbers

QString slide_bytes(std::int64_t count) {
    return QString::fromStdString(bytes_text_of(static_cast<double>(count)));
}

Rect around_lights(const Stage& stage) {
    const Lights lights = lights_of(stage);
    std::optional<Rect> around;
    for (const auto& [box, mark] : lights.boxes) {
        const Rect& rect = stage.picture->geometry.boxes[static_cast<std::size_t>(box)];
        if (!around) {
            around = rect;
            continue;
        }
        const double left = std::min(around->left(), rect.left()), top = std::min(around->top(), rect.top());
        around = Rect{left, top, std::max(around->right(), rect.right()) - left,
                      std::max(around->bottom(), rect.bottom()) - top};
    }
    const Rect& bounds = stage.picture->geometry.bounds;
    return around.value_or(Rect{bounds.x, bounds.y, 1, 1});
}

const Stage& stage_of(const Derivation& derivation, const Slide& slide) {
    return derivation.stages[static_cast<std::size_t>(slide.stage)];
}

// Two bars above each other, as long as what they stand for.
double put_bars(QPainter& painter, const Theme& theme, QPointF at, double width, const SlideGain& gain,
                int pixels) {
    const double high = pixels * 1.5;
    put_line(painter, {.pixels = pixels}, theme.faint, QRectF(at.x(), at.y(), width, high), gain.what);
    double y = at.y() + high;
    const double most = std::max(1.0, gain.share);
    const std::pair<QString, double> rows[] = {{gain.before, 1 / most}, {gain.after, gain.share / most}};
    bool first = true;
    for (const auto& [text, share] : rows) {
        const double text_room = text_width({.pixels = pixels, .bold = true}, text) + 12;
        const double bar = std::max(3.0, (width - text_room) * share);
        painter.setPen(Qt::NoPen);
        painter.setBrush(first ? mixed(theme.canvas, theme.faint, 0.45) : theme.made);
        painter.drawRoundedRect(QRectF(at.x(), y + 3, bar, high - 6), 3, 3);
        put_line(painter, {.pixels = pixels, .bold = !first}, theme.ink,
                 QRectF(at.x() + bar + 8, y, text_room, high), text);
        y += high;
        first = false;
    }
    return y;
}

void put_foot(QPainter& painter, const Theme& theme, const Derivation& derivation, const Slide& slide) {
    const QString name = QString::fromStdString(derivation.name);
    put_line(painter, {.pixels = 14}, theme.faint, QRectF(kEdge, kFoot, 600, 20), name);
    if (slide.kind != Slide::Kind::Stage) return;
    const QString number = SlideTexts::tr("%1 of %2")
                               .arg(stage_of(derivation, slide).number)
                               .arg(derivation.stages.back().number);
    put_line(painter, {.pixels = 14}, theme.faint, QRectF(kSlide.width - kEdge - 200, kFoot, 200, 20), number,
             Qt::AlignRight | Qt::AlignVCenter);
}

QString steps_text(const Derivation& derivation) {
    return SlideTexts::tr("Fused in %1 steps").arg(derivation.stages.back().number);
}

void put_title(QPainter& painter, const Derivation& derivation, const Theme& theme) {
    double y = 96;
    put_line(painter, {.pixels = 60, .bold = true}, theme.ink, QRectF(kEdge, y, kSlide.width - 2 * kEdge, 76),
             QString::fromStdString(derivation.name));
    y += 88;
    put_line(painter, {.pixels = 26}, theme.faint, QRectF(kEdge, y, kSlide.width - 2 * kEdge, 36),
             steps_text(derivation));
    y += 76;
    const QString source = QString::fromStdString(derivation.source).trimmed();
    const double left = source.isEmpty() ? kEdge : 700;
    if (!source.isEmpty()) {
        const int pixels = fitting_pixels({.fixed = true}, 20, 9, left - 2 * kEdge, kFoot - y - 20, source);
        put_text(painter, {.pixels = pixels, .fixed = true}, theme.ink, QRectF(kEdge, y, left - 2 * kEdge, 0),
                 source);
    }
    for (const SlideGain& gain : gains_of(derivation))
        y = put_bars(painter, theme, {left, y}, kSlide.width - kEdge - left, gain, 22) + 18;
}

void put_legend(QPainter& painter, const Derivation& derivation, const Theme& theme) {
    put_line(painter, {.pixels = 34, .bold = true}, theme.ink, QRectF(kEdge, 36, 1100, 44),
             SlideTexts::tr("How to read the pictures"));
    const Signs signs = signs_of(derivation);
    const double width = kSlide.width - 2 * kEdge, height = kFoot - 110;
    int columns = 1;
    double scale = 0;
    for (int each = 1; each <= 4; ++each) {
        const Size size = legend_size(signs, each);
        const double fits = std::min({width / size.width, height / size.height, 1.7});
        if (fits > scale) scale = fits, columns = each;
    }
    painter.save();
    painter.translate(kEdge, 100);
    painter.scale(scale, scale);
    paint_legend(painter, theme, signs, columns);
    painter.restore();
}

// Where only a part is seen, the whole stands below it.
Rect picture_room(bool whole) {
    Rect room = kPicture;
    if (!whole) room.height -= kOverview + 12;
    return room;
}

void put_picture(QPainter& painter, const Stage& stage, const Theme& theme) {
    const SlideView view = slide_view(stage);
    const Rect place = picture_room(view.whole);
    const double width = view.part.width * view.scale, height = view.part.height * view.scale;
    const QRectF room(place.x, place.y, place.width, place.height);
    painter.save();
    painter.setClipRect(room);
    painter.translate(room.center().x() - width / 2, room.center().y() - height / 2);
    painter.scale(view.scale, view.scale);
    painter.translate(-view.part.x, -view.part.y);
    paint(painter, *stage.picture, theme, lights_of(stage), view.part, view.scale);
    painter.restore();
}

// The whole picture, small, with a frame around the part that is seen.
void put_overview(QPainter& painter, const Stage& stage, const Theme& theme, const Rect& room) {
    const Rect& bounds = stage.picture->geometry.bounds;
    const double scale = std::min(room.width / bounds.width, room.height / bounds.height);
    painter.save();
    painter.translate(room.x, room.y);
    painter.scale(scale, scale);
    painter.translate(-bounds.x, -bounds.y);
    paint(painter, *stage.picture, theme, lights_of(stage), bounds, scale);
    const Rect part = slide_view(stage).part;
    painter.setPen(QPen(theme.selected, 2 / scale));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(part.x, part.y, part.width, part.height)
                         .intersected(QRectF(bounds.x, bounds.y, bounds.width, bounds.height)));
    painter.restore();
}

// What was done, one line for each step of a chapter, as many as there is room for.
QString told_text(const Stage& stage, double width, double room, int pixels) {
    if (stage.steps.empty())
        return QString::fromStdString(stage.told.empty() ? stage.explanation : stage.told);
    QString text;
    for (std::size_t i = 0; i < stage.steps.size(); ++i) {
        const QString next =
            (text.isEmpty() ? QString() : text + QLatin1Char('\n')) + QString::fromStdString(stage.steps[i]);
        if (text_height({.pixels = pixels}, width, next) > room)
            return text + QLatin1Char('\n') + SlideTexts::tr("and %1 more").arg(stage.steps.size() - i);
        text = next;
    }
    return text;
}

void put_words(QPainter& painter, const Stage& stage, const Theme& theme) {
    const QString called = QString::fromStdString(stage.called);
    const double below =
        called.isEmpty() ? 0 : text_height({.pixels = 17, .bold = true}, kWords.width, called) + 8;
    const double room = kWords.height - below;
    const QString first = stage.rewrites == 0
                              ? SlideTexts::tr(
                                    "Every operator is a kernel of its own: each wide red edge is a trip "
                                    "through global memory.")
                              : told_text(stage, kWords.width, room, 14);
    const int pixels = fitting_pixels({}, 23, 14, kWords.width, room, first);
    const double y =
        put_text(painter, {.pixels = pixels}, theme.ink, QRectF(kWords.x, kWords.y, kWords.width, 0), first);
    put_text(painter, {.pixels = 17, .bold = true}, theme.made, QRectF(kWords.x, y + 8, kWords.width, 0),
             called);
}

void put_bytes(QPainter& painter, const Stage& stage, const Theme& theme) {
    const double share = stage.bytes_before > 0 ? static_cast<double>(stage.bytes_after) /
                                                      static_cast<double>(stage.bytes_before)
                                                : 1;
    const TwoTexts bytes =
        bytes_texts_of(static_cast<double>(stage.bytes_before), static_cast<double>(stage.bytes_after));
    const SlideGain moved{SlideTexts::tr("Moved between global and local memory"),
                          QString::fromStdString(bytes.before), QString::fromStdString(bytes.after), share};
    const double y = put_bars(painter, theme, {kBytes.x, kBytes.y}, kBytes.width, moved, 20) + 6;
    const QString edges =
        stage.buffered_before == stage.buffered_after
            ? SlideTexts::tr("red edges: %1").arg(stage.buffered_after)
            : SlideTexts::tr("red edges: %1 → %2").arg(stage.buffered_before).arg(stage.buffered_after);
    put_line(painter, {.pixels = 16}, theme.faint, QRectF(kBytes.x, y, kBytes.width, 24),
             SlideTexts::tr("%1 · kernels: %2").arg(edges).arg(stage.launches));
}

void put_stage(QPainter& painter, const Stage& stage, const Theme& theme) {
    put_line(painter, {.pixels = 17}, theme.faint, QRectF(kEdge, 18, 800, 24),
             stage.rewrites > 1 ? QString() : QString::fromStdString(stage.chapter));
    put_line(painter, {.pixels = 28, .bold = true}, theme.ink,
             QRectF(kEdge, 40, kSlide.width - 2 * kEdge, 38), heading_of(stage));
    put_words(painter, stage, theme);
    put_bytes(painter, stage, theme);
    put_picture(painter, stage, theme);
    if (!slide_view(stage).whole)
        put_overview(painter, stage, theme,
                     {kPicture.x, kPicture.bottom() - kOverview, kPicture.width, kOverview});
}

void put_end(QPainter& painter, const Derivation& derivation, const Theme& theme) {
    const Stage& last = derivation.stages.back();
    const QString called = QString::fromStdString(last.called);
    const QString head =
        called.isEmpty() ? SlideTexts::tr("Before and after") : called.section(QLatin1Char(':'), 0, 0);
    put_line(painter, {.pixels = 48, .bold = true}, called.isEmpty() ? theme.ink : theme.made,
             QRectF(kEdge, 56, kSlide.width - 2 * kEdge, 64), head);
    double y = 150;
    for (const SlideGain& gain : gains_of(derivation))
        y = put_bars(painter, theme, {kEdge, y}, 720, gain, 30) + 22;
    const QString rest = called.isEmpty() ? QString::fromStdString(derivation.stopped) : called;
    put_text(painter, {.pixels = 22}, theme.ink, QRectF(820, 150, kSlide.width - kEdge - 820, 0), rest);
}

}  // namespace

std::vector<Slide> slides_of(const Derivation& derivation) {
    std::vector<Slide> slides{{Slide::Kind::Title, 0}, {Slide::Kind::Legend, 0}};
    for (std::size_t i = 0; i < derivation.stages.size(); ++i)
        slides.push_back({Slide::Kind::Stage, static_cast<int>(i)});
    slides.push_back({Slide::Kind::End, 0});
    return slides;
}

PictureShape slide_shape() {
    return {std::nullopt, {kPicture.width / kSlideScale, kPicture.height / kSlideScale}};
}

SlideView slide_view(const Stage& stage) {
    const Rect& bounds = stage.picture->geometry.bounds;
    const double fits = std::min({kPicture.width / bounds.width, kPicture.height / bounds.height, kLargest});
    if (fits >= kWholeFrom) return {bounds, fits, true};
    const Rect place = picture_room(false);
    const QSizeF room(place.width, place.height);
    const Camera camera = reading(bounds, around_lights(stage), room, kSlideScale);
    return {visible(camera, room), camera.scale, false};
}

std::vector<SlideGain> gains_of(const Derivation& derivation) {
    const Stage& first = derivation.stages.front();
    const Stage& last = derivation.stages.back();
    const auto share = [](double after, double before) { return before > 0 ? after / before : 1; };
    return {
        {SlideTexts::tr("Moved between global and local memory"), slide_bytes(first.bytes_after),
         slide_bytes(last.bytes_after),
         share(static_cast<double>(last.bytes_after), static_cast<double>(first.bytes_after))},
        {SlideTexts::tr("Kernels"), QString::number(first.launches), QString::number(last.launches),
         share(static_cast<double>(last.launches), static_cast<double>(first.launches))},
        {SlideTexts::tr("Red edges: values that go through global memory"),
         QString::number(first.buffered_after), QString::number(last.buffered_after),
         share(last.buffered_after, first.buffered_after)},
    };
}

void paint_slide(QPainter& painter, const Derivation& derivation, const Slide& slide, const Theme& theme) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.canvas);
    painter.drawRect(QRectF(0, 0, kSlide.width, kSlide.height));
    switch (slide.kind) {
        case Slide::Kind::Title:
            put_title(painter, derivation, theme);
            return;
        case Slide::Kind::Legend:
            put_legend(painter, derivation, theme);
            break;
        case Slide::Kind::Stage:
            put_stage(painter, stage_of(derivation, slide), theme);
            break;
        case Slide::Kind::End:
            put_end(painter, derivation, theme);
            break;
    }
    put_foot(painter, theme, derivation, slide);
}

std::vector<QString> notes_of(const Derivation& derivation, const Slide& slide) {
    switch (slide.kind) {
        case Slide::Kind::Title:
            return {
                SlideTexts::tr("Say what the program computes, and that every number in it is exact. Ask how "
                               "often the largest array goes through memory.")};
        case Slide::Kind::Legend:
            return {SlideTexts::tr(
                "Red and wide: through the slow memory. Dark and thin: stays on the chip. A dotted "
                "frame is a loop over blocks. Watch the red edges.")};
        case Slide::Kind::Stage:
            return notes_of(stage_of(derivation, slide));
        case Slide::Kind::End:
            break;
    }
    return {QString::fromStdString(derivation.stopped)};
}

namespace {

constexpr Size kNotesPage{794, 1123};  // A4 at 96 pixels to the inch
constexpr double kNotesEdge = 44;

void paint_notes_page(QPainter& painter, const Derivation& derivation, const Slide& slide,
                      const Theme& theme) {
    const double scale = (kNotesPage.width - 2 * kNotesEdge) / kSlide.width;
    painter.save();
    painter.translate(kNotesEdge, kNotesEdge);
    painter.scale(scale, scale);
    paint_slide(painter, derivation, slide, theme);
    painter.restore();
    const Theme paper = Theme::light();
    const QRectF frame(kNotesEdge, kNotesEdge, kSlide.width * scale, kSlide.height * scale);
    painter.setPen(QPen(paper.faint, 0.8));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(frame);
    double y = frame.bottom() + 24;
    for (const QString& note : notes_of(derivation, slide))
        y = put_text(painter, {.pixels = 15}, paper.ink, QRectF(kNotesEdge, y, frame.width(), 0), note) + 12;
}

}  // namespace

QByteArray slides_pdf(const Derivation& derivation, const Theme& theme, bool notes) {
    const std::vector<Slide> slides = slides_of(derivation);
    const Size page = notes ? kNotesPage : kSlide;
    return write_pdf(derivation.name, {page.width, page.height}, static_cast<int>(slides.size()),
                     [&](QPainter& painter, int number) {
                         const Slide& slide = slides[static_cast<std::size_t>(number)];
                         notes ? paint_notes_page(painter, derivation, slide, theme)
                               : paint_slide(painter, derivation, slide, theme);
                     });
}

}  // namespace blockscope

#include "app/scene/paint.h"

#include <gtest/gtest.h>

#include <QFontMetricsF>

#include "app/scene/hit.h"
#include "app/scene/legend.h"
#include "tests/scene/pictures.h"

namespace blockscope {
namespace {

QImage painted(const Picture& picture, double scale, const Rect& visible, const Lights& lights = {},
               const Theme& theme = Theme::light()) {
    const Rect& bounds = picture.geometry.bounds;
    QImage image(static_cast<int>(bounds.width * scale), static_cast<int>(bounds.height * scale),
                 QImage::Format_ARGB32_Premultiplied);
    image.fill(theme.canvas);
    QPainter painter(&image);
    painter.scale(scale, scale);
    paint(painter, picture, theme, lights, visible, scale);
    return image;
}

QImage painted(const Picture& picture, double scale, const Lights& lights = {}) {
    return painted(picture, scale, picture.geometry.bounds, lights);
}

int colours(const QImage& image) {
    std::set<QRgb> result;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) result.insert(image.pixel(x, y));
    return static_cast<int>(result.size());
}

bool has(const QImage& image, const QColor& color) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) == color.rgba()) return true;
    return false;
}

// In grey, too: from afar an edge through global memory is a wide double line, another one thin.
TEST(Paint, TellsBufferedEdgesFromOthersWithoutColours) {
    for (const bool buffered : {true, false}) {
        test::PictureMaker maker;
        const int from = maker.box(BoxKind::Functional, 1, "dot", {71, 10, 60, 28});
        const int to = maker.box(BoxKind::Functional, 2, "dot", {71, 200, 60, 28});
        maker.edge(-1, {from, -1}, {to, -1}, buffered);
        const QImage image =
            painted(maker.done(), 0.5, {0, 0, 300, 300}).convertToFormat(QImage::Format_Grayscale8);
        std::vector<int> dark;  // of the row half way
        const int ground = qGray(image.pixel(2, 60));
        for (int x = 0; x < image.width(); ++x) dark.push_back(ground - qGray(image.pixel(x, 60)));
        const auto touched = std::count_if(dark.begin(), dark.end(), [](int d) { return d > 8; });
        EXPECT_EQ(touched >= 3, buffered) << touched;
        int dips = 0;  // between the two lines
        for (std::size_t x = 1; x + 1 < dark.size(); ++x)
            dips += dark[x - 1] > dark[x] + 10 && dark[x + 1] > dark[x] + 10;
        EXPECT_EQ(dips, buffered ? 1 : 0);
    }
}

TEST(Paint, SamePictureSamePixels) {
    const Picture picture = test::small_picture();
    for (const double scale : {0.3, 1.0, 2.0}) EXPECT_EQ(painted(picture, scale), painted(picture, scale));
}

TEST(Paint, DrawsTheSameInsideWhatIsVisible) {
    const Picture picture = test::large_picture(20, 20);
    Lights lights;
    lights.boxes = {{10, Mark::Match}, {30, Mark::Selected}, {31, Mark::Culprit}};
    for (const double scale : {0.3, 1.0, 1.5}) {
        const QImage whole = painted(picture, scale, lights);
        for (const Rect& part :
             {Rect{0, 0, 200, 150}, Rect{333, 222, 400, 301}, Rect{1500, 1200, 500, 400}}) {
            const QImage some = painted(picture, scale, part, lights);
            const QRect pixels(
                QPoint(static_cast<int>(part.left() * scale) + 1, static_cast<int>(part.top() * scale) + 1),
                QPoint(static_cast<int>(part.right() * scale) - 1,
                       static_cast<int>(part.bottom() * scale) - 1));
            EXPECT_EQ(whole.copy(pixels), some.copy(pixels)) << scale << " " << part.x;
        }
    }
}

// How many columns of pixels in `rect` differ from their neighbours.
int inked_columns(const QImage& image, const QRect& rect) {
    int count = 0;
    for (int x = rect.left(); x <= rect.right(); ++x)
        count += colours(image.copy(QRect(x, rect.top(), 1, rect.height()))) > 1;
    return count;
}

// At a third of its size a label is larger than its box would have it, as far as its box has room.
TEST(Paint, LabelsCanBeReadFromAfar) {
    test::PictureMaker maker;
    maker.box(BoxKind::Functional, 1, "row_scale_of_all_rows", {0, 0, 155, 26});
    maker.box(BoxKind::Functional, 2, "dot", {300, 0, 60, 26});
    Picture picture = maker.done();
    picture.geometry.bounds = {-100, 0, 600, 26};
    constexpr double kScale = 0.38;
    QImage image(300, 12, QImage::Format_ARGB32_Premultiplied);
    image.fill(Theme::light().canvas);
    QPainter painter(&image);
    painter.scale(kScale, kScale);
    painter.translate(100, 0);
    paint(painter, picture, Theme::light(), {}, {-100, 0, 600, 26}, kScale);
    const auto across = [&](double from, double to) {
        return QRect(QPoint(static_cast<int>((100 + from) * kScale), 3),
                     QPoint(static_cast<int>((100 + to) * kScale), 7));
    };
    const double natural = QFontMetricsF(picture_font(TextRole::Label)).horizontalAdvance("dot") * kScale;
    EXPECT_GT(inked_columns(image, across(306, 354)), 1.15 * natural);
    EXPECT_GT(inked_columns(image, across(6, 149)), 0.6 * 143 * kScale);
    EXPECT_EQ(inked_columns(image, across(-60, -4)), 0) << "over the rim";
    EXPECT_EQ(inked_columns(image, across(160, 295)), 0) << "over the rim";
}

// A few are there however small: thumbnails have no edges that end in the air.
TEST(Paint, SmallBoxesAreLeftOutOnlyWhereThereAreMany) {
    const auto shown = [](int boxes, double scale) {
        test::PictureMaker maker;
        for (int i = 0; i < boxes; ++i)
            maker.box(BoxKind::Functional, static_cast<std::uint32_t>(i + 1), "", {40.0 * i, 10, 30, 26});
        Picture picture = maker.done();
        picture.geometry.bounds = {0, 0, 4000, 60};
        Picture all = picture;
        all.geometry.bounds.width = 40.0 * boxes;
        return colours(painted(picture, scale, all.geometry.bounds));
    };
    EXPECT_GT(shown(100, 0.05), 1);
    EXPECT_EQ(shown(1000, 0.05), 1);
    EXPECT_EQ(shown(100, 0.02), 1) << "less than a pixel is not seen, and glows take as long as large ones";
}

TEST(Paint, LeavesOutWhatIsNotVisible) {
    const Picture picture = test::large_picture(20, 20);
    const QImage some = painted(picture, 1, Rect{0, 0, 100, 100});
    EXPECT_EQ(colours(some.copy(1200, 1000, 500, 400)), 1);
}

TEST(Paint, BufferedEdgesAreRedAndOthersAreNot) {
    const Theme theme = Theme::light();
    Picture picture = test::small_picture();
    EXPECT_TRUE(has(painted(picture, 1), theme.buffered));
    for (Edge& edge : picture.figure.edges) edge.buffered = false;
    EXPECT_FALSE(has(painted(picture, 1), theme.buffered));
}

TEST(Paint, BufferedEdgesAreWider) {
    Picture picture = test::small_picture();
    const auto dark_pixels = [](const QImage& image) {
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) count += qGray(image.pixel(x, y)) < 235;
        return count;
    };
    const int with = dark_pixels(painted(picture, 1));
    for (Edge& edge : picture.figure.edges) edge.buffered = false;
    EXPECT_GT(with, dark_pixels(painted(picture, 1)));
}

TEST(Paint, TypesOnEdgesComeNearer) {
    const Picture picture = test::small_picture();
    Lights none;
    none.edge_labels = false;
    EXPECT_EQ(painted(picture, 1), painted(picture, 1, none));
    EXPECT_NE(painted(picture, 1.5), painted(picture, 1.5, none));
    Lights hovered;
    hovered.hovered_edge = 0;
    EXPECT_NE(painted(picture, 1), painted(picture, 1, hovered));
}

TEST(Paint, MarksAreToldApartWithoutColour) {
    Theme grey = Theme::light();  // all marks in one colour
    for (QColor* color : {&grey.match, &grey.culprit, &grey.made, &grey.search, &grey.removed, &grey.added,
                          &grey.moved, &grey.changed, &grey.selected, &grey.hovered})
        *color = Qt::black;
    const Picture picture = test::small_picture();
    std::vector<QImage> images;
    for (int mark = static_cast<int>(Mark::None); mark <= static_cast<int>(Mark::Changed); ++mark) {
        Lights lights;
        lights.boxes[4] = static_cast<Mark>(mark);
        images.push_back(painted(picture, 1, picture.geometry.bounds, lights, grey));
    }
    for (std::size_t a = 0; a < images.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) EXPECT_NE(images[a], images[b]) << a << " " << b;
}

TEST(Paint, KindsOfBoxesAndPortsAreToldApart) {
    std::vector<QImage> images;
    Theme grey = Theme::light();  // shapes alone
    grey.box = grey.formula = grey.array = grey.opaque = grey.canvas;
    grey.box_rim = grey.formula_rim = grey.array_rim = grey.opaque_rim = Qt::black;
    for (const BoxKind kind : {BoxKind::Input, BoxKind::Functional, BoxKind::Elementwise, BoxKind::Reduction,
                               BoxKind::Misc, BoxKind::Frame, BoxKind::Cloud}) {
        test::PictureMaker m;
        m.box(kind, 1, "x", {10, 10, 90, 40});
        const Picture picture = m.done();
        images.push_back(painted(picture, 1, picture.geometry.bounds, {}, grey));
    }
    test::PictureMaker maximum;
    maximum.box(BoxKind::Reduction, 1, "max", {10, 10, 90, 40});
    images.push_back(painted(maximum.done(), 1));
    for (const PortMark mark : {PortMark::Plain, PortMark::Sum, PortMark::Max, PortMark::Carried}) {
        test::PictureMaker m;
        m.port_out(m.frame(1, "", {10, 10, 90, 40}), 50, mark);
        images.push_back(painted(m.done(), 1));
    }
    for (const PortIn mode : {PortIn::Iterated, PortIn::Broadcast, PortIn::Continued}) {
        test::PictureMaker m;
        m.port_in(m.frame(1, "", {10, 10, 90, 40}), 50, mode);
        images.push_back(painted(m.done(), 1));
    }
    for (std::size_t a = 0; a < images.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) EXPECT_NE(images[a], images[b]) << a << " " << b;
}

TEST(Hit, FindsTheInnermostBox) {
    const Picture picture = test::small_picture();
    EXPECT_EQ(box_at(picture, {130, 134}), 4);  // dot
    EXPECT_EQ(box_at(picture, {30, 300}), 2);   // the map around it
    EXPECT_EQ(box_at(picture, {5, 360}), -1);
    EXPECT_EQ(edge_at(picture, {130, 170}, 6), 4);  // from dot down
    EXPECT_EQ(edge_at(picture, {250, 300}, 6), -1);
}

TEST(Hit, TheIndexAnswersAsThePlainSearch) {
    const auto picture = std::make_shared<const Picture>(test::large_picture(30, 30));
    const HitIndex index(picture);
    int edges = 0;
    for (double y = -50; y < 2500; y += 37.3)
        for (double x = -50; x < 3100; x += 41.7) {
            ASSERT_EQ(index.box_at({x, y}), box_at(*picture, {x, y})) << x << " " << y;
            ASSERT_EQ(index.edge_at({x, y}, 5), edge_at(*picture, {x, y}, 5)) << x << " " << y;
            edges += index.edge_at({x, y}, 5) >= 0;
        }
    EXPECT_GT(edges, 50);
}

TEST(Hit, TheIndexLooksBeyondTheCellOfThePointer) {
    test::PictureMaker m;  // the edge begins just below the first row of cells
    const int above = m.box(BoxKind::Functional, 1, "a", {10, 103, 50, 28});
    const int below = m.box(BoxKind::Functional, 2, "b", {10, 300, 50, 28});
    m.edge(-1, {above, -1}, {below, -1}, false);
    const auto picture = std::make_shared<const Picture>(m.done());
    EXPECT_EQ(HitIndex(picture).edge_at({35, 127}, 5), 0);
    EXPECT_EQ(edge_at(*picture, {35, 127}, 5), 0);
}

TEST(Hit, ARectangleSelectsWhatLiesInItEntirely) {
    const auto picture = std::make_shared<const Picture>(test::small_picture());
    const HitIndex index(picture);
    EXPECT_EQ(index.boxes_in({95, 115, 80, 110}), (std::vector<int>{4, 5}));
    EXPECT_EQ(index.boxes_in({0, 0, 1000, 1000}).size(), picture->figure.boxes.size());
}

TEST(Thumbnail, FitsAndIsPainted) {
    const QImage image = thumbnail(test::small_picture(), Theme::light(), 160, 120, 2);
    EXPECT_LE(image.width(), 320);
    EXPECT_LE(image.height(), 240);
    EXPECT_GT(image.height(), 230);
    EXPECT_GT(colours(image), 20);
}

Signs all_signs() {
    Signs signs;
    for (int i = 0; i <= static_cast<int>(Sign::Changed); ++i) signs.insert(static_cast<Sign>(i));
    return signs;
}

TEST(Legend, IsAsLargeAsItSays) {
    const Size size = legend_size(all_signs(), 2);
    QImage image(static_cast<int>(size.width) + 1, static_cast<int>(size.height) + 1,
                 QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    paint_legend(painter, Theme::dark_theme(), all_signs(), 2);
    painter.end();
    EXPECT_GT(colours(image), 100);
    EXPECT_GT(legend_size(all_signs(), 1).height, size.height);
    EXPECT_EQ(legend_columns(all_signs(), size.width), 2);
    EXPECT_EQ(legend_columns(all_signs(), size.width - 1), 1);
}

// Each sign is drawn, none like another, and says what it means.
TEST(Legend, TellsSignsApart) {
    std::set<QString> texts;
    std::vector<QImage> images;
    for (const Sign sign : all_signs()) {
        texts.insert(legend_entries({sign}).at(0).text);
        QImage image(70, 50, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        paint_legend(painter, Theme::light(), {sign}, 1);
        painter.end();
        for (const QImage& other : images) EXPECT_NE(image, other) << static_cast<int>(sign);
        images.push_back(image);
    }
    EXPECT_EQ(texts.size(), all_signs().size());
    EXPECT_EQ(texts.count(QString()), 0U);
}

TEST(Legend, ExplainsWhatOccurs) {
    Picture picture = test::small_picture();
    Signs signs = signs_of(picture, {});
    EXPECT_EQ(signs.count(Sign::Array), 1U);
    EXPECT_EQ(signs.count(Sign::FirstIteration), 0U);
    EXPECT_EQ(signs.count(Sign::Match), 0U);
    picture.figure.boxes[0].peeled = "x=0";
    picture.figure.boxes[1].corner = "x=1:X";
    picture.figure.boxes[1].out.push_back({PortMark::Max});
    Lights lights;
    lights.boxes[0] = Mark::Match;
    lights.around[0] = Mark::Made;
    signs = signs_of(picture, lights);
    for (const Sign sign : {Sign::FirstIteration, Sign::OtherIterations, Sign::Max, Sign::Match, Sign::Made})
        EXPECT_EQ(signs.count(sign), 1U) << static_cast<int>(sign);
}

}  // namespace
}  // namespace blockscope

#include "app/export/render.h"

#include <gmock/gmock.h>

#include <QXmlStreamReader>
#include <regex>

#include "app/files/svg.h"
#include "tests/export/run.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(RenderSvg, IsXmlWithEveryNodeOfThePicture) {
    FusedRun run("attention");
    for (const StateId id : {0, run.content->current}) {
        const PicturePtr picture = run.pictures.now(run.content, id);
        const std::string svg = render_bytes("svg", *picture, {}).toStdString();
        EXPECT_THAT(xml_problem(svg), IsEmpty());
        for (const Box& box : picture->figure.boxes) {
            EXPECT_THAT(svg, HasSubstr("id=\"" + to_string(box.id()) + "\""));
            for (const NodeId node : box.nodes)
                EXPECT_TRUE(
                    std::regex_search(svg, std::regex("data-node=\"([^\"]* )?" + to_string(node) + "[ \"]")));
        }
    }
}

TEST(RenderSvg, TextStaysText) {
    FusedRun run("attention");
    const std::string svg = render_bytes("svg", *run.last(), {}).toStdString();
    EXPECT_THAT(svg, HasSubstr(">row_scale</text>"));
    EXPECT_THAT(svg, HasSubstr(">Q(M,D)</text>"));
}

TEST(RenderSvg, BufferedEdgesSaySo) {
    FusedRun run("attention");
    const PicturePtr picture = run.last();
    const std::string svg = render_bytes("svg", *picture, {}).toStdString();
    const auto drawn = std::count_if(picture->figure.edges.begin(), picture->figure.edges.end(),
                                     [](const Edge& edge) { return edge.buffered; });
    const std::regex buffered("class=\"edge buffered\"");
    EXPECT_GT(drawn, 0);
    EXPECT_EQ(std::distance(std::sregex_iterator(svg.begin(), svg.end(), buffered), std::sregex_iterator()),
              drawn);
}

TEST(RenderSvg, ShowsNothingOutsideAPart) {
    FusedRun run("attention");
    RenderOptions options;
    const Rect bounds = run.last()->geometry.bounds;
    options.part = Rect{bounds.x, bounds.y, bounds.width, 60};
    const std::string svg = render_bytes("svg", *run.last(), options).toStdString();
    EXPECT_THAT(xml_problem(svg), IsEmpty());
    EXPECT_THAT(svg, HasSubstr("clip-path"));
    EXPECT_THAT(svg, HasSubstr(">Q(M,D)</text>"));
    EXPECT_THAT(svg, Not(HasSubstr(">O(M,L)</text>")));
}

TEST(RenderSvg, CaptionAndLegendMakeItHigher) {
    FusedRun run("attention");
    RenderOptions options;
    const auto height = [&] {
        QXmlStreamReader reader(render_bytes("svg", *run.last(), options));
        reader.readNextStartElement();
        return reader.attributes().value(QStringLiteral("height")).toDouble();
    };
    const double plain = height();
    options.caption = "Figure 1: <attention> & more";
    const double captioned = height();
    EXPECT_GT(captioned, plain + 10);
    EXPECT_THAT(render_bytes("svg", *run.last(), options).toStdString(),
                HasSubstr("&lt;attention&gt; &amp; more"));
    options.legend = true;
    EXPECT_GT(height(), captioned + 50);
}

TEST(Render, TheSameInputGivesTheSameBytes) {
    FusedRun first("softmax");
    FusedRun second("softmax");
    RenderOptions options;
    options.legend = true;
    options.scale = 1.5;
    EXPECT_EQ(render_bytes("svg", *first.last(), options).toStdString(),
              render_bytes("svg", *second.last(), options).toStdString());
    EXPECT_EQ(render_bytes("pdf", *first.last(), options), render_bytes("pdf", *second.last(), options));
    EXPECT_EQ(render_bytes("png", *first.last(), options), render_bytes("png", *second.last(), options));
}

TEST(RenderPdf, HasNoDateAndAPageOfThePicturesSize) {
    FusedRun run("softmax");
    const std::string pdf = render_bytes("pdf", *run.last(), {}).toStdString();
    EXPECT_THAT(pdf, testing::StartsWith("%PDF"));
    EXPECT_THAT(pdf, HasSubstr("/CreationDate (D:20000101000000"));
    std::smatch box;
    ASSERT_TRUE(std::regex_search(pdf, box, std::regex(R"(/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\])")));
    const Rect bounds = run.last()->geometry.bounds;
    EXPECT_NEAR(std::stod(box[1]), bounds.width * 0.75, 2);
    EXPECT_NEAR(std::stod(box[2]), bounds.height * 0.75, 2);
}

RenderOptions at_scale(double scale) {
    RenderOptions options;
    options.scale = scale;
    return options;
}

TEST(RenderPng, HasTheChosenScale) {
    FusedRun run("softmax");
    const QImage one = render_image(*run.last(), at_scale(1));
    const QImage three = render_image(*run.last(), at_scale(3));
    EXPECT_NEAR(three.width(), 3 * one.width(), 3);
    EXPECT_NEAR(three.height(), 3 * one.height(), 3);
    EXPECT_EQ(one.pixelColor(0, 0), Theme::light().canvas);
}

TEST(RenderPng, CanBeTransparentAndDark) {
    FusedRun run("softmax");
    RenderOptions options;
    options.scale = 1;
    options.background = false;
    EXPECT_EQ(render_image(*run.last(), options).pixelColor(0, 0).alpha(), 0);
    options.background = true;
    options.theme = Theme::dark_theme();
    EXPECT_EQ(render_image(*run.last(), options).pixelColor(0, 0), Theme::dark_theme().canvas);
}

TEST(RenderPng, RefusesWhatNoImageCanHold) {
    FusedRun run("softmax");
    EXPECT_TRUE(render_bytes("png", *run.last(), at_scale(1000)).isEmpty());
}

TEST(VectorDevice, ClipsToRectangles) {
    VectorDevice device;
    QPainter painter(&device);
    painter.save();
    painter.translate(10, 0);
    painter.setClipRect(QRectF(0, 0, 20, 20));
    painter.drawEllipse(QRectF(-50, -50, 100, 100));
    painter.restore();
    painter.drawEllipse(QRectF(0, 0, 5, 5));
    painter.end();
    const std::vector<VectorElement>& elements = device.items().front().elements;
    ASSERT_EQ(elements.size(), 2U);
    EXPECT_EQ(elements[0].clip, QRectF(10, 0, 20, 20));
    EXPECT_TRUE(elements[1].clip.isEmpty());
    EXPECT_THAT(svg_element(elements[0], "none", "#000000"),
                HasSubstr("<svg x=\"10\" y=\"0\" width=\"20\" height=\"20\" viewBox=\"10 0 20 20\"><circle"));
}

TEST(VectorDevice, WritesRowsOfDotsAsDashedLines) {
    VectorDevice device;
    QPainter painter(&device);
    painter.setPen(QPen(Qt::black, 1.5, Qt::SolidLine, Qt::RoundCap));
    std::vector<QPointF> dots;
    for (int i = 0; i < 100; ++i) dots.push_back({4.0 * i, 7});
    dots.push_back({500, 50});
    painter.drawPoints(dots.data(), static_cast<int>(dots.size()));
    painter.end();
    const std::vector<VectorElement>& elements = device.items().front().elements;
    ASSERT_EQ(elements.size(), 2U);
    EXPECT_THAT(elements[0].head, HasSubstr("M0 7L396.4 7"));
    EXPECT_THAT(elements[0].head, HasSubstr("stroke-dasharray=\"0 4"));
    EXPECT_THAT(elements[1].head, HasSubstr("M500 50h0"));
}

TEST(SvgNumber, IsShort) {
    EXPECT_EQ(svg_number(12.5), "12.5");
    EXPECT_EQ(svg_number(-3), "-3");
    EXPECT_EQ(svg_number(-0.001), "0");
    EXPECT_EQ(svg_number(1.006), "1.01");
}

}  // namespace
}  // namespace blockscope::test

// Circuit diagrams as files, and their colours.
#include "app/circuit/circuit_file.h"

#include <gmock/gmock.h>

#include <QImage>
#include <QXmlStreamReader>

#include "app/circuit/circuit_paint.h"
#include "tests/panels/text_support.h"

namespace blockscope {
namespace {

using testing::HasSubstr;

circuit::Drawing drawing(const std::string& sample, CircuitKind kind) {
    const Content content = test::fused_sample(sample);
    circuit::LayoutOptions options;
    options.measure = circuit_measure();
    return circuit::lay_out(*circuit_for(content, content.current, kind), options);
}

TEST(CircuitFile, EveryFormatIsOneAndStaysTheSame) {
    const circuit::Drawing picture = drawing("causal-attention", CircuitKind::Program);
    CircuitFile file;
    file.title = "causal";
    const std::map<std::string, QByteArray> starts = {
        {"svg", "<?xml"}, {"pdf", "%PDF"}, {"png", "\x89PNG"}, {"tex", "\\documentclass"}};
    for (const auto& [format, start] : starts) {
        const QByteArray bytes = circuit_bytes(format, picture, file);
        EXPECT_TRUE(bytes.startsWith(start)) << format;
        EXPECT_EQ(bytes, circuit_bytes(format, picture, file)) << format;
    }
    EXPECT_TRUE(circuit_bytes("gif", picture, file).isEmpty());
    file.scale = 200;
    EXPECT_TRUE(circuit_bytes("png", picture, file).isEmpty());  // too large
}

TEST(CircuitFile, SvgNamesItsParts) {
    const std::string text =
        circuit_bytes("svg", drawing("attention", CircuitKind::State), CircuitFile{}).toStdString();
    QXmlStreamReader reader(QString::fromStdString(text));
    while (!reader.atEnd()) reader.readNext();
    EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
    EXPECT_THAT(text, HasSubstr("class=\"glyph\" data-node=\"n"));
    EXPECT_THAT(text, HasSubstr("class=\"wire level1\" data-axis=\"g_M\""));
    EXPECT_THAT(text, HasSubstr("<title>elementwise exp"));
}

// "groups g_M of M" is three texts, one after another. Spaces at their ends would collapse in a browser, so
// that a text begins at its first letter, and a gap is left for the space.
TEST(CircuitFile, SvgKeepsSpacesBesideSubscripts) {
    const QByteArray svg = circuit_bytes("svg", drawing("attention", CircuitKind::Algorithm), CircuitFile{});
    QXmlStreamReader reader(svg);
    double end = 0;
    int gaps = 0;
    while (!reader.atEnd()) {
        reader.readNext();
        if (!reader.isStartElement() || reader.name() != QLatin1String("text")) continue;
        const double x = reader.attributes().value(QLatin1String("x")).toDouble();
        const double width = reader.attributes().value(QLatin1String("textLength")).toDouble();
        const QString text = reader.readElementText();
        EXPECT_EQ(text, text.trimmed());
        if (text == QLatin1String("of M")) {
            EXPECT_GT(x - end, 1);
            ++gaps;
        }
        end = x + width;
    }
    EXPECT_EQ(gaps, 1);
}

// Paper without ink would be as good as a blank one: something of every level's colour is there, in both
// themes.
TEST(CircuitFile, ShowsLevelsInBothThemes) {
    const circuit::Drawing picture = drawing("attention", CircuitKind::Algorithm);
    for (const Theme& theme : {Theme::light(), Theme::dark_theme()}) {
        CircuitFile file;
        file.theme = theme;
        file.scale = 4;
        const QImage image = QImage::fromData(circuit_bytes("png", picture, file));
        const CircuitLook look = circuit_look(theme);
        std::set<QRgb> seen;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) seen.insert(image.pixel(x, y));
        EXPECT_EQ(seen.count(theme.canvas.rgb()), 1U);
        EXPECT_EQ(seen.count(look.level_colour(0).rgb()), 1U);
        EXPECT_EQ(seen.count(look.level_colour(1).rgb()), 1U);
    }
}

// Levels can be told without their colours, and be seen on their ground.
TEST(CircuitLook, LevelsDifferInMoreThanColour) {
    for (const Theme& theme : {Theme::light(), Theme::dark_theme()}) {
        const CircuitLook look = circuit_look(theme);
        for (int a = 0; a < 4; ++a) {
            EXPECT_GE(contrast(look.level_colour(a), theme.canvas), 3)
                << a << (theme.dark ? " dark" : " light");
            for (int b = a + 1; b < 4; ++b) {
                const QPen first = look.level_pen(a);
                const QPen second = look.level_pen(b);
                EXPECT_TRUE(first.widthF() != second.widthF() || first.dashPattern() != second.dashPattern())
                    << a << " and " << b;
            }
        }
    }
}

TEST(CircuitText, IsMeasuredAsItIsPainted) {
    for (const char* text : {"g_q", "D^-0.5", "L·g_M + s_N"}) {
        const Size size = rich_size(text, circuit::LabelRole::Axis);
        QImage image(400, 60, QImage::Format_ARGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        paint_rich(painter, {20, 20, size.width, size.height}, text, circuit::LabelRole::Axis, Qt::black);
        painter.end();
        int left = 400, right = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixel(x, y) != QColor(Qt::white).rgb())
                    left = std::min(left, x), right = std::max(right, x);
        EXPECT_GE(left, 18) << text;
        EXPECT_LE(right, 20 + size.width + 3) << text;
        EXPECT_GE(right, 20 + size.width - 6) << text;
    }
}

}  // namespace
}  // namespace blockscope

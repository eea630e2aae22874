#include "app/export/export_dialog.h"

#include <gmock/gmock.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <set>

#include "app/circuit/circuit_file.h"
#include "app/document/document.h"
#include "core/diagram/layout/drawing.h"
#include "tests/export/run.h"

namespace blockscope::test {
namespace {

using What = ExportRequest::What;

constexpr What kKinds[] = {What::Whole, What::Seen,    What::Slides, What::Deck,       What::Strip,
                           What::Page,  What::Circuit, What::Graph,  What::Comparison, What::Program};

TEST(ExportDialog, OffersTheFormatsOfWhatIsChosen) {
    ExportDialog dialog(Theme::light(), {0, 0, 100, 50}, {});
    for (const What what : kKinds)
        for (const std::string& format : formats_of(what)) {
            dialog.choose(what, format);
            EXPECT_EQ(dialog.request().what, what);
            EXPECT_EQ(dialog.request().format, format);
        }
    EXPECT_EQ(dialog.request().seen, (Rect{0, 0, 100, 50}));
}

TEST(ExportDialog, BeginsInTheColoursOfTheWindow) {
    EXPECT_TRUE(ExportDialog(Theme::dark_theme(), {}, {}).request().theme.dark);
    EXPECT_FALSE(ExportDialog(Theme::light(), {}, {}).request().theme.dark);
}

TEST(ExportDialog, EveryFieldHasAnAccessibleName) {
    ExportDialog dialog(Theme::light(), {}, {});
    for (const QComboBox* box : dialog.findChildren<QComboBox*>())
        EXPECT_FALSE(box->accessibleName().isEmpty());
    for (const QDoubleSpinBox* box : dialog.findChildren<QDoubleSpinBox*>())
        EXPECT_FALSE(box->accessibleName().isEmpty());
}

// What is seen unless the best state is asked for, which only exports of one state can be of.
TEST(ExportDialog, OneStateMayBeTheBest) {
    FusedRun run("softmax");
    Document document;
    document.reset(*run.content, {});
    document.end();
    ExportDialog dialog(Theme::light(), {}, {});
    dialog.offer_best(1, QStringLiteral("step 1"));
    EXPECT_EQ(exported_content(dialog, document)->current, document.content().current) << "what is seen";
    for (QComboBox* box : dialog.findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String("State")) box->setCurrentIndex(1);
    EXPECT_EQ(exported_content(dialog, document)->current, 1);
    EXPECT_EQ(exported_content(dialog, document)->history.states().size(),
              document.content().history.states().size());
    for (const What what : {What::Seen, What::Strip, What::Page}) {
        dialog.choose(what, formats_of(what).front());
        EXPECT_FALSE(dialog.other_state());
    }
    dialog.choose(What::Program, "json");
    EXPECT_EQ(dialog.other_state(), StateId{1});
}

// What does not matter for a kind is not seen.
TEST(ExportDialog, ShowsTheFieldsThatMatterAlone) {
    ExportDialog dialog(Theme::light(), {}, {});
    const auto fields = [&](What what, const std::string& format) {
        dialog.choose(what, format);
        std::set<std::string> names;
        for (const QWidget* field : dialog.findChildren<QWidget*>()) {
            const bool is_field = qobject_cast<const QComboBox*>(field) != nullptr ||
                                  qobject_cast<const QDoubleSpinBox*>(field) != nullptr;
            if (is_field && field->isVisibleTo(&dialog)) names.insert(field->accessibleName().toStdString());
            const auto* check = qobject_cast<const QCheckBox*>(field);
            if (check && check->isVisibleTo(&dialog))
                names.insert(QString(check->text()).remove(QLatin1Char('&')).toStdString());
        }
        return names;
    };
    using Names = std::set<std::string>;
    EXPECT_EQ(fields(What::Whole, "svg"),
              (Names{"What", "Format", "Colours", "Background", "Legend under the picture"}));
    EXPECT_EQ(fields(What::Whole, "png"),
              (Names{"What", "Format", "Colours", "Scale", "Background", "Legend under the picture"}));
    EXPECT_EQ(fields(What::Slides, "pdf"),
              (Names{"What", "Steps", "Colours", "Notes for the speaker, on A4"}));
    EXPECT_EQ(fields(What::Deck, "html"), (Names{"What", "Steps"}));
    EXPECT_EQ(fields(What::Comparison, "pdf"),
              (Names{"What", "Format", "First state", "Second state", "Colours"}));
    EXPECT_EQ(fields(What::Program, "json"), (Names{"What"}));
}

TEST(ExportDialog, NamesAreThoseOfTheProgramWithoutAFolder) {
    FusedRun run("attention");
    ExportRequest request;
    EXPECT_EQ(suggested_name(*run.content, request), QStringLiteral("attention.svg"));
    request.what = What::Slides;
    request.format = "pdf";
    EXPECT_EQ(suggested_name(*run.content, request), QStringLiteral("attention-slides.pdf"));
}

// Every kind shows what it will write.
TEST(ExportPreview, IsDrawnForEveryKind) {
    FusedRun run("softmax");
    for (const What what : kKinds)
        for (const std::string& format : formats_of(what)) {
            ExportRequest request;
            request.what = what;
            request.format = format;
            request.comparison.after = run.content->current;
            const Preview preview = preview_of(request, *run.content, run.source(), {400, 300});
            EXPECT_TRUE(!preview.image.isNull() || !preview.text.isEmpty()) << format;
            EXPECT_LE(preview.image.width(), 400);
            EXPECT_LE(preview.image.height(), 300);
        }
}

// The share of pixels that differ much from `ground` in the lower half, where no heading stands.
double inked(const QImage& image, const QColor& ground) {
    int other = 0, all = 0;
    for (int y = image.height() / 2; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x, ++all) {
            const QColor pixel = image.pixelColor(x, y);
            const int apart = std::abs(pixel.red() - ground.red()) + std::abs(pixel.blue() - ground.blue());
            if (apart > 16 || pixel.alpha() < 255) ++other;
        }
    return static_cast<double>(other) / std::max(1, all);
}

// A part of a picture used to be black, and sheets of several pictures empty.
TEST(ExportPreview, ShowsPicturesOnTheirGround) {
    FusedRun run("attention");
    const Theme theme = Theme::light();
    for (const What what : {What::Seen, What::Whole, What::Strip, What::Comparison})
        for (const std::string& format : formats_of(what)) {
            ExportRequest request;
            request.what = what;
            request.format = format;
            request.theme = theme;
            const Rect all = run.source()(run.content->current, {}, std::nullopt)->geometry.bounds;
            request.seen = Rect{all.x, all.y, all.width, all.height / 2};
            request.comparison.after = run.content->current;
            const Preview preview = preview_of(request, *run.content, run.source(), {500, 400});
            if (preview.image.isNull()) continue;  // a text
            const double ink = inked(preview.image, theme.canvas);
            EXPECT_GT(ink, 0.03) << static_cast<int>(what) << ", " << format;
            EXPECT_LT(ink, 0.8) << static_cast<int>(what) << ", " << format;
            int black = 0;
            for (int x = 0; x < preview.image.width(); ++x)
                if (preview.image.pixelColor(x, preview.image.height() / 2).lightness() < 20) ++black;
            EXPECT_LT(black, preview.image.width() / 4) << static_cast<int>(what) << ", " << format;
        }
}

// A small preview is a small picture of the file: names are there, not the blocks alone.
TEST(ExportPreview, HasTheDetailOfTheFile) {
    FusedRun run("attention");
    ExportRequest request;
    request.what = What::Whole;
    request.format = "png";
    request.scale = 1;
    const QImage file = QImage::fromData(*make_export(request, *run.content, run.source()), "png");
    const QImage small = preview_of(request, *run.content, run.source(), {240, 240}).image;
    ASSERT_FALSE(small.isNull());
    const QImage shrunk = file.scaled(small.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    const auto dark = [](const QImage& image) {
        double sum = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) sum += 255 - image.pixelColor(x, y).lightness();
        return sum;
    };
    EXPECT_NEAR(dark(small) / dark(shrunk), 1, 0.15);
}

TEST(ExportPreview, TheDialogAsksForOneWhenAFieldChanges) {
    FusedRun run("softmax");
    ExportDialog dialog(Theme::light(), {}, {});
    dialog.preview_with([&](const ExportDialog& asks) {
        return [&run, request = asks.request()](const Stop&) {
            return preview_of(request, *run.content, run.source(), {300, 200});
        };
    });
    const auto wait = [&] {
        QElapsedTimer clock;
        clock.start();
        const Preview before = dialog.preview().shown();
        while (dialog.preview().shown().image.cacheKey() == before.image.cacheKey() &&
               clock.elapsed() < 20'000)
            QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        return !dialog.preview().shown().image.isNull();
    };
    EXPECT_TRUE(wait());
    dialog.choose(What::Slides, "pdf");
    EXPECT_TRUE(wait());
}

TEST(MakeExport, EveryFormatBeginsAsItShould) {
    FusedRun run("softmax");
    const std::pair<What, std::pair<const char*, const char*>> kinds[] = {
        {What::Whole, {"svg", "<?xml"}},        {What::Whole, {"pdf", "%PDF"}},
        {What::Whole, {"png", "\x89PNG"}},      {What::Strip, {"svg", "<?xml"}},
        {What::Strip, {"pdf", "%PDF"}},         {What::Page, {"html", "<!DOCTYPE html>"}},
        {What::Slides, {"pdf", "%PDF"}},        {What::Deck, {"html", "<!DOCTYPE html>"}},
        {What::Comparison, {"pdf", "%PDF"}},    {What::Comparison, {"svg", "<?xml"}},
        {What::Comparison, {"png", "\x89PNG"}}, {What::Graph, {"dot", "digraph"}},
        {What::Program, {"json", "{"}},         {What::Circuit, {"svg", "<?xml"}},
        {What::Circuit, {"pdf", "%PDF"}},       {What::Circuit, {"tex", "\\documentclass"}},
        {What::Circuit, {"json", "{"}},
    };
    for (const auto& [what, expected] : kinds) {
        ExportRequest request;
        request.what = what;
        request.format = expected.first;
        request.comparison.after = run.content->current;
        const auto bytes = make_export(request, *run.content, run.source());
        ASSERT_TRUE(bytes.has_value());
        EXPECT_TRUE(bytes->startsWith(expected.second)) << expected.first;
    }
}

TEST(ExportDialog, TheEndingOfTheNameDecides) {
    ExportRequest request;
    request.what = What::Strip;
    request.format = "pdf";
    EXPECT_EQ(follow_ending("/some/strip.SVG", request), "");
    EXPECT_EQ(request.format, "svg");
    EXPECT_EQ(follow_ending("/some/strip.pdf", request), "");
    EXPECT_EQ(request.format, "pdf");
    EXPECT_EQ(follow_ending("/some/strip.v2", request), "") << "no format's ending";
    EXPECT_EQ(request.format, "pdf");
    EXPECT_EQ(follow_ending("/some/strip.png", request).toStdString(),
              "/some/strip.png was not written: this is exported as .pdf or .svg only.");
    EXPECT_EQ(request.format, "pdf");
}

// The state's diagram, the program's, and one that is handed over are different files.
TEST(MakeExport, WritesTheCircuitThatIsAskedFor) {
    FusedRun run("attention");
    ExportRequest request;
    request.what = What::Circuit;
    request.format = "json";
    std::set<QByteArray> files;
    for (const CircuitKind kind : {CircuitKind::State, CircuitKind::Program, CircuitKind::Algorithm}) {
        request.circuit = kind;
        files.insert(*make_export(request, *run.content, run.source()));
    }
    EXPECT_EQ(files.size(), 3U);
    request.shown.circuit = std::make_shared<const circuit::Circuit>(
        circuit_for(*run.content, run.content->current, CircuitKind::Program).value());
    EXPECT_EQ(files.count(*make_export(request, *run.content, run.source())), 1U);
}

// What is seen is written as it is seen: with its repeat bracket, its numbers, its lines.
TEST(MakeExport, WritesTheCircuitThatIsSeen) {
    FusedRun run("decoder-block");
    const circuit::Circuit once =
        circuit_for(*run.content, run.content->current, CircuitKind::Program).value();
    SeenCircuit seen;
    seen.circuit = std::make_shared<const circuit::Circuit>(repeated_circuit(once, "layer", "32").value());
    circuit::LayoutOptions options;
    options.width = 700;
    seen.drawing = std::make_shared<const circuit::Drawing>(circuit::lay_out(*seen.circuit, options));
    seen.kind = "The program";
    ExportDialog dialog(Theme::light(), {}, {});
    dialog.choose(What::Circuit, "svg");
    const QByteArray plain = *make_export(dialog.request(), *run.content, run.source());
    EXPECT_FALSE(plain.contains("layer × 32"));
    dialog.offer(seen);
    const ExportRequest request = dialog.request();
    EXPECT_EQ(request.shown.drawing, seen.drawing);
    const QByteArray bytes = *make_export(request, *run.content, run.source());
    EXPECT_TRUE(bytes.contains("layer × 32"));
    CircuitFile file;
    file.theme = request.theme;
    file.background = request.background;
    file.scale = request.scale;
    file.title = run.content->name + ", The program";
    EXPECT_EQ(bytes, circuit_bytes("svg", *seen.drawing, file));
}

TEST(MakeExport, GivesNothingWhenItIsCancelled) {
    FusedRun run("softmax");
    const auto none = [](StateId, const PictureShape&, const auto&) { return PicturePtr(); };
    for (const What what :
         {What::Whole, What::Strip, What::Page, What::Slides, What::Deck, What::Comparison}) {
        ExportRequest request;
        request.format = formats_of(what).front();
        request.what = what;
        EXPECT_FALSE(make_export(request, *run.content, none).has_value());
    }
}

}  // namespace
}  // namespace blockscope::test

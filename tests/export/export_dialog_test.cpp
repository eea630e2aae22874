#include "app/export/export_dialog.h"

#include <gmock/gmock.h>

#include <set>

#include "app/circuit/circuit_file.h"
#include "core/diagram/layout/drawing.h"
#include "tests/export/run.h"

namespace blockscope::test {
namespace {

using What = ExportRequest::What;

TEST(ExportDialog, OffersTheFormatsOfWhatIsChosen) {
    ExportDialog dialog(Theme::light(), {0, 0, 100, 50}, {});
    for (const What what :
         {What::Whole, What::Seen, What::Strip, What::Page, What::Circuit, What::Graph, What::Program})
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

TEST(MakeExport, EveryFormatBeginsAsItShould) {
    FusedRun run("softmax");
    const std::pair<What, std::pair<const char*, const char*>> kinds[] = {
        {What::Whole, {"svg", "<?xml"}},
        {What::Whole, {"pdf", "%PDF"}},
        {What::Whole, {"png", "\x89PNG"}},
        {What::Strip, {"svg", "<?xml"}},
        {What::Strip, {"pdf", "%PDF"}},
        {What::Page, {"html", "<!DOCTYPE html>"}},
        {What::Graph, {"dot", "digraph"}},
        {What::Program, {"json", "{"}},
        {What::Circuit, {"svg", "<?xml"}},
        {What::Circuit, {"pdf", "%PDF"}},
        {What::Circuit, {"tex", "\\documentclass"}},
        {What::Circuit, {"json", "{"}},
    };
    for (const auto& [what, expected] : kinds) {
        ExportRequest request;
        request.what = what;
        request.format = expected.first;
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
    request.drawn.circuit = std::make_shared<const circuit::Circuit>(
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
    EXPECT_EQ(request.drawn.drawing, seen.drawing);
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
    const auto none = [](StateId) { return PicturePtr(); };
    for (const What what : {What::Whole, What::Strip, What::Page}) {
        ExportRequest request;
        request.what = what;
        EXPECT_FALSE(make_export(request, *run.content, none).has_value());
    }
}

}  // namespace
}  // namespace blockscope::test

#include "app/export/export_dialog.h"

#include <gmock/gmock.h>

#include "tests/export/run.h"

namespace blockscope::test {
namespace {

using What = ExportRequest::What;

TEST(ExportDialog, OffersTheFormatsOfWhatIsChosen) {
    ExportDialog dialog(Theme::light(), {0, 0, 100, 50}, {});
    for (const What what : {What::Whole, What::Seen, What::Strip, What::Page, What::Graph, What::Program})
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
        {What::Whole, {"svg", "<?xml"}},   {What::Whole, {"pdf", "%PDF"}},
        {What::Whole, {"png", "\x89PNG"}}, {What::Strip, {"svg", "<?xml"}},
        {What::Strip, {"pdf", "%PDF"}},    {What::Page, {"html", "<!DOCTYPE html>"}},
        {What::Graph, {"dot", "digraph"}}, {What::Program, {"json", "{"}},
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

// The picture of the numerically safe form: online softmax with the names that people know.
#include <gmock/gmock.h>

#include "app/costs/costs.h"
#include "app/costs/step_cost.h"
#include "app/panels/listing_panel.h"
#include "app/shell/caption_bar.h"
#include "app/shell/telling.h"
#include "app/shell/timeline_model.h"
#include "app/window/picture_view.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

using test::TestWindow;
using testing::Contains;
using testing::HasSubstr;

class SafePicture : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(t.open_sample("attention"));
        document().end();
        ASSERT_TRUE(shown(false));
    }
    Document& document() { return t.window.document(); }
    const Figure& figure() { return t.window.view().picture()->figure; }
    std::vector<std::string> labels() {
        std::vector<std::string> all;
        for (const Box& box : figure().boxes) all.push_back(box.label);
        return all;
    }
    // The first of this name.
    int box_of(const std::string& label) {
        const auto& boxes = figure().boxes;
        const auto found = std::find_if(boxes.begin(), boxes.end(),
                                        [&](const Box& box) { return box.label.rfind(label, 0) == 0; });
        return static_cast<int>(found - boxes.begin());
    }
    // Once the canvas shows the state in this form.
    bool shown(bool safe) {
        return test::wait_until([&] {
            PictureView& view = t.window.view();
            const PictureShape shape = view.shape();
            const auto known = t.window.services().pictures.known(document().snapshot(),
                                                                  document().content().current, shape);
            return shape.safe == safe && known && known == view.picture();
        });
    }
    void toggle() { t.window.actions().trigger("view.safe"); }

    TestWindow t;
};

TEST_F(SafePicture, HasTheNamesOfOnlineSoftmax) {
    EXPECT_THAT(labels(), testing::Not(Contains(HasSubstr("rescale"))));
    toggle();
    ASSERT_TRUE(shown(true));
    EXPECT_THAT(labels(), Contains("m: max(x,y)"));
    EXPECT_THAT(labels(), Contains(testing::StartsWith("l: ")));
    EXPECT_THAT(labels(), Contains(testing::StartsWith("acc: ")));
    EXPECT_THAT(labels(), Contains(testing::StartsWith("rescale: ")));
    toggle();
    ASSERT_TRUE(shown(false));
    EXPECT_THAT(labels(), testing::Not(Contains(HasSubstr("rescale"))));
}

// Half of the blocks and more are those of the state itself.
TEST_F(SafePicture, LeavesMostBlocksWhereTheyAre) {
    const PicturePtr before = t.window.view().picture();
    toggle();
    ASSERT_TRUE(shown(true));
    const PicturePtr after = t.window.view().picture();
    int same = 0, all = 0;
    for (const Box& box : before->figure.boxes) {
        if (box.kind == BoxKind::Frame) continue;
        ++all;
        same += after->figure.find(box.id()) >= 0;
    }
    EXPECT_EQ(same, all) << "each node is found, itself or what it became";
}

// The first operators can be read, before the first step with the inputs, whatever the form made elsewhere.
TEST_F(SafePicture, OpensAtItsFirstOperators) {
    ASSERT_TRUE(t.open_sample("causal-attention"));
    const Canvas& canvas = t.window.view().canvas();
    for (const QSize size : {QSize(1280, 720), QSize(1024, 576)}) {
        t.window.resize(size);
        document().home();
        ASSERT_TRUE(shown(false));
        toggle();
        ASSERT_TRUE(shown(true));
        EXPECT_GE(canvas.camera().scale, kReadableScale);
        const QRectF sight(canvas.rect());
        EXPECT_TRUE(sight.contains(canvas.box_rect(box_of("dot")))) << size.width();
        EXPECT_TRUE(sight.contains(canvas.box_rect(box_of("Q(H,M,D)")))) << size.width();
        document().end();
        ASSERT_TRUE(shown(true));
        int early = 0;  // operators that end before the view's last third
        for (std::size_t i = 0; i < figure().boxes.size(); ++i) {
            const BoxKind kind = figure().boxes[i].kind;
            if (kind == BoxKind::Frame || kind == BoxKind::Input) continue;
            const QRectF box = canvas.box_rect(static_cast<int>(i));
            early += sight.contains(box) && box.right() < 0.7 * sight.width() &&
                     box.bottom() < 0.7 * sight.height();
        }
        EXPECT_GE(early, 1) << size.width();
        document().home();
        ASSERT_TRUE(shown(true));
        EXPECT_TRUE(sight.contains(canvas.box_rect(box_of("Q(H,M,D)")))) << size.width();
        toggle();
    }
}

TEST_F(SafePicture, TheCaptionSaysSo) {
    const auto* bar = t.window.findChild<CaptionBar*>();
    ASSERT_NE(bar, nullptr);
    toggle();
    EXPECT_TRUE(test::wait_until([&] {
        return bar->sentence().contains(QStringLiteral("m is the running maximum"));
    })) << bar->sentence().toStdString();
    EXPECT_TRUE(bar->sentence().contains(QStringLiteral("This is Flash Attention")));
    EXPECT_TRUE(bar->sentence().contains(QStringLiteral("With online softmax: m is")));
    EXPECT_TRUE(bar->sentence().contains(QStringLiteral("kernels 7 → 1")));
    // The chapters above the timeline have the bytes of the same form.
    const State unfused(document().content().history.state(0).program, safe_form());
    EXPECT_EQ(Telling::of(document()).chapters().front().bytes_before, unfused.counts().bytes());
    EXPECT_TRUE(bar->sentence().contains(QStringLiteral("472 MB"))) << bar->sentence().toStdString();
    t.window.resize(3600, 1000);  // with room for what the step did, too
    EXPECT_TRUE(test::wait_until([&] {
        return bar->sentence().contains(
            QStringLiteral("as each iteration needs only its counterpart. This is"));
    })) << bar->sentence().toStdString();
    document().go(document().content().history.path(document().content().current)[15]);
    EXPECT_TRUE(test::wait_until(
        [&] { return !bar->sentence().contains(QStringLiteral("This is Flash Attention")); }));
}

TEST_F(SafePicture, ListingAndPictureAreOfOneForm) {
    t.window.services().show_panel("panel.listing");
    auto* listing = t.window.findChild<ListingPanel*>();
    ASSERT_NE(listing, nullptr);
    listing->show_safe(true);
    EXPECT_TRUE(document().shows_safe());
    ASSERT_TRUE(shown(true));
    toggle();
    EXPECT_FALSE(document().shows_safe());
    EXPECT_FALSE(listing->view().toPlainText().contains(QStringLiteral("-inf")));
}

// Marks are of what the step did. The safe form renames most of the lines, which is no news.
TEST_F(SafePicture, MarksInTheListingAreThoseOfTheStateItself) {
    t.window.services().show_panel("panel.listing");
    auto* listing = t.window.findChild<ListingPanel*>();
    ASSERT_NE(listing, nullptr);
    const auto marked = [&] {
        std::set<NodeId> nodes;
        for (const ListingRow& row : listing->rows())
            if (row.kind == ListingRow::Kind::Added || row.kind == ListingRow::Kind::Changed)
                nodes.insert(row.node);
        return nodes;
    };
    const std::vector<StateId> way = document().content().history.path(document().content().current);
    for (const StateId id : way) {
        document().go(id);
        listing->show_safe(false);
        const std::set<NodeId> own = marked();
        listing->show_safe(true);
        EXPECT_THAT(own, testing::IsSupersetOf(marked())) << id;
    }
}

// The caption, the costs, the cells by bytes, the sizes and the heat map say the same.
TEST_F(SafePicture, EveryNumberIsOfTheFormThatIsShown) {
    Costs& costs = Costs::of(document());
    document().go(document().content().history.path(document().content().current)[7]);
    ASSERT_TRUE(test::wait_until([&] { return !costs.busy(); }) && shown(false));
    costs.set_heat(HeatMetric::Moved);
    const auto last = [&] { return document().content().current; };
    const auto hot = [&] { return t.window.view().canvas().lights().edge_heat; };
    const TimelineModel cells(document());
    const auto cell = [&] { return step_cost(document(), cells, 7); };
    const QString plain = cell()->amount;
    toggle();
    ASSERT_TRUE(shown(true));
    const State safe = State(document().content().program(), safe_form());
    const auto bytes = static_cast<double>(safe.counts().bytes());
    const Telling& telling = Telling::of(document());
    ASSERT_TRUE(test::wait_until([&] { return telling.current() && telling.current()->step; }));
    EXPECT_EQ(static_cast<double>(telling.current()->step->claims.bytes_after), bytes);
    EXPECT_EQ(costs.of(last())->state.counts().bytes(), safe.counts().bytes());
    EXPECT_EQ(cell()->amount, heat_text(bytes, "B"));
    EXPECT_NE(cell()->amount, plain);
    EXPECT_TRUE(cell()->sentence.contains(QStringLiteral("safe form")));
    EXPECT_FALSE(hot().empty()) << "the heat map is of the picture that is shown";
    EXPECT_TRUE(t.window.view().canvas().ghosts().empty()) << "those are of the program as it is";
}

TEST_F(SafePicture, AnotherDocumentOpensWithoutIt) {
    toggle();
    ASSERT_TRUE(t.open_sample("gemm-relu"));
    EXPECT_FALSE(document().shows_safe());
    EXPECT_FALSE(t.window.actions().get("view.safe")->isChecked());
}

}  // namespace
}  // namespace blockscope

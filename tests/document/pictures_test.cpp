// Pictures in the background: a function of the content alone, whatever is asked for in which order.
#include <gmock/gmock.h>

#include <QSignalSpy>
#include <QTest>

#include "app/document/pictures.h"
#include "tests/document/contents.h"

namespace blockscope::test {
namespace {

constexpr int kPatience = 60'000;

bool same(const Geometry& a, const Geometry& b) {
    return a.boxes == b.boxes && a.in == b.in && a.out == b.out && a.edges == b.edges &&
           a.labels == b.labels && a.bounds == b.bounds;
}

void expect_same(const Picture& a, const Picture& b) {
    EXPECT_TRUE(same(a.geometry, b.geometry));
    EXPECT_EQ(a.figure.boxes.size(), b.figure.boxes.size());
}

ContentPtr rich() {
    Content content = rich_content();
    content.folds.clear();
    content.moved.clear();
    return shared(std::move(content));
}

TEST(Pictures, ForwardAndBackIsTheSamePicture) {
    const ContentPtr content = rich();
    Pictures pictures(plain_measure), again(plain_measure);
    std::vector<PicturePtr> forward;
    for (const StateId id : content->history.path(content->history.branch(1).tip))
        forward.push_back(pictures.now(content, id));
    ASSERT_GT(forward.size(), 10U);
    for (std::size_t i = forward.size(); i-- > 0;) {
        EXPECT_EQ(pictures.now(content, static_cast<StateId>(i)), forward[i]);   // known
        expect_same(*again.now(content, static_cast<StateId>(i)), *forward[i]);  // made in the other order
    }
}

// Who is asked for twice before it is there - by two views, or by one as sizes change - is made once: a view
// that shows another one than known() gives would never be done.
TEST(Pictures, AFoldedPictureIsMadeOnceHoweverManyAskForIt) {
    Content folded = *rich();
    folded.folds = folds_at_depth(*folded.history.state(4).program, 0);
    ASSERT_FALSE(folded.folds.empty());
    const ContentPtr content = shared(folded);
    Pictures pictures(plain_measure);
    std::vector<PicturePtr> arrived;
    const int first = 1, second = 2;
    for (const int* client : {&first, &second})
        pictures.request(client, content, 4,
                         [&](PicturePtr picture) { arrived.push_back(std::move(picture)); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return arrived.size() == 2; }, kPatience));
    EXPECT_EQ(arrived[0], arrived[1]);
    EXPECT_EQ(arrived[1], pictures.known(content, 4));
}

TEST(Pictures, FoldsAndTidyStatesDependOnTheContentAlone) {
    Content folded = *rich();
    folded.folds = folds_at_depth(*folded.history.state(4).program, 0);
    Content tidy = *rich();
    tidy.history.set_tidy(3, true);
    const std::vector<ContentPtr> contents = {rich(), shared(folded), shared(tidy)};
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Random random(seed);
        Pictures mixed(plain_measure);
        for (int i = 0; i < 20; ++i) {
            const ContentPtr& content = random.pick(contents);
            const StateId id = random.below(static_cast<int>(content->history.states().size()));
            Pictures alone(plain_measure);
            expect_same(*mixed.now(content, id), *alone.now(content, id));
        }
    }
}

TEST(Pictures, OnlyTheNewestRequestOfAClientIsDelivered) {
    const ContentPtr content = rich();
    Pictures pictures(plain_measure);
    std::vector<StateId> delivered;
    int other = 0, cancelled = 0;
    for (const StateId id : {9, 2, 14, 7})
        pictures.request(&delivered, content, id,
                         [&delivered, id](const PicturePtr&) { delivered.push_back(id); });
    pictures.request(&other, content, 3, [&other](const PicturePtr&) { ++other; });
    pictures.request(&cancelled, content, 8, [&cancelled](const PicturePtr&) { ++cancelled; });
    pictures.cancel(&cancelled);
    ASSERT_TRUE(QTest::qWaitFor([&] { return other == 1 && !delivered.empty(); }, kPatience));
    pictures.now(content, 10);  // whatever was asked for before is done
    QTest::qWait(1);
    EXPECT_EQ(delivered, std::vector<StateId>{7});
    EXPECT_EQ(cancelled, 0);
}

// Delivered, but not heard yet, when the newer request comes: still stale.
TEST(Pictures, AResultOnItsWayIsDropped) {
    const ContentPtr content = rich();
    Pictures pictures(plain_measure);
    std::vector<StateId> delivered;
    const auto ask = [&](StateId id) {
        pictures.request(&delivered, content, id,
                         [&delivered, id](const PicturePtr&) { delivered.push_back(id); });
    };
    ask(5);
    pictures.now(content, 6);  // after which 5 is waiting in the queue of events
    ask(7);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !delivered.empty(); }, kPatience));
    QTest::qWait(1);
    EXPECT_EQ(delivered, std::vector<StateId>{7});
}

TEST(Pictures, KnownOnesComeAtOnce) {
    const ContentPtr content = rich();
    Pictures pictures(plain_measure);
    EXPECT_FALSE(pictures.known(content, 5));
    const PicturePtr picture = pictures.now(content, 5);
    PicturePtr delivered;
    pictures.request(&delivered, content, 5, [&](const PicturePtr& made) { delivered = made; });
    EXPECT_EQ(delivered, picture);
    EXPECT_TRUE(pictures.known(content, 2)) << "on the way to 5";
}

// No size is in a picture: sliders lay nothing out.
TEST(Pictures, OtherSizesAreTheSamePicture) {
    Pictures pictures(plain_measure);
    const ContentPtr content = rich();
    const StateId tip = content->history.branch(1).tip;
    const PicturePtr first = pictures.now(content, 0);
    const PicturePtr last = pictures.now(content, tip);
    DimTable dims = content->program()->dims;
    for (Dim& dim : dims) dim.size *= 2;
    const ContentPtr larger = shared(with_dims(*content, dims).value());
    EXPECT_NE(larger->history.state(0).program, content->history.state(0).program);
    EXPECT_EQ(pictures.known(larger, 0), first);
    EXPECT_EQ(pictures.known(larger, tip), last);
}

TEST(Pictures, APreviewIsThePictureOfTheStateThatFollows) {
    const ContentPtr content = rich();
    Pictures pictures(plain_measure);
    PicturePtr preview;
    pictures.request_preview(&preview, content, 3, content->history.state(4).step->match,
                             [&](const PicturePtr& made) { preview = made; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return preview != nullptr; }, kPatience));
    expect_same(*preview, *pictures.now(content, 4));
}

TEST(Pictures, AMatchThatIsNotThereIsReported) {
    const ContentPtr content = rich();
    Pictures pictures(plain_measure);
    QSignalSpy failed(&pictures, &Pictures::failed);
    Match match = content->history.state(4).step->match;
    match.path = {NodeId{9999}};
    pictures.request_preview(&match, content, 3, match, [](const PicturePtr&) { FAIL(); });
    ASSERT_TRUE(failed.wait(kPatience));
    EXPECT_TRUE(pictures.now(content, 4)) << "the worker goes on";
    match = content->history.state(4).step->match;
    match.roles.front().node = NodeId{9999};
    pictures.request_preview(&match, content, 3, match, [](const PicturePtr&) { FAIL(); });
    ASSERT_TRUE(failed.wait(kPatience));
}

TEST(Pictures, DestroyedWhileBusy) {
    const ContentPtr content = rich();
    for (int i = 0; i < 10; ++i) {
        Pictures pictures(plain_measure);
        for (int client = 0; client < 5; ++client)
            pictures.request(reinterpret_cast<const void*>(&pictures + client), content, 14 - client,
                             [](const PicturePtr&) { FAIL(); });
        QTest::qSleep(i);
    }
    QCoreApplication::processEvents();
}

}  // namespace
}  // namespace blockscope::test

#include "app/shell/code_view.h"

#include <gmock/gmock.h>

#include <QScrollBar>
#include <QTextBlock>
#include <vector>

#include "tests/panels/text_support.h"

namespace blockscope {
namespace {

constexpr int kLines = 400;

QString many_lines() {
    return QStringLiteral("t1 = load(Q[m,d])\n").repeated(kLines);
}

int first_decorated(const CodeView& view) {
    return view.extraSelections().isEmpty() ? -1 : view.extraSelections().at(0).cursor.blockNumber();
}

struct DecoratedView {
    test::Desk desk;
    CodeView view{desk.appearance, nullptr};

    DecoratedView() {
        view.resize(300, 200);
        view.show();
        fill();
    }

    void fill() {
        view.setPlainText(many_lines());
        view.set_looks(std::vector<LineLook>(kLines, {1, LineMark::Error, false}));
        QCoreApplication::processEvents();
    }
};

// QTextDocument::clear() scrolls and resizes the view while the document does not know its cursors: one that
// is deleted then is used after its end, one that is made then never moves.
TEST(CodeView, DecoratesAfterScrollingAndNotMeanwhile) {
    DecoratedView desk;
    CodeView& view = desk.view;
    ASSERT_EQ(first_decorated(view), 0);
    view.verticalScrollBar()->setValue(kLines / 2);
    EXPECT_EQ(first_decorated(view), 0);
    QCoreApplication::processEvents();
    EXPECT_GT(first_decorated(view), 100);
}

TEST(CodeView, DecoratesAfterItsSizeChangedAndNotMeanwhile) {
    DecoratedView desk;
    const auto few = desk.view.extraSelections().size();
    desk.view.resize(300, 600);
    EXPECT_EQ(desk.view.extraSelections().size(), few);
    QCoreApplication::processEvents();
    EXPECT_GT(desk.view.extraSelections().size(), few);
}

TEST(CodeView, IsEmptiedWhileScrolled) {
    DecoratedView desk;
    for (int round = 0; round < 20; ++round) {
        desk.fill();
        desk.view.verticalScrollBar()->setValue(desk.view.verticalScrollBar()->maximum());
        QCoreApplication::processEvents();
        desk.view.setPlainText({});
        QCoreApplication::processEvents();
        EXPECT_EQ(desk.view.extraSelections().at(0).cursor.position(), 0);
    }
}

// Lines that stay are not laid out again: a mark that is set on them stays, too.
TEST(LineFiller, KeepsTheLinesThatStay) {
    test::Desk desk;
    CodeView view(desk.appearance, nullptr);
    LineFiller filler(view);
    const auto show = [&](const QStringList& lines) {
        filler.change(static_cast<std::size_t>(lines.size()),
                      [lines](std::size_t i) { return lines[static_cast<qsizetype>(i)]; });
        EXPECT_EQ(view.toPlainText(), lines.join(QLatin1Char('\n')));
        EXPECT_EQ(view.textCursor().position(), 0);
    };
    const auto kept = [&] {
        std::vector<int> lines;
        for (QTextBlock block = view.document()->begin(); block.isValid(); block = block.next()) {
            if (block.userState() == 1) lines.push_back(block.blockNumber());
            block.setUserState(1);
        }
        return lines;
    };
    show({"a", "b", "c", "d"});
    EXPECT_THAT(kept(), testing::IsEmpty());
    show({"a", "x", "y", "d"});
    EXPECT_THAT(kept(), testing::ElementsAre(0, 3));
    show({"a", "d"});
    EXPECT_THAT(kept(), testing::ElementsAre(0, 1));
    view.moveCursor(QTextCursor::End);
    show({"a", "d", "d", "e"});
    EXPECT_THAT(kept(), testing::ElementsAre(0, 1));
    show({"z", "d", "e"});
    EXPECT_THAT(kept(), testing::Contains(2));
    show({"d", "e"});
    EXPECT_THAT(kept(), testing::ElementsAre(0, 1));
    show({"n", "d", "e"});
    EXPECT_THAT(kept(), testing::Contains(2));
    show({"other"});
    EXPECT_THAT(kept(), testing::IsEmpty());
    show({"other"});
    EXPECT_THAT(kept(), testing::ElementsAre(0));
}

}  // namespace
}  // namespace blockscope

// The outline settles at every size: what its columns show never changes what it has room for.
#include <gtest/gtest.h>

#include <QEvent>
#include <QScrollBar>
#include <QTreeView>

#include "app/panels/outline_panel.h"
#include "tests/panels/text_support.h"

namespace blockscope {
namespace {

using test::PanelDesk;

constexpr int kMostChanges = 50;

// Counts how often a scroll bar comes and goes; ends the coming and going when there is no end to it, so that
// a broken outline fails here instead of hanging.
class Restlessness : public QObject {
public:
    explicit Restlessness(QTreeView& tree) : tree_(tree) {
        tree.horizontalScrollBar()->installEventFilter(this);
    }

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::Show && event->type() != QEvent::Hide) return false;
        if (++changes_ == kMostChanges) tree_.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        return false;
    }

    int changes() const { return changes_; }

private:
    QTreeView& tree_;
    int changes_ = 0;
};

TEST(OutlinePanel, SettlesAtEverySize) {
    PanelDesk<OutlinePanel> desk("attention");
    desk.document.end();
    QTreeView& tree = desk.panel.tree();
    tree.expandAll();
    for (const int width : {120, 160, 200, 240, 280, 320, 360})
        for (int height = 60; height < 400; height += 3) {
            Restlessness restlessness(tree);
            desk.panel.resize(width, height);
            QCoreApplication::processEvents();
            ASSERT_LT(restlessness.changes(), kMostChanges) << width << " by " << height;
        }
}

}  // namespace
}  // namespace blockscope

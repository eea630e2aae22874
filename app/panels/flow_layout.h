// Widgets beside each other as long as there is room, then in the next line: bars of buttons in narrow
// panels.
#pragma once

#include <QLayout>
#include <QWidget>
#include <memory>
#include <vector>

namespace blockscope {

class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent);

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    // What a line has left goes to the last of its widgets with an expanding width.
    Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    void setGeometry(const QRect& rect) override;
    QSize sizeHint() const override;     // all in one line
    QSize minimumSize() const override;  // the widest alone

private:
    struct Line {
        std::vector<QLayoutItem*> items;
        int width = 0, height = 0;  // with the gaps between the items
    };
    std::vector<Line> lines(int width) const;
    void place(const Line& line, const QRect& area) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
};

// A bar of a FlowLayout that is as high at least as its lines at its width, where nothing asks for a height
// for the width: in splitters.
class FlowBar : public QWidget {
public:
    using QWidget::QWidget;

protected:
    bool event(QEvent* event) override;
};

}  // namespace blockscope

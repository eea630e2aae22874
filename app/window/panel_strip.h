// The compact form of the side panels: a strip of their names at the edge of a small window. A click on a
// name, or the panel's key, lays the panel over the picture, which keeps its place and its size.
#pragma once

#include <QToolButton>
#include <QWidget>
#include <vector>

namespace blockscope {

// A name that is read from bottom to top at the left edge, and from top to bottom at the right one.
class StripButton : public QToolButton {
    Q_OBJECT

public:
    StripButton(QAction& action, bool left, QWidget* parent);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool left_;
};

class PanelStrip : public QWidget {
    Q_OBJECT

public:
    // Hidden, and without panels.
    PanelStrip(const QString& title, bool left, QWidget* parent);

    // A button for each, in this order.
    void set_panels(const std::vector<QAction*>& panels);

private:
    bool left_;
};

// The edge of a panel that lies over the picture: a line and its shadow. For the eye alone.
class PanelShade : public QWidget {
public:
    static constexpr int kWidth = 7;

    PanelShade(bool left, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool left_;
};

}  // namespace blockscope

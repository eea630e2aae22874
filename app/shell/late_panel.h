// A panel that is made when it is first shown: what stands behind a tab takes no time when the window opens.
#pragma once

#include <QWidget>
#include <functional>

namespace blockscope {

class LatePanel : public QWidget {
    Q_OBJECT

public:
    using Make = std::function<QWidget*(QWidget* parent)>;

    LatePanel(Make make, QWidget* parent);
    // What it shows, made now if it has not been seen yet. The panel owns it and gives it the focus.
    QWidget* content();

protected:
    void showEvent(QShowEvent* event) override;

private:
    Make make_;
    QWidget* content_ = nullptr;
};

}  // namespace blockscope

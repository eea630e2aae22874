// Where Tab has come to, on what shows nothing of its own.
#pragma once

#include <QPointer>
#include <QWidget>

namespace blockscope {

// A ring above the window's other parts, for the eye alone. It lies around pictures, charts, pages and labels
// with links that Tab has come to, until the keys go elsewhere; all other stops draw theirs themselves.
class FocusRing : public QWidget {
public:
    explicit FocusRing(QWidget& window);

    void show_at(QWidget& stop);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void leave();
    void place();

    QPointer<QWidget> stop_;
};

}  // namespace blockscope

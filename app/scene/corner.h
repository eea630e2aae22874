// Keeps a small widget in a corner of its parent.
#pragma once

#include <QWidget>

namespace blockscope {

class InCorner : public QObject {
    Q_OBJECT

public:
    // Owned by `child`, which has a parent.
    InCorner(QWidget* child, Qt::Corner corner, int margin = 10);
    void place();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* child_;
    Qt::Corner corner_;
    int margin_;
};

}  // namespace blockscope

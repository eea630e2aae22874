// The bottom line: what is done in the background, which step is shown, its buffered edges, whether it is
// proven, the zoom.
#pragma once

#include <QLabel>
#include <QStatusBar>

#include "app/document/document.h"
#include "app/shell/services.h"

namespace blockscope {

class Canvas;

class StatusBar : public QStatusBar {
    Q_OBJECT

public:
    StatusBar(Document& document, Services& services, Canvas& canvas, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLabel* add(const QString& name);
    void say_state();
    void say_edges();
    void say_zoom();

    Document& document_;
    Canvas& canvas_;
    QLabel *state_, *edges_, *zoom_;
};

}  // namespace blockscope

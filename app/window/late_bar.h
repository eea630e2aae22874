// Lies over a picture, a listing or a list that is long in coming: what is being done, how much of it, and
// Cancel. It covers a little of what was there before instead of moving it.
#pragma once

#include <QTimer>

#include "app/window/work_bar.h"

namespace blockscope {

class LateBar : public WorkBar {
    Q_OBJECT

public:
    // In the middle of `over`, its parent, `top` pixels below its upper edge. It appears when 100 ms have
    // been waited.
    LateBar(const QString& title, int top, QWidget* over);
    // Of the jobs of `work`, which say their titles themselves and which Cancel ends.
    LateBar(Work& work, int top, QWidget* over);

    void wait();                    // from now on, unless it waits already
    void show_share(int permille);  // how much is done, if it waits
    void end();                     // the picture is there, or no longer waited for
    // In its place instead: what the user has cancelled, and a button that asks for it again_clicked().
    // Nothing of that for an empty text.
    void say_given_up(const QString& text);
    bool waiting() const { return patience_.isActive() || isVisibleTo(parentWidget()); }

Q_SIGNALS:
    void cancelled();  // by the user; it has ended

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QString title_;
    int top_;
    QTimer patience_;
};

}  // namespace blockscope

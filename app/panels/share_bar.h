// How much of a job is done. A QProgressBar paints at once what it is told, and with it all of the window
// that waits to be painted: in the middle of a change, whoever has not heard of it yet would paint what is
// gone. This one takes the next turn of the event loop.
#pragma once

#include <QProgressBar>

namespace blockscope {

class ShareBar : public QProgressBar {
public:
    ShareBar(const QString& name, QWidget* parent);  // `name` for who cannot see it
    void show_share(int permille);  // of the job; -1 if it does not know: the bar moves to and fro

private:
    void apply();

    int permille_ = -1;
    bool waiting_ = false;
};

}  // namespace blockscope

// Steps on by itself until the end of the branch.
#pragma once

#include <QTimer>

#include "app/document/document.h"

namespace blockscope {

class Player : public QObject {
    Q_OBJECT

public:
    explicit Player(Document& document, QObject* parent = nullptr);

    bool playing() const { return timer_.isActive(); }
    // At the end of the branch playing begins at the start again.
    void set_playing(bool playing);
    void set_interval(int milliseconds) { timer_.setInterval(milliseconds); }
    int interval() const { return timer_.interval(); }

Q_SIGNALS:
    void playing_changed(bool playing);

private:
    void step();

    Document& document_;
    QTimer timer_;
};

}  // namespace blockscope

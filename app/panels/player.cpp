#include "app/panels/player.h"

namespace blockscope {

Player::Player(Document& document, QObject* parent) : QObject(parent), document_(document) {
    timer_.setInterval(1000);
    connect(&timer_, &QTimer::timeout, this, &Player::step);
    connect(&document_, &Document::opened, this, [this] { set_playing(false); });
    connect(&document_, &Document::cancelled, this, [this] { set_playing(false); });
}

void Player::set_playing(bool playing) {
    if (playing == timer_.isActive()) return;
    if (playing) {
        if (document_.empty()) return Q_EMIT playing_changed(false);
        if (!document_.can_forward()) document_.home();
        timer_.start();
    } else {
        timer_.stop();
    }
    Q_EMIT playing_changed(playing);
}

void Player::step() {
    if (document_.is_busy()) return;  // the step before is still being made
    const StateId before = document_.content().current;
    document_.forward();
    if (document_.is_busy()) return;
    if (document_.content().current == before || !document_.can_forward()) set_playing(false);
}

}  // namespace blockscope

// Labels that have links at times.
#pragma once

#include <QLabel>

namespace blockscope {

// Whether the label is a stop of the Tab key, whose links are opened with Enter.
inline void set_reachable_links(QLabel& label, bool reachable) {
    const Qt::TextInteractionFlags keyboard =
        reachable ? Qt::LinksAccessibleByKeyboard : Qt::NoTextInteraction;
    label.setTextInteractionFlags(Qt::LinksAccessibleByMouse | keyboard);
}

}  // namespace blockscope

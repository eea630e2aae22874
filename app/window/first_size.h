// How large a window opens: as it would like, but not larger than its screen.
#pragma once

#include <QScreen>
#include <QWidget>

namespace blockscope {

inline QSize first_size(const QWidget& window, const QSize& liked) {
    constexpr QSize kFrame(40, 60);  // the desktop's, and some air
    return liked.boundedTo(window.screen()->availableSize() - kFrame);
}

}  // namespace blockscope

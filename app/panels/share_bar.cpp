#include "app/panels/share_bar.h"

#include <QTimer>

namespace blockscope {

ShareBar::ShareBar(const QString& name, QWidget* parent) : QProgressBar(parent) {
    setAccessibleName(name);
    setTextVisible(false);
    setRange(0, 0);
}

void ShareBar::show_share(int permille) {
    permille_ = permille;
    if (waiting_) return;
    waiting_ = true;
    QTimer::singleShot(0, this, &ShareBar::apply);
}

void ShareBar::apply() {
    waiting_ = false;
    setRange(0, permille_ < 0 ? 0 : 1000);
    setValue(permille_);
}

}  // namespace blockscope

// Theme, animations, speed of playing, journal. Every change holds at once.
#pragma once

#include <QDialog>

#include "app/window/settings.h"

namespace blockscope {

class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    explicit SettingsDialog(Settings& settings, QWidget* parent = nullptr);
};

}  // namespace blockscope

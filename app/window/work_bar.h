// What is being done, and Cancel, for jobs that take longer than 100 ms.
#pragma once

#include <QFrame>

#include "app/window/work.h"

namespace blockscope {

class WorkBar : public QFrame {
    Q_OBJECT

public:
    explicit WorkBar(Work& work, QWidget* parent = nullptr);
};

}  // namespace blockscope

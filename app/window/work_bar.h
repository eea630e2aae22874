// What is being done, and Cancel, for jobs that take longer than 100 ms.
#pragma once

#include <QFrame>

#include "app/document/document.h"
#include "app/window/work.h"

class QLabel;

namespace blockscope {

class WorkBar : public QFrame {
    Q_OBJECT

public:
    WorkBar(Work& work, Document& document, QWidget* parent = nullptr);

private:
    void show_work(const QString& title);

    QLabel* title_;
};

}  // namespace blockscope

// In the status bar: what is done in the background and holds nothing up, how much of it, and Cancel. Shows
// one of several jobs, the last that became slow.
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "app/document/work.h"

class QToolButton;

namespace blockscope {

class ElidedLabel;
class ShareBar;

class WorkStrip : public QWidget {
    Q_OBJECT

public:
    explicit WorkStrip(QWidget* parent = nullptr);
    // `cancel` ends the jobs of `work`, and knows that the user wanted it.
    void follow(Work& work, std::function<void()> cancel);

private:
    struct Job {
        Work* work;
        std::function<void()> cancel;
    };
    void refresh();

    std::vector<Job> slow_;
    ElidedLabel* title_;
    ShareBar* bar_;
    QToolButton* cancel_;
};

}  // namespace blockscope

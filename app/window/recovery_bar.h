// After a crash: work that was not saved, at the top of the window, to be brought back or let go.
#pragma once

#include <QFrame>
#include <QTimer>
#include <functional>
#include <vector>

#include "app/document/journal.h"
#include "app/window/opener.h"

class QBoxLayout;
class QLabel;

namespace blockscope {

class RecoveryBar : public QFrame {
    Q_OBJECT

public:
    // Calls what it is given unless the user wants to go on with the document that is open.
    using Leave = std::function<void(std::function<void()>)>;
    RecoveryBar(Opener& opener, Leave leave_and, QWidget* parent = nullptr);

    // Shows what `folder` holds of processes that are not there any more, the newest first; hides without
    // any. Looks once more a moment later, for those that are just dying.
    void look(const QString& folder);
    // While on it does not show: nothing asks anything during a presentation.
    void hold_back(bool on);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
    void next();
    void restore();
    void look_again(const QString& folder);

    Opener& opener_;
    Leave leave_and_;
    QBoxLayout* all_;  // the text, and the buttons beside or below it
    QLabel* text_;
    std::vector<Recovered> left_;  // the first one is shown
    bool held_back_ = false;
    QTimer again_;
};

}  // namespace blockscope

// What is being done, and Cancel, for jobs that take longer than 100 ms.
#pragma once

#include <QFrame>

#include "app/document/document.h"
#include "app/document/work.h"

class QLabel;
class QPushButton;

namespace blockscope {

class ShareBar;

class WorkBar : public QFrame {
    Q_OBJECT

public:
    explicit WorkBar(QWidget* parent = nullptr);
    // Shows the jobs of `work`; Cancel ends them.
    void follow(Work& work);
    void follow(Document& document);

Q_SIGNALS:
    void cancel_clicked();
    void again_clicked();

protected:
    void show_work(const QString& title);
    // What the user has cancelled, and the button to start it again.
    void show_given_up(const QString& text);
    bool is_given_up() const { return given_up_; }
    void show_share(int permille);

private:
    QLabel* title_;
    ShareBar* bar_;
    QPushButton* cancel_;
    bool given_up_ = false;
};

}  // namespace blockscope

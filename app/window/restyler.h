// Gives every widget the colours of another theme, a part at a time: all of them at once would hold up the
// window.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <deque>

class QApplication;
class QWidget;

namespace blockscope {

class Restyler : public QObject {
    Q_OBJECT

public:
    // The one of the application, made when first asked for.
    static Restyler& of(QApplication& application);

    // Every widget there is, from now on; what is seen comes first. The style sheet is the same, and has
    // other colours as it names them by their roles in the application's palette.
    void start();
    bool busy() const { return !waiting_.empty(); }

private:
    explicit Restyler(QObject* parent);
    void go_on();

    QTimer turn_;  // fires once events have been handled
    std::deque<QPointer<QWidget>> waiting_;
};

}  // namespace blockscope

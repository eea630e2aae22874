// The picture and the circuit: behind two tabs, or beside each other behind one.
#pragma once

#include <QObject>

class QSplitter;
class QTabWidget;
class QWidget;

namespace blockscope {

class Actions;
class Settings;

class SideBySide : public QObject {
    Q_OBJECT

public:
    // Takes the place of `picture`, the first page of `pages`; the second page that it joins is at `index`.
    SideBySide(QTabWidget& pages, int index, Actions& actions, Settings& settings);

    bool on() const;
    void set_on(bool on);

private:
    QTabWidget& pages_;
    const int index_;
    QSplitter* splitter_;
    QWidget* beside_;  // the second page
    QWidget* keeper_;  // stands behind its tab, and holds it while it is there
    Actions& actions_;
    Settings& settings_;
};

}  // namespace blockscope

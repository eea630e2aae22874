// A user who does anything at any time: actions, keys, mouse, typing, undo. What it does follows from its
// seed.
#pragma once

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <atomic>
#include <cstdio>
#include <random>
#include <string>
#include <thread>

#include "tests/real/desk.h"

namespace blockscope::test {

// Ends whatever waits for an answer in a loop of its own: dialogs, context menus, drags.
class Janitor : public QTimer {
public:
    explicit Janitor(std::mt19937_64& dice);
    void tidy();

private:
    std::mt19937_64& dice_;
};

// Ends the process, and says why, if nothing has been done for two minutes.
class Watchdog {
public:
    Watchdog();
    ~Watchdog();
    void pat() { ++pats_; }

private:
    std::atomic<long> pats_{0};
    std::atomic<bool> done_{false};
    std::thread thread_;
};

class Monkey {
public:
    Monkey(Desk& desk, std::uint64_t seed, const std::string& log);
    ~Monkey();

    // One thing. Returns what it was.
    std::string act();
    // Handles what has been posted; work in the background goes on.
    void breathe();
    const std::string& last() const { return last_; }

private:
    struct Deed {
        int weight;
        void (Monkey::*act)();
    };
    void trigger();
    void press_key();
    void click();
    void drag();
    void wheel();
    void hover();
    void type();
    void step();
    void open();
    void undo_and_redo();

    int below(int count) { return static_cast<int>(dice_() % static_cast<std::uint64_t>(count)); }
    Qt::KeyboardModifiers modifiers();
    QWidget* any_widget();
    QWindow* any_window();
    QPoint any_place();  // in the coordinates of the window that takes the mouse
    void note(const std::string& what);

    Desk& desk_;
    std::mt19937_64 dice_;
    Janitor janitor_;
    Watchdog watchdog_;
    std::FILE* log_;
    std::string last_;
    QPointer<QWindow> target_;
};

}  // namespace blockscope::test

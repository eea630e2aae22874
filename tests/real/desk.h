// The window on a display, driven as its user does it: by keys and the mouse through the window system's
// events.
#pragma once

#include <QDialog>
#include <QImage>
#include <QTemporaryDir>
#include <functional>
#include <memory>
#include <string>

#include "app/shell/samples.h"
#include "app/window/docks.h"
#include "app/window/main_window.h"
#include "app/window/picture_view.h"
#include "tests/support/wait.h"

namespace blockscope::test {

class Desk {
public:
    enum class Motion { Off, On };
    explicit Desk(Motion motion = Motion::Off, QSize size = {1440, 900});
    ~Desk();

    MainWindow& window() { return *window_; }
    Document& document() { return window_->document(); }
    const Content& content() { return document().content(); }
    Settings& settings() { return settings_; }
    QString path(const QString& name) const { return folder_.filePath(name); }
    QString file(const QString& name, const QByteArray& text) const;

    // A key as the keyboard gives it to the window: to whatever has the focus, or to a shortcut.
    void key(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    void type(const QString& text);
    void paste(const QString& text);  // without the completions that typing brings up
    void click(QWidget& widget, QPoint at, Qt::KeyboardModifiers modifiers = {});
    // Opens the sample and waits for its picture.
    bool open(const QString& sample);
    // Until no work is under way and the picture of the current state stands still.
    bool settle();
    // `count` keys, each followed by the picture of the state that it leads to.
    bool press(int key, int count, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    // `count` keys one right after the other, as of a key that is held, then the picture of the last state.
    bool hold(int key, int count);
    PicturePtr picture() { return window_->view().picture(); }
    QImage canvas_image();  // what the canvas shows now, fitted
    QImage image();         // of the whole window

    // Runs `action`; `answer` is called, again and again, with the dialog that waits meanwhile.
    void with_dialogs(const std::function<void()>& action, const std::function<void(QDialog&)>& answer);
    // The panel of the table's row, made visible: the one widget of type T in it.
    template <class T>
    T* panel(const char* id) {
        window_->services().show_panel(id);
        settle();
        for (T* found : window_->findChildren<T*>())
            if (found->isVisible()) return found;
        return nullptr;
    }

private:
    void activate();
    bool shows_current();

    QTemporaryDir folder_;
    Settings settings_;
    Appearance appearance_;
    std::unique_ptr<MainWindow> window_;
};

// Whether two pictures have everything in the same place.
bool same_geometry(const Picture& a, const Picture& b);

}  // namespace blockscope::test

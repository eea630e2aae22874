// How the window looks: what the desktop asks for, the theme and the sizes that are chosen, and how all
// widgets get other colours without a pause.
#pragma once

#include <QDBusVariant>
#include <QFont>
#include <QObject>
#include <QPalette>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "app/scene/theme.h"
#include "app/shell/settings.h"

class QApplication;
class QWidget;

namespace blockscope {

// ---- What the desktop asks of programs: dark or light, less motion. Asked through the desktop portal, which
// GNOME, KDE and others answer; the platform's palette and the desktop's settings files where there is none.

class SystemLook : public QObject {
    Q_OBJECT

public:
    explicit SystemLook(QObject* parent = nullptr);

    bool dark() const { return portal_dark_.value_or(palette_dark_); }
    bool reduced_motion() const {
        return reduced_motion_ || animations_off_ || style_still_ || settings_still_;
    }

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private Q_SLOTS:
    void setting_changed(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void request_setting(const QString& group, const QString& key);
    void take(const QString& group, const QString& key, const QVariant& value);
    bool look_at_palette();

    std::optional<bool> portal_dark_;
    bool palette_dark_ = false;
    bool reduced_motion_ = false;
    bool animations_off_ = false;
    bool style_still_ = false;
    bool settings_still_ = false;  // the files of desktops without the portal say so
};

// Gives every widget the colours of another theme, a part at a time: all of them at once would hold up the
// window.
class Restyler : public QObject {
    Q_OBJECT

public:
    // The one of the application, made when first asked for.
    static Restyler& of(QApplication& application);

    // Begins with the widgets that are visible. The style sheet stays the same: it names colours by their
    // roles in the application's palette, so that the palette alone changes them.
    void start();
    bool busy() const { return !waiting_.empty(); }

private:
    explicit Restyler(QObject* parent);
    void go_on();

    QTimer turn_;  // fires once events have been handled
    std::deque<QPointer<QWidget>> waiting_;
};

// Larger type in some parts of the window, for a presentation. In all of the window it would take half a
// second, for panels that nobody sees.
class LargeType : public QObject {
public:
    LargeType(const QFont& font, QString sheet);
    ~LargeType() override;  // gives all parts their own type back

    // These parts and all that they hold have large type from now on, and no others; so do dialogs and
    // windows that are opened.
    void set_parts(const std::vector<QWidget*>& parts);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Widgets = std::vector<QPointer<QWidget>>;

    void clear();
    void enlarge(QWidget& part);
    void set_font(QWidget& widget);
    bool has(const QWidget* widget) const;

    QFont font_;
    QString sheet_;
    Widgets parts_, windows_;
    Widgets enlarged_;  // whose font was set
};

// How the window looks now: the theme of pictures, the palette of widgets, sizes, animations.

// Colours of the window around the pictures. Text on `window` and `base` has a contrast of 4.5 at least.
struct Colors {
    QColor window, base, raised;  // behind panels, behind lists and text, of buttons and cards
    QColor text, muted, line;     // text, secondary text, lines between parts
    QColor accent, on_accent;     // of what is current, and text on it
    QColor tint;                  // behind selected rows: `accent`, faint
    QColor good, bad, warn;       // proven; wrong or refused; unfinished
};
const Colors& window_colors(bool dark);

class LargeType;
class SystemLook;

class Appearance : public QObject {
    Q_OBJECT

public:
    explicit Appearance(Settings& settings, QObject* parent = nullptr);
    ~Appearance() override;

    const Theme& theme() const { return theme_; }
    bool dark() const { return theme_.dark; }
    // The user wants animations and the system does not ask for reduced motion.
    bool animated() const;
    // Presentation: larger type in `parts` and in dialogs that are opened meanwhile.
    bool presenting() const { return presenting_; }
    void set_presenting(bool on, const std::vector<QWidget*>& parts = {});

    int pixels() const;        // height of the text of widgets
    QFont font() const;        // of widgets
    QFont fixed_font() const;  // of listings and programs
    const Colors& colors() const;

Q_SIGNALS:
    void changed();  // anything above

private:
    void refresh();
    void style_windows();

    struct Look {
        bool dark = false, animated = false;
        int pixels = 0;
        bool operator==(const Look&) const = default;
    };
    Settings& settings_;
    std::unique_ptr<SystemLook> system_;
    Theme theme_;
    bool presenting_ = false;
    std::unique_ptr<LargeType> large_type_;  // while presenting
    std::optional<Look> look_;               // that everything has
};

// The palette of the whole window for a theme, and its style sheet for a font size in pixels. The sheet names
// its colours by their roles in the palette, so that it is the same for all themes.
QPalette window_palette(bool dark);
QString window_style(int pixels);

// The height in pixels of the least letters that a room reads in a window of so many rows: 20 in one of 1080,
// never less than 14.
double room_letters(int rows);
// The same where all of a picture is seen with them: 20 in 1080 rows, 14 in 768 to 900, in fewer
// rows less, but never less than 11.
double whole_letters(int rows);
// The same, in device-independent pixels, where a talk begins and what it comes to: 11 of the screen's own,
// in more than 1080 rows as much of the height. Where `ratio` of those make one, never less than 8.8 of
// these.
double least_letters(int rows, double ratio);

}  // namespace blockscope

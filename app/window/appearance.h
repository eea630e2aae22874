// How the window looks now: the theme of pictures, the palette of widgets, sizes, animations.
#pragma once

#include <QFont>
#include <QObject>
#include <QPalette>
#include <memory>
#include <optional>
#include <vector>

#include "app/scene/theme.h"
#include "app/window/settings.h"

class QWidget;

namespace blockscope {

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

}  // namespace blockscope

#include "app/window/appearance.h"

#include <QApplication>
#include <QToolTip>

#include "app/window/large_type.h"
#include "app/window/restyler.h"
#include "app/window/system_look.h"

namespace blockscope {
namespace {

constexpr int kPixels = 13;
constexpr int kPresentationPixels = 20;

QColor mix(const QColor& a, const QColor& b, double t) {
    const auto part = [t](int x, int y) { return static_cast<int>(x * (1 - t) + y * t); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

}  // namespace

const Colors& window_colors(bool dark) {
    static const Colors light_colors{QColor("#f3f4f7"), QColor("#ffffff"), QColor("#ffffff"),
                                     QColor("#1c2430"), QColor("#586374"), QColor("#d8dce3"),
                                     QColor("#2b62c4"), QColor("#ffffff"), QColor("#dfe9fb"),
                                     QColor("#1a7440"), QColor("#b3261e"), QColor("#8a5a00")};
    static const Colors dark_colors{QColor("#1d2127"), QColor("#15181d"), QColor("#272c34"),
                                    QColor("#e4e8ee"), QColor("#9ea8b6"), QColor("#363c46"),
                                    QColor("#7fb0ff"), QColor("#0e1726"), QColor("#25395a"),
                                    QColor("#6fd195"), QColor("#ff938a"), QColor("#e5b567")};
    return dark ? dark_colors : light_colors;
}

QPalette window_palette(bool dark) {
    const Colors& c = window_colors(dark);
    QPalette palette;
    palette.setColor(QPalette::Window, c.window);
    palette.setColor(QPalette::WindowText, c.text);
    palette.setColor(QPalette::Base, c.base);
    palette.setColor(QPalette::Text, c.text);
    palette.setColor(QPalette::PlaceholderText, c.muted);
    palette.setColor(QPalette::Button, c.raised);
    palette.setColor(QPalette::ButtonText, c.text);
    palette.setColor(QPalette::BrightText, c.bad);
    palette.setColor(QPalette::ToolTipBase, c.raised);
    palette.setColor(QPalette::ToolTipText, c.text);
    palette.setColor(QPalette::Highlight, c.tint);
    palette.setColor(QPalette::HighlightedText, c.text);
    palette.setColor(QPalette::Link, c.accent);
    palette.setColor(QPalette::Light, c.raised);
    palette.setColor(QPalette::Mid, c.line);
    // Nothing in the window is drawn with what these are for; they hold colours of the style sheet.
    palette.setColor(QPalette::LinkVisited, c.on_accent);
    palette.setColor(QPalette::Midlight, c.muted);
    palette.setColor(QPalette::AlternateBase, mix(c.base, c.tint, 0.5));  // under the pointer
    palette.setColor(QPalette::Dark, mix(c.muted, c.window, 0.4));        // text of what is disabled
    palette.setColor(QPalette::Shadow, mix(c.line, c.muted, 0.35));       // grips of scroll bars
    QColor off = c.muted;
    off.setAlphaF(0.6F);
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, off);
    return palette;
}

Appearance::Appearance(Settings& settings, QObject* parent)
    : QObject(parent), settings_(settings), system_(std::make_unique<SystemLook>()) {
    connect(&settings_, &Settings::changed, this, &Appearance::refresh);
    connect(system_.get(), &SystemLook::changed, this, &Appearance::refresh);
    refresh();
}

Appearance::~Appearance() = default;

bool Appearance::animated() const {
    return settings_.animations() && !system_->reduced_motion();
}

void Appearance::set_presenting(bool on, const std::vector<QWidget*>& parts) {
    presenting_ = on;
    if (!on)
        large_type_.reset();
    else if (!large_type_)
        large_type_ = std::make_unique<LargeType>(font(), window_style(pixels()));
    if (large_type_) large_type_->set_parts(parts);
    look_.reset();  // also where the parts alone are others: what has type of its own sets it again
    refresh();
}

int Appearance::pixels() const {
    return presenting_ ? kPresentationPixels : kPixels;
}

QFont Appearance::font() const {
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(pixels());
    return font;
}

QFont Appearance::fixed_font() const {
    QFont font(QStringLiteral("DejaVu Sans Mono"));
    font.setStyleHint(QFont::Monospace);
    font.setPixelSize(pixels());
    return font;
}

const Colors& Appearance::colors() const {
    return window_colors(theme_.dark);
}

void Appearance::refresh() {
    const ThemeChoice choice = settings_.theme();
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && system_->dark());
    theme_ = dark ? Theme::dark_theme() : Theme::light();
    const Look look{dark, animated(), pixels()};
    if (look == look_) return;  // another setting: nothing is to be styled and painted again
    look_ = look;
    style_windows();
    Q_EMIT changed();
}

// Other colours come part by part, as the sheet stays the same.
void Appearance::style_windows() {
    const QPalette palette = window_palette(theme_.dark);
    if (QApplication::palette() != palette) {
        QApplication::setPalette(palette);
        QToolTip::setPalette(palette);
        Restyler::of(*qApp).start();
    }
    QToolTip::setFont(font());
    if (!qApp->styleSheet().isEmpty()) return;
    QApplication::setFont(font());
    qApp->setStyleSheet(window_style(kPixels));
}

}  // namespace blockscope

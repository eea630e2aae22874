#include "app/shell/appearance.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QElapsedTimer>
#include <QEvent>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>
#include <QToolTip>
#include <QWidget>
#include <algorithm>
#include <utility>

#include "app/scene/transition.h"
#include "app/shell/samples.h"

namespace blockscope {

namespace {

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kAppearance = QStringLiteral("org.freedesktop.appearance");
const QString kColorScheme = QStringLiteral("color-scheme");      // 0: none, 1: dark, 2: light
const QString kReducedMotion = QStringLiteral("reduced-motion");  // 0: no wish, 1: less motion
const QString kGnome = QStringLiteral("org.gnome.desktop.interface");
const QString kAnimations = QStringLiteral("enable-animations");

bool is_dark(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

// Portals wrap values in one or two variants.
QVariant unwrapped(QVariant value) {
    while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
    return value;
}

}  // namespace

SystemLook::SystemLook(QObject* parent) : QObject(parent) {
    palette_dark_ = is_dark(QApplication::palette());
    style_still_ = QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
    settings_still_ = asks_for_less_motion();
    qApp->installEventFilter(this);
    // Offscreen there is no desktop to follow.
    if (QGuiApplication::platformName() == QLatin1String("offscreen")) return;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                SLOT(setting_changed(QString, QString, QDBusVariant)));
    request_setting(kAppearance, kColorScheme);
    request_setting(kAppearance, kReducedMotion);
    request_setting(kGnome, kAnimations);
}

void SystemLook::request_setting(const QString& group, const QString& key) {
    QDBusMessage question =
        QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    question << group << key;
    auto* watcher = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(question), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher, group, key] {
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (!reply.isError()) take(group, key, QVariant::fromValue(reply.value()));
        watcher->deleteLater();
    });
}

void SystemLook::setting_changed(const QString& group, const QString& key, const QDBusVariant& value) {
    take(group, key, QVariant::fromValue(value));
}

void SystemLook::take(const QString& group, const QString& key, const QVariant& value) {
    const QVariant plain = unwrapped(value);
    const bool was_dark = dark();
    const bool was_still = reduced_motion();
    if (group == kAppearance && key == kColorScheme) {
        const uint scheme = plain.toUInt();
        portal_dark_ = scheme == 0 ? std::nullopt : std::optional(scheme == 1);
    }
    if (group == kAppearance && key == kReducedMotion) reduced_motion_ = plain.toUInt() == 1;
    if (group == kGnome && key == kAnimations) animations_off_ = !plain.toBool();
    if (dark() != was_dark || reduced_motion() != was_still) Q_EMIT changed();
}

bool SystemLook::look_at_palette() {
    const std::unique_ptr<QStyle> fusion(QStyleFactory::create(QStringLiteral("Fusion")));
    const bool dark_now = fusion && is_dark(fusion->standardPalette());
    const bool differs = dark_now != palette_dark_;
    palette_dark_ = dark_now;
    return differs;
}

bool SystemLook::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ThemeChange && look_at_palette() && !portal_dark_) Q_EMIT changed();
    return QObject::eventFilter(watched, event);
}

namespace {

constexpr int kRestyleTurn = 12;  // milliseconds of styling in one turn of the event loop

// A style sheet keeps the colours that it found for a widget until the widget is polished again.
void restyle(QWidget& widget) {
    QStyle* style = widget.style();
    style->unpolish(&widget);
    style->polish(&widget);
    widget.update();
}

}  // namespace

Restyler::Restyler(QObject* parent) : QObject(parent) {
    turn_.setSingleShot(true);
    turn_.setInterval(0);
    connect(&turn_, &QTimer::timeout, this, &Restyler::go_on);
}

Restyler& Restyler::of(QApplication& application) {
    if (auto* found = application.findChild<Restyler*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new Restyler(&application);
}

void Restyler::start() {
    waiting_.clear();
    for (QWidget* widget : QApplication::allWidgets())
        if (widget->testAttribute(Qt::WA_WState_Polished)) waiting_.emplace_back(widget);
    std::stable_partition(waiting_.begin(), waiting_.end(),
                          [](const auto& widget) { return widget->isVisible(); });
    turn_.start();
}

void Restyler::go_on() {
    QElapsedTimer clock;
    clock.start();
    while (!waiting_.empty() && clock.elapsed() < kRestyleTurn) {
        const QPointer<QWidget> widget = waiting_.front();
        waiting_.pop_front();
        if (widget) restyle(*widget);
    }
    if (!waiting_.empty()) turn_.start();
}

LargeType::LargeType(const QFont& font, QString sheet) : font_(font), sheet_(std::move(sheet)) {
    qApp->installEventFilter(this);
}

LargeType::~LargeType() {
    clear();
}

void LargeType::set_parts(const std::vector<QWidget*>& parts) {
    clear();
    for (QWidget* part : parts) enlarge(*part);
    for (const QPointer<QWidget>& window : windows_)
        if (window) enlarge(*window);
}

void LargeType::clear() {
    // First the type: with its sheet a part gets the window's back, which has headings in bold.
    for (const QPointer<QWidget>& widget : std::exchange(enlarged_, {}))
        if (widget) widget->setFont({});
    for (const QPointer<QWidget>& part : std::exchange(parts_, {}))
        if (part) part->setStyleSheet({});
}

void LargeType::enlarge(QWidget& part) {
    parts_.emplace_back(&part);
    part.setStyleSheet(sheet_);
    set_font(part);
    for (QWidget* widget : part.findChildren<QWidget*>()) set_font(*widget);
}

// Where there is a style sheet Qt hands no font on to children.
void LargeType::set_font(QWidget& widget) {
    if (widget.testAttribute(Qt::WA_SetFont)) return;  // its own, which follows the appearance
    widget.setFont(font_);
    enlarged_.emplace_back(&widget);
}

bool LargeType::has(const QWidget* widget) const {
    for (; widget != nullptr; widget = widget->parentWidget())
        if (std::count(parts_.begin(), parts_.end(), widget) > 0) return true;
    return false;
}

// What is made meanwhile is polished before it is measured and shown.
bool LargeType::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Polish || !watched->isWidgetType()) return false;
    auto& widget = *static_cast<QWidget*>(watched);
    if (has(&widget)) {
        set_font(widget);
    } else if (widget.windowType() == Qt::Dialog || widget.windowType() == Qt::Window) {
        windows_.emplace_back(&widget);
        enlarge(widget);
    }
    return false;
}

// The style sheet of the window. Lengths grow with the text, for presentation mode, whose parts have a larger
// one of their own (LargeType). Nothing else has one: it would be styled twice with every theme.

namespace {

// Names in the sheet that are replaced: @window, @line, ... by roles of the palette, so that the sheet is the
// same for all themes, and @p4 (four pixels where text is 13 pixels high).
const char* const kSheet = R"(
QMainWindow, QDialog { background: @window; }
QMainWindow::separator { background: @line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent; }
QToolTip { background: @raised; color: @text; border: 1px solid @line; padding: @p4; }

QMenuBar { background: @window; border-bottom: 1px solid @line; padding: @p2 @p4; }
QMenuBar::item { padding: @p4 @p8; border-radius: @p4; background: transparent; }
QMenuBar::item:selected { background: @tint; }
QMenu { background: @raised; border: 1px solid @line; padding: @p4; }
QMenu::item { padding: @p5 @p24 @p5 @p24; border-radius: @p4; }
QMenu::item:selected { background: @tint; }
QMenu::item:disabled { color: @faint; }
QMenu::separator { height: 1px; background: @line; margin: @p4 @p8; }
QMenu::indicator { left: @p6; width: @p12; height: @p12; }

QToolBar { background: @window; border: none; border-bottom: 1px solid @line; padding: @p4 @p8; spacing: @p2; }
QToolBar::separator { background: @line; width: 1px; margin: @p4 @p6; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: @p6; padding: @p4; }
QToolButton:hover { background: @tint; }
QToolButton:pressed, QToolButton:checked { background: @tint; border-color: @accent; }
QToolButton:focus { border: 2px solid @accent; padding: @p3; }
QToolButton::menu-indicator { image: none; }

QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QPushButton { background: @raised; border: 1px solid @line; border-radius: @p6; padding: @p5 @p14; min-height: @p16; }
QPushButton:hover { background: @tint; border-color: @accent; }
QPushButton:pressed { background: @line; }
QPushButton:focus { border: 2px solid @accent; padding: @p4 @p12; }
QPushButton:default { background: @accent; border-color: @accent; color: @on_accent; }
QPushButton:disabled { color: @faint; }
QPushButton[flat="true"] { background: transparent; border-color: transparent; color: @accent; }
QPushButton[flat="true"]:focus { border-color: @accent; }
QPushButton[flat="true"]:hover { background: @tint; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox {
  background: @base; border: 1px solid @line; border-radius: @p6; padding: @p4 @p8; min-height: @p16;
  selection-background-color: @tint; selection-color: @text; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border: 2px solid @accent; padding: @p3 @p6; }
QComboBox::drop-down { border: none; width: @p20; }
QComboBox::down-arrow, QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/style/down.svg); width: @p10; height: @p10; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/style/up.svg); width: @p10; height: @p10; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {
  border: none; background: transparent; width: @p16; }
QComboBox QAbstractItemView { background: @raised; border: 1px solid @line; }
QCheckBox { spacing: @p6; }
QCheckBox::indicator, QAbstractItemView::indicator {
  width: @p12; height: @p12; border: 1px solid @muted; border-radius: @p3; background: @base; }
QCheckBox::indicator:hover, QAbstractItemView::indicator:hover { border-color: @accent; }
QCheckBox::indicator:focus { border: 2px solid @accent; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked { image: url(:/style/check.svg); }
QCheckBox::indicator:disabled, QAbstractItemView::indicator:disabled { border-color: @line; }
QPlainTextEdit, QTextEdit, QTextBrowser { background: @base; border: 2px solid transparent; padding: @p3; }
QPlainTextEdit:focus, QTextEdit:focus, QTextBrowser:focus { border-color: @accent; }
QAbstractItemView { background: @base; border: 2px solid transparent; outline: none; }
QAbstractItemView:focus { border-color: @accent; }
QAbstractItemView::item { padding: @p3 @p4; border-radius: @p4; }
QAbstractItemView::item:hover { background: @hover; }
QAbstractItemView::item:selected { background: @tint; color: @text; }
QHeaderView { background: @window; }
QHeaderView::section { background: @window; color: @muted; border: none; border-bottom: 1px solid @line; padding: @p4 @p8; }
QHeaderView::section:vertical { background: @base; color: @text; border-bottom: none; border-right: 1px solid @line; }

QDockWidget { titlebar-close-icon: url(:/style/close.svg); titlebar-normal-icon: url(:/style/float.svg); }
QDockWidget::close-button, QDockWidget::float-button { background: transparent; border: none; border-radius: @p3; padding: 0px; }
QDockWidget::close-button:hover, QDockWidget::float-button:hover { background: @hover; }
QDockWidget::title { background: @window; padding: @p6 @p10; border-bottom: 1px solid @line; text-align: left; }
QTabBar { background: @window; qproperty-drawBase: 0; outline: none; }
QTabBar::tab { background: transparent; color: @muted; padding: @p6 @p10; border: none; border-bottom: 2px solid transparent; }
QTabBar#page_tabs::tab { padding: @p6 @p6; }
QTabBar::tab:hover { color: @text; background: @hover; }
QTabBar::tab:selected { color: @text; border-bottom-color: @accent; }
QTabBar::tab:selected:focus { border: 2px solid @accent; padding: @p4 @p8; }
QTabBar#page_tabs::tab:selected:focus { padding: @p4 @p4; }
QTabBar::tear { width: 0; border: none; }
QTabWidget::pane { border: none; border-top: 1px solid @line; }

QScrollBar { background: transparent; border: none; }
QScrollBar:vertical { width: @p10; }
QScrollBar:horizontal { height: @p10; }
QScrollBar::handle { background: @grip; border-radius: @p3; margin: @p2; }
QScrollBar::handle:vertical { min-height: @p24; }
QScrollBar::handle:horizontal { min-width: @p24; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; }

QSlider::groove:horizontal { background: @line; height: @p4; border-radius: @p2; }
QSlider::sub-page:horizontal { background: @accent; height: @p4; border-radius: @p2; }
QSlider::handle:horizontal { background: @accent; width: @p12; height: @p12; margin: -@p4 0; border-radius: @p6; }

QProgressBar { background: @line; border: none; border-radius: @p2; max-height: @p4; min-height: @p4; }
QProgressBar::chunk { background: @accent; border-radius: @p2; }

QStatusBar { background: @window; border-top: 1px solid @line; color: @muted; }
QStatusBar::item { border: none; }
#status_progress QToolButton { padding: 0 @p6; }
QStatusBar QLabel { color: @muted; padding: 0 @p6; }

/* Their size is here as well as in timeline_rows.cpp: a change of the theme gives buttons the window's font back. */
#chapter, #ghost { font-size: @p11; }
#chapter { background: @base; border: 1px solid @line; border-radius: @p4; padding: 0; }
#chapter:hover { background: @tint; }
#chapter:checked { background: @tint; border-color: @accent; }
#ghost { background: transparent; border: 1px dashed @muted; border-radius: @p4; padding: 0; color: @muted; }
#ghost:hover { color: @text; background: @tint; }
#chapter:focus, #ghost:focus { border: 2px solid @accent; padding: 0; }

#lesson_task { background: @raised; border: 1px solid @line; border-radius: @p8; }
#start_side { background: @base; border-right: 1px solid @line; }
#drop_area { border: 1px dashed @muted; border-radius: @p8; color: @muted; padding: @p8; }
QPushButton[recent="true"] { text-align: left; padding: @p4 @p6; }
#command_palette { background: @raised; border: 1px solid @line; border-radius: @p10; }
#command_palette QListWidget { background: transparent; }
#progress_overlay, #picture_chip, #step_caption, #breadcrumb, #question_card { background: @raised; border: 1px solid @line; border-radius: @p8; }
#picture_chip, #step_caption { color: @text; padding: @p4 @p10; }
#problem_bar { background: @raised; border-bottom: 1px solid @line; border-left: @p4 solid @bad; }
#problem_bar QListWidget { background: transparent; }
#recovery_bar, #written_bar, #model_bar { background: @raised; border-bottom: 1px solid @line; border-left: @p4 solid @accent; }

QLabel[heading="true"] { font-weight: bold; }
QGroupBox { border: none; margin-top: @p20; font-weight: bold; }
QGroupBox::title { subcontrol-origin: margin; left: 0; padding: 0; }
)";

}  // namespace

double room_letters(int rows) {
    constexpr double kScreenRows = 1080, kPixels = 20, kLeastPixels = 14;
    return std::max(kLeastPixels, kPixels * rows / kScreenRows);
}

double whole_letters(int rows) {
    constexpr double kFewRows = 768, kRows = 900, kScreenRows = 1080, kPixels = 20, kLeastPixels = 14;
    constexpr double kReadable = 11;
    if (rows >= kScreenRows) return room_letters(rows);
    if (rows < kFewRows) return std::max(kReadable, kLeastPixels * rows / kFewRows);
    return kLeastPixels + (kPixels - kLeastPixels) * std::max(0.0, (rows - kRows) / (kScreenRows - kRows));
}

double least_letters(int rows, double ratio) {
    constexpr double kScreenRows = 1080, kReadable = 11, kLeastLogical = 8.8;
    return std::max(kLeastLogical, kReadable * std::max(1.0, rows / kScreenRows) / ratio);
}

QString window_style(int pixels) {
    load_resources();
    // Longer names first: @on_accent before @on. window_palette() has the colours in these roles.
    const std::pair<const char*, const char*> roles[] = {
        {"@on_accent", "link-visited"}, {"@accent", "link"},    {"@window", "window"}, {"@raised", "button"},
        {"@hover", "alternate-base"},   {"@muted", "midlight"}, {"@faint", "dark"},    {"@grip", "shadow"},
        {"@bad", "bright-text"},        {"@base", "base"},      {"@text", "text"},     {"@line", "mid"},
        {"@tint", "highlight"},
    };
    QString sheet = QString::fromLatin1(kSheet);
    for (const auto& [name, role] : roles)
        sheet.replace(QLatin1String(name), QStringLiteral("palette(%1)").arg(QLatin1String(role)));
    for (const int length : {24, 20, 16, 14, 12, 11, 10, 8, 6, 5, 4, 3, 2})
        sheet.replace(QStringLiteral("@p%1").arg(length), QStringLiteral("%1px").arg(length * pixels / 13));
    return sheet;
}

namespace {

constexpr int kPixels = 13;
constexpr int kPresentationPixels = 20;

QColor mix(const QColor& a, const QColor& b, double t) {
    const auto part = [t](int x, int y) { return static_cast<int>(x * (1 - t) + y * t); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

}  // namespace

const Colors& window_colors(bool dark) {
    static const Colors light_colors{.window = QColor("#f3f4f7"),
                                     .base = QColor("#ffffff"),
                                     .raised = QColor("#ffffff"),
                                     .text = QColor("#1c2430"),
                                     .muted = QColor("#586374"),
                                     .line = QColor("#d8dce3"),
                                     .accent = QColor("#2b62c4"),
                                     .on_accent = QColor("#ffffff"),
                                     .tint = QColor("#dfe9fb"),
                                     .good = QColor("#1a7440"),
                                     .bad = QColor("#b3261e"),
                                     .warn = QColor("#8a5a00")};
    static const Colors dark_colors{.window = QColor("#1d2127"),
                                    .base = QColor("#15181d"),
                                    .raised = QColor("#272c34"),
                                    .text = QColor("#e4e8ee"),
                                    .muted = QColor("#9ea8b6"),
                                    .line = QColor("#363c46"),
                                    .accent = QColor("#7fb0ff"),
                                    .on_accent = QColor("#0e1726"),
                                    .tint = QColor("#25395a"),
                                    .good = QColor("#6fd195"),
                                    .bad = QColor("#ff938a"),
                                    .warn = QColor("#e5b567")};
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

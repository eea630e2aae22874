// The style sheet of the window. Lengths grow with the text, for presentation mode, whose parts have a larger
// one of their own (LargeType). Nothing else has one: it would be styled twice with every theme.
#include "app/window/appearance.h"
#include "app/window/samples.h"

namespace blockscope {
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
QToolButton:focus { border-color: @accent; }
QToolButton::menu-indicator { image: none; }

QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QPushButton { background: @raised; border: 1px solid @line; border-radius: @p6; padding: @p5 @p14; min-height: @p16; }
QPushButton:hover { background: @tint; border-color: @accent; }
QPushButton:pressed { background: @line; }
QPushButton:focus { border-color: @accent; }
QPushButton:default { background: @accent; border-color: @accent; color: @on_accent; }
QPushButton:disabled { color: @faint; }
QPushButton[flat="true"] { background: transparent; border-color: transparent; color: @accent; }
QPushButton[flat="true"]:hover { background: @tint; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox {
  background: @base; border: 1px solid @line; border-radius: @p6; padding: @p4 @p8; min-height: @p16;
  selection-background-color: @tint; selection-color: @text; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border-color: @accent; }
QComboBox::drop-down { border: none; width: @p20; }
QComboBox::down-arrow, QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/style/down.svg); width: @p10; height: @p10; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/style/up.svg); width: @p10; height: @p10; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {
  border: none; background: transparent; width: @p16; }
QComboBox QAbstractItemView { background: @raised; border: 1px solid @line; }
QCheckBox { spacing: @p6; }
QCheckBox::indicator, QAbstractItemView::indicator {
  width: @p12; height: @p12; border: 1px solid @muted; border-radius: @p3; background: @base; }
QCheckBox::indicator:hover, QAbstractItemView::indicator:hover, QCheckBox::indicator:focus { border-color: @accent; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked { image: url(:/style/check.svg); }
QCheckBox::indicator:disabled, QAbstractItemView::indicator:disabled { border-color: @line; }
QPlainTextEdit, QTextEdit, QTextBrowser { background: @base; border: none; padding: @p4; }
QAbstractItemView { background: @base; border: none; outline: none; }
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
QTabBar { background: @window; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @muted; padding: @p6 @p10; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: @text; background: @hover; }
QTabBar::tab:selected { color: @text; border-bottom-color: @accent; }
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
#work_strip QToolButton { padding: 0 @p6; }
QStatusBar QLabel { color: @muted; padding: 0 @p6; }

#start_side { background: @base; border-right: 1px solid @line; }
#drop_area { border: 1px dashed @muted; border-radius: @p8; color: @muted; padding: @p8; }
QPushButton[recent="true"] { text-align: left; padding: @p4 @p6; }
#command_palette { background: @raised; border: 1px solid @line; border-radius: @p10; }
#command_palette QListWidget { background: transparent; }
#late_bar, #picture_chip, #step_caption, #breadcrumb { background: @raised; border: 1px solid @line; border-radius: @p8; }
#picture_chip, #step_caption { color: @text; padding: @p4 @p10; }
#problem_bar { background: @raised; border-bottom: 1px solid @line; border-left: @p4 solid @bad; }
#problem_bar QListWidget { background: transparent; }
#recovery_bar { background: @raised; border-bottom: 1px solid @line; border-left: @p4 solid @accent; }

QLabel[heading="true"] { font-weight: bold; }
QGroupBox { border: none; margin-top: @p20; font-weight: bold; }
QGroupBox::title { subcontrol-origin: margin; left: 0; padding: 0; }
)";

}  // namespace

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
    for (const int length : {24, 20, 16, 14, 12, 10, 8, 6, 5, 4, 3, 2})
        sheet.replace(QStringLiteral("@p%1").arg(length), QStringLiteral("%1px").arg(length * pixels / 13));
    return sheet;
}

}  // namespace blockscope

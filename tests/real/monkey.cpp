#include "tests/real/monkey.h"

#include <QApplication>
#include <QDialog>
#include <QDrag>
#include <QFileDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QWheelEvent>
#include <QWindow>
#include <array>
#include <chrono>
#include <cstdlib>

namespace blockscope::test {
namespace {

constexpr int kTidyEvery = 5;  // milliseconds

// Programs small enough to be stepped often under sanitizers.
const std::array<const char*, 6> kSamples{"attention", "layernorm-matmul", "softmax",
                                          "gemm-relu", "rmsnorm-matmul",   "mcfuser-g1"};

const std::array<int, 34> kKeys{
    Qt::Key_Space,  Qt::Key_Backspace, Qt::Key_Return, Qt::Key_Escape,  Qt::Key_Tab,  Qt::Key_Backtab,
    Qt::Key_Left,   Qt::Key_Right,     Qt::Key_Up,     Qt::Key_Down,    Qt::Key_Home, Qt::Key_End,
    Qt::Key_PageUp, Qt::Key_PageDown,  Qt::Key_Delete, Qt::Key_F1,      Qt::Key_F2,   Qt::Key_F5,
    Qt::Key_F10,    Qt::Key_F11,       Qt::Key_A,      Qt::Key_C,       Qt::Key_F,    Qt::Key_L,
    Qt::Key_M,      Qt::Key_N,         Qt::Key_P,      Qt::Key_T,       Qt::Key_U,    Qt::Key_V,
    Qt::Key_X,      Qt::Key_Y,         Qt::Key_Z,      Qt::Key_Question};

const std::array<const char*, 10> kTexts{"exp", "[",   "next step",          "0",    "17", "dim M = 8 / 4\r",
                                         "map", "(.*", "output O = A @ B\r", "block"};

std::string describe(const QWidget* widget) {
    if (widget == nullptr) return "nothing";
    return std::string(widget->metaObject()->className()) + " '" + widget->objectName().toStdString() + "'";
}

}  // namespace

// ---- Janitor, Watchdog --------------------------------------------------------------------------------

Janitor::Janitor(std::mt19937_64& dice) : dice_(dice) {
    setInterval(kTidyEvery);
    connect(this, &QTimer::timeout, this, &Janitor::tidy);
    start();
}

void Janitor::tidy() {
    QDrag::cancel();
    if (QWidget* popup = QApplication::activePopupWidget()) {
        popup->close();
        return;
    }
    QWidget* modal = QApplication::activeModalWidget();
    auto* dialog = qobject_cast<QDialog*>(modal);
    if (dialog == nullptr) {
        if (modal != nullptr) modal->close();
        return;
    }
    const auto buttons = dialog->findChildren<QPushButton*>();
    const bool refuse = dice_() % 4 == 0 || qobject_cast<QFileDialog*>(dialog) != nullptr;
    if (refuse || buttons.isEmpty()) return dialog->reject();
    QPushButton* button = buttons.at(static_cast<int>(dice_() % static_cast<std::uint64_t>(buttons.size())));
    button->click();
}

Watchdog::Watchdog() {
    thread_ = std::thread([this] {
        using namespace std::chrono;
        long seen = -1;
        auto since = steady_clock::now();
        while (!done_) {
            std::this_thread::sleep_for(milliseconds(100));
            if (pats_ != seen) {
                seen = pats_;
                since = steady_clock::now();
            } else if (steady_clock::now() - since > minutes(2)) {
                std::fputs("the window has not answered for two minutes (see the monkey's log)\n", stderr);
                std::abort();
            }
        }
    });
}

Watchdog::~Watchdog() {
    done_ = true;
    thread_.join();
}

// ---- Monkey ---------------------------------------------------------------------------------------------

Monkey::Monkey(Desk& desk, std::uint64_t seed, const std::string& log)
    : desk_(desk), dice_(seed), janitor_(dice_), log_(std::fopen(log.c_str(), "w")) {}

Monkey::~Monkey() {
    if (log_ != nullptr) std::fclose(log_);
}

// Written at once, so that the last line says what was being done when the process died.
void Monkey::note(const std::string& what) {
    last_ = what;
    if (log_ == nullptr) return;
    std::fprintf(log_, "%s\n", what.c_str());
    std::fflush(log_);
}

std::string Monkey::act() {
    static const std::vector<Deed> deeds{
        {30, &Monkey::trigger}, {15, &Monkey::press_key},   {20, &Monkey::click}, {6, &Monkey::drag},
        {6, &Monkey::wheel},    {6, &Monkey::hover},        {5, &Monkey::type},   {8, &Monkey::step},
        {2, &Monkey::open},     {2, &Monkey::undo_and_redo}};
    int all = 0;
    for (const Deed& deed : deeds) all += deed.weight;
    int left = below(all);
    for (const Deed& deed : deeds) {
        left -= deed.weight;
        if (left >= 0) continue;
        (this->*deed.act)();
        break;
    }
    breathe();
    return last_;
}

void Monkey::breathe() {
    bool alive = false;
    QMetaObject::invokeMethod(
        &desk_.window(), [&alive] { alive = true; }, Qt::QueuedConnection);
    wait_until([&alive] { return alive; });
    QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    while (QApplication::activeModalWidget() != nullptr) {
        janitor_.tidy();
        QCoreApplication::processEvents();
    }
    if (!desk_.window().isVisible()) desk_.window().show();  // it was closed
    watchdog_.pat();
}

void Monkey::trigger() {
    const auto& table = action_table();
    const ActionInfo& info = table[static_cast<std::size_t>(below(static_cast<int>(table.size())))];
    if (std::string(info.id) == "file.quit") return;
    note(std::string("action ") + info.id);
    desk_.window().actions().trigger(info.id);
}

void Monkey::step() {
    static const std::array<const char*, 5> steps{"step.forward", "step.forward", "step.back", "step.end",
                                                  "step.home"};
    const char* id = steps[static_cast<std::size_t>(below(static_cast<int>(steps.size())))];
    note(std::string("action ") + id);
    desk_.window().actions().trigger(id);
}

void Monkey::open() {
    const char* name = kSamples[static_cast<std::size_t>(below(static_cast<int>(kSamples.size())))];
    note(std::string("open ") + name);
    desk_.window().opener().open_sample(*find_sample(QString::fromLatin1(name)));
    wait_until([this] { return !desk_.window().services().work.busy(); });
}

Qt::KeyboardModifiers Monkey::modifiers() {
    switch (below(8)) {
        case 0:
            return Qt::ControlModifier;
        case 1:
            return Qt::ShiftModifier;
        case 2:
            return Qt::AltModifier;
        case 3:
            return Qt::ControlModifier | Qt::ShiftModifier;
        default:
            return Qt::NoModifier;
    }
}

// Events go where the window system would send them: to an open menu, else to the window with the focus.
QWindow* Monkey::any_window() {
    if (const QWidget* popup = QApplication::activePopupWidget()) return popup->window()->windowHandle();
    if (const QWidget* active = QApplication::activeWindow(); active != nullptr && active->isVisible())
        return active->windowHandle();
    return desk_.window().windowHandle();
}

void Monkey::press_key() {
    const int key = kKeys[static_cast<std::size_t>(below(static_cast<int>(kKeys.size())))];
    const Qt::KeyboardModifiers with = modifiers();
    QWindow* window = any_window();
    if (window == nullptr) return;
    note("key " + QKeySequence(key | static_cast<int>(with)).toString().toStdString() + " on " +
         describe(QApplication::focusWidget()));
    QTest::keyClick(window, static_cast<Qt::Key>(key), with);
}

QWidget* Monkey::any_widget() {
    QWidgetList visible;
    for (QWidget* widget : desk_.window().findChildren<QWidget*>())
        if (widget->isVisible() && !widget->visibleRegion().isEmpty()) visible << widget;
    if (visible.isEmpty()) return &desk_.window();
    return visible.at(below(static_cast<int>(visible.size())));
}

QPoint Monkey::any_place() {
    QWidget* widget = any_widget();
    const QRect seen = widget->visibleRegion().boundingRect();
    const QPoint at =
        seen.topLeft() + QPoint(below(std::max(1, seen.width())), below(std::max(1, seen.height())));
    target_ = widget->window()->windowHandle();
    note("at " + describe(widget) + " " + std::to_string(at.x()) + "," + std::to_string(at.y()));
    return widget->mapTo(widget->window(), at);
}

void Monkey::click() {
    const QPoint at = any_place();
    const Qt::MouseButton button = below(6) == 0 ? Qt::RightButton : Qt::LeftButton;
    const Qt::KeyboardModifiers with = modifiers();
    if (!target_) return;
    if (below(6) == 0) {
        note("  double click");
        QTest::mouseDClick(target_, button, with, at);
    } else {
        note(button == Qt::RightButton ? "  right click" : "  click");
        QTest::mouseClick(target_, button, with, at);
    }
}

void Monkey::drag() {
    const QPoint from = any_place();
    const QPointer<QWindow> window = target_;
    const QPoint to = below(2) == 0 ? any_place() : from + QPoint(below(200) - 100, below(200) - 100);
    if (!window) return;
    note("  drag from " + std::to_string(from.x()) + "," + std::to_string(from.y()) + " to " +
         std::to_string(to.x()) + "," + std::to_string(to.y()));
    QTest::mousePress(window, Qt::LeftButton, modifiers(), from);
    for (int part = 1; part <= 4 && window; ++part) QTest::mouseMove(window, from + (to - from) * part / 4);
    if (window) QTest::mouseRelease(window, Qt::LeftButton, {}, to);
}

void Monkey::wheel() {
    const QPoint at = any_place();
    if (!target_) return;
    const int turn = (below(9) - 4) * 60;
    note("  wheel " + std::to_string(turn));
    QWheelEvent event(at, target_->mapToGlobal(at), {}, {0, turn}, Qt::NoButton, modifiers(),
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(target_, &event);
}

void Monkey::hover() {
    const QPoint at = any_place();
    if (target_) QTest::mouseMove(target_, at);
}

void Monkey::type() {
    QWidgetList fields;
    for (QWidget* field : desk_.window().findChildren<QLineEdit*>()) fields << field;
    for (QWidget* field : desk_.window().findChildren<QPlainTextEdit*>()) fields << field;
    QWidgetList open;
    for (QWidget* field : fields)
        if (field->isVisible() && field->isEnabled()) open << field;
    if (open.isEmpty()) return step();
    const QPointer<QWidget> field = open.at(below(static_cast<int>(open.size())));
    const char* text = kTexts[static_cast<std::size_t>(below(static_cast<int>(kTexts.size())))];
    note("type into " + describe(field) + ": " + text);
    field->setFocus();
    for (const char* letter = text; *letter != 0 && field; ++letter) QTest::keyClick(field, *letter);
    if (field && below(2) == 0) QTest::keyClick(field, Qt::Key_Return);
}

void Monkey::undo_and_redo() {
    int count = 0;
    const int wanted = 1 + below(20);
    note("undo and redo up to " + std::to_string(wanted));
    while (count < wanted && desk_.document().can_undo()) {
        desk_.document().undo();
        ++count;
    }
    breathe();
    if (below(3) == 0) return;  // and do something else from there
    while (count-- > 0 && desk_.document().can_redo()) desk_.document().redo();
}

}  // namespace blockscope::test

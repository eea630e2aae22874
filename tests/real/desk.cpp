#include "tests/real/desk.h"

#include <QApplication>
#include <QClipboard>
#include <QCursor>
#include <QFile>
#include <QTest>
#include <QTimer>
#include <QWindow>
#include <stdexcept>

#include "app/scene/canvas.h"
#include "app/shell/appearance.h"
#include "app/shell/telling.h"
#include "app/shell/timeline_model.h"

namespace blockscope::test {

Desk::Desk(Motion motion, QSize size)
    : settings_(folder_.filePath(QStringLiteral("settings.ini"))), appearance_(settings_) {
    settings_.set_theme(ThemeChoice::Light);
    settings_.set_animations(motion == Motion::On);
    window_ = std::make_unique<MainWindow>(settings_, appearance_, path(QStringLiteral("journals")));
    QCursor::setPos(1599, 999);  // nothing is under the pointer
    window_->move(0, 0);
    window_->resize(size);
    window_->show();
    activate();
}

Desk::~Desk() = default;

void Desk::activate() {
    window_->activateWindow();
    if (!QTest::qWaitForWindowActive(window_.get(), 60'000))
        throw std::runtime_error("the window does not become active on this display");
}

QString Desk::file(const QString& name, const QByteArray& text) const {
    QFile made(path(name));
    if (made.open(QIODevice::WriteOnly)) made.write(text);
    return made.fileName();
}

void Desk::key(int key, Qt::KeyboardModifiers modifiers) {
    if (!window_->isActiveWindow() && QApplication::activeModalWidget() == nullptr) activate();
    QTest::keyClick(window_->windowHandle(), static_cast<Qt::Key>(key), modifiers);
}

void Desk::type(const QString& text) {
    for (const QChar letter : text) QTest::keyClick(window_->windowHandle(), letter.toLatin1());
}

void Desk::paste(const QString& text) {
    QGuiApplication::clipboard()->setText(text);
    key(Qt::Key_V, Qt::ControlModifier);
}

void Desk::click(QWidget& widget, QPoint at, Qt::KeyboardModifiers modifiers) {
    QTest::mouseClick(window_->windowHandle(), Qt::LeftButton, modifiers, widget.mapTo(window_.get(), at));
}

bool Desk::shows_current() {
    if (document().empty()) return true;
    const PicturePtr known = window_->services().pictures.known(
        document().snapshot(), document().content().current, window_->view().shape());
    return known && known == picture() && !window_->view().canvas().moving();
}

bool Desk::settle() {
    const auto still = [this] {
        return !window_->services().work.busy() && !Restyler::of(*qApp).busy() && shows_current();
    };
    do {
        if (!wait_until(still)) return false;
        QCoreApplication::processEvents();
    } while (!still());
    return true;
}

bool Desk::open(const QString& sample) {
    window_->opener().open_sample(*find_sample(sample));
    return settle() && !document().empty() && !window_->on_start_page();
}

bool Desk::press(int what, int count, Qt::KeyboardModifiers modifiers) {
    for (int i = 0; i < count; ++i) {
        key(what, modifiers);
        if (!settle()) return false;
    }
    return true;
}

bool Desk::hold(int what, int count) {
    for (int i = 0; i < count; ++i) key(what, Qt::NoModifier);
    return settle();
}

void Desk::with_dialogs(const std::function<void()>& action, const std::function<void(QDialog&)>& answer) {
    QTimer timer;
    bool answering = false;
    QObject::connect(&timer, &QTimer::timeout, [&] {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr || !dialog->isVisible() || answering) return;
        answering = true;
        answer(*dialog);
        answering = false;
    });
    timer.start(20);
    action();
    timer.stop();
    activate();  // without a window manager nobody gives the focus back
}

QImage Desk::canvas_image() {
    settle();
    return window_->view().canvas().grab().toImage();
}

// Without what the status bar says about the background.
QImage Desk::image() {
    settle();
    wait_until([this] {
        return !window_->services().proofs.work().busy() && !EdgeCounts::of(document()).work().busy() &&
               !Telling::of(document()).work().busy();
    });
    return window_->grab().toImage();
}

bool same_geometry(const Picture& a, const Picture& b) {
    const Geometry &one = a.geometry, &two = b.geometry;
    return one.boxes == two.boxes && one.in == two.in && one.out == two.out && one.edges == two.edges &&
           one.labels == two.labels && one.bounds == two.bounds;
}

}  // namespace blockscope::test

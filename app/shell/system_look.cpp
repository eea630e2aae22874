#include "app/shell/system_look.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>

#include "app/scene/transition.h"

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
    ask(kAppearance, kColorScheme);
    ask(kAppearance, kReducedMotion);
    ask(kGnome, kAnimations);
}

void SystemLook::ask(const QString& group, const QString& key) {
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

}  // namespace blockscope

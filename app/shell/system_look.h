// What the desktop asks of programs: dark or light, less motion. Asked through the desktop portal, which
// GNOME, KDE and others answer; the platform's palette and the desktop's settings files where there is none.
#pragma once

#include <QDBusVariant>
#include <QObject>
#include <optional>

namespace blockscope {

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
    void ask(const QString& group, const QString& key);
    void take(const QString& group, const QString& key, const QVariant& value);
    bool look_at_palette();

    std::optional<bool> portal_dark_;
    bool palette_dark_ = false;
    bool reduced_motion_ = false;
    bool animations_off_ = false;
    bool style_still_ = false;
    bool settings_still_ = false;  // the files of desktops without the portal say so
};

}  // namespace blockscope

#include "app/scene/motion.h"

#include <QDir>
#include <QSettings>
#include <QStandardPaths>

namespace blockscope {

namespace {

bool reads_off(const QString& file, const QString& group, const QString& key) {
    const QString path =
        QStandardPaths::locate(QStandardPaths::GenericConfigLocation, file, QStandardPaths::LocateFile);
    if (path.isEmpty()) return false;
    QSettings settings(path, QSettings::IniFormat);
    settings.beginGroup(group);
    const QString value = settings.value(key, QStringLiteral("1")).toString();
    bool number = false;
    const double factor = value.toDouble(&number);
    return number ? factor == 0 : value == QLatin1String("false");
}

}  // namespace

bool asks_for_less_motion() {
    if (qEnvironmentVariableIsSet("BLOCKSCOPE_REDUCED_MOTION"))
        return qEnvironmentVariable("BLOCKSCOPE_REDUCED_MOTION") != QLatin1String("0");
    for (const QString& file :
         {QStringLiteral("gtk-3.0/settings.ini"), QStringLiteral("gtk-4.0/settings.ini")})
        if (reads_off(file, QStringLiteral("Settings"), QStringLiteral("gtk-enable-animations"))) return true;
    return reads_off(QStringLiteral("kdeglobals"), QStringLiteral("KDE"),
                     QStringLiteral("AnimationDurationFactor"));
}

bool motion_reduced() {
    static const bool kReduced = asks_for_less_motion();
    return kReduced;
}

}  // namespace blockscope

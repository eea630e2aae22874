#include "app/shell/settings.h"

#include <algorithm>

namespace blockscope {
namespace {

constexpr int kRecentFiles = 10;

}  // namespace

Settings::Settings(const QString& file, QObject* parent) : QObject(parent) {
    store_ = file.isEmpty()
                 ? std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope,
                                               QStringLiteral("blockscope"), QStringLiteral("blockscope"))
                 : std::make_unique<QSettings>(file, QSettings::IniFormat);
}

ThemeChoice Settings::theme() const {
    const QString name = value(QStringLiteral("theme")).toString();
    if (name == QLatin1String("light")) return ThemeChoice::Light;
    return name == QLatin1String("dark") ? ThemeChoice::Dark : ThemeChoice::System;
}

void Settings::set_theme(ThemeChoice choice) {
    const char* name = choice == ThemeChoice::Light  ? "light"
                       : choice == ThemeChoice::Dark ? "dark"
                                                     : "system";
    choose(QStringLiteral("theme"), QString::fromLatin1(name));
}

bool Settings::animations() const {
    return value(QStringLiteral("animations"), true).toBool();
}
void Settings::set_animations(bool on) {
    choose(QStringLiteral("animations"), on);
}

QString Settings::language() const {
    return value(QStringLiteral("language")).toString();
}
void Settings::set_language(const QString& code) {
    choose(QStringLiteral("language"), code);
}

int Settings::play_interval() const {
    return std::clamp(value(QStringLiteral("play_interval"), 1000).toInt(), 100, 8000);
}
void Settings::set_play_interval(int milliseconds) {
    choose(QStringLiteral("play_interval"), std::clamp(milliseconds, 100, 8000));
}

bool Settings::journal() const {
    return value(QStringLiteral("journal"), true).toBool();
}
void Settings::set_journal(bool on) {
    choose(QStringLiteral("journal"), on);
}
bool Settings::edge_labels() const {
    return value(QStringLiteral("edge_labels"), true).toBool();
}
void Settings::set_edge_labels(bool on) {
    choose(QStringLiteral("edge_labels"), on);
}
bool Settings::minimap() const {
    return value(QStringLiteral("minimap"), true).toBool();
}
void Settings::set_minimap(bool on) {
    choose(QStringLiteral("minimap"), on);
}
bool Settings::legend() const {
    return value(QStringLiteral("legend"), false).toBool();
}
void Settings::set_legend(bool on) {
    choose(QStringLiteral("legend"), on);
}

bool Settings::paper_loops() const {
    return value(QStringLiteral("paper_loops"), false).toBool();
}
void Settings::set_paper_loops(bool on) {
    choose(QStringLiteral("paper_loops"), on);
}

QString Settings::rules() const {
    return value(QStringLiteral("rules")).toString();
}
void Settings::set_rules(const QString& rules) {
    choose(QStringLiteral("rules"), rules);
}

std::optional<bool> Settings::compact() const {
    const QVariant chosen = value(QStringLiteral("compact"));
    return chosen.isValid() ? std::optional(chosen.toBool()) : std::nullopt;
}
void Settings::set_compact(bool on) {
    choose(QStringLiteral("compact"), on);
}

std::optional<bool> Settings::overlay() const {
    const QVariant chosen = value(QStringLiteral("overlay"));
    return chosen.isValid() ? std::optional(chosen.toBool()) : std::nullopt;
}
void Settings::set_overlay(bool on) {
    choose(QStringLiteral("overlay"), on);
}

bool Settings::fold_steps() const {
    return value(QStringLiteral("fold_steps"), false).toBool();
}
void Settings::set_fold_steps(bool on) {
    choose(QStringLiteral("fold_steps"), on);
}

FlowChoice Settings::flow() const {
    const QString name = value(QStringLiteral("flow")).toString();
    if (name == QLatin1String("down")) return FlowChoice::Down;
    return name == QLatin1String("right") ? FlowChoice::Right : FlowChoice::Automatic;
}
void Settings::set_flow(FlowChoice choice) {
    const char* name = choice == FlowChoice::Down    ? "down"
                       : choice == FlowChoice::Right ? "right"
                                                     : "automatic";
    choose(QStringLiteral("flow"), QString::fromLatin1(name));
}

QStringList Settings::recent_files() const {
    return value(QStringLiteral("recent")).toStringList();
}

void Settings::add_recent(const QString& path) {
    QStringList files = recent_files();
    files.removeAll(path);
    files.prepend(path);
    set_value(QStringLiteral("recent"), files.mid(0, kRecentFiles));
    Q_EMIT recent_changed();
}

void Settings::remove_recent(const QString& path) {
    QStringList files = recent_files();
    if (files.removeAll(path) == 0) return;
    set_value(QStringLiteral("recent"), files);
    Q_EMIT recent_changed();
}

QVariant Settings::value(const QString& key, const QVariant& otherwise) const {
    return store_->value(key, otherwise);
}
void Settings::set_value(const QString& key, const QVariant& value) {
    store_->setValue(key, value);
}
void Settings::clear() {
    store_->clear();
    Q_EMIT changed();
    Q_EMIT recent_changed();
}

void Settings::choose(const QString& key, const QVariant& value) {
    if (store_->value(key) == value) return;
    store_->setValue(key, value);
    Q_EMIT changed();
}

}  // namespace blockscope

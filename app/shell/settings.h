// What the user has chosen for all documents, kept between runs.
#pragma once

#include <QObject>
#include <QSettings>
#include <QStringList>
#include <memory>

namespace blockscope {

enum class ThemeChoice : std::uint8_t { System, Light, Dark };

class Settings : public QObject {
    Q_OBJECT

public:
    // Settings of this user, or in `file` (tests).
    explicit Settings(const QString& file = {}, QObject* parent = nullptr);

    ThemeChoice theme() const;
    void set_theme(ThemeChoice choice);
    bool animations() const;  // what the user wants; Appearance::animated() also asks the system
    void set_animations(bool on);
    QString language() const;  // its code; empty: the system's. Counts from the next start on
    void set_language(const QString& code);
    int play_interval() const;  // milliseconds between two steps, 100 .. 8000
    void set_play_interval(int milliseconds);
    bool journal() const;  // changes are kept in a journal and come back after a crash
    void set_journal(bool on);
    bool edge_labels() const;
    void set_edge_labels(bool on);
    bool minimap() const;
    void set_minimap(bool on);
    bool legend() const;
    void set_legend(bool on);

    QStringList recent_files() const;  // newest first, ten at most
    void add_recent(const QString& path);
    void remove_recent(const QString& path);

    // For whatever else wants to be remembered ("window/geometry", "matches/sort").
    QVariant value(const QString& key, const QVariant& otherwise = {}) const;
    void set_value(const QString& key, const QVariant& value);
    void clear();

Q_SIGNALS:
    void changed();  // any of the choices above
    void recent_changed();

private:
    void choose(const QString& key, const QVariant& value);
    std::unique_ptr<QSettings> store_;
};

}  // namespace blockscope

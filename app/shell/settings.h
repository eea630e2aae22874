// What the user has chosen for all documents, kept between runs.
#pragma once

#include <QObject>
#include <QSettings>
#include <QStringList>
#include <memory>
#include <optional>

namespace blockscope {

enum class ThemeChoice : std::uint8_t { System, Light, Dark };
// Which way the edges of pictures run.
enum class FlowChoice : std::uint8_t { Automatic, Down, Right };

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
    bool legend() const;  // its long form, beside the picture
    void set_legend(bool on);
    bool paper_loops() const;  // the listing shows the paper's loops instead of those that are built
    void set_paper_loops(bool on);
    // Which rules the algorithm tries where a program is opened that has no steps yet: as to_string(RuleSet)
    // names them; empty: the extended ones.
    QString rules() const;
    void set_rules(const QString& rules);
    std::optional<bool> compact() const;  // the timeline's form, once the user has chosen one
    void set_compact(bool on);
    std::optional<bool> overlay() const;  // side panels over the picture, once the user has chosen
    void set_overlay(bool on);
    bool fold_steps() const;  // steps in a row that move no bytes are one cell of the timeline
    void set_fold_steps(bool on);
    FlowChoice flow() const;
    void set_flow(FlowChoice choice);

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

// The list of matches, grouped by rule, as a tree view: pointing at one lights it up and, after a moment,
// previews it; Enter applies it.
#pragma once

#include <QPersistentModelIndex>
#include <QTimer>
#include <QTreeView>
#include <set>

#include "app/panels/match_model.h"

namespace blockscope {

class MatchList : public QTreeView {
    Q_OBJECT

public:
    MatchList(Document& document, MatchFinder& finder, QWidget* parent = nullptr);

    // Only this rule (or all), only lines that contain `text`.
    void set_filter(std::optional<RuleId> rule, const QString& text);
    int shown() const { return rows_.shown(); }  // matches, after the filter

Q_SIGNALS:
    void why_asked(RuleId rule);  // of a rule without matches
    void filtered();

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;  // Enter, wherever the keyboard is

private:
    void rebuild();
    const MatchLine* line_at(const QModelIndex& index) const;
    void point_at(const QModelIndex& index);
    void point_away();
    void use(const QModelIndex& index);

    Document& document_;
    MatchFinder& finder_;
    MatchModel rows_;
    std::optional<RuleId> only_;
    QString text_;
    std::set<QString> collapsed_;  // rules
    bool pointed_ = false;         // the glow is ours
    QPersistentModelIndex pointed_row_;
    QTimer patience_;  // before the preview
};

}  // namespace blockscope

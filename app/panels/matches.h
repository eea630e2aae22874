// Paints the rows of the list of matches: a rule with its count, a match on two lines.
#pragma once

#include <QAbstractItemModel>
#include <QLabel>
#include <QLineEdit>
#include <QObject>
#include <QPersistentModelIndex>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QTreeView>
#include <QWidget>
#include <memory>
#include <set>

#include "app/document/document.h"
#include "app/document/work.h"
#include "app/panels/why_view.h"
#include "core/rules/conditions.h"

namespace blockscope {

class MatchDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit MatchDelegate(QWidget* view);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paint_rule(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paint_match(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    int unit() const;

    const QWidget& view_;
};

// Where rules apply in a state, found off the interface thread.

struct MatchLine {
    Match match;
    QString nodes;        // "N-map n12 (dot) → N-map n15 (exp(x))", in the order of the roles
    QString roles;        // "producer → consumer"
    QString place;        // "M › N"
    QString explanation;  // what applying would do
    bool next = false;    // the algorithm would take it
};

struct MatchReport {
    ProgramPtr program;
    std::vector<MatchLine> lines;  // in the order of all_matches
};
using MatchReportPtr = std::shared_ptr<const MatchReport>;

// `stop` ends the search with Stopped, and is told how much of it is done.
MatchReport find_matches(const ProgramPtr& program, const Stop& stop);

class MatchFinder : public QObject {
    Q_OBJECT

public:
    explicit MatchFinder(Document& document, QObject* parent = nullptr);
    const MatchReport& report() const { return *report_; }
    const MatchReportPtr& shared_report() const { return report_; }
    bool searching() const { return work_.busy(); }
    // Why there is no report though nothing is searched: it was cancelled, or a rule is broken. Else empty.
    const QString& trouble() const { return trouble_; }
    // The search, for a bar that announces it and can end it.
    Work& work() { return work_; }
    // By the user: the next state, or showing the panel again, looks again.
    void cancel();
    // Looks only while it is wanted: a hidden panel costs nothing.
    void set_active(bool active);

Q_SIGNALS:
    void changed();  // report() or searching()

private:
    void refresh();
    void give_up(const QString& why);

    Document& document_;
    MatchReportPtr report_ = std::make_shared<MatchReport>();
    QString trouble_;
    bool active_ = true;
    ProgramPtr asked_;
    Work work_;
};

// The nodes of a match, each once, in the order of its roles.
std::vector<NodeId> nodes_of(const Match& match);

// The rows of the list of matches: rules, and in each the places where it applies. Their texts are made when
// they are seen, so that thousands of matches are there at once.

// Data of the rows beside Qt::DisplayRole (the nodes, or the rule's name).
enum MatchRole : int {
    kMatchIndexRole = Qt::UserRole,  // index in MatchReport::lines; -1 of a rule
    kRuleRole,                       // "6a"
    kCountRole,                      // of a rule: matches shown
    kDetailRole,                     // second line
    kNextRole,                       // the algorithm takes it next
};

class MatchModel : public QAbstractItemModel {
    Q_OBJECT

public:
    using QAbstractItemModel::QAbstractItemModel;

    // Only `rule` (or all), only lines that contain `text`. Rules without a match come last; no rows at all
    // for a report without a program.
    void show(MatchReportPtr report, std::optional<RuleId> rule, const QString& text);
    int shown() const { return shown_; }  // matches

    QModelIndex index(int row, int column, const QModelIndex& parent) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent) const override;
    int columnCount(const QModelIndex& parent) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Group {
        const Rule* rule;
        std::vector<int> lines;  // of the report
    };
    static QVariant group_data(const Group& group, int role);
    QVariant line_data(const Group& group, int line, int role) const;

    MatchReportPtr report_;
    std::vector<Group> groups_;
    int shown_ = 0;
};

// The list of matches, grouped by rule, as a tree view: pointing at one lights it up and, after a moment,
// previews it; Enter applies it.

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

// The panel of matches: where rules apply, and why one does not.

class Matches : public QWidget {
    Q_OBJECT

public:
    explicit Matches(Document& document, QWidget* parent = nullptr);

    MatchFinder& finder() { return finder_; }
    MatchList& list() { return *list_; }
    WhyView& why() { return *why_; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QLayout* make_head();
    void filter();
    void say_count();

    Document& document_;
    MatchFinder finder_;
    MatchList* list_;
    WhyView* why_;
    QComboBox* rules_;
    QLineEdit* text_;
    QLabel* count_;
};

}  // namespace blockscope

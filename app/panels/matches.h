// The panel of matches: where rules apply in the shown state, and why they do not apply elsewhere.
#pragma once

#include <QAbstractItemModel>
#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QObject>
#include <QPersistentModelIndex>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QTreeView>
#include <QWidget>
#include <memory>
#include <set>

#include "app/document/document.h"
#include "app/document/work.h"
#include "app/shell/progress.h"
#include "core/rules/conditions.h"
#include "core/story/program_names.h"

namespace blockscope {

// ---- Paints one answer of "why not?": the rules' numbers and a sentence of several lines.

enum WhyRole : int {
    kWhyRulesRole = Qt::UserRole,  // "6a, 6b"
    kWhyAppliesRole,
};

class WhyDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit WhyDelegate(QAbstractItemView* view);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    int row_width() const;
    QRect text_rect(const QRect& row) const;

    const QAbstractItemView& view_;
};

// Why rules do not apply to the selected nodes: the first failing condition of each, as a sentence.

// What several rules say alike: "6a, 6b" and one sentence.
struct WhyAnswer {
    std::vector<RuleId> rules;
    std::optional<Refusal> refusal;  // none: they apply
};

// For `asked` (or all rules, those that apply first). One answer without rules if no rule could be asked.
// Ends with Stopped while `stop` is up.
std::vector<WhyAnswer> why_answers(const BlockProgram& program, const std::vector<NodeId>& nodes,
                                   std::optional<RuleId> asked, const StopSign& stop = kNeverStop);

class WhyView : public QWidget {
    Q_OBJECT

public:
    explicit WhyView(Document& document, QWidget* parent = nullptr);

    void explain(std::optional<RuleId> rule);  // and shows the choice
    const std::vector<WhyAnswer>& answers() const { return answers_; }
    QListView& list() { return *list_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void make_list();
    void refresh();
    void take(std::vector<WhyAnswer> answers);
    void show_answers();
    void show_hint(const QString& text);
    void light(const QModelIndex& index);
    void darken();

    Document& document_;
    std::vector<WhyAnswer> answers_;
    QLabel* selected_;
    QComboBox* rules_;
    QListView* list_;
    QLabel* hint_;
    QStandardItemModel rows_;
    Background background_;  // of large programs
    bool lit_ = false;       // the glow is ours
};

// Paints the rows of the list of matches: a rule with its count, a match on two lines.
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
    QString nodes;        // "row_scale → dot": the operators matched, in the order of the roles
    QString place;        // "M › N · P → O": the level, and the arrays that the operators are part of
    QString explanation;  // what applying would do
    bool next = false;    // the algorithm would take it
};

struct MatchReport {
    ProgramPtr program;
    std::vector<MatchLine> lines;  // in the order of all_matches
};
using MatchReportPtr = std::shared_ptr<const MatchReport>;

// `stop` ends the search with Stopped, and is told how much of it is done.
// `arrays`: the names of this state's values.
MatchReport find_matches(const ProgramPtr& program, const Stop& stop, RuleSet rules = {},
                         const ArrayNames& arrays = {});

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
    // Whether no row says that the algorithm takes it next.
    void hide_next(bool on);

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
    bool next_hidden_ = false;
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
    void focusInEvent(QFocusEvent* event) override;
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
    QTimer delay_;  // before the preview
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

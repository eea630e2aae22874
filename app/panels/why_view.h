// Paints one answer of "why not?": the rules' numbers and a sentence of several lines.
#pragma once

#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QWidget>

#include "app/document/document.h"
#include "app/shell/progress.h"
#include "core/rules/conditions.h"

namespace blockscope {

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

    void ask(std::optional<RuleId> rule);  // and shows the choice
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

}  // namespace blockscope

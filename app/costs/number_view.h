// Where a number of the costs table comes from: its formula, the values put in, and every line that it sums.
#pragma once

#include <QWidget>
#include <optional>

#include "app/costs/cost_table.h"
#include "app/costs/costs.h"
#include "core/cost/derivation.h"

class QLabel;
class QPlainTextEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace blockscope {

class DerivationView : public QWidget {
    Q_OBJECT

public:
    explicit DerivationView(Document& document, QWidget* parent = nullptr);

    // `title` says which number of which state it is, `note` more about it; may be empty.
    void show_derivation(const QString& title, const CostDerivation& derivation, const LoopProgram& loops,
                         const QString& note = {});
    // Without a number, or for one that is not a count: a sentence.
    void show_text(const QString& title, const QString& text);

    QTreeWidget& lines() { return *lines_; }
    QString formula() const;
    QString title() const;
    QString note() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fill(const QString& title, const CostDerivation& derivation, const LoopProgram& loops,
              const QString& note);
    void fit_columns();
    void add(const Sum& sum, const QString& unit, const std::vector<std::string>& texts,
             const DimTable& dims);
    void choose(QTreeWidgetItem* item);

    Document& document_;
    QLabel *title_, *formula_, *values_, *note_;
    QPlainTextEdit* text_;  // in place of the formula: of any length
    QTreeWidget* lines_;
};

}  // namespace blockscope
namespace blockscope {

// Where a number of a state comes from, beside the costs table: formula, values, and what it sums.

class DerivationView;

// The count that a column of CostTable shows; none for times and ratios.
std::optional<CostQuantity> quantity_of(int column);

// The lines, arrays or edge of the state that a number of the column is about. Nothing of the state may be
// meant: a node that it has no longer.
CostPart part_of(const StateCosts& costs, int column, const CostPlace& place);

// The same, and what replication compares it with: the operators of the unfused program whose work it does.
DerivedPart derived_part(const StateCosts& costs, const StateCosts& unfused, const Replicated& replicated,
                         int column, const CostPlace& place);

// A number of the table, or the part of it that belongs to a place.
struct ShownNumber {
    StateId state = 0;
    int column = 0;
    CostPlace place = {};
};
void show_number(DerivationView& view, Document& document, const CostTable& table, const TimesOf& times_of,
                 const ShownNumber& number);

}  // namespace blockscope

// Where a number of the costs table comes from: its formula, the values put in, and every line that it sums.
#pragma once

#include <QWidget>
#include <optional>

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

// The rows of what was found. Their texts are made when they are seen, so that a thousand are there at once.
#pragma once

#include <QAbstractListModel>
#include <QWidget>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/document/document.h"
#include "app/shell/code_view.h"
#include "app/shell/services.h"
#include "core/graph/graph.h"
#include "core/support/result.h"

class QLabel;
class QLineEdit;
class QListView;
class QToolButton;

namespace blockscope {

class FoundRows : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    // Nodes of the program, the first 1,000 of them as rows.
    void show(ProgramPtr program, std::vector<NodeId> nodes);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;  // "dot n17 in M, N"

private:
    QString text(NodeId node) const;

    ProgramPtr program_;
    std::vector<NodeId> nodes_;
    mutable std::optional<ProgramLinks> links_;  // of the program, once a text is asked for
    mutable std::map<int, QString> texts_;       // by row
};

// Finds nodes of a program by what they are called, do and hold. No widgets.
struct SearchQuery {
    std::string text;
    bool regular = false;  // `text` is one regular expression (PCRE), matched against describe_for_search()
};

// What a regular expression is matched against: "n7 dot block[M,N] bf16".
std::string describe_for_search(const Node& node, const DimTable& dims);

// Nodes at all levels in the order of the listing, ports of maps left out; upper and lower case are the same.
// A node has to match all words of the text:
//   op:dot      what it does, by a part of its name: dot, row_sum, exp, map, sum, input, output
//   type:block  a part of the type of one of its results: block[M,N], f32
//   in:M        it is in a map over M
//   buffered    one of its results goes through global memory
//   exp, n12    anything else: a part of its label, or its id
// The problem of a bad query says what is expected; its column is where.
Result<std::vector<NodeId>> search(const BlockProgram& program, const SearchQuery& query);

// Find in the picture: matches are lit, listed and gone through one by one.
class SearchPanel : public QWidget {
    Q_OBJECT

public:
    SearchPanel(Document& document, Services& services, QWidget* parent = nullptr);

    void look_for(const QString& text, bool regular = false);
    void go(int by);  // to the next (1) or previous (-1) match
    const std::vector<NodeId>& found() const { return found_; }
    QString status() const;

protected:
    void hideEvent(QHideEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* make_bar();
    void refresh();
    void list();
    void light(bool on);
    void say();
    QString nothing_matches() const;
    void chosen(int row);

    Document& document_;
    Services& services_;
    QLineEdit* text_ = nullptr;
    QToolButton* regular_ = nullptr;
    QToolButton* previous_ = nullptr;
    QToolButton* next_ = nullptr;
    QLabel* status_;
    FoundRows rows_;
    QListView* results_;
    bool stale_ = false;  // what follows is of the program before: looked for anew once the panel is seen
    ProgramPtr program_;
    std::vector<NodeId> found_;
    QString problem_;
};

}  // namespace blockscope

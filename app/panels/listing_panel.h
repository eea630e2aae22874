// The panel of the listing, and the colours of its words, which are those of the picture: traffic with memory
// is red as buffered edges are, block operators and elementwise functions have the colours of their boxes.
#pragma once

#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/costs/heat.h"
#include "app/document/document.h"
#include "app/document/history.h"
#include "app/panels/listing_rows.h"
#include "app/shell/appearance.h"
#include "app/shell/code_view.h"
#include "app/shell/progress.h"
#include "app/shell/services.h"
#include "core/state/state.h"
#include "core/support/text.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace blockscope {

enum class ListingWord : std::uint8_t { Plain, Loop, Memory, Array, Operator, Function, Number };

struct ListingToken {
    int start = 0, length = 0;
    ListingWord word = ListingWord::Plain;
    bool operator==(const ListingToken&) const = default;
};

// The words of one line of a listing (docs/listing.md has the grammar), all but plain ones.
std::vector<ListingToken> listing_tokens(const QString& line);

class ListingHighlighter : public LazyHighlighter {
    Q_OBJECT

public:
    ListingHighlighter(QTextDocument* document, Appearance& appearance);
    // Lines that are struck through: they belong to the listing before. Whether there are any, or were: lines
    // that stay may have other colours then.
    bool set_struck(std::vector<bool> lines);

protected:
    void colour(const QString& text) override;

private:
    Appearance& appearance_;
    std::vector<bool> struck_;
};

// The listing of the current state, with what changed against another state, linked with the picture.
class ListingPanel : public QWidget {
    Q_OBJECT

public:
    ListingPanel(Document& document, Services& services, QWidget* parent = nullptr);

    CodeView& view() { return *view_; }
    const std::vector<ListingRow>& rows() const { return comparison_.rows; }
    bool busy() const { return background_.busy() || filler_->busy(); }
    void show_safe(bool on);
    bool shows_safe() const;
    void show_paper(bool on);
    void show_removed(bool on);
    void copy_all();
    // Where the heat map's number of the current line comes from (bytes moved without a heat map): the costs
    // page opens it.
    void ask_for_number() const { ask_for_number(view_->current_line()); }

Q_SIGNALS:
    void safe_shown(bool on);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* make_bar();
    QWidget* make_foot();
    void refresh();
    void list_states();
    void choose_baseline(int item);
    std::optional<StateId> compared_state() const;
    void stop_waiting();
    struct Made {
        ListingComparison comparison;
        ProgramLinks links;
        int exponentials = 0;  // of the numerically safe form
        Text online;           // of it: "This is online softmax: ..."
        bool compared = false;
    };
    void take(Made made);
    void summarise(const Made& made);
    bool is_counted(const StateCostsPtr& counted) const;
    void heat();
    QString array_of(const ListingRow& row) const;
    void ask_for_number(int row) const;

    Document& document_;
    Services& services_;
    QComboBox* baseline_ = nullptr;
    QToolButton* removed_ = nullptr;
    QToolButton* safe_ = nullptr;
    QToolButton* paper_ = nullptr;
    QLabel* note_;
    CodeView* view_;
    LineFiller* filler_;
    CodeLinks* links_;
    ListingHighlighter* highlighter_;
    QLabel* summary_;
    Background background_;

    // What is shown, or on its way.
    ProgramPtr program_, before_;
    Form shown_form_;
    bool shown_removed_ = false;
    std::vector<std::optional<StateId>> choices_;  // by item of `baseline_`
    QStringList labels_;                           // of `baseline_`
    ListingComparison comparison_;
    std::vector<LineLook> looks_;
};

}  // namespace blockscope

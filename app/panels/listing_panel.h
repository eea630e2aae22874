// The listing of the current state, with what changed against another state, linked with the picture.
#pragma once

#include <QWidget>
#include <optional>

#include "app/document/document.h"
#include "app/panels/background.h"
#include "app/panels/code_links.h"
#include "app/panels/line_filler.h"
#include "app/panels/listing_highlight.h"
#include "app/panels/listing_rows.h"
#include "app/panels/services.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace blockscope {

class ListingPanel : public QWidget {
    Q_OBJECT

public:
    ListingPanel(Document& document, Services& services, QWidget* parent = nullptr);

    CodeView& view() { return *view_; }
    const std::vector<ListingRow>& rows() const { return comparison_.rows; }
    bool busy() const { return background_.busy() || filler_->busy(); }
    void show_safe(bool on);
    void show_removed(bool on);
    void copy_all();
    // Where the heat map's number of the current line comes from (bytes moved without a heat map): the costs
    // page opens it.
    void ask_for_number() const { ask_for_number(view_->current_line()); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* make_bar();
    void refresh();
    void list_states();
    void choose_baseline(int item);
    std::optional<StateId> compared_state() const;
    void stop_waiting();
    struct Made {
        ListingComparison comparison;
        ProgramLinks links;
        int exponentials = 0;  // of the numerically safe form
        bool compared = false;
    };
    void take(Made made);
    void summarise(bool compared, int exponentials);
    void heat();
    void ask_for_number(int row) const;

    Document& document_;
    Services& services_;
    QComboBox* baseline_ = nullptr;
    QToolButton* removed_ = nullptr;
    QToolButton* safe_ = nullptr;
    QLabel* note_;
    CodeView* view_;
    LineFiller* filler_;
    CodeLinks* links_;
    ListingHighlighter* highlighter_;
    QLabel* summary_;
    Background background_;

    // What is shown, or on its way.
    ProgramPtr program_, before_;
    bool shown_safe_ = false, shown_removed_ = false;
    std::vector<std::optional<StateId>> choices_;  // by item of `baseline_`
    QStringList labels_;                           // of `baseline_`
    ListingComparison comparison_;
    std::vector<LineLook> looks_;
};

}  // namespace blockscope

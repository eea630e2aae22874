// Two to four states of the document side by side: the ones that Content::compared names, and the current
// one. Pan and zoom are linked so that corresponding nodes stay beside each other; what differs is marked.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>
#include <QWidget>
#include <deque>
#include <map>
#include <vector>

#include "app/compare/diff.h"
#include "app/costs/costs.h"
#include "app/layout/shape.h"
#include "app/scene/canvas.h"
#include "app/scene/legend.h"
#include "app/shell/controls.h"

namespace blockscope {

// How pictures of two compared states are marked: what is only in one of them, what moved, what changed.

struct ComparedMarks {
    std::map<NodeId, Mark> before, after;  // by node of either state
    Signs signs;                           // that a legend has to explain
};
ComparedMarks marks_of(const std::vector<Difference>& differences);

// The marks in a picture of their state.
Lights lights_of(const std::map<NodeId, Mark>& marks, const Picture& picture);

// ---- Below compared pictures: what their marks mean, those that are there.

class MarksLegend : public QWidget {
    Q_OBJECT

public:
    explicit MarksLegend(QWidget* parent);
    void set_theme(const Theme& theme);
    void show_signs(const Signs& signs);  // none: it is hidden
    const Signs& signs() const { return signs_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int columns() const;

    Theme theme_ = Theme::light();
    Signs signs_;
};

// One of the states that are compared: what it is, what it costs, how it differs, and its picture.
class ComparePane : public QWidget {
    Q_OBJECT

public:
    // `costs`: of the document, for the types that are counted, and to open where a number comes from.
    ComparePane(const Content& content, StateId state, Costs& costs, QWidget* parent = nullptr);

    StateId state() const { return state_; }
    bool current() const { return current_; }
    Canvas& canvas() { return *canvas_; }
    int head_height() const;  // of the lines above the picture
    // Who asks for its picture, where panes stand in this direction.
    const void* client(Qt::Orientation direction) const {
        return direction == Qt::Horizontal ? static_cast<const void*>(this) : canvas_;
    }
    ElidedLabel& numbers() { return *numbers_; }

    // How it differs from the current state, and the same for a narrow pane.
    void set_summary(const QString& text, const QStringList& shorter);
    // The lights of a picture, by node: what differs, and what is pointed at.
    void set_marks(std::map<NodeId, Mark> marks);
    void set_pointed(std::vector<NodeId> nodes);
    void light();  // after another picture is shown

Q_SIGNALS:
    void removed();  // the user takes the state out of the comparison
    void chosen();   // the pane's differences are the ones to step through
    void pointed(const std::vector<NodeId>& nodes);
    void resized();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    // What the line of costs says, in full or shorter, and of which column of CostTable each part of it is.
    struct CostForm {
        QString text;
        std::vector<int> columns;
    };
    void show_costs();
    std::optional<int> column_at(int x) const;

    StateId state_;
    ProgramPtr program_;
    Costs& costs_;
    bool current_;
    ElidedLabel *title_, *numbers_, *summary_;
    StateCostsPtr counted_;  // what is shown; null while it is being counted
    std::vector<CostForm> forms_;
    Canvas* canvas_;
    std::map<NodeId, Mark> marks_;
    std::vector<NodeId> pointed_;
};

// "Step 7 · rule 4", "Initial program"; with the branch's name if the history has several.
// Of many states: `branch` from branches_of_states().
QString state_name(const Content& content, StateId state, std::optional<int> branch = {});
// The branch through each state: the current one where it is, else the first (History::branch_through).
std::map<StateId, int> branches_of_states(const Content& content);
// "3 removed, 1 added, 4 moved, 2 changed"; "no difference".
QString summary(const DiffCounts& counts);
// "−3 +1 ⇄4 ∼2": the signs that the marks in the picture have.
QString short_summary(const DiffCounts& counts);
// "Step 7", "Initial program".
QString short_state_name(const Content& content, StateId state);

class Appearance;
class Document;
class ProgressOverlay;
class Pictures;

class CompareView : public QWidget {
    Q_OBJECT

public:
    CompareView(Document& document, Pictures& pictures, Appearance& appearance, QWidget* parent = nullptr);
    ~CompareView() override;

    const std::vector<ComparePane*>& panes() const { return panes_; }  // the current state's is the last
    const std::vector<Difference>& differences() const {
        return differences_;
    }                                       // those that are stepped through
    int difference() const { return at_; }  // -1: none yet
    void next_difference() { step(1); }
    void previous_difference() { step(-1); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void make_bar();
    void refresh();  // the content has changed
    void rebuild();
    void remove_panes();
    void cancel(ComparePane& pane);  // its pictures
    void request_pictures();
    // Of a pane, where all of them stand in this direction.
    PictureShape shape_in(Qt::Orientation direction) const;
    void arrange();  // all pictures are there: in the direction in which they are larger
    void fill_chooser();
    void explain_marks();
    void compare_next();
    void compare(std::size_t pane);  // with the current state; its differences are stepped through
    void step(int by);
    void point(const ComparePane& from, const std::vector<NodeId>& nodes);
    void follow(ComparePane& from);  // the others show the same place
    void fit();                      // the largest picture, the others beside it
    void read();                     // the same, or so much of it that names can be read
    void read_later();
    bool fit_each(double least);  // all of every picture, if that is not smaller
    bool readable() const;
    double outgrown_room() const;
    const Correspondence& pairs(StateId a, StateId b);
    std::optional<Point> shift(ComparePane& from, ComparePane& to);

    Document& document_;
    Pictures& pictures_;
    Appearance& appearance_;
    QComboBox* chooser_;
    QLabel* words_;
    QToolButton *previous_, *next_;
    QSplitter* splitter_;
    MarksLegend* legend_;
    ProgressOverlay* late_;
    std::vector<ComparePane*> panes_;
    std::vector<StateId> shown_;              // what panes_ show
    std::shared_ptr<const Content> content_;  // keeps it alive
    std::map<std::pair<StateId, StateId>, Correspondence> pairs_;
    // By pane, side by side and one above the other.
    std::map<std::pair<ComparePane*, Qt::Orientation>, PicturePtr> arrived_;
    QSize asked_;                         // the extent of the splitter that pictures were asked for
    bool whole_ = false;                  // the user wants all of the pictures, however small
    std::deque<std::size_t> to_compare_;  // panes
    QTimer reshape_;                      // after the last change of the extent
    QTimer comparing_;  // of a large program each pane has a turn of the event loop of its own
    std::vector<Difference> differences_;
    std::map<StateId, Signs> signs_;  // of the marks in each picture that is compared
    std::size_t chosen_ = 0;
    int at_ = -1;
    int missing_ = 0;  // pictures that are not there yet
    bool following_ = false;
    bool fitting_ = false;  // in the next turn of the event loop
};

// The middle of the window: the single picture, or the comparison as long as the document compares states.

class Appearance;
class Document;
class Pictures;

// A widget that holds `picture` and a CompareView and shows the one that fits the content.
QWidget* picture_or_comparison(QWidget* picture, Document& document, Pictures& pictures,
                               Appearance& appearance, QWidget* parent);

}  // namespace blockscope

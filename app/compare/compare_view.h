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

#include "app/compare/compare_pane.h"

namespace blockscope {

class Appearance;
class Document;
class LateBar;
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
    void request_pictures();
    void fill_chooser();
    void explain_marks();
    void compare_next();
    void compare(std::size_t pane);  // with the current state; its differences are stepped through
    void step(int by);
    void point(const ComparePane& from, const std::vector<NodeId>& nodes);
    void follow(ComparePane& from);  // the others show the same place
    void fit();                      // the largest picture, the others beside it
    void fit_later();
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
    LateBar* late_;
    std::vector<ComparePane*> panes_;
    std::vector<StateId> shown_;              // what panes_ show
    std::shared_ptr<const Content> content_;  // keeps it alive
    std::map<std::pair<StateId, StateId>, Correspondence> pairs_;
    std::deque<std::size_t> to_compare_;  // panes
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

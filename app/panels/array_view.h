// Which nodes of the current state compute what an operator of the array program says.
#pragma once

#include <QObject>
#include <QWidget>
#include <map>
#include <set>

#include "app/document/document.h"
#include "app/shell/progress.h"
#include "app/shell/services.h"

namespace blockscope {

struct ArrayLinks {
    std::map<int, std::set<NodeId>> nodes;  // by operator
    std::map<NodeId, std::set<int>> ops;    // by node of the current state, at any level
};

// In the initial program an operator has the top-level nodes that it was converted to; later the operators
// inside them, wherever fusion took them. Empty for a document without an array program.
// Ends with Stopped while `stop` is up.
ArrayLinks array_links(const Content& content, const StopSign& stop = kNeverStop);

// The links of the state that a document shows, for all panels. They are made when one asks for them, of
// large programs on another thread.
class CurrentLinks : public QObject {
    Q_OBJECT

public:
    static CurrentLinks& of(Document& document);

    // None are known until found() if they take time to find.
    const ArrayLinks& links();

    // The search, for bars that announce it; cancel() ends it.
    Work& work() { return background_; }
    // By the user: there are no links until find_again(), or another state.
    void cancel();
    void find_again();
    bool given_up() const { return given_up_; }

Q_SIGNALS:
    void found();  // or given up

private:
    explicit CurrentLinks(Document& document);
    void forget();

    Document& document_;
    ProgramPtr asked_;  // the state that `links_` are of, or will be
    ArrayLinks links_;
    bool given_up_ = false;
    Background background_;
};

// The array program as its own picture, linked with the block program that came of it.

class Canvas;
class ProgressOverlay;

class ArrayView : public QWidget {
    Q_OBJECT

public:
    ArrayView(Document& document, Services& services, QWidget* parent = nullptr);
    ~ArrayView() override;

    Canvas& canvas() { return *canvas_; }
    // What a click on operator `op` does; -1 selects nothing.
    void select_op(int op);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void show_array();
    void stop_waiting();
    void relight();
    int op_of(int box) const;

    Document& document_;
    Services& services_;
    Canvas* canvas_;
    ProgressOverlay* late_;
    CurrentLinks& links_;
    ProgressOverlay* late_links_;
    std::shared_ptr<const ArrayProgram> array_;  // what is shown
    std::string source_;
};

}  // namespace blockscope

// Block sizes by the model alone, for the window's device, whether it is there or not: what
// `tune --predict` prints.
//
//     Snapshot 1  M/128 N/128 D/64 L/64   340 µs   matrix products bind
#pragma once

#include <QObject>
#include <QString>
#include <QWidget>
#include <vector>

#include "app/costs/best.h"
#include "app/costs/costs.h"
#include "app/costs/forecast.h"
#include "app/document/document.h"
#include "app/document/work.h"

class QLabel;
class QToolButton;
class QTreeWidget;

namespace blockscope {

class ShareBar;

// One choice of a state and its block sizes.
struct SizeChoice {
    StateId state = 0;
    DimTable dims;
    double seconds = 0;  // as it would be built
    Text binds;          // the term that is largest: "memory"
    Text sentence;       // why, in a sentence
    int parts = 1;       // into which reductions are split, at most
    QString target;      // that its kernels are for: "sm_90a"; empty on processors
};

// The search of a document: one at a time, off the interface thread.
class BlockSizeSearch : public QObject {
    Q_OBJECT

public:
    explicit BlockSizeSearch(Document& document);

    // Of the unfused program, the snapshots of the branch, the state that is shown and the best one.
    // Nothing happens while they are being counted.
    void start();
    void cancel();
    bool busy() const { return work_.busy(); }
    const Work& work() const { return work_; }

    // Fastest first; empty until a search ended, and once they are of other sizes or of another device.
    const std::vector<SizeChoice>& choices() const { return choices_; }
    double considered() const { return considered_; }  // combinations of block sizes of all states
    double fitting() const { return fitting_; }        // of them those that fit the device
    // Shows the state of the choice, and gives the program its block sizes: both can be undone.
    void use(std::size_t choice);
    // Whether the program has these block sizes, and the state is shown.
    bool in_use(const SizeChoice& choice) const;

Q_SIGNALS:
    void changed();  // busy() or choices()
    void progressed(int permille);
    void failed(const QString& what);

private:
    std::vector<StateId> searched_states() const;
    void forget_outdated();

    Document& document_;
    Costs& costs_;
    Forecast& forecast_;
    Best& best_;
    std::vector<SizeChoice> choices_;
    double considered_ = 0, fitting_ = 0;
    DimTable sizes_;      // that the choices are of
    std::string device_;  // that they are for
    Work work_;           // last: its job is waited for before the rest goes
};

// The search with its button, how far it is, and what it found.
class BlockSizeSearchView : public QWidget {
    Q_OBJECT

public:
    BlockSizeSearchView(Document& document, QWidget* parent = nullptr);

    BlockSizeSearch& search() { return search_; }
    QTreeWidget& table() { return *table_; }
    QString sentence() const;
    QToolButton& use_button() { return *use_; }
    QToolButton& cancel_button() { return *cancel_; }

private:
    QWidget* make_bar();
    void refresh();
    void fill();
    QString found_text() const;
    void use_chosen();

    Document& document_;
    BlockSizeSearch search_;
    QToolButton *start_ = nullptr, *cancel_ = nullptr, *use_ = nullptr;
    ShareBar* progress_ = nullptr;
    QLabel* sentence_;
    QTreeWidget* table_;
};

}  // namespace blockscope

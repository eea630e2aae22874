// Plans of the document's program for the window's device (app/worker/program_plan.h), found off the
// interface thread: which operators become one kernel, by every way of deciding.
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/costs/forecast.h"
#include "app/document/document.h"
#include "app/document/work.h"
#include "app/worker/plan_why.h"
#include "app/worker/program_benefit.h"
#include "app/worker/program_plan.h"
#include "core/plan/steps.h"

namespace blockscope {

// A fusion group of a plan. The page calls it a kernel, which it becomes if its state has one launch.
struct PlannedGroup {
    plan::FusionGroup nodes;
    worker::GroupCost cost;
    ArrayProgram program;  // its operators as a program, with the state's best block sizes
};

struct PlannedWay {
    std::string name;  // "exact", as worker::ProgramWay has it
    plan::Plan plan;
    worker::GroupState states = worker::GroupState::Best;  // of its kernels
    std::vector<PlannedGroup> kernels = {};  // in the order in which they run; empty if there is no plan
    // Then these operators are no kernel that can be built, and why; none where it is not known which.
    plan::FusionGroup not_built = {};
    Text why_not = {};

    bool none() const { return kernels.empty(); }
    double bytes() const;        // between global and local memory
    double local_bytes() const;  // the most of a kernel
    int launches() const;
};

// Values alone: it may be read on any thread.
struct FoundPlans {
    ArrayProgram program;
    Device device;
    plan::OperatorGraph graph;
    std::vector<std::string> does = {};  // by node: "matmul"
    // Candidates had at most so many operators, as more would have been too many; 0: all were looked at.
    std::size_t most_operators = 0;
    std::vector<PlannedWay> ways = {};  // exact first, then as plan::way_titles() has them
    bool partial = false;  // the exact way alone, of the kernels that were known when the search was stopped
    std::map<std::string, plan::Decided> steps =
        {};  // by the names of plan::stepped_ways(); of large programs none

    const PlannedWay* way(const std::string& name) const;  // null: none of this name
};
using FoundPlansPtr = std::shared_ptr<const FoundPlans>;

// Programs of so many operators are searched as soon as somebody looks; larger ones when they ask for it.
constexpr int kSearchedAtOnce = 12;

// What is said of some operators of a way.
struct OperatorAnswer {
    plan::FusionGroup operators;
    std::optional<worker::PlanWhy> why;  // of two
    // Of two, whether an edge joins them or not.
    std::vector<plan::Verdict> rules = {}, checks = {};
    std::vector<Text> warnings = {};
    worker::ProgramBenefit benefit = {};
};

class PlanSearch : public QObject {
    Q_OBJECT

public:
    explicit PlanSearch(Document& document);
    ~PlanSearch() override;

    // Only programs on whole arrays have operators to plan.
    bool has_program() const { return !document_.empty() && document_.content().array != nullptr; }
    int operators() const;  // that become kernels; 0 without such a program

    void start();
    void cancel();
    bool busy() const { return work_.busy(); }
    const Work& work() const { return work_; }
    // The best plan of what is searched now, as far as it is; null: none yet.
    FoundPlansPtr so_far() const { return so_far_.first; }
    // Whether the user has cancelled the search of what is shown now. What there was of it is found() then.
    bool given_up() const { return given_up_; }

    // Of the program with its sizes and the device as they are now; null until they are found.
    FoundPlansPtr found() const { return found_; }
    // Looks whether the document is another program, or the device another one. Whoever shows the plans asks
    // for it: it costs nothing while nobody does.
    void look();

    // Of two or more operators of a way that has a plan; answered() tells.
    void ask_about(std::size_t way, const plan::FusionGroup& operators);
    // Decides again, with these decisions: the way "decided" is there then. Without any it is gone.
    void decide(const plan::Decisions& made);
    // A plan that has kernels, changed by hand, is the way "yours" then; or cannot_move() says why there is
    // none. `other` is an operator of the kernel that takes the node; -1: it gets one of its own.
    void move_operator(std::size_t way, int node, int other);

Q_SIGNALS:
    void changed();  // busy(), found(), so_far() or given_up()
    void progressed(int permille);
    void failed(const QString& what);
    void answered(const blockscope::OperatorAnswer& answer);
    void cannot_move(int node, const blockscope::Text& why);
    void added(const QString& way);  // the name of one that is there now, and is to be shown

private:
    struct Searched;  // the costs, for questions

    ArrayProgram program_now() const;
    void take(FoundPlansPtr found, std::shared_ptr<Searched> searched);
    void tell_so_far(const std::shared_ptr<Searched>& searched);
    // What was found, with other ways.
    void replace(FoundPlansPtr found);

    Document& document_;
    Forecast& forecast_;
    FoundPlansPtr found_;
    std::vector<std::pair<FoundPlansPtr, std::shared_ptr<Searched>>> known_;  // of the document, newest last
    std::shared_ptr<Searched> searched_;                                      // with found_
    std::pair<FoundPlansPtr, std::shared_ptr<Searched>> so_far_;              // while busy
    std::string looked_at_;                                                   // program and device
    bool given_up_ = false;
    Work asking_, work_;  // the last members: their destructors wait for jobs that use the others
};

}  // namespace blockscope

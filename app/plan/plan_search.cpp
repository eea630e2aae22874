#include "app/plan/plan_search.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include "app/plan/plan_words.h"
#include "app/worker/plan_why.h"
#include "core/cost/models/baseline.h"

namespace blockscope {

namespace {

constexpr std::size_t kMostKnown = 6;  // programs and devices whose plans are kept
constexpr std::chrono::milliseconds kSoFarEvery{700};
constexpr double kCandidatesShare = 0.9;  // of the time; deciding takes the rest

PlannedWay planned(worker::ProgramWay way, worker::GroupCosts& costs) {
    PlannedWay made{.name = std::move(way.name),
                    .plan = std::move(way.plan),
                    .states = way.states,
                    .not_built = std::move(way.not_built),
                    .why_not = std::move(way.why_not)};
    for (const plan::FusionGroup& kernel : made.plan.kernels)
        made.kernels.push_back({kernel, costs.of(kernel, way.states), costs.program(kernel, way.states)});
    return made;
}

void sort_ways(FoundPlans& plans) {
    std::stable_sort(plans.ways.begin(), plans.ways.end(), [](const PlannedWay& a, const PlannedWay& b) {
        return way_place(a.name) < way_place(b.name);
    });
}

// Without ways.
FoundPlans bare_plans(const worker::GroupCosts& costs) {
    FoundPlans made{.program = costs.whole(), .device = costs.device(), .graph = costs.graph()};
    for (int node = 0; node < made.graph.nodes(); ++node)
        made.does.push_back(plan::what_it_does(made.program, made.graph, node));
    if (costs.left_out()) made.most_operators = costs.most_operators();
    return made;
}

FoundPlansPtr found_plans(worker::GroupCosts& costs, std::vector<worker::ProgramWay> ways) {
    auto made = std::make_shared<FoundPlans>(bare_plans(costs));
    for (worker::ProgramWay& way : ways) made->ways.push_back(planned(std::move(way), costs));
    sort_ways(*made);
    if (costs.graph().nodes() <= plan::kMostStepped)
        for (const plan::SteppedWay& way : plan::stepped_ways())
            made->steps[way.name] = way.decide(costs.problem(), costs.graph().names);
    return made;
}

OperatorAnswer answer_about(worker::GroupCosts& costs, const PlannedWay& way,
                            const plan::FusionGroup& operators) {
    OperatorAnswer answer{.operators = operators, .why = {}, .benefit = worker::benefit_of(costs, operators)};
    if (operators.size() != 2) return answer;
    const int a = operators.front(), b = operators.back();
    answer.why = worker::why_of(costs, way.plan, a, b, way.states);
    const plan::NamedGraph graph = worker::named_graph(costs);
    const plan::LegalityOptions options = worker::legality_on(costs);
    answer.rules = plan::violated_rules(graph, a, b, options);
    answer.checks = plan::failed_checks(graph, a, b, options);
    answer.warnings = plan::warnings(graph, a, b);
    return answer;
}

std::string key_of(const ArrayProgram& program, const Device& device) {
    return device.name + '\n' + print_program(program);
}

}  // namespace

double PlannedWay::bytes() const {
    double sum = 0;
    for (const PlannedGroup& kernel : kernels) sum += kernel.cost.bytes;
    return sum;
}

double PlannedWay::local_bytes() const {
    double most = 0;
    for (const PlannedGroup& kernel : kernels) most = std::max(most, kernel.cost.local_bytes);
    return most;
}

int PlannedWay::launches() const {
    int sum = 0;
    for (const PlannedGroup& kernel : kernels) sum += kernel.cost.launches;
    return sum;
}

const PlannedWay* FoundPlans::way(const std::string& name) const {
    for (const PlannedWay& one : ways)
        if (one.name == name) return &one;
    return nullptr;
}

// The costs outlive the job that searched them: each job that uses them has them alone, and is the one that
// they ask whether to stop.
struct PlanSearch::Searched {
    std::mutex alone;
    const Stop* now = nullptr;  // of the job that has them
    StopSign sign{[this] { return now != nullptr && *now; }};
    worker::GroupCosts costs;

    Searched(ArrayProgram program, const Device& device) : costs(std::move(program), device, sign) {}
};

namespace {

// While it lives this job has the costs.
template <class Searched>
class Having {
public:
    Having(Searched& searched, const Stop& stop) : lock_(searched.alone), searched_(searched) {
        searched_.now = &stop;
    }
    ~Having() { searched_.now = nullptr; }

private:
    std::lock_guard<std::mutex> lock_;
    Searched& searched_;
};

}  // namespace

PlanSearch::PlanSearch(Document& document) : document_(document), forecast_(Forecast::of(document)) {
    connect(&document_, &Document::opened, this, [this] {
        known_.clear();
        look();
    });
    connect(&work_, &Work::progressed, this, &PlanSearch::progressed);
    for (Work* work : {&work_, &asking_})
        connect(work, &Work::failed, this, [this](const QString& what) {
            Q_EMIT changed();
            Q_EMIT failed(what);
        });
}

PlanSearch::~PlanSearch() {
    work_.cancel();
    asking_.cancel();
}

ArrayProgram PlanSearch::program_now() const {
    return at_sizes(*document_.content().array, document_.content().program()->dims);
}

int PlanSearch::operators() const {
    return has_program() ? plan::operator_graph(*document_.content().array).nodes() : 0;
}

void PlanSearch::look() {
    const std::string key = has_program() ? key_of(program_now(), forecast_.device()) : std::string();
    if (std::exchange(looked_at_, key) == key) return;
    work_.cancel();
    asking_.cancel();
    given_up_ = false;
    found_ = nullptr;
    searched_ = nullptr;
    so_far_ = {};
    for (const auto& [found, searched] : known_)
        if (key == key_of(found->program, found->device) && found->device == forecast_.device()) {
            found_ = found;
            searched_ = searched;
        }
    Q_EMIT changed();
}

void PlanSearch::start() {
    look();
    if (!has_program() || (found_ && !found_->partial)) return;
    given_up_ = false;
    so_far_ = {};
    const auto job = [this, begun = found_ ? searched_ : nullptr, program = program_now(),
                      device = forecast_.device()](const Stop& stop) -> Work::Finish {
        auto searched = begun ? begun : std::make_shared<Searched>(program, device);
        const Having having(*searched, stop);
        auto last = std::chrono::steady_clock::now();
        const auto told = [&](std::size_t done, std::size_t of) {
            if (of > 0) stop.done(kCandidatesShare * static_cast<double>(done) / static_cast<double>(of));
            if (std::chrono::steady_clock::now() - last < kSoFarEvery) return;
            tell_so_far(searched);
            last = std::chrono::steady_clock::now();
        };
        FoundPlansPtr found = found_plans(searched->costs, program_ways(searched->costs, told));
        return [this, found, searched] { take(found, searched); };
    };
    work_.start(tr("Finding the plan"), job);
    Q_EMIT changed();
}

// From the job.
void PlanSearch::tell_so_far(const std::shared_ptr<Searched>& searched) {
    worker::GroupCosts& costs = searched->costs;
    plan::Plan plan = costs.best_so_far();
    if (plan.kernels.empty()) return;
    auto made = std::make_shared<FoundPlans>(bare_plans(costs));
    made->ways.push_back(planned({.name = "exact", .plan = std::move(plan)}, costs));
    made->partial = true;
    QMetaObject::invokeMethod(
        this,
        [this, made, searched] {
            if (!busy() || looked_at_ != key_of(made->program, made->device)) return;
            so_far_ = {made, searched};
            Q_EMIT changed();
        },
        Qt::QueuedConnection);
}

void PlanSearch::take(FoundPlansPtr found, std::shared_ptr<Searched> searched) {
    found_ = std::move(found);
    searched_ = std::move(searched);
    so_far_ = {};
    known_.emplace_back(found_, searched_);
    if (known_.size() > kMostKnown) known_.erase(known_.begin());
    Q_EMIT changed();
}

void PlanSearch::cancel() {
    given_up_ = work_.busy();
    work_.cancel();
    if (given_up_ && so_far_.first) std::tie(found_, searched_) = so_far_;
    so_far_ = {};
    Q_EMIT changed();
}

void PlanSearch::replace(FoundPlansPtr found) {
    for (auto& [known, searched] : known_)
        if (known == found_) known = found;
    found_ = std::move(found);
    Q_EMIT changed();
}

void PlanSearch::ask_about(std::size_t way, const plan::FusionGroup& operators) {
    if (!found_ || way >= found_->ways.size() || found_->ways[way].none() || operators.size() < 2) return;
    asking_.start(
        tr("Asking why"),
        [this, searched = searched_, asked = found_->ways[way], operators](const Stop& stop) -> Work::Finish {
            const Having having(*searched, stop);
            const OperatorAnswer answer = answer_about(searched->costs, asked, operators);
            return [this, answer] { Q_EMIT answered(answer); };
        });
}

void PlanSearch::decide(const plan::Decisions& made) {
    if (!found_) return;
    asking_.start(tr("Finding the plan"),
                  [this, searched = searched_, before = found_, made](const Stop& stop) -> Work::Finish {
                      const Having having(*searched, stop);
                      auto found = std::make_shared<FoundPlans>(
                          *found_plans(searched->costs, program_ways(searched->costs, {}, made)));
                      if (const PlannedWay* yours = before->way("yours")) found->ways.push_back(*yours);
                      sort_ways(*found);
                      const QString shown = made.none() ? QStringLiteral("exact") : QStringLiteral("decided");
                      return [this, found, shown] {
                          replace(found);
                          Q_EMIT added(shown);
                      };
                  });
}

void PlanSearch::move_operator(std::size_t way, int node, int other) {
    if (!found_ || way >= found_->ways.size() || found_->ways[way].none() || node == other) return;
    asking_.start(tr("Finding the price"),
                  [this, searched = searched_, before = found_, plan = found_->ways[way].plan, node,
                   other](const Stop& stop) -> Work::Finish {
                      const Having having(*searched, stop);
                      const worker::MovedPlan moved =
                          worker::move_operator(searched->costs, plan, node, other);
                      if (moved.plan.kernels.empty())
                          return [this, node, moved] { Q_EMIT cannot_move(node, moved.why_not); };
                      auto found = std::make_shared<FoundPlans>(*before);
                      std::erase_if(found->ways, [](const PlannedWay& one) { return one.name == "yours"; });
                      found->ways.push_back(planned({.name = "yours", .plan = moved.plan}, searched->costs));
                      sort_ways(*found);
                      return [this, found] {
                          replace(found);
                          Q_EMIT added(QStringLiteral("yours"));
                      };
                  });
}

}  // namespace blockscope

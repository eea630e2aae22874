#include "app/plan/plan_search.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <set>
#include <utility>

#include "app/plan/plan_words.h"
#include "core/cost/models/baseline.h"

namespace blockscope {

namespace {

constexpr std::size_t kMostKnown = 6;     // programs and devices whose plans are kept
constexpr double kCandidatesShare = 0.9;  // of the time; deciding takes the rest

// The operators that are connected with this one, in any direction.
plan::Kernel connected_with(const plan::Dag& dag, int node) {
    std::set<int> all{node};
    std::vector<int> open{node};
    while (!open.empty()) {
        const auto from = static_cast<std::size_t>(open.back());
        open.pop_back();
        for (const auto* next : {&dag.before[from], &dag.after[from]})
            for (const int to : *next)
                if (all.insert(to).second) open.push_back(to);
    }
    return {all.begin(), all.end()};
}

// What keeps a way from having a plan: an operator that cannot be built alone, or all of them together.
void find_reason(PlannedWay& way, worker::KernelCosts& costs) {
    const auto is_reason = [&](const plan::Kernel& kernel) {
        const worker::KernelCost& cost = costs.of(kernel);
        if (cost.seconds < plan::kNever) return false;
        way.not_built = kernel;
        way.why_not = cost.why_not;
        return true;
    };
    for (int node = 0; node < costs.graph().nodes(); ++node)
        if (is_reason(way.name == "one" ? connected_with(costs.graph(), node) : plan::Kernel{node})) return;
}

PlannedWay planned(worker::ProgramWay way, worker::KernelCosts& costs) {
    PlannedWay made{.name = std::move(way.name), .plan = std::move(way.plan)};
    for (const plan::Kernel& kernel : made.plan.kernels)
        made.kernels.push_back({kernel, costs.of(kernel), costs.program(kernel)});
    if (made.none()) find_reason(made, costs);
    return made;
}

FoundPlansPtr found_plans(worker::KernelCosts& costs, std::vector<worker::ProgramWay> ways) {
    auto made = std::make_shared<FoundPlans>();
    made->program = costs.whole();
    made->device = costs.device();
    made->graph = costs.graph();
    for (int node = 0; node < made->graph.nodes(); ++node)
        made->does.push_back(plan::what_it_does(made->program, made->graph, node));
    for (worker::ProgramWay& way : ways) made->ways.push_back(planned(std::move(way), costs));
    std::stable_sort(made->ways.begin(), made->ways.end(), [](const PlannedWay& a, const PlannedWay& b) {
        return way_place(a.name) < way_place(b.name);
    });
    return made;
}

std::string key_of(const ArrayProgram& program, const Device& device) {
    return device.name + '\n' + print_program(program);
}

}  // namespace

double PlannedWay::bytes() const {
    double sum = 0;
    for (const PlannedKernel& kernel : kernels) sum += kernel.cost.bytes;
    return sum;
}

double PlannedWay::local_bytes() const {
    double most = 0;
    for (const PlannedKernel& kernel : kernels) most = std::max(most, kernel.cost.local_bytes);
    return most;
}

int PlannedWay::launches() const {
    int sum = 0;
    for (const PlannedKernel& kernel : kernels) sum += kernel.cost.launches;
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
    worker::KernelCosts costs;

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
    for (const auto& [found, searched] : known_)
        if (key == key_of(found->program, found->device) && found->device == forecast_.device()) {
            found_ = found;
            searched_ = searched;
        }
    Q_EMIT changed();
}

void PlanSearch::start() {
    look();
    if (!has_program() || found_) return;
    given_up_ = false;
    const auto job = [this, program = program_now(),
                      device = forecast_.device()](const Stop& stop) -> Work::Finish {
        auto searched = std::make_shared<Searched>(program, device);
        const Having having(*searched, stop);
        const auto told = [&stop](std::size_t done, std::size_t of) {
            if (of > 0) stop.done(kCandidatesShare * static_cast<double>(done) / static_cast<double>(of));
        };
        FoundPlansPtr found = found_plans(searched->costs, program_ways(searched->costs, told));
        return [this, found, searched] { take(found, searched); };
    };
    work_.start(tr("Finding the plan"), job);
    Q_EMIT changed();
}

void PlanSearch::take(FoundPlansPtr found, std::shared_ptr<Searched> searched) {
    found_ = std::move(found);
    searched_ = std::move(searched);
    known_.emplace_back(found_, searched_);
    if (known_.size() > kMostKnown) known_.erase(known_.begin());
    Q_EMIT changed();
}

void PlanSearch::cancel() {
    given_up_ = work_.busy();
    work_.cancel();
    Q_EMIT changed();
}

void PlanSearch::ask_why(std::size_t way, int a, int b) {
    if (!found_ || way >= found_->ways.size() || found_->ways[way].none() || a == b) return;
    asking_.start(
        tr("Asking why"),
        [this, searched = searched_, plan = found_->ways[way].plan, a, b](const Stop& stop) -> Work::Finish {
            const Having having(*searched, stop);
            const worker::PlanWhy why = worker::why_of(searched->costs, plan, a, b);
            return [this, a, b, why] { Q_EMIT answered(a, b, why); };
        });
}

}  // namespace blockscope

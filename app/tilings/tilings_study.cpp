#include "app/tilings/tilings_study.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>

#include "app/charts/chart.h"
#include "app/tilings/tilings_words.h"
#include "app/words/words.h"
#include "app/worker/probe.h"
#include "app/worker/tiling_timer.h"
#include "core/cost/models/baseline.h"
#include "core/tilings/workloads.h"

namespace blockscope {

namespace {

constexpr int kTakeEvery = 500;  // milliseconds between what measuring hands over

QString machine_text() {
    const measure::Machine machine = worker::this_machine();
    return TilingsStudy::tr("%1, %2 cores").arg(QString::fromStdString(machine.cpu)).arg(machine.cores);
}

// Times candidates in one job: on this machine's processor, or as a test has it.
class JobTimer {
public:
    JobTimer(const tilings::Space& space, const MeasureTiling& other) : space_(space), other_(other) {}

    std::optional<double> operator()(const tilings::Candidate& candidate) {
        return other_ ? other_(space_, candidate) : timer_.seconds(space_, candidate);
    }
    Text doubts() const {
        if (other_) return {};
        for (const Text& doubt : {timer_.wrong(), timer_.unchecked()})
            if (!doubt.empty()) return doubt;
        return worker::distrust_of(timer_.others());
    }

private:
    const tilings::Space& space_;
    const MeasureTiling& other_;
    worker::TilingTimer timer_{space_.chain};
};

// What is asked for, to be ranked in a job.
struct AskedSpace {
    std::string workload;
    ArrayProgram program;
    Device device;
    TilingChoices choices;
};

// As the command line has it: processors run everything in f32, whatever the program's type.
Result<RankedSpacePtr> ranked(const AskedSpace& asked, const Stop& stop) {
    Result<tilings::Chain> read = tilings::read_chain(asked.program);
    if (!read) return read.problems();
    tilings::Chain chain = std::move(read).value();
    if (asked.device.kind == DeviceKind::Cpu) chain.elem = ElemType::F32;
    const Result<tilings::TargetDevice> target = tilings::target_device(asked.device, chain.elem);
    if (!target) return target.problems();
    Result<tilings::Space> space =
        tilings::make_space(std::move(chain), *target, asked.choices.rules, stop.sign());
    if (!space) return space.problems();
    auto made = std::make_shared<RankedSpace>();
    made->workload = asked.workload;
    made->program = asked.program;
    made->device = asked.device;
    made->counts = asked.choices.counts;
    made->space = std::move(space).value();
    made->searcher = std::make_unique<const tilings::Searcher>(made->space, made->counts);
    const std::vector<double>& estimates = made->estimates();
    made->order.resize(estimates.size());
    std::iota(made->order.begin(), made->order.end(), 0);
    std::stable_sort(made->order.begin(), made->order.end(), [&](int a, int b) {
        return estimates[static_cast<std::size_t>(a)] < estimates[static_cast<std::size_t>(b)];
    });
    for (std::size_t i = 0; i < made->space.expressions.size(); ++i)
        made->expressions.emplace(
            tilings::to_string(made->space.expressions[i].expression.roots, made->space.chain),
            static_cast<int>(i));
    made->place.resize(estimates.size());
    for (std::size_t i = 0; i < made->order.size(); ++i)
        made->place[static_cast<std::size_t>(made->order[i])] = static_cast<int>(i);
    return RankedSpacePtr(std::move(made));
}

}  // namespace

std::string RankedSpace::text_of(int candidate) const {
    return tilings::to_string(space, space.candidates[static_cast<std::size_t>(candidate)]);
}

// Candidates are in the order of their expressions and tiles.
std::optional<int> RankedSpace::find(const std::string& text) const {
    const std::size_t first_tile = text.rfind(' ', text.find('='));
    if (first_tile == std::string::npos) return {};
    const auto expression = expressions.find(text.substr(0, first_tile));
    if (expression == expressions.end()) return {};
    tilings::Candidate wanted{.expression = expression->second};
    for (std::size_t at = text.find('=', first_tile); at != std::string::npos; at = text.find('=', at + 1))
        wanted.tiles.push_back(std::strtoll(text.c_str() + at + 1, nullptr, 10));
    const auto before = [](const tilings::Candidate& a, const tilings::Candidate& b) {
        return std::tie(a.expression, a.tiles) < std::tie(b.expression, b.tiles);
    };
    const auto row = std::lower_bound(space.candidates.begin(), space.candidates.end(), wanted, before);
    if (row == space.candidates.end() || before(wanted, *row)) return {};
    return static_cast<int>(row - space.candidates.begin());
}

// Handed over from the job that measures; what it measured is kept, however it ends.
struct TilingsStudy::Told {
    std::mutex mutex;
    std::vector<std::pair<std::string, std::optional<double>>> measured;
    std::optional<tilings::Search> search;
    QString merge, label;
    std::string workload, machine;
    KeptSearch kept;  // of the search
    Text doubts;      // of what was measured so far

    void doubt(const Text& sentence) {
        const std::lock_guard guard(mutex);
        doubts = sentence;
    }
    void tell(const std::string& candidate, const std::optional<double>& seconds) {
        const std::lock_guard guard(mutex);
        measured.emplace_back(candidate, seconds);
    }
};

TilingsStudy::TilingsStudy(Document& document)
    : document_(document), forecast_(Forecast::of(document)), machine_(machine_text()) {
    telling_.setInterval(kTakeEvery);
    connect(&telling_, &QTimer::timeout, this, &TilingsStudy::take_told);
    connect(&document_, &Document::opened, this, [this] {
        stop_measuring();
        work_.cancel();
        stating_.cancel();
        looked_at_.clear();
        found_ = nullptr;
        states_ = nullptr;
        search_.reset();
        replayed_.reset();
        doubts_.clear();
        cannot_measure_ = measuring_problem();
    });
    for (Work* work : {&work_, &measuring_})
        connect(work, &Work::progressed, this, &TilingsStudy::progressed);
    for (Work* work : {&work_, &measuring_, &stating_})
        connect(work, &Work::failed, this, [this](const QString& what) {
            take_told();
            Q_EMIT changed();
            Q_EMIT measured_changed();
            Q_EMIT failed(what);
        });
}

TilingsStudy::~TilingsStudy() {
    for (Work* work : {&work_, &measuring_, &stating_}) work->cancel();
}

TilingChoices TilingsStudy::choices() const {
    const bool kept = !document_.empty() && document_.content().tilings;
    return kept ? document_.content().tilings->choices : TilingChoices{};
}

void TilingsStudy::set_choices(const TilingChoices& choices) {
    if (document_.empty() || choices == this->choices()) return;
    TilingsWork work = document_.content().tilings ? *document_.content().tilings : TilingsWork{};
    work.choices = choices;
    document_.set_tilings(std::move(work), tr("Choose tilings"), QStringLiteral("tilings choices"));
}

ArrayProgram TilingsStudy::program_of(const std::string& workload) const {
    if (!workload.empty()) return tilings::workload_program(*tilings::find_workload(workload));
    return at_sizes(*document_.content().array, document_.content().program()->dims);
}

std::string TilingsStudy::key() const {
    if (document_.empty()) return {};
    const TilingChoices now = choices();
    const bool own = now.workload.empty();
    const std::string program = !own                        ? now.workload
                                : document_.content().array ? print_program(program_of({}))
                                                            : std::string("none");
    return forecast_.device().name + '\n' + std::to_string(static_cast<int>(now.rules.same)) +
           std::to_string(static_cast<int>(now.rules.padding)) +
           std::to_string(static_cast<int>(now.rules.tiles)) + (now.rules.flat ? "f" : "d") +
           std::to_string(static_cast<int>(now.counts)) + '\n' + program;
}

void TilingsStudy::look() {
    const std::string now = key();
    const bool same_device = found_ == nullptr || found_->device == forecast_.device();
    if (std::exchange(looked_at_, now) == now && same_device) {
        const TilingsWorkPtr kept = document_.empty() ? nullptr : document_.content().tilings;
        if (std::exchange(seen_, kept) == kept) return;
        replay();
        Q_EMIT changed();
        Q_EMIT measured_changed();
        return;
    }
    given_up_ = false;
    find();
}

void TilingsStudy::find() {
    stop_measuring();
    work_.cancel();
    stating_.cancel();
    given_up_ = false;
    found_ = nullptr;
    states_ = nullptr;
    search_.reset();
    replayed_.reset();
    doubts_.clear();
    why_not_.clear();
    cannot_measure_ = measuring_problem();
    seen_ = document_.empty() ? nullptr : document_.content().tilings;
    const TilingChoices now = choices();
    if (document_.empty() || (now.workload.empty() && !document_.content().array)) {
        why_not_ = document_.empty() ? tr("No program is open.")
                                     : no_chain_text(tr("This document holds a block program alone, whose "
                                                        "operators are in blocks already"));
        Q_EMIT changed();
        Q_EMIT measured_changed();
        return;
    }
    AskedSpace asked{now.workload, program_of(now.workload), forecast_.device(), now};
    work_.start(tr("Finding the space of tilings"),
                [this, asked = std::move(asked)](const Stop& stop) -> Work::Finish {
                    const Result<RankedSpacePtr> made = ranked(asked, stop);
                    if (made) return [this, found = *made] { take(found); };
                    const Text why = made.problems().front().message;
                    return [this, why] {
                        why_not_ = no_chain_text(translated(why));
                        Q_EMIT changed();
                    };
                });
    Q_EMIT changed();
    Q_EMIT measured_changed();
}

void TilingsStudy::take(RankedSpacePtr found) {
    found_ = std::move(found);
    cannot_measure_ = measuring_problem();
    replay();
    find_states();
    Q_EMIT changed();
    Q_EMIT measured_changed();
}

// States first, which are most of what is asked for; then programs for the other expressions.
void TilingsStudy::find_states() {
    stating_.start(tr("Finding the states of expressions"),
                   [this, found = found_](const Stop&) -> Work::Finish {
                       auto made = std::make_shared<ExpressionStates>();
                       made->matched = tilings::matched_states(found->space);
                       return [this, made] {
                           states_ = made;
                           Q_EMIT states_changed();
                           build_programs();
                       };
                   });
}

void TilingsStudy::build_programs() {
    stating_.start(tr("Building the programs of expressions"),
                   [this, found = found_, states = states_](const Stop&) -> Work::Finish {
                       auto made = std::make_shared<ExpressionStates>(*states);
                       made->built = tilings::built_programs(found->space, states->matched);
                       return [this, made] {
                           states_ = made;
                           Q_EMIT states_changed();
                       };
                   });
}

void TilingsStudy::cancel() {
    if (measuring_.busy()) {
        measuring_.cancel();
        take_told();
        Q_EMIT measured_changed();
        return;
    }
    given_up_ = work_.busy();
    work_.cancel();
    Q_EMIT changed();
}

// ---- Measured times.

const TilingsRun* TilingsStudy::run() const {
    if (!found_ || document_.empty() || !document_.content().tilings) return nullptr;
    const TilingsWork& work = *document_.content().tilings;
    if (const TilingsRun* here = work.run(found_->workload, machine_.toStdString())) return here;
    for (const TilingsRun& run : work.runs)
        if (run.workload == found_->workload) return &run;
    return nullptr;
}

std::vector<std::optional<double>> TilingsStudy::times() const {
    std::vector<std::optional<double>> times;
    if (!found_) return times;
    times.resize(found_->space.candidates.size());
    for (const auto& [candidate, seconds] : known(run()))
        times[static_cast<std::size_t>(candidate)] = seconds;
    return times;
}

std::vector<std::pair<int, std::optional<double>>> TilingsStudy::known(const TilingsRun* run) const {
    std::vector<std::pair<int, std::optional<double>>> rows;
    if (!run || !found_) return rows;
    for (const auto& [text, seconds] : run->measured)
        if (const auto candidate = found_->find(text)) rows.emplace_back(*candidate, seconds);
    return rows;
}

int TilingsStudy::measured() const {
    return static_cast<int>(known(run()).size());
}

QString TilingsStudy::measuring_problem() const {
    if (!found_) return tr("There is no space of tilings.");
    const tilings::Space& space = found_->space;
    if (space.candidates.empty()) return tr("The rules drop every candidate.");
    double bytes = 0;
    const auto add = [&](const std::vector<int>& loops) {
        double elements = static_cast<double>(space.chain.batch);
        for (const int loop : loops) elements *= static_cast<double>(space.chain.size(loop));
        bytes += elements * sizeof(float);
    };
    for (const tilings::TiledArray& input : space.chain.inputs) add(input.loops);
    for (const tilings::Product& product : space.chain.products) add({product.row, product.col});
    double flops = 0;
    // The least tiles, which compute most often again, are the first of each expression.
    for (std::size_t i = 0; i < space.candidates.size(); ++i)
        if (i == 0 || space.candidates[i].expression != space.candidates[i - 1].expression)
            flops = std::max(flops,
                             tilings::estimate(space, space.candidates[i], tilings::TripCounts::Block).flops);
    if (bytes <= kMostMeasuredBytes && flops <= kMostMeasuredFlops) return {};
    return tr("This chain is too large to be measured here: a candidate takes up to %1 operations and %2 of "
              "memory; at most %3 and %4 are run.")
        .arg(with_unit(flops, {}), with_unit(bytes, QStringLiteral("B")), with_unit(kMostMeasuredFlops, {}),
             with_unit(kMostMeasuredBytes, QStringLiteral("B")));
}

void TilingsStudy::start_measuring(const QString& title, std::function<void(const Stop&, Told&)> job) {
    take_told();
    auto told = told_ = std::make_shared<Told>();
    told->merge = QStringLiteral("tilings measured %1").arg(++jobs_);
    told->label = title;
    told->workload = found_->workload;
    told->machine = machine_.toStdString();
    told->kept = {.choices = choices(), .device = found_->device.name};
    told->kept.choices.workload = found_->workload;
    telling_.start();
    measuring_.start(title, [this, told, job = std::move(job)](const Stop& stop) -> Work::Finish {
        job(stop, *told);
        return [this] {
            take_told();
            telling_.stop();
            Q_EMIT measured_changed();
        };
    });
    Q_EMIT measured_changed();
}

void TilingsStudy::stop_measuring() {
    measuring_.cancel();
    telling_.stop();
    told_ = nullptr;
}

// Into the document, as one entry of undo for each job.
void TilingsStudy::take_told() {
    if (!told_ || document_.empty()) return;
    std::vector<std::pair<std::string, std::optional<double>>> measured;
    std::optional<tilings::Search> search;
    {
        const std::lock_guard guard(told_->mutex);
        measured.swap(told_->measured);
        search.swap(told_->search);
        doubts_ = translated(told_->doubts);
    }
    if (!measuring_.busy()) telling_.stop();
    if (measured.empty() && !search) return;
    TilingsWork work = document_.content().tilings ? *document_.content().tilings : TilingsWork{};
    TilingsRun& run = work.run_of(told_->workload, told_->machine);
    for (const auto& [candidate, seconds] : measured) run.measured[candidate] = seconds;
    if (search) {
        search_ = std::move(search);
        KeptSearch kept = told_->kept;
        kept.rounds = static_cast<int>(search_->rounds.size());
        run.search = replayed_ = kept;
    }
    document_.set_tilings(std::move(work), told_->label, told_->merge);
    seen_ = document_.content().tilings;  // an undo of this is another one
    Q_EMIT measured_changed();
}

void TilingsStudy::measure_all() {
    measure(found_ ? found_->order : std::vector<int>{});
}

// What is known already is not measured again, so that this goes on where it was ended; unless all is known.
void TilingsStudy::measure(const std::vector<int>& candidates) {
    if (!found_ || measuring_.busy() || !cannot_measure().isEmpty()) return;
    const TilingsWorkPtr kept = document_.content().tilings;
    std::vector<char> is_known(found_->space.candidates.size(), 0);
    for (const auto& [candidate, seconds] :
         known(kept ? kept->run(found_->workload, machine_.toStdString()) : nullptr))
        is_known[static_cast<std::size_t>(candidate)] = 1;
    std::vector<int> left;
    for (const int candidate : candidates)
        if (!is_known[static_cast<std::size_t>(candidate)]) left.push_back(candidate);
    if (left.empty()) left = candidates;
    start_measuring(
        tr("Measure tilings"), [ranked = found_, left, measure = measure_](const Stop& stop, Told& told) {
            JobTimer timer(ranked->space, measure);
            for (std::size_t i = 0; i < left.size() && !stop; ++i) {
                const auto& candidate = ranked->space.candidates[static_cast<std::size_t>(left[i])];
                told.tell(ranked->text_of(left[i]), timer(candidate));
                told.doubt(timer.doubts());
                stop.done(i + 1, left.size());
            }
        });
}

// ---- Algorithm 1.

// The search that is kept, by what was measured: no round that would have to measure something.
void TilingsStudy::replay() {
    const TilingsRun* known = run();
    if (!found_ || !known || !known->search || other_search()) {
        search_.reset();
        replayed_.reset();
        return;
    }
    if (search_ && replayed_ == known->search) return;
    replayed_ = known->search;
    search_ = found_->searcher->begin(known->search->choices.search_options());
    for (int round = 0; round < known->search->rounds; ++round) {
        bool missing = false;
        tilings::Search next = *search_;
        found_->searcher->round(next, [&](const tilings::Candidate& candidate) {
            const auto row = known->measured.find(tilings::to_string(found_->space, candidate));
            missing = missing || row == known->measured.end();
            return row == known->measured.end() ? std::optional<double>() : row->second;
        });
        if (missing) break;
        search_ = std::move(next);
    }
}

const KeptSearch* TilingsStudy::other_search() const {
    const TilingsRun* known = run();
    if (!known || !known->search) return nullptr;
    TilingChoices now = choices();
    now.workload = known->workload;
    const bool same = known->search->choices == now && known->search->device == found_->device.name;
    return same ? nullptr : &*known->search;
}

void TilingsStudy::next_round() {
    search_on(1);
}

void TilingsStudy::run_search() {
    search_on(tilings::SearchOptions{}.most_rounds);
}

void TilingsStudy::search_on(int rounds) {
    if (!found_ || measuring_.busy() || !cannot_measure().isEmpty()) return;
    tilings::Search begun = search_ ? *search_ : found_->searcher->begin(choices().search_options());
    if (begun.end != tilings::SearchEnd::GoesOn) return;
    const TilingsWorkPtr kept = document_.content().tilings;
    const TilingsRun* here = kept ? kept->run(found_->workload, machine_.toStdString()) : nullptr;
    auto known = std::make_shared<MeasuredTilings>(here ? here->measured : MeasuredTilings{});
    start_measuring(tr("Search tilings"), [ranked = found_, begun = std::move(begun), known, rounds,
                                           measure = measure_](const Stop& stop, Told& told) mutable {
        JobTimer timer(ranked->space, measure);
        const auto measured = [&](const tilings::Candidate& candidate) {
            const std::string text = tilings::to_string(ranked->space, candidate);
            const auto row = known->find(text);
            if (row != known->end()) return row->second;
            const std::optional<double> seconds = timer(candidate);
            told.tell(text, seconds);
            told.doubt(timer.doubts());
            (*known)[text] = seconds;
            return seconds;
        };
        for (int round = 0; round < rounds && begun.end == tilings::SearchEnd::GoesOn; ++round) {
            ranked->searcher->round(begun, measured, stop.sign());
            const std::lock_guard guard(told.mutex);
            told.search = begun;
        }
    });
}

void TilingsStudy::forget_search() {
    if (!run() || !run()->search || measuring_.busy()) return;
    TilingsWork work = *document_.content().tilings;
    work.run_of(found_->workload, run()->machine).search.reset();
    document_.set_tilings(std::move(work), tr("Begin the search anew"));
}

void TilingsStudy::measure_by(MeasureTiling measure, const QString& machine) {
    measure_ = std::move(measure);
    machine_ = machine;
}

}  // namespace blockscope

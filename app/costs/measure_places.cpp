#include "app/costs/measurements.h"

#include <algorithm>
#include <utility>

#include "app/words/words.h"
#include "app/worker/client.h"
#include "app/worker/predict.h"
#include "app/worker/probe.h"
#include "app/worker/session.h"
#include "core/cost/device.h"
#include "core/json/device_files.h"
#include "core/measure/sampling.h"

namespace blockscope {

namespace {

MeasurePlace this_processor() {
    MeasurePlace place;
    place.machine = worker::this_machine();
    place.model = place.machine.cpu;
    return place;
}

}  // namespace

MeasurePlaces::MeasurePlaces(QObject* parent)
    : QObject(parent),
      local_(worker::local_worker()),
      all_{this_processor()},
      work_(std::make_unique<Work>()) {}

MeasurePlaces::~MeasurePlaces() {
    stop_asking();
    work_.reset();
}

std::vector<std::string> MeasurePlaces::command_for(const std::string& host) const {
    return host.empty() ? local_ : worker::remote_worker(host);
}

QString MeasurePlaces::title(const MeasurePlace& place) {
    const QString host = QString::fromStdString(place.host);
    if (!place.is_card()) return host.isEmpty() ? tr("This processor") : tr("Processor of %1").arg(host);
    const QString card =
        QString::fromStdString(place.device) + QStringLiteral(": ") + QString::fromStdString(place.model);
    return host.isEmpty() ? card : tr("%1 (%2)").arg(card, host);
}

bool MeasurePlaces::add_host(const QString& host) {
    const QString name = host.trimmed();
    if (worker::remote_worker(name.toStdString()).empty()) {
        Q_EMIT answered(name, tr("\"%1\" is no name of a machine.").arg(name));
        return false;
    }
    if (!hosts_.contains(name)) {
        hosts_ << name;
        fresh_ << name;
    }
    if (!added_.contains(name)) added_ << name;
    look();
    return true;
}

void MeasurePlaces::forget_silent() {
    for (const QString& host : std::exchange(silent_, {})) hosts_.removeAll(host);
    problems_.clear();
    if (looking()) return look();  // for the others
    Q_EMIT changed();
}

void MeasurePlaces::stop_asking() {
    for (const auto& client : asking_) client->cancel();
    asking_.clear();
}

void MeasurePlaces::look() {
    stop_asking();
    std::vector<std::string> names{""};
    for (const QString& host : hosts_) names.push_back(host.toStdString());
    for (const std::string& host : names)
        asking_.push_back(std::make_shared<worker::Client>(command_for(host)));
    work_->start(
        tr("Looking for devices"), [this, names, clients = asking_](const Stop& stop) -> Work::Finish {
            Found found;
            for (std::size_t i = 0; i < names.size() && !stop; ++i) {
                const auto hello = clients[i]->hello();
                if (!hello) {
                    // That of this machine shows when something is measured.
                    if (names[i].empty()) continue;
                    const QString name = QString::fromStdString(names[i]);
                    found.silent << name;
                    // With ssh's own words.
                    found.problems << tr("%1 does not answer: %2 %3")
                                          .arg(name, as_sentence(hello.failure().message),
                                               QString::fromStdString(hello.failure().log).simplified())
                                          .trimmed();
                    continue;
                }
                for (const measure::BackendInfo& device : hello->devices)
                    if (device.name == "cpu" || !device.architecture.empty())
                        found.places.push_back({.host = names[i],
                                                .device = device.name,
                                                .model = device.model,
                                                .architecture = device.architecture,
                                                .machine = hello->machine});
            }
            return [this, found] { take(found); };
        });
    Q_EMIT changed();
}

void MeasurePlaces::take(const Found& found) {
    asking_.clear();
    looked_ = true;
    silent_ = found.silent;
    problems_ = found.problems;
    all_ = {this_processor()};
    for (const MeasurePlace& place : found.places)
        if (!(place == all_.front())) all_.push_back(place);
    const QStringList added = std::exchange(added_, {});
    for (const QString& host : std::exchange(fresh_, {}))
        if (silent_.contains(host)) hosts_.removeAll(host);
    Q_EMIT changed();
    for (const QString& host : added) {
        const auto at = silent_.indexOf(host);
        Q_EMIT answered(host, at < 0 ? QString() : problems_.at(at));
    }
}

namespace {

constexpr int kTuned = 8;  // choices of block sizes that are measured besides the state's own

class Carrying {
public:
    Carrying(const MeasurePlan& plan, worker::Client& client, const std::string& file,
             const PlanEvents& events)
        : plan_(plan), client_(client), session_(client, file), events_(events) {}

    PlanOutcome run() {
        wait_for_calm();
        switch (plan_.kind) {
            case MeasurePlan::Kind::MeasureStates:
                measure_all(plan_.jobs);
                break;
            case MeasurePlan::Kind::TuneBlocks:
                tune(plan_.jobs.at(0));
                break;
            case MeasurePlan::Kind::ComparePair:
                compare(plan_.jobs.at(0), plan_.jobs.at(1));
                break;
            case MeasurePlan::Kind::CalibrateDevice:
                calibrate();
                break;
        }
        client_.on_progress({});
        if (session_.file_problem()) outcome_.problem = text_of(*session_.file_problem());
        return std::move(outcome_);
    }

private:
    void watch(const std::string& name, int done, int total) {
        client_.on_progress([this, name, done, total](const measure::ProgressEvent& event) {
            events_.progressed(name, event, done, total);
        });
    }

    // A failure shows in what is measured next.
    void wait_for_calm() {
        if (plan_.wait_seconds <= 0) return;
        watch(plan_.jobs.empty() ? std::string() : plan_.jobs.front().name, 0, 1);
        const auto calm = session_.wait_for_calm(plan_.device, plan_.wait_seconds);
        if (calm) calm_ = *calm;
    }

    static bool cancelled(const std::optional<measure::Failure>& failure) {
        return failure && failure->cls == measure::FailureClass::Cancelled;
    }

    void take(const measure::Record& record, const std::string& name, int done, int total) {
        if (record.failure) outcome_.problem = Text("%1: %2", name, record.failure->message);
        events_.recorded(record, done, total);
    }

    std::vector<measure::Record> measure_all(const std::vector<MeasurePlan::Job>& jobs) {
        std::vector<measure::Record> records;
        const int total = static_cast<int>(jobs.size());
        for (int i = 0; i < total && !client_.cancelled(); ++i) {
            const MeasurePlan::Job& job = jobs[static_cast<std::size_t>(i)];
            watch(job.name, i, total);
            const measure::Record record = session_.run(job.task);
            if (cancelled(record.failure)) break;
            take(record, job.name, i + 1, total);
            records.push_back(record);
            show_result(job.task, record);
        }
        return records;
    }

    // ---- Block sizes

    static TunedRow searched_row(const worker::SearchRow& row) {
        return {.row = row, .model = worker::kCpuModel};
    }

    // Of a card: those that its search has found, the task's own first; nothing if it was cancelled.
    std::vector<worker::Task> candidates(const MeasurePlan::Job& job) {
        if (!plan_.card) {
            auto tasks = worker::tuning_candidates(job.task, plan_.machine, kTuned);
            for (const worker::Task& task : tasks) {
                rows_.emplace_back();
                rows_.back().row.dims = task.blocks->dims;
                rows_.back().row.predicted_seconds = task.predicted_seconds;
                rows_.back().model = task.model;
            }
            return tasks;
        }
        worker::CardSearch search{.architecture = plan_.architecture,
                                  .device = *plan_.card,
                                  .top = kTuned,
                                  .worker = client_.command()};
        search.watch = [this](const std::vector<worker::SearchRow>& rows) {
            std::vector<TunedRow> shown;
            for (const worker::SearchRow& row : rows) shown.push_back(searched_row(row));
            events_.searched(shown);
        };
        const auto found =
            worker::search_card(job.task, search, [&](const std::string& phase, int done, int total) {
                events_.progressed(job.name, {phase, done, total}, 0, 1);
                return !client_.cancelled();
            });
        if (!found) {
            if (!cancelled(found.failure())) outcome_.problem = found.failure().message;
            return {};
        }
        std::vector<worker::Task> tasks{job.task};
        for (const worker::CardChoice& choice : found->choices) {
            rows_.push_back(searched_row(choice.row));
            if (worker::is_of(choice.row, job.task))
                tasks.front() = choice.task;
            else
                tasks.push_back(choice.task);
        }
        for (const worker::SearchRow& row : found->refused) rows_.push_back(searched_row(row));
        return tasks;
    }

    void show_result(const worker::Task& task, const measure::Record& record) {
        if (rows_.empty()) return;
        auto found = std::find_if(rows_.begin(), rows_.end(),
                                  [&](const TunedRow& row) { return worker::is_of(row.row, task); });
        if (found == rows_.end()) {  // the state's own, which the search did not favour
            rows_.emplace_back();
            found = rows_.end() - 1;
            found->row.dims = task.blocks->dims;
            found->row.predicted_seconds = record.predicted_seconds.value_or(0);
            found->model = record.model;
        }
        found->record = record;
        if (record.warm) found->measured_seconds = record.warm->summary.median;
        if (record.failure) found->failure = record.failure->message;
        events_.searched(rows_);
    }

    void tune(const MeasurePlan::Job& job) {
        const std::vector<worker::Task> tasks = candidates(job);
        events_.searched(rows_);
        if (tasks.empty()) return;
        const auto name = [&](std::size_t i) { return job.name + " (" + blocks_of(tasks[i]) + ")"; };
        const auto total = static_cast<int>(tasks.size());
        const worker::Session::Raced raced =
            session_.race(tasks, [&](std::size_t i) { watch(name(i), static_cast<int>(i) / 2, total); });
        if (!client_.cancelled())
            for (std::size_t i = 0; i < tasks.size(); ++i) {
                take(raced.records[i], name(i), static_cast<int>(i) + 1, total);
                show_result(tasks[i], raced.records[i]);
            }
        rows_.clear();
        if (client_.cancelled() || !raced.best) return;
        TuneOutcome tuned{raced.records.front(), raced.records[*raced.best], total, {}};
        for (const std::size_t tie : raced.ties) tuned.ties.push_back(raced.records[tie]);
        outcome_.tuned = std::move(tuned);
    }

    static std::string blocks_of(const worker::Task& task) {
        std::string blocks = worker::short_blocks(task.blocks->dims, ", ");
        if (task.options.block_threads > 0)
            blocks += ", " + std::to_string(task.options.block_threads) + " threads";
        if (task.options.stages > 0) blocks += ", " + std::to_string(task.options.stages) + " stages";
        return blocks;
    }

    void compare(const MeasurePlan::Job& a, const MeasurePlan::Job& b) {
        const std::string name = a.name + " / " + b.name;
        watch(name, 0, 1);
        const worker::Session::Pair pair = session_.compare(a.task, b.task);
        if (cancelled(pair.a.failure)) return;
        take(pair.a, name, 1, 1);
        if (pair.b.warm) events_.recorded(pair.b, 1, 1);
        if (pair.a.against) outcome_.compared = pair.a;
    }

    void calibrate() {
        client_.on_progress([this](const measure::ProgressEvent& event) {
            events_.progressed("", event, event.done, event.total);
        });
        const auto answer = client_.calibrate({plan_.device});
        if (!answer) {
            if (!cancelled(answer.failure())) outcome_.problem = answer.failure().message;
            return;
        }
        Result<Device> device = read_device(json::print(answer->device), "the worker's description");
        if (!device) {
            outcome_.problem = text_of(device.problems().front());
            return;
        }
        Device described = std::move(device).value();
        std::filesystem::path file = plan_.calibration;
        if (!plan_.architecture.empty() || !plan_.host.empty()) {
            described.name = calibrated_name(plan_.host, plan_.device);
            file = plan_.calibration.parent_path() / (described.name + ".json");
        }
        outcome_.doubts = contradictions(described);
        const double others = std::max(answer->others.value_or(0), calm_.busy() ? *calm_.others : 0);
        if (others > measure::kBusyCores)
            outcome_.doubts.insert(outcome_.doubts.begin(), measure::distrust(others));
        // What is doubted is shown, and not kept.
        const auto problem =
            outcome_.doubts.empty() ? write_device_file(file, described) : std::optional<Problem>();
        if (problem)
            outcome_.problem = text_of(*problem);
        else
            outcome_.calibrated = std::move(described);
    }

    const MeasurePlan& plan_;
    worker::Client& client_;
    worker::Session session_;
    const PlanEvents& events_;
    PlanOutcome outcome_;
    std::vector<TunedRow> rows_;  // of the search that runs
    measure::Calm calm_;          // as the machine was found
};

}  // namespace

PlanOutcome carry_out(const MeasurePlan& plan, worker::Client& client, const std::string& results_file,
                      const PlanEvents& events) {
    return Carrying(plan, client, results_file, events).run();
}

}  // namespace blockscope

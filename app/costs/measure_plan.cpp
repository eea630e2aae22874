#include "app/costs/measure_plan.h"

#include <algorithm>

#include "app/worker/predict.h"
#include "app/worker/tuning.h"
#include "core/json/device_files.h"
#include "core/json/device_json.h"

namespace blockscope {

namespace {

constexpr int kTuned = 8;  // choices of block sizes that are measured besides the state's own

class Carrying {
public:
    Carrying(const MeasurePlan& plan, worker::Client& client, const std::string& file,
             const PlanEvents& events)
        : plan_(plan), client_(client), session_(client, file), events_(events) {}

    PlanOutcome run() {
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
        if (session_.file_problem()) outcome_.problem = to_string(*session_.file_problem());
        return std::move(outcome_);
    }

private:
    void watch(const std::string& name, int done, int total) {
        client_.on_progress([this, name, done, total](const measure::ProgressEvent& event) {
            events_.progressed(name, event, done, total);
        });
    }

    static bool cancelled(const std::optional<measure::Failure>& failure) {
        return failure && failure->cls == measure::FailureClass::Cancelled;
    }

    void take(const measure::Record& record, const std::string& name, int done, int total) {
        if (record.failure) outcome_.problem = name + ": " + record.failure->message;
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
        return {row, std::nullopt, {}, worker::kCpuModel};
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
        worker::CardSearch search{plan_.architecture, *plan_.card, kTuned, client_.command()};
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
        std::vector<MeasurePlan::Job> jobs;
        const std::vector<worker::Task> tasks = candidates(job);
        events_.searched(rows_);
        for (const worker::Task& task : tasks) {
            std::string blocks;
            for (const Dim& dim : task.blocks->dims)
                if (dim.kind == DimKind::Blocked)
                    blocks += (blocks.empty() ? "" : ", ") + dim.name + "/" + std::to_string(dim.block);
            if (task.options.block_threads > 0)
                blocks += ", " + std::to_string(task.options.block_threads) + " threads";
            if (task.options.stages > 0) blocks += ", " + std::to_string(task.options.stages) + " stages";
            jobs.push_back({job.name + " (" + blocks + ")", task});
        }
        const std::vector<measure::Record> records = measure_all(jobs);
        const measure::Record* best = worker::fastest(records);
        rows_.clear();
        if (client_.cancelled() || !best) return;
        outcome_.tuned = {records.front(), *best, static_cast<int>(records.size())};
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
            outcome_.problem = to_string(device.problems().front());
            return;
        }
        Device described = std::move(device).value();
        std::filesystem::path file = plan_.calibration;
        if (!plan_.architecture.empty() || !plan_.host.empty()) {
            described.name = calibrated_name(plan_.host, plan_.device);
            file = plan_.calibration.parent_path() / (described.name + ".json");
        }
        if (const auto problem = write_device_file(file, described))
            outcome_.problem = to_string(*problem);
        else
            outcome_.calibrated = std::move(described);
    }

    const MeasurePlan& plan_;
    worker::Client& client_;
    worker::Session session_;
    const PlanEvents& events_;
    PlanOutcome outcome_;
    std::vector<TunedRow> rows_;  // of the search that runs
};

}  // namespace

PlanOutcome carry_out(const MeasurePlan& plan, worker::Client& client, const std::string& results_file,
                      const PlanEvents& events) {
    return Carrying(plan, client, results_file, events).run();
}

}  // namespace blockscope

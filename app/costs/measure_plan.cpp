#include "app/costs/measure_plan.h"

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
            case MeasurePlan::Kind::CalibrateCpu:
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
        }
        return records;
    }

    void tune(const MeasurePlan::Job& job) {
        std::vector<MeasurePlan::Job> jobs;
        for (const worker::Task& task : worker::tuning_candidates(job.task, plan_.machine, kTuned)) {
            std::string blocks;
            for (const Dim& dim : task.blocks->dims)
                if (dim.kind == DimKind::Blocked)
                    blocks += (blocks.empty() ? "" : ", ") + dim.name + "/" + std::to_string(dim.block);
            jobs.push_back({job.name + " (" + blocks + ")", task});
        }
        const std::vector<measure::Record> records = measure_all(jobs);
        const measure::Record* best = worker::fastest(records);
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
        if (const auto problem = write_device_file(plan_.calibration, *device))
            outcome_.problem = to_string(*problem);
        else
            outcome_.calibrated = std::move(device).value();
    }

    const MeasurePlan& plan_;
    worker::Client& client_;
    worker::Session session_;
    const PlanEvents& events_;
    PlanOutcome outcome_;
};

}  // namespace

PlanOutcome carry_out(const MeasurePlan& plan, worker::Client& client, const std::string& results_file,
                      const PlanEvents& events) {
    return Carrying(plan, client, results_file, events).run();
}

}  // namespace blockscope

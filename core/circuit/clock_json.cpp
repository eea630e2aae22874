#include "core/circuit/clock_json.h"

#include <utility>

#include "core/json/device_names.h"

namespace blockscope::circuit {

namespace {

using json::Array;
using json::Object;

json::Value number(double value) {
    return json::Value(value);
}

}  // namespace

json::Value to_json(const Schedule& schedule) {
    Array tasks, scheduled, barriers;
    for (const LaneTask& task : schedule.tasks)
        tasks.push_back(
            json::Value(Object{{"name", task.name},
                               {"unit", json::unit_names().at(static_cast<std::size_t>(task.unit))},
                               {"clocks", number(task.clocks)},
                               {"overhead", number(task.overhead)}}));
    for (const ScheduledTask& task : schedule.scheduled)
        scheduled.push_back(json::Value(Object{{"lane", task.lane},
                                               {"iteration", task.iteration},
                                               {"task", task.task},
                                               {"start", number(task.start)},
                                               {"worked", number(task.worked)},
                                               {"end", number(task.end)}}));
    for (const Barrier& barrier : schedule.barriers)
        barriers.push_back(json::Value(Object{{"lane", barrier.lane},
                                              {"iteration", barrier.iteration},
                                              {"task", barrier.task},
                                              {"at", number(barrier.at)},
                                              {"waited", number(barrier.waited)}}));
    return json::Value(Object{{"format", "blockscope clocks"},
                              {"version", 1},
                              {"lanes", schedule.lanes},
                              {"period", number(schedule.period)},
                              {"tasks", json::Value(std::move(tasks))},
                              {"scheduled", json::Value(std::move(scheduled))},
                              {"barriers", json::Value(std::move(barriers))}});
}

}  // namespace blockscope::circuit

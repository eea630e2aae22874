#include "app/costs/measurements.h"

#include <QDateTime>
#include <algorithm>

#include "app/costs/forecast.h"
#include "app/words/words.h"
#include "app/worker/command.h"
#include "core/json/device_files.h"
#include "core/measure/results_file.h"
#include "core/safety/safety.h"

namespace blockscope {

namespace {

constexpr double kTelling = 0.03;  // of all work, from which on what is left can be guessed

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

}  // namespace

Measurements::Measurements(Document& document)
    : QObject(&document),
      document_(document),
      costs_(Costs::of(document)),
      forecast_(Forecast::of(document)),
      place_(places_.all().front()) {
    set_worker(worker::local_worker(), measure::default_results_file());
    calibration_ = local_cpu_file();
    connect(&document_, &Document::opened, this, [this] {
        cancel();
        forget_finding();
        keys_.clear();
        safe_.clear();
        Q_EMIT measured();
    });
    connect(&costs_, &Costs::choices_changed, this, &Measurements::measured);
    connect(&places_, &MeasurePlaces::answered, this, &Measurements::welcome);
    connect(this, &Measurements::measured, &costs_, [this] {
        if (costs_.heat() == HeatMetric::Measured) Q_EMIT costs_.heat_changed();
    });
}

Measurements::~Measurements() {
    client_->cancel();
    if (thread_) thread_->wait();
}

Measurements& Measurements::of(Document& document) {
    if (auto* found = document.findChild<Measurements*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new Measurements(document);
}

void Measurements::set_worker(std::vector<std::string> command, std::string results_file,
                              std::string device) {
    places_.set_worker(command);
    client_ = std::make_unique<worker::Client>(std::move(command));
    file_ = std::move(results_file);
    place_ = places_.all().front();
    place_.device = std::move(device);
    load_results();
}

void Measurements::choose(const MeasurePlace& place) {
    if (running_ || place == place_) return;
    if (thread_) thread_->wait();
    client_ = std::make_unique<worker::Client>(places_.command_for(place.host));
    place_ = place;
    target_.clear();
    forget_finding();
    Q_EMIT chosen();
    Q_EMIT measured();
}

void Measurements::set_target(const std::string& target) {
    if (running_ || target == target_) return;
    target_ = target;
    Q_EMIT chosen();
    Q_EMIT measured();
}

bool Measurements::tf32() const {
    return tf32_ && place_.is_card() && !document_.empty() && measured_type() == ElemType::F32;
}

void Measurements::set_tf32(bool on) {
    if (running_ || on == tf32_) return;
    tf32_ = on;
    Q_EMIT chosen();
    Q_EMIT measured();
}

ProgramPtr Measurements::measured_program(StateId state) const {
    const ProgramPtr& program = document_.content().history.state(state).program;
    if (!place_.is_card()) return program;
    ProgramPtr& safe = safe_[program];
    if (!safe) safe = std::make_shared<const BlockProgram>(make_safe(*program).program);
    return safe;
}

ElemType Measurements::measured_type() const {
    if (!place_.is_card()) return cpu_type(costs_.type());
    if (costs_.type()) return *costs_.type();
    const ProgramPtr& program = document_.content().history.state(0).program;
    if (declared_.first != program) declared_ = {program, declared_type(*program).value_or(ElemType::F32)};
    return declared_.second;
}

worker::Task Measurements::task_of(StateId state) const {
    const Content& content = document_.content();
    worker::Task task;
    task.program = content.name;
    task.state = RowNames(content.history).recorded(state);
    task.initial = content.history.state(0).program;
    if (content.array) task.array = *content.array;
    task.blocks = measured_program(state);
    task.device = place_.device;
    task.options.elem = measured_type();
    if (place_.is_card()) task.options.target = target_;
    task.options.tf32 = tf32();
    if (not_comparable().isEmpty())
        if (const PredictionPtr prediction = forecast_.at_once(state)) {
            task.predicted_seconds = prediction->seconds;
            task.model = forecast_.model().name;
            if (place_.is_card()) task.card = forecast_.device();
        }
    return task;
}

MeasurePlan Measurements::plan_of(MeasurePlan::Kind kind, const std::vector<StateId>& states) const {
    MeasurePlan plan{kind, {},          place_.machine, place_.device, place_.host, place_.architecture,
                     {},   calibration_};
    if (place_.is_card())
        plan.card = worker::description_for(forecast_.devices(), calibrated_name(place_.host, place_.device),
                                            place_.model, place_.architecture);
    for (const StateId state : states)
        plan.jobs.push_back({row_name(document_.content(), state).toStdString(), task_of(state)});
    return plan;
}

void Measurements::measure(const std::vector<StateId>& states) {
    if (running_ || states.empty() || document_.empty()) return;
    start(plan_of(MeasurePlan::Kind::MeasureStates, states));
}

void Measurements::tune(StateId state) {
    if (running_ || document_.empty()) return;
    search_.clear();
    Q_EMIT searched();
    start(plan_of(MeasurePlan::Kind::TuneBlocks, {state}));
}

void Measurements::compare(StateId a, StateId b) {
    if (running_ || document_.empty() || a == b) return;
    start(plan_of(MeasurePlan::Kind::ComparePair, {a, b}));
}

void Measurements::calibrate() {
    if (!running_) start(plan_of(MeasurePlan::Kind::CalibrateDevice, {}));
}

void Measurements::start(MeasurePlan plan) {
    running_ = true;
    cancelled_ = false;
    started_ = QDateTime::currentMSecsSinceEpoch();
    progress_ = {tr("Starting the worker"), 0, std::max(1, static_cast<int>(plan.jobs.size())), 0, {}};
    forget_finding();
    Q_EMIT progressed();
    client_->resume();
    if (thread_) thread_->wait();
    thread_.reset(QThread::create([this, plan = std::move(plan)] { run(plan); }));
    thread_->start();
}

// On the thread.
void Measurements::run(const MeasurePlan& plan) {
    PlanEvents events;
    events.progressed = [this](const std::string& name, const measure::ProgressEvent& event, int done,
                               int total) {
        QMetaObject::invokeMethod(
            this, [this, event, done, total, name] { show_progress(text(name), event, done, total); },
            Qt::QueuedConnection);
    };
    events.recorded = [this](const measure::Record& record, int done, int total) {
        QMetaObject::invokeMethod(
            this, [this, record, done, total] { arrived(record, done, total); }, Qt::QueuedConnection);
    };
    events.searched = [this](const std::vector<TunedRow>& rows) {
        QMetaObject::invokeMethod(
            this,
            [this, rows] {
                search_ = rows;
                Q_EMIT searched();
            },
            Qt::QueuedConnection);
    };
    const PlanOutcome outcome = carry_out(plan, *client_, file_, events);
    QMetaObject::invokeMethod(
        this, [this, outcome] { done(outcome); }, Qt::QueuedConnection);
}

void Measurements::arrived(const measure::Record& record, int done, int total) {
    keep(record);
    progress_.done = done;
    progress_.share = static_cast<double>(done) / total;
    Q_EMIT measured();
    Q_EMIT progressed();
}

void Measurements::show_progress(const QString& what, const measure::ProgressEvent& event, int done,
                                 int total) {
    const double part = event.total > 0 ? static_cast<double>(event.done) / event.total : 0;
    progress_.what = tr("%1: %2").arg(what.isEmpty() ? tr("Calibrating") : what, in_words(event.phase));
    progress_.done = done;
    progress_.total = std::max(1, total);
    progress_.share = std::max(progress_.share, (done + 0.9 * part) / progress_.total);
    const double passed = static_cast<double>(QDateTime::currentMSecsSinceEpoch() - started_) / 1000;
    if (progress_.share > kTelling) progress_.seconds_left = passed / progress_.share - passed;
    Q_EMIT progressed();
}

void Measurements::done(const PlanOutcome& outcome) {
    running_ = false;
    if (outcome.tuned) show_tuned(*outcome.tuned);
    if (outcome.compared) show_compared(*outcome.compared);
    if (outcome.calibrated) show_calibrated(*outcome.calibrated);
    const QString problem = outcome.problem.empty() ? QString() : as_sentence(outcome.problem);
    if (!problem.isEmpty() && !finding_) tell(problem);
    Q_EMIT progressed();
    Q_EMIT finished(problem);
}

void Measurements::cancel() {
    if (!running_) return;
    cancelled_ = true;
    client_->cancel();
}

}  // namespace blockscope

#include "app/costs/measurements.h"

#include <QDateTime>
#include <QLocale>
#include <QStringList>
#include <algorithm>

#include "app/charts/chart.h"
#include "app/costs/forecast.h"
#include "app/words/words.h"
#include "app/worker/client.h"
#include "core/json/device_files.h"
#include "core/measure/record.h"
#include "core/measure/sampling.h"

namespace blockscope {

namespace {

constexpr double kTelling = 0.03;  // of all work, from which on what is left can be guessed

QString message_text(const std::string& utf8) {
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
    return safe_.try_emplace(program, program, safe_form()).first->second.program();
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
    MeasurePlan plan{.kind = kind,
                     .jobs = {},
                     .machine = place_.machine,
                     .device = place_.device,
                     .host = place_.host,
                     .architecture = place_.architecture,
                     .card = {},
                     .calibration = calibration_};
    if (place_.is_card())
        plan.card = worker::description_for(forecast_.devices(), calibrated_name(place_.host, place_.device),
                                            place_.model, place_.architecture);
    if (!waiting_) plan.wait_seconds = 0;
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
    progress_ = {.what = tr("Starting the worker"), .total = std::max(1, static_cast<int>(plan.jobs.size()))};
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
            this, [this, event, done, total, name] { show_progress(message_text(name), event, done, total); },
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
    progress_.what = tr("%1: %2").arg(what.isEmpty() ? tr("Calibrating") : what,
                                      translated(measure::phase_text(event.phase)));
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
    if (outcome.calibrated) show_calibrated(*outcome.calibrated, outcome.doubts);
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

// What is known of states: results of the results file and of new measurements.

namespace {

constexpr std::size_t kMostOfState = 32;  // records of one state that are kept in memory
constexpr std::size_t kMostPrograms = 4;  // of one name, of which times are kept in memory

bool has_times(const measure::Record& record) {
    return record.warm && !record.failure;
}

// Null if there is none with this subject key.
const measure::Record* newest_of(const std::vector<measure::Record>& all, const std::string& key) {
    const auto found = std::find_if(all.rbegin(), all.rend(), [&](const measure::Record& record) {
        return measure::subject_key(record.subject) == key;
    });
    return found == all.rend() ? nullptr : &*found;
}

}  // namespace

void Measurements::load_results() {
    records_.clear();
    named_.clear();
    const auto results = measure::read_results(file_);
    if (!results) return;
    for (const measure::Record& record : results.value().records) keep(record);
    Q_EMIT measured();
}

void Measurements::keep(const measure::Record& record) {
    auto& known = records_[{record.subject.program_key, record.subject.state_key}];
    known.push_back(record);
    if (known.size() > kMostOfState) known.erase(known.begin());
    if (!has_times(record) || record.subject.program.empty()) return;
    // The command line names the file, the window the document.
    auto& named = named_[{content_name(record.subject.program), record.subject.state}];
    std::erase_if(named, [&](const measure::Record& other) {
        return other.subject.program_key == record.subject.program_key;
    });
    named.push_back(record);
    if (named.size() > kMostPrograms) named.erase(named.begin());
}

std::string Measurements::key_of(const ProgramPtr& program) const {
    const auto known = keys_.find(program);
    if (known != keys_.end()) return known->second;
    return keys_.emplace(program, measure::structure_key(*program)).first->second;
}

const std::vector<measure::Record>* Measurements::records_of(StateId state) const {
    if (document_.empty() || !document_.content().history.has(state)) return nullptr;
    const History& history = document_.content().history;
    // The key of a large program takes a while: it is not asked for where nothing was measured.
    const std::string initial = records_.empty() ? std::string() : key_of(history.state(0).program);
    const auto first = records_.lower_bound({initial, {}});
    if (first == records_.end() || first->first.first != initial) return nullptr;
    const auto found = records_.find({initial, key_of(measured_program(state))});
    return found == records_.end() || found->second.empty() ? nullptr : &found->second;
}

const measure::Record* Measurements::earlier_of(StateId state) const {
    if (document_.empty() || !document_.content().history.has(state)) return nullptr;
    const Content& content = document_.content();
    const std::string name = content_name(content.name);
    const auto any = named_.lower_bound({name, {}});
    if (any == named_.end() || any->first.first != name) return nullptr;
    const auto named = named_.find({name, RowNames(content.history).recorded(state)});
    if (named == named_.end()) return nullptr;
    const std::string now = key_of(content.history.state(0).program);
    const auto found =
        std::find_if(named->second.rbegin(), named->second.rend(),
                     [&](const measure::Record& record) { return record.subject.program_key != now; });
    return found == named->second.rend() ? nullptr : &*found;
}

std::optional<Measurements::Result> Measurements::of(StateId state) const {
    const std::vector<measure::Record>* all = records_of(state);
    const measure::Record* other = nullptr;
    // What failed at other sizes says nothing about these.
    if (all)
        for (const measure::Record& record : *all)
            if (has_times(record)) other = &record;
    if (!other) other = earlier_of(state);
    if (!all && !other) return {};
    const measure::Subject now = worker::subject_of(task_of(state), place_.machine);
    if (const measure::Record* same = all ? newest_of(*all, measure::subject_key(now)) : nullptr) {
        const auto wanted = costs_.type();
        const bool changed = !place_.is_card() && wanted && cpu_type(wanted) != *wanted;
        return Result{
            *same, changed ? tr("Measured in float32: processors take float32 and bf16 alone.") : QString()};
    }
    if (!other) return {};
    return Result{*other, stale_text(other->subject, now)};
}

std::vector<double> Measurements::kernels_of(StateId state) const {
    const std::vector<measure::Record>* all = records_of(state);
    if (!all) return {};
    const std::string key = measure::subject_key(worker::subject_of(task_of(state), place_.machine));
    const auto found = std::find_if(all->rbegin(), all->rend(), [&](const measure::Record& record) {
        return !record.kernels.empty() && measure::subject_key(record.subject) == key;
    });
    return found == all->rend() ? std::vector<double>() : found->kernels;
}

// What Measurements says: what was found, of which device, when, where and how it was measured.

namespace {

QString record_text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

QString timing_text(const measure::Timing& timing, const QString& kind) {
    const measure::Summary& s = timing.summary;
    return Measurements::tr("%1 %2: median of %3 samples; the true median is between %4 and %5 (%6\u00a0%)")
        .arg(time_text(s.median), kind)
        .arg(s.count)
        .arg(time_text(s.interval.low), time_text(s.interval.high))
        .arg(QLocale().toString(s.coverage * 100, 'f', 0));
}

// Of devices that tell their clock.
QString course_text(const measure::Timing& timing) {
    const measure::Course& course = timing.course;
    if (course.clock_hz <= 0) return {};
    QString line =
        Measurements::tr("clock %1\u00a0GHz").arg(QLocale().toString(course.clock_hz / 1e9, 'f', 2));
    if (course.slow) line += Measurements::tr(", less than three quarters of its best all the while");
    if (course.discarded > 0)
        line += Measurements::tr(", samples at less than three quarters of its best left out: %1")
                    .arg(course.discarded);
    if (timing.runs > 1) line += Measurements::tr(", %1 runs a sample").arg(timing.runs);
    if (timing.empty_seconds > 0)
        line += Measurements::tr(", an empty kernel takes %1").arg(time_text(timing.empty_seconds));
    return line;
}

// How much longer a state takes than the one it was compared with.
QString against_text(const measure::Record& record) {
    const measure::Ratio& ratio = record.against->ratio;
    const auto times = [](double number) { return QLocale().toString(number, 'f', 3); };
    const QString state = recorded_name_in_words(record.subject.state);
    const QString other = recorded_name_in_words(record.against->state);
    const QString sentence =
        ratio.tie() ? Measurements::tr("%1 and %2 take equally long as far as %3 pairs of runs can tell")
                          .arg(state, other)
                          .arg(ratio.pairs)
                    : Measurements::tr("%1 takes %2 times as long as %3, run in turn %4 times")
                          .arg(state, times(ratio.median), other)
                          .arg(ratio.pairs);
    return sentence + QLatin1Char(' ') +
           Measurements::tr("(the true ratio is between %1 and %2, %3\u00a0%)")
               .arg(times(ratio.interval.low), times(ratio.interval.high),
                    QLocale().toString(ratio.coverage * 100, 'f', 0));
}

}  // namespace

void Measurements::show_tuned(const TuneOutcome& tuned) {
    Finding finding;
    const QString time = time_text(tuned.best.warm->summary.median);
    const bool own = measure::subject_key(tuned.own.subject) == measure::subject_key(tuned.best.subject);
    if (own)
        finding.text = tr("Of %1 choices the present block sizes are fastest: %2").arg(tuned.tried).arg(time);
    else if (tuned.own.warm)
        finding.text =
            tr("Fastest of %1 choices: %2, %3 instead of %4")
                .arg(tuned.tried)
                .arg(dims_text(tuned.best.subject.dims), time, time_text(tuned.own.warm->summary.median));
    else
        finding.text = tr("Fastest of %1 choices: %2, %3")
                           .arg(tuned.tried)
                           .arg(dims_text(tuned.best.subject.dims), time);
    QStringList ties;
    for (const measure::Record& tie : tuned.ties) ties << dims_text(tie.subject.dims);
    if (!ties.isEmpty())
        finding.text += tr(". Not different from it, as far as the rounds can tell: %1")
                            .arg(ties.join(QStringLiteral("; ")));
    if (measure::disturbed(tuned.best.after))
        finding.text += QStringLiteral(". ") + translated(measure::distrust(*tuned.best.after.others));
    finding.how = record_text(tuned.best);
    if (!own) finding.dims = tuned.best.subject.dims;
    finding_ = std::move(finding);
    Q_EMIT found();
}

void Measurements::show_compared(const measure::Record& record) {
    tell(against_text(record), record_text(record));
}

// Predictions are for it from now on: that is what it was measured for.
void Measurements::show_calibrated(const Device& device, const std::vector<Text>& doubts) {
    if (doubts.empty()) {
        forecast_.reload();
        forecast_.set_device(device.name);
    }
    const bool card = device.kind == DeviceKind::Gpu;
    const double rate = device_rate(device, Unit::Matrix, card ? ElemType::F16 : ElemType::F32);
    QStringList parts{card ? tr("multiprocessors: %1").arg(device.processors.value)
                           : tr("cores: %1").arg(device.processors.value)};
    if (rate > 0) parts << with_unit(rate, QStringLiteral("FLOP/s"));
    for (const MemoryLevel& level : device.memory)
        if (level.bandwidth.known())
            parts << QString::fromStdString(level.name) + QLatin1Char(' ') +
                         with_unit(level.bandwidth.value, QStringLiteral("B/s"));
    QString sentence =
        tr("Calibrated %1 (%2).").arg(record_text(device.title), parts.join(QStringLiteral(", ")));
    for (const Text& doubt : doubts) sentence += QLatin1Char(' ') + translated(doubt);
    if (!doubts.empty())
        sentence +=
            QLatin1Char(' ') + tr("These figures are not kept: an earlier description stays as it is. "
                                  "(blockscope-cli calibrate --keep keeps them all the same.)");
    else if (forecast_.device().name == device.name)
        sentence += QLatin1Char(' ') + tr("Times are predicted for it from now on.");
    QString how;
    if (device.calibration)
        how = record_text(device.calibration->when) + QLatin1Char('\n') +
              record_text(device.calibration->machine) + QLatin1Char('\n') +
              record_text(device.calibration->how);
    tell(sentence, how);
}

// A machine that was added: its card is measured on if it has one, else its processor.
void Measurements::welcome(const QString& host, const QString& problem) {
    if (!problem.isEmpty()) return tell(tr("%1 It was not added.").arg(problem));
    const MeasurePlace* best = nullptr;
    QStringList devices;
    for (const MeasurePlace& place : places_.all()) {
        if (record_text(place.host) != host) continue;
        devices << record_text(place.model);
        if (!best || (place.is_card() && !best->is_card())) best = &place;
    }
    if (!best) return tell(tr("%1 has nothing to measure on.").arg(host));
    const QString found = tr("%1 answers: %2.").arg(host, devices.join(QStringLiteral(", ")));
    if (running_) return tell(found);
    const MeasurePlace chosen = *best;
    choose(chosen);
    tell(found + QLatin1Char(' ') +
         tr("Times are measured on it from now on: %1.").arg(MeasurePlaces::title(chosen)));
}

std::string Measurements::description_of(const MeasurePlace& place) const {
    if (!place.is_card())
        return place.host.empty() ? std::string(kLocalCpu) : calibrated_name(place.host, place.device);
    return worker::description_for(forecast_.devices(), calibrated_name(place.host, place.device),
                                   place.model, place.architecture)
        .name;
}

QString Measurements::not_comparable() const {
    if (tf32())
        return tr(
            "Times are measured with products in tf32, which no time is predicted for: descriptions of "
            "cards do not have its rate.");
    const Device& device = forecast_.device();
    if (device.name == description_of(place_)) return {};
    const QString here = MeasurePlaces::title(place_);
    for (const MeasurePlace& place : places_.all())
        if (device.name == description_of(place))
            return tr("Times are measured on \"%1\", but predicted for %2: measure on \"%3\" to compare "
                      "them.")
                .arg(here, record_text(device.title), MeasurePlaces::title(place));
    const bool described = find_device(forecast_.devices(), description_of(place_)) != nullptr;
    const QString advice =
        described
            ? tr("To compare, choose the device that is measured on (\"%1\") for predictions, too.").arg(here)
            : tr("To compare, calibrate the device that is measured on (\"%1\").").arg(here);
    return tr("%1 is not here to be measured: its times are only predicted.").arg(record_text(device.title)) +
           QLatin1Char(' ') + advice;
}

void Measurements::tell(const QString& record_text, const QString& how) {
    finding_ = Finding{record_text, how, {}};
    Q_EMIT found();
}

void Measurements::forget_finding() {
    if (!finding_) return;
    finding_.reset();
    Q_EMIT found();
}

QString stale_text(const measure::Subject& measured, const measure::Subject& now) {
    QStringList sentences;
    for (const Text& reason : measure::stale_reasons(measured, now)) sentences << translated(reason);
    return sentences.join(QLatin1Char(' '));
}

QString dims_text(const DimTable& dims) {
    QStringList parts;
    for (const Dim& dim : dims)
        if (dim.kind == DimKind::Blocked)
            parts << QStringLiteral("%1 = %2 / %3").arg(record_text(dim.name)).arg(dim.size).arg(dim.block);
    return parts.join(QStringLiteral(", "));
}

QString record_text(const measure::Record& record) {
    QStringList lines;
    if (record.against) lines << against_text(record);
    if (record.failure) lines << translated(record.failure->message);
    if (measure::disturbed(record.after)) lines << translated(measure::distrust(*record.after.others));
    if (record.warm) lines << timing_text(*record.warm, Measurements::tr("warm"));
    if (record.cold)
        lines << timing_text(*record.cold, Measurements::tr("cold, caches flushed before each run"));
    for (const auto* timing : {&record.warm, &record.cold})
        if (*timing && !course_text(**timing).isEmpty()) lines << course_text(**timing);
    if (record.check)
        lines << Measurements::tr("Checked: %1; error %2, allowed %3")
                     .arg(record_text(record.check->how), QString::number(record.check->error, 'g', 2),
                          QString::number(record.check->tolerance, 'g', 2));
    const QString threads =
        record.subject.threads > 0 ? QString::number(record.subject.threads) : Measurements::tr("all");
    lines << Measurements::tr("%1, %2, threads: %3, %4")
                 .arg(record_text(record.machine.cpu), record_text(record.subject.elem), threads,
                      record_text(record.machine.host));
    lines << Measurements::tr("%1, load %2, clock %3")
                 .arg(record_text(record.time), QLocale().toString(record.before.load, 'f', 1),
                      record.before.clock_ghz > 0
                          ? QLocale().toString(record.before.clock_ghz, 'f', 2) + QStringLiteral("\u00a0GHz")
                          : Measurements::tr("unknown"));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace blockscope

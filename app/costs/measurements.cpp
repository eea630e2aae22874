#include "app/costs/measurements.h"

#include <QDateTime>
#include <QLocale>
#include <QStringList>
#include <algorithm>

#include "app/costs/forecast.h"
#include "app/worker/command.h"
#include "app/worker/probe.h"
#include "core/measure/results_file.h"

namespace blockscope {

namespace {

constexpr std::size_t kMostOfState = 32;  // records of one state that are kept in memory

QString text(const std::string& utf8) {
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

}  // namespace

Measurements::Measurements(Document& document)
    : QObject(&document),
      document_(document),
      costs_(Costs::of(document)),
      forecast_(Forecast::of(document)),
      machine_(worker::this_machine()) {
    set_worker(worker::local_worker(), measure::default_results_file());
    connect(&document_, &Document::opened, this, [this] {
        cancel();
        keys_.clear();
        Q_EMIT measured();
    });
    connect(&costs_, &Costs::choices_changed, this, &Measurements::measured);
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
    client_ = std::make_unique<worker::Client>(std::move(command));
    file_ = std::move(results_file);
    device_ = std::move(device);
    load_results();
}

void Measurements::load_results() {
    records_.clear();
    const auto results = measure::read_results(file_);
    if (!results) return;
    for (const measure::Record& record : results.value().records) keep(record);
    Q_EMIT measured();
}

void Measurements::keep(const measure::Record& record) {
    auto& known = records_[{record.subject.program_key, record.subject.state_key}];
    known.push_back(record);
    if (known.size() > kMostOfState) known.erase(known.begin());
}

std::string Measurements::key_of(const ProgramPtr& program) const {
    const auto known = keys_.find(program);
    if (known != keys_.end()) return known->second;
    return keys_.emplace(program, measure::structure_key(*program)).first->second;
}

worker::Task Measurements::task_of(StateId state) const {
    const Content& content = document_.content();
    worker::Task task;
    task.program = content.name;
    task.state = row_name(content, state).toStdString();
    task.initial = content.history.state(0).program;
    if (content.array) task.array = *content.array;
    task.blocks = content.history.state(state).program;
    task.device = device_;
    task.options.elem = cpu_type(costs_.type());
    if (forecast_.device().kind == DeviceKind::Cpu)
        if (const auto prediction = forecast_.of(state)) {
            task.predicted_seconds = prediction->seconds;
            task.model = forecast_.model().name;
        }
    return task;
}

std::optional<Measurements::Result> Measurements::of(StateId state) const {
    if (document_.empty() || !document_.content().history.has(state)) return {};
    const History& history = document_.content().history;
    const auto found =
        records_.find({key_of(history.state(0).program), key_of(history.state(state).program)});
    if (found == records_.end() || found->second.empty()) return {};
    const measure::Subject now = worker::subject_of(task_of(state), machine_);
    const std::string key = measure::subject_key(now);
    const auto& all = found->second;
    const auto same = std::find_if(all.rbegin(), all.rend(), [&](const measure::Record& record) {
        return measure::subject_key(record.subject) == key;
    });
    if (same != all.rend()) return Result{*same, {}};
    return Result{all.back(), text(measure::stale_reason(all.back().subject, now))};
}

void Measurements::measure(const std::vector<StateId>& states) {
    if (running_ || states.empty() || document_.empty()) return;
    std::vector<Job> jobs;
    for (const StateId state : states)
        jobs.push_back({state, row_name(document_.content(), state), task_of(state)});
    running_ = true;
    started_ = QDateTime::currentMSecsSinceEpoch();
    progress_ = {tr("Starting the worker"), 0, static_cast<int>(jobs.size()), 0, {}};
    Q_EMIT progressed();
    client_->resume();
    if (thread_) thread_->wait();
    thread_.reset(QThread::create([this, jobs = std::move(jobs)]() mutable { run(std::move(jobs)); }));
    thread_->start();
}

// On the thread.
void Measurements::run(std::vector<Job> jobs) {
    worker::Session session(*client_, file_);
    QString problem;
    const int total = static_cast<int>(jobs.size());
    for (int i = 0; i < total && !client_->cancelled(); ++i) {
        const Job& job = jobs[static_cast<std::size_t>(i)];
        client_->on_progress([this, i, total, name = job.name](const measure::ProgressEvent& event) {
            QMetaObject::invokeMethod(
                this, [this, event, i, total, name] { show_progress(name, event, i, total); },
                Qt::QueuedConnection);
        });
        const measure::Record record = session.run(job.task);
        if (record.failure && record.failure->cls == measure::FailureClass::Cancelled) break;
        if (record.failure) problem = job.name + QStringLiteral(": ") + text(record.failure->message);
        QMetaObject::invokeMethod(
            this, [this, record, i, total] { arrived(record, i + 1, total); }, Qt::QueuedConnection);
    }
    if (session.file_problem()) problem = text(to_string(*session.file_problem()));
    QMetaObject::invokeMethod(
        this, [this, problem] { done(problem); }, Qt::QueuedConnection);
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
    progress_.what = tr("%1: %2").arg(what, text(event.phase));
    progress_.done = done;
    progress_.total = total;
    progress_.share = std::max(progress_.share, (done + 0.9 * part) / total);
    const double passed = static_cast<double>(QDateTime::currentMSecsSinceEpoch() - started_) / 1000;
    if (done > 0) progress_.seconds_left = passed / done * (total - done);
    Q_EMIT progressed();
}

void Measurements::done(const QString& problem) {
    running_ = false;
    Q_EMIT progressed();
    Q_EMIT finished(problem);
}

void Measurements::cancel() {
    if (running_) client_->cancel();
}

QString record_text(const measure::Record& record) {
    QStringList lines;
    if (record.failure) lines << text(record.failure->message);
    if (record.warm) lines << timing_text(*record.warm, Measurements::tr("warm"));
    if (record.cold)
        lines << timing_text(*record.cold, Measurements::tr("cold, caches flushed before each run"));
    if (record.check)
        lines << Measurements::tr("Checked: %1; error %2, allowed %3")
                     .arg(text(record.check->how), QString::number(record.check->error, 'g', 2),
                          QString::number(record.check->tolerance, 'g', 2));
    const QString threads =
        record.subject.threads > 0 ? QString::number(record.subject.threads) : Measurements::tr("all");
    lines << Measurements::tr("%1, %2, threads: %3, %4")
                 .arg(text(record.machine.cpu), text(record.subject.elem), threads,
                      text(record.machine.host));
    lines << Measurements::tr("%1, load %2, clock %3")
                 .arg(text(record.time), QLocale().toString(record.before.load, 'f', 1),
                      record.before.clock_ghz > 0
                          ? QLocale().toString(record.before.clock_ghz, 'f', 2) + QStringLiteral("\u00a0GHz")
                          : Measurements::tr("unknown"));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace blockscope

// What Measurements says: what was found, of which device, when, where and how it was measured.
#include <QLocale>
#include <QStringList>

#include "app/charts/range.h"
#include "app/costs/forecast.h"
#include "app/costs/measurements.h"
#include "app/words/words.h"
#include "core/json/device_files.h"

namespace blockscope {

namespace {

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
    finding.how = record_text(tuned.best);
    if (!own) finding.dims = tuned.best.subject.dims;
    finding_ = std::move(finding);
    Q_EMIT found();
}

void Measurements::show_compared(const measure::Record& record) {
    tell(against_text(record), record_text(record));
}

// Predictions are for it from now on: that is what it was measured for.
void Measurements::show_calibrated(const Device& device) {
    forecast_.reload();
    forecast_.set_device(device.name);
    const bool card = device.kind == DeviceKind::Gpu;
    const double rate = device_rate(device, Unit::Matrix, card ? ElemType::F16 : ElemType::F32);
    QStringList parts{card ? tr("multiprocessors: %1").arg(device.processors.value)
                           : tr("cores: %1").arg(device.processors.value)};
    if (rate > 0) parts << with_unit(rate, QStringLiteral("FLOP/s"));
    for (const MemoryLevel& level : device.memory)
        if (level.bandwidth.known())
            parts << in_words(level.name) + QLatin1Char(' ') +
                         with_unit(level.bandwidth.value, QStringLiteral("B/s"));
    QString sentence = tr("Calibrated %1 (%2).").arg(text(device.title), parts.join(QStringLiteral(", ")));
    if (forecast_.device().name == device.name)
        sentence += QLatin1Char(' ') + tr("Times are predicted for it from now on.");
    QString how;
    if (device.calibration)
        how = text(device.calibration->when) + QLatin1Char('\n') + text(device.calibration->machine) +
              QLatin1Char('\n') + text(device.calibration->how);
    tell(sentence, how);
}

// A machine that was added: its card is measured on if it has one, else its processor.
void Measurements::welcome(const QString& host, const QString& problem) {
    if (!problem.isEmpty()) return tell(tr("%1 It was not added.").arg(problem));
    const MeasurePlace* best = nullptr;
    QStringList devices;
    for (const MeasurePlace& place : places_.all()) {
        if (text(place.host) != host) continue;
        devices << text(place.model);
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
                .arg(here, text(device.title), MeasurePlaces::title(place));
    const bool described = find_device(forecast_.devices(), description_of(place_)) != nullptr;
    const QString advice =
        described
            ? tr("To compare, choose the device that is measured on (\"%1\") for predictions, too.").arg(here)
            : tr("To compare, calibrate the device that is measured on (\"%1\").").arg(here);
    return tr("%1 is not here to be measured: its times are only predicted.").arg(text(device.title)) +
           QLatin1Char(' ') + advice;
}

void Measurements::tell(const QString& text, const QString& how) {
    finding_ = Finding{text, how, {}};
    Q_EMIT found();
}

void Measurements::forget_finding() {
    if (!finding_) return;
    finding_.reset();
    Q_EMIT found();
}

QString stale_text(const measure::Subject& measured, const measure::Subject& now) {
    QStringList sentences;
    for (const std::string& reason : measure::stale_reasons(measured, now)) sentences << in_words(reason);
    return sentences.join(QLatin1Char(' '));
}

QString dims_text(const DimTable& dims) {
    QStringList parts;
    for (const Dim& dim : dims)
        if (dim.kind == DimKind::Blocked)
            parts << QStringLiteral("%1 = %2 / %3").arg(text(dim.name)).arg(dim.size).arg(dim.block);
    return parts.join(QStringLiteral(", "));
}

QString record_text(const measure::Record& record) {
    QStringList lines;
    if (record.against) lines << against_text(record);
    if (record.failure) lines << text(record.failure->message);
    if (record.warm) lines << timing_text(*record.warm, Measurements::tr("warm"));
    if (record.cold)
        lines << timing_text(*record.cold, Measurements::tr("cold, caches flushed before each run"));
    for (const auto* timing : {&record.warm, &record.cold})
        if (*timing && !course_text(**timing).isEmpty()) lines << course_text(**timing);
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

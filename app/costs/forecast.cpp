#include "app/costs/forecast.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/charts/chart.h"
#include "app/costs/baselines.h"
#include "app/document/work.h"
#include "app/words/words.h"
#include "app/worker/predict.h"
#include "core/cost/device.h"
#include "core/cost/models/fit.h"
#include "core/cost/models/model.h"
#include "core/json/device_files.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

struct DeviceNumbersWords {
    Q_DECLARE_TR_FUNCTIONS(blockscope::DeviceNumbers)
};

QString device_text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

QString amount(double value, const char* unit) {
    return *unit ? with_unit(value, QString::fromLatin1(unit)) : QLocale().toString(value, 'g', 12);
}

// "clock: 1.98 GHz (boost clock of f32 operations)", and below it the source.
QString figure_text(const Device& device, const QString& name, const DeviceFigure& figure, const char* unit) {
    QString line = QStringLiteral("%1: %2").arg(name, amount(figure.value, unit));
    if (!figure.how.empty()) line += QStringLiteral(" (%1)").arg(device_text(figure.how));
    const Source* source = source_of(device, figure);
    if (!source) return line;
    line += QStringLiteral("\n    ") + device_text(source->title);
    return source->url.empty() ? line : line + QStringLiteral(", ") + device_text(source->url);
}

QString processors_text(const Device& device) {
    return figure_text(device, DeviceNumbersWords::tr("processors"), device.processors, "");
}

QString bandwidth_derivation(const Device& device, const MemoryLevel& level) {
    const double processors = device.processors.value;
    const double instances = instances_of(device, level, processors);
    QString formula =
        QStringLiteral("%1 \u00b7 %2").arg(amount(level.bandwidth.value, "B/s"), amount(instances, ""));
    QStringList figures{
        figure_text(device, DeviceNumbersWords::tr("bandwidth of one instance"), level.bandwidth, "B/s"),
        DeviceNumbersWords::tr("instances: %1").arg(amount(instances, "")), processors_text(device)};
    if (level.processor_bandwidth.known()) {
        formula = QStringLiteral("min(%1, %2 \u00b7 %3)")
                      .arg(formula, amount(level.processor_bandwidth.value, "B/s"), amount(processors, ""));
        figures << figure_text(device, DeviceNumbersWords::tr("what one processor draws"),
                               level.processor_bandwidth, "B/s");
    }
    return QStringLiteral("%1 = %2\n\n%3")
        .arg(amount(bandwidth_for(device, level, processors), "B/s"), formula,
             figures.join(QLatin1Char('\n')));
}

QString rate_derivation(const Device& device, Unit unit, ElemType elem) {
    const RateParts parts = rate_parts(device, unit, elem);
    QStringList lines;
    if (parts.clock) {
        lines << QStringLiteral("%1 = %2 \u00b7 %3 \u00b7 %4")
                     .arg(amount(device_rate(device, unit, elem), "FLOP/s"),
                          amount(parts.rate->per_clock.value, ""), amount(device.processors.value, ""),
                          amount(parts.clock->value, "Hz"))
              << QString()
              << figure_text(device, DeviceNumbersWords::tr("operations a clock and processor"),
                             parts.rate->per_clock, "")
              << processors_text(device)
              << figure_text(device, DeviceNumbersWords::tr("clock"), *parts.clock, "Hz");
    } else {
        lines << DeviceNumbersWords::tr("peak = %1, as stated").arg(amount(parts.rate->peak.value, "FLOP/s"))
              << QString() << figure_text(device, DeviceNumbersWords::tr("peak"), parts.rate->peak, "FLOP/s");
    }
    if (parts.rate->elem != elem)
        lines << DeviceNumbersWords::tr("No rate is listed for %1: that of %2 stands for it.")
                     .arg(device_text(to_string(elem)), device_text(to_string(parts.rate->elem)));
    return lines.join(QLatin1Char('\n'));
}

class Ceilings {
public:
    explicit Ceilings(const Device& device) : device_(device) {}

    void add(const MemoryLevel& level) {
        const double rate = bandwidth_for(device_, level, device_.processors.value);
        if (rate > 0)
            add(device_text(level.name) + QLatin1Char(' ') + amount(rate, "B/s"), rate, true,
                bandwidth_derivation(device_, level));
    }
    // `name` has places for the type and the rate.
    void add(Unit unit, ElemType elem, const QString& name) {
        const double rate = device_rate(device_, unit, elem);
        if (rate > 0)
            add(name.arg(device_text(to_string(elem)), amount(rate, "FLOP/s")), rate, false,
                rate_derivation(device_, unit, elem));
    }

    std::vector<RooflineCeiling> made;

private:
    void add(const QString& name, double rate, bool level, const QString& derivation) {
        const QString tip = device_text(device_.title) + QLatin1Char('\n') + name + QLatin1Char('\n') +
                            DeviceNumbersWords::tr("A click opens where it comes from.");
        made.push_back({.name = name,
                        .rate = rate,
                        .level = level,
                        .tip = tip,
                        .title = device_text(device_.title) + QStringLiteral(", ") + name,
                        .derivation = derivation});
    }

    const Device& device_;
};

}  // namespace

std::vector<RooflineCeiling> ceilings_of(const Device& device, ElemType elem) {
    Ceilings ceilings(device);
    for (const MemoryLevel& level : device.memory)
        if (level.role != LevelRole::Registers && level.role != LevelRole::Shared) ceilings.add(level);
    const double matrix = device_rate(device, Unit::Matrix, elem);
    const double vector = device_rate(device, Unit::Vector, ElemType::F32);
    if (matrix == vector && elem == ElemType::F32) {  // one line has one name
        ceilings.add(Unit::Matrix, elem, DeviceNumbersWords::tr("matrix and vector %1 %2"));
    } else {
        ceilings.add(Unit::Matrix, elem, DeviceNumbersWords::tr("matrix %1 %2"));
        ceilings.add(Unit::Vector, ElemType::F32, DeviceNumbersWords::tr("vector %1 %2"));
    }
    return std::move(ceilings.made);
}

QString limit_derivation(const Device& device) {
    const MemoryLevel* level = local_level(device);
    if (!level) return {};
    const bool block = level->block_capacity.known();
    const DeviceFigure& figure = block ? level->block_capacity : level->capacity;
    const QString name = block ? DeviceNumbersWords::tr("shared memory that one thread block may have")
                               : DeviceNumbersWords::tr("capacity of one core");
    const auto digits_of = [](const MemoryLevel& of) {
        return QLocale().toString(static_cast<qlonglong>(local_capacity(of)));
    };
    QString text = DeviceNumbersWords::tr("limit = %1 bytes").arg(digits_of(*level)) +
                   QStringLiteral("\n\n") + figure_text(device, name, figure, "B");
    const MemoryLevel* registers = first_level(device, LevelRole::Registers);
    if (device.kind != DeviceKind::Gpu || !registers) return text;
    return text + QStringLiteral("\n\n") +
           DeviceNumbersWords::tr(
               "limit for sums = %1 bytes, 216 of 256 registers of each thread: the rest "
               "holds addresses and operands")
               .arg(digits_of(*registers)) +
           QStringLiteral("\n\n") +
           figure_text(device, DeviceNumbersWords::tr("registers"), registers->capacity, "B");
}

namespace {

struct TimeNumbersWords {
    Q_DECLARE_TR_FUNCTIONS(blockscope::TimeNumbers)
};

QString digits(double number, int decimals) {
    return QLocale().toString(number, 'f', decimals);
}

QString percent(double share) {
    return digits(100 * share, 1) + QStringLiteral("\u00a0%");
}

// What is said of one of a ratio's two times.
QString source_text(Document& document, const StateTimes& times, StateId state, bool measured) {
    const QString name = row_name(document.content(), state) + QStringLiteral(":\n");
    if (measured) return name + times.how;
    const Forecast& forecast = Forecast::of(document);
    const auto prediction = forecast.of(state);
    if (!prediction) return name + times.binds;
    return name + prediction_details(*prediction, forecast.device(), forecast.model());
}

std::vector<double> logarithms(std::vector<double> values) {
    for (double& value : values) value = std::log(value);
    return values;
}

// "12.3 / sqrt(4.5 · 6.7) = 0.998"
QString correlation_text(const std::vector<double>& x, const std::vector<double>& y) {
    const CorrelationSums sums = correlation_sums(x, y);
    return QStringLiteral(
               "\u03a3(x\u2212x\u0304)(y\u2212y\u0304) / "
               "\u221a(\u03a3(x\u2212x\u0304)\u00b2 \u00b7 \u03a3(y\u2212y\u0304)\u00b2) = "
               "%1 / \u221a(%2 \u00b7 %3) = %4")
        .arg(digits(sums.xy, 3), digits(sums.xx, 3), digits(sums.yy, 3), digits(*pearson(x, y), 3));
}

QString regret_text(const Content& content, const ComparedTimes& of) {
    const std::size_t pick = predicted_pick(of.predicted, of.measured);
    const auto fastest = static_cast<std::size_t>(std::min_element(of.measured.begin(), of.measured.end()) -
                                                  of.measured.begin());
    return TimeNumbersWords::
        tr("Regret of the model's pick: %1 is predicted to be fastest and takes %2; the fastest, %3, takes "
           "%4: %2 / %4 \u2212 1 = %5")
            .arg(row_name(content, of.states[pick]), time_text(of.measured[pick]),
                 row_name(content, of.states[fastest]), time_text(of.measured[fastest]),
                 percent(of.measured[pick] / of.measured[fastest] - 1));
}

}  // namespace

QString ratio_derivation(Document& document, const CostTable& table, const TimesOf& times, StateId state) {
    const std::optional<RatioTimes> both = table.ratio_times(state);
    if (!both) return {};
    const Baselines& baselines = Baselines::of(document);
    const QString formula =
        TimeNumbersWords::tr("%1 = %2 / %3")
            .arg(digits(both->now / both->base, 3), time_text(both->now), time_text(both->base));
    const QString what =
        (both->measured ? TimeNumbersWords::tr("The measured time of %1 over that of %2, the baseline.")
                        : TimeNumbersWords::tr("The predicted time of %1 over that of %2, the baseline."))
            .arg(row_name(document.content(), state), baselines.name());
    QStringList parts{formula + QLatin1Char('\n') + what,
                      source_text(document, times(state), state, both->measured)};
    const StateId base = Costs::of(document).baseline();
    if (baselines.kind() != BaselineKind::Unfused)
        parts << baselines.derivation(baselines.kind());
    else if (base != state)
        parts << source_text(document, times(base), base, both->measured);
    return parts.join(QStringLiteral("\n\n"));
}

ComparedTimes compared_times(const Costs& costs, const TimesOf& times) {
    ComparedTimes compared;
    const auto usable = [](const std::optional<double>& seconds) {
        return seconds && std::isfinite(*seconds) && *seconds > 0;
    };
    for (const StateId id : costs.rows()) {
        const StateTimes known = times(id);
        if (!usable(known.predicted) || !usable(known.measured) || !known.comparable || known.stale) continue;
        compared.states.push_back(id);
        compared.predicted.push_back(*known.predicted);
        compared.measured.push_back(*known.measured);
    }
    return compared;
}

QString agreement_derivation(Document& document, const TimesOf& times) {
    const Content& content = document.content();
    const ComparedTimes of = compared_times(Costs::of(document), times);
    if (of.states.empty()) return {};
    const std::vector<double> predicted_ranks = ranks(of.predicted);
    const std::vector<double> measured_ranks = ranks(of.measured);
    QStringList lines;
    QStringList errors;
    for (std::size_t i = 0; i < of.states.size(); ++i) {
        const double error = std::abs(of.predicted[i] - of.measured[i]) / of.measured[i];
        errors << percent(error);
        lines << TimeNumbersWords::tr(
                     "%1: predicted %2 (rank %3), measured %4 (rank %5); error |%2 \u2212 %4| / %4 = %6")
                     .arg(row_name(content, of.states[i]), time_text(of.predicted[i]),
                          QLocale().toString(predicted_ranks[i]), time_text(of.measured[i]),
                          QLocale().toString(measured_ranks[i]), errors.back());
    }
    QStringList statistics;
    const Agreement all = agreement(of.predicted, of.measured);
    if (all.pearson)
        statistics << TimeNumbersWords::tr(
                          "Pearson's coefficient, x and y the logarithms of the predicted and "
                          "the measured seconds: %1")
                          .arg(correlation_text(logarithms(of.predicted), logarithms(of.measured)));
    if (all.spearman)
        statistics << TimeNumbersWords::tr("Spearman's coefficient, x and y their ranks: %1")
                          .arg(correlation_text(predicted_ranks, measured_ranks));
    statistics << TimeNumbersWords::tr("Mean error: (%1) / %2 = %3")
                      .arg(errors.join(QStringLiteral(" + ")))
                      .arg(of.states.size())
                      .arg(percent(*all.error));
    statistics << regret_text(content, of);
    return lines.join(QLatin1Char('\n')) + QStringLiteral("\n\n") + statistics.join(QLatin1Char('\n'));
}

namespace {

constexpr std::size_t kMostKernels = 300;  // of which a prediction tells the terms
// Kernels whose times are predicted in the interface thread: of one state, and of all that are asked for
// before it goes back to its events (some 4 milliseconds).
constexpr std::size_t kMostAtOnce = 400;
constexpr std::size_t kMostInATurn = 400;
constexpr std::size_t kTogether = 8;  // states whose times come back together from another thread
// How many times as long a kernel takes that has to be generated for it.
constexpr std::size_t kGenerated = 40;

// The one place of the window that predicts the time of what runs: on a card as its kernels are generated, on
// a processor as its engine plans.
PredictionPtr made_prediction(const TimeModel& model, const StateCosts& costs, const Device& device,
                              const StopSign& stop = kNeverStop) {
    return std::make_shared<const Prediction>(
        device.kind == DeviceKind::Gpu ? worker::predict_as_built(model, costs.built, device, {}, stop)
                                       : predict(model, costs.work(), device));
}

QString forecast_text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

// What the model makes of a kernel's terms: their sum, the longest of them, or less than all together, as
// they overlap.
QString terms_text(const KernelTime& kernel) {
    QStringList terms;
    double sum = 0;
    double longest = 0;
    for (const TimeTerm& term : kernel.terms) {
        if (term.seconds <= 0) continue;
        terms << translated(term_text(term.name)) + QLatin1Char(' ') + time_text(term.seconds);
        sum += term.seconds;
        longest = std::max(longest, term.seconds);
    }
    const QString time = time_text(kernel.seconds);
    const auto is = [&](double seconds) { return std::abs(kernel.seconds - seconds) <= 1e-6 * seconds; };
    if (is(sum)) return time + QStringLiteral(" = ") + terms.join(QStringLiteral(" + "));
    const QString all = terms.join(QStringLiteral(", "));
    if (is(longest)) return Forecast::tr("%1, the longest of %2").arg(time, all);
    return Forecast::tr("%1, as they overlap, of %2").arg(time, all);
}

// What predictions are kept by.
StateCostsPtr in_plain(const StateCostsPtr& costs) {
    StateCostsPtr plain = costs ? costs->plain.lock() : nullptr;
    return plain ? plain : costs;
}

}  // namespace

Forecast::Forecast(Document& document)
    : QObject(&document),
      document_(document),
      costs_(Costs::of(document)),
      model_(find_time_model(kUsualModel)),
      soon_(new QTimer(this)),
      turn_(new QTimer(this)),
      later_(new Work(this)) {
    if (!model_) model_ = &time_models().front();
    soon_->setSingleShot(true);
    connect(soon_, &QTimer::timeout, this, &Forecast::predict_wanted);
    turn_->setSingleShot(true);
    connect(turn_, &QTimer::timeout, this, [this] { this_turn_ = 0; });
    connect(later_, &Work::failed, this, [this](const QString& what) {
        wanted_.clear();  // it would fail again
        Q_EMIT failed(what);
    });
    connect(&costs_, &Costs::choices_changed, this, &Forecast::forget);
    connect(&document_, &Document::opened, this, &Forecast::forget);
    connect(&document_, &Document::content_changed, this, [this] { cancelled_ = false; });
    connect(this, &Forecast::changed, &costs_, [this] {
        if (costs_.heat() == HeatMetric::Predicted) Q_EMIT costs_.heat_changed();
    });
    reload();
}

Forecast& Forecast::of(Document& document) {
    if (auto* found = document.findChild<Forecast*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new Forecast(document);
}

void Forecast::reload() {
    DeviceList list = load_devices();
    devices_ = std::move(list.devices);
    problems_.clear();
    for (const Problem& problem : list.problems) problems_ << translated(problem);
    if (!find_device(devices_, device_)) device_ = find_device(devices_, kLocalCpu) ? kLocalCpu : kUsualCard;
    forget();
    costs_.set_on_processor(device().kind == DeviceKind::Cpu);
    Q_EMIT changed();
}

const Device& Forecast::device() const {
    const Device* found = find_device(devices_, device_);
    if (!found) throw InternalError("no device " + device_);
    return *found;
}

void Forecast::set_device(const std::string& name) {
    if (name == device_ || !find_device(devices_, name)) return;
    device_ = name;
    forget();
    costs_.set_on_processor(device().kind == DeviceKind::Cpu);
    Q_EMIT changed();
}

void Forecast::set_model(const std::string& name) {
    const TimeModel* found = find_time_model(name);
    if (!found || found == model_) return;
    model_ = found;
    forget();
    Q_EMIT changed();
}

PredictionPtr Forecast::of(StateId state) const {
    return of(costs_.of(state));
}

// Times are of what is built, in whatever form the state is listed.
PredictionPtr Forecast::of(const StateCostsPtr& listed) const {
    const StateCostsPtr costs = in_plain(listed);
    if (!costs) return nullptr;
    const auto known = predictions_.find(costs);
    if (known != predictions_.end()) return known->second;
    const bool generated = device().kind == DeviceKind::Gpu && model_->name == kUsualModel;
    const std::size_t kernels = costs->work().kernels.size() * (generated ? kGenerated : 1);
    if (kernels > kMostAtOnce || this_turn_ + kernels > kMostInATurn) {
        predict_later(costs);
        return nullptr;
    }
    this_turn_ += kernels;
    turn_->start();
    return predicted(costs);
}

PredictionPtr Forecast::at_once(StateId state) const {
    const StateCostsPtr costs = in_plain(costs_.of(state));
    return costs ? predicted(costs) : nullptr;
}

PredictionPtr Forecast::listed(const StateCostsPtr& costs) const {
    PredictionPtr whole = of(costs);
    if (!whole || costs->built == costs->state) return whole;
    if (listed_.first == costs) return listed_.second;
    auto spread =
        std::make_shared<Prediction>(predict(*model_, worker::work_on(costs->state, device()), device()));
    const double scale = spread->seconds > 0 ? whole->seconds / spread->seconds : 1;
    for (KernelTime& kernel : spread->kernels) {
        kernel.seconds *= scale;
        for (TimeTerm& term : kernel.terms) term.seconds *= scale;
    }
    spread->seconds = whole->seconds;
    listed_ = {costs, spread};
    return spread;
}

PredictionPtr Forecast::predicted(const StateCostsPtr& costs) const {
    PredictionPtr& known = predictions_[costs];
    if (!known) {
        forget_unused();
        known = made_prediction(*model_, *costs, device());
    }
    return known;
}

void Forecast::predict_later(const StateCostsPtr& costs) const {
    if (cancelled_) return;
    wanted_.insert(costs);
    soon_->start();  // what else is asked for now goes along
}

// All that was asked for since, in one job.
void Forecast::predict_wanted() {
    if (wanted_.empty() || later_->busy()) return;
    // Those that tables show come first, a few at a time: what is known is shown at once.
    std::vector<StateCostsPtr> wanted;
    for (const StateId row : costs_.rows())
        if (const StateCostsPtr costs = in_plain(costs_.of(row)); wanted_.count(costs) > 0)
            wanted.push_back(costs);
    wanted.insert(wanted.end(), wanted_.begin(), wanted_.end());
    wanted.resize(std::min(wanted.size(), kTogether));
    const auto job = [this, wanted, model = model_, on = device()](const Stop& stop) -> Work::Finish {
        std::map<StateCostsPtr, PredictionPtr> found;
        for (const StateCostsPtr& costs : wanted) {
            if (stop) return {};
            if (found.count(costs) > 0) continue;
            found[costs] = made_prediction(*model, *costs, on, stop.sign());
            stop.done(found.size(), wanted.size());
        }
        return [this, found = std::move(found)]() mutable {
            for (const auto& [costs, prediction] : found) wanted_.erase(costs);
            predictions_.merge(found);
            forget_unused();
            Q_EMIT changed();
            predict_wanted();
        };
    };
    later_->start(tr("Predicting times"), job);
}

void Forecast::cancel() {
    cancelled_ = true;
    wanted_.clear();
    later_->cancel();
    Q_EMIT changed();
}

QString Forecast::missing() const {
    return cancelled_ ? tr("Not predicted: that was cancelled. It goes on with the next step or choice.")
                      : tr("The time is being predicted.");
}

// Of states that nobody knows any longer - at the sizes that a slider came by.
void Forecast::forget_unused() const {
    erase_elsewhere(predictions_, [](const auto& entry) { return entry.first.use_count() == 1; });
}

void Forecast::forget() {
    later_->cancel();
    cancelled_ = false;
    wanted_.clear();
    destroy_elsewhere(std::exchange(predictions_, {}));
    listed_ = {};
    this_turn_ = 0;
}

QString Forecast::form_text() const {
    const QString other = other_form();
    return other.isEmpty() ? tr("plain form") : other;
}

QString Forecast::other_form() const {
    if (document_.empty() || !costs_.safe()) return {};
    const StateCostsPtr costs = costs_.of(StateId(0));
    return costs && costs->built.exponentials() > 0 ? tr("safe form") : QString();
}

LocalLimit Forecast::local_limit() const {
    const Device& on = device();
    const MemoryLevel* level = local_level(on);
    if (!level) return {};
    const double bytes = local_capacity(*level);
    const QString size = with_unit(bytes, QStringLiteral("B"));
    if (on.kind != DeviceKind::Gpu)
        return {.bytes = bytes, .name = tr("%1 of %2 cache").arg(size, forecast_text(level->name))};
    LocalLimit limit{.bytes = bytes, .name = tr("%1 of shared memory in a thread block").arg(size)};
    if (const MemoryLevel* registers = first_level(on, LevelRole::Registers))
        limit.registers = local_capacity(*registers);
    return limit;
}

ElemType Forecast::element_type() const {
    const ElemType declared = document_.empty()
                                  ? ElemType::F32
                                  : declared_type(*document_.content().program()).value_or(ElemType::F32);
    const bool processor = device().kind == DeviceKind::Cpu;
    return processor ? cpu_type(costs_.type()) : costs_.type().value_or(declared);
}

std::vector<RooflineCeiling> Forecast::ceilings() const {
    return ceilings_of(device(), element_type());
}

QString prediction_text(const Prediction& prediction, const Device& device, const TimeModel& model) {
    return Forecast::tr("%1 on %2").arg(translated(model.title), forecast_text(device.title)) +
           QLatin1Char('\n') + translated(prediction.sentence);
}

QString prediction_details(const Prediction& prediction, const Device& device, const TimeModel& model) {
    QStringList lines;
    lines << Forecast::tr("%1 on %2: %3")
                 .arg(translated(model.title), forecast_text(device.title), time_text(prediction.seconds));
    lines << translated(formula_on(model, device));
    if (model.name == kUsualModel)
        lines << QStringLiteral("w = ") + QLocale().toString(blockscope_parameter(device, "overlap"), 'f', 2);
    lines << translated(model.explanation) << forecast_text(model.reference) << QString();
    std::size_t told = 0;
    for (const KernelTime& kernel : prediction.kernels) {
        if (told++ == kMostKernels) {
            lines << Forecast::tr("%1 more kernels").arg(prediction.kernels.size() - kMostKernels);
            break;
        }
        const QString name = kernel.kernel < 0 ? Forecast::tr("Before the first kernel")
                                               : Forecast::tr("Kernel %1 (%2)")
                                                     .arg(kernel.kernel + 1)
                                                     .arg(forecast_text(to_string(kernel.node)));
        lines << name + QStringLiteral(": ") + terms_text(kernel);
        if (!kernel.sentence.empty()) lines << QStringLiteral("    ") + translated(kernel.sentence);
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace blockscope

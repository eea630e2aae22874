#include "app/costs/forecast.h"

#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/charts/range.h"
#include "app/costs/device_numbers.h"
#include "app/document/destroy_elsewhere.h"
#include "app/words/words.h"
#include "core/cost/models/models.h"
#include "core/json/device_files.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

constexpr const char* kFirstDevice = "h100-sxm5";  // where this machine is not calibrated
constexpr const char* kFirstModel = "blockscope";
constexpr std::size_t kMostKernels = 300;  // of which a prediction tells the terms
// Kernels whose times are predicted in the interface thread: of one state, and of all that are asked for
// before it goes back to its events (some 10 milliseconds).
constexpr std::size_t kMostAtOnce = 400;
constexpr std::size_t kMostInATurn = 1200;

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

const StateWork& work_on(const Device& device, const StateCosts& costs) {
    return device.kind == DeviceKind::Cpu ? costs.cpu_work : costs.work;
}

// A model's sentence in words, part by part.
QString model_words(const std::string& sentence) {
    QStringList parts = text(sentence).split(QStringLiteral("; "));
    const bool stopped = parts.last().endsWith(QLatin1Char('.'));
    if (stopped) parts.last().chop(1);
    for (QString& part : parts) part = in_words(part.toStdString());
    return parts.join(QStringLiteral("; ")) + (stopped ? QStringLiteral(".") : QString());
}

// What the model makes of a kernel's terms: their sum, the longest of them, or less than all together, as
// they overlap.
QString terms_text(const KernelTime& kernel) {
    QStringList terms;
    double sum = 0;
    double longest = 0;
    for (const TimeTerm& term : kernel.terms) {
        if (term.seconds <= 0) continue;
        terms << in_words(term.name) + QLatin1Char(' ') + time_text(term.seconds);
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

}  // namespace

Forecast::Forecast(Document& document)
    : QObject(&document),
      document_(document),
      costs_(Costs::of(document)),
      model_(find_time_model(kFirstModel)),
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
    for (const Problem& problem : list.problems) problems_ << text(to_string(problem));
    if (!find_device(devices_, device_))
        device_ = find_device(devices_, kLocalCpu) ? kLocalCpu : kFirstDevice;
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

PredictionPtr Forecast::of(const StateCostsPtr& costs) const {
    if (!costs) return nullptr;
    const auto known = predictions_.find(costs);
    if (known != predictions_.end()) return known->second;
    const std::size_t kernels = work_on(device(), *costs).kernels.size();
    if (kernels > kMostAtOnce || this_turn_ + kernels > kMostInATurn) {
        predict_later(costs);
        return nullptr;
    }
    this_turn_ += kernels;
    turn_->start();
    return predicted(costs);
}

PredictionPtr Forecast::at_once(StateId state) const {
    const StateCostsPtr costs = costs_.of(state);
    return costs ? predicted(costs) : nullptr;
}

PredictionPtr Forecast::predicted(const StateCostsPtr& costs) const {
    PredictionPtr& known = predictions_[costs];
    if (!known) {
        forget_unused();
        const Device& on = device();
        known = std::make_shared<const Prediction>(predict(*model_, work_on(on, *costs), on));
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
    const auto job = [this, wanted = wanted_, model = model_,
                      on = device()](const Stop& stop) -> Work::Finish {
        std::map<StateCostsPtr, PredictionPtr> found;
        for (const StateCostsPtr& costs : wanted) {
            if (stop) return {};
            found[costs] = std::make_shared<const Prediction>(predict(*model, work_on(on, *costs), on));
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
    this_turn_ = 0;
}

LocalLimit Forecast::local_limit() const {
    const Device& on = device();
    const MemoryLevel* level = local_level(on);
    if (!level) return {};
    const double bytes = local_capacity(*level);
    const QString size = with_unit(bytes, QStringLiteral("B"));
    return {bytes, on.kind == DeviceKind::Gpu ? tr("%1 of shared memory in a thread block").arg(size)
                                              : tr("%1 of %2 cache").arg(size, text(level->name))};
}

std::vector<RooflineCeiling> Forecast::ceilings() const {
    const ElemType declared = document_.empty()
                                  ? ElemType::F32
                                  : declared_type(*document_.content().program()).value_or(ElemType::F32);
    const bool processor = device().kind == DeviceKind::Cpu;
    return ceilings_of(device(), processor ? cpu_type(costs_.type()) : costs_.type().value_or(declared));
}

QString prediction_text(const Prediction& prediction, const Device& device, const TimeModel& model) {
    return Forecast::tr("%1 on %2").arg(in_words(model.title), text(device.title)) + QLatin1Char('\n') +
           model_words(prediction.sentence);
}

QString prediction_details(const Prediction& prediction, const Device& device, const TimeModel& model) {
    QStringList lines;
    lines << Forecast::tr("%1 on %2: %3")
                 .arg(in_words(model.title), text(device.title), time_text(prediction.seconds));
    lines << in_words(formula_on(model, device));
    if (model.name == kFirstModel)
        lines << QStringLiteral("w = ") + QLocale().toString(blockscope_parameter(device, "overlap"), 'f', 2);
    lines << in_words(model.explanation) << text(model.reference) << QString();
    std::size_t told = 0;
    for (const KernelTime& kernel : prediction.kernels) {
        if (told++ == kMostKernels) {
            lines << Forecast::tr("%1 more kernels").arg(prediction.kernels.size() - kMostKernels);
            break;
        }
        const QString name =
            kernel.kernel < 0
                ? Forecast::tr("Before the first kernel")
                : Forecast::tr("Kernel %1 (%2)").arg(kernel.kernel + 1).arg(text(to_string(kernel.node)));
        lines << name + QStringLiteral(": ") + terms_text(kernel);
        if (!kernel.sentence.empty()) lines << QStringLiteral("    ") + model_words(kernel.sentence);
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace blockscope

#include "app/costs/repeat_hint.h"

#include <QCoreApplication>
#include <QLocale>

#include "app/costs/cost_table.h"
#include "app/costs/forecast.h"
#include "app/costs/measurements.h"
#include "core/cost/repeats.h"

namespace blockscope {

namespace {

constexpr double kSlower = 1.02;  // times its time: less is a tie

struct RepeatHintWords {
    Q_DECLARE_TR_FUNCTIONS(blockscope::RepeatHint)
};

std::optional<double> measured_seconds(const Measurements& measurements, StateId state) {
    const auto result = measurements.of(state);
    if (!result || !result->stale.isEmpty() || !result->record.warm) return {};
    return result->record.warm->summary.median;
}

struct BothTimes {
    double state = 0, unfused = 0;  // seconds
    bool measured = false;
};

std::optional<BothTimes> times_of(Document& document, StateId state) {
    const Measurements& measurements = Measurements::of(document);
    const auto now = measured_seconds(measurements, state);
    const auto unfused = measured_seconds(measurements, StateId{0});
    if (now && unfused) return BothTimes{*now, *unfused, true};
    const Forecast& forecast = Forecast::of(document);
    const auto predicted = forecast.of(state);
    const auto predicted_unfused = forecast.of(StateId{0});
    if (!predicted || !predicted_unfused) return {};
    return BothTimes{predicted->seconds, predicted_unfused->seconds, false};
}

}  // namespace

QString repeat_hint(Document& document, StateId state) {
    const Costs& costs = Costs::of(document);
    const StateCostsPtr now = costs.of(state);
    const StateCostsPtr unfused = costs.of(StateId{0});
    if (!now || !unfused) return {};
    const double repeats = now->counts.replication(unfused->counts);
    if (repeats <= kRepeatsWork) return {};
    const std::optional<BothTimes> times = times_of(document, state);
    if (!times || times->state <= kSlower * times->unfused) return {};
    const QString text =
        times->measured
            ? RepeatHintWords::tr(
                  "%1 takes longer than the unfused program (%2 against %3, measured), as it does "
                  "%4 times its "
                  "operations at these block sizes. Others repeat less: Tune looks for them.")
            : RepeatHintWords::tr(
                  "%1 takes longer than the unfused program (%2 against %3, predicted), as it "
                  "does %4 times its "
                  "operations at these block sizes. Others repeat less: Tune looks for them.");
    return text.arg(row_name(document.content(), state), time_text(times->state), time_text(times->unfused),
                    QLocale().toString(repeats, 'f', 1));
}

}  // namespace blockscope

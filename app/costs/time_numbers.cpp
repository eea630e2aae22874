#include "app/costs/time_numbers.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/costs/forecast.h"
#include "core/cost/agreement.h"

namespace blockscope {

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
    const StateId base = Costs::of(document).baseline();
    const QString formula =
        TimeNumbersWords::tr("%1 = %2 / %3")
            .arg(digits(both->now / both->base, 3), time_text(both->now), time_text(both->base));
    const QString what =
        (both->measured ? TimeNumbersWords::tr("The measured time of %1 over that of %2, the baseline.")
                        : TimeNumbersWords::tr("The predicted time of %1 over that of %2, the baseline."))
            .arg(row_name(document.content(), state), row_name(document.content(), base));
    QStringList parts{formula + QLatin1Char('\n') + what,
                      source_text(document, times(state), state, both->measured)};
    if (base != state) parts << source_text(document, times(base), base, both->measured);
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

}  // namespace blockscope

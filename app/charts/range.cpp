#include "app/charts/range.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <limits>

namespace blockscope {

namespace {

// The multiple of 1, 2 or 5 times a power of ten that is at least `step`.
double round_step(double step) {
    const double power = std::pow(10, std::floor(std::log10(step)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= step * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

std::vector<Tick> linear_ticks(const Range& range, int most) {
    std::vector<Tick> made;
    const double width = range.to - range.from;
    if (!(width > 0)) return made;
    const double step = round_step(width / std::max(1, most - 1));
    for (auto i = static_cast<std::int64_t>(std::ceil(range.from / step - 1e-9));
         static_cast<double>(i) * step <= range.to + step * 1e-9; ++i)
        made.push_back({static_cast<double>(i) * step, true});
    return made;
}

std::vector<Tick> log_ticks(const Range& range, int most) {
    std::vector<Tick> made;
    const int first = static_cast<int>(std::floor(std::log10(range.from) + 1e-9));
    const int last = static_cast<int>(std::ceil(std::log10(range.to) - 1e-9));
    const int every = std::max(1, (last - first + most) / std::max(1, most));
    const bool fine = last - first <= 4;
    const auto inside = [&](double value) {
        return value >= range.from * (1 - 1e-9) && value <= range.to * (1 + 1e-9);
    };
    for (int power = first; power <= last; ++power) {
        const double decade = std::pow(10.0, power);
        if (inside(decade)) made.push_back({decade, (power - first) % every == 0});
        for (int digit = 2; fine && digit <= 9; ++digit)
            if (inside(digit * decade)) made.push_back({digit * decade, false});
    }
    // Less than a decade may hold no power of ten at all: then 2 and 5 have labels too.
    const auto majors = std::count_if(made.begin(), made.end(), [](const Tick& t) { return t.major; });
    if (majors >= 2) return made;
    for (Tick& tick : made) {
        const double digit = tick.value / std::pow(10.0, std::floor(std::log10(tick.value) + 1e-9));
        if (std::abs(digit - 2) < 1e-6 || std::abs(digit - 5) < 1e-6) tick.major = true;
    }
    return made;
}

struct Prefixed {
    double value;
    const char* prefix;
};

Prefixed prefixed(double value) {
    static const char* const prefixes[] = {"p", "n", "\u00b5", "m", "", "k", "M", "G", "T", "P", "E"};
    constexpr int unit = 4;
    int prefix = unit;
    double scaled = std::abs(value);
    while (scaled >= 999.5 && prefix + 1 < static_cast<int>(std::size(prefixes))) scaled /= 1000, ++prefix;
    while (scaled > 0 && scaled < 0.9995 && prefix > 0) scaled *= 1000, --prefix;
    return {std::copysign(scaled, value), prefixes[prefix]};
}

QString digits(double value) {
    const double size = std::abs(value);
    const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    QString text = QLocale().toString(value, 'f', decimals);
    if (decimals == 0) return text;
    const QString point = QLocale().decimalPoint();
    if (!text.contains(point)) return text;
    while (text.endsWith(QLatin1Char('0'))) text.chop(1);
    if (text.endsWith(point)) text.chop(point.size());
    return text;
}

}  // namespace

double Range::share(double value) const {
    if (log) return std::log(value / from) / std::log(to / from);
    return (value - from) / (to - from);
}

Range range_of(const std::vector<double>& values, bool log) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const double value : values) {
        if (!std::isfinite(value) || (log && value <= 0)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (low > high) return log ? Range{1, 10, true} : Range{0, 1, false};
    if (!log) {
        low = std::min(low, 0.0);
        if (!(high > low)) high = low + 1;
        const double step = round_step((high - low) / 5);
        return {std::floor(low / step) * step, std::ceil(high * 1.02 / step) * step, false};
    }
    const auto half = [](double exponent, bool up) {
        return std::pow(10.0, (up ? std::ceil(exponent * 2) : std::floor(exponent * 2)) / 2);
    };
    return {half(std::log10(low) - 0.1, false), half(std::log10(high) + 0.1, true), true};
}

std::vector<Tick> ticks(const Range& range, int most) {
    return range.log ? log_ticks(range, most) : linear_ticks(range, most);
}

QString short_number(double value) {
    const Prefixed made = prefixed(value);
    const QString prefix = QString::fromUtf8(made.prefix);
    return prefix.isEmpty() ? digits(made.value) : digits(made.value) + QChar(0xa0) + prefix;
}

QString with_unit(double value, const QString& unit) {
    const Prefixed made = prefixed(value);
    return digits(made.value) + QChar(0xa0) + QString::fromUtf8(made.prefix) + unit;
}

}  // namespace blockscope

// Ranges of values on an axis, linear or logarithmic, and their ticks.
#pragma once

#include <QString>
#include <vector>

namespace blockscope {

struct Range {
    double from = 0;
    double to = 1;
    bool log = false;  // then from > 0

    // 0 at `from`, 1 at `to`; beyond them outside 0 .. 1.
    double share(double value) const;
};

// The range of all finite values (for `log` of those above 0) with some room on both sides: whole powers or
// halves of ten for `log`; from 0 for linear ranges. 1 .. 10 or 0 .. 1 if there are none.
Range range_of(const std::vector<double>& values, bool log);

struct Tick {
    double value = 0;
    bool major = true;  // has a label
};

// Round values in the range: at most `most` major ones. Minor ones (2, 3, ... 9) on logarithmic ranges of few
// decades.
std::vector<Tick> ticks(const Range& range, int most);

// "0", "1.5 k", "200 M", "3.2 µ": three digits at most and an SI prefix.
QString short_number(double value);
// short_number() and the unit with the prefix at the unit: "1.5 kB", "3.2 µs".
QString with_unit(double value, const QString& unit);

}  // namespace blockscope

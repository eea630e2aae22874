// What the benchmarks say in the end: times against goals, ratios, growth.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace blockscope {

// Prints runs as they come and remembers seconds per iteration by name.
class RememberingReporter : public benchmark::ConsoleReporter {
public:
    explicit RememberingReporter(bool colours) : ConsoleReporter(colours ? OO_ColorTabular : OO_Tabular) {}
    void ReportRuns(const std::vector<Run>& runs) override;
    const std::map<std::string, double>& seconds() const { return seconds_; }

private:
    std::map<std::string, double> seconds_;
};

// The slope of log(y) over log(x), by least squares: y grows as x to this power.
double growth_exponent(const std::vector<std::pair<double, double>>& points);

// Goals met or missed, the growth exponent of fusing decoder stacks, and the peak memory of this process.
std::string summary(const std::map<std::string, double>& seconds);

}  // namespace blockscope

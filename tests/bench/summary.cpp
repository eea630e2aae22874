#include "tests/bench/summary.h"

#include <sys/resource.h>

#include <cmath>
#include <cstdio>

namespace blockscope {

namespace {

struct Goal {
    const char* name;  // of the benchmark
    double seconds;
};

const std::vector<Goal>& goals() {
    static const std::vector<Goal> kGoals{{"fuse/attention", 2e-3},
                                          {"fuse/layernorm_matmul", 2e-3},
                                          {"fuse/rmsnorm_swiglu", 2e-3},
                                          {"fuse_decoder_stack/1000", 1},
                                          {"apply_in_2000_nodes", 1e-3}};
    return kGoals;
}

std::string text(const char* format, auto... values) {
    char buffer[200];
    std::snprintf(buffer, sizeof buffer, format, values...);
    return buffer;
}

std::string goal_line(const Goal& goal, const std::map<std::string, double>& seconds) {
    const auto found = seconds.find(goal.name);
    if (found == seconds.end()) return "";
    const double ratio = found->second / goal.seconds;
    return text("  %-28s %10.3f ms   goal %8.1f ms   %5.2f of it%s\n", goal.name, found->second * 1e3,
                goal.seconds * 1e3, ratio, ratio <= 1 ? "" : "   MISSED");
}

std::string growth_text(const std::map<std::string, double>& seconds) {
    const std::string prefix = "fuse_decoder_stack/";
    std::map<double, double> by_size;
    for (const auto& [name, time] : seconds)
        if (name.rfind(prefix, 0) == 0) by_size[std::stod(name.substr(prefix.size()))] = time;
    if (by_size.size() < 2) return "";
    const std::vector<std::pair<double, double>> points(by_size.begin(), by_size.end());
    std::string result;
    for (std::size_t i = 1; i < points.size(); ++i)
        result += text("  from %.0f to %.0f operators: %.2f times as long\n", points[i - 1].first,
                       points[i].first, points[i].second / points[i - 1].second);
    const double exponent = growth_exponent(points);
    return result + text("  growth exponent of fuse from %.0f to %.0f operators: %.2f   goal below 1.6%s\n",
                         points.front().first, points.back().first, exponent,
                         exponent < 1.6 ? "" : "   MISSED");
}

}  // namespace

void RememberingReporter::ReportRuns(const std::vector<Run>& runs) {
    for (const Run& run : runs)
        if (run.run_type == Run::RT_Iteration && !run.error_occurred)
            seconds_[run.run_name.function_name +
                     (run.run_name.args.empty() ? "" : "/" + run.run_name.args)] =
                run.real_accumulated_time / static_cast<double>(run.iterations);
    ConsoleReporter::ReportRuns(runs);
}

double growth_exponent(const std::vector<std::pair<double, double>>& points) {
    double x_mean = 0;
    double y_mean = 0;
    const auto count = static_cast<double>(points.size());
    for (const auto& [x, y] : points) {
        x_mean += std::log(x) / count;
        y_mean += std::log(y) / count;
    }
    double covariance = 0;
    double variance = 0;
    for (const auto& [x, y] : points) {
        covariance += (std::log(x) - x_mean) * (std::log(y) - y_mean);
        variance += (std::log(x) - x_mean) * (std::log(x) - x_mean);
    }
    return covariance / variance;
}

std::string summary(const std::map<std::string, double>& seconds) {
    std::string result = "\nGoals\n";
    for (const Goal& goal : goals()) result += goal_line(goal, seconds);
    result += growth_text(seconds);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return result + text("  peak memory: %.1f MiB\n", static_cast<double>(usage.ru_maxrss) / 1024);
}

}  // namespace blockscope

// Figures of MCFuser's paper as SVG, from numbers of ours. The command line links no Qt, hence no charts of
// the window's: these are plain points and bars.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>

#include "app/cli/terminal.h"
#include "app/cli/tilings.h"
#include "core/cost/models/model.h"

namespace blockscope::tilings {

using namespace cli;  // NOLINT(google-build-using-namespace): a command, of the tilings' own names

namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 480;
constexpr double kMargin = 64;

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    return text;
}

std::string escaped(const std::string& text) {
    std::string result;
    for (const char letter : text) {
        if (letter == '<')
            result += "&lt;";
        else if (letter == '>')
            result += "&gt;";
        else if (letter == '&')
            result += "&amp;";
        else
            result += letter;
    }
    return result;
}

std::string text_at(double x, double y, const std::string& text, const char* anchor = "middle",
                    bool turned = false) {
    const std::string turn = turned ? " transform=\"rotate(-90 " + number(x) + " " + number(y) + ")\"" : "";
    return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\"" + turn +
           ">" + escaped(text) + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const char* look) {
    return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" +
           number(y2) + "\" " + look + "/>\n";
}

std::string document(const std::string& title, const std::string& body) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(kWidth) + " " +
           number(kHeight) + "\" font-family=\"sans-serif\" font-size=\"12\">\n<title>" + escaped(title) +
           "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" +
           text_at(kWidth / 2, 24, title) + body + "</svg>\n";
}

// A logarithmic axis from the least to the largest value.
struct Axis {
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    double begin = 0;  // in the picture
    double end = 0;

    void take(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    double at(double value) const {
        if (most <= least) return (begin + end) / 2;
        return begin + (end - begin) * std::log(value / least) / std::log(most / least);
    }
};

struct Point {
    double x = 0;
    double y = 0;
    std::string name = {};
};

// A dashed line across a plot of points, at a value of one axis.
struct PointGuide {
    bool upright = false;
    double at = 0;
    std::string name = {};
};

using ValueText = std::string (*)(double);

// Both axes are logarithmic.
std::string points_plot(const std::string& title, const std::string& across, const std::string& up,
                        const std::vector<Point>& points, ValueText shown,
                        const std::vector<PointGuide>& guides = {}) {
    Axis x{.begin = kMargin, .end = kWidth - kMargin / 2};
    Axis y{.begin = kHeight - kMargin, .end = kMargin};
    for (const Point& point : points) {
        x.take(point.x);
        y.take(point.y);
    }
    for (const PointGuide& guide : guides) (guide.upright ? x : y).take(guide.at);
    std::string body = line(x.begin, y.begin, x.end, y.begin, "stroke=\"black\"") +
                       line(x.begin, y.begin, x.begin, y.end, "stroke=\"black\"");
    for (const Point& point : points)
        body += "<circle cx=\"" + number(x.at(point.x)) + "\" cy=\"" + number(y.at(point.y)) +
                "\" r=\"3\" fill=\"#0072b2\" fill-opacity=\"0.4\"><title>" + escaped(point.name) +
                "</title></circle>\n";
    const char* const dashed = "stroke=\"#d55e00\" stroke-dasharray=\"4 3\"";
    for (const PointGuide& guide : guides) {
        if (guide.upright)
            body += line(x.at(guide.at), y.begin, x.at(guide.at), y.end, dashed) +
                    text_at(x.at(guide.at), y.end - 6, guide.name);
        else
            body += line(x.begin, y.at(guide.at), x.end, y.at(guide.at), dashed) +
                    text_at(x.end, y.at(guide.at) - 6, guide.name, "end");
    }
    for (const double value : {x.least, x.most})
        body += text_at(x.at(value), y.begin + 18, shown(value), value == x.least ? "start" : "end");
    for (const double value : {y.least, y.most})
        body += text_at(x.begin - 6, y.at(value) + 4, shown(value), "end");
    body += text_at((x.begin + x.end) / 2, kHeight - 20, across) +
            text_at(16, (y.begin + y.end) / 2, up, "middle", true);
    return document(title, body);
}

struct BarSeries {
    std::string name = {};
    const char* color = "";
    std::vector<double> values = {};  // one for each label
};

// A dashed line across bars.
struct BarGuide {
    double at = 0;
    std::string name = {};
};

std::string legend(const std::vector<BarSeries>& series) {
    std::string text;
    double x = kMargin;
    for (const BarSeries& each : series) {
        text += "<rect x=\"" + number(x) + "\" y=\"" + number(kHeight - 30) +
                "\" width=\"10\" height=\"10\" fill=\"" + each.color + "\"/>\n" +
                text_at(x + 14, kHeight - 21, each.name, "start");
        x += 34 + 6.2 * static_cast<double>(each.name.size());
    }
    return text;
}

std::string bars_plot(const std::string& title, const std::vector<std::string>& labels,
                      const std::vector<BarSeries>& series, const std::vector<BarGuide>& guides,
                      const char* unit = "") {
    double most = 0;
    for (const BarSeries& each : series)
        for (const double value : each.values) most = std::max(most, value);
    for (const BarGuide& guide : guides) most = std::max(most, guide.at);
    const double bottom = kHeight - kMargin;
    const double step = (kWidth - 1.5 * kMargin) / static_cast<double>(labels.size());
    const double width = step * 0.8 / static_cast<double>(series.size());
    const auto height = [&](double value) { return (bottom - kMargin) * value / most; };
    std::string body = line(kMargin, bottom, kWidth - kMargin / 2, bottom, "stroke=\"black\"");
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const double left = kMargin + step * static_cast<double>(i);
        double x = left + step * 0.1;
        for (const BarSeries& each : series) {
            const double value = each.values[i];
            body += "<rect x=\"" + number(x) + "\" y=\"" + number(bottom - height(value)) + "\" width=\"" +
                    number(width) + "\" height=\"" + number(height(value)) + "\" fill=\"" + each.color +
                    "\"><title>" + labels[i] + ", " + escaped(each.name) + ": " + number(value) + unit +
                    "</title></rect>\n";
            x += width;
        }
        body += text_at(left + step / 2, bottom + 16, labels[i]);
    }
    for (const BarGuide& guide : guides)
        body += line(kMargin, bottom - height(guide.at), kWidth - kMargin / 2, bottom - height(guide.at),
                     "stroke=\"black\" stroke-dasharray=\"4 3\"") +
                text_at(kMargin - 6, bottom - height(guide.at) + 4, guide.name, "end");
    body += text_at(kMargin - 6, bottom - height(most) + 4, number(most) + unit, "end") + legend(series);
    return document(title, body);
}

constexpr const char* kBlue = "#0072b2";
constexpr const char* kOrange = "#e69f00";
constexpr const char* kGreen = "#009e73";

std::vector<std::string> names_of(const std::vector<WorkloadRow>& rows) {
    std::vector<std::string> names;
    for (const WorkloadRow& row : rows) names.push_back(row.workload.name);
    return names;
}

std::vector<double> values_of(const std::vector<WorkloadRow>& rows,
                              const std::function<double(const WorkloadRow&)>& of) {
    std::vector<double> values;
    for (const WorkloadRow& row : rows) values.push_back(of(row));
    return values;
}

std::string bytes_shown(double bytes) {
    return bytes_text(static_cast<std::int64_t>(bytes));
}

}  // namespace

std::string predicted_plot(const TilingsResult& result) {
    std::vector<Point> points;
    for (const auto& [index, seconds] : result.measured)
        if (seconds)
            points.push_back(
                {.x = result.estimates[static_cast<std::size_t>(index)],
                 .y = *seconds,
                 .name = to_string(result.space, result.space.candidates[static_cast<std::size_t>(index)])});
    if (points.empty())
        throw UsageError("--plot fig11 shows what was measured: say --exhaustive or --search, and --measure");
    const std::string correlation = result.ranking ? ": Pearson " + number(result.ranking->pearson) +
                                                         ", Spearman " + number(result.ranking->spearman)
                                                   : "";
    return points_plot(result.name + ", estimated against measured" + correlation, "estimated", "measured",
                       points, seconds_text);
}

std::string shared_plot(const TilingsResult& result, const SharedMemory& shared) {
    std::vector<Point> points;
    for (const SharedPoint& point : shared.points)
        if (point.layout > 0)
            points.push_back({.x = static_cast<double>(point.candidate.shared),
                              .y = static_cast<double>(std::max(point.layout, point.compiled)),
                              .name = to_string(result.space, point.candidate)});
    if (points.empty()) throw UsageError("no candidate of the sample could be generated");
    return points_plot(result.name + ", shared memory of a thread block", "equation 1",
                       shared.architecture.empty() ? "layout of our kernel" : "our kernel, compiled", points,
                       bytes_shown,
                       {{.upright = true, .at = static_cast<double>(result.space.limit), .name = "1.2 Shm"},
                        {.upright = false, .at = static_cast<double>(shared.limit), .name = "Shm"}});
}

std::string speedup_plot(const std::vector<WorkloadRow>& rows) {
    const bool measured = !rows.empty() && rows.front().measured;
    if (!measured)
        return bars_plot(
            "Estimated speed-up over the products one by one", names_of(rows),
            {{.name = "deep expressions only (Chimera's space)",
              .color = kOrange,
              .values = values_of(rows, [](const WorkloadRow& row) { return row.unfused / row.deep; })},
             {.name = "all expressions",
              .color = kBlue,
              .values = values_of(rows, [](const WorkloadRow& row) { return row.unfused / row.fused; })}},
            {{.at = 1, .name = "1"}});
    return bars_plot(
        "Measured speed-up over our engine operator by operator", names_of(rows),
        {{.name = "deep expressions only (Chimera's space)",
          .color = kOrange,
          .values = values_of(
              rows, [](const WorkloadRow& row) { return row.measured->unfused / row.measured->deep; })},
         {.name = "all expressions",
          .color = kBlue,
          .values = values_of(
              rows, [](const WorkloadRow& row) { return row.measured->unfused / row.measured->fused; })},
         {.name = "our best state",
          .color = kGreen,
          .values = values_of(
              rows, [](const WorkloadRow& row) { return row.measured->unfused / row.measured->own; })}},
        {{.at = 1, .name = "1"}});
}

std::string encoder_plot(const std::vector<EncoderRow>& rows) {
    std::vector<std::string> names;
    std::vector<double> values;
    for (const EncoderRow& row : rows) {
        names.push_back(row.network);
        values.push_back(row.speedup());
    }
    return bars_plot("Estimated speed-up of whole networks with fused attention", names,
                     {{.name = "over all products and softmax one by one", .color = kBlue, .values = values}},
                     {{.at = 1, .name = "1"}, {.at = kPaperOverRelay, .name = "1.45"}});
}

std::string tuning_plot(const std::vector<WorkloadRow>& rows) {
    if (rows.empty() || !rows.front().measured)
        throw UsageError("--plot tuning shows what measuring took: say --search --measure cpu");
    return bars_plot(
        "Seconds of a search on this processor", names_of(rows),
        {{.name = "deep expressions only (Chimera's space)",
          .color = kOrange,
          .values = values_of(rows, [](const WorkloadRow& row) { return row.measured->deep_tuning; })},
         {.name = "all expressions",
          .color = kBlue,
          .values = values_of(rows, [](const WorkloadRow& row) { return row.measured->tuning; })}},
        {}, " s");
}

}  // namespace blockscope::tilings

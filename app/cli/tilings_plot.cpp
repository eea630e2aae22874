// Figures of MCFuser's paper as SVG, from numbers of ours. The command line links no Qt, hence no charts of
// the window's: these are plain points and bars.
#include <algorithm>
#include <cmath>
#include <cstdio>
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

}  // namespace

std::string predicted_plot(const TilingsResult& result) {
    Axis x{.begin = kMargin, .end = kWidth - kMargin / 2};
    Axis y{.begin = kHeight - kMargin, .end = kMargin};
    for (const auto& [index, seconds] : result.measured) {
        if (!seconds) continue;
        x.take(result.estimates[static_cast<std::size_t>(index)]);
        y.take(*seconds);
    }
    if (y.most == 0)
        throw UsageError("--plot fig11 shows what was measured: say --exhaustive or --search, and --measure");
    std::string body = line(x.begin, y.begin, x.end, y.begin, "stroke=\"black\"") +
                       line(x.begin, y.begin, x.begin, y.end, "stroke=\"black\"");
    for (const auto& [index, seconds] : result.measured)
        if (seconds)
            body +=
                "<circle cx=\"" + number(x.at(result.estimates[static_cast<std::size_t>(index)])) +
                "\" cy=\"" + number(y.at(*seconds)) +
                "\" r=\"3\" fill=\"#0072b2\" fill-opacity=\"0.4\"><title>" +
                escaped(to_string(result.space, result.space.candidates[static_cast<std::size_t>(index)])) +
                "</title></circle>\n";
    for (const double value : {x.least, x.most})
        body += text_at(x.at(value), y.begin + 18, seconds_text(value), value == x.least ? "start" : "end");
    for (const double value : {y.least, y.most})
        body += text_at(x.begin - 6, y.at(value) + 4, seconds_text(value), "end");
    body += text_at((x.begin + x.end) / 2, kHeight - 20, "estimated") +
            text_at(16, (y.begin + y.end) / 2, "measured", "middle", true);
    const std::string correlation = result.ranking ? ": Pearson " + number(result.ranking->pearson) +
                                                         ", Spearman " + number(result.ranking->spearman)
                                                   : "";
    return document(result.name + ", estimated against measured" + correlation, body);
}

std::string speedup_plot(const std::vector<WorkloadRow>& rows) {
    double most = 1;
    for (const WorkloadRow& row : rows)
        most = std::max({most, row.unfused / row.fused, row.unfused / row.deep});
    const double bottom = kHeight - kMargin;
    const double step = (kWidth - 1.5 * kMargin) / static_cast<double>(rows.size());
    const auto height = [&](double value) { return (bottom - kMargin) * value / most; };
    std::string body = line(kMargin, bottom, kWidth - kMargin / 2, bottom, "stroke=\"black\"");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double left = kMargin + step * static_cast<double>(i);
        const std::pair<double, const char*> bars[] = {{rows[i].unfused / rows[i].deep, "#e69f00"},
                                                       {rows[i].unfused / rows[i].fused, "#0072b2"}};
        double x = left + step * 0.15;
        for (const auto& [value, color] : bars) {
            body += "<rect x=\"" + number(x) + "\" y=\"" + number(bottom - height(value)) + "\" width=\"" +
                    number(step * 0.35) + "\" height=\"" + number(height(value)) + "\" fill=\"" + color +
                    "\"><title>" + rows[i].workload.name + ": " + number(value) + "</title></rect>\n";
            x += step * 0.35;
        }
        body += text_at(left + step / 2, bottom + 18, rows[i].workload.name);
    }
    body += line(kMargin, bottom - height(1), kWidth - kMargin / 2, bottom - height(1),
                 "stroke=\"black\" stroke-dasharray=\"4 3\"") +
            text_at(kMargin - 6, bottom - height(1) + 4, "1", "end") +
            text_at(kMargin - 6, bottom - height(most) + 4, number(most), "end") +
            text_at(kWidth / 2, kHeight - 20, "orange: deep expressions only (Chimera's space); blue: all");
    return document("Estimated speed-up over the products one by one", body);
}

}  // namespace blockscope::tilings

#include "app/export/comparison.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "app/compare/compare_view.h"
#include "app/compare/marks.h"
#include "app/export/paper.h"
#include "app/files/painting.h"
#include "core/cost/models/model.h"
#include "core/state/state.h"

namespace blockscope {

namespace {

struct ComparisonTexts {
    Q_DECLARE_TR_FUNCTIONS(ComparisonTexts)
};

constexpr Size kA4{794, 1123};    // at 96 pixels to the inch
constexpr int kLargestPaper = 4;  // doublings of A4: A0
constexpr double kPaperEdge = 40;
constexpr double kPageHead = 66;
constexpr double kCellHead = 62;
constexpr double kCellGap = 24;
constexpr double kLeastPoints = 7;
constexpr double kPointsAtOne = 9;  // the smallest names of a picture, of 12 pixels
constexpr double kLargestScale = 1.25;

QString bytes_of(const State& state) {
    return QString::fromStdString(bytes_text_of(static_cast<double>(state.counts().bytes())));
}

ComparisonCell cell_of(const Content& content, const ComparisonRequest& request, StateId id) {
    const HistoryState& shown = content.history.state(id);
    const State state(shown.program);
    ComparisonCell cell;
    cell.title = state_name(content, id);
    cell.best = request.best == id;
    QStringList numbers{ComparisonTexts::tr("%1 moved").arg(bytes_of(state)),
                        ComparisonTexts::tr("red edges: %1").arg(buffered_edges(*shown.program)),
                        ComparisonTexts::tr("kernels: %1").arg(state.counts().launches)};
    if (const auto time = request.times.find(id); time != request.times.end()) numbers << time->second;
    if (cell.best) numbers << ComparisonTexts::tr("best state");
    cell.numbers = numbers.join(QStringLiteral(" · "));
    return cell;
}

Size legend_of(const ComparisonPage& page, double width) {
    return page.signs.empty() ? Size{} : legend_size(page.signs, legend_columns(page.signs, width));
}

// The page on this paper in this arrangement, with pictures as large as they get.
std::optional<ComparisonPage> arranged(ComparisonPage page, const ComparisonRequest& request, Size paper,
                                       bool beside, const PictureSource& pictures) {
    page.paper = paper;
    page.beside = beside;
    const double width = paper.width - 2 * kPaperEdge;
    const double top = kPaperEdge + kPageHead;
    const double height = paper.height - top - kPaperEdge - legend_of(page, width).height;
    const Size room = beside ? Size{(width - kCellGap) / 2, height} : Size{width, (height - kCellGap) / 2};
    const Size seen{room.width, std::max(room.height - kCellHead, 1.0)};
    page.scale = kLargestScale;
    for (int i = 0; i < 2; ++i) {
        ComparisonCell& cell = page.cells[i];
        const double step = i == 0 ? 0 : kCellGap + (beside ? room.width : room.height);
        cell.rect = {kPaperEdge + (beside ? step : 0), top + (beside ? 0 : step), room.width, room.height};
        cell.picture = pictures(i == 0 ? request.before : request.after, {std::nullopt, seen});
        if (!cell.picture) return std::nullopt;
        const Rect& bounds = cell.picture->geometry.bounds;
        page.scale = std::min({page.scale, seen.width / bounds.width, seen.height / bounds.height});
    }
    return page;
}

// Both ways, upright and lying: the one with the largest pictures.
std::optional<ComparisonPage> best_on(const ComparisonPage& page, const ComparisonRequest& request,
                                      Size upright, const PictureSource& pictures) {
    std::optional<ComparisonPage> best;
    for (const Size& paper : {Size{upright.height, upright.width}, upright})
        for (const bool beside : {true, false}) {
            std::optional<ComparisonPage> next = arranged(page, request, paper, beside, pictures);
            if (!next) return std::nullopt;
            if (!best || next->scale > best->scale + 1e-9) best = std::move(next);
        }
    return best;
}

void put_cell(QPainter& painter, const ComparisonCell& cell, const ComparisonPage& page, const Theme& theme) {
    const Rect& rect = cell.rect;
    painter.setPen(QPen(cell.best ? theme.made : theme.faint, cell.best ? 2.5 : 1));
    painter.drawLine(QPointF(rect.x, rect.y), QPointF(rect.right(), rect.y));
    const QString star = cell.best ? QStringLiteral("\u2605 ") : QString();
    put_line(painter, {.pixels = 17, .bold = true}, theme.ink, QRectF(rect.x, rect.y + 6, rect.width, 24),
             star + cell.title);
    put_line(painter, {.pixels = 13}, theme.ink, QRectF(rect.x, rect.y + 31, rect.width, 20), cell.numbers);
    const Rect& bounds = cell.picture->geometry.bounds;
    painter.save();
    painter.translate(rect.x + (rect.width - bounds.width * page.scale) / 2, rect.y + kCellHead);
    painter.scale(page.scale, page.scale);
    painter.translate(-bounds.x, -bounds.y);
    paint(painter, *cell.picture, theme, cell.lights, bounds, 1);
    painter.restore();
}

void put_page(QPainter& painter, const ComparisonPage& page, const Theme& theme) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.canvas);
    painter.drawRect(QRectF(0, 0, page.paper.width, page.paper.height));
    const double width = page.paper.width - 2 * kPaperEdge;
    put_line(painter, {.pixels = 24, .bold = true}, theme.ink, QRectF(kPaperEdge, kPaperEdge - 8, width, 34),
             QString::fromStdString(page.title));
    put_line(painter, {.pixels = 13}, theme.faint, QRectF(kPaperEdge, kPaperEdge + 28, width, 20),
             page.summary);
    for (const ComparisonCell& cell : page.cells) put_cell(painter, cell, page, theme);
    if (page.signs.empty()) return;
    painter.save();
    painter.translate(kPaperEdge, page.paper.height - kPaperEdge - legend_of(page, width).height + 12);
    paint_legend(painter, theme, page.signs, legend_columns(page.signs, width));
    painter.restore();
}

}  // namespace

std::optional<ComparisonPage> compare_on_paper(const Content& content, const ComparisonRequest& request,
                                               const PictureSource& pictures) {
    const std::vector<Difference> differences = diff_states(content.history, request.before, request.after);
    const ComparedMarks marks = marks_of(differences);
    ComparisonPage page;
    page.title = content.name + ": " + short_state_name(content, request.before).toStdString() + ", " +
                 short_state_name(content, request.after).toStdString();
    page.summary = summary(count(differences));
    if (!request.by.isEmpty() && !request.times.empty())
        page.summary += QStringLiteral(" · ") + ComparisonTexts::tr("times: %1").arg(request.by);
    page.signs = marks.signs;
    page.cells[0] = cell_of(content, request, request.before);
    page.cells[1] = cell_of(content, request, request.after);
    std::optional<ComparisonPage> best;
    Size upright = kA4;
    for (int doubled = 0; doubled <= kLargestPaper; ++doubled) {
        best = best_on(page, request, upright, pictures);
        if (!best || smallest_print(*best) >= kLeastPoints) break;
        upright = {upright.height, 2 * upright.width};
    }
    if (!best) return std::nullopt;
    for (int tries = 0; best && tries < 4 && smallest_print(*best) < kLeastPoints; ++tries) {
        const double grow = 1.02 * kLeastPoints / smallest_print(*best);  // no paper is large enough
        best = arranged(page, request, {best->paper.width * grow, best->paper.height * grow}, best->beside,
                        pictures);
    }
    if (!best) return std::nullopt;
    best->cells[0].lights = lights_of(marks.before, *best->cells[0].picture);
    best->cells[1].lights = lights_of(marks.after, *best->cells[1].picture);
    for (ComparisonCell& cell : best->cells) cell.lights.edge_labels = false;
    return best;
}

double smallest_print(const ComparisonPage& page) {
    return kPointsAtOne * page.scale;
}

QByteArray comparison_bytes(const std::string& format, const ComparisonPage& page, const Theme& theme) {
    PaintedFile painting;
    painting.size = {page.paper.width, page.paper.height};
    painting.title = page.title;
    painting.description = page.summary.toStdString();
    painting.kind = "comparison";
    painting.paint = [&](QPainter& painter, double, VectorDevice*) { put_page(painter, page, theme); };
    return write_painting(format, painting);
}

}  // namespace blockscope

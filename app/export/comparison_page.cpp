// How a page of two compared states is painted, and all of them written.
#include "app/export/comparison.h"
#include "app/export/paper.h"
#include "app/files/painting.h"

namespace blockscope {

namespace {

void put_cell(QPainter& painter, const ComparisonCell& cell, const ComparisonPage& page, const Theme& theme) {
    const Rect& rect = cell.rect;
    painter.setPen(QPen(cell.best ? theme.made : theme.faint, cell.best ? 2.5 : 1));
    painter.drawLine(QPointF(rect.x, rect.y), QPointF(rect.right(), rect.y));
    const QString star = cell.best ? QStringLiteral("\u2605 ") : QString();
    put_line(painter, {.pixels = 17, .bold = true}, theme.ink, QRectF(rect.x, rect.y + 6, rect.width, 24),
             star + cell.title);
    put_line(painter, {.pixels = 13}, theme.ink, QRectF(rect.x, rect.y + 31, rect.width, 20), cell.numbers);
    const Rect& part = cell.part;
    painter.save();
    painter.translate(rect.x + (rect.width - part.width * page.scale) / 2, rect.y + kCellHead);
    painter.scale(page.scale, page.scale);
    painter.translate(-part.x, -part.y);
    painter.setClipRect(QRectF(part.x, part.y, part.width, part.height));
    paint(painter, *cell.picture, theme, cell.lights, part, 1);
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
    painter.translate(kPaperEdge,
                      page.paper.height - kPaperEdge - comparison_legend(page, width).height + 12);
    paint_legend(painter, theme, page.signs, legend_columns(page.signs, width));
    painter.restore();
}

}  // namespace

Size comparison_legend(const ComparisonPage& page, double width) {
    return page.signs.empty() ? Size{} : legend_size(page.signs, legend_columns(page.signs, width));
}

QByteArray comparison_bytes(const std::string& format, const std::vector<ComparisonPage>& pages,
                            const Theme& theme) {
    if (pages.empty()) return {};
    const Size paper = pages.front().paper;
    const auto count = static_cast<int>(pages.size());
    if (format == "pdf")
        return write_pdf(pages.front().title, {paper.width, paper.height}, count,
                         [&](QPainter& painter, int number) {
                             put_page(painter, pages[static_cast<std::size_t>(number)], theme);
                         });
    PaintedFile painting;
    painting.size = {paper.width, paper.height * count};
    painting.title = pages.front().title;
    painting.description = pages.front().summary.toStdString();
    painting.kind = "comparison";
    painting.paint = [&](QPainter& painter, double, VectorDevice*) {
        for (const ComparisonPage& page : pages) {
            painter.save();
            put_page(painter, page, theme);
            painter.restore();
            painter.translate(0, paper.height);
        }
    };
    return write_painting(format, painting);
}

}  // namespace blockscope

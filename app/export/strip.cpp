#include "app/export/strip.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <cmath>

#include "app/files/painting.h"
#include "app/files/svg.h"

namespace blockscope {

namespace {

const Stage& stage_of(const Derivation& derivation, const StripPanel& panel) {
    return derivation.stages[static_cast<std::size_t>(panel.stage)];
}

// The picture in the middle of its panel, its top at picture_top. Paper can be looked at closely: pictures
// have the details of full size whatever the scale.
void to_picture(QPainter& painter, const StripPanel& panel, const Picture& picture, double scale) {
    const Rect& bounds = picture.geometry.bounds;
    painter.translate(panel.rect.x + (panel.rect.width - bounds.width * scale) / 2, panel.picture_top);
    painter.scale(scale, scale);
    painter.translate(-bounds.x, -bounds.y);
}

void paint_words(QPainter& painter, const Derivation& derivation, const Theme& theme,
                 const StripLayout& layout, int page) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.canvas);
    painter.drawRect(QRectF(0, 0, layout.size.width, layout.size.height));
    const auto& panels = layout.pages[static_cast<std::size_t>(page)].panels;
    const Rect& first = panels.front().rect;
    if (page == 0)
        paint_strip_title(painter, derivation, theme,
                          {first.x, first.y - layout.title, layout.size.width - 2 * first.x, layout.title});
    for (const StripPanel& panel : panels) {
        const Stage& stage = stage_of(derivation, panel);
        paint_stage_header(painter, stage, theme, panel.rect);
        paint_stage_words(
            painter, stage, theme,
            {panel.rect.x, panel.words_top, panel.rect.width, panel.picture_top - panel.words_top});
    }
    const int pages = static_cast<int>(layout.pages.size());
    if (pages > 1)
        paint_page_foot(painter, derivation, theme, {0, 0, layout.size.width, layout.size.height}, page + 1,
                        pages);
}

std::string description(const Derivation& derivation) {
    std::string text;
    for (const Stage& stage : derivation.stages) {
        text += std::to_string(stage.number) + ". ";
        if (!stage.rule.empty()) text += "Rule " + stage.rule + ", ";
        text += stage.title + ". " + stage.explanation + "\n";
    }
    return text;
}

}  // namespace

std::string strip_svg(const Derivation& derivation, const Theme& theme) {
    const StripLayout layout = lay_out_sheet(derivation);
    VectorDevice device;
    QPainter painter(&device);
    device.start(" class=\"words\"");
    device.set_centred(false);
    paint_words(painter, derivation, theme, layout, 0);
    device.set_centred(true);
    for (const StripPanel& panel : layout.pages.front().panels) {
        const Stage& stage = stage_of(derivation, panel);
        painter.save();
        to_picture(painter, panel, *stage.picture, layout.scale);
        paint_parts(painter, device, *stage.picture, theme, lights_of(stage), stage.picture->geometry.bounds,
                    1, false);
        painter.restore();
    }
    painter.end();
    return svg_file({0, 0, layout.size.width, layout.size.height}, derivation.name, description(derivation),
                    svg_items(device.items(), plain_colour));
}

void paint_strip_page(QPainter& painter, const Derivation& derivation, const Theme& theme,
                      const StripLayout& layout, int page) {
    paint_words(painter, derivation, theme, layout, page);
    for (const StripPanel& panel : layout.pages[static_cast<std::size_t>(page)].panels) {
        const Stage& stage = stage_of(derivation, panel);
        painter.save();
        to_picture(painter, panel, *stage.picture, layout.scale);
        paint(painter, *stage.picture, theme, lights_of(stage), stage.picture->geometry.bounds, 1);
        painter.restore();
    }
}

QByteArray strip_pdf(const Derivation& derivation, const Theme& theme) {
    const StripLayout layout = lay_out_pages(derivation);
    return write_pdf(
        derivation.name, {layout.size.width, layout.size.height}, static_cast<int>(layout.pages.size()),
        [&](QPainter& painter, int page) { paint_strip_page(painter, derivation, theme, layout, page); });
}

namespace {

constexpr double kTitle = 28;         // the name's line
constexpr double kAfterTitle = 22;    // below all of the title
constexpr double kWordsGap = 4;       // above explanations and notes
constexpr double kNumberColumn = 34;  // of the step's number, left of rule and name
constexpr int kWrap = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

struct StripTexts {
    Q_DECLARE_TR_FUNCTIONS(StripTexts)
};

QFont font(int pixels, bool bold = false, bool italic = false) {
    QFont result = picture_font(TextRole::Label);
    result.setPixelSize(pixels);
    result.setBold(bold);
    result.setItalic(italic);
    return result;
}

double wrapped_height(const QFont& of, double width, const QString& text) {
    if (text.isEmpty()) return 0;
    return QFontMetricsF(of).boundingRect(QRectF(0, 0, width, 1e6), kWrap, text).height();
}

// Text that ends with an ellipsis where it would be wider than `width`.
QString elided(const QFont& of, const QString& text, double width) {
    return QFontMetricsF(of).elidedText(text, Qt::ElideRight, width);
}

void draw(QPainter& painter, const QFont& with, const QColor& colour, const QRectF& rect, int flags,
          const QString& text) {
    painter.setFont(with);
    painter.setPen(colour);
    painter.drawText(rect, flags, text);
}

QString explanation(const Stage& stage) {
    return QString::fromStdString(stage.explanation);
}
QString stage_note(const Stage& stage) {
    return QString::fromStdString(stage.note).trimmed();
}

QString rule_line(const Stage& stage) {
    if (!stage.rule.empty()) return StripTexts::tr("Rule %1").arg(QString::fromStdString(stage.rule));
    return stage.rewrites == 0
               ? StripTexts::tr("Step 0")
               : StripTexts::tr("Steps %1 to %2").arg(stage.number - stage.rewrites + 1).arg(stage.number);
}

QString buffered_line(const Stage& stage) {
    if (stage.rewrites == 0) return StripTexts::tr("%1 buffered").arg(stage.buffered_after);
    return StripTexts::tr("%1 → %2 buffered").arg(stage.buffered_before).arg(stage.buffered_after);
}

QString counts_line(const Derivation& derivation) {
    const Stage& last = derivation.stages.back();
    return StripTexts::tr("%1 steps · buffered edges %2 → %3")
        .arg(last.number)
        .arg(derivation.stages.front().buffered_after)
        .arg(last.buffered_after);
}

QString title_of(const Stage& stage) {
    return QString::fromStdString(stage.title);
}

// The lines of a title beyond the first, for which the header has room.
double more_title(const Stage& stage, double width) {
    return std::max(
        0.0, wrapped_height(font(12, true), width, title_of(stage)) - QFontMetricsF(font(12, true)).height());
}

double header_room(const Stage& stage, double width) {
    return width - kNumberColumn - 12 - QFontMetricsF(font(11, true)).horizontalAdvance(buffered_line(stage));
}

QString rule_and_snapshot(const Stage& stage) {
    const QString rule = rule_line(stage);
    return stage.snapshot > 0 ? rule + StripTexts::tr(" · snapshot %1").arg(stage.snapshot) : rule;
}

// Nothing can be pointed at on paper: what a narrow header has no room for gets a line of its own.
bool snapshot_below(const Stage& stage, double width) {
    return stage.snapshot > 0 &&
           QFontMetricsF(font(11)).horizontalAdvance(rule_and_snapshot(stage)) > header_room(stage, width);
}

double snapshot_height(const Stage& stage, double width) {
    return snapshot_below(stage, width) ? QFontMetricsF(font(11)).height() : 0;
}

}  // namespace

double strip_title_height(const Derivation& derivation, double width) {
    const Signs signs = signs_of(derivation);
    return kTitle + legend_size(signs, legend_columns(signs, width)).height + kAfterTitle +
           wrapped_height(font(11), width, QString::fromStdString(derivation.stopped));
}

double stage_words_height(const Stage& stage, double width) {
    double height = more_title(stage, width) + snapshot_height(stage, width);
    if (!stage.explanation.empty()) height += kWordsGap + wrapped_height(font(11), width, explanation(stage));
    if (!stage_note(stage).isEmpty())
        height += kWordsGap + wrapped_height(font(11, false, true), width - 10, stage_note(stage));
    return height;
}

void paint_strip_title(QPainter& painter, const Derivation& derivation, const Theme& theme,
                       const Rect& rect) {
    draw(painter, font(24, true), theme.ink, QRectF(rect.x, rect.y - 6, rect.width, 32),
         Qt::AlignLeft | Qt::AlignTop, QString::fromStdString(derivation.name));
    draw(painter, font(12), theme.ink, QRectF(rect.x, rect.y + 1, rect.width, 24),
         Qt::AlignRight | Qt::AlignVCenter, counts_line(derivation));
    const Signs signs = signs_of(derivation);
    const int columns = legend_columns(signs, rect.width);
    painter.save();
    painter.translate(rect.x, rect.y + kTitle);
    paint_legend(painter, theme, signs, columns);
    painter.restore();
    const double below = kTitle + legend_size(signs, columns).height;
    draw(painter, font(11), theme.faint,
         QRectF(rect.x, rect.y + below, rect.width, rect.height - below - kAfterTitle + 8), kWrap,
         QString::fromStdString(derivation.stopped));
}

void paint_stage_header(QPainter& painter, const Stage& stage, const Theme& theme, const Rect& rect) {
    const bool snapshot = stage.snapshot > 0;
    painter.setPen(QPen(snapshot ? theme.ink : theme.faint, snapshot ? 2 : 0.8));
    painter.drawLine(QPointF(rect.x, rect.y), QPointF(rect.right(), rect.y));
    draw(painter, font(22, true), theme.ink, QRectF(rect.x, rect.y + 4, kNumberColumn, 30),
         Qt::AlignLeft | Qt::AlignVCenter, QString::number(stage.number));
    const double x = rect.x + kNumberColumn + 4;
    const double width = rect.right() - x;
    const QString counts = buffered_line(stage);
    draw(painter, font(11, true), stage.buffered_after < stage.buffered_before ? theme.buffered : theme.faint,
         QRectF(x, rect.y + 12, width, 16), Qt::AlignRight | Qt::AlignVCenter, counts);
    const QString over = snapshot_below(stage, rect.width) ? rule_line(stage) : rule_and_snapshot(stage);
    const double room = header_room(stage, rect.width);
    draw(painter, font(11), theme.faint, QRectF(x, rect.y + 12, room, 16), Qt::AlignLeft | Qt::AlignVCenter,
         elided(font(11), over, room));
    draw(painter, font(12, true), theme.ink, QRectF(rect.x, rect.y + 36, rect.width, 1000), kWrap,
         title_of(stage));
}

void paint_stage_words(QPainter& painter, const Stage& stage, const Theme& theme, const Rect& rect) {
    double y = rect.y + more_title(stage, rect.width);
    if (snapshot_below(stage, rect.width)) {
        draw(painter, font(11), theme.faint, QRectF(rect.x, y, rect.width, 20), Qt::AlignLeft | Qt::AlignTop,
             StripTexts::tr("Snapshot %1").arg(stage.snapshot));
        y += snapshot_height(stage, rect.width);
    }
    y += kWordsGap;
    if (!stage.explanation.empty()) {
        draw(painter, font(11), theme.ink, QRectF(rect.x, y, rect.width, 1000), kWrap, explanation(stage));
        y += wrapped_height(font(11), rect.width, explanation(stage)) + kWordsGap;
    }
    if (stage_note(stage).isEmpty()) return;
    const double height = wrapped_height(font(11, false, true), rect.width - 10, stage_note(stage));
    painter.setPen(QPen(theme.faint, 2));
    painter.drawLine(QPointF(rect.x + 1, y), QPointF(rect.x + 1, y + height));
    draw(painter, font(11, false, true), theme.ink, QRectF(rect.x + 10, y, rect.width - 10, height + 20),
         kWrap, stage_note(stage));
}

void paint_page_foot(QPainter& painter, const Derivation& derivation, const Theme& theme, const Rect& page,
                     int number, int pages) {
    const QString text = StripTexts::tr("%1, page %2 of %3")
                             .arg(QString::fromStdString(derivation.name))
                             .arg(number)
                             .arg(pages);
    draw(painter, font(10), theme.faint, QRectF(page.x, page.bottom() - 34, page.width - 44, 16),
         Qt::AlignRight | Qt::AlignVCenter, text);
}

namespace {

constexpr Size kLandscape{1123, 794};  // A4 at 96 pixels to the inch
constexpr Size kPortrait{794, 1123};
constexpr double kStripMargin = 44;
constexpr double kGap = 26;           // between columns
constexpr double kRowGap = 22;        // between rows
constexpr double kPictureGap = 10;    // between words and picture
constexpr double kReadable = 0.7;     // labels of 13 pixels are 9 pixels high then; larger is no better
constexpr double kNarrowest = 190;    // a panel, so that its words have room
constexpr double kWidestPanel = 560;  // on sheets
constexpr int kMostColumns = 6;

Size largest(const Derivation& derivation) {
    Size size{1, 1};
    for (const Stage& stage : derivation.stages) {
        size.width = std::max(size.width, stage.picture->geometry.bounds.width);
        size.height = std::max(size.height, stage.picture->geometry.bounds.height);
    }
    return size;
}

double column_width(double page_width, int columns) {
    return (page_width - 2 * kStripMargin - (columns - 1) * kGap) / columns;
}

double words_height(const Derivation& derivation, double width) {
    double height = 0;
    for (const Stage& stage : derivation.stages) height = std::max(height, stage_words_height(stage, width));
    return height;
}

struct Choice {
    Size paper;
    int columns = 1;
    double title = 0;
    double scale = 0;
    double worth = -1;
};

// Pictures as large as fits `columns` columns, on one row of the first page. What counts is how large they
// are and how many a page holds.
Choice choice(const Derivation& derivation, Size paper, int columns) {
    const Size most = largest(derivation);
    const double width = column_width(paper.width, columns);
    const double words = kStageHeader + kPictureGap + words_height(derivation, width);
    Choice made{.paper = paper,
                .columns = columns,
                .title = strip_title_height(derivation, paper.width - 2 * kStripMargin)};
    const double room = paper.height - 2 * kStripMargin - made.title;
    made.scale = std::min({1.0, width / most.width, std::max(room - words, 100.0) / most.height});
    const double rows = std::max(1.0, std::floor(room / (words + most.height * made.scale + kRowGap)));
    const double held = std::min(columns * rows, static_cast<double>(derivation.stages.size()));
    made.worth = std::min(made.scale, kReadable) * std::sqrt(held);
    return made;
}

Choice best_choice(const Derivation& derivation) {
    Choice best;
    const int most = std::min(kMostColumns, static_cast<int>(derivation.stages.size()));
    for (const Size& paper : {kLandscape, kPortrait})
        for (int columns = 1; columns <= most; ++columns) {
            if (columns > 1 && column_width(paper.width, columns) < kNarrowest) break;
            const Choice next = choice(derivation, paper, columns);
            if (next.worth > best.worth + 1e-9) best = next;
        }
    return best;
}

// Fills rows from left to right; `bottom`: where pages end.
void place(const Derivation& derivation, StripLayout& layout, int columns, double bottom) {
    const double width = column_width(layout.size.width, columns);
    const int count = static_cast<int>(derivation.stages.size());
    double y = kStripMargin + layout.title;
    layout.pages.push_back({});
    for (int first = 0; first < count; first += columns) {
        const int end = std::min(count, first + columns);
        double picture = 0;
        double words = 0;
        for (int i = first; i < end; ++i) {
            const Stage& stage = derivation.stages[static_cast<std::size_t>(i)];
            picture = std::max(picture, stage.picture->geometry.bounds.height * layout.scale);
            words = std::max(words, stage_words_height(stage, width));
        }
        const double height = kStageHeader + words + kPictureGap + picture;
        if (y + height > bottom + 0.5 && !layout.pages.back().panels.empty()) {
            layout.pages.push_back({});
            y = kStripMargin;
        }
        for (int i = first; i < end; ++i)
            layout.pages.back().panels.push_back(
                {i,
                 {kStripMargin + (i - first) * (width + kGap), y, width, height},
                 y + kStageHeader,
                 y + kStageHeader + words + kPictureGap});
        y += height + kRowGap;
    }
    layout.size.height = std::max(layout.size.height, std::ceil(y - kRowGap + kStripMargin));
}

}  // namespace

StripLayout lay_out_pages(const Derivation& derivation) {
    const Choice best = best_choice(derivation);
    StripLayout layout;
    layout.size = best.paper;
    layout.title = best.title;
    layout.scale = best.scale;
    place(derivation, layout, best.columns, best.paper.height - kStripMargin);
    layout.size = best.paper;
    return layout;
}

StripLayout lay_out_sheet(const Derivation& derivation) {
    StripLayout layout;
    const Size most = largest(derivation);
    const double width = std::clamp(most.width, kNarrowest, kWidestPanel);
    layout.scale = std::min(1.0, width / most.width);
    // About as wide as it is high.
    const double panel = most.height * layout.scale * 0.8 + kStageHeader + 60;
    const auto count = static_cast<double>(derivation.stages.size());
    const int columns = std::clamp(static_cast<int>(std::lround(std::sqrt(count * panel / width))), 1,
                                   std::min(kMostColumns, static_cast<int>(count)));
    layout.size.width = std::ceil(2 * kStripMargin + columns * width + (columns - 1) * kGap);
    layout.title = strip_title_height(derivation, layout.size.width - 2 * kStripMargin);
    place(derivation, layout, columns, 1e9);
    return layout;
}

}  // namespace blockscope

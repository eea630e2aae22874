
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>

#include "app/export/comparison.h"
#include "app/export/export_dialog.h"
#include "app/export/paper.h"
#include "app/export/slides.h"
#include "app/export/strip.h"

namespace blockscope {

namespace {

using What = ExportRequest::What;

constexpr int kMostLines = 60;           // of a text
constexpr std::size_t kFirstStages = 4;  // that a preview of a run shows
constexpr int kAir = 10;                 // around the preview, and between slides

QImage blank(const QSize& size) {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    return image;
}

// As large as `room` shows it.
QSize fitting(QSizeF size, const QSize& room) {
    const double scale = std::min(room.width() / size.width(), room.height() / size.height());
    return {std::max(1, static_cast<int>(size.width() * scale)),
            std::max(1, static_cast<int>(size.height() * scale))};
}

QImage comparison_image(const ExportRequest& request, const Content& content, const PictureSource& pictures,
                        const QSize& room) {
    const auto pages = compare_on_paper(content, request.comparison, pictures);
    if (pages.empty()) return {};
    const Size paper = pages.front().paper;
    const QSizeF sheet(paper.width, paper.height * static_cast<double>(pages.size()));
    QImage image = blank(fitting(sheet, room));
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    const double scale = image.width() / sheet.width();
    painter.scale(scale, scale);
    paint_comparison(painter, pages, request.theme);
    return image;
}

QImage strip_image(const Derivation& run, const ExportRequest& request, const QSize& room) {
    const StripLayout layout = lay_out_sheet(run);
    QImage image = blank(fitting({layout.size.width, layout.size.height}, room));
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    const double scale = image.width() / layout.size.width;
    painter.scale(scale, scale);
    paint_strip_page(painter, run, request.theme, layout, 0);
    return image;
}

QString beginning(const QByteArray& bytes) {
    QStringList lines = QString::fromUtf8(bytes).split(QLatin1Char('\n')).mid(0, kMostLines);
    return lines.join(QLatin1Char('\n'));
}

// The slides of the first stages, two beside each other.
QImage slides_image(const Derivation& run, const ExportRequest& request, const QSize& room) {
    const int count = static_cast<int>(run.stages.size());
    const int columns = count > 1 ? 2 : 1, rows = (count + columns - 1) / columns;
    const QSizeF sheet(columns * kSlide.width + (columns - 1) * 24, rows * kSlide.height + (rows - 1) * 24);
    QImage image = blank(fitting(sheet, room));
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    const double scale = image.width() / sheet.width();
    for (int i = 0; i < count; ++i) {
        painter.save();
        painter.scale(scale, scale);
        const int row = i / columns;
        painter.translate((i % columns) * (kSlide.width + 24), row * (kSlide.height + 24));
        paint_slide(painter, run, {Slide::Kind::Stage, i}, request.theme);
        painter.restore();
    }
    return image;
}

Preview run_preview(const ExportRequest& request, const Content& content, const PictureSource& pictures,
                    const QSize& room) {
    const bool strip = request.what == What::Strip;
    const std::size_t most = strip ? 3 * kFirstStages : kFirstStages;
    const auto run = derive(content, request.stages, pictures, strip ? PictureShape{} : slide_shape(), most);
    if (!run) return {};
    if (!strip) return {slides_image(*run, request, room), {}};
    return {strip_image(*run, request, room), {}};
}

}  // namespace

Preview preview_of(const ExportRequest& request, const Content& content, const PictureSource& pictures,
                   const QSize& room) {
    const ExportKind* kind = kind_of(request.what);
    if (kind && kind->stages) return run_preview(request, content, pictures, room);
    const FileFormat* format = find_format(request.format);
    const bool text = !format || format->kind == FormatKind::Text;
    if (text) {
        const std::optional<QByteArray> bytes = make_export(request, content, pictures);
        return bytes ? Preview{{}, beginning(*bytes)} : Preview{};
    }
    if (request.what == What::Comparison) return {comparison_image(request, content, pictures, room), {}};
    return {export_image(request, content, pictures, room), {}};
}

ExportPreview::ExportPreview(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Preview"));
    setMinimumSize(300, 240);
}

QSize ExportPreview::room() const {
    const QSize size = isVisible() ? this->size() : sizeHint();
    return (QSizeF(size - QSize(2 * kAir, 2 * kAir)) * devicePixelRatioF()).toSize();
}

void ExportPreview::wait() {
    waiting_ = true;
    update();
}

void ExportPreview::show_preview(Preview preview) {
    waiting_ = false;
    shown_ = std::move(preview);
    update();
}

void ExportPreview::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.setPen(QPen(palette().color(QPalette::Mid), 1));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    const QRect inside = rect().adjusted(kAir, kAir, -kAir, -kAir);
    painter.setClipRect(inside);
    const QColor ink = palette().color(QPalette::Text);
    if (!shown_.image.isNull()) {
        const QSize size = shown_.image.size().scaled(inside.size(), Qt::KeepAspectRatio);
        const QRect at(inside.center() - QPoint(size.width() / 2, size.height() / 2), size);
        painter.drawImage(at, shown_.image);
    } else if (!shown_.text.isEmpty()) {
        put_text(painter, {.pixels = 11, .fixed = true}, ink, inside, shown_.text);
    }
    if (!waiting_) return;
    painter.setFont(font());
    painter.setPen(ink);
    painter.drawText(inside, Qt::AlignHCenter | Qt::AlignBottom, tr("Drawing the preview…"));
}

}  // namespace blockscope

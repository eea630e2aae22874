#include "app/circuit/circuit_view.h"

#include <QAccessible>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHelpEvent>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMouseEvent>
#include <QPainter>
#include <QPinchGesture>
#include <QSplitter>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/circuit/circuit_key.h"
#include "app/circuit/circuit_overview.h"
#include "app/circuit/kernel_tables.h"
#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr double kReach = 6;           // widget pixels around a wire in which it is meant
constexpr double kZoomPerNotch = 1.2;  // of a mouse wheel
constexpr double kZoomPerPixel = 1.0035;
constexpr double kLargestViewFit = 1.5;  // fitting does not enlarge small diagrams further
constexpr double kSmallestName = 11;     // pixels
constexpr double kAboveRow = 20;         // picture units in which a row says what it does
constexpr double kBegin = 8;  // widget pixels before the beginning of a diagram that is not all seen

// As many events as have room; then how many more there are.
QString row_text(const QString& name, const QStringList& events, double room, const QFontMetrics& metrics) {
    QString best = name;
    for (qsizetype shown = 1; shown <= events.size(); ++shown) {
        QString text = CircuitView::tr("%1: %2").arg(name, events.mid(0, shown).join(QStringLiteral(", ")));
        if (shown < events.size())
            text = CircuitView::tr("%1, and %2 more").arg(text).arg(events.size() - shown);
        if (metrics.horizontalAdvance(text) > room) break;
        best = text;
    }
    return best;
}

Rect part_box(const circuit::Drawing& drawing, const CircuitPart& part) {
    const auto i = static_cast<std::size_t>(std::max(part.index, 0));
    switch (part.kind) {
        case CircuitPart::Kind::None:
            return {};
        case CircuitPart::Kind::Frame:
            return drawing.frames.at(i).rect;
        case CircuitPart::Kind::Wire: {
            const Point p = drawing.wires.at(i).points.front();
            return {p.x, p.y, 0, 0};
        }
        case CircuitPart::Kind::Glyph:
            return drawing.glyphs.at(i).box;
        case CircuitPart::Kind::Number:
            return drawing.numbers.at(i).box;
    }
    return {};
}

}  // namespace

CircuitView::CircuitView(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    grabGesture(Qt::PinchGesture);
    setMinimumSize(160, 100);
    setAccessibleName(tr("Circuit diagram"));
}

void CircuitView::show_drawing(DrawingPtr drawing) {
    const bool first = !drawing_;
    drawing_ = std::move(drawing);
    lights_ = {};
    hovered_ = focus_ = {};
    title_.clear();
    text_.clear();
    setAccessibleDescription(drawing_ ? tr("Operators: %1").arg(drawing_->glyphs.size()) : QString());
    if (first || fitted_) fit();
    update();
    Q_EMIT moved();
}

void CircuitView::set_message(const QString& title, const QString& text) {
    drawing_.reset();
    title_ = title;
    text_ = text;
    setAccessibleDescription(title + QLatin1Char(' ') + text);
    update();
    Q_EMIT moved();
}

void CircuitView::set_theme(const Theme& theme) {
    look_ = circuit_look(theme);
    update();
    Q_EMIT moved();
}

void CircuitView::set_lights(const CircuitLights& lights) {
    if (lights == lights_) return;
    lights_ = lights;
    update();
}

void CircuitView::set_camera(const Camera& camera, bool fitted) {
    camera_ = camera;
    fitted_ = fitted;
    update();
    Q_EMIT moved();
}

void CircuitView::fit() {
    if (!drawing_) return;
    const Rect& bounds = drawing_->bounds;
    Camera camera = fitted(bounds, size(), kLargestViewFit);
    if (camera.scale < least_ && !whole_) {
        const double x = (width() / 2.0 - kBegin) / least_, y = (height() / 2.0 - kBegin) / least_;
        camera = {{bounds.x + std::min(x, bounds.width / 2), bounds.y + std::min(y, bounds.height / 2)},
                  least_};
    }
    set_camera(camera, true);
}

double CircuitView::readable_scale() {
    double least = circuit::letter_size(circuit::LabelRole::Title);
    for (const circuit::LabelRole role :
         {circuit::LabelRole::Axis, circuit::LabelRole::Name, circuit::LabelRole::Glyph})
        least = std::min(least, circuit::letter_size(role));
    return kSmallestName / least;
}

Rect CircuitView::seen() const {
    const Point corner = to_picture(camera_, size(), {0, 0});
    return {corner.x, corner.y, width() / camera_.scale, height() / camera_.scale};
}

void CircuitView::fit_whole() {
    whole_ = true;
    fit();
}

void CircuitView::actual_size() {
    set_camera({camera_.center, 1});
}

void CircuitView::zoom(double factor) {
    set_camera(zoomed(camera_, size(), factor, QRectF(rect()).center()));
}

CircuitPart CircuitView::part_under(QPointF place) const {
    if (!drawing_) return {};
    return part_at(*drawing_, to_picture(camera_, size(), place), kReach / camera_.scale);
}

QPointF CircuitView::place_of(const CircuitPart& part) const {
    if (!drawing_ || part.kind == CircuitPart::Kind::None) return {};
    return to_view(camera_, size(), part_box(*drawing_, part).center());
}

void CircuitView::hover(const CircuitPart& part) {
    if (part == hovered_) return;
    hovered_ = part;
    update();
    Q_EMIT hovered(part);
}

// ---- painting ----

void CircuitView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), look_.theme.canvas);
    if (!drawing_) return paint_message(painter);
    const QPointF origin = to_view(camera_, size(), {0, 0});
    painter.translate(origin);
    painter.scale(camera_.scale, camera_.scale);
    CircuitLights lights = lights_;
    lights.hovered = hovered_.kind == CircuitPart::Kind::None ? focus_ : hovered_;
    paint_circuit(painter, *drawing_, look_, lights);
    paint_row_names(painter);
    if (focus_.kind == CircuitPart::Kind::None || !hasFocus()) return;
    const Rect box = part_box(*drawing_, focus_).grown(5);
    painter.setPen(QPen(look_.theme.selected, 2 / camera_.scale));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(box.x, box.y, box.width, box.height), 4, 4);
}

// "row 2 of 3: loads Q, ..." above each line of a diagram that is wrapped: what it does, as far as there is
// room for it. The tooltip has all.
void CircuitView::paint_row_names(QPainter& painter) {
    const std::size_t rows = drawing_->lines.size();
    if (rows < 2) return;
    constexpr double kRaised = 3;  // pixels between these words and what the row draws
    QFont font = this->font();
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(kSmallestName / camera_.scale))));
    painter.setFont(font);
    painter.setPen(look_.theme.faint);
    for (std::size_t row = 0; row < rows; ++row) {
        const Rect& line = drawing_->lines[row];
        const QString name = tr("row %1 of %2").arg(row + 1).arg(rows);
        const QStringList events = row_events(*drawing_, row);
        const double seen = to_picture(camera_, size(), {width() - kBegin, 0.0}).x - line.x;
        painter.drawText(QPointF(line.x, line.y - kRaised / camera_.scale),
                         row_text(name, events, std::max(line.width, seen), painter.fontMetrics()));
    }
}

// What the line at this place does; empty for a diagram of one line, and beside lines.
QString CircuitView::row_under(QPointF place) const {
    if (!drawing_ || drawing_->lines.size() < 2) return {};
    const Point at = to_picture(camera_, size(), place);
    for (std::size_t row = 0; row < drawing_->lines.size(); ++row) {
        const Rect& line = drawing_->lines[row];
        if (at.y >= line.top() - kAboveRow && at.y <= line.bottom()) return row_sentences(*drawing_)[row];
    }
    return {};
}

void CircuitView::paint_message(QPainter& painter) {
    QFont font = this->font();
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(look_.theme.ink);
    const QRectF all = QRectF(rect()).adjusted(24, 24, -24, -24);
    const QRectF upper(all.left(), all.center().y() - 40, all.width(), 30);
    painter.drawText(upper, Qt::AlignHCenter | Qt::AlignBottom, title_);
    painter.setFont(this->font());
    painter.setPen(look_.theme.faint);
    painter.drawText(QRectF(all.left(), all.center().y(), all.width(), all.height() / 2),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, text_);
}

// ---- mouse, trackpad, touch, keys ----

void CircuitView::resizeEvent(QResizeEvent*) {
    if (fitted_) fit();
}

void CircuitView::mousePressEvent(QMouseEvent* event) {
    pressed_ = dragged_ = event->position();
}

void CircuitView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (!(event->buttons() & (Qt::LeftButton | Qt::MiddleButton))) return hover(part_under(at));
    if (!dragging_ && (at - pressed_).manhattanLength() < QApplication::startDragDistance()) return;
    dragging_ = true;
    setCursor(Qt::ClosedHandCursor);
    set_camera(panned(camera_, at.x() - dragged_.x(), at.y() - dragged_.y()));
    dragged_ = at;
}

void CircuitView::mouseReleaseEvent(QMouseEvent* event) {
    unsetCursor();
    const bool dragged = std::exchange(dragging_, false);
    if (dragged || event->button() != Qt::LeftButton) return;
    const CircuitPart part = part_under(event->position());
    focus_ = part.kind == CircuitPart::Kind::Glyph ? part : CircuitPart{};
    update();
    Q_EMIT clicked(part);
}

void CircuitView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        Q_EMIT double_clicked(part_under(event->position()), event->position());
}

void CircuitView::contextMenuEvent(QContextMenuEvent* event) {
    const bool keys = event->reason() == QContextMenuEvent::Keyboard;
    Q_EMIT menu_wanted(keys ? focus_ : part_under(event->pos()),
                       keys ? mapToGlobal(rect().center()) : event->globalPos());
}

void CircuitView::wheelEvent(QWheelEvent* event) {
    event->accept();
    const QPoint pixels = event->pixelDelta();
    const QPoint angle = event->angleDelta();
    if (!pixels.isNull()) {  // a trackpad
        if (event->modifiers() & Qt::ControlModifier)
            return set_camera(
                zoomed(camera_, size(), std::pow(kZoomPerPixel, pixels.y()), event->position()));
        return set_camera(panned(camera_, pixels.x(), pixels.y()));
    }
    if (event->modifiers() & Qt::ShiftModifier)
        return set_camera(panned(camera_, (angle.x() + angle.y()) * 0.5, 0));
    set_camera(zoomed(camera_, size(), std::pow(kZoomPerNotch, angle.y() / 120.0), event->position()));
}

void CircuitView::leaveEvent(QEvent*) {
    hover({});
}

// From operator to operator in the order of execution.
void CircuitView::move_focus(int by) {
    if (!drawing_ || drawing_->glyphs.empty()) return;
    const int count = static_cast<int>(drawing_->glyphs.size());
    const bool none = focus_.kind != CircuitPart::Kind::Glyph;
    const int next = none ? (by > 0 ? 0 : count - 1) : std::clamp(focus_.index + by, 0, count - 1);
    focus_ = {CircuitPart::Kind::Glyph, next};
    if (!QRectF(rect()).contains(place_of(focus_)))
        set_camera({part_box(*drawing_, focus_).center(), std::max(camera_.scale, readable_scale())});
    setAccessibleDescription(QString::fromStdString(part_text(*drawing_, focus_)));
    QAccessibleEvent said(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&said);
    update();
}

void CircuitView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left:
            return move_focus(-1);
        case Qt::Key_Right:
            return move_focus(1);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (focus_.kind == CircuitPart::Kind::None) break;
            Q_EMIT clicked(focus_);
            return;
        case Qt::Key_Escape:
            if (focus_.kind == CircuitPart::Kind::None) break;
            focus_ = {};
            return update();
        default:
            break;
    }
    QWidget::keyPressEvent(event);
}

bool CircuitView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const CircuitPart part = part_under(help->pos());
        const QString text = part.kind == CircuitPart::Kind::None || !drawing_
                                 ? row_under(help->pos())
                                 : QString::fromStdString(part_text(*drawing_, part));
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    if (event->type() == QEvent::Gesture) {
        const auto* pinch =
            static_cast<QPinchGesture*>(static_cast<QGestureEvent*>(event)->gesture(Qt::PinchGesture));
        if (pinch) {
            set_camera(zoomed(camera_, size(), pinch->scaleFactor(), mapFromGlobal(pinch->centerPoint())));
            return true;
        }
    }
    return QWidget::event(event);
}

namespace {

constexpr qint64 kBeginning = 400;  // bytes in which a document says what it is
constexpr qint64 kMostBytes = 64 << 20;

struct Read {
    circuit::CircuitDocument document;
    DrawingPtr drawing;
    Result<circuit::Flow> flow;
};

Result<Read> read_document(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Problem{{path.toStdString(), 0, 0, {}}, file.errorString().toStdString()};
    const std::string text = file.read(kMostBytes).toStdString();
    Result<circuit::CircuitDocument> document = circuit::read_circuit(text, path.toStdString());
    if (!document) return document.problems();
    circuit::LayoutOptions options;
    options.measure = circuit_measure();
    auto drawing = std::make_shared<const circuit::Drawing>(circuit::lay_out(document->circuit, options));
    Result<circuit::Flow> flow = circuit::flow_of(document->circuit);
    return Read{*std::move(document), std::move(drawing), std::move(flow)};
}

// The axis of the diagram that is split into groups, or into a stream.
std::string split_axis(const circuit::Axes& axes, circuit::PartitionKind kind) {
    for (const circuit::Axis& axis : axes)
        if (axis.whole && axis.partition == kind) return circuit::axis_of(axes, *axis.whole).name;
    return {};
}

}  // namespace

CircuitWindow::CircuitWindow(const QString& path, Appearance& appearance, QWidget* parent)
    : QWidget(parent, Qt::Window),
      appearance_(appearance),
      work_(this),
      view_(new CircuitView(this)),
      tables_(new KernelTables(appearance, this)) {
    new CircuitOverview(view_);
    view_->set_least_scale(CircuitView::readable_scale());
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(view_);
    splitter->addWidget(tables_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(splitter);
    setWindowTitle(QFileInfo(path).completeBaseName());
    resize(first_size(*this, {1160, 860}));
    const auto restyle = [this] { view_->set_theme(appearance_.theme()); };
    connect(&appearance_, &Appearance::changed, this, restyle);
    restyle();
    read(path);
}

bool CircuitWindow::busy() const {
    return work_.busy() || tables_->busy();
}

void CircuitWindow::read(const QString& path) {
    work_.start(tr("Opening %1").arg(QFileInfo(path).fileName()), [=, this](const Stop&) -> Work::Finish {
        auto made = std::make_shared<Result<Read>>(read_document(path));
        return [=, this] {
            if (!*made) {
                Q_EMIT refused(made->problems());
                close();
                return;
            }
            const Read& opened = **made;
            if (!opened.document.title.empty()) setWindowTitle(QString::fromStdString(opened.document.title));
            view_->show_drawing(opened.drawing);
            if (!opened.flow)
                return tables_->show_algorithm(
                    {.diagram = std::make_shared<const circuit::Circuit>(opened.document.circuit),
                     .why = as_sentence(opened.flow.problems().front().message)});
            const circuit::Axes& axes = opened.document.circuit.axes;
            tables_->show_algorithm({.flow = std::make_shared<const circuit::Flow>(*opened.flow),
                                     .rows = split_axis(axes, circuit::PartitionKind::Group),
                                     .stream = split_axis(axes, circuit::PartitionKind::Stream),
                                     .execution = opened.document.execution});
        };
    });
}

bool is_circuit_file(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.read(kBeginning).contains("\"blockscope circuit\"");
}

std::vector<CircuitSample> circuit_samples() {
    std::vector<CircuitSample> all;
    const QDir folder(QStringLiteral(":/samples/circuits"));
    for (const QFileInfo& info : folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        QFile file(info.filePath());
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QString title =
            QJsonDocument::fromJson(file.readAll()).object().value(QStringLiteral("title")).toString();
        all.push_back({title.isEmpty() ? info.completeBaseName() : title, info.filePath()});
    }
    return all;
}

}  // namespace blockscope

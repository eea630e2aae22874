#include "app/shell/code_view.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocument>
#include <QToolTip>
#include <algorithm>
#include <utility>

namespace blockscope {

namespace {

constexpr int kTurn = 12;  // milliseconds of colouring in one turn of the event loop

}  // namespace

LazyHighlighter::LazyHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {
    turn_.setSingleShot(true);
    turn_.setInterval(0);
    connect(&turn_, &QTimer::timeout, this, &LazyHighlighter::go_on);
}

void LazyHighlighter::highlightBlock(const QString& text) {
    if (!turn_.isActive()) turn_.start();
    if (done_ < kLinesAtOnce) {
        ++done_;
        return colour(text);
    }
    const int line = currentBlock().blockNumber();
    if (next_ < 0 || line < next_) next_ = line;
}

void LazyHighlighter::recolour() {
    if (document()->blockCount() <= kLinesAtOnce) return rehighlight();
    next_ = 0;
    turn_.start();
}

void LazyHighlighter::go_on() {
    done_ = 0;
    if (next_ < 0) return;
    QTextBlock block = document()->findBlockByNumber(std::exchange(next_, -1));
    QElapsedTimer clock;
    clock.start();
    colouring_ = true;
    for (int i = 0; i < kLinesAtOnce && clock.elapsed() < kTurn && block.isValid(); ++i, block = block.next())
        rehighlightBlock(block);
    colouring_ = false;
    // All lines behind the first that waits, as others of them may wait, too.
    if (block.isValid()) next_ = block.blockNumber();
    turn_.start();
}

namespace {

constexpr std::size_t kLinesAtOnce = 200;

}  // namespace

LineFiller::LineFiller(QPlainTextEdit& view) : QObject(&view), view_(view) {
    connect(&turn_, &QTimer::timeout, this, [this] {
        go_on();
        if (next_ < count_) return;
        turn_.stop();
        Q_EMIT filled();
    });
}

void LineFiller::fill(std::size_t count, std::function<QString(std::size_t)> line) {
    line_ = std::move(line);
    count_ = count;
    next_ = 0;
    turn_.stop();
    view_.clear();
    go_on();
    if (next_ < count_) turn_.start(0);
}

LineFiller::Kept LineFiller::kept_lines(std::size_t count,
                                        const std::function<QString(std::size_t)>& line) const {
    const QTextDocument& text = *view_.document();
    const std::size_t most = std::min(count, static_cast<std::size_t>(text.blockCount()));
    Kept kept;
    QTextBlock block = text.firstBlock();
    for (; kept.first < most && block.text() == line(kept.first); block = block.next()) ++kept.first;
    block = text.lastBlock();
    for (; kept.first + kept.last < most && block.text() == line(count - 1 - kept.last);
         block = block.previous())
        ++kept.last;
    return kept;
}

void LineFiller::change(std::size_t count, std::function<QString(std::size_t)> line) {
    const auto before = static_cast<std::size_t>(view_.document()->blockCount());
    const Kept kept = busy() || count == 0 ? Kept() : kept_lines(count, line);
    const std::size_t changed = count - kept.first - kept.last;
    if (kept.first + kept.last == 0 || changed > kLinesAtOnce) return fill(count, std::move(line));
    line_ = std::move(line);
    count_ = next_ = count;
    if (changed > 0 || before != count) replace_lines(kept, before);
    if (view_.textCursor().position() != 0 || view_.textCursor().hasSelection())
        view_.setTextCursor(QTextCursor(view_.document()));
}

// The lines between those that stay, with the end of the line before them, or that of their last one.
void LineFiller::replace_lines(const Kept& kept, std::size_t before) {
    const QTextDocument& text = *view_.document();
    const auto line_end = [&](std::size_t lines) {
        const QTextBlock block = text.findBlockByNumber(static_cast<int>(lines) - 1);
        return block.position() + block.length() - 1;
    };
    QString middle;
    for (std::size_t i = kept.first; i < count_ - kept.last; ++i)
        middle += kept.first > 0 ? QLatin1Char('\n') + line_(i) : line_(i) + QLatin1Char('\n');
    const bool at_start = kept.first == 0;
    QTextCursor cursor(view_.document());
    cursor.setPosition(at_start ? 0 : line_end(kept.first));
    const std::size_t gone = before - kept.last;  // lines up to the first that stays behind them
    cursor.setPosition(at_start ? text.findBlockByNumber(static_cast<int>(gone)).position() : line_end(gone),
                       QTextCursor::KeepAnchor);
    cursor.insertText(middle);
}

void LineFiller::go_on() {
    const bool first = next_ == 0;
    QString text;
    const std::size_t end = std::min(count_, next_ + kLinesAtOnce);
    for (; next_ < end; ++next_) {
        if (next_ > 0) text += QLatin1Char('\n');
        text += line_(next_);
    }
    if (first) return view_.setPlainText(text);
    QTextCursor cursor(view_.document());
    cursor.movePosition(QTextCursor::End);
    cursor.insertText(text);
}

namespace {

constexpr int kIndent = 2;  // spaces a level

// Beside the text, painted by the view.
class Margin : public QWidget {
public:
    explicit Margin(CodeView& view) : QWidget(&view), view_(view) { setMouseTracking(true); }
    QSize sizeHint() const override { return {view_.margin_width(), 0}; }

protected:
    void paintEvent(QPaintEvent* event) override { view_.paint_margin(event); }
    void wheelEvent(QWheelEvent* event) override { QCoreApplication::sendEvent(view_.viewport(), event); }
    void mousePressEvent(QMouseEvent* event) override { view_.click_margin(event->position().toPoint()); }
    void mouseMoveEvent(QMouseEvent* event) override {
        const bool bar = !view_.margin_tip(event->position().toPoint()).isEmpty();
        setCursor(bar ? Qt::PointingHandCursor : Qt::ArrowCursor);
    }
    bool event(QEvent* event) override {
        if (event->type() != QEvent::ToolTip) return QWidget::event(event);
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), view_.margin_tip(help->pos()), this);
        return true;
    }

private:
    CodeView& view_;
};

QColor faded(QColor color, double alpha) {
    color.setAlphaF(static_cast<float>(alpha));
    return color;
}

QString sign(LineMark mark) {
    switch (mark) {
        case LineMark::None:
            return {};
        case LineMark::Added:
            return QStringLiteral("+");
        case LineMark::Removed:
            return QStringLiteral("\u2212");
        case LineMark::Changed:
            return QStringLiteral("~");
        case LineMark::Error:
            return QStringLiteral("!");
    }
    return {};
}

}  // namespace

CodeView::CodeView(Appearance& appearance, QWidget* parent)
    : QPlainTextEdit(parent), appearance_(appearance), margin_(new Margin(*this)) {
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    document()->setDocumentMargin(6);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeView::place_margin);
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &CodeView::decorate);
    // Soon, not at once: the view scrolls and changes its size in the midst of QTextDocument::clear(), which
    // forgets all cursors that are made meanwhile and remembers those that are deleted.
    decorating_.setSingleShot(true);
    connect(&decorating_, &QTimer::timeout, this, &CodeView::decorate);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, &decorating_, qOverload<>(&QTimer::start));
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int scrolled) {
        if (scrolled != 0)
            margin_->scroll(0, scrolled);
        else
            margin_->update(0, area.y(), margin_->width(), area.height());
    });
    connect(&appearance_, &Appearance::changed, this, [this] {
        if (isVisible())
            restyle();
        else
            stale_ = true;
    });
    restyle();
}

void CodeView::restyle() {
    setFont(appearance_.fixed_font());
    setTabStopDistance(fontMetrics().horizontalAdvance(QLatin1Char(' ')) * 4);
    place_margin();
    decorate();
    Q_EMIT restyled();
}

// A hidden text has its colours changed when it is shown.
void CodeView::showEvent(QShowEvent* event) {
    if (std::exchange(stale_, false)) restyle();
    QPlainTextEdit::showEvent(event);
}

void CodeView::set_looks(std::vector<LineLook> looks) {
    looks_ = std::move(looks);
    decorate();
    margin_->update();
}

void CodeView::set_lights(std::map<int, Light> lights) {
    if (lights == lights_) return;
    lights_ = std::move(lights);
    decorate();
    margin_->update();
}

void CodeView::set_decorations(QList<QTextEdit::ExtraSelection> decorations) {
    decorations_ = std::move(decorations);
    decorate();
}

void CodeView::show_lines(int first, int last) {
    const auto shows = [this](int line) {
        const QTextBlock block = document()->findBlockByNumber(line);
        const QRectF area = blockBoundingGeometry(block).translated(contentOffset());
        return area.top() >= 0 && area.bottom() <= viewport()->height();
    };
    if (shows(first) && shows(last)) return;
    const int rows = viewport()->height() / std::max(1, fontMetrics().lineSpacing());
    const int above = std::max(0, (rows - (last - first + 1)) / 2);
    verticalScrollBar()->setValue(first - above);
}

void CodeView::go_to(int line, int column) {
    const QTextBlock block = document()->findBlockByNumber(line);
    if (!block.isValid()) return;
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + std::clamp(column, 0, block.length() - 1));
    setTextCursor(cursor);
    centerCursor();
}

int CodeView::line_at(const QPoint& position) const {
    const QTextBlock block = cursorForPosition(position).block();
    const QRectF area = blockBoundingGeometry(block).translated(contentOffset());
    return position.y() >= area.top() && position.y() < area.bottom() ? block.blockNumber() : -1;
}

// ---- Painting

LineLook CodeView::look(int line) const {
    if (line < static_cast<int>(looks_.size())) return looks_[static_cast<std::size_t>(line)];
    return {.number = line + 1};
}

QColor CodeView::mark_color(LineMark mark) const {
    const Theme& theme = appearance_.theme();
    switch (mark) {
        case LineMark::None:
            return appearance_.colors().muted;
        case LineMark::Added:
            return theme.added;
        case LineMark::Removed:
            return theme.removed;
        case LineMark::Changed:
            return theme.changed;
        case LineMark::Error:
            return appearance_.colors().bad;
    }
    return {};
}

QTextEdit::ExtraSelection CodeView::whole_line(int line, const QColor& color) const {
    QTextEdit::ExtraSelection selection;
    selection.cursor = QTextCursor(document()->findBlockByNumber(line));
    selection.format.setBackground(color);
    selection.format.setProperty(QTextFormat::FullWidthSelection, true);
    return selection;
}

// Lines that are seen, and some around them: each decoration is a cursor that Qt keeps in place whenever the
// text grows.
void CodeView::decorate() {
    constexpr int kAround = 20;
    const int seen = viewport()->height() / std::max(1, fontMetrics().lineSpacing());
    const int top = firstVisibleBlock().blockNumber();
    const int first = std::max(0, top - kAround), end = top + seen + kAround;
    QList<QTextEdit::ExtraSelection> all;
    const bool dark = appearance_.dark();
    for (int line = first; line < std::min(end, static_cast<int>(looks_.size())); ++line) {
        const LineMark mark = looks_[static_cast<std::size_t>(line)].mark;
        if (mark == LineMark::None || lights_.count(line) > 0) continue;
        all.push_back(whole_line(line, faded(mark_color(mark), dark ? 0.16 : 0.10)));
    }
    for (const auto& [line, light] : lights_) {
        if (line < first || line >= end) continue;
        QColor color = appearance_.colors().tint;
        if (light == Light::Glow) color = faded(appearance_.theme().match, 0.28);
        if (light == Light::Hovered) color = faded(appearance_.theme().hovered, dark ? 0.28 : 0.16);
        all.push_back(whole_line(line, color));
    }
    all.append(decorations_);
    setExtraSelections(all);
}

void CodeView::place_margin() {
    setViewportMargins(margin_width(), 0, 0, 0);
    const QRect inside = contentsRect();
    margin_->setGeometry(inside.left(), inside.top(), margin_width(), inside.height());
}

void CodeView::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    place_margin();
    decorating_.start();
}

// Number, a little air, the sign, and the bar at the edge of the text.
int CodeView::margin_width() const {
    const int digits = std::max(2, static_cast<int>(QString::number(std::max(1, blockCount())).size()));
    return fontMetrics().horizontalAdvance(QLatin1Char('0')) * (digits + 2) + 12;
}

void CodeView::paint_margin(QPaintEvent* event) {
    QPainter painter(margin_);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(event->rect(), palette().color(QPalette::Base));
    painter.setFont(font());
    const int width = margin_->width();
    const int letter = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    const Colors& colors = appearance_.colors();
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
        if (line.top() > event->rect().bottom()) break;
        const LineLook look_of = look(block.blockNumber());
        const QRectF area(0, line.top(), width, fontMetrics().height());
        if (look_of.heat > 0) {
            const Theme& theme = appearance_.theme();
            const QColor color = faded(theme.hot, 0.42);
            painter.fillRect(QRectF(0, line.top() + 1, (width - 8) * look_of.heat, area.height() - 2), color);
        }
        const auto light = lights_.find(block.blockNumber());
        const bool strong =
            light != lights_.end() || look_of.heat > 0 || block.blockNumber() == current_line();
        if (look_of.number > 0) {
            painter.setPen(strong ? colors.text : faded(colors.muted, 0.75));
            painter.drawText(area.adjusted(0, 0, -letter * 2.0 - 6, 0), Qt::AlignRight | Qt::AlignVCenter,
                             QString::number(look_of.number));
        }
        if (look_of.mark != LineMark::None) {
            painter.setPen(mark_color(look_of.mark));
            painter.drawText(area.adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter,
                             sign(look_of.mark));
            painter.fillRect(QRectF(width - 4, line.top(), 3, area.height()), mark_color(look_of.mark));
        }
        if (light != lights_.end() && light->second == Light::Selected)
            painter.fillRect(QRectF(0, line.top() + 1, 3, area.height() - 2), colors.accent);
        if (look_of.gap) {
            QPainterPath wedge;
            wedge.moveTo(width - 8, line.top() - 4);
            wedge.lineTo(width - 1, line.top());
            wedge.lineTo(width - 8, line.top() + 4);
            wedge.closeSubpath();
            painter.fillPath(wedge, mark_color(LineMark::Removed));
        }
    }
}

int CodeView::heated_line_at(const QPoint& margin_position) const {
    const int line = line_at({0, margin_position.y()});
    return line >= 0 && look(line).heat > 0 ? line : -1;
}

QString CodeView::margin_tip(const QPoint& at) const {
    const int line = heated_line_at(at);
    return line < 0 ? QString() : tr("%1: a click shows where it comes from").arg(look(line).heat_text);
}

void CodeView::click_margin(const QPoint& at) {
    if (const int line = heated_line_at(at); line >= 0) Q_EMIT heat_clicked(line);
}

void CodeView::paint_guides(const QRect& area) {
    QPainter painter(viewport());
    painter.setPen(QPen(appearance_.colors().line, 1));
    const double letter = fontMetrics().horizontalAdvance(QLatin1Char(' '));
    const double left = contentOffset().x() + document()->documentMargin();
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
        if (line.top() > area.bottom()) break;
        const QString text = block.text();
        int spaces = 0;
        while (spaces < text.size() && text[spaces] == QLatin1Char(' ')) ++spaces;
        for (int column = 0; column + kIndent <= spaces; column += kIndent) {
            const double x = std::round(left + column * letter) + 0.5;
            painter.drawLine(QPointF(x, line.top()), QPointF(x, line.top() + fontMetrics().height()));
        }
    }
}

void CodeView::paint_notes(const QRect& area) {
    QPainter painter(viewport());
    painter.setFont(font());
    painter.setPen(appearance_.colors().muted);
    const double letter = fontMetrics().horizontalAdvance(QLatin1Char(' '));
    const double left = contentOffset().x() + document()->documentMargin();
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
        if (line.top() > area.bottom()) break;
        const QString note = look(block.blockNumber()).note;
        if (note.isEmpty()) continue;
        const double x = left + fontMetrics().horizontalAdvance(block.text()) + 2 * letter;
        if (x + fontMetrics().horizontalAdvance(note) > viewport()->width()) continue;
        painter.drawText(QPointF(x, line.top() + fontMetrics().ascent()), note);
    }
}

void CodeView::paintEvent(QPaintEvent* event) {
    QPlainTextEdit::paintEvent(event);
    paint_guides(event->rect());
    paint_notes(event->rect());
}

// ---- Pointing

void CodeView::mouseMoveEvent(QMouseEvent* event) {
    QPlainTextEdit::mouseMoveEvent(event);
    const int line = event->buttons() == Qt::NoButton ? line_at(event->position().toPoint()) : -1;
    if (std::exchange(hovered_, line) != line) Q_EMIT line_hovered(line);
}

void CodeView::mouseReleaseEvent(QMouseEvent* event) {
    QPlainTextEdit::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && !textCursor().hasSelection()) Q_EMIT line_chosen(current_line());
}

void CodeView::keyPressEvent(QKeyEvent* event) {
    const int before = current_line();
    QPlainTextEdit::keyPressEvent(event);
    if (current_line() != before && !textCursor().hasSelection()) Q_EMIT line_chosen(current_line());
}

void CodeView::leaveEvent(QEvent* event) {
    QPlainTextEdit::leaveEvent(event);
    if (std::exchange(hovered_, -1) != -1) Q_EMIT line_hovered(-1);
}

namespace {

ValueRef whole(const ValueRef& value) {
    return {value.node, value.port, 0};
}

}  // namespace

ProgramLinks::ProgramLinks(ProgramPtr program) : program_(std::move(program)) {
    if (program_) add_level(*program_->graph, nullptr);
}

void ProgramLinks::add_level(const Graph& graph, const Node* map) {
    const NodeId parent = map ? map->id : NodeId{};
    for (const NodePtr& node : graph.nodes()) {
        nodes_[node->id.value] = {node, parent};
        for (const ValueRef& input : node->inputs) users_.emplace(whole(input), node->id);
    }
    for (const NodePtr& node : graph.nodes()) {
        const Map* inner = node->as<Map>();
        if (!inner) continue;
        const std::vector<NodePtr> ports = inner->body->inputs();
        std::size_t port = 0;
        for (std::size_t i = 0; i < inner->inputs.size(); ++i)
            if (inner->inputs[i].mode != PortIn::Continued)
                source_[{ports.at(port++)->id}] = whole(node->inputs[i]);
        const std::vector<NodePtr> outputs = inner->body->outputs();
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const ValueRef output{node->id, static_cast<std::uint16_t>(i)};
            source_[output] = whole(outputs[i]->inputs[0]);
            // The entry of a carried value reads what the last iteration left.
            if (inner->outputs[i].mode == PortOut::Carried) source_[{ports.at(port++)->id}] = output;
        }
        add_level(*inner->body, node.get());
    }
}

const Node* ProgramLinks::find(NodeId id) const {
    const auto it = nodes_.find(id.value);
    return it == nodes_.end() ? nullptr : it->second.node.get();
}

NodeId ProgramLinks::parent(NodeId id) const {
    const auto it = nodes_.find(id.value);
    return it == nodes_.end() ? NodeId{} : it->second.parent;
}

std::vector<NodeId> ProgramLinks::path(NodeId id) const {
    std::vector<NodeId> maps;
    for (NodeId at = parent(id); at; at = parent(at)) maps.push_back(at);
    std::reverse(maps.begin(), maps.end());
    return maps;
}

ValueRef ProgramLinks::origin(const ValueRef& value) const {
    ValueRef at = whole(value);
    // A value that a loop carries unchanged leads round in a circle.
    for (std::size_t steps = 0; steps <= source_.size(); ++steps) {
        const auto it = source_.find(at);
        if (it == source_.end()) return at;
        at = it->second;
    }
    return at;
}

NodeId ProgramLinks::user(const ValueRef& value) const {
    const auto it = users_.find(whole(value));
    return it == users_.end() ? NodeId{} : it->second;
}

Spot ProgramLinks::spot(NodeId node, const std::optional<ValueRef>& value) const {
    Spot spot;
    const Node* shown = find(node);
    // Ports of maps are not drawn as nodes: what made their value is.
    const bool port = shown && shown->is<Input>() && parent(node);
    spot.nodes.insert(port && value ? origin(*value).node : node);
    if (!value) return spot;
    const NodeId consumer = user(*value);
    if (!consumer) return spot;
    spot.value = *value;
    spot.consumer = consumer;
    return spot;
}

std::vector<ValueRef> ProgramLinks::origins(const Spot& spot) const {
    std::vector<ValueRef> values;
    if (spot.value) values.push_back(origin(*spot.value));
    for (const NodeId id : spot.nodes) {
        const Node* node = find(id);
        if (!node) continue;
        if (node->is<Input>()) values.push_back(origin({id}));
        if (node->is<Output>()) values.push_back(origin(node->inputs[0]));
    }
    return values;
}

CodeLinks::CodeLinks(Document& document, CodeView& view) : QObject(&view), document_(document), view_(view) {
    connect(&view, &CodeView::line_hovered, this, [this](int line) { document_.set_hover(spot_of(line)); });
    connect(&view, &CodeView::line_chosen, this, [this](int line) {
        selecting_ = true;
        document_.select(spot_of(line));
        selecting_ = false;
    });
    connect(&document, &Document::hover_changed, this, &CodeLinks::relight);
    connect(&document, &Document::glow_changed, this, &CodeLinks::relight);
    connect(&document, &Document::selection_changed, this, [this] {
        relight();
        if (!selecting_) scroll_to_selection();
    });
}

void CodeLinks::show(ProgramLinks program, std::vector<Line> lines) {
    program_ = std::move(program);
    lines_ = std::move(lines);
    view_.set_lights({});
}

void CodeLinks::refresh() {
    relight();
    scroll_to_selection();
}

Spot CodeLinks::spot_of(int line) const {
    if (line < 0 || line >= static_cast<int>(lines_.size())) return {};
    const Line& pointed = lines_[static_cast<std::size_t>(line)];
    if (!pointed.node || !program_.find(pointed.node)) return {};
    return program_.spot(pointed.node, pointed.value);
}

void CodeLinks::light(const Spot& spot, CodeView::Light how, std::map<int, CodeView::Light>& lights) const {
    if (spot.empty()) return;
    const std::vector<ValueRef> origins = program_.origins(spot);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const Line& line = lines_[i];
        if (line.gone) continue;
        const bool moves = line.value && std::find(origins.begin(), origins.end(),
                                                   program_.origin(*line.value)) != origins.end();
        if (moves || spot.nodes.count(line.node) > 0) lights[static_cast<int>(i)] = how;
    }
}

// A hidden view waits until it is shown.
void CodeLinks::relight() {
    if (!view_.isVisible()) return;
    std::map<int, CodeView::Light> lights;
    const Glow& glow = document_.glow();
    if (glow.kind != Glow::Kind::None)
        light({{glow.nodes.begin(), glow.nodes.end()}, {}, {}}, CodeView::Light::Glow, lights);
    light(document_.hover(), CodeView::Light::Hovered, lights);
    light(document_.selection(), CodeView::Light::Selected, lights);
    view_.set_lights(std::move(lights));
}

void CodeLinks::scroll_to_selection() {
    int first = -1;
    int last = -1;
    for (const auto& [line, light] : view_.lights()) {
        if (light != CodeView::Light::Selected) continue;
        if (first < 0) first = line;
        last = line;
    }
    if (first >= 0) view_.show_lines(first, last);
}

}  // namespace blockscope

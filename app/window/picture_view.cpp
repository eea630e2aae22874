#include "app/window/picture_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/costs/best.h"
#include "app/costs/costs.h"
#include "app/costs/step_cost.h"
#include "app/document/document.h"
#include "app/document/pictures.h"
#include "app/scene/canvas.h"
#include "app/scene/legend.h"
#include "app/scene/minimap.h"
#include "app/shell/actions.h"
#include "app/shell/appearance.h"
#include "app/shell/progress.h"
#include "app/shell/step_look.h"
#include "app/shell/telling.h"
#include "app/shell/timeline_model.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

// A map is called the same, folded or not.
QString part_name(const Box& box) {
    const bool map = box.kind == BoxKind::Frame || box.kind == BoxKind::Cloud;
    if (map) return Breadcrumb::tr("%1-map").arg(QString::fromStdString(box.corner));
    return QString::fromStdString(box.label);
}

}  // namespace

Breadcrumb::Breadcrumb(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    setAccessibleName(tr("Where the selection is"));
    setObjectName(QStringLiteral("breadcrumb"));
    setAttribute(Qt::WA_StyledBackground);  // it may lie over the picture
    row_ = new QHBoxLayout(this);
    row_->setContentsMargins(6, 4, 6, 4);
    row_->setSpacing(0);
    setVisible(false);
}

void Breadcrumb::show_way(const PicturePtr& picture) {
    while (QLayoutItem* item = row_->takeAt(0)) {
        if (QWidget* part = item->widget()) {
            part->hide();
            part->deleteLater();
        }
        delete item;
    }
    std::vector<int> way;
    if (picture && !document_.empty() && document_.selection().nodes.size() == 1)
        for (int box = picture->figure.find(*document_.selection().nodes.begin()); box >= 0;
             box = picture->figure.boxes[box].parent)
            way.push_back(box);
    setVisible(!way.empty());
    if (way.empty()) return;
    std::reverse(way.begin(), way.end());
    add_part(QString::fromStdString(document_.content().name), {}, false);
    for (const int index : way) {
        const Box& box = picture->figure.boxes[index];
        add_part(part_name(box), box.id(), index == way.back());
    }
    adjustSize();
}

// Parts are shown, and then have a size, once events have been handled.
bool Breadcrumb::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) adjustSize();
    return QWidget::event(event);
}

void Breadcrumb::add_part(const QString& text, NodeId node, bool last) {
    auto* part = new QToolButton(this);
    part->setText(text.size() > 40 ? text.left(39) + QChar(0x2026) : text);
    part->setAccessibleName(text);
    part->setProperty("program_data", true);
    part->setAutoRaise(true);
    part->setFocusPolicy(Qt::TabFocus);
    connect(part, &QToolButton::clicked, this, [this, node] { Q_EMIT chosen(node); });
    row_->addWidget(part);
    if (last) return;
    auto* arrow = new QLabel(QStringLiteral("\u203a"), this);
    arrow->setProperty("program_data", true);
    row_->addWidget(arrow);
}

StepCaption::StepCaption(Document& document, Appearance& appearance, QWidget* over)
    : QLabel(over), document_(document), appearance_(appearance) {
    setObjectName(QStringLiteral("step_caption"));
    setTextFormat(Qt::PlainText);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setVisible(false);
    over->installEventFilter(this);
    connect(&document, &Document::content_changed, this, &StepCaption::refresh);
    connect(&appearance, &Appearance::changed, this, &StepCaption::refresh);
    connect(&EdgeCounts::of(document), &EdgeCounts::counted, this, &StepCaption::refresh);
    connect(&Best::of(document), &Best::changed, this, &StepCaption::refresh);
}

void StepCaption::refresh() {
    const bool shown = appearance_.presenting() && !document_.empty();
    if (shown) {
        const Best& best = Best::of(document_);
        const StateId state = document_.content().current;
        const QString standing = best.standing(state);
        const QString star = best.is_best(state) ? QStringLiteral("\u2605 ") : QString();
        const QString line = words() + QStringLiteral(" · ") + star + standing;
        constexpr int kAround = 80;
        const bool one = fontMetrics().horizontalAdvance(line) + kAround < parentWidget()->width();
        setText(standing.isEmpty() ? words() : one ? line : words() + QLatin1Char('\n') + star + standing);
    }
    if (shown) adjustSize();
    setVisible(shown);
    place();
}

bool StepCaption::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) refresh();
    return QLabel::eventFilter(watched, event);
}

void StepCaption::place() {
    constexpr int kMargin = 16;
    move(kMargin, parentWidget()->height() - height() - kMargin);
}

QString StepCaption::words() const {
    const History& history = document_.content().history;
    const HistoryState& state = document_.content().state();
    EdgeCounts& edges = EdgeCounts::of(document_);
    const auto after = edges.of(state.program);
    QString text = tr("Initial program");
    auto before = after;
    if (state.step) {
        const int last = history.depth(history.branch(document_.content().branch).tip);
        const RuleId rule = state.step->match.rule;
        text = tr("Step %1 of %2 · rule %3: %4")
                   .arg(history.depth(state.id))
                   .arg(last)
                   .arg(rule_text(rule), short_rule_name(rule));
        before = edges.of(history.state(state.parent).program);
    }
    if (!before || !after) return text;
    if (*before == *after && *after == 1) return text + tr(" · 1 buffered edge");
    if (*before == *after) return text + tr(" · %1 buffered edges").arg(*after);
    return text + tr(" · %1 → %2 buffered edges").arg(*before).arg(*after);
}

namespace {

constexpr int kOverlayTop = 48;   // of what says that a picture is late: below the breadcrumb
constexpr int kSettles = 200;     // milliseconds until a new extent of the canvas is one to keep
constexpr int kGlowBefore = 220;  // milliseconds in which what matched glows before it changes

std::vector<Lineage> reversed(const std::vector<Lineage>& made) {
    std::vector<Lineage> back;
    for (const Lineage& line : made)
        for (const NodeId from : line.from) back.push_back({from, {line.made}});
    return back;
}

// `part` and what is left and above of it, in each direction in which that fits into the room.
Rect from_beginning(const Rect& part, const Rect& all, const Size& room) {
    const double x = part.right() - all.x <= room.width ? all.x : part.x;
    const double y = part.bottom() - all.y <= room.height ? all.y : part.y;
    return {x, y, part.right() - x, part.bottom() - y};
}

// Boxes of `after` that show a node which `before` does not know.
std::vector<int> new_boxes(const Figure& before, const Figure& after) {
    std::vector<int> made;
    for (std::size_t i = 0; i < after.boxes.size(); ++i) {
        const std::vector<NodeId>& nodes = after.boxes[i].nodes;
        if (std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return before.find(id) < 0; }))
            made.push_back(static_cast<int>(i));
    }
    return made;
}

}  // namespace

PictureView::PictureView(Document& document, Services& services, QWidget* parent)
    : QWidget(parent),
      document_(document),
      services_(services),
      canvas_(new Canvas(this)),
      breadcrumb_(new Breadcrumb(document, this)),
      minimap_(new Minimap(canvas_)),
      legend_(new Legend(this)),
      strip_(new LegendStrip(this)),
      chip_(new QLabel(tr("Preview · Enter applies"), canvas_)),
      caption_(new StepCaption(document_, services_.appearance, this)),
      late_(new ProgressOverlay(tr("Laying out the picture"), kOverlayTop, canvas_)) {
    minimap_->setAccessibleName(tr("Minimap"));
    connect(minimap_, &Minimap::placed, this, &PictureView::place_over);
    setAccessibleName(tr("Picture"));
    canvas_->setAccessibleName(tr("Picture of the block program"));
    canvas_->setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(canvas_);
    connect(canvas_, &Canvas::camera_changed, this, [this] {
        if (!shown_.picture) return;  // it is still the document's before
        const Camera camera = canvas_->camera();
        using Saved = SavedView::Camera;
        // What the view chooses by itself it chooses again.
        const bool own = canvas_->is_fitted() || (reads_ && camera == placed_);
        document_.set_camera(own ? std::nullopt
                                 : std::optional(Saved{camera.center.x, camera.center.y, camera.scale}));
    });
    connect(strip_, &LegendStrip::clicked, this, [this] { services_.actions.trigger("view.legend"); });
    chip_->setObjectName(QStringLiteral("picture_chip"));
    chip_->setAttribute(Qt::WA_TransparentForMouseEvents);
    chip_->hide();
    caption_->installEventFilter(this);
    connect(late_, &ProgressOverlay::cancelled, this, &PictureView::stop_waiting);
    connect(&services_.pictures, &Pictures::failed, late_, &ProgressOverlay::end);
    connect(&services_.pictures, &Pictures::progressed, this, [this](const void* client, int permille) {
        if (client == this) late_->show_share(permille);
    });
    settles_.setSingleShot(true);
    settles_.setInterval(kSettles);
    connect(&settles_, &QTimer::timeout, this, [this] {
        if (shown_.picture && shown_.content == document_.snapshot() && !holds_room()) hold_room();
    });
    glow_before_.setSingleShot(true);
    connect(&glow_before_, &QTimer::timeout, this, &PictureView::show_now);
    canvas_->set_more_words([this](int box, int edge) { return array_words(box, edge); });
    connect_document();
    connect_canvas();
    connect_keys();
    connect_folds();
    restyle();
}

PictureView::~PictureView() {
    services_.pictures.cancel(this);
}

PicturePtr PictureView::picture() const {
    return canvas_->picture();
}

bool PictureView::shows_selection() const {
    if (!picture()) return false;
    const Lights lights = picture_lights(*picture(), document_, false);
    return !lights.edges.empty() || std::any_of(lights.boxes.begin(), lights.boxes.end(),
                                                [](const auto& box) { return box.second != Mark::Hovered; });
}

void PictureView::connect_document() {
    connect(&document_, &Document::opened, this, [this] {
        services_.pictures.cancel(this);  // what ran for the document before
        next_ = shown_ = {};
        hold_.give_up();
        previewed_.clear();
        late_->end();
        tell_preview();
        revealed_.reset();
        looked_at_.clear();
        glow_before_.stop();
        legend_->reset();
        reads_ = true;
        explained_ = nullptr;
    });
    connect(&document_, &Document::content_changed, this, &PictureView::request_picture);
    connect(&document_, &Document::preview_changed, this, &PictureView::request_picture);
    connect(&document_, &Document::safe_changed, this, [this] {
        if (!document_.empty()) request_picture();
    });
    connect(&document_, &Document::hover_changed, this, &PictureView::relight);
    connect(&document_, &Document::glow_changed, this, &PictureView::relight);
    connect(&document_, &Document::next_hidden_changed, this, &PictureView::relight);
    connect(&document_, &Document::selection_changed, this, [this] {
        relight();
        breadcrumb_->show_way(picture());
        place_parts();
    });
    connect(&document_, &Document::reveal_asked, this, [this](NodeId node) {
        revealed_ = node;
        reveal();
    });
    connect(&Telling::of(document_), &Telling::told_now, this, &PictureView::show_ghosts);
    connect(&Costs::of(document_), &Costs::heat_changed, this, &PictureView::relight);
    connect(&Costs::of(document_), &Costs::counted, this, &PictureView::relight);
    connect(&services_.appearance, &Appearance::changed, this, &PictureView::restyle);
    connect(&services_.settings, &Settings::changed, this, &PictureView::follow_settings);
}

void PictureView::restyle() {
    canvas_->set_theme(services_.appearance.theme());
    canvas_->set_animated(services_.appearance.animated());
    legend_->set_theme(services_.appearance.theme());
    strip_->set_theme(services_.appearance.theme());
    update();
    follow_presentation();
    follow_settings();
}

// A room reads from afar: names are as high as 20 pixels on a screen of 1080 rows. Before and after it the
// view is the user's.
void PictureView::follow_presentation() {
    constexpr double kSmallest = 12;  // pixels of the smallest names at scale 1
    constexpr double kLargest = 3;
    const bool now = services_.appearance.presenting();
    const double least = now ? room_letters(window()->height()) / kSmallest : kReadableScale;
    canvas_->set_reading(least, now ? kLargest : kFitMost);
    minimap_->set_discreet(now);
    if (now == std::exchange(presented_, now)) return;
    looks_.clear();
    if (now) unpresented_ = document_.empty() ? std::nullopt : document_.view().camera;
    if (shown_.picture) look_as(now ? std::nullopt : unpresented_);
    restored_ = !now && unpresented_.has_value();
    keep_placed();
}

// The ground of the legend. Not by a palette: the style sheet would keep the one of another theme.
void PictureView::paintEvent(QPaintEvent* event) {
    QPainter(this).fillRect(event->rect(), services_.appearance.theme().canvas);
}

void PictureView::follow_settings() {
    minimap_->set_wanted(services_.settings.minimap());
    place_parts();
    reshape();
    relight();
}

// Asks for the picture of what the document shows now.
void PictureView::request_picture() {
    if (document_.empty()) {
        services_.pictures.cancel(this);
        late_->end();
        next_ = shown_ = {};
        return;
    }
    late_->wait();
    settle();
    const ContentPtr content = document_.snapshot();
    const StateId state = content->current;
    asked_ = shape();
    const bool safe = asked_.safe;
    if (document_.preview()) {
        services_.pictures.request_preview(
            this, content, state, *document_.preview(),
            [=, this](PicturePtr picture) {
                arrive({.picture = std::move(picture),
                        .content = content,
                        .state = state,
                        .preview = true,
                        .safe = safe});
            },
            asked_);
        return;
    }
    services_.pictures.request(
        this, content, state,
        [=, this](PicturePtr picture) {
            arrive({.picture = std::move(picture),
                    .content = content,
                    .state = state,
                    .preview = false,
                    .safe = safe});
        },
        asked_);
}

PictureShape PictureView::shape() const {
    constexpr int kStep = 40;  // pixels: small changes of the window leave the picture as it is
    constexpr int kMargin = 24;
    const auto whole = [](int extent) {
        const int steps = std::max(0, extent - kMargin) / kStep;
        return static_cast<double>(steps * kStep);
    };
    const FlowChoice choice = services_.settings.flow();
    const bool presenting = services_.appearance.presenting();
    const double all_of_it = presenting ? room_scale() / canvas_->reading_scale() : 0;
    const double larger = presenting ? canvas_->reading_scale() : 1;
    const QSize extent = room();
    PictureShape shape{std::nullopt,
                       {whole(extent.width()) / larger, whole(extent.height()) / larger},
                       document_.shows_safe(),
                       all_of_it};
    if (choice != FlowChoice::Automatic) shape.flow = choice == FlowChoice::Down ? Flow::Down : Flow::Right;
    return shape;
}

// Nobody but this view has moved it; one that shows everything does so in a view of another extent, too.
bool PictureView::own_camera() const {
    return canvas_->camera() == placed_ || (placed_fitted_ && canvas_->is_fitted());
}

void PictureView::keep_placed() {
    placed_ = canvas_->camera();
    placed_fitted_ = canvas_->is_fitted();
    placed_in_ = canvas_->size();
}

// A presentation begins and ends with other extents, in which the camera is no longer what was chosen.
bool PictureView::moved_by_resizing() const {
    return presented_ && canvas_->size() != placed_in_;
}

// The view has another extent, or the user wants another direction.
void PictureView::reshape() {
    if (document_.empty()) return;
    check_hold();
    settle();
    if (!(shape() == asked_)) return request_picture();
    if (shown_.picture && reads_ && (own_camera() || moved_by_resizing())) {
        read(made_, false);
        keep_placed();
        document_.set_camera({});
    }
}

// The user does not want to wait: back to the state, and the folds, whose picture is shown.
void PictureView::stop_waiting() {
    services_.pictures.cancel(this);
    canvas_->setFocus();  // the button that had it is gone
    if (document_.empty()) return;
    if (document_.preview()) return document_.set_preview({});
    const Arrival shown = shown_;  // going there makes it another
    const History& history = document_.content().history;
    if (!shown.picture || shown.preview || !history.has(shown.state) ||
        history.state(shown.state).program != shown.content->history.state(shown.state).program)
        return canvas_->set_message(tr("No picture"),
                                    tr("Laying it out was cancelled. Any step asks for it again."));
    document_.go(shown.state);
    document_.set_folds(shown.content->folds, tr("Fold as before"));
}

// What matched glows before it is rewritten, unless the next step is asked for already or nothing shall move.
void PictureView::arrive(Arrival arrival) {
    late_->end();
    settle();
    if (glow_before_.isActive()) {
        glow_before_.stop();
        show_now();
    }
    if (arrival.picture == canvas_->picture()) {
        const bool same = arrival.content == shown_.content;
        shown_ = std::move(arrival);
        next_ = {};
        canvas_->set_message({}, {});
        tell_preview();
        if (!same) relight();  // numbers of other sizes
        return reveal();
    }
    const History& history = arrival.content->history;
    const HistoryState& state = history.state(arrival.state);
    const bool step = !arrival.preview && !shown_.preview && !arrival.safe && shown_.picture &&
                      state.parent == shown_.state && shown_.content->history.has(shown_.state) &&
                      state.step && shown_.content->history.state(shown_.state).program == state.step->before;
    next_ = std::move(arrival);
    if (!step || !services_.appearance.animated()) return show_now();
    matched_ = role_nodes(next_.content->history.state(next_.state).step->match);
    relight();
    glow_before_.start(kGlowBefore);
}

// A picture of what is not there yet must not be taken for the state's: it says what it is, and what is new
// in it is marked.
void PictureView::tell_preview() {
    previewed_.clear();
    chip_->setVisible(shown_.preview);
    if (!shown_.preview) return;
    chip_->adjustSize();
    place_over();
    if (const PicturePtr now = services_.pictures.known(shown_.content, shown_.state, asked_))
        previewed_ = new_boxes(now->figure, shown_.picture->figure);
}

std::vector<Lineage> PictureView::way_from_shown(const Arrival& next) const {
    const History& now = next.content->history;
    const History& before = shown_.content->history;
    const HistoryState& to = now.state(next.state);
    if (next.state == shown_.state && next.safe != shown_.safe) {
        const State safe(to.program, safe_form());
        return next.safe ? safe.made() : reversed(safe.made());
    }
    if (to.parent == shown_.state && to.step) return to.step->made;
    if (!before.has(shown_.state)) return {};
    const HistoryState& from = before.state(shown_.state);
    if (from.parent == next.state && from.step) return reversed(from.step->made);
    return {};
}

void PictureView::show_now() {
    matched_.clear();
    if (!next_.picture) return;
    const bool first = !shown_.picture;
    const std::vector<Lineage> made = first ? std::vector<Lineage>() : way_from_shown(next_);
    // The same state in another shape, as the view has another extent: what its step made stays in sight.
    if (first || next_.state != shown_.state || next_.safe != shown_.safe) made_ = made;
    // What the safe forms of two states made has nothing to do with one another.
    const bool jumps = first || ((shown_.safe || next_.safe) && shown_.state != next_.state);
    const PicturePtr before = shown_.picture;
    const bool jumped = first || next_.state != shown_.state;
    const bool other_form = !jumped && next_.safe != shown_.safe;
    if (jumped) restored_ = false;
    shown_ = std::move(next_);
    next_ = {};
    const std::optional<SavedView::Camera> saved =
        document_.view().camera;  // the canvas is about to say its own
    tell_preview();
    if (first || !own_camera()) looks_.clear();  // looked at in another way since
    // Whoever fits a picture that can be read then leaves the camera to the steps again.
    if (!first && !own_camera() && !moved_by_resizing())
        reads_ = canvas_->is_fitted() && canvas_->camera().scale >= canvas_->reading_scale();
    canvas_->show_picture(shown_.picture, jumps ? nullptr : &made);
    show_ghosts();
    if (first) look_as(saved);               // another document
    if (other_form) made_ = made_by_step();  // what the form itself made is all over the picture
    place_camera(other_form ? made_ : made, before.get(), jumped, other_form);
    relight();
    breadcrumb_->show_way(shown_.picture);
    place_parts();
    settle();  // not before: an animated step may arrive long before it is shown
    reveal();
}

// A picture that was seen before is seen as it was then.
void PictureView::place_camera(const std::vector<Lineage>& made, const Picture* before, bool jumped,
                               bool other_form) {
    const auto seen_before = looks_.find(shown_.picture.get());
    if (seen_before != looks_.end() && seen_before->second.picture.lock() == shown_.picture)
        canvas_->restore(seen_before->second.camera, seen_before->second.fitted);
    else if (reads_)
        read(made_, true);
    else if ((made.empty() || other_form) && before && !jumped && !restored_)
        keep_in_sight(*before);
    else
        follow_step(made);
    std::erase_if(looks_, [](const auto& look) { return look.second.picture.expired(); });
    keep_placed();
    if (reads_) document_.set_camera({});
    looks_[shown_.picture.get()] = {shown_.picture, placed_, canvas_->is_fitted()};
}

// Around what the step made, or undid; at first, and where nothing was, around what the next step matches.
Rect PictureView::part_to_read(const std::vector<Lineage>& made) const {
    const Picture& picture = *shown_.picture;
    Spot spot;
    for (const Lineage& line : made)
        if (picture.figure.find(line.made) >= 0) spot.nodes.insert(line.made);
    const bool presenting = services_.appearance.presenting();
    const bool asked = presenting && has_card();
    if (asked) spot.nodes.clear();
    if (spot.nodes.empty())
        for (const NodeId node : asked ? next_match() : next_matched()) spot.nodes.insert(node);
    const double least = canvas_->reading_scale();
    const Size room{canvas_->width() / least, canvas_->height() / least};
    const Rect beginning = beginning_of(picture, room);
    const auto part = bounds_of(picture, spot);
    if (!part) return beginning;
    // Before the first step, and in a room, one sees what comes first, too, where there is room for both.
    const bool start = presenting || (made.empty() && made_by_step().empty());
    return start ? from_beginning(*part, picture.geometry.bounds, room) : *part;
}

// By the step that led to the state, however one came to it.
std::vector<Lineage> PictureView::made_by_step() const {
    const History& history = shown_.content->history;
    if (shown_.preview || !history.has(shown_.state)) return {};
    const HistoryState& state = history.state(shown_.state);
    return state.step ? state.step->made : std::vector<Lineage>{};
}

void PictureView::read(const std::vector<Lineage>& made, bool smooth) {
    canvas_->read(part_to_read(made), smooth, whole_scale());
}

// The same state in another shape has its blocks elsewhere: the one in the middle of the view stays there.
// Where it is no longer, and nothing else is in sight, the view is what it would choose by itself.
void PictureView::keep_in_sight(const Picture& before) {
    if (canvas_->is_fitted()) return;
    const Picture& now = *shown_.picture;
    const Camera camera = canvas_->camera();
    std::optional<Point> moved;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < before.figure.boxes.size(); ++i) {
        const Box& box = before.figure.boxes[i];
        const int there = box.kind == BoxKind::Frame ? -1 : now.figure.find(box.id());
        if (there < 0) continue;
        const Point was = before.geometry.boxes[i].center();
        const double distance = std::hypot(was.x - camera.center.x, was.y - camera.center.y);
        if (distance >= nearest) continue;
        nearest = distance;
        const Point is = now.geometry.boxes[static_cast<std::size_t>(there)].center();
        moved = Point{camera.center.x + is.x - was.x, camera.center.y + is.y - was.y};
    }
    if (moved) canvas_->set_camera({*moved, camera.scale});
    const Rect seen = canvas_->visible();
    const auto& boxes = now.geometry.boxes;
    if (std::none_of(boxes.begin(), boxes.end(), [&](const Rect& box) { return seen.intersects(box); }))
        read({}, false);
}

// A step out of sight would show nothing: the view goes to the smallest part that it made.
void PictureView::follow_step(const std::vector<Lineage>& made) {
    const Picture& picture = *shown_.picture;
    const Rect seen = canvas_->visible();
    int target = -1;
    double least = 0;
    for (const Lineage& line : made) {
        const int box = picture.figure.find(line.made);
        if (box < 0) continue;
        const Rect& rect = picture.geometry.boxes[static_cast<std::size_t>(box)];
        if (seen.intersects(rect)) return;
        const double area = rect.width * rect.height;
        if (target < 0 || area < least) target = box, least = area;
    }
    if (target < 0) return;
    const Point there = picture.geometry.boxes[static_cast<std::size_t>(target)].center();
    canvas_->set_camera({there, canvas_->camera().scale}, true);
}

void PictureView::look_as(const std::optional<SavedView::Camera>& camera) {
    reads_ = !camera;
    if (camera)
        canvas_->set_camera({{camera->x, camera->y}, std::clamp(camera->scale, kLeastScale, kMostScale)});
    else
        read({}, false);
    document_.set_camera(camera);
}

void PictureView::look_at(const std::vector<NodeId>& nodes) {
    looked_at_ = nodes;
    if (!nodes.empty()) return reveal();
    reads_ = true;
    if (!shown_.picture || shown_.content != document_.snapshot()) return;  // the next one is read anyway
    read({}, true);
    keep_placed();
    document_.set_camera({});
}

// Once the picture is there that shows the node itself.
void PictureView::reveal() {
    if (!looked_at_.empty() && shown_.picture && shown_.content == document_.snapshot()) {
        const std::vector<NodeId> nodes = std::exchange(looked_at_, {});
        if (const auto part = bounds_of(*shown_.picture, {{nodes.begin(), nodes.end()}, {}, {}})) {
            canvas_->read(*part, true);
            keep_placed();  // the next step leads the view on
            if (reads_) document_.set_camera({});
        }
    }
    if (!revealed_ || !shown_.picture || shown_.content != document_.snapshot()) return;
    const int box = shown_.picture->figure.find(*revealed_);
    revealed_.reset();
    if (box >= 0) canvas_->reveal(box);
}

void PictureView::resizeEvent(QResizeEvent* event) {
    follow_presentation();
    place_parts();
    reshape();
    QWidget::resizeEvent(event);
}

bool PictureView::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (watched == caption_ && (type == QEvent::Resize || type == QEvent::Show || type == QEvent::Hide)) {
        place_parts();
        reshape();
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace blockscope

#include "app/compare/compare_view.h"

#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <cmath>
#include <utility>

#include "app/document/document.h"
#include "app/document/pictures.h"
#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/shell/progress.h"

namespace blockscope {

namespace {

struct KindLook {
    Mark mark;
    Sign sign;
};

KindLook look_of(Difference::Kind kind) {
    switch (kind) {
        case Difference::Kind::Removed:
            return {Mark::Removed, Sign::Removed};
        case Difference::Kind::Added:
            return {Mark::Added, Sign::Added};
        case Difference::Kind::Moved:
            return {Mark::Moved, Sign::Moved};
        case Difference::Kind::Changed:
            break;
    }
    return {Mark::Changed, Sign::Changed};
}

}  // namespace

ComparedMarks marks_of(const std::vector<Difference>& differences) {
    ComparedMarks marks;
    for (const Difference& difference : differences) {
        const KindLook look = look_of(difference.kind);
        for (const NodeId id : difference.before) marks.before[id] = look.mark;
        for (const NodeId id : difference.after) marks.after[id] = look.mark;
        marks.signs.insert(look.sign);
    }
    return marks;
}

Lights lights_of(const std::map<NodeId, Mark>& marks, const Picture& picture) {
    Lights lights;
    for (const auto& [node, mark] : marks)
        if (const int box = picture.figure.find(node); box >= 0) lights.boxes[box] = mark;
    return lights;
}

namespace {

constexpr int kQuickNodes = 2000;         // of fewer nodes all states are compared at once
constexpr std::size_t kMostCompared = 3;  // beside the current state
constexpr int kOverlayTop = 150;          // of what says that pictures are late: below their headings
constexpr double kAir = 6;                // around a picture that is fitted
constexpr double kAlmostOne = 1.001;
constexpr double kMuchLarger = 1.15;   // from where on the panes change their direction
constexpr int kReshape = 150;          // milliseconds after the last change of the extent
constexpr double kMostOutgrown = 1.3;  // pictures are made so much smaller for others, not more

QToolButton* button(const QString& text, const QString& name, QWidget* parent) {
    auto* made = new QToolButton(parent);
    made->setText(text);
    made->setAccessibleName(name);
    made->setToolTip(name);
    return made;
}

}  // namespace

CompareView::CompareView(Document& document, Pictures& pictures, Appearance& appearance, QWidget* parent)
    : QWidget(parent), document_(document), pictures_(pictures), appearance_(appearance) {
    setAccessibleName(tr("Comparison of states"));
    make_bar();
    splitter_ = new QSplitter(Qt::Horizontal, this);
    splitter_->setChildrenCollapsible(false);
    layout()->addWidget(splitter_);
    static_cast<QVBoxLayout*>(layout())->setStretchFactor(splitter_, 1);
    legend_ = new MarksLegend(this);
    legend_->set_theme(appearance_.theme());
    layout()->addWidget(legend_);
    late_ = new ProgressOverlay(tr("Laying out the pictures"), kOverlayTop, this);
    connect(late_, &ProgressOverlay::cancelled, this, [this] { document_.compare_with({}); });
    connect(&pictures_, &Pictures::failed, late_, &ProgressOverlay::end);
    reshape_.setSingleShot(true);
    reshape_.setInterval(kReshape);
    connect(&reshape_, &QTimer::timeout, this, [this] {
        if (!panes_.empty() && splitter_->size() != asked_) request_pictures();
    });
    connect(&comparing_, &QTimer::timeout, this, &CompareView::compare_next);
    connect(&document_, &Document::content_changed, this, &CompareView::refresh);
    connect(&appearance_, &Appearance::changed, this, [this] {
        for (ComparePane* pane : panes_) pane->canvas().set_theme(appearance_.theme());
        legend_->set_theme(appearance_.theme());
    });
    refresh();
}

CompareView::~CompareView() {
    for (ComparePane* pane : panes_) cancel(*pane);
}

void CompareView::cancel(ComparePane& pane) {
    for (const Qt::Orientation direction : {Qt::Horizontal, Qt::Vertical})
        pictures_.cancel(pane.client(direction));
}

void CompareView::make_bar() {
    chooser_ = new ElidedCombo(this);
    chooser_->setAccessibleName(tr("Add a state to the comparison"));
    chooser_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    words_ = new QLabel(this);
    words_->setTextFormat(Qt::PlainText);
    words_->setAccessibleName(tr("Differences"));
    previous_ = button(tr("Previous"), tr("Previous difference"), this);
    next_ = button(tr("Next"), tr("Next difference"), this);
    QToolButton* whole = button(tr("Fit"), tr("Show the whole pictures"), this);
    QToolButton* close = button(tr("Close"), tr("Show the current state alone"), this);
    words_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto* controls = new QWidget(this);
    auto* bar = new FlowLayout(controls);
    bar->setContentsMargins(8, 6, 8, 6);
    bar->setSpacing(8);
    bar->addWidget(chooser_);
    bar->addWidget(words_);
    for (QToolButton* tool : {previous_, next_, whole, close}) bar->addWidget(tool);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(controls);
    connect(previous_, &QToolButton::clicked, this, &CompareView::previous_difference);
    connect(next_, &QToolButton::clicked, this, &CompareView::next_difference);
    connect(whole, &QToolButton::clicked, this, [this] {
        whole_ = true;
        fit();
    });
    connect(close, &QToolButton::clicked, this, [this] { document_.compare_with({}); });
    connect(chooser_, &QComboBox::activated, this, [this](int row) {
        if (row <= 0) return;
        // The current one is beside itself no more, where it was compared before.
        std::vector<StateId> states(shown_.begin(), shown_.end() - 1);
        states.push_back(chooser_->itemData(row).toInt());
        document_.compare_with(std::move(states));
        setFocus();  // keys go on with the picture, not with the next button
    });
}

void CompareView::refresh() {
    if (document_.empty() || document_.content().compared.empty()) {
        remove_panes();
        shown_.clear();
        pairs_.clear();
        content_.reset();
        chooser_->clear();
        return;
    }
    const ContentPtr before = content_;
    content_ = document_.snapshot();
    std::vector<StateId> states;
    for (const StateId id : content_->compared)
        if (id != content_->current && states.size() < kMostCompared) states.push_back(id);
    states.push_back(content_->current);
    const bool same_programs = before && std::all_of(states.begin(), states.end(), [&](StateId id) {
                                   return before->history.has(id) && before->history.state(id).program ==
                                                                         content_->history.state(id).program;
                               });
    const bool same_states = states == std::exchange(shown_, states);
    fill_chooser();
    if (same_programs && same_states) {
        if (before->folds != content_->folds) request_pictures();
        return;
    }
    pairs_.clear();
    rebuild();
}

// One of them may be the sender of what leads here: they go later, but are not listened to any more.
void CompareView::remove_panes() {
    // No pane follows another while the splitter gives its room to those that are left.
    for (ComparePane* pane : panes_) {
        cancel(*pane);
        pane->disconnect(this);
        pane->canvas().disconnect(this);
    }
    for (ComparePane* pane : std::exchange(panes_, {})) {
        pane->hide();
        pane->setParent(this);  // else the splitter would share its room with it until then
        pane->deleteLater();
    }
    to_compare_.clear();
    comparing_.stop();
    late_->end();
}

void CompareView::rebuild() {
    remove_panes();
    signs_.clear();
    whole_ = false;
    for (const StateId id : shown_) {
        auto* pane = new ComparePane(*content_, id, Costs::of(document_), splitter_);
        splitter_->addWidget(pane);
        panes_.push_back(pane);
        pane->canvas().set_theme(appearance_.theme());
        connect(pane, &ComparePane::removed, this, [this, id] {
            std::vector<StateId> states = document_.content().compared;
            std::erase(states, id);
            document_.compare_with(std::move(states));
        });
        connect(pane, &ComparePane::pointed, this,
                [this, pane](const std::vector<NodeId>& nodes) { point(*pane, nodes); });
        connect(pane, &ComparePane::chosen, this, [this, index = panes_.size() - 1] { compare(index); });
        connect(pane, &ComparePane::resized, this, [this] {
            if (splitter_->size() != asked_) reshape_.start();
            if (at_ < 0) read_later();  // else it shows a difference, which stays
        });
        connect(&pane->canvas(), &Canvas::camera_changed, this, [this, pane] { follow(*pane); });
    }
    setFocusProxy(&panes_.back()->canvas());
    splitter_->setSizes(QList<int>(static_cast<qsizetype>(panes_.size()), 1000));
    for (std::size_t i = panes_.size() - 1; i-- > 0;) to_compare_.push_back(i);
    if (panes_.size() == 1) to_compare_.push_back(0);
    const bool large = node_count(*content_->program()) > kQuickNodes;
    while (!large && !to_compare_.empty()) compare_next();
    if (large) comparing_.start();
    request_pictures();
}

void CompareView::compare_next() {
    const std::size_t pane = to_compare_.front();
    to_compare_.pop_front();
    compare(pane);
    if (to_compare_.empty()) comparing_.stop();
}

PictureShape CompareView::shape_in(Qt::Orientation direction) const {
    const int count = std::max(1, static_cast<int>(panes_.size()));
    const int head = panes_.front()->head_height();
    const bool beside = direction == Qt::Horizontal;
    const double width = beside ? splitter_->width() / count : splitter_->width();
    const double height = (beside ? splitter_->height() : splitter_->height() / count) - head;
    return {std::nullopt, {std::max(1.0, width - 2 * kAir), std::max(1.0, height - 2 * kAir)}};
}

void CompareView::request_pictures() {
    if (!isVisible()) return;  // their shape depends on the room that they will have
    asked_ = splitter_->size();
    arrived_.clear();
    missing_ = 2 * static_cast<int>(panes_.size());
    late_->wait();
    for (ComparePane* pane : panes_)
        for (const Qt::Orientation direction : {Qt::Horizontal, Qt::Vertical})
            pictures_.request(
                pane->client(direction), content_, pane->state(),
                [this, pane, direction](const PicturePtr& picture) {
                    arrived_[{pane, direction}] = picture;
                    if (--missing_ == 0) arrange();
                },
                shape_in(direction));
}

void CompareView::arrange() {
    late_->end();
    const auto scale_in = [this](Qt::Orientation direction) {
        double least = kFitMost;
        for (ComparePane* pane : panes_)
            least = std::min(least, fitting_scale(arrived_.at({pane, direction})->geometry.bounds,
                                                  shape_in(direction).room));
        return least;
    };
    // Three and four stand side by side: their headings would take the height.
    const Qt::Orientation now = splitter_->orientation();
    const Qt::Orientation other = now == Qt::Horizontal ? Qt::Vertical : Qt::Horizontal;
    const bool two = panes_.size() == 2;
    if (two ? scale_in(other) > kMuchLarger * scale_in(now) : now == Qt::Vertical) {
        splitter_->setOrientation(other);
        splitter_->setSizes(QList<int>(static_cast<qsizetype>(panes_.size()), 1000));
    }
    for (ComparePane* pane : panes_) {
        pane->canvas().show_picture(arrived_.at({pane, splitter_->orientation()}));
        pane->light();
    }
    read_later();
}

void CompareView::fill_chooser() {
    const QSignalBlocker quiet(chooser_);
    chooser_->clear();
    const std::vector<StateId>& compared = content_->compared;
    const bool full = shown_.size() > kMostCompared;
    const QString title = full ? tr("Four at most") : tr("Add a state…");
    chooser_->addItem(title);
    chooser_->setMinimumContentsLength(static_cast<int>(title.size()));
    const std::map<StateId, int> branch_of = branches_of_states(*content_);
    for (const auto& [id, state] : content_->history.states())
        if (id != content_->current && std::count(compared.begin(), compared.end(), id) == 0)
            chooser_->addItem(state_name(*content_, id, branch_of.at(id)), id);
    chooser_->setEnabled(!full && chooser_->count() > 1);
    chooser_->setToolTip(
        full ? tr("At most four states stand side by side. Take one away (×) to add another.")
        : chooser_->isEnabled() ? tr("A state to show beside the current one")
                                : tr("All states stand here already. The next step adds one."));
    chooser_->setAccessibleDescription(chooser_->toolTip());
}

void CompareView::compare(std::size_t pane) {
    ComparePane& current = *panes_.back();
    differences_.clear();
    at_ = -1;
    ComparedMarks marks;
    if (pane + 1 < panes_.size()) {
        chosen_ = pane;
        differences_ = diff_states(content_->history, panes_[pane]->state(), current.state());
        marks = marks_of(differences_);
        panes_[pane]->set_marks(std::move(marks.before));
        const DiffCounts counts = count(differences_);
        panes_[pane]->set_summary(tr("To the current state: %1").arg(summary(counts)),
                                  {summary(counts), short_summary(counts)});
        current.set_marks(std::move(marks.after));
        const StateId against = panes_[pane]->state();
        current.set_summary(tr("Marked against: %1").arg(state_name(*content_, against)),
                            {tr("Against: %1").arg(short_state_name(*content_, against))});
    }
    signs_[panes_[pane]->state()] = std::move(marks.signs);
    explain_marks();
    words_->setText(panes_.size() == 1     ? tr("The state compared is the current one.")
                    : differences_.empty() ? tr("No difference")
                                           : tr("Differences: %1").arg(differences_.size()));
    for (QToolButton* tool : {previous_, next_}) tool->setEnabled(!differences_.empty());
}

// Every picture keeps its marks, whichever one the current one is marked against.
void CompareView::explain_marks() {
    Signs all;
    for (const auto& [state, signs] : signs_) all.insert(signs.begin(), signs.end());
    legend_->show_signs(all);
}

void CompareView::step(int by) {
    const int size = static_cast<int>(differences_.size());
    if (size == 0) return;
    at_ = at_ < 0 ? (by > 0 ? 0 : size - 1) : (at_ + by + size) % size;
    const Difference& difference = differences_[static_cast<std::size_t>(at_)];
    ComparePane& before = *panes_[chosen_];
    ComparePane& after = *panes_.back();
    before.set_pointed(difference.before);
    after.set_pointed(difference.after);
    words_->setText(tr("Difference %1 of %2: %3")
                        .arg(at_ + 1)
                        .arg(size)
                        .arg(summary(count(std::vector<Difference>{difference}))));
    // Both go where the difference is; without a counterpart the other one follows.
    const auto go = [](ComparePane& pane, const std::vector<NodeId>& nodes) {
        const PicturePtr& picture = pane.canvas().picture();
        if (!picture || nodes.empty()) return;
        const int box = picture->figure.find(nodes.front());
        if (box < 0) return;
        const Point center = picture->geometry.boxes[static_cast<std::size_t>(box)].center();
        pane.canvas().set_camera({center, pane.canvas().camera().scale});
    };
    go(after.canvas().picture() && !difference.after.empty() ? after : before,
       difference.after.empty() ? difference.before : difference.after);
}

void CompareView::point(const ComparePane& from, const std::vector<NodeId>& nodes) {
    for (ComparePane* pane : panes_) {
        std::vector<NodeId> there = nodes;
        if (pane != &from) {
            there.clear();
            const Correspondence& known = pairs(from.state(), pane->state());
            for (const NodeId node : nodes)
                if (const auto it = known.forward.find(node); it != known.forward.end())
                    there.insert(there.end(), it->second.begin(), it->second.end());
        }
        pane->set_pointed(std::move(there));
    }
    if (from.current()) document_.set_hover({{nodes.begin(), nodes.end()}, {}, {}});
}

const Correspondence& CompareView::pairs(StateId a, StateId b) {
    const auto known = pairs_.find({a, b});
    if (known != pairs_.end()) return known->second;
    return pairs_.emplace(std::pair{a, b}, correspond(content_->history, a, b)).first->second;
}

// How far the node nearest to the middle of `from` is from where it, or what stands for it, is in `to`.
std::optional<Point> CompareView::shift(ComparePane& from, ComparePane& to) {
    const PicturePtr& here = from.canvas().picture();
    const PicturePtr& there = to.canvas().picture();
    if (!here || !there) return {};
    const Point middle = from.canvas().camera().center;
    const Correspondence& known = pairs(from.state(), to.state());
    std::optional<Point> best;
    double nearest = 1e300;
    for (std::size_t i = 0; i < here->figure.boxes.size(); ++i) {
        const Box& box = here->figure.boxes[i];
        if (box.kind == BoxKind::Frame) continue;
        const Point at = here->geometry.boxes[i].center();
        const double distance = std::hypot(at.x - middle.x, at.y - middle.y);
        if (distance >= nearest) continue;
        const auto it = known.forward.find(box.id());
        if (it == known.forward.end() || it->second.empty()) continue;
        const int other = there->figure.find(it->second.front());
        if (other < 0) continue;
        const Point target = there->geometry.boxes[static_cast<std::size_t>(other)].center();
        nearest = distance;
        best = Point{target.x - at.x, target.y - at.y};
    }
    return best;
}

void CompareView::follow(ComparePane& from) {
    if (following_ || fitting_ || missing_ > 0) return;
    following_ = true;
    const Camera camera = from.canvas().camera();
    for (ComparePane* pane : panes_) {
        if (pane == &from) continue;
        const Point by = shift(from, *pane).value_or(Point{});
        pane->canvas().set_camera({{camera.center.x + by.x, camera.center.y + by.y}, camera.scale});
    }
    following_ = false;
}

// When everything has its place on the screen; until then no picture follows another.
void CompareView::read_later() {
    if (std::exchange(fitting_, true)) return;
    QTimer::singleShot(0, this, &CompareView::read);
}

bool CompareView::readable() const {
    return std::all_of(panes_.begin(), panes_.end(),
                       [](ComparePane* pane) { return pane->canvas().camera().scale >= kReadableScale; });
}

bool CompareView::fit_each(double least) {
    double scale = kFitMost;
    for (ComparePane* pane : panes_)
        scale = std::min(
            scale, fitted(pane->canvas().picture()->geometry.bounds, pane->canvas().size(), kFitMost).scale);
    if (scale < least) return false;
    following_ = true;
    for (ComparePane* pane : panes_)
        pane->canvas().set_camera({pane->canvas().picture()->geometry.bounds.center(), scale});
    following_ = false;
    return true;
}

// Nodes that stand for each other beside each other if all of both can be read so; else all of each, if that
// can be read; else the first difference of both, as large as can be read.
void CompareView::read() {
    fit();
    const bool shown = std::all_of(panes_.begin(), panes_.end(),
                                   [](ComparePane* pane) { return pane->canvas().picture() != nullptr; });
    if (whole_ || panes_.empty() || !shown) return;
    if ((readable() && outgrown_room() < kAlmostOne) || fit_each(kReadableScale)) return;
    ComparePane& current = *panes_.back();
    const Picture& picture = *current.canvas().picture();
    Rect part{picture.geometry.bounds.x, picture.geometry.bounds.y, 1, 1};
    for (const Difference& difference : differences_) {
        const int box = difference.after.empty() ? -1 : picture.figure.find(difference.after.front());
        if (box < 0) continue;
        part = picture.geometry.boxes[static_cast<std::size_t>(box)];
        break;
    }
    following_ = true;
    current.canvas().set_camera(reading(picture.geometry.bounds, part, current.canvas().size()));
    following_ = false;
    follow(current);
}

void CompareView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!panes_.empty() && splitter_->size() != asked_) request_pictures();
    read_later();
}

void CompareView::fit() {
    fitting_ = false;
    ComparePane* largest = nullptr;
    double area = -1;
    for (ComparePane* pane : panes_) {
        const PicturePtr& picture = pane->canvas().picture();
        if (!picture) return;
        const Rect& bounds = picture->geometry.bounds;
        if (bounds.height > area) area = bounds.height, largest = pane;
    }
    if (!largest) return;
    largest->canvas().fit(false);
    follow(*largest);
    const double outgrown = std::min(kMostOutgrown, outgrown_room());
    if (outgrown <= 1) return;
    const Camera camera = largest->canvas().camera();
    largest->canvas().set_camera({camera.center, camera.scale / outgrown});
    follow(*largest);
}

// How many times as large as its half of the canvas any half of a picture is: nodes that stand for each other
// stand at the same place, and so pictures may reach beyond the edge that would fit.
double CompareView::outgrown_room() const {
    double most = 0;
    for (ComparePane* pane : panes_) {
        const Camera camera = pane->canvas().camera();
        const Rect bounds = pane->canvas().picture()->geometry.bounds.grown(kAir);
        const double across =
            std::max(camera.center.x - bounds.left(), bounds.right() - camera.center.x) * camera.scale;
        const double down =
            std::max(camera.center.y - bounds.top(), bounds.bottom() - camera.center.y) * camera.scale;
        most =
            std::max({most, across / (pane->canvas().width() / 2.0), down / (pane->canvas().height() / 2.0)});
    }
    return most;
}

QWidget* picture_or_comparison(QWidget* picture, Document& document, Pictures& pictures,
                               Appearance& appearance, QWidget* parent) {
    auto* stack = new QStackedWidget(parent);
    auto* comparison = new CompareView(document, pictures, appearance, stack);
    stack->addWidget(picture);
    stack->addWidget(comparison);
    const auto choose = [stack, picture, comparison, &document] {
        const bool compare = !document.empty() && !document.content().compared.empty();
        QWidget* shown = compare ? static_cast<QWidget*>(comparison) : picture;
        stack->setFocusProxy(shown);
        stack->setCurrentWidget(shown);
    };
    QObject::connect(&document, &Document::content_changed, stack, choose);
    choose();
    return stack;
}

}  // namespace blockscope

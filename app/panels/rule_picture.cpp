#include "app/panels/rule_picture.h"

#include "app/panels/step_look.h"
#include "app/words/words.h"
#include "core/rules/examples.h"

namespace blockscope {

namespace {

constexpr double kArrow = 34;   // pixels between the two sides
constexpr double kMost = 1.0;   // pixels per unit: no larger than in the main picture
constexpr double kBefore = 28;  // pixels before anything is laid out
constexpr int kPatience = 100;  // milliseconds before that is said

Lights lights_for(const Picture& picture, const std::vector<NodeId>& nodes, Mark mark) {
    Lights lights;
    lights.edge_labels = false;
    for (const NodeId id : nodes)
        if (const int box = picture.figure.find(id); box >= 0) lights.boxes[box] = mark;
    return lights;
}

ContentPtr example_content(RuleId rule) {
    const RuleExample& example = rule_example(rule);
    Content content = content_of_blocks(*example.program, to_string(rule));
    content.folds = example.folded;
    return std::make_shared<const Content>(apply_match(std::move(content), example.match));
}

}  // namespace

RulePicture::RulePicture(Pictures& pictures, QWidget* parent) : QWidget(parent), pictures_(pictures) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    patience_.setSingleShot(true);
    patience_.setInterval(kPatience);
    connect(&patience_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
}

RulePicture::~RulePicture() {
    pictures_.cancel(&left_);
    pictures_.cancel(&right_);
}

void RulePicture::show_rule(RuleId id) {
    if (rule_ == id) return;
    rule_ = id;
    setAccessibleName(tr("Picture of rule %1").arg(rule_text(id)));
    setAccessibleDescription(in_words(rule(id).summary));
    example_ = example_content(id);
    left_ = right_ = nullptr;
    patience_.start();
    pictures_.request(&left_, example_, 0, [this](PicturePtr picture) {
        left_ = std::move(picture);
        take();
    });
    pictures_.request(&right_, example_, example_->current, [this](PicturePtr picture) {
        right_ = std::move(picture);
        take();
    });
    update();
}

void RulePicture::take() {
    if (!complete()) return;
    const Step& step = *example_->state().step;
    std::vector<NodeId> matched, made;
    for (const Role& role : step.match.roles) matched.push_back(role.node);
    for (const Lineage& lineage : step.made) made.push_back(lineage.made);
    matched_ = lights_for(*left_, matched, Mark::Match);
    made_ = lights_for(*right_, made, Mark::Made);
    updateGeometry();
    update();
    Q_EMIT completed();
}

double RulePicture::scale_for(int width) const {
    const double units = left_->geometry.bounds.width + right_->geometry.bounds.width;
    return std::min(kMost, std::max(0.1, (width - kArrow) / std::max(1.0, units)));
}

int RulePicture::heightForWidth(int width) const {
    if (!complete()) return static_cast<int>(kBefore);
    const double units = std::max(left_->geometry.bounds.height, right_->geometry.bounds.height);
    return static_cast<int>(units * scale_for(width)) + 8;
}

QSize RulePicture::sizeHint() const {
    return {280, heightForWidth(std::max(160, width()))};
}

void RulePicture::paint_side(QPainter& painter, const Picture& picture, const Lights& lights, QPointF corner,
                             double scale) const {
    const Rect& bounds = picture.geometry.bounds;
    painter.save();
    painter.translate(corner);
    painter.scale(scale, scale);
    painter.translate(-bounds.x, -bounds.y);
    paint(painter, picture, theme_of(*this), lights, bounds, scale);
    painter.restore();
}

void RulePicture::paintEvent(QPaintEvent*) {
    const Colors& colors = colors_of(*this);
    const Theme theme = theme_of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.line, 1));
    painter.setBrush(theme.canvas);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    if (!complete()) {
        painter.setPen(colors.muted);
        if (!patience_.isActive()) painter.drawText(rect(), Qt::AlignCenter, tr("Laying out the picture"));
        return;
    }
    const double scale = scale_for(width());
    const Rect& a = left_->geometry.bounds;
    const Rect& b = right_->geometry.bounds;
    const double x = (width() - kArrow - (a.width + b.width) * scale) / 2;
    paint_side(painter, *left_, matched_, {x, (height() - a.height * scale) / 2}, scale);
    const double start = x + a.width * scale + 6;
    const QPointF tip(start + kArrow - 12, height() / 2.0);
    painter.setPen(QPen(colors.muted, 2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(start, tip.y()), tip - QPointF(3, 0));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.muted);
    painter.drawPolygon(QPolygonF{tip, tip + QPointF(-8, -5), tip + QPointF(-8, 5)});
    paint_side(painter, *right_, made_, {start + kArrow - 6, (height() - b.height * scale) / 2}, scale);
}

}  // namespace blockscope

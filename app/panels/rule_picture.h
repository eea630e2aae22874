// The two sides of a rule, drawn from its smallest example: left side, arrow, right side.
#pragma once

#include <QTimer>
#include <QWidget>

#include "app/document/pictures.h"
#include "app/scene/paint.h"
#include "core/rules/rule.h"

namespace blockscope {

class RulePicture : public QWidget {
    Q_OBJECT

public:
    explicit RulePicture(Pictures& pictures, QWidget* parent = nullptr);
    ~RulePicture() override;

    void show_rule(RuleId rule);
    bool complete() const { return left_ && right_; }  // both sides have been laid out
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void completed();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void take();
    double scale_for(int width) const;  // pixels per picture unit
    void paint_side(QPainter& painter, const Picture& picture, const Lights& lights, QPointF corner,
                    double scale) const;

    Pictures& pictures_;
    std::optional<RuleId> rule_;
    ContentPtr example_;
    PicturePtr left_, right_;
    Lights matched_, made_;
    QTimer patience_;  // runs, or has run out: then the sides are said to be late
};

}  // namespace blockscope

// A list of all rules to choose one from; the first entry means all of them.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QTimer>
#include <QWidget>

#include "app/costs/best.h"
#include "app/document/document.h"
#include "app/document/pictures.h"
#include "app/scene/paint.h"
#include "app/shell/controls.h"
#include "core/rules/rule.h"

class QVBoxLayout;

namespace blockscope {

class RuleCombo : public ElidedCombo {
    Q_OBJECT

public:
    // The data of an entry is the rule's number as text, empty for all rules.
    explicit RuleCombo(QWidget* parent = nullptr);
};

// The two sides of a rule, drawn from its smallest example: left side, arrow, right side.
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
    QTimer delay_;  // runs, or has run out: then the sides are said to be late
};

// A card about one rule: the rule of the current step, or any that is chosen.
class RuleCard : public QWidget {
    Q_OBJECT

public:
    RuleCard(Document& document, Pictures& pictures, QWidget* parent = nullptr);

    // None: the rule of the current step, whichever it is.
    void choose(std::optional<RuleId> rule);
    RuleId shown() const { return shown_; }
    void turn(int by);  // to the next (1) or the previous (-1) rule of the table
    RulePicture& picture() { return *picture_; }
    QString step_text() const { return step_->text(); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Section {
        QLabel* title;
        QLabel* text;
    };
    Section add_section(QVBoxLayout& column, const QString& title);
    QLayout* make_head();
    QWidget* make_body();
    void follow();
    void show_rule(RuleId rule);
    void show_step();

    Document& document_;
    Best& best_;
    RulePicture* picture_;
    QComboBox* rules_;
    QLabel* number_;
    QLabel* name_;
    QLabel* summary_;
    QLabel* step_title_;
    QLabel* step_;
    Section condition_, reason_, use_, section_;
    RuleId shown_;
};

}  // namespace blockscope

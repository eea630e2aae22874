// A card about one rule: the rule of the current step, or any that is chosen.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QWidget>

#include "app/document/document.h"
#include "app/panels/rule_picture.h"

class QVBoxLayout;

namespace blockscope {

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

// Where a question of a lesson is answered: a field for a number, answers to choose from, rules, edges.
#pragma once

#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <QWidget>
#include <vector>

#include "app/lessons/lesson_desk.h"
#include "app/lessons/lesson_texts.h"
#include "app/shell/appearance.h"

namespace blockscope {

class AnswerView : public QWidget {
    Q_OBJECT

public:
    AnswerView(LessonDesk& desk, Document& document, Appearance& appearance, QWidget* parent = nullptr);

    // Makes what the task of this part is answered with; nothing for a task to do.
    void show_task();
    // Marks what was chosen, and takes no more answers once it is done.
    void show_reply();
    // What gets the keys when the part begins; null if there is nothing to answer here.
    QWidget* first() const;

    QLineEdit* number() const { return number_; }
    const std::vector<ChoiceButton*>& choices() const { return choices_; }

private:
    void clear();
    void ask_number(const lesson::Expected& expected);
    void ask_choice(const lesson::Expected& expected);
    void ask_rule();
    void ask_edge();
    void list_edges();
    ChoiceButton* add_choice(const QString& markdown, const lesson::Answer& answer);
    QString edge_text(const EdgeChoice& choice) const;

    LessonDesk& desk_;
    Document& document_;
    Appearance& appearance_;
    QVBoxLayout* column_;
    QLineEdit* number_ = nullptr;
    QPushButton* send_ = nullptr;
    QPushButton* list_ = nullptr;  // shows the edges to choose from
    std::vector<ChoiceButton*> choices_;
    ChoiceButton* last_ = nullptr;  // that was chosen
};

}  // namespace blockscope

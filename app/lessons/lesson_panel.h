// The panel of lessons: what there is to learn, or the part that is being learned.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>
#include <vector>

#include "app/lessons/lesson_desk.h"
#include "app/lessons/lesson_texts.h"
#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/shell/services.h"

class QScrollArea;

namespace blockscope {

// Where a question of a lesson is answered: a field for a number, answers to choose from, rules, edges.

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

// "12 minutes · 3 of 13 done", "12 minutes · done".
QString lesson_standing(const LessonInfo& lesson, const LessonStore* store);

class LessonPanel : public QWidget {
    Q_OBJECT

public:
    LessonPanel(Document& document, Services& services, QWidget* parent = nullptr);

    AnswerView& answers() { return *answers_; }
    ReplyBox& reply() { return *reply_; }
    QPushButton& next() { return *next_; }
    QPushButton& back() { return *back_; }
    QPushButton& hint() { return *hint_; }
    QPushButton& show_me() { return *show_me_; }
    // Without a lesson: a button for each that there is.
    const std::vector<ChoiceButton*>& lessons() const { return lessons_; }

private:
    QWidget* make_shelf();
    QWidget* make_lesson();
    QWidget* make_head();
    QWidget* make_task();
    QWidget* make_feet();
    void list_lessons();
    void list_parts();
    void show_part();
    void show_texts();
    void show_reply();
    void show_end();
    void show_parts();
    void give_keys();
    void size_up();

    LessonDesk& desk_;
    Document& document_;
    Services& services_;
    QStackedWidget* pages_;
    // The shelf.
    QVBoxLayout* shelf_ = nullptr;
    std::vector<ChoiceButton*> lessons_;
    // A part.
    ElidedLabel* title_ = nullptr;
    QLabel* where_ = nullptr;  // "3 of 14"
    QMenu* parts_menu_ = nullptr;
    PartsBar* parts_ = nullptr;
    QWidget* content_ = nullptr;  // what is scrolled
    QLabel* heading_ = nullptr;
    LessonText* text_ = nullptr;
    QFrame* task_ = nullptr;
    QLabel* kind_ = nullptr;
    LessonText* prompt_ = nullptr;
    AnswerView* answers_ = nullptr;
    LessonText* hints_ = nullptr;
    QPushButton *hint_ = nullptr, *show_me_ = nullptr;
    ReplyBox* reply_ = nullptr;
    QLabel* keys_ = nullptr;
    QPushButton *back_ = nullptr, *next_ = nullptr;
    int shown_part_ = -1;
    const LessonInfo* shown_lesson_ = nullptr;
    bool fresh_ = false;  // it has just begun
};

}  // namespace blockscope

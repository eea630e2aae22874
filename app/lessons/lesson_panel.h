// The panel of lessons: what there is to learn, or the part that is being learned.
#pragma once

#include <QAbstractButton>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>
#include <vector>

#include "app/lessons/lesson_desk.h"
#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/shell/services.h"

class QScrollArea;

namespace blockscope {

// ---- The parts that the panel consists of (lesson_texts.cpp).

// Markdown as rich text. Words of the glossary are underlined: pointing at them, or Tab to them and Enter,
// explains them.
class LessonText : public QLabel {
    Q_OBJECT

public:
    explicit LessonText(Appearance& appearance, QWidget* parent = nullptr);

    void set_markdown(const QString& markdown);
    const QString& markdown() const { return markdown_; }

private:
    void refresh();
    void explain(const QString& link);

    Appearance& appearance_;
    QString markdown_;
};

// An answer of several lines. Arrow keys go from one to the next, Space and Return choose.
class ChoiceButton : public QAbstractButton {
    Q_OBJECT

public:
    enum class Verdict : std::uint8_t { None, Right, Wrong };

    ChoiceButton(const QString& markdown, Appearance& appearance, QWidget* parent = nullptr);

    void set_verdict(Verdict verdict);
    Verdict verdict() const { return verdict_; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void looked_at(bool on);  // the keyboard or the mouse is on it, or leaves it

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void lay_out(int width) const;
    void paint_sign(QPainter& painter, const QRectF& box) const;

    Appearance& appearance_;
    mutable QTextDocument text_;
    Verdict verdict_ = Verdict::None;
};

// What is said to an answer or a turn: a sign, a word, and the text.
class ReplyBox : public QFrame {
    Q_OBJECT

public:
    enum class Tone : std::uint8_t { Right, Wrong, Shown, Note };

    explicit ReplyBox(Appearance& appearance, QWidget* parent = nullptr);

    // An empty text hides it.
    void say(Tone tone, const QString& markdown);
    QString text() const { return text_->markdown(); }
    Tone tone() const { return tone_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QColor color() const;

    Appearance& appearance_;
    QLabel* head_;
    LessonText* text_;
    Tone tone_ = Tone::Note;
};

// The parts of a lesson in a row: which are done, which one is seen. A click goes there.
class PartsBar : public QWidget {
    Q_OBJECT

public:
    struct Part {
        QString heading;
        bool task = false, done = false;
    };
    explicit PartsBar(Appearance& appearance, QWidget* parent = nullptr);

    void show_parts(std::vector<Part> parts, int current);
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(int part);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF place(int part) const;
    int part_at(const QPointF& at) const;

    Appearance& appearance_;
    std::vector<Part> parts_;
    int current_ = 0;
};

// ---- The panel.

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

protected:
    void keyPressEvent(QKeyEvent* event) override;

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

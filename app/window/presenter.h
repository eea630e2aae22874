// What a speaker has besides the picture: a pointer that can be seen from the last row, a spotlight, a blank
// screen, and questions about the next step for the room.
#pragma once

#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QWidget>
#include <optional>
#include <vector>

#include "app/document/document.h"
#include "app/document/work.h"
#include "app/shell/services.h"
#include "core/story/questions.h"

namespace blockscope {

class PictureView;

// Lies over the window and lets every click through.
class PresenterLayer : public QWidget {
    Q_OBJECT

public:
    enum class Tool : std::uint8_t { None, Pointer, Spotlight, Blank };

    // Over all of `window`, its parent.
    explicit PresenterLayer(QWidget* window);
    Tool tool() const { return tool_; }
    void set_tool(Tool tool);
    // Where the pointer is, in the window.
    void point_at(const QPoint& place);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    Tool tool_ = Tool::None;
    QPoint place_;
};

// A question about the next step, beside the picture or below it, where the picture stays larger: a digit, a
// click on a choice, or on the edge in the picture answers it; then the right answer is marked, and counted.
class QuestionCard : public QFrame {
    Q_OBJECT

public:
    QuestionCard(Document& document, PictureView& view);

    bool asking() const { return asking_; }
    void set_asking(bool asking);  // about every state that is shown, from now on
    const std::optional<Question>& question() const { return question_; }
    bool answered() const { return answered_; }
    // 0 is the first; of no question, or a choice that there is not, nothing happens. Whether it was one.
    bool answer(int choice);
    int right() const { return right_; }  // answers
    int all() const { return all_; }
    QString verdict() const { return verdict_->text(); }

Q_SIGNALS:
    void asked();  // the question is there, or there is none about this state

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void update_question();
    void show_question(std::optional<Question> question);
    void mark(int choice, bool right);
    void answer_edge(int edge);
    // What is said then; and how many answers were right.
    QString praise() const;
    QString denial() const;
    QString tally() const;
    enum class Side : std::uint8_t { Beside, Below };
    void arrange(Side side);
    QSize extent(Side side);
    Side better_side();
    void choose_side();
    void place();
    void give_room_back();

    Document& document_;
    PictureView& view_;
    QGridLayout* grid_;
    Side side_ = Side::Beside;
    bool asking_ = false;
    bool answered_ = false;
    int right_ = 0, all_ = 0;
    StateId state_ = -1;  // that is asked about
    std::optional<Question> question_;
    QLabel *text_, *verdict_, *tally_;
    std::vector<QPushButton*> choices_;
    Work work_;  // last: its job is waited for before the rest goes
};

// Gives the actions of the presentation their handlers, and B its meaning while one is under way.
class Presenter : public QObject {
    Q_OBJECT

public:
    Presenter(Document& document, Services& services, PictureView& view, QWidget* window);

    PresenterLayer& layer() { return *layer_; }
    QuestionCard& card() { return *card_; }
    void begin();
    void end();  // nothing of it is to be seen any more

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void toggle(PresenterLayer::Tool tool);
    void check_actions();
    bool takes(int key) const;
    void press(int key);

    Services& services_;
    bool presenting_ = false;
    PresenterLayer* layer_;
    QuestionCard* card_;
};

}  // namespace blockscope

// What the lesson panel is put together from: text with words that explain themselves, answers to choose
// from, what is said to an answer, and the way through the parts.
#pragma once

#include <QAbstractButton>
#include <QFrame>
#include <QLabel>
#include <QTextDocument>
#include <QWidget>
#include <vector>

#include "app/shell/appearance.h"

namespace blockscope {

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

}  // namespace blockscope

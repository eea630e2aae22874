// What the start page begins with: one wide card that leads to Flash Attention, then a card for each lesson.
#pragma once

#include <QAbstractButton>
#include <QFrame>
#include <QLabel>
#include <QPushButton>

#include "app/lessons/lesson_shelf.h"
#include "app/lessons/lesson_store.h"
#include "app/shell/appearance.h"
#include "app/window/start_page.h"

namespace blockscope {

// The two pictures of a sample, before and after, with an arrow between them, in `area`.
void paint_before_and_after(QPainter& painter, const QRect& area, const Thumbnail& thumbnail,
                            const Appearance& appearance);

// "Rediscover Flash Attention (10 minutes)": the sample before and after, with what fusion saves, counted.
class FlashCard : public QFrame {
    Q_OBJECT

public:
    FlashCard(LessonStore& store, Thumbnails& thumbnails, Appearance& appearance, QWidget* parent = nullptr);

    QPushButton& start() { return *start_; }
    QString numbers() const { return numbers_->text(); }

Q_SIGNALS:
    void lesson_chosen(const blockscope::LessonInfo& lesson);
    void sample_chosen(const blockscope::Sample& sample);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void size_up();
    QRect pictures() const;  // where they are painted; empty if there is no room

    LessonStore& store_;
    Thumbnails& thumbnails_;
    Appearance& appearance_;
    const Sample* sample_;
    QLabel *title_, *about_, *numbers_;
    QPushButton *start_, *open_;
    QWidget* column_;
};

// A lesson as a card: its title, what one can do after it, how long it takes, how much is done.
class LessonCard : public QAbstractButton {
    Q_OBJECT

public:
    LessonCard(const LessonInfo& lesson, LessonStore& store, Appearance& appearance,
               QWidget* parent = nullptr);

    const LessonInfo& lesson() const { return lesson_; }
    QString standing() const { return standing_; }
    QString goal() const;  // in the lines that there are
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
    void paint_share(QPainter& painter, const QRectF& area) const;

    const LessonInfo& lesson_;
    LessonStore& store_;
    Appearance& appearance_;
    QString standing_;
    double share_ = 0;  // of its tasks that are done
};

}  // namespace blockscope

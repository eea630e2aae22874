// Widgets of one size in as many columns as there is room for, centred.
#pragma once

#include <QAbstractButton>
#include <QImage>
#include <QObject>
#include <QThreadPool>
#include <QWidget>
#include <deque>
#include <map>
#include <vector>

#include "app/document/pictures.h"
#include "app/shell/appearance.h"
#include "app/shell/samples.h"
#include "app/shell/settings.h"

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace blockscope {

class CardGrid : public QWidget {
    Q_OBJECT

public:
    explicit CardGrid(QWidget* parent = nullptr);
    void add(QWidget* card);
    const std::vector<QWidget*>& cards() const { return cards_; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    // Arrow keys go from card to card.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    int columns(int width) const;
    QSize card_size() const;

    std::vector<QWidget*> cards_;
};

// Small pictures of samples for the start page: the program before the first step and after the last. Made
// one after the other in the background, kept on disk.

class Appearance;

// What fusion is worth: from the unfused program to the state of the algorithm's run that moves least.
struct Gain {
    int steps = 0;                 // of the run; 0: it is not counted yet
    double before = 0, after = 0;  // bytes moved
    int kernels_before = 0, kernels_after = 0;

    QString text() const;  // "17 471859200 69206016 7 1", for the cache
    static Gain of(const QString& text);
    QString words() const;  // "Steps: 17, 471 MB to 69.2 MB"
};

// As many whole lines as there is room for; the last one says that there is more.
QString fitted_lines(const QString& text, const QFont& font, int width, int most);

struct Thumbnail {
    QImage before, after;
    Gain gain;
    bool empty() const { return before.isNull() || after.isNull(); }
};

class Thumbnails : public QObject {
    Q_OBJECT

public:
    // In device-independent pixels.
    static constexpr int kWidth = 136, kHeight = 132;

    Thumbnails(Pictures& pictures, Appearance& appearance, QObject* parent = nullptr);
    ~Thumbnails() override;

    // Empty until ready() says otherwise; asking puts it in the queue.
    Thumbnail of(const Sample& sample, double device_pixel_ratio);
    // Whether pictures that were asked for are still to come.
    bool busy() const { return busy_ || !queue_.empty(); }
    // While something else needs the layout worker.
    void pause(bool paused);

Q_SIGNALS:
    void ready(const QString& sample);

private:
    struct Wanted {
        QString sample;
        QString key;
        double ratio = 1;
    };
    void next();
    void lay_out(const Wanted& wanted, const ContentPtr& content, const Gain& gain);
    void finish(const Wanted& wanted, Thumbnail thumbnail);

    Pictures& pictures_;
    Appearance& appearance_;
    std::map<QString, Thumbnail> known_;
    std::deque<Wanted> queue_;
    QThreadPool pool_;
    bool busy_ = false, paused_ = false;
};

// A sample as a card: its picture before and after fusion, its title, what it is.
class SampleCard : public QAbstractButton {
    Q_OBJECT

public:
    SampleCard(const Sample& sample, Thumbnails& thumbnails, Appearance& appearance,
               QWidget* parent = nullptr);

    const Sample& sample() const { return sample_; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void paint_pictures(QPainter& painter, const QRect& area);
    void paint_text(QPainter& painter, const QRect& area);

    const Sample& sample_;
    Thumbnails& thumbnails_;
    Appearance& appearance_;
};

// What the window shows without a document: samples with pictures, recent files, open and new.

class Actions;
class CardGrid;
class FlashCard;
class LessonStore;
struct LessonInfo;

class StartPage : public QWidget {
    Q_OBJECT

public:
    StartPage(Settings& settings, Actions& actions, Appearance& appearance, Thumbnails& thumbnails,
              LessonStore& store, QWidget* parent = nullptr);

    const std::vector<QWidget*>& cards() const { return cards_; }  // of samples
    const std::vector<QWidget*>& lesson_cards() const { return lesson_cards_; }
    FlashCard& flash_card() { return *flash_; }
    // Offers the tour. Hidden from the second start of the application on.
    QWidget& tour_offer() { return *tour_; }
    // Shows a button that leads back to the open document, `name`; hides it if the name is empty.
    void offer_way_back(const QString& name);
    // Scrolls to the cards of the lessons and gives the first one the keyboard focus.
    void show_lessons();

Q_SIGNALS:
    void sample_chosen(const blockscope::Sample& sample);
    void file_chosen(const QString& path);
    void lesson_chosen(const blockscope::LessonInfo& lesson);
    void back_chosen();

private:
    QWidget* make_side();
    QWidget* make_gallery();
    CardGrid* make_grid(Shelf shelf);
    CardGrid* make_lessons();
    QWidget* make_tour_offer();
    QLabel* heading(const QString& text, QWidget* parent, double size);
    void list_recent();

    Settings& settings_;
    Actions& actions_;
    Appearance& appearance_;
    Thumbnails& thumbnails_;
    LessonStore& store_;
    FlashCard* flash_ = nullptr;
    QWidget* tour_ = nullptr;
    QScrollArea* gallery_ = nullptr;
    std::vector<QWidget*> lesson_cards_;
    QVBoxLayout* recent_ = nullptr;
    QWidget* side_ = nullptr;
    QLabel* drop_ = nullptr;
    QPushButton* back_ = nullptr;
    std::vector<QWidget*> cards_;
};

}  // namespace blockscope

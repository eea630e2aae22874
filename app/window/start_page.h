// What the window shows without a document: samples with pictures, recent files, open and new.
#pragma once

#include <QWidget>

#include "app/window/appearance.h"
#include "app/window/samples.h"
#include "app/window/settings.h"
#include "app/window/thumbnails.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace blockscope {

class Actions;
class CardGrid;

class StartPage : public QWidget {
    Q_OBJECT

public:
    StartPage(Settings& settings, Actions& actions, Appearance& appearance, Thumbnails& thumbnails,
              QWidget* parent = nullptr);

    const std::vector<QWidget*>& cards() const { return cards_; }
    // A button that leads back to the document of this name; none if it is empty.
    void offer_way_back(const QString& name);

Q_SIGNALS:
    void sample_chosen(const blockscope::Sample& sample);
    void file_chosen(const QString& path);
    void back_chosen();

private:
    QWidget* make_side();
    QWidget* make_gallery();
    CardGrid* make_grid(bool benchmarks);
    QLabel* heading(const QString& text, QWidget* parent, double size);
    void list_recent();

    Settings& settings_;
    Actions& actions_;
    Appearance& appearance_;
    Thumbnails& thumbnails_;
    QVBoxLayout* recent_ = nullptr;
    QWidget* side_ = nullptr;
    QLabel* drop_ = nullptr;
    QPushButton* back_ = nullptr;
    std::vector<QWidget*> cards_;
};

}  // namespace blockscope

// The timeline panel: transport buttons, the steps of the branch, a slider over the run.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QWidget>

#include "app/panels/player.h"
#include "app/panels/run_slider.h"
#include "app/panels/timeline_strip.h"

class QAction;

namespace blockscope {

class Timeline : public QWidget {
    Q_OBJECT

public:
    // `transport`: the actions that get a button, in their order; null for a gap.
    Timeline(Document& document, Proofs& proofs, const std::vector<QAction*>& transport,
             QWidget* parent = nullptr);

    Player& player() { return player_; }
    TimelineModel& model() { return model_; }
    TimelineStrip& strip() { return *strip_; }
    RunSlider& slider() { return *slider_; }

    // Milliseconds between two steps; the list of speeds has them.
    void set_interval(int milliseconds);

Q_SIGNALS:
    void interval_chosen(int milliseconds);

private:
    QComboBox* make_speeds();
    void say_where();

    Document& document_;
    TimelineModel model_;
    Player player_;
    TimelineStrip* strip_;
    RunSlider* slider_;
    QComboBox* speeds_;
    QLabel* where_;
};

}  // namespace blockscope

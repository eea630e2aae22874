// Below compared pictures: what their marks mean, those that are there.
#pragma once

#include <QWidget>

#include "app/scene/legend.h"

namespace blockscope {

class MarksLegend : public QWidget {
    Q_OBJECT

public:
    explicit MarksLegend(QWidget* parent);
    void set_theme(const Theme& theme);
    void show_signs(const Signs& signs);  // none: it is hidden
    const Signs& signs() const { return signs_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int columns() const;

    Theme theme_ = Theme::light();
    Signs signs_;
};

}  // namespace blockscope

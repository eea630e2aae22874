// What shapes, lines and colours mean, painted by the functions that paint pictures.
#pragma once

#include <QScrollArea>
#include <QString>
#include <set>

#include "app/scene/paint.h"

namespace blockscope {

// Everything that a picture says without words, in the order in which a legend explains it.
enum class Sign : std::uint8_t {
    Array,  // inputs and outputs
    Functional,
    Elementwise,
    Reduction,
    Misc,
    Frame,
    Part,  // around maps that belong to one array
    Cloud,
    FirstIteration,   // x=0
    OtherIterations,  // x=1:X
    Buffered,
    Unbuffered,
    Bundle,  // of parallel edges
    Value,
    Iterated,
    Broadcast,
    Continued,
    Collected,
    Sum,
    Max,
    Carried,
    Selected,
    Hovered,
    Match,
    Made,
    Culprit,
    Search,
    Heat,
    Removed,
    Added,
    Moved,
    Changed,
};
using Signs = std::set<Sign>;

Signs all_signs();
Signs signs_of(const Picture& picture, const Lights& lights);
Signs signs_of(const Figure& figure);  // of what is drawn alone
Signs signs_of(const Lights& lights);

// The extent of a legend at scale 1, with a margin.
Size legend_size(const Signs& signs, int columns);
// As many columns as `width` has room for.
int legend_columns(const Signs& signs, double width);
// Paints it with its top left corner at the origin.
void paint_legend(QPainter& painter, const Theme& theme, const Signs& signs, int columns);

// Beside the picture: one column, which scrolls where it is too long.
class Legend : public QScrollArea {
    Q_OBJECT

public:
    explicit Legend(QWidget* parent);
    void set_theme(const Theme& theme);
    // Explains these too from now on: what was explained stays, so that the column is calm.
    void add(const Signs& signs);
    void reset();
    const Signs& signs() const { return signs_; }
    QSize sizeHint() const override;

private:
    class Column;
    Column* column_;
    Signs signs_;
};

// Below the picture: one row, of what occurs in it. What has no room is left to the long form.
class LegendStrip : public QWidget {
    Q_OBJECT

public:
    explicit LegendStrip(QWidget* parent);
    void set_theme(const Theme& theme);
    void set_signs(const Signs& signs);
    const Signs& signs() const { return signs_; }
    QSize sizeHint() const override;

Q_SIGNALS:
    void clicked();  // the long form is wanted

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    Theme theme_ = Theme::light();
    Signs signs_;
};

// The entries of the legend: a small picture and what it means. Internal to the legend and to exports.

constexpr Size kLegendCell{92, 40};  // of each entry's picture

struct LegendEntry {
    Picture picture;
    Lights lights;
    QString text;
};

// In the order of Sign.
std::vector<LegendEntry> legend_entries(const Signs& signs);

}  // namespace blockscope

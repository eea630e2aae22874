// The shape of a picture: which way its edges run, and in how many columns.
//
// A layout is one column from top to bottom. A picture whose edges run to the right is laid out lying on its
// side, and turned. A long chain goes on in further columns (rows, if it runs to the right) where a view of
// the given extent then shows it larger.
#pragma once

#include <optional>
#include <vector>

#include "app/layout/layout.h"

namespace blockscope {

struct PictureShape {
    std::optional<Flow> flow = Flow::Down;  // none: the way that makes the program's first picture larger
    Size room;          // of the view, in its pixels; without an extent a picture is never wrapped
    bool safe = false;  // of the state's numerically safe form
    // Not 0: in the way, and with maps in columns, in which the view shows all of the state largest, else the
    // way is that of the program. From this scale on all of it can be read, and keeps the way that it has.
    double whole = 0;
    bool operator==(const PictureShape&) const = default;
};

// Lays the figure on its side, so that its layout can be turned: before Layouter gets it.
void lay_on_side(Figure& figure);

// The first box of each column but the first.
using Columns = std::vector<NodeId>;

// The columns in which a view of this extent shows `laid_out` largest. Those of the picture before (`before`,
// and what the step `made` of them) stay as long as they are almost as good, so that blocks keep their
// places.
Columns columns_of(const Picture& laid_out, Flow flow, const Size& room, const Columns& before,
                   const std::vector<Lineage>& made);

// `laid_out` with the chain inside of a map in columns, where all of the picture would else be longer than
// the view at the size at which names can be read. The map becomes lower and wider, what is around it
// follows; blocks inside keep their places within a column.
Picture wrapped_inside(Layouter& layouter, const Picture& laid_out, Flow flow, const Size& room);

// `laid_out` with the chains inside of maps in columns, as far as a view shows all of the picture larger
// then.
Picture wrapped_to_fit(Layouter& layouter, const Picture& laid_out, Flow flow, const Size& room);

// `laid_out` (of a figure on its side for Flow::Right) in these columns, turned.
Picture shaped(const Picture& laid_out, Flow flow, const Columns& columns);

// How large a view of this extent shows all of a picture; 1 at most, from where on larger is not better.
double fitting_scale(const Rect& bounds, const Size& room);

}  // namespace blockscope

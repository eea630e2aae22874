// Cells that a panel paints itself, as items for screen readers.
#pragma once

#include <QRect>
#include <QString>

namespace blockscope {

// What such a panel, a scroll area, says of its cells; by index, from 0.
class AccessibleCells {
public:
    virtual int accessible_cells() const = 0;
    virtual QString accessible_cell(int index) const = 0;  // in words
    virtual QRect cell_place(int index) const = 0;         // viewport coordinates
    virtual int current_cell() const = 0;                  // -1: none

protected:
    ~AccessibleCells() = default;
};

// Every widget that is made after this and has such cells is a list of them. Once is enough.
void install_cells_accessibility();

}  // namespace blockscope

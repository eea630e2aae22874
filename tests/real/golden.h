// Screenshots against kept ones. Letters may be drawn a little differently by another version of the font
// renderer, so blocks of pixels are compared by their mean colour; a panel that is missing, another colour or
// another layout is far outside of what that allows. The font is DejaVu Sans (package fonts-dejavu-core).
#pragma once

#include <QImage>
#include <QString>
#include <string>

namespace blockscope::test {

struct Difference {
    double mean = 0;     // of all blocks, of 255
    double largest = 0;  // of one block
    double share = 0;    // of blocks that differ visibly
    bool same_size = true;
    bool small() const;
};
Difference difference(const QImage& a, const QImage& b);

// Compares half the size of `image` with tests/real/goldens/NAME.png; with BLOCKSCOPE_UPDATE=1 writes it
// instead. Empty if they agree, else what differs and where both and their difference are to be seen.
std::string compare_with_golden(const QImage& image, const QString& name);

}  // namespace blockscope::test

// What each line of a circuit does, in words:
//
//     Row 2 of 3: computes exp(x), sums along s_N, ends the stream s_N of N, stores O.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "core/diagram/layout/drawing.h"

namespace blockscope {

// What happens in a line, from left to right: operators, loads and stores, and where frames begin and end.
// What happens several times in a row is said once, with its count.
QStringList row_events(const circuit::Drawing& drawing, std::size_t row);

// All lines, each as a sentence; of the only one: "The diagram loads Q, ...".
std::vector<QString> row_sentences(const circuit::Drawing& drawing);

}  // namespace blockscope

// The dialog that asks for a file to write.
#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace blockscope {

// Shows it over `parent` and returns at once; `write` gets the path that is chosen, and is not called
// without one. `name` is suggested; `filter`: "CUDA (*.cu)".
void ask_where_to_write(QWidget& parent, const QString& title, const QString& filter, const QString& name,
                        std::function<void(const QString&)> write);

// The same, and waits for the answer: the path, or nothing. It begins in the folder of `name`, else in that
// of the answer before. A name without a suffix gets that of `name`, before the question whether another file
// is to be replaced.
QString where_to_write(QWidget* parent, const QString& title, const QString& filter, const QString& name);

}  // namespace blockscope

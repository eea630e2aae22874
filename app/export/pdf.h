// PDF files with pages in pixels at 96 to the inch, always the same bytes for the same drawing.
#pragma once

#include <QByteArray>
#include <QPainter>
#include <QSizeF>
#include <functional>
#include <string>

namespace blockscope {

// `paint` draws one page after the other, 0 .. pages - 1, each `size` pixels large.
QByteArray write_pdf(const std::string& title, QSizeF size, int pages,
                     const std::function<void(QPainter&, int page)>& paint);

}  // namespace blockscope

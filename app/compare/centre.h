// The middle of the window: the single picture, or the comparison as long as the document compares states.
#pragma once

#include <QWidget>

namespace blockscope {

class Appearance;
class Document;
class Pictures;

// A widget that holds `picture` and a CompareView and shows the one that fits the content.
QWidget* picture_or_comparison(QWidget* picture, Document& document, Pictures& pictures,
                               Appearance& appearance, QWidget* parent);

}  // namespace blockscope

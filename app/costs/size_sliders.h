// A slider for the size and one for the block size of every dimension, in powers of two: what they change
// shows while they are dragged.
#pragma once

#include <QWidget>
#include <vector>

#include "app/document/document.h"

class QGridLayout;
class QLabel;
class QSlider;

namespace blockscope {

class SizeSliders : public QWidget {
    Q_OBJECT

public:
    explicit SizeSliders(Document& document, QWidget* parent = nullptr);

    // The sliders of a dimension by its name; null if it has none.
    QSlider* size_slider(const std::string& dim) const;
    QSlider* block_slider(const std::string& dim) const;

private:
    struct Row {
        DimId dim;
        std::string name;
        QSlider *size, *block;
        QLabel *size_text, *block_text;
    };
    void refresh();
    void build(const DimTable& dims);
    void show(const DimTable& dims);
    void change(const Row& row, bool size, int exponent);
    QSlider* add_slider(int row, int column, int most, const QString& name);

    Document& document_;
    QGridLayout* grid_;
    QLabel* none_;
    std::vector<Row> rows_;
    bool showing_ = false;  // the sliders move because the document has changed
};

}  // namespace blockscope

// Under a circuit: what its lines, frames and numbers mean, and a sentence on what the diagram shows.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>
#include <vector>

#include "app/circuit/circuit_paint.h"
#include "core/diagram/layout/drawing.h"

namespace blockscope {

// What each line of a circuit does, in words:
//
//     Row 2 of 3: computes exp(x), sums along s_N, ends the stream s_N of N, stores O.

// What happens in a line, from left to right: operators, loads and stores, and where frames begin and end.
// What happens several times in a row is said once, with its count.
QStringList row_events(const circuit::Drawing& drawing, std::size_t row);

// All lines, each as a sentence; of the only one: "The diagram loads Q, ...".
std::vector<QString> row_sentences(const circuit::Drawing& drawing);

// The signs of a drawing that the key explains, in the order in which it shows them.
enum class CircuitSign : std::uint8_t {
    Global,  // wires of level 0
    Level1,  // and of those below
    Level2,
    Level3,
    Cache,  // a level that only caches
    Groups,
    Stream,
    Repeat,
    Transfer,  // H under a column
    Memory,    // M
};
std::vector<CircuitSign> circuit_signs(const circuit::Drawing& drawing);

// One sentence: how the diagram is read, and, of one that is wrapped, that a row goes on in the next.
QString circuit_sentence(const circuit::Drawing& drawing);

// A row of signs, wrapped where the page is narrow, with the sentence below. Hidden without a drawing.
class CircuitKey : public QWidget {
    Q_OBJECT

public:
    explicit CircuitKey(QWidget* parent = nullptr);
    void show_drawing(const circuit::Drawing* drawing);  // null: none
    void set_theme(const Theme& theme);
    const std::vector<CircuitSign>& signs() const { return signs_; }
    // How it is read, and what each row does; of more than four rows, or where there is no room for so many
    // words, only how it is read.
    QString sentence() const { return sentence_; }
    // It takes no more of the page's height than that, so that the diagram is seen.
    void set_room(int pixels);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {480, heightForWidth(480)}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Place {
        CircuitSign sign;
        QRect rect;
    };
    std::vector<Place> places(int width) const;
    int row_height() const;
    int height_of(const QString& sentence, int width) const;
    void choose_sentence();
    void paint_sign(QPainter& painter, CircuitSign sign, const QRect& rect) const;

    CircuitLook look_;
    std::vector<CircuitSign> signs_;
    QString brief_, full_;  // how it is read; and what each row does
    QString sentence_;      // the one of them that is shown
    int room_ = QWIDGETSIZE_MAX;
};

}  // namespace blockscope

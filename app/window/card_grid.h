// Widgets of one size in as many columns as there is room for, centred.
#pragma once

#include <QWidget>
#include <vector>

namespace blockscope {

class CardGrid : public QWidget {
    Q_OBJECT

public:
    explicit CardGrid(QWidget* parent = nullptr);
    void add(QWidget* card);
    const std::vector<QWidget*>& cards() const { return cards_; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    // Arrow keys go from card to card.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    int columns(int width) const;
    QSize card_size() const;

    std::vector<QWidget*> cards_;
};

}  // namespace blockscope

// A choice whose text ends with an ellipsis where it has no room; the style would cut it off. Its list is
// wide enough to be read, and its rows are one as high as the other: of thousands not each is measured
// whenever the type changes.
#pragma once

#include <QAbstractItemView>
#include <QComboBox>
#include <QListView>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <algorithm>

namespace blockscope {

class ElidedCombo : public QComboBox {
public:
    explicit ElidedCombo(QWidget* parent = nullptr) : QComboBox(parent) {
        if (auto* list = qobject_cast<QListView*>(view())) list->setUniformItemSizes(true);
    }

    // What is seen at this width.
    QString shown() const {
        QStyleOptionComboBox option;
        initStyleOption(&option);
        return elided(option);
    }
    void showPopup() override {
        constexpr int kLetters = 28;
        view()->setMinimumWidth(std::max(width(), kLetters * fontMetrics().averageCharWidth()));
        QComboBox::showPopup();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QStylePainter painter(this);
        painter.setPen(palette().color(QPalette::Text));
        QStyleOptionComboBox option;
        initStyleOption(&option);
        painter.drawComplexControl(QStyle::CC_ComboBox, option);
        option.currentText = elided(option);
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    }

private:
    QString elided(const QStyleOptionComboBox& option) const {
        const QRect room =
            style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
        return fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width());
    }
};

}  // namespace blockscope

// Controls that several panels use: texts that are shortened where there is no room, bars that wrap, painted
// cells as screen readers see them.
#pragma once

#include <QAbstractItemView>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayout>
#include <QListView>
#include <QPainter>
#include <QRect>
#include <QString>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolButton>
#include <QWidget>
#include <algorithm>
#include <memory>
#include <vector>

namespace blockscope {

// A line of text. Where there is no room for all of it, the first of its shorter forms that has room stands
// there; the last one, or the text itself, ends with an ellipsis. The tooltip has all of it.

class ElidedLabel : public QLabel {
public:
    explicit ElidedLabel(QWidget* parent) : QLabel(parent) {
        setTextFormat(Qt::PlainText);
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    }
    void set_shorter(const QStringList& forms) {  // the longest first
        shorter_ = forms;
        update();
    }
    // What is seen at this width.
    QString shown() const {
        const int room = contentsRect().width();
        QString form = text();
        for (const QString& shorter : shorter_) {
            if (fontMetrics().horizontalAdvance(form) <= room) break;
            form = shorter;
        }
        return fontMetrics().elidedText(form, Qt::ElideRight, room);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(palette().color(foregroundRole()));
        painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter, shown());
    }
    bool event(QEvent* event) override {
        // Where nothing else is said about it.
        if (event->type() == QEvent::ToolTip && toolTip().isEmpty()) {
            setToolTip(text());
            const bool done = QLabel::event(event);
            setToolTip({});
            return done;
        }
        return QLabel::event(event);
    }

private:
    QStringList shorter_;
};

// A choice whose text ends with an ellipsis where it has no room; the style would cut it off. Its list is
// wide enough to be read, and its rows are one as high as the other: of thousands not each is measured
// whenever the type changes.

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

// Widgets beside each other as long as there is room, then in the next line: bars of buttons in narrow
// panels.

class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent);

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    // What a line has left goes to the last of its widgets with an expanding width.
    Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    void setGeometry(const QRect& rect) override;
    QSize sizeHint() const override;     // all in one line
    QSize minimumSize() const override;  // the widest alone

private:
    struct Line {
        std::vector<QLayoutItem*> items;
        int width = 0, height = 0;  // with the gaps between the items
    };
    std::vector<Line> lines(int width) const;
    void place(const Line& line, const QRect& area) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
};

// A bar of a FlowLayout that is as high at least as its lines at its width, where nothing asks for a height
// for the width: in splitters.
class FlowBar : public QWidget {
public:
    using QWidget::QWidget;

protected:
    bool event(QEvent* event) override;
};

// The row of controls on top of a panel, and what is below it in a small one.

struct PanelBar {
    QWidget* widget = nullptr;
    QHBoxLayout* row = nullptr;
};
PanelBar make_panel_bar(QWidget* panel);

// What it is called aloud, and what it does. (A button of one sign is called by its help.)
QToolButton* make_bar_button(QWidget* bar, const QString& text, const QString& name, const QString& help);
// Called what it says.
QToolButton* make_bar_button(QWidget* bar, const QString& text, const QString& help);

// What is laid out in this fills the page as long as it has room, else it scrolls: nothing is cut off.
QWidget* make_scrolled_content(QWidget* page);

// Cells that a panel paints itself, as items for screen readers.

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

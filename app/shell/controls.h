// Controls that several panels use: texts that are shortened where there is no room, bars that wrap, painted
// cells as screen readers see them, and what dialogs have in common.
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
#include <QScreen>
#include <QStackedWidget>
#include <QString>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QTabWidget>
#include <QToolButton>
#include <QWidget>
#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

class QWidget;

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

// ---- What dialogs and windows have in common: how large they open, links reached by the keyboard, where a
// file is written.

// How large a window opens: as it would like, but not larger than its screen.

inline QSize first_size(const QWidget& window, const QSize& liked) {
    constexpr QSize kFrame(40, 60);  // the desktop's, and some air
    return liked.boundedTo(window.screen()->availableSize() - kFrame);
}

// Labels that have links at times.

// Whether the label is a stop of the Tab key, whose links are opened with Enter.
inline void set_reachable_links(QLabel& label, bool reachable) {
    const Qt::TextInteractionFlags keyboard =
        reachable ? Qt::LinksAccessibleByKeyboard : Qt::NoTextInteraction;
    label.setTextInteractionFlags(Qt::LinksAccessibleByMouse | keyboard);
}

// The dialog that asks for a file to write.

// A document's or program's name as that of a file: what paths and file systems give a meaning to becomes
// "-", and it is neither empty nor hidden. "a/b" becomes "a-b", "../x" becomes "x".
QString file_name_of(const QString& name);

// Shows it over `parent` and returns at once; `write` gets the path that is chosen, and is not called
// without one. `name` is suggested; `filter`: "CUDA (*.cu)".
void ask_where_to_write(QWidget& parent, const QString& title, const QString& filter, const QString& name,
                        std::function<void(const QString&)> write);

// The same, and waits for the answer: the path, or nothing. It begins in the folder of `name`, else in that
// of the answer before. A name without a suffix gets that of `name`, before the question whether another file
// is to be replaced.
QString where_to_write(QWidget* parent, const QString& title, const QString& filter, const QString& name);

// Pages behind tabs.

// What is made to be a page of the tabs stands within this from the start: moved there, every part of it
// would be styled anew.
inline QWidget* page_parent(QTabWidget& tabs) {
    auto* stack = tabs.findChild<QStackedWidget*>(QString(), Qt::FindDirectChildrenOnly);
    return stack ? static_cast<QWidget*>(stack) : &tabs;
}

}  // namespace blockscope

#include "app/shell/controls.h"

#include <QAbstractScrollArea>
#include <QAccessibleWidget>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QScrollArea>
#include <QVBoxLayout>
#include <QWindow>
#include <algorithm>
#include <map>

namespace blockscope {

FlowLayout::FlowLayout(QWidget* parent) : QLayout(parent) {}

void FlowLayout::addItem(QLayoutItem* item) {
    items_.emplace_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (index < 0 || index >= count()) return nullptr;
    QLayoutItem* item = items_[static_cast<std::size_t>(index)].release();
    items_.erase(items_.begin() + index);
    return item;
}

// Hidden items stand nowhere. Items wider than a line have one to themselves.
std::vector<FlowLayout::Line> FlowLayout::lines(int width) const {
    std::vector<Line> all;
    for (const auto& item : items_) {
        if (item->isEmpty()) continue;
        const QSize size = item->sizeHint();
        if (all.empty() || all.back().width + spacing() + size.width() > width) all.emplace_back();
        Line& line = all.back();
        line.width += size.width() + (line.items.empty() ? 0 : spacing());
        line.height = std::max(line.height, size.height());
        line.items.push_back(item.get());
    }
    return all;
}

void FlowLayout::place(const Line& line, const QRect& area) const {
    const auto expanding = std::find_if(line.items.rbegin(), line.items.rend(), [](const QLayoutItem* item) {
        return item->expandingDirections().testFlag(Qt::Horizontal);
    });
    const int left_over = std::max(0, area.width() - line.width);
    const bool mirrored = parentWidget() && parentWidget()->isRightToLeft();
    int x = 0;
    for (QLayoutItem* item : line.items) {
        const bool grows = expanding != line.items.rend() && *expanding == item;
        const int wanted = item->sizeHint().width() + (grows ? left_over : 0);
        const int width = std::min(wanted, area.width());
        const int left = mirrored ? area.right() + 1 - x - width : area.left() + x;
        item->setGeometry({left, area.top(), width, line.height});
        x += width + spacing();
    }
}

int FlowLayout::heightForWidth(int width) const {
    const QMargins around = contentsMargins();
    const std::vector<Line> all = lines(width - around.left() - around.right());
    int height = around.top() + around.bottom() + std::max(0, static_cast<int>(all.size()) - 1) * spacing();
    for (const Line& line : all) height += line.height;
    return height;
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    QRect area = rect.marginsRemoved(contentsMargins());
    for (const Line& line : lines(area.width())) {
        place(line, area);
        area.setTop(area.top() + line.height + spacing());
    }
}

QSize FlowLayout::sizeHint() const {
    const QMargins around = contentsMargins();
    const std::vector<Line> all = lines(QLAYOUTSIZE_MAX);
    const QSize inside = all.empty() ? QSize(0, 0) : QSize(all.front().width, all.front().height);
    return inside.grownBy(around);
}

QSize FlowLayout::minimumSize() const {
    QSize widest(0, 0);
    for (const auto& item : items_)
        if (!item->isEmpty()) widest = widest.expandedTo(item->minimumSize());
    return widest.grownBy(contentsMargins());
}

bool FlowBar::event(QEvent* event) {
    const bool handled = QWidget::event(event);
    const bool other = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
    if (other && layout()) setMinimumHeight(layout()->heightForWidth(width()));
    return handled;
}

namespace {

// A scroll area asks how high its content has to be for a width. That is at least what each part needs, bars
// of several lines among them; a widget would say what its parts would like best.
class ScrolledContent : public QWidget {
public:
    int heightForWidth(int width) const override {
        return layout() ? layout()->minimumHeightForWidth(width) : QWidget::heightForWidth(width);
    }
};

}  // namespace

PanelBar make_panel_bar(QWidget* panel) {
    auto* bar = new QWidget(panel);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(4);
    return {bar, row};
}

QToolButton* make_bar_button(QWidget* bar, const QString& text, const QString& name, const QString& help) {
    auto* button = new QToolButton(bar);
    button->setText(text);
    button->setAccessibleName(name);
    button->setToolTip(help);
    if (help != name) button->setAccessibleDescription(help);
    return button;
}

QToolButton* make_bar_button(QWidget* bar, const QString& text, const QString& help) {
    return make_bar_button(bar, text, text, help);
}

QWidget* make_scrolled_content(QWidget* page) {
    QWidget* content = new ScrolledContent;
    auto* scrolled = new QScrollArea(page);
    scrolled->setFrameShape(QFrame::NoFrame);
    scrolled->setWidgetResizable(true);
    scrolled->setFocusPolicy(Qt::NoFocus);
    scrolled->setWidget(content);
    for (QWidget* part : {scrolled->viewport(), content})
        part->setAutoFillBackground(false);  // the page has one
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(scrolled);
    return content;
}

namespace {

const AccessibleCells* cells_of(QObject* object) {
    return dynamic_cast<const AccessibleCells*>(object);
}

class CellAccessible : public QAccessibleInterface {
public:
    CellAccessible(QAbstractScrollArea* area, int index) : area_(area), index_(index) {}

    bool isValid() const override {
        const AccessibleCells* cells = cells_of(area_);
        return cells && index_ < cells->accessible_cells();
    }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return area_ ? area_->window()->windowHandle() : nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* parent() const override {
        return area_ ? QAccessible::queryAccessibleInterface(area_) : nullptr;
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text what) const override {
        return what == QAccessible::Name && isValid() ? cells_of(area_)->accessible_cell(index_) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override {
        if (!isValid()) return {};
        const QRect place = cells_of(area_)->cell_place(index_);
        return {area_->viewport()->mapToGlobal(place.topLeft()), place.size()};
    }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QAccessible::State state() const override {
        QAccessible::State result;
        result.selectable = true;
        result.invalid = !isValid();
        if (result.invalid) return result;
        result.selected = cells_of(area_)->current_cell() == index_;
        result.focused = result.selected && area_->hasFocus();
        result.offscreen = !area_->viewport()->rect().intersects(cells_of(area_)->cell_place(index_));
        return result;
    }

private:
    QPointer<QAbstractScrollArea> area_;
    int index_;
};

class CellsAccessible : public QAccessibleWidget {
public:
    explicit CellsAccessible(QAbstractScrollArea* area) : QAccessibleWidget(area, QAccessible::List) {}
    ~CellsAccessible() override {
        for (const auto& [index, id] : ids_) QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override {
        const AccessibleCells* cells = cells_of(object());  // none any more while the widget goes
        return cells ? cells->accessible_cells() : 0;
    }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount()) return nullptr;
        const auto found = ids_.find(index);
        if (found != ids_.end()) return QAccessible::accessibleInterface(found->second);
        auto* made = new CellAccessible(static_cast<QAbstractScrollArea*>(object()), index);
        ids_[index] = QAccessible::registerAccessibleInterface(made);  // owns it
        return made;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (const auto& [index, id] : ids_)
            if (QAccessible::accessibleInterface(id) == child) return index;
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        for (int i = 0; i < childCount(); ++i)
            if (child(i)->rect().contains(x, y)) return child(i);
        return nullptr;
    }

private:
    mutable std::map<int, QAccessible::Id> ids_;
};

QAccessibleInterface* make_interface(const QString&, QObject* object) {
    auto* area = qobject_cast<QAbstractScrollArea*>(object);
    return area && cells_of(area) ? new CellsAccessible(area) : nullptr;
}

}  // namespace

void install_cells_accessibility() {
    static const bool kInstalled = [] {
        QAccessible::installFactory(make_interface);
        return true;
    }();
    static_cast<void>(kInstalled);
}

namespace {

void prepare(QFileDialog& dialog, const QString& name) {
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QFileInfo(name).suffix());
    dialog.selectFile(name);
}

}  // namespace

QString file_name_of(const QString& name) {
    constexpr int kMostCharacters = 80;  // 255 bytes hold that many of any script but the rarest
    static const QString special = QStringLiteral("/\\:*?\"<>|");
    QString safe;
    for (const QChar c : name.left(kMostCharacters))  // a pair that is cut in two goes below
        safe += special.contains(c) || c.category() == QChar::Other_Control ? QLatin1Char('-') : c;
    const auto is_edge = [](QChar c) {
        return c.isSpace() || c == QLatin1Char('.') || c == QLatin1Char('-');
    };
    while (!safe.isEmpty() && is_edge(safe.front())) safe.remove(0, 1);
    while (!safe.isEmpty() && (is_edge(safe.back()) || safe.back().isHighSurrogate())) safe.chop(1);
    return safe.isEmpty() ? QStringLiteral("untitled") : safe;
}

void ask_where_to_write(QWidget& parent, const QString& title, const QString& filter, const QString& name,
                        std::function<void(const QString&)> write) {
    auto* dialog = new QFileDialog(&parent, title, {}, filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    prepare(*dialog, name);
    QObject::connect(dialog, &QFileDialog::fileSelected, &parent, std::move(write));
    dialog->open();
}

QString where_to_write(QWidget* parent, const QString& title, const QString& filter, const QString& name) {
    static QString last;  // the folder of the file before, for names without one
    QFileDialog dialog(parent, title, QFileInfo(name).isAbsolute() ? QFileInfo(name).path() : last, filter);
    prepare(dialog, name);
    if (dialog.exec() != QDialog::Accepted) return {};
    QString file = dialog.selectedFiles().value(0);
    last = QFileInfo(file).path();
    return file;
}

}  // namespace blockscope

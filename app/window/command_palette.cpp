#include "app/window/command_palette.h"

#include <QApplication>
#include <QGraphicsDropShadowEffect>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

namespace blockscope {

namespace {

constexpr int kWordStart = 8;
constexpr int kInRow = 8;
constexpr int kLetter = 1;
constexpr int kLongest = 256;  // of texts; longer ones are cut

bool starts_word(const QString& text, int at) {
    return at == 0 || !text[at - 1].isLetterOrNumber();
}

int gain(const QString& text, int at, int previous) {
    return kLetter + (starts_word(text, at) ? kWordStart : 0) +
           (previous >= 0 && at == previous + 1 ? kInRow : 0);
}

}  // namespace

// best[j]: the best score of the letters so far with the last one at j; from[i][j]: where the letter before
// it is then.
std::optional<FuzzyHit> fuzzy_match(const QString& query, const QString& text) {
    QString letters = query.toLower();
    letters.remove(QLatin1Char(' '));
    const QString lower = text.left(kLongest).toLower();
    const int n = static_cast<int>(lower.size());
    const int m = static_cast<int>(letters.size());
    if (m == 0) return FuzzyHit{};
    constexpr int kNone = -1;
    std::vector<int> best(n, kNone);
    std::vector<std::vector<int>> from(m, std::vector<int>(n, kNone));
    for (int i = 0; i < m; ++i) {
        std::vector<int> next(n, kNone);
        int reached = kNone;  // the best place of the letter before, left of the one in a row
        for (int j = 0; j < n; ++j) {
            if (j >= 2 && best[j - 2] != kNone && (reached == kNone || best[j - 2] > best[reached]))
                reached = j - 2;
            if (lower[j] != letters[i]) continue;
            if (i == 0) {
                next[j] = gain(lower, j, kNone) - j / 8;
                continue;
            }
            const auto consider = [&](int k) {
                if (k == kNone || best[k] == kNone) return;
                const int score = best[k] + gain(lower, j, k);
                if (score > next[j]) {
                    next[j] = score;
                    from[i][j] = k;
                }
            };
            consider(reached);
            consider(j - 1 >= 0 ? j - 1 : kNone);
        }
        best = std::move(next);
    }
    int end = kNone;
    for (int j = 0; j < n; ++j)
        if (best[j] != kNone && (end == kNone || best[j] > best[end])) end = j;
    if (end == kNone) return std::nullopt;
    FuzzyHit hit{best[end] * 4 - n / 4, std::vector<int>(m)};
    for (int i = m - 1, j = end; i >= 0; j = from[i][j], --i) hit.positions[i] = j;
    return hit;
}

namespace {

constexpr int kMaxListed = 60;
constexpr int kRows = 11;
constexpr int kIndex = Qt::UserRole;          // in the list of commands
constexpr int kPositions = Qt::UserRole + 1;  // of the letters that were found
constexpr int kDetail = Qt::UserRole + 2;
constexpr int kKeys = Qt::UserRole + 3;

// A row: the name with the found letters in the accent colour, the menu behind it, the keys at the right.
class CommandDelegate : public QStyledItemDelegate {
public:
    CommandDelegate(Appearance& appearance, QObject* parent)
        : QStyledItemDelegate(parent), appearance_(appearance) {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {100, option.fontMetrics.height() + 14};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Colors& c = appearance_.colors();
        const bool enabled = (index.flags() & Qt::ItemIsEnabled) != 0;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if ((option.state & QStyle::State_Selected) != 0) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(c.tint);
            painter->drawRoundedRect(option.rect.adjusted(1, 1, -1, -1), 6, 6);
        }
        QRect area = option.rect.adjusted(12, 0, -12, 0);
        painter->setFont(option.font);
        painter->setPen(c.muted);
        const QString keys = index.data(kKeys).toString();
        painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, keys);
        area.setRight(area.right() - option.fontMetrics.horizontalAdvance(keys) - 16);
        const int end = paint_name(*painter, area, index, enabled ? c.text : c.muted, c.accent);
        const QRect rest = area.adjusted(end - area.left() + 12, 0, 0, 0);
        painter->setPen(c.muted);
        painter->drawText(
            rest, Qt::AlignLeft | Qt::AlignVCenter,
            option.fontMetrics.elidedText(index.data(kDetail).toString(), Qt::ElideRight, rest.width()));
        painter->restore();
    }

private:
    // Returns where the name ends.
    static int paint_name(QPainter& painter, const QRect& area, const QModelIndex& index, const QColor& plain,
                          const QColor& found) {
        const QString text = index.data(Qt::DisplayRole).toString();
        const QList<QVariant> positions = index.data(kPositions).toList();
        const QFontMetrics metrics = painter.fontMetrics();
        const int baseline = area.center().y() + (metrics.ascent() - metrics.descent()) / 2 + 1;
        int x = area.left();
        for (int i = 0; i < text.size() && x < area.right(); ++i) {
            const bool hit = positions.contains(QVariant(i));
            painter.setPen(hit ? found : plain);
            QFont font = painter.font();
            font.setUnderline(hit);  // not by colour alone
            painter.setFont(font);
            painter.drawText(x, baseline, QString(text[i]));
            font.setUnderline(false);
            painter.setFont(font);
            x += metrics.horizontalAdvance(text[i]);
        }
        return x;
    }

    Appearance& appearance_;
};

}  // namespace

CommandPalette::CommandPalette(Appearance& appearance, QWidget* parent)
    : QFrame(parent), appearance_(appearance) {
    setObjectName(QStringLiteral("command_palette"));
    setAccessibleName(tr("Command palette"));
    line_ = new QLineEdit(this);
    line_->setPlaceholderText(tr("Find an action, a step, a sample or a file"));
    line_->setAccessibleName(tr("Find a command"));
    list_ = new QListWidget(this);
    list_->setAccessibleName(tr("Commands"));
    list_->setProperty("program_data", true);
    list_->setItemDelegate(new CommandDelegate(appearance, list_));
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 10, 10, 10);
    column->setSpacing(8);
    column->addWidget(line_);
    column->addWidget(list_);
    auto* shadow = new QGraphicsDropShadowEffect(this);
    shadow->setBlurRadius(32);
    shadow->setOffset(0, 6);
    shadow->setColor(QColor(0, 0, 0, 90));
    setGraphicsEffect(shadow);
    line_->installEventFilter(this);
    parent->installEventFilter(this);
    connect(line_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::run_current);
    hide();
}

void CommandPalette::open(std::vector<Command> commands) {
    if (!isVisible()) before_ = QApplication::focusWidget();
    commands_ = std::move(commands);
    line_->clear();
    filter({});
    place();
    show();
    raise();
    line_->setFocus();
}

void CommandPalette::filter(const QString& letters) {
    struct Row {
        int index;
        FuzzyHit hit;
    };
    std::vector<Row> rows;
    for (int i = 0; i < static_cast<int>(commands_.size()); ++i) {
        const Command& command = commands_[i];
        // The menu's name finds its actions too, behind those whose own name fits.
        if (auto hit = fuzzy_match(letters, command.text))
            rows.push_back({i, std::move(*hit)});
        else if (auto wide = fuzzy_match(letters, command.detail + QLatin1Char(' ') + command.text))
            rows.push_back({i, {wide->score / 2 - 40, {}}});
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.hit.score > b.hit.score; });
    if (rows.size() > kMaxListed && !letters.isEmpty()) rows.resize(kMaxListed);
    list_->clear();
    for (const Row& row : rows) {
        const Command& command = commands_[row.index];
        auto* item = new QListWidgetItem(command.text, list_);
        QList<QVariant> positions;
        for (const int position : row.hit.positions) positions << position;
        item->setData(kIndex, row.index);
        item->setData(kPositions, positions);
        item->setData(kDetail, command.detail);
        item->setData(kKeys, command.keys);
        if (!command.enabled) item->setFlags(Qt::ItemIsSelectable);
    }
    if (rows.empty()) {
        auto* none = new QListWidgetItem(tr("Nothing is called that"), list_);
        none->setData(kIndex, -1);
        none->setFlags(Qt::NoItemFlags);
    }
    list_->setCurrentRow(0);
    place();
}

std::vector<const Command*> CommandPalette::listed() const {
    std::vector<const Command*> all;
    for (int i = 0; i < list_->count(); ++i)
        if (const int index = list_->item(i)->data(kIndex).toInt(); index >= 0)
            all.push_back(&commands_[static_cast<std::size_t>(index)]);
    return all;
}

void CommandPalette::run_current() {
    const QListWidgetItem* item = list_->currentItem();
    if (item == nullptr || (item->flags() & Qt::ItemIsEnabled) == 0) return;
    const auto run = commands_[item->data(kIndex).toInt()].run;
    close_quietly();
    run();
}

void CommandPalette::close_quietly() {
    hide();
    if (before_ != nullptr) before_->setFocus();
}

void CommandPalette::place() {
    const int width = std::min(parentWidget()->width() - 40, 44 * appearance_.pixels());
    const int row = QFontMetrics(appearance_.font()).height() + 14;
    const int rows = std::clamp(list_->count(), 1, kRows);
    const int height = std::min(parentWidget()->height() - 80, rows * row + line_->sizeHint().height() + 34);
    setGeometry((parentWidget()->width() - width) / 2, 56, width, height);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible()) place();
        return false;
    }
    if (event->type() == QEvent::FocusOut && isVisible()) hide();
    // Its keys are not the window's shortcuts.
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (event->type() != QEvent::KeyPress) return false;
    const int row = list_->currentRow();
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Escape:
            close_quietly();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            run_current();
            return true;
        case Qt::Key_Down:
            list_->setCurrentRow(std::min(row + 1, list_->count() - 1));
            return true;
        case Qt::Key_Up:
            list_->setCurrentRow(std::max(row - 1, 0));
            return true;
        case Qt::Key_PageDown:
            list_->setCurrentRow(std::min(row + kRows, list_->count() - 1));
            return true;
        case Qt::Key_PageUp:
            list_->setCurrentRow(std::max(row - kRows, 0));
            return true;
        default:
            return false;
    }
}

}  // namespace blockscope

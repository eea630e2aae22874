#include "app/window/dialogs.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGraphicsDropShadowEffect>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cstring>

#include "app/shell/actions.h"
#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/shell/term_help.h"
#include "app/words/words.h"
#include "core/glossary/glossary.h"

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

SettingsDialog::SettingsDialog(Settings& settings, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Settings"));
    setAccessibleName(windowTitle());
    auto* form = new QFormLayout(this);
    form->setContentsMargins(20, 20, 20, 16);
    form->setHorizontalSpacing(18);
    form->setVerticalSpacing(12);

    auto* theme = new QComboBox(this);
    theme->addItems({tr("Follow the system"), tr("Light"), tr("Dark")});  // in the order of ThemeChoice
    theme->setAccessibleName(tr("Theme"));
    theme->setCurrentIndex(static_cast<int>(settings.theme()));
    connect(theme, &QComboBox::currentIndexChanged, &settings,
            [&settings](int index) { settings.set_theme(static_cast<ThemeChoice>(index)); });
    form->addRow(tr("Theme"), theme);

    const std::vector<Language> all = languages();
    if (all.size() > 2) {  // others than English
        auto* language = new QComboBox(this);
        language->setAccessibleName(tr("Language"));
        language->setToolTip(tr("Counts from the next start on."));
        for (const Language& choice : all) language->addItem(choice.name, choice.code);
        language->setCurrentIndex(std::max(0, language->findData(settings.language())));
        connect(language, &QComboBox::currentIndexChanged, &settings,
                [&settings, language] { settings.set_language(language->currentData().toString()); });
        form->addRow(tr("Language"), language);
    }

    auto* speed = new QSpinBox(this);
    speed->setRange(100, 8000);
    speed->setSingleStep(100);
    speed->setSuffix(tr(" ms a step"));
    speed->setAccessibleName(tr("Speed of playing"));
    speed->setValue(settings.play_interval());
    connect(speed, &QSpinBox::valueChanged, &settings, &Settings::set_play_interval);
    form->addRow(tr("Play"), speed);

    const auto box = [&](const QString& text, const QString& help, bool on, void (Settings::*set)(bool)) {
        auto* made = new QCheckBox(text, this);
        made->setAccessibleName(text);
        made->setToolTip(help);
        made->setChecked(on);
        connect(made, &QCheckBox::toggled, &settings, set);
        form->addRow(QString(), made);
    };
    box(tr("Animate steps"),
        tr("Blocks slide to their new places. Off wherever the system asks for less motion."),
        settings.animations(), &Settings::set_animations);
    box(tr("Types on edges"), tr("Written when the picture is close enough."), settings.edge_labels(),
        &Settings::set_edge_labels);
    box(tr("Keep a journal"), tr("Changes that are not saved come back after a crash."), settings.journal(),
        &Settings::set_journal);

    auto* buttons = new QDialogButtonBox(this);
    QPushButton* close = buttons->addButton(tr("Close"), QDialogButtonBox::AcceptRole);
    close->setAccessibleName(tr("Close"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    form->addRow(buttons);
}

ShortcutSheet::ShortcutSheet(Appearance& appearance, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Actions and shortcuts"));
    setAccessibleName(windowTitle());
    auto* line = new QLineEdit(this);
    line->setPlaceholderText(tr("Find an action or a key"));
    line->setAccessibleName(tr("Find an action or a key"));
    line->setClearButtonEnabled(true);
    tree_ = new QTreeWidget(this);
    tree_->setAccessibleName(tr("Actions and their keys"));
    tree_->setHeaderLabels({tr("Action"), tr("Keys"), tr("What it does")});
    tree_->setRootIsDecorated(false);
    tree_->setIndentation(0);
    tree_->setUniformRowHeights(true);
    tree_->setSelectionMode(QAbstractItemView::NoSelection);
    tree_->setProperty("program_data", true);
    QFont bold = appearance.font();
    bold.setBold(true);
    for (const char* menu : action_menus()) {
        QTreeWidgetItem* heading = nullptr;
        for (const ActionInfo& info : action_table()) {
            if (std::strcmp(info.menu, menu) != 0) continue;
            if (heading == nullptr) {
                heading = new QTreeWidgetItem(tree_, {action_menu(info)});
                heading->setFont(0, bold);
                heading->setForeground(0, appearance.colors().accent);
                heading->setFirstColumnSpanned(true);
                heading->setExpanded(true);
            }
            auto* row =
                new QTreeWidgetItem(heading, {action_plain_text(info), action_keys(info), action_help(info)});
            row->setToolTip(2, row->text(2));  // of what a small screen cuts
            row->setFont(1, appearance.fixed_font());
            row->setForeground(2, appearance.colors().muted);
        }
    }
    tree_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    tree_->header()->setStretchLastSection(true);
    none_ = new QLabel(tr("No action fits."), this);
    none_->setForegroundRole(QPalette::PlaceholderText);
    none_->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 14, 14, 14);
    column->setSpacing(10);
    column->addWidget(line);
    column->addWidget(none_);
    column->addWidget(tree_, 1);
    ensurePolished();  // the type of a presentation
    resize(first_size(*this, {liked_width(), 50 * appearance.pixels()}));
    connect(line, &QLineEdit::textChanged, this, &ShortcutSheet::filter);
}

void ShortcutSheet::filter(const QString& text) {
    for (int i = 0; i < tree_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* heading = tree_->topLevelItem(i);
        bool any = false;
        for (int j = 0; j < heading->childCount(); ++j) {
            QTreeWidgetItem* row = heading->child(j);
            bool fits = heading->text(0).contains(text, Qt::CaseInsensitive);
            for (int k = 0; k < 3; ++k) fits = fits || row->text(k).contains(text, Qt::CaseInsensitive);
            row->setHidden(!fits);
            any = any || fits;
        }
        heading->setHidden(!any);
    }
    none_->setVisible(shown_rows() == 0);
}

int ShortcutSheet::liked_width() const {
    const int around = 6 * tree_->fontMetrics().height();  // margins, paddings, a scroll bar
    int widest = 0;
    for (int i = 0; i < tree_->topLevelItemCount(); ++i)
        for (int j = 0; j < tree_->topLevelItem(i)->childCount(); ++j)
            widest = std::max(
                widest, tree_->fontMetrics().horizontalAdvance(tree_->topLevelItem(i)->child(j)->text(2)));
    tree_->resizeColumnToContents(0);
    tree_->resizeColumnToContents(1);
    return tree_->columnWidth(0) + tree_->columnWidth(1) + widest + around;
}

int ShortcutSheet::shown_rows() const {
    int rows = 0;
    for (int i = 0; i < tree_->topLevelItemCount(); ++i)
        for (int j = 0; j < tree_->topLevelItem(i)->childCount(); ++j)
            rows += tree_->topLevelItem(i)->child(j)->isHidden() ? 0 : 1;
    return rows;
}

namespace {

QString term_link(const std::string& name) {
    const QString text = QString::fromStdString(name);
    return QStringLiteral("<a href=\"%1\">%1</a>").arg(text.toHtmlEscaped());
}

QString comma_list(const QStringList& parts) {
    return parts.join(QStringLiteral(", "));
}

// A term as rich text. The page is English, whatever the window's language is.
QString whole_term_html(const GlossaryTerm& term) {
    QString html = term_html(term);
    QStringList aliases, others;
    for (const std::string& alias : term.aliases) aliases << QString::fromStdString(alias).toHtmlEscaped();
    for (const std::string& other : term.see_also) others << term_link(other);
    if (!aliases.isEmpty())
        html += QStringLiteral("<p>%1</p>").arg(GlossaryDialog::tr("Also: %1").arg(comma_list(aliases)));
    if (!others.isEmpty())
        html += QStringLiteral("<p>%1</p>").arg(GlossaryDialog::tr("See also: %1").arg(comma_list(others)));
    return html;
}

}  // namespace

GlossaryDialog::GlossaryDialog(Appearance& appearance, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Glossary"));
    setAccessibleName(windowTitle());
    line_ = new QLineEdit(this);
    line_->setPlaceholderText(tr("Find a word"));
    line_->setAccessibleName(tr("Find a word"));
    line_->setClearButtonEnabled(true);
    list_ = new QListWidget(this);
    list_->setAccessibleName(tr("Terms"));
    list_->setProperty("program_data", true);
    text_ = new QTextBrowser(this);
    text_->setAccessibleName(tr("What the term means"));
    text_->setProperty("program_data", true);
    text_->setOpenLinks(false);
    none_ = new QLabel(tr("No term fits."), this);
    none_->setForegroundRole(QPalette::PlaceholderText);
    none_->hide();

    auto* row = new QHBoxLayout;
    row->addWidget(list_, 2);
    row->addWidget(text_, 5);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 14, 14, 14);
    column->setSpacing(10);
    column->addWidget(line_);
    column->addWidget(none_);
    column->addLayout(row, 1);
    ensurePolished();  // the type of a presentation
    resize(first_size(*this, {56 * appearance.pixels(), 36 * appearance.pixels()}));

    connect(line_, &QLineEdit::textChanged, this, &GlossaryDialog::filter);
    connect(list_, &QListWidget::currentRowChanged, this, &GlossaryDialog::show_row);
    connect(text_, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { show_term(link.toString()); });
    filter({});
}

void GlossaryDialog::filter(const QString& text) {
    list(search_terms(glossary(), text.toStdString()));
}

bool GlossaryDialog::show_term(const QString& word) {
    const GlossaryTerm* term = find_term(glossary(), word.toStdString());
    if (term == nullptr) return false;
    {
        const QSignalBlocker quiet(line_);
        line_->clear();
    }
    filter({});
    const QList<QListWidgetItem*> rows =
        list_->findItems(QString::fromStdString(term->name), Qt::MatchFixedString | Qt::MatchCaseSensitive);
    list_->setCurrentItem(rows.front());
    return true;
}

int GlossaryDialog::shown_rows() const {
    return list_->count();
}

QString GlossaryDialog::shown_text() const {
    return text_->toPlainText();
}

void GlossaryDialog::list(const std::vector<const GlossaryTerm*>& terms) {
    list_->clear();
    for (const GlossaryTerm* term : terms) list_->addItem(QString::fromStdString(term->name));
    none_->setVisible(terms.empty());
    list_->setCurrentRow(terms.empty() ? -1 : 0);
}

void GlossaryDialog::show_row(int row) {
    const QListWidgetItem* item = list_->item(row);
    const GlossaryTerm* term = item == nullptr ? nullptr : find_term(glossary(), item->text().toStdString());
    text_->setHtml(term == nullptr ? QString() : whole_term_html(*term));
}

}  // namespace blockscope

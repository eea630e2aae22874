#include "app/window/message_bars.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QUrl>
#include <algorithm>
#include <iterator>

#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr int kShownLines = 8;  // of the list of problems, at once
constexpr int kRowAround = 8;   // pixels of a row above and below its text, together
constexpr int kRowSides = 18;   // and at its sides

}  // namespace

ProblemBar::ProblemBar(Appearance& appearance, QWidget* parent) : QFrame(parent), appearance_(appearance) {
    setObjectName(QStringLiteral("problem_bar"));
    setAccessibleName(tr("Problems"));
    title_ = new QLabel(this);
    title_->setWordWrap(true);
    title_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    title_->setProperty("program_data", true);
    list_ = new QListWidget(this);
    list_->setAccessibleName(tr("List of problems"));
    list_->setWordWrap(true);
    list_->setProperty("program_data", true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list_->viewport()->installEventFilter(this);
    const auto button = [this](const QString& text, const QString& help) {
        auto* made = new QPushButton(text, this);
        made->setAccessibleName(text);
        made->setToolTip(help);
        return made;
    };
    edit_ =
        button(tr("Open in an editor"), tr("Opens the file with the program that the desktop has for it."));
    again_ = button(tr("Try again"), tr("Reads the file again."));
    other_ = button(tr("Open another file..."), tr("Chooses another file."));
    save_again_ = button(tr("Try again"), tr("Writes the file again."));
    elsewhere_ = button(tr("Save as..."), tr("Saves the document under another name."));
    copy_ = button(tr("Copy"), tr("Copies the problems to the clipboard."));
    close_ = button(tr("Close"), tr("Hides this message."));

    auto* buttons = new QHBoxLayout;
    for (QPushButton* each : {edit_, again_, other_, save_again_, elsewhere_, copy_})
        buttons->addWidget(each);
    buttons->addStretch();
    buttons->addWidget(close_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 10, 14, 10);
    column->setSpacing(8);
    column->addWidget(title_);
    column->addWidget(list_);
    column->addLayout(buttons);
    setVisible(false);

    connect(edit_, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(file_)); });
    connect(again_, &QPushButton::clicked, this, [this] { Q_EMIT try_again(file_); });
    connect(other_, &QPushButton::clicked, this, &ProblemBar::choose_other);
    connect(save_again_, &QPushButton::clicked, this, [this] { Q_EMIT save_again(file_); });
    connect(elsewhere_, &QPushButton::clicked, this, &ProblemBar::save_elsewhere);
    connect(copy_, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text_); });
    connect(close_, &QPushButton::clicked, this, &QWidget::hide);
    connect(&appearance_, &Appearance::changed, this, &ProblemBar::restyle);
    restyle();
}

void ProblemBar::restyle() {
    list_->setFont(appearance_.fixed_font());
    fit_list();
}

bool ProblemBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) fit_list();
    return QFrame::eventFilter(watched, event);
}

// Problems are seen whole at every width, the first ones at once.
void ProblemBar::fit_list() {
    const int width = list_->viewport()->width();
    const QFontMetrics metrics(list_->font());
    int height = 2 * list_->frameWidth();
    for (int row = 0; row < list_->count(); ++row) {
        const QRect room(0, 0, std::max(1, width - kRowSides), 100'000);
        const QRect text = metrics.boundingRect(room, Qt::TextWordWrap, list_->item(row)->text());
        list_->item(row)->setSizeHint({width, text.height() + kRowAround});
        height += text.height() + kRowAround;
    }
    list_->setFixedHeight(std::min(height, kShownLines * metrics.lineSpacing()));
}

void ProblemBar::show_problems(const QString& file, const Problems& problems) {
    file_ = file;
    const QFileInfo info(file);
    const bool exists = info.exists();
    const int count = static_cast<int>(problems.size());
    title_->setText(count == 1
                        ? tr("%1 cannot be opened.").arg(info.fileName())
                        : tr("%1 cannot be opened. Problems found: %2.").arg(info.fileName()).arg(count));
    show_list(problems);
    std::vector<QPushButton*> next = {other_};
    if (exists) next.push_back(again_);
    if (exists && info.isFile()) next.push_back(edit_);
    show_buttons(next);
    (exists ? again_ : other_)->setFocus();
}

void ProblemBar::show_not_saved(const QString& file, const Problems& problems) {
    file_ = file;
    title_->setText(tr("%1 is not saved.").arg(QFileInfo(file).fileName()));
    show_list(problems);
    show_buttons({save_again_, elsewhere_});
    elsewhere_->setFocus();
}

void ProblemBar::end_not_saved() {
    if (elsewhere_->isVisibleTo(this)) hide();
}

void ProblemBar::show_failure(const QString& what) {
    title_->setText(what);
    show_list({});
    text_ = what;
    show_buttons({});
}

void ProblemBar::show_buttons(const std::vector<QPushButton*>& those) {
    for (QPushButton* button : {edit_, again_, other_, save_again_, elsewhere_})
        button->setVisible(std::find(those.begin(), those.end(), button) != those.end());
    show();
}

void ProblemBar::show_list(const Problems& problems) {
    list_->clear();
    text_.clear();
    for (const Problem& problem : problems) {
        const QString line = translated(problem);
        text_ += line + QLatin1Char('\n');
        list_->addItem(line);
    }
    list_->setVisible(!problems.empty());
    fit_list();
}

namespace {

constexpr int kLookAgain = 3000;  // milliseconds; a busy machine takes a second to be rid of a process

QString called(const Recovered& recovered) {
    if (!recovered.path.isEmpty()) return QFileInfo(recovered.path).fileName();
    return recovered.name.isEmpty() ? RecoveryBar::tr("a document without a file") : recovered.name;
}

}  // namespace

RecoveryBar::RecoveryBar(Opener& opener, Leave leave_and, QWidget* parent)
    : QFrame(parent), opener_(opener), leave_and_(std::move(leave_and)) {
    setObjectName(QStringLiteral("recovery_bar"));
    setAccessibleName(tr("Work that was not saved"));
    text_ = new QLabel(this);
    text_->setWordWrap(true);
    all_ = new QBoxLayout(QBoxLayout::LeftToRight, this);
    all_->setContentsMargins(14, 8, 14, 8);
    all_->setSpacing(8);
    all_->addWidget(text_, 1);
    auto* row = new QHBoxLayout;
    row->addStretch();
    all_->addLayout(row);
    const auto button = [&](const QString& text, const QString& help, auto action) {
        auto* made = new QPushButton(text, this);
        made->setAccessibleName(text);
        made->setToolTip(help);
        connect(made, &QPushButton::clicked, this, action);
        row->addWidget(made);
    };
    button(tr("Restore"), tr("Opens the document as it was."), [this] { leave_and_([this] { restore(); }); });
    button(tr("Throw away"), tr("Deletes what was not saved."), [this] {
        discard(left_.front());
        left_.erase(left_.begin());
        next();
    });
    button(tr("Later"), tr("Asks again at the next start."), [this] {
        again_.stop();  // it would find them
        left_.clear();
        next();
    });
    again_.setSingleShot(true);
    hide();
}

void RecoveryBar::restore() {
    if (left_.empty()) return;
    const Recovered recovered = left_.front();
    left_.erase(left_.begin());
    opener_.open_recovered(recovered);
    next();
}

void RecoveryBar::look(const QString& folder) {
    left_ = recoverable(folder);
    again_.callOnTimeout(this, [this, folder] { look_again(folder); });
    again_.start(kLookAgain);
    next();
}

// What this process holds back already is not among them.
void RecoveryBar::look_again(const QString& folder) {
    std::vector<Recovered> more = recoverable(folder);
    std::move(more.begin(), more.end(), std::back_inserter(left_));
    if (!more.empty()) next();
}

void RecoveryBar::hold_back(bool on) {
    held_back_ = on;
    next();
}

void RecoveryBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    fit();
}

// In a narrow window the buttons stand below the text; none of both is cut off.
void RecoveryBar::fit() {
    constexpr int kNarrow = 620;
    all_->setDirection(width() < kNarrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    setMinimumHeight(std::max(0, all_->minimumHeightForWidth(width())));
}

void RecoveryBar::next() {
    setVisible(!left_.empty() && !held_back_);
    if (left_.empty()) return;
    const Recovered& shown = left_.front();
    text_->setText(tr("Blockscope ended before changes of %1 were saved (%2).")
                       .arg(called(shown), QLocale().toString(shown.written, QLocale::ShortFormat)));
    fit();
}

namespace {

constexpr int kShownFor = 20'000;  // milliseconds

}  // namespace

QPushButton* bar_button(const QString& text, const QString& help, QWidget* bar) {
    auto* made = new QPushButton(text, bar);
    made->setAccessibleName(text);
    made->setToolTip(help);
    return made;
}

WrittenBar::WrittenBar(QWidget* parent)
    : QFrame(parent), open_url_([](const QUrl& url) { QDesktopServices::openUrl(url); }) {
    setObjectName(QStringLiteral("written_bar"));
    setAccessibleName(tr("File written"));
    text_ = new QLabel(this);
    text_->setProperty("program_data", true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    open_ = bar_button(tr("Open"), tr("Opens the file with the program that the desktop has for it."), this);
    folder_ = bar_button(tr("Show in folder"), tr("Opens the folder that the file is in."), this);
    close_ = bar_button(tr("Close"), tr("Hides this message."), this);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 12, 6);
    row->addWidget(text_, 1);
    for (QPushButton* each : {open_, folder_, close_}) row->addWidget(each);
    connect(open_, &QPushButton::clicked, this, [this] { open_url_(QUrl::fromLocalFile(path_)); });
    connect(folder_, &QPushButton::clicked, this,
            [this] { open_url_(QUrl::fromLocalFile(QFileInfo(path_).absolutePath())); });
    connect(close_, &QPushButton::clicked, this, &QWidget::hide);
    later_.setSingleShot(true);
    connect(&later_, &QTimer::timeout, this, &WrittenBar::go);
    hide();
}

void WrittenBar::show_file(const QString& path) {
    path_ = QFileInfo(path).absoluteFilePath();
    text_->setText(tr("Written: %1").arg(QDir::toNativeSeparators(path_)));
    text_->setToolTip(text_->text());
    show();
    later_.start(kShownFor);
}

void WrittenBar::go() {
    const bool used = underMouse() || open_->hasFocus() || folder_->hasFocus() || close_->hasFocus();
    used ? later_.start(kShownFor) : hide();
}

}  // namespace blockscope

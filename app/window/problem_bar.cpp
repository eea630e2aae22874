#include "app/window/problem_bar.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QUrl>

#include "app/words/words.h"

namespace blockscope {
namespace {

constexpr int kShownRows = 5;

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
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
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
    copy_ = button(tr("Copy"), tr("Copies the problems to the clipboard."));
    close_ = button(tr("Close"), tr("Hides this message."));

    auto* buttons = new QHBoxLayout;
    for (QPushButton* each : {edit_, again_, other_, copy_}) buttons->addWidget(each);
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
    connect(copy_, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text_); });
    connect(close_, &QPushButton::clicked, this, &QWidget::hide);
    connect(&appearance_, &Appearance::changed, this, &ProblemBar::restyle);
    restyle();
}

void ProblemBar::restyle() {
    list_->setFont(appearance_.fixed_font());
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
    edit_->setVisible(exists && info.isFile());
    again_->setVisible(exists);
    other_->setVisible(true);
    show();
    (exists ? again_ : other_)->setFocus();
}

void ProblemBar::show_failure(const QString& what) {
    title_->setText(what);
    show_list({});
    text_ = what;
    edit_->hide();
    again_->hide();
    other_->hide();
    show();
}

void ProblemBar::show_list(const Problems& problems) {
    list_->clear();
    text_.clear();
    for (const Problem& problem : problems) {
        const QString line = in_words(problem);
        text_ += line + QLatin1Char('\n');
        list_->addItem(line);
    }
    list_->setVisible(!problems.empty());
    const int rows = std::min(kShownRows, list_->count());
    if (rows > 0) list_->setFixedHeight(rows * (list_->sizeHintForRow(0) + 2) + 4);
}

}  // namespace blockscope

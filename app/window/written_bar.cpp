#include "app/window/written_bar.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QUrl>

namespace blockscope {

namespace {

constexpr int kShownFor = 20'000;  // milliseconds

}  // namespace

WrittenBar::WrittenBar(QWidget* parent)
    : QFrame(parent), open_url_([](const QUrl& url) { QDesktopServices::openUrl(url); }) {
    setObjectName(QStringLiteral("written_bar"));
    setAccessibleName(tr("File written"));
    text_ = new QLabel(this);
    text_->setProperty("program_data", true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    const auto button = [this](const QString& text, const QString& help) {
        auto* made = new QPushButton(text, this);
        made->setAccessibleName(text);
        made->setToolTip(help);
        return made;
    };
    open_ = button(tr("Open"), tr("Opens the file with the program that the desktop has for it."));
    folder_ = button(tr("Show in folder"), tr("Opens the folder that the file is in."));
    close_ = button(tr("Close"), tr("Hides this message."));
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

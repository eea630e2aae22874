#include "app/window/start_page.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <algorithm>

#include "app/panels/panel_bar.h"
#include "app/window/actions.h"
#include "app/window/card_grid.h"
#include "app/window/sample_card.h"

namespace blockscope {
namespace {

constexpr int kSideWidth = 268;
constexpr int kSpace = 24;

}  // namespace

StartPage::StartPage(Settings& settings, Actions& actions, Appearance& appearance, Thumbnails& thumbnails,
                     QWidget* parent)
    : QWidget(parent),
      settings_(settings),
      actions_(actions),
      appearance_(appearance),
      thumbnails_(thumbnails) {
    setAccessibleName(tr("Start page"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(make_side());
    row->addWidget(make_gallery(), 1);
    connect(&settings_, &Settings::recent_changed, this, &StartPage::list_recent);
    connect(&thumbnails_, &Thumbnails::ready, this, [this](const QString& name) {
        for (QWidget* card : cards_)
            if (static_cast<SampleCard*>(card)->sample().name == name) card->update();
    });
    list_recent();
    if (!cards_.empty()) setFocusProxy(cards_.front());
}

QLabel* StartPage::heading(const QString& text, QWidget* parent, double size) {
    auto* label = new QLabel(text, parent);
    QFont font = appearance_.font();
    font.setPixelSize(static_cast<int>(font.pixelSize() * size));
    font.setBold(true);
    label->setFont(font);
    return label;
}

QWidget* StartPage::make_side() {
    side_ = new QWidget(this);
    side_->setObjectName(QStringLiteral("start_side"));
    side_->setFixedWidth(kSideWidth);
    auto* column = new QVBoxLayout(make_scrolled_content(side_));
    column->setContentsMargins(kSpace, kSpace, kSpace, kSpace);
    column->setSpacing(8);
    column->addWidget(heading(tr("Blockscope"), side_, 1.8));
    auto* about =
        new QLabel(tr("See AI operator fusion: open a program, then press Space for the next step."), side_);
    about->setWordWrap(true);
    about->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(about);
    column->addSpacing(12);
    back_ = new QPushButton(side_);
    back_->setProperty("program_data", true);
    back_->hide();
    connect(back_, &QPushButton::clicked, this, &StartPage::back_chosen);
    column->addWidget(back_);
    for (const char* id : {"file.open", "file.new"}) {
        QAction* action = actions_.get(id);
        auto* button = new QPushButton(action_plain_text(actions_.info(id)), side_);
        button->setAccessibleName(button->text());
        button->setToolTip(action->toolTip());
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        column->addWidget(button);
    }
    column->addSpacing(16);
    column->addWidget(heading(tr("Recent files"), side_, 1.0));
    recent_ = new QVBoxLayout;
    recent_->setSpacing(2);
    column->addLayout(recent_);
    column->addStretch();
    drop_ = new QLabel(tr("Drop a file anywhere in this window to open it."), side_);
    drop_->setObjectName(QStringLiteral("drop_area"));
    drop_->setAlignment(Qt::AlignCenter);
    drop_->setWordWrap(true);
    drop_->setMinimumHeight(84);
    column->addWidget(drop_);
    return side_;
}

void StartPage::offer_way_back(const QString& name) {
    const QString text = tr("Back to %1").arg(name);
    back_->setText(back_->fontMetrics().elidedText(text, Qt::ElideRight, kSideWidth - 2 * kSpace - 24));
    back_->setAccessibleName(text);
    back_->setToolTip(text);
    back_->setVisible(!name.isEmpty());
}

QWidget* StartPage::make_gallery() {
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(tr("Samples"));
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* page = new QWidget(scroll);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(kSpace, kSpace, kSpace, kSpace);
    column->setSpacing(12);
    column->addWidget(heading(tr("Samples"), page, 1.3));
    CardGrid* main = make_grid(false);
    column->addWidget(main);
    column->addSpacing(12);
    column->addWidget(heading(tr("Benchmark programs of the MCFuser paper"), page, 1.3));
    CardGrid* benchmarks = make_grid(true);
    column->addWidget(benchmarks);
    column->addStretch();
    scroll->setWidget(page);
    for (const CardGrid* grid : {main, benchmarks})
        cards_.insert(cards_.end(), grid->cards().begin(), grid->cards().end());
    return scroll;
}

CardGrid* StartPage::make_grid(bool benchmarks) {
    auto* grid = new CardGrid(this);
    for (const Sample& sample : samples()) {
        if (sample.benchmark != benchmarks) continue;
        auto* card = new SampleCard(sample, thumbnails_, appearance_, grid);
        connect(card, &SampleCard::clicked, this, [this, card] { Q_EMIT sample_chosen(card->sample()); });
        grid->add(card);
    }
    return grid;
}

void StartPage::list_recent() {
    while (QLayoutItem* item = recent_->takeAt(0)) {
        if (item->widget() != nullptr) item->widget()->deleteLater();
        delete item;
    }
    const QStringList files = settings_.recent_files();
    if (files.isEmpty()) {
        auto* none = new QLabel(tr("Files that you open or save appear here."), side_);
        none->setWordWrap(true);
        none->setForegroundRole(QPalette::PlaceholderText);
        recent_->addWidget(none);
    }
    for (const QString& path : files) {
        const QFileInfo info(path);
        auto* button = new QPushButton(side_);
        const int width = kSideWidth - 2 * kSpace - 16;
        button->setText(button->fontMetrics().elidedText(info.fileName(), Qt::ElideMiddle, width));
        button->setProperty("program_data", true);
        button->setFlat(true);
        button->setProperty("recent", true);  // see style.cpp
        button->setToolTip(path);
        button->setAccessibleName(info.fileName());
        button->setAccessibleDescription(path);
        connect(button, &QPushButton::clicked, this, [this, path] { Q_EMIT file_chosen(path); });
        recent_->addWidget(button);
    }
}

}  // namespace blockscope

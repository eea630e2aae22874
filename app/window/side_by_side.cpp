#include "app/window/side_by_side.h"

#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include "app/shell/actions.h"
#include "app/shell/settings.h"

namespace blockscope {

namespace {

const QString kBesideKey = QStringLiteral("window/circuit_beside");

}  // namespace

SideBySide::SideBySide(QTabWidget& pages, int index, Actions& actions, Settings& settings)
    : QObject(&pages),
      pages_(pages),
      index_(index),
      splitter_(new QSplitter(Qt::Horizontal)),
      beside_(pages.widget(index)),
      keeper_(new QWidget),
      actions_(actions),
      settings_(settings) {
    const QString first = pages.tabText(0), second = pages.tabText(index);
    QWidget* picture = pages.widget(0);
    const int shown = pages.currentIndex();
    pages.removeTab(index);
    pages.removeTab(0);
    splitter_->addWidget(picture);
    splitter_->setChildrenCollapsible(false);
    splitter_->setFocusProxy(picture);
    picture->show();
    auto* column = new QVBoxLayout(keeper_);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(beside_);
    beside_->show();
    keeper_->setFocusProxy(beside_);
    pages.insertTab(0, splitter_, first);
    pages.insertTab(index, keeper_, second);
    pages.setCurrentIndex(shown);
    actions.on_toggle(
        "circuit.beside", [this](bool on) { set_on(on); }, this);
    set_on(settings.value(kBesideKey).toBool());
}

bool SideBySide::on() const {
    return splitter_->count() > 1;
}

void SideBySide::set_on(bool on) {
    actions_.set_checked("circuit.beside", on);
    settings_.set_value(kBesideKey, on);
    if (on == this->on()) return;
    if (on) {
        splitter_->addWidget(beside_);
        const int half = splitter_->width() / 2;
        splitter_->setSizes({half, half});
        pages_.setCurrentIndex(0);
    } else {
        keeper_->layout()->addWidget(beside_);
    }
    pages_.setTabVisible(index_, !on);
    beside_->show();
}

}  // namespace blockscope

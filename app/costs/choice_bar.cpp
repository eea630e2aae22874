#include "app/costs/choice_bar.h"

#include <QCheckBox>
#include <QComboBox>

#include "app/costs/type_chooser.h"
#include "app/panels/flow_layout.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr int kLeastLength = 5;  // letters that narrow pages show of a choice

// As rich text it is broken into lines.
QString paragraph(const QString& plain) {
    return QStringLiteral("<p>%1</p>").arg(plain.toHtmlEscaped());
}

}  // namespace

ChoiceBar::ChoiceBar(Document& document, QWidget* parent)
    : QWidget(parent), costs_(Costs::of(document)), forecast_(Forecast::of(document)) {
    auto* row = new FlowLayout(this);
    row->setContentsMargins(10, 6, 10, 6);
    row->setSpacing(8);
    add_devices(*row);
    add_models(*row);
    row->addWidget(new TypeChooser(costs_, TypeChooser::For::Counts, this));
    auto* all = new QCheckBox(tr("All steps"), this);
    all->setToolTip(tr("Rows for every step of the branch, not only for its snapshots"));
    connect(all, &QCheckBox::toggled, this, [this](bool on) { costs_.set_all_steps(on); });
    row->addWidget(all);
    connect(&forecast_, &Forecast::changed, this, &ChoiceBar::fill_devices);
}

void ChoiceBar::add_devices(QLayout& row) {
    device_ = new QComboBox(this);
    device_->setAccessibleName(tr("Device"));
    device_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    device_->setMinimumContentsLength(kLeastLength);
    fill_devices();
    connect(device_, &QComboBox::activated, this,
            [this] { forecast_.set_device(device_->currentData().toString().toStdString()); });
    row.addWidget(device_);
}

void ChoiceBar::fill_devices() {
    device_->clear();
    for (const Device& device : forecast_.devices())
        device_->addItem(QString::fromStdString(device.title), QString::fromStdString(device.name));
    device_->setCurrentIndex(device_->findData(QString::fromStdString(forecast_.device().name)));
    device_->setToolTip((QStringList(tr("The device that times are predicted for")) + forecast_.problems())
                            .join(QLatin1Char('\n')));
}

void ChoiceBar::add_models(QLayout& row) {
    auto* models = new QComboBox(this);
    models->setAccessibleName(tr("Time model"));
    models->setMinimumContentsLength(kLeastLength);
    for (const TimeModel& model : time_models()) {
        models->addItem(in_words(model.title), QString::fromStdString(model.name));
        models->setItemData(models->count() - 1, paragraph(in_words(model.explanation)), Qt::ToolTipRole);
    }
    models->setCurrentIndex(models->findData(QString::fromStdString(forecast_.model().name)));
    const auto explain = [models] { models->setToolTip(models->currentData(Qt::ToolTipRole).toString()); };
    explain();
    connect(models, &QComboBox::activated, this, [this, models, explain] {
        forecast_.set_model(models->currentData().toString().toStdString());
        explain();
    });
    row.addWidget(models);
}

}  // namespace blockscope

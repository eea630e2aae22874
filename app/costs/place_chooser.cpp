#include "app/costs/place_chooser.h"

#include <QInputDialog>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include "app/window/settings.h"

namespace blockscope {

namespace {

// Items that are no places.
constexpr int kOtherMachine = -1, kLookAgain = -2, kForget = -3, kSilent = -4;

const QString kHosts = QStringLiteral("measure/hosts");

}  // namespace

PlaceChooser::PlaceChooser(Measurements& measurements, QWidget* parent)
    : QComboBox(parent), measurements_(measurements), places_(measurements.places()) {
    setAccessibleName(tr("Measured on"));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setMinimumContentsLength(14);
    connect(this, &QComboBox::activated, this, &PlaceChooser::choose);
    connect(&places_, &MeasurePlaces::changed, this, &PlaceChooser::fill);
    connect(&measurements_, &Measurements::chosen, this, &PlaceChooser::fill);
    connect(&measurements_, &Measurements::progressed, this, [this] { setEnabled(!measurements_.busy()); });
    fill();
}

void PlaceChooser::showEvent(QShowEvent* event) {
    QComboBox::showEvent(event);
    if (!places_.looked() && !places_.looking()) places_.look();
}

void PlaceChooser::fill() {
    const QSignalBlocker quiet(this);
    clear();
    int current = -1;
    const std::vector<MeasurePlace>& all = places_.all();
    for (std::size_t i = 0; i < all.size(); ++i) {
        addItem(MeasurePlaces::title(all[i]), static_cast<int>(i));
        setItemData(count() - 1, QString::fromStdString(all[i].model), Qt::UserRole + 1);
        if (all[i] == measurements_.place()) current = static_cast<int>(i);
    }
    add_silent();
    insertSeparator(count());
    addItem(tr("Another machine..."), kOtherMachine);
    addItem(places_.looking() ? tr("Looking for devices...") : tr("Look again"), kLookAgain);
    if (!places_.silent().isEmpty()) addItem(tr("Forget machines that do not answer"), kForget);
    setCurrentIndex(current);
    QStringList tip{tr("The device that programs are measured on")};
    if (!places_.looking() && places_.looked() && all.size() == 1)
        tip << tr("No graphics card was found; Help > Graphics cards says why.");
    setToolTip((tip + places_.problems()).join(QLatin1Char('\n')));
}

// Machines that gave no answer cannot be chosen, and say why.
void PlaceChooser::add_silent() {
    auto* items = qobject_cast<QStandardItemModel*>(model());
    for (int i = 0; i < places_.silent().size(); ++i) {
        addItem(tr("%1 (does not answer)").arg(places_.silent().at(i)), kSilent);
        setItemData(count() - 1, places_.problems().at(i), Qt::ToolTipRole);
        if (items) items->item(count() - 1)->setEnabled(false);
    }
}

void PlaceChooser::choose(int item) {
    const int which = itemData(item).toInt();
    if (which >= 0) return measurements_.choose(places_.all().at(static_cast<std::size_t>(which)));
    fill();  // the current place stays
    if (which == kLookAgain) places_.look();
    if (which == kForget) places_.forget_silent();
    if (which == kOtherMachine) ask_for_host();
}

void PlaceChooser::ask_for_host() {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Another machine"));
    dialog->setLabelText(
        tr("Its name as ssh knows it, HOST or USER@HOST. blockscope-cli has to be installed there, "
           "and ssh must not ask for a password."));
    dialog->setOkButtonText(tr("Add"));
    dialog->setCancelButtonText(tr("Cancel"));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this](const QString& host) { places_.add_host(host); });
    dialog->open();
}

void keep_hosts(MeasurePlaces& places, Settings& settings) {
    places.set_hosts(settings.value(kHosts).toStringList());
    QObject::connect(&places, &MeasurePlaces::changed, &settings, [&places, &settings] {
        if (settings.value(kHosts).toStringList() != places.hosts())
            settings.set_value(kHosts, places.hosts());
    });
}

}  // namespace blockscope

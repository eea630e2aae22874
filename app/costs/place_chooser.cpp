#include "app/costs/place_chooser.h"

#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

#include "app/window/settings.h"

namespace blockscope {

namespace {

// Items that are no places.
constexpr int kOtherMachine = -1, kLookAgain = -2, kForget = -3;
constexpr int kHost = Qt::UserRole + 2;

const QString kHosts = QStringLiteral("measure/hosts");

}  // namespace

PlaceChooser::PlaceChooser(Measurements& measurements, QWidget* parent)
    : QComboBox(parent), measurements_(measurements), places_(measurements.places()) {
    setAccessibleName(tr("Measured on"));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setMinimumContentsLength(14);
    connect(this, &QComboBox::activated, this, &PlaceChooser::choose);
    connect(&places_, &MeasurePlaces::changed, this, &PlaceChooser::fill);
    connect(&places_, &MeasurePlaces::changed, this, &PlaceChooser::say_of_added);
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
    insertSeparator(count());
    addItem(tr("Another machine..."), kOtherMachine);
    add_hosts_to_forget();
    addItem(places_.looking() ? tr("Looking for devices...") : tr("Look again"), kLookAgain);
    setCurrentIndex(current);
    QStringList tip{tr("The device that programs are measured on")};
    if (!places_.looking() && places_.looked() && all.size() == 1)
        tip << tr("No graphics card was found; Help > Graphics cards says why.");
    setToolTip((tip + places_.problems()).join(QLatin1Char('\n')));
}

void PlaceChooser::add_hosts_to_forget() {
    for (const QString& host : places_.hosts()) {
        const bool silent =
            std::any_of(places_.problems().begin(), places_.problems().end(),
                        [&](const QString& one) { return one.startsWith(host + QLatin1Char(' ')); });
        addItem(silent ? tr("Forget %1, which does not answer").arg(host) : tr("Forget %1").arg(host),
                kForget);
        setItemData(count() - 1, host, kHost);
    }
}

void PlaceChooser::choose(int item) {
    const int which = itemData(item).toInt();
    if (which == kForget) return forget(itemData(item, kHost).toString());
    if (which >= 0) return measurements_.choose(places_.all().at(static_cast<std::size_t>(which)));
    fill();  // the current place stays
    if (which == kLookAgain) places_.look();
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
            [this](const QString& host) { add(host.trimmed()); });
    dialog->open();
}

void PlaceChooser::add(const QString& host) {
    if (host.isEmpty()) return;
    if (!places_.add_host(host)) return say(tr("\"%1\" is no name of a machine.").arg(host), {});
    added_ = host;
}

void PlaceChooser::forget(const QString& host) {
    if (measurements_.place().host == host.toStdString()) measurements_.choose(places_.all().front());
    QStringList hosts = places_.hosts();
    hosts.removeAll(host);
    places_.set_hosts(hosts);
    places_.look();
}

void PlaceChooser::say_of_added() {
    if (added_.isEmpty() || places_.looking()) return;
    const QString host = std::exchange(added_, {});
    for (const QString& problem : places_.problems())
        if (problem.startsWith(host + QLatin1Char(' '))) say(problem, host);
}

// With a machine that was added one can forget it again.
void PlaceChooser::say(const QString& sentence, const QString& host) {
    auto* box =
        new QMessageBox(QMessageBox::Warning, tr("Another machine"), sentence, QMessageBox::NoButton, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    if (host.isEmpty()) {
        box->addButton(QMessageBox::Ok);
    } else {
        QPushButton* gone = box->addButton(tr("Forget it"), QMessageBox::AcceptRole);
        box->addButton(tr("Keep it"), QMessageBox::RejectRole);
        connect(gone, &QPushButton::clicked, this, [this, host] { forget(host); });
    }
    box->open();
}

void keep_hosts(MeasurePlaces& places, Settings& settings) {
    places.set_hosts(settings.value(kHosts).toStringList());
    QObject::connect(&places, &MeasurePlaces::changed, &settings, [&places, &settings] {
        if (settings.value(kHosts).toStringList() != places.hosts())
            settings.set_value(kHosts, places.hosts());
    });
}

}  // namespace blockscope

#include "app/costs/measure_places.h"

#include <utility>

#include "app/words/words.h"
#include "app/worker/client.h"
#include "app/worker/command.h"
#include "app/worker/probe.h"

namespace blockscope {

namespace {

MeasurePlace this_processor() {
    MeasurePlace place;
    place.machine = worker::this_machine();
    place.model = place.machine.cpu;
    return place;
}

}  // namespace

MeasurePlaces::MeasurePlaces(QObject* parent)
    : QObject(parent),
      local_(worker::local_worker()),
      all_{this_processor()},
      work_(std::make_unique<Work>()) {}

MeasurePlaces::~MeasurePlaces() {
    stop_asking();
    work_.reset();
}

std::vector<std::string> MeasurePlaces::command_for(const std::string& host) const {
    return host.empty() ? local_ : worker::remote_worker(host);
}

QString MeasurePlaces::title(const MeasurePlace& place) {
    const QString host = QString::fromStdString(place.host);
    if (!place.is_card()) return host.isEmpty() ? tr("This processor") : tr("Processor of %1").arg(host);
    const QString card =
        QString::fromStdString(place.device) + QStringLiteral(": ") + QString::fromStdString(place.model);
    return host.isEmpty() ? card : tr("%1 (%2)").arg(card, host);
}

bool MeasurePlaces::add_host(const QString& host) {
    const QString name = host.trimmed();
    if (worker::remote_worker(name.toStdString()).empty()) {
        Q_EMIT answered(name, tr("\"%1\" is no name of a machine.").arg(name));
        return false;
    }
    if (!hosts_.contains(name)) {
        hosts_ << name;
        fresh_ << name;
    }
    if (!added_.contains(name)) added_ << name;
    look();
    return true;
}

void MeasurePlaces::forget_silent() {
    for (const QString& host : std::exchange(silent_, {})) hosts_.removeAll(host);
    problems_.clear();
    if (looking()) return look();  // for the others
    Q_EMIT changed();
}

void MeasurePlaces::stop_asking() {
    for (const auto& client : asking_) client->cancel();
    asking_.clear();
}

void MeasurePlaces::look() {
    stop_asking();
    std::vector<std::string> names{""};
    for (const QString& host : hosts_) names.push_back(host.toStdString());
    for (const std::string& host : names)
        asking_.push_back(std::make_shared<worker::Client>(command_for(host)));
    work_->start(
        tr("Looking for devices"), [this, names, clients = asking_](const Stop& stop) -> Work::Finish {
            Found found;
            for (std::size_t i = 0; i < names.size() && !stop; ++i) {
                const auto hello = clients[i]->hello();
                if (!hello) {
                    // That of this machine shows when something is measured.
                    if (names[i].empty()) continue;
                    const QString name = QString::fromStdString(names[i]);
                    found.silent << name;
                    // With ssh's own words.
                    found.problems << tr("%1 does not answer: %2 %3")
                                          .arg(name, as_sentence(hello.failure().message),
                                               QString::fromStdString(hello.failure().log).simplified())
                                          .trimmed();
                    continue;
                }
                for (const measure::BackendInfo& device : hello->devices)
                    if (device.name == "cpu" || !device.architecture.empty())
                        found.places.push_back(
                            {names[i], device.name, device.model, device.architecture, hello->machine});
            }
            return [this, found] { take(found); };
        });
    Q_EMIT changed();
}

void MeasurePlaces::take(const Found& found) {
    asking_.clear();
    looked_ = true;
    silent_ = found.silent;
    problems_ = found.problems;
    all_ = {this_processor()};
    for (const MeasurePlace& place : found.places)
        if (!(place == all_.front())) all_.push_back(place);
    const QStringList added = std::exchange(added_, {});
    for (const QString& host : std::exchange(fresh_, {}))
        if (silent_.contains(host)) hosts_.removeAll(host);
    Q_EMIT changed();
    for (const QString& host : added) {
        const auto at = silent_.indexOf(host);
        Q_EMIT answered(host, at < 0 ? QString() : problems_.at(at));
    }
}

}  // namespace blockscope

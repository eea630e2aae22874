// Where programs can be measured: this machine's processor, its graphics cards, and those of other machines
// that ssh reaches. What there is, a worker on each machine says.
#pragma once

#include <QObject>
#include <QStringList>
#include <memory>
#include <string>
#include <vector>

#include "app/document/work.h"
#include "core/measure/machine.h"

namespace blockscope {

namespace worker {
class Client;
}

struct MeasurePlace {
    std::string host;            // ssh's name for it; empty: this machine
    std::string device = "cpu";  // the worker's
    std::string model;           // "NVIDIA H200"
    std::string architecture;    // of a card: "sm_90a"; empty for processors
    measure::Machine machine;    // as its worker describes it

    bool is_card() const { return !architecture.empty(); }
    bool operator==(const MeasurePlace& other) const { return host == other.host && device == other.device; }
};

class MeasurePlaces : public QObject {
    Q_OBJECT

public:
    explicit MeasurePlaces(QObject* parent = nullptr);
    ~MeasurePlaces() override;  // ends the search

    // How a worker of this machine is started; for tests.
    void set_worker(std::vector<std::string> command) { local_ = std::move(command); }
    std::vector<std::string> command_for(const std::string& host) const;

    // This machine's processor first, then what was found.
    const std::vector<MeasurePlace>& all() const { return all_; }
    // "This processor", "cuda0: NVIDIA H200", "cuda0: NVIDIA H200 (HOST)".
    static QString title(const MeasurePlace& place);

    const QStringList& hosts() const { return hosts_; }
    void set_hosts(const QStringList& hosts) { hosts_ = hosts; }
    // Adds a machine and looks again; answered() then says what became of it. One that gives no answer is not
    // kept. False if it is no name of a host.
    bool add_host(const QString& host);
    // Known machines that gave no answer, in the order of problems(); and looks for them no longer.
    const QStringList& silent() const { return silent_; }
    void forget_silent();

    // Asks all machines, on a thread of its own. What is there stays until they have answered.
    void look();
    bool looking() const { return work_ != nullptr && work_->busy(); }
    bool looked() const { return looked_; }  // at least once, to the end
    // Of machines that gave no answer, a sentence each.
    const QStringList& problems() const { return problems_; }

Q_SIGNALS:
    void changed();  // all(), looking() or problems()
    // A machine that was added: its places are among all(), or `problem` says as a sentence why not.
    void answered(const QString& host, const QString& problem);

private:
    struct Found {
        std::vector<MeasurePlace> places;
        QStringList silent, problems;
    };
    void take(const Found& found);
    void stop_asking();

    std::vector<std::string> local_;
    QStringList hosts_;
    std::vector<MeasurePlace> all_;
    QStringList silent_, problems_;
    QStringList added_, fresh_;  // that were entered; of them those that were not known before
    bool looked_ = false;
    std::vector<std::shared_ptr<worker::Client>> asking_;  // of the search that runs
    std::unique_ptr<Work> work_;
};

}  // namespace blockscope

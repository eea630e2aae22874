// One job at a time off the interface thread, for one panel: the newest counts, results of older ones are
// dropped.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>

namespace blockscope {

class Background : public QObject {
    Q_OBJECT

public:
    explicit Background(QObject* parent = nullptr);
    ~Background() override;  // waits for the job that runs

    // Runs `job` on another thread; what it returns is then called on this one, unless a newer job was given
    // or cancel() called.
    using Finish = std::function<void()>;
    using Job = std::function<Finish()>;
    void run(Job job);
    // The same here and now, for what is known to be quick.
    void run_now(const Job& job);
    void cancel();
    bool busy() const { return busy_; }

Q_SIGNALS:
    void idle();                       // the newest job is done
    void failed(const QString& what);  // it found a broken invariant of the program itself

private:
    void finish(const Finish& finish, const QString& problem);

    QThreadPool pool_;
    std::uint64_t generation_ = 0;
    bool busy_ = false;
};

}  // namespace blockscope

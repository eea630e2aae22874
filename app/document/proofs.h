// Proofs of states against the initial program, in the background (core/exec/prove.h).
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "app/document/content.h"
#include "app/document/work.h"

namespace blockscope {

struct Proof {
    enum class Verdict {
        Waiting,
        Proven,
        Wrong,
        TooLarge,   // to be evaluated in a few seconds
        Undecided,  // it, or the initial program, cannot be evaluated, for want of memory, say
        Cancelled
    } verdict = Verdict::Waiting;
    QString oracle;  // "verifier and exact evaluation in four field images, 2 x 3 x 5 blocks, seed 1"
    QString
        detail;  // of Wrong: the output and element that differ; of TooLarge: the estimate; of Undecided: why
};

class Proofs : public QObject {
    Q_OBJECT

public:
    explicit Proofs(QObject* parent = nullptr);
    ~Proofs() override;

    // Proves all states of `content`, the way to `current` first, and of no other; none for no content. Known
    // results are kept, what was cancelled among them.
    void prove(const ContentPtr& content);
    Proof proof(const ProgramPtr& program) const;

    // The proving, for a bar that announces it; cancel() ends it.
    Work& work() { return work_; }
    void cancel();                                // by the user: what waits is Cancelled
    void prove_again(const ContentPtr& content);  // what is Cancelled, too

Q_SIGNALS:
    void proof_changed();  // some result is new

private:
    struct Queue;
    void go_on();
    Work::Finish prove_all(const std::shared_ptr<Queue>& queue, const Stop& stop);

    std::shared_ptr<Queue> queue_;  // of the initial program; null without one
    Work work_;                     // the last member: its destructor waits for jobs that use the others
};

}  // namespace blockscope

// Proofs of states against the initial program, in the background (core/exec/prove.h).
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "app/document/content.h"

namespace blockscope {

struct Proof {
    enum class Verdict { Waiting, Proven, Wrong, TooLarge } verdict = Verdict::Waiting;
    QString oracle;  // "verifier and exact evaluation in four field images, 2 x 3 x 5 blocks, seed 1"
    QString detail;  // of Wrong: the output and element that differ; of TooLarge: the estimate
};

class Proofs : public QObject {
    Q_OBJECT

public:
    explicit Proofs(QObject* parent = nullptr);
    ~Proofs() override;

    // Proves all states of `content`, the way to `current` first. Known results are kept.
    void prove(const ContentPtr& content);
    Proof proof(const ProgramPtr& program) const;

Q_SIGNALS:
    void proof_changed();  // some result is new

private:
    struct Worker;
    std::unique_ptr<Worker> worker_;
};

}  // namespace blockscope

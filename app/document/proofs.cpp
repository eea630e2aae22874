#include "app/document/proofs.h"

#include <QCoreApplication>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "app/document/work.h"
#include "core/exec/prove.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kMaxWork = 3e8;  // scalar operations of one proof: a few seconds

QString oracle(const BlockProgram& program) {
    QStringList sizes;
    for (const Dim& dim : proof_dims(program))
        sizes
            << QStringLiteral("%1=%2/%3").arg(QString::fromStdString(dim.name)).arg(dim.size).arg(dim.block);
    return QCoreApplication::translate(
               "blockscope::Proofs", "structural verifier; exact evaluation in finite fields at %1, seed %2")
        .arg(sizes.join(QStringLiteral(", ")))
        .arg(kSeed);
}

Proof verdict(const Prover& prover, const BlockProgram& program, const StopSign& stop) {
    Proof proof{Proof::Verdict::Proven, oracle(program), {}};
    const double work = proof_work(program, proof_dims(program));
    if (work > kMaxWork) {
        proof.verdict = Proof::Verdict::TooLarge;
        proof.detail =
            Proofs::tr("Evaluating it would take %1 operations; the limit is %2.").arg(work).arg(kMaxWork);
        return proof;
    }
    try {
        const auto mismatch = prover.check(program, stop);
        if (!mismatch) return proof;
        proof.detail = Proofs::tr("Output %1 differs at element %2.")
                           .arg(QString::fromStdString(mismatch->output))
                           .arg(mismatch->index);
    } catch (const InternalError& error) {  // its items do not fit each other
        proof.detail = Proofs::tr("It cannot be evaluated: %1").arg(QString::fromUtf8(error.what()));
    } catch (const std::exception& error) {  // no memory, say: that is no proof against it
        proof.verdict = Proof::Verdict::Undecided;
        proof.detail = Proofs::tr("It cannot be evaluated: %1").arg(QString::fromUtf8(error.what()));
        return proof;
    }
    proof.verdict = Proof::Verdict::Wrong;
    return proof;
}

}  // namespace

// What both threads know of the states of one initial program.
struct Proofs::Queue {
    explicit Queue(ProgramPtr initial_) : initial(std::move(initial_)) {}

    const ProgramPtr initial;
    std::mutex mutex;                     // of what follows
    std::deque<ProgramPtr> waiting;       // the one that is being proven is the first, if it is still wanted
    std::map<ProgramPtr, Proof> results;  // keeps the programs, so that no other one gets their addresses
    bool told = false;                    // that there are new results, and it has not been heard yet

    std::mutex proving;  // a job that was cancelled may not have ended yet
    std::optional<Prover> prover;

    void wait_for(const Content& content) {
        const History& history = content.history;
        const std::lock_guard lock(mutex);
        waiting.clear();
        std::set<ProgramPtr> seen;
        const auto add = [&](const ProgramPtr& program) {
            if (results.count(program) == 0 && seen.insert(program).second) waiting.push_back(program);
        };
        for (const StateId id : history.path(content.current)) add(history.state(id).program);
        for (const auto& [id, state] : history.states()) add(state->program);
    }

    bool done() {
        const std::lock_guard lock(mutex);
        return waiting.empty();
    }

    ProgramPtr next() {
        const std::lock_guard lock(mutex);
        return waiting.empty() ? nullptr : waiting.front();
    }

    // Takes a result; returns how many states still wait.
    std::size_t take(const ProgramPtr& program, Proof proof) {
        const std::lock_guard lock(mutex);
        results[program] = std::move(proof);
        std::erase(waiting, program);
        return waiting.size();
    }

    Proof check(const BlockProgram& program, const StopSign& stop) {
        const double work = proof_work(*initial, proof_dims(*initial));
        if (work > kMaxWork)
            return {Proof::Verdict::TooLarge, oracle(program),
                    Proofs::tr("Evaluating the initial program would take %1 operations.").arg(work)};
        try {
            if (!prover) prover.emplace(*initial, kSeed, stop);
        } catch (const std::exception& error) {
            return {Proof::Verdict::Undecided, oracle(program),
                    Proofs::tr("The initial program cannot be evaluated: %1")
                        .arg(QString::fromUtf8(error.what()))};
        }
        return verdict(*prover, program, stop);
    }
};

Proofs::Proofs(QObject* parent) : QObject(parent) {
    // A state may have come while the job was ending, so the rest is looked at again.
    connect(&work_, &Work::finished, this, &Proofs::go_on);
}

Proofs::~Proofs() = default;

void Proofs::prove(const ContentPtr& content) {
    const ProgramPtr initial = content ? content->history.state(0).program : nullptr;
    if (!queue_ || queue_->initial != initial) {
        queue_ = initial ? std::make_shared<Queue>(initial) : nullptr;
        work_.cancel();
    }
    if (!queue_) return;
    queue_->wait_for(*content);
    go_on();
}

void Proofs::go_on() {
    if (work_.busy() || !queue_ || queue_->done()) return;
    work_.start(tr("Proving the states"),
                [this, queue = queue_](const Stop& stop) { return prove_all(queue, stop); });
}

// Runs off the interface thread.
Work::Finish Proofs::prove_all(const std::shared_ptr<Queue>& queue, const Stop& stop) {
    lower_priority();
    const std::lock_guard alone(queue->proving);
    std::size_t done = 0;
    while (const ProgramPtr program = queue->next()) {
        Proof proof = queue->check(*program, stop.sign());
        if (stop) return {};
        const std::size_t waiting = queue->take(program, std::move(proof));
        ++done;
        stop.done(done, done + waiting);
        const std::lock_guard lock(queue->mutex);
        if (std::exchange(queue->told, true)) continue;
        const auto tell = [this, queue] {
            {
                const std::lock_guard heard(queue->mutex);
                queue->told = false;
            }
            Q_EMIT proof_changed();
        };
        QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection);
    }
    return {};
}

Proof Proofs::proof(const ProgramPtr& program) const {
    if (!queue_) return {};
    const std::lock_guard lock(queue_->mutex);
    const auto it = queue_->results.find(program);
    return it == queue_->results.end() ? Proof{} : it->second;
}

void Proofs::cancel() {
    if (!queue_) return;
    {
        const std::lock_guard lock(queue_->mutex);
        for (const ProgramPtr& program : queue_->waiting)
            queue_->results[program] = {Proof::Verdict::Cancelled, {}, {}};
        queue_->waiting.clear();
    }
    work_.cancel();
    Q_EMIT proof_changed();
}

void Proofs::prove_again(const ContentPtr& content) {
    if (queue_) {
        const std::lock_guard lock(queue_->mutex);
        std::erase_if(queue_->results,
                      [](const auto& result) { return result.second.verdict == Proof::Verdict::Cancelled; });
    }
    Q_EMIT proof_changed();
    prove(content);
}

}  // namespace blockscope

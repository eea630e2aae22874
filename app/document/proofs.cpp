#include "app/document/proofs.h"

#include <QCoreApplication>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "app/document/patient.h"
#include "core/exec/prove.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kMaxWork = 3e8;  // scalar operations of one proof: a few seconds

QString oracle(const BlockProgram& program) {
    QStringList sizes;
    for (const Dim& dim : proof_dims(program.dims))
        sizes
            << QStringLiteral("%1=%2/%3").arg(QString::fromStdString(dim.name)).arg(dim.size).arg(dim.block);
    return QCoreApplication::translate(
               "blockscope::Proofs", "structural verifier; exact evaluation in finite fields at %1, seed %2")
        .arg(sizes.join(QStringLiteral(", ")))
        .arg(kSeed);
}

Proof verdict(const Prover& prover, const BlockProgram& program) {
    Proof proof{Proof::Verdict::Proven, oracle(program), {}};
    const double work = proof_work(program, proof_dims(program.dims));
    if (work > kMaxWork) {
        proof.verdict = Proof::Verdict::TooLarge;
        proof.detail =
            Proofs::tr("Evaluating it would take %1 operations; the limit is %2.").arg(work).arg(kMaxWork);
        return proof;
    }
    try {
        const auto mismatch = prover.check(program);
        if (!mismatch) return proof;
        proof.detail = Proofs::tr("Output %1 differs at element %2.")
                           .arg(QString::fromStdString(mismatch->output))
                           .arg(mismatch->index);
    } catch (const InternalError& error) {  // its items do not fit each other
        proof.detail = Proofs::tr("It cannot be evaluated: %1").arg(QString::fromUtf8(error.what()));
    }
    proof.verdict = Proof::Verdict::Wrong;
    return proof;
}

}  // namespace

struct Proofs::Worker {
    explicit Worker(Proofs& owner_) : owner(owner_), thread([this] { run(); }) {}
    ~Worker() {
        {
            const std::lock_guard lock(mutex);
            stopping = true;
        }
        wake.notify_all();
        thread.join();
    }

    void prove(const ContentPtr& content) {
        const History& history = content->history;
        {
            const std::lock_guard lock(mutex);
            waiting.clear();
            if (initial != history.state(0).program) results.clear();
            initial = history.state(0).program;
            for (const StateId id : history.path(content->current))
                waiting.push_back(history.state(id).program);
            for (const auto& [id, state] : history.states()) waiting.push_back(state->program);
            std::erase_if(waiting, [&](const ProgramPtr& program) { return results.count(program) > 0; });
        }
        wake.notify_all();
    }

    void run() {
        be_patient();
        ProgramPtr reference;
        std::optional<Prover> prover;
        for (;;) {
            ProgramPtr program;
            {
                std::unique_lock lock(mutex);
                wake.wait(lock, [&] { return stopping || !waiting.empty(); });
                if (stopping) return;
                program = waiting.front();
                waiting.pop_front();
                if (results.count(program) > 0) continue;
                if (reference != initial) prover.reset();
                reference = initial;
            }
            Proof proof = check(reference, prover, *program);
            const std::lock_guard result_lock(mutex);
            if (reference != initial) continue;
            results.emplace(program, std::move(proof));
            if (!std::exchange(told, true))
                QMetaObject::invokeMethod(
                    &owner, [this] { tell(); }, Qt::QueuedConnection);
        }
    }

    // On the owner's thread; once for all results since the last time.
    void tell() {
        {
            const std::lock_guard lock(mutex);
            told = false;
        }
        Q_EMIT owner.proof_changed();
    }

    static Proof check(const ProgramPtr& reference, std::optional<Prover>& prover,
                       const BlockProgram& program) {
        const double work = proof_work(*reference, proof_dims(reference->dims));
        if (work > kMaxWork)
            return {Proof::Verdict::TooLarge, oracle(program),
                    Proofs::tr("Evaluating the initial program would take %1 operations.").arg(work)};
        try {
            if (!prover) prover.emplace(*reference, kSeed);
        } catch (const InternalError& error) {
            return {Proof::Verdict::TooLarge, oracle(program),
                    Proofs::tr("The initial program cannot be evaluated: %1")
                        .arg(QString::fromUtf8(error.what()))};
        }
        return verdict(*prover, program);
    }

    Proofs& owner;
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<ProgramPtr> waiting;
    std::map<ProgramPtr, Proof> results;  // keeps the programs, so that no other one gets their addresses
    ProgramPtr initial;
    bool told = false;  // that there are new results, and it has not been heard yet
    bool stopping = false;
    std::thread thread;  // last: it uses all of the above
};

Proofs::Proofs(QObject* parent) : QObject(parent), worker_(std::make_unique<Worker>(*this)) {}
Proofs::~Proofs() = default;

void Proofs::prove(const ContentPtr& content) {
    if (content) worker_->prove(content);
}

Proof Proofs::proof(const ProgramPtr& program) const {
    const std::lock_guard lock(worker_->mutex);
    const auto it = worker_->results.find(program);
    return it == worker_->results.end() ? Proof{} : it->second;
}

}  // namespace blockscope

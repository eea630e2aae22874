// What the states of a document are compared with: kernels that people have without this program
// (core/cost/models/baseline.h), or a state of the run.
//
//     Library kernels: 3 launches, 1.68 ms. Snapshot 1 takes 0.66 times as long.
#pragma once

#include <QObject>
#include <map>
#include <optional>
#include <utility>

#include "app/costs/costs.h"
#include "app/costs/forecast.h"
#include "app/document/document.h"
#include "core/cost/models/baseline.h"

namespace blockscope {

// Kernels that people have for the document's program, at its sizes and in the types that its states are
// counted in.
struct BaselineCosts {
    Baseline made;
    Prediction prediction;  // on the window's device
    double bytes = 0;       // moved by all kernels
    double compulsory = 0;  // of inputs and outputs, each once
    double matrix = 0;      // FLOPs of products
    double operations = 0;  // of all units
};

// Bytes that the kernels read and write of one kind of array.
double bytes_of(const Baseline& made, Buffer::Kind kind);

class Baselines : public QObject {
    Q_OBJECT

public:
    explicit Baselines(Document& document);
    // The document's own instance, created by the first call.
    static Baselines& of(Document& document);

    // What is compared with: the user's choice, library kernels at first. Of a block program, which nobody
    // has kernels of, always Unfused; that is then the state Costs::baseline(), the unfused program unless
    // the user has chosen another row of the table.
    BaselineKind kind() const;
    void choose(BaselineKind kind);
    // The choice, whatever the document is: it is remembered.
    BaselineKind chosen() const { return chosen_; }
    // Whether the document's program has kernels of other people's, and is an array program.
    bool has_kernels() const;

    // Null for Unfused, and while the unfused program is being counted.
    const BaselineCosts* costs(BaselineKind kind) const;
    // By Blockscope's own model; none while it is not known, and where times are predicted by another model,
    // which says nothing of such kernels.
    std::optional<double> seconds(BaselineKind kind) const;

    // "Library kernels", "Initial program", "Step 4": as the table calls it.
    QString name() const;
    // "1.3 times faster than library kernels." with the fastest of all baselines, and that it is not worth
    // fusing where it is slower; the chosen one is named in front where it is another. Empty while times are
    // not known, and of block programs. `others`: what a search of other block sizes has found.
    QString verdict(double best_seconds, const std::optional<SearchedBlocks>& others = std::nullopt) const;
    // Whether the best state is slower than one of them, so that other block sizes are worth a search.
    bool beat(double best_seconds) const;
    // "1.2 times faster than library kernels": the baseline that the verdict on `best_seconds` is about,
    // beside other seconds. Empty while times are not known.
    QString compared(double seconds, double best_seconds) const;
    // Every kernel with what it does, moves and takes.
    QString derivation(BaselineKind kind) const;

Q_SIGNALS:
    void changed();  // kind(), or what it costs

private:
    // Kernels of others and the unfused program; empty while times are not known, and of block programs.
    std::vector<BaselineSeconds> judges() const;

    Document& document_;
    Costs& costs_;
    Forecast& forecast_;
    BaselineKind chosen_ = BaselineKind::Library;
    // Of these counts of the unfused program on this device.
    mutable std::pair<StateCostsPtr, Device> made_for_;
    mutable std::map<BaselineKind, BaselineCosts> made_;
};

// "Library kernels": the title of a baseline at the beginning of a line.
QString baseline_name(BaselineKind kind);

}  // namespace blockscope

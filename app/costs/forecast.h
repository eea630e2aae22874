// The numbers of a device that charts show, and where each comes from: the ceilings of the roofline, and the
// limit of local memory.
#pragma once

#include <QObject>
#include <QTimer>
#include <map>
#include <set>
#include <vector>

#include "app/charts/chart.h"
#include "app/costs/cost_table.h"
#include "app/document/work.h"
#include "core/cost/device.h"
#include "core/cost/models/model.h"

namespace blockscope {

// Memory levels with all processors at work, and units; matrices in `elem`, vectors in float32.
std::vector<RooflineCeiling> ceilings_of(const Device& device, ElemType elem);

// What one task may have of local_level(), and who says so. Empty if the device has none.
QString limit_derivation(const Device& device);

// Where numbers come from that compare times: the table's ratios, and the statistics above the scatter.

// Both times of the ratio of the state, and where each comes from. Empty if it has no ratio.
QString ratio_derivation(Document& document, const CostTable& table, const TimesOf& times, StateId state);

// States whose measured times are of the same program, sizes and device as their predictions.
struct ComparedTimes {
    std::vector<StateId> states;
    std::vector<double> predicted;  // seconds
    std::vector<double> measured;
};
ComparedTimes compared_times(const Costs& costs, const TimesOf& times);

// How well the predicted times of the rows agree with the measured ones: every time and rank, and each
// statistic of the scatter with its formula, the values put in and its result.
QString agreement_derivation(Document& document, const TimesOf& times);

// Times that a model predicts for the states of a document on a device. Both are the user's choice.

class Forecast : public QObject {
    Q_OBJECT

public:
    explicit Forecast(Document& document);
    // The document's own instance, created by the first call.
    static Forecast& of(Document& document);

    // Built-in devices, the user's and the calibrated machine itself, as files have them now.
    const std::vector<Device>& devices() const { return devices_; }
    const QStringList& problems() const { return problems_; }  // of descriptions that were left out
    void reload();

    const Device& device() const;
    void set_device(const std::string& name);  // nothing happens if there is none of this name
    const TimeModel& model() const { return *model_; }
    void set_model(const std::string& name);

    // Null while the state is being counted; and while its time is being predicted, where that takes long
    // (hundreds of kernels, of this state or of those that were asked for just before): changed() tells when
    // it is there.
    PredictionPtr of(StateId state) const;
    PredictionPtr of(const StateCostsPtr& costs) const;  // null of null
    // Null while the state is being counted.
    PredictionPtr at_once(StateId state) const;
    // The same time spread over the state's kernels as they are listed, for heat maps and parts of the
    // number: in proportion to what the model gives them. Null as of().
    PredictionPtr listed(const StateCostsPtr& costs) const;

    // The predicting, for a bar that announces it; cancel() ends it.
    Work& work() { return *later_; }
    // By the user: what is not predicted yet stays so until the next step or choice.
    void cancel();
    // What stands where a time is not there: it is being predicted, or the user has cancelled that.
    QString missing() const;

    // "safe form" or "plain form": what is built of the program, which predicted times are of. A program
    // that safety does not change is called plain.
    QString form_text() const;
    // The same where there are two: "safe form"; empty where what is built is the program as it is.
    QString other_form() const;
    // What the device gives one processor's local memory.
    LocalLimit local_limit() const;
    // That the device computes the states in: the chosen one, else the declared one; on processors float32 or
    // bf16.
    ElemType element_type() const;
    // The device's memory levels and units, for the element type of the states.
    std::vector<RooflineCeiling> ceilings() const;

Q_SIGNALS:
    void changed();  // device, model, devices(), or what is predicted
    void failed(const QString& what);

private:
    PredictionPtr predicted(const StateCostsPtr& costs) const;
    void predict_later(const StateCostsPtr& costs) const;
    void predict_wanted();
    void forget_unused() const;
    void forget();

    Document& document_;
    Costs& costs_;
    std::vector<Device> devices_;
    QStringList problems_;
    std::string device_;
    const TimeModel* model_;
    mutable std::map<StateCostsPtr, PredictionPtr> predictions_;  // of this device and model
    mutable std::pair<StateCostsPtr, PredictionPtr> listed_;      // of what was asked for last, so spread
    mutable std::set<StateCostsPtr> wanted_;                      // to be predicted by later_
    mutable std::size_t this_turn_ = 0;  // kernels predicted since events were last handled
    bool cancelled_ = false;
    QTimer *soon_, *turn_;
    Work* later_;
};

// "Blockscope's own: memory binds ...": what the table says of a prediction.
QString prediction_text(const Prediction& prediction, const Device& device, const TimeModel& model);
// Every kernel with all its terms, for the side of the table.
QString prediction_details(const Prediction& prediction, const Device& device, const TimeModel& model);

}  // namespace blockscope

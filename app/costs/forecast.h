// Times that a model predicts for the states of a document on a device. Both are the user's choice.
#pragma once

#include <QObject>
#include <QTimer>
#include <map>
#include <set>

#include "app/charts/roofline.h"
#include "app/costs/cost_table.h"
#include "app/document/work.h"
#include "core/cost/models/model.h"

namespace blockscope {

class Forecast : public QObject {
    Q_OBJECT

public:
    explicit Forecast(Document& document);
    // The one of this document, made when first asked for.
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

    // The predicting, for a bar that announces it; cancel() ends it.
    Work& work() { return *later_; }
    // By the user: what is not predicted yet stays so until the next step or choice.
    void cancel();
    // What stands where a time is not there: it is being predicted, or the user has cancelled that.
    QString missing() const;

    // What the device gives one processor's local memory.
    LocalLimit local_limit() const;
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

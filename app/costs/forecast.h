// Times that a model predicts for the states of a document on a device. Both are the user's choice.
#pragma once

#include <QObject>
#include <map>
#include <optional>

#include "app/charts/roofline.h"
#include "app/costs/cost_table.h"
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

    // None while the state is being counted.
    std::optional<Prediction> of(StateId state) const;
    PredictionPtr of(const StateCostsPtr& costs) const;  // null of null

    // What the device gives one processor's local memory.
    LocalLimit local_limit() const;
    // The device's memory levels and units, for the element type of the states.
    std::vector<RooflineCeiling> ceilings() const;

Q_SIGNALS:
    void changed();  // device, model or devices()

private:
    Document& document_;
    Costs& costs_;
    std::vector<Device> devices_;
    QStringList problems_;
    std::string device_;
    const TimeModel* model_;
    mutable std::map<StateCostsPtr, PredictionPtr> predictions_;  // of this device and model
};

// "Blockscope's own: memory binds ...": what the table says of a prediction.
QString prediction_text(const Prediction& prediction, const Device& device, const TimeModel& model);
// Every kernel with all its terms, for the side of the table.
QString prediction_details(const Prediction& prediction, const Device& device, const TimeModel& model);

}  // namespace blockscope

// Step by step with the circuit of a document's program: axes renamed, grouped, streamed, put together
// again. One for each document, as the diagram and its panel show the same.
//
// The steps are of the program as the array language has it (of a document without one, of its initial block
// program). The document's content has them (Content::circuit), so that they are saved, undone and redone
// like everything; here is what follows from them. They follow changes of sizes and begin anew with another
// program.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "app/document/document.h"
#include "app/document/work.h"
#include "core/napkin/session.h"

namespace blockscope {

using SessionPtr = std::shared_ptr<const circuit::CircuitSession>;

class CircuitSteps : public QObject {
    Q_OBJECT

public:
    explicit CircuitSteps(Document& document);
    // The document's own instance, created by the first call.
    static CircuitSteps& of(Document& document);

    // From now on there is a session; before the first call nothing is computed.
    void want();
    // Asks the circuit's page for the step-by-step diagram: diagram_wanted() comes.
    void want_diagram() { Q_EMIT diagram_wanted(); }
    // Null where there is none, and while the first one is made.
    const SessionPtr& session() const { return session_; }
    QString why_not() const { return why_not_; }  // why there is none
    bool busy() const { return work_.busy(); }
    Work& work() { return work_; }

    // The axis that is spoken of: of the flow; -1 for none.
    circuit::AxisId axis() const { return axis_; }
    void choose(circuit::AxisId axis);
    // Of the current state; null if there is no such axis.
    const circuit::AxisVerdict* verdict(circuit::AxisId axis) const;
    const std::vector<circuit::AxisVerdict>& verdicts() const { return *verdicts_; }
    // How the current state splits the axis, if it does.
    std::optional<circuit::Part> part(circuit::AxisId axis) const;
    // The size of its parts, else one to begin with: the program's block, or 64.
    std::int64_t part_size(circuit::AxisId axis) const;

    // The step of the theorem whose diagram is shown for the chosen axis; -1: the state's own diagram.
    int shown_step() const { return shown_step_; }
    void show_step(int step);

    // Makes a new state; changed() comes, or refused().
    void act(const circuit::CircuitAction& action);
    // "rows" or "rows = 128": another name, another size.
    void rename(circuit::AxisId axis, const QString& text);
    void back();  // to the state before
    void on();    // along the way that is shown
    void go_to(int state);
    void set_note(int state, const QString& note);

Q_SIGNALS:
    void changed();       // session() is another, or none; shown_step() is -1
    void noted();         // only notes of session() are others
    void axis_changed();  // axis() or shown_step()
    void refused(const QString& why);
    void diagram_wanted();

private:
    using Verdicts = std::shared_ptr<const std::vector<circuit::AxisVerdict>>;  // long for large programs
    using Tree = circuit::StepTreePtr;
    void follow();
    void begin(bool same_program);
    void move(const std::function<void(circuit::CircuitSession&)>& how);
    void keep(const QString& label, const QString& merge, const SessionPtr& base, const SessionPtr& made,
              Verdicts verdicts);
    void show(SessionPtr session, Verdicts verdicts);

    Document& document_;
    Work work_;
    SessionPtr session_;
    QString why_not_;
    Verdicts verdicts_ =
        std::make_shared<std::vector<circuit::AxisVerdict>>();  // of the current state's flow
    circuit::AxisId axis_{-1};
    int shown_step_ = -1;
    bool wanted_ = false;
    ProgramPtr of_;  // the initial program that the session is of, or is about to be
    Tree tree_;      // the document's steps that it shows, or is about to; null without any
};

// The diagram of the current state, or of one step of the theorem for streaming `axis` (-1: the state's own).
circuit::Circuit step_circuit(const circuit::CircuitSession& session, circuit::AxisId axis, int step);
// The axis of the flow that an axis of one of its diagrams is a part of, or is.
circuit::AxisId whole_axis(const circuit::Axes& axes, circuit::AxisId axis);

// What the step-by-step mode says: titles of states, numbers before and after, arguments.

// In the current state.
QString axis_name(const CircuitSteps& steps, circuit::AxisId axis);
// Sizes that parts of the axis may be given in a menu: powers of two from 16 on, and that of part_size().
std::vector<std::int64_t> part_sizes(const CircuitSteps& steps, circuit::AxisId axis);

// "Group q in parts of 128".
QString state_title(const circuit::CircuitSession& session, int state);
// "groups of 128"; empty if it is whole.
QString split_text(const std::optional<circuit::Part>& part);

// "g_M" and "x^-1/2" of the library as rich text: with lowered and raised parts.
QString rich_text_html(const std::string& text);
// A formula as rich text: with lowered and raised parts.
QString formula_html(const circuit::Formula& formula);
// N_g, H per group, H and M of the current state, formulas and values, before -> after; `muted` is the
// colour of what is said besides.
QString numbers_html(const circuit::CircuitSession& session, const QString& muted);

// What moves and is held in the picture's state, beside the current state of the steps: "step 17 of the
// picture moves 2,097,152 values and holds 49,152: the same". Empty where the picture's state has no circuit.
QString picture_text(const circuit::CircuitSession& session, const BlockProgram& program, int step);

// "No output has d. (Section 2.3)": the first reason.
QString short_reason(const std::vector<circuit::Reason>& reasons);
// What can be done with the axis and why, as rich text. The steps of the theorem are links, their number is
// the address.
QString verdict_html(const CircuitSteps& steps, circuit::AxisId axis);

}  // namespace blockscope

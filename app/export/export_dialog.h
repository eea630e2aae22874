// What the window's export dialog asks for, and its making on another thread.
#pragma once

#include <QByteArray>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <functional>
#include <optional>
#include <string>

#include "app/circuit/circuit_file.h"
#include "app/document/content.h"
#include "app/export/derivation.h"

namespace blockscope {

struct ExportRequest {
    enum class What : std::uint8_t { Seen, Whole, Strip, Page, Circuit, Graph, Program } what = What::Whole;
    // One of formats_of(what).
    std::string format = "svg";
    CircuitKind circuit = CircuitKind::State;
    // Of What::Circuit: this one instead of one of the content's, if there is one; laid out anew unless it
    // has a drawing.
    SeenCircuit drawn = {};
    Theme theme = Theme::light();
    std::optional<Rect> seen;  // picture coordinates; for What::Seen
    Lights lights;             // what glows in it
    double scale = 2;          // of PNG: pixels per unit
    bool background = true;
    bool legend = false;
    Stages stages = Stages::All;
};

// The formats that make sense for `what`, the best one first.
std::vector<std::string> formats_of(ExportRequest::What what);

// The file's bytes. None if `pictures` gave none (the work was cancelled); empty if a PNG would be too large
// or there is no such circuit (circuit_for says why).
std::optional<QByteArray> make_export(const ExportRequest& request, const Content& content,
                                      const PictureSource& pictures);

// Asks what to export and how.

class Document;
struct Services;

class ExportDialog : public QDialog {
    Q_OBJECT

public:
    // `seen` and `lights`: what the picture view shows now.
    ExportDialog(const Theme& theme, const Rect& seen, const Lights& lights, QWidget* parent = nullptr);

    ExportRequest request() const;
    void choose(ExportRequest::What what, const std::string& format);
    // Offers the circuit that the page shows, as it shows it, first of all circuits.
    void offer(const SeenCircuit& circuit);
    // Whether the circuit step by step is asked for, which is no part of the document.
    bool wants_steps() const;

private:
    void fill_formats();
    void enable_parts();

    Rect seen_;
    SeenCircuit seen_circuit_;
    Lights lights_;
    QComboBox *what_, *format_, *colours_, *stages_, *circuit_;
    QDoubleSpinBox* scale_;
    QCheckBox *background_, *legend_;
};

// What the window shows. `picture` is false where the circuit is seen alone: then that is what is asked about
// first.
struct SeenPictures {
    Rect part;
    Lights lights;
    SeenCircuit circuit;
    bool picture = true;
};

// The ending of the file's name decides on the format, where what is exported has such a format. Empty, or
// why nothing can be written there: the ending is that of another of the formats that Blockscope writes.
QString follow_ending(const QString& path, ExportRequest& request);

// Asks for what, how and where, and writes the file off the interface thread; the work's bar shows progress
// and Cancel. Failures go to `failed`.
void ask_and_export(Document& document, Services& services, const SeenPictures& seen,
                    const std::function<void(const QString&)>& failed, QWidget* parent);

}  // namespace blockscope

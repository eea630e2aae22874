// What the window's export dialog asks for, and its making on another thread.
#pragma once

#include <QByteArray>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QImage>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/circuit/circuit_file.h"
#include "app/document/content.h"
#include "app/document/work.h"
#include "app/export/comparison.h"
#include "app/export/derivation.h"
#include "app/files/file_formats.h"

namespace blockscope {

// What an export will look like: drawn small, on another thread, as it will be written.

struct ExportRequest;

struct Preview {
    QImage image;
    QString text;  // in place of it: of files that are text, their beginning
};

// `room`: pixels. Of slides and strips it shows the first ones.
Preview preview_of(const ExportRequest& request, const Content& content, const PictureSource& pictures,
                   const QSize& room);

class ExportPreview : public QWidget {
    Q_OBJECT

public:
    explicit ExportPreview(QWidget* parent);
    void wait();  // something else is being drawn
    void show_preview(Preview preview);
    const Preview& shown() const { return shown_; }
    bool waiting() const { return waiting_; }
    QSize room() const;  // device pixels
    QSize sizeHint() const override { return {520, 420}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Preview shown_;
    bool waiting_ = false;
};

struct ExportRequest {
    enum class What : std::uint8_t {
        Seen,
        Whole,
        Slides,
        Deck,
        Strip,
        Page,
        Comparison,
        Circuit,
        Graph,
        Program
    } what = What::Whole;
    // One of formats_of(what).
    std::string format = "svg";
    CircuitKind circuit = CircuitKind::State;
    // Of What::Circuit: this one instead of one of the content's, if there is one; laid out anew unless it
    // has a drawing.
    SeenCircuit shown = {};
    Theme theme = Theme::light();
    PictureShape shape = {};   // of pictures of the state, as the window shows it
    std::optional<Rect> seen;  // picture coordinates; for What::Seen
    Lights lights;             // what glows in it
    double scale = 2;          // of PNG: pixels per unit
    bool background = true;
    bool legend = false;
    Stages stages = Stages::All;
    bool notes = false;  // of slides: pages with what the speaker reads
    ComparisonRequest comparison = {};
    QString opened = {};  // the file or the sample, for links in pages
};

// The row of app/files/file_formats.h that it is; null where it is none of a whole run.
const ExportKind* kind_of(ExportRequest::What what);

// The formats that make sense for `what`, the best one first.
std::vector<std::string> formats_of(ExportRequest::What what);

// The file's bytes. None if `pictures` gave none (the work was cancelled); empty if a PNG would be too large
// or there is no such circuit (circuit_for says why).
std::optional<QByteArray> make_export(const ExportRequest& request, const Content& content,
                                      const PictureSource& pictures);

// What::Whole, What::Seen and What::Circuit as an image, as large as `room` shows them, that has all details
// of the file. Null where there is no such picture.
QImage export_image(const ExportRequest& request, const Content& content, const PictureSource& pictures,
                    const QSize& room);

// Asks what to export and how.

class Document;
struct Services;

// Only the fields that matter for the chosen kind and format are seen, and beside them what will be written.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    // `seen` and `lights`: what the picture view shows now.
    ExportDialog(const Theme& theme, const Rect& seen, const Lights& lights, QWidget* parent = nullptr);

    ExportRequest request() const;
    void choose(ExportRequest::What what, const std::string& format);
    // Pictures of the state are as wide or as high as in the window: `seen` is a part of such a picture.
    void keep_shape(const PictureShape& shape) { shape_ = shape; }
    // Offers the circuit that the page shows, as it shows it, first of all circuits.
    void offer(const SeenCircuit& circuit);
    // Offers the best state beside the one that is seen: pictures, graphs and programs of it.
    void offer_best(StateId state, const QString& name);
    // The states that can be compared, by name; the pair that is compared first, and what is known of them.
    void offer_pairs(const std::vector<std::pair<StateId, QString>>& states, const ComparisonRequest& first);
    // The state that is asked for instead of the one that is seen.
    std::optional<StateId> other_state() const;
    // Whether the circuit step by step is asked for, which is no part of the document.
    bool wants_steps() const;

    // Makes the job that draws the preview; the job runs on another thread. Without one there is no preview.
    using Previewer = std::function<std::function<Preview(const Stop&)>(const ExportDialog& dialog)>;
    void preview_with(Previewer previewer);
    const ExportPreview& preview() const { return *preview_; }

private:
    QWidget* make_form();
    void fill_formats();
    void show_fields();
    void ask_preview();
    ExportRequest::What what() const;

    Rect seen_;
    PictureShape shape_;
    SeenCircuit seen_circuit_;
    Lights lights_;
    ComparisonRequest pair_;
    QComboBox *what_, *format_, *state_, *colours_, *stages_, *circuit_, *first_, *second_;
    QDoubleSpinBox* scale_;
    QCheckBox *background_, *legend_, *notes_;
    QFormLayout* form_ = nullptr;
    ExportPreview* preview_;
    Previewer previewer_;
    QTimer soon_;
    Work work_;  // last: its job is waited for before the rest goes
};

// What the window shows. `picture` is false where the circuit is seen alone: then that is what is asked about
// first.
struct SeenPictures {
    Rect part;
    Lights lights;
    SeenCircuit circuit;
    bool picture = true;
    PictureShape shape = {};
};

// The document as it is written: with the best state as the one that is shown, if the dialog asks for that.
ContentPtr exported_content(const ExportDialog& dialog, const Document& document);

// "attention.svg", "attention-slides.pdf": what a file is called, unless the user calls it something else.
QString suggested_name(const Content& content, const ExportRequest& request);

// The ending of the file's name decides on the format, where what is exported has such a format. Empty, or
// why nothing can be written there: the ending is that of another of the formats that Blockscope writes.
QString follow_ending(const QString& path, ExportRequest& request);

// Asks for what, how and where, and writes the file off the interface thread; the work's bar shows progress
// and Cancel. Failures go to `failed`.
void ask_and_export(Document& document, Services& services, const SeenPictures& seen,
                    const std::function<void(const QString&)>& failed, QWidget* parent);

}  // namespace blockscope

// The window: menus, toolbar, the picture in the middle, panels around it, the start page without a document.
#pragma once

#include <QMainWindow>
#include <QPointer>
#include <QStackedWidget>
#include <QTabWidget>
#include <memory>
#include <vector>

#include "app/costs/costs.h"
#include "app/document/document.h"
#include "app/document/journal.h"
#include "app/document/pictures.h"
#include "app/document/proofs.h"
#include "app/document/work.h"
#include "app/lessons/lesson_desk.h"
#include "app/lessons/lesson_store.h"
#include "app/shell/actions.h"
#include "app/shell/appearance.h"
#include "app/shell/services.h"
#include "app/shell/settings.h"
#include "app/window/dialogs.h"
#include "app/window/opener.h"

class QHBoxLayout;

namespace blockscope {

class Docks;
class FocusRing;
class PictureView;
class Presenter;
class ProblemBar;
class RecoveryBar;
class ModelBar;
class WrittenBar;
class StartPage;
class Thumbnails;
class ProgressFrame;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    // `journals`: the folder of what is not saved yet.
    MainWindow(Settings& settings, Appearance& appearance, const QString& journals = journal_folder());
    ~MainWindow() override;

    void open_file(const QString& path) { opener_.open_file(path); }
    void open_link(const QString& name, const std::optional<StateChoice>& state) {
        opener_.open_link(name, state);
    }

    Document& document() { return document_; }
    Services& services() { return services_; }
    Actions& actions() { return actions_; }
    Opener& opener() { return opener_; }
    PictureView& view() { return *view_; }
    Presenter& presenter() { return *presenter_; }
    StartPage& start_page() { return *start_; }
    ProblemBar& problem_bar() { return *problems_; }
    CommandPalette& palette_panel() { return *palette_; }
    Docks& docks() { return *docks_; }
    Thumbnails& thumbnails() { return *thumbnails_; }
    LessonDesk& lessons() { return lessons_; }
    LessonStore& lesson_store() { return lesson_store_; }
    bool on_start_page() const;
    // What the command palette offers now.
    std::vector<Command> commands();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void make_centre();
    void add_centre_pages();
    void connect_parts();
    void take_files_from_fields();
    void connect_file_actions();
    void connect_view_actions();
    void connect_window_actions();
    void connect_lessons();
    void connect_lesson_actions();
    LessonWindow window_of_lessons();
    void begin_lesson(const LessonInfo& lesson);
    void ask_who_learns();
    void export_progress();
    void show_panel(const std::string& panel);
    void show_start(bool start);
    void present(bool on);
    std::vector<QWidget*> presented() const;
    void deselect();
    // The heat map's numbers stand in the cells of the timeline: that is not to be silent.
    void tell_heat(const QString& shown);
    void explain_heat();
    void ask_for_number();
    QString called() const;  // the document: its file's name, if it has one of its own
    void retitle();
    void restyle();
    void check_settings();
    // The actions of the rules that the algorithm tries.
    static const std::map<std::string, RuleSet>& rule_choices();
    void check_rules();
    void choose_form();
    void choose_file();
    void open_instead(const QString& path);  // of the document, unless the user wants to go on with it
    // `next` comes once the document is written; never if that fails or the user cancels.
    void save(std::function<void()> next);
    void save_as(std::function<void()> next);
    void write_to(const QString& path, std::function<void()> next);  // and says so
    // `next`, unless the user wants to go on with the document. What is not saved is saved first, if wished.
    void leave_and(std::function<void()> next);
    void about();
    // A window of its own: circuits have no steps of block programs.
    void show_circuit(const QString& path);
    // Another window like this one, on a program that was made in this one.
    void open_beside(const QString& name, const QString& text, const std::optional<StateChoice>& state);
    std::vector<Command> circuit_commands();
    std::vector<Command> arrangement_commands();

    void keep_journal();

    Settings& settings_;
    Appearance& appearance_;
    const QString journals_;
    Document document_;
    Costs& costs_;  // of the document
    LessonStore lesson_store_;
    LessonDesk& lessons_;  // of the document
    Pictures pictures_;
    Proofs proofs_;
    Work work_;
    Actions actions_;
    Services services_;
    Opener opener_;
    bool leaving_ = false;              // close() has asked already
    bool ending_ = false;               // its parts are being deleted
    std::unique_ptr<Journal> journal_;  // null where the settings say so
    std::unique_ptr<Thumbnails> thumbnails_;
    QHBoxLayout* row_ = nullptr;  // of the pages, between the names of panels
    QStackedWidget* stack_ = nullptr;
    QTabWidget* pages_ = nullptr;  // the picture and the panels of the centre
    PictureView* view_ = nullptr;
    StartPage* start_ = nullptr;
    ProblemBar* problems_ = nullptr;
    ProgressFrame* progress_ = nullptr;
    RecoveryBar* recovery_ = nullptr;
    WrittenBar* written_ = nullptr;
    ModelBar* model_ = nullptr;
    CommandPalette* palette_ = nullptr;
    Docks* docks_ = nullptr;
    QToolBar* toolbar_ = nullptr;
    FocusRing* ring_ = nullptr;
    std::map<std::string, int> page_of_;  // by panel
    int page_before_ = 0;                 // the presentation, which hid it
    bool full_before_ = false;            // the window covered the screen before it
    Presenter* presenter_ = nullptr;
    std::vector<QPointer<MainWindow>> beside_;  // this opened them, and they use what it uses
};

}  // namespace blockscope

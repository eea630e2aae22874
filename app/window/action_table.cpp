#include <QtGlobal>

#include "app/shell/actions.h"
#include "app/window/panel_table.h"

// Keys: letters step and look (N and P as in every debugger and mail program, B for the best state; Space and
// Backspace as in slide shows, Page Down and Page Up for presenters' remote controls), arrows belong to the
// picture, Ctrl to files and editing.
#define TEXT(text) QT_TRANSLATE_NOOP("actions", text)

namespace blockscope {
namespace {

void add(std::vector<ActionInfo>& table, const std::vector<ActionInfo>& rows) {
    table.insert(table.end(), rows.begin(), rows.end());
}

// A row a line.
// clang-format off

std::vector<ActionInfo> file_actions() {
    const char* menu = TEXT("&File");
    return {
        {.id = "file.new", .menu = menu, .text = TEXT("&New program"),
         .help = TEXT("Starts a new program in the text language."), .keys = {"Ctrl+N"}, .icon = "new"},
        {.id = "file.open", .menu = menu, .text = TEXT("&Open..."),
         .help = TEXT("Opens a program, a trace or a document."), .keys = {"Ctrl+O"}, .icon = "open",
         .toolbar = true},
        {.id = "file.start", .menu = menu, .text = TEXT("Start &page"),
         .help = TEXT("Shows the samples and the files that were open last."), .keys = {"Ctrl+Shift+O"},
         .icon = "start", .toolbar = true},
        {.id = "file.save", .menu = menu, .text = TEXT("&Save"),
         .help = TEXT("Saves the program, all branches and notes as one document."), .keys = {"Ctrl+S"},
         .icon = "save", .separator = true},
        {.id = "file.save_as", .menu = menu, .text = TEXT("Save &as..."),
         .help = TEXT("Saves the document under another name."), .keys = {"Ctrl+Shift+S"}},
        {.id = "file.export", .menu = menu, .text = TEXT("&Export..."),
         .help = TEXT("Writes the picture, the whole derivation or the program to a file."),
         .keys = {"Ctrl+Shift+E"}, .icon = "export", .toolbar = true},
        {.id = "file.hand_over", .menu = menu, .text = TEXT("&Hand over to PyTorch..."),
         .help = TEXT("Writes a folder with the state's kernels in C++ and CUDA, and Python that calls them.")},
        {.id = "file.close", .menu = menu, .text = TEXT("&Close"),
         .help = TEXT("Closes the document and shows the start page."), .keys = {"Ctrl+W"},
         .separator = true},
        {.id = "file.quit", .menu = menu, .text = TEXT("&Quit"), .help = TEXT("Ends the program."),
         .keys = {"Ctrl+Q"}},
    };
}

std::vector<ActionInfo> edit_actions() {
    const char* menu = TEXT("&Edit");
    return {
        {.id = "edit.undo", .menu = menu, .text = TEXT("&Undo"),
         .help = TEXT("Takes the last change back."), .keys = {"Ctrl+Z"}, .icon = "undo", .toolbar = true},
        {.id = "edit.redo", .menu = menu, .text = TEXT("&Redo"),
         .help = TEXT("Does again what was undone."), .keys = {"Ctrl+Shift+Z", "Ctrl+Y"}, .icon = "redo",
         .toolbar = true},
        {.id = "edit.find_next", .menu = menu, .text = TEXT("Find ne&xt"),
         .help = TEXT("Goes to the next node that was found."), .keys = {"F3"}, .separator = true},
        {.id = "edit.find_previous", .menu = menu, .text = TEXT("Find pre&vious"),
         .help = TEXT("Goes to the node that was found before."), .keys = {"Shift+F3"}},
        {.id = "edit.deselect", .menu = menu, .text = TEXT("Select &nothing"),
         .help = TEXT("Ends selections, previews and the presentation."), .keys = {"Esc"},
         .separator = true},
        {.id = "edit.copy_picture", .menu = menu, .text = TEXT("&Copy the picture"),
         .help = TEXT("Copies the whole picture to the clipboard."), .keys = {"Ctrl+Shift+C"}},
        {.id = "edit.copy_link", .menu = menu, .text = TEXT("Copy lin&k to this state"),
         .help = TEXT("Copies the command that opens the file at this step: blockscope FILE --step N."),
         .keys = {"Ctrl+Shift+K"}},
        {.id = "edit.settings", .menu = menu, .text = TEXT("S&ettings..."),
         .help = TEXT("Theme, animations, speed and saving."), .keys = {"Ctrl+,"}, .icon = "settings",
         .separator = true},
    };
}

std::vector<ActionInfo> zoom_actions() {
    const char* menu = TEXT("&View");
    return {
        {.id = "view.fit", .menu = menu, .text = TEXT("&Fit everything"),
         .help = TEXT("Zooms so that the whole picture is visible."), .keys = {"F"}, .icon = "fit",
         .toolbar = true},
        {.id = "view.fit_selection", .menu = menu, .text = TEXT("Fit the &selection"),
         .help = TEXT("Zooms to what is selected."), .keys = {"Z"}},
        {.id = "view.actual_size", .menu = menu, .text = TEXT("&Original size"),
         .help = TEXT("Shows one unit of the picture as one pixel."), .keys = {"1", "Ctrl+0"}},
        {.id = "view.zoom_in", .menu = menu, .text = TEXT("Zoom &in"),
         .help = TEXT("Shows the picture larger."), .keys = {"Ctrl++", "Ctrl+="}, .icon = "zoom-in",
         .toolbar = true},
        {.id = "view.zoom_out", .menu = menu, .text = TEXT("Zoom &out"),
         .help = TEXT("Shows the picture smaller."), .keys = {"Ctrl+-"}, .icon = "zoom-out",
         .toolbar = true},
    };
}

std::vector<ActionInfo> fold_actions() {
    const char* menu = TEXT("&View");
    return {
        {.id = "view.toggle_fold", .menu = menu, .text = TEXT("Fold or &unfold"),
         .help = TEXT("Folds the selected map to a cloud, or unfolds it."), .keys = {"T"}, .icon = "fold",
         .separator = true},
        {.id = "view.fold_all", .menu = menu, .text = TEXT("Fold &all"), .help = TEXT("Folds every map."),
         .keys = {"Shift+T"}},
        {.id = "view.unfold_all", .menu = menu, .text = TEXT("Unfo&ld all"),
         .help = TEXT("Unfolds every map."), .keys = {"U"}},
        {.id = "view.fold_depth_1", .menu = menu, .text = TEXT("Show &one level"),
         .help = TEXT("Unfolds the outermost maps only."), .keys = {"Ctrl+1"}},
        {.id = "view.fold_depth_2", .menu = menu, .text = TEXT("Show &two levels"),
         .help = TEXT("Unfolds two levels of maps."), .keys = {"Ctrl+2"}},
        {.id = "view.fold_depth_3", .menu = menu, .text = TEXT("Show t&hree levels"),
         .help = TEXT("Unfolds three levels of maps."), .keys = {"Ctrl+3"}},
        {.id = "view.fold_depth", .menu = menu, .text = TEXT("Fold to &depth..."),
         .help = TEXT("Unfolds as many levels of maps as you say."), .keys = {"Ctrl+4"}},
        {.id = "view.tidy", .menu = menu, .text = TEXT("Lay out a&fresh"),
         .help = TEXT("Lays this state out anew instead of keeping blocks where they were."),
         .keys = {"Ctrl+L"}},
    };
}

std::vector<ActionInfo> look_actions() {
    const char* menu = TEXT("&View");
    return {
        {.id = "view.edge_labels", .menu = menu, .text = TEXT("Types on &edges"),
         .help = TEXT("Writes the type of its value on every edge that has room for it: zoom in."),
         .keys = {"L"}, .checkable = true, .separator = true},
        {.id = "view.minimap", .menu = menu, .text = TEXT("&Minimap"),
         .help = TEXT("Shows the whole picture small in a corner."), .keys = {"M"}, .checkable = true},
        {.id = "view.legend", .menu = menu, .text = TEXT("Le&gend"),
         .help = TEXT("Explains all shapes and colours beside the picture; without it a row below explains what occurs."),
         .keys = {"G"}, .checkable = true},
        {.id = "view.safe", .menu = menu, .text = TEXT("Numerically &safe form"),
         .help = TEXT("Picture and listing show the state as it runs without overflow: attention as online softmax."),
         .keys = {"S"}, .checkable = true},
        {.id = "view.paper_loops", .menu = menu, .text = TEXT("Loops as in the pape&r"),
         .help = TEXT("The listing shows the paper's loops, one for each map, instead of those that are built."),
         .checkable = true},
        {.id = "view.overlay", .menu = menu, .text = TEXT("Side panels o&ver the picture"),
         .help = TEXT("Leaves only the panels' names at the edges; a panel that is opened lies over the picture. "
                      "Small windows do so by themselves, until you choose."),
         .checkable = true},
        {.id = "view.compact", .menu = menu, .text = TEXT("Com&pact timeline"),
         .help = TEXT("Shows the steps as one row. Small windows do so by themselves, until you choose."),
         .keys = {"V"}, .checkable = true},
    };
}

// One of them holds.
std::vector<ActionInfo> flow_actions() {
    const auto row = [](const char* id, const char* text, const char* help) {
        return ActionInfo{.id = id, .menu = TEXT("Pict&ure"), .text = text, .help = help, .checkable = true,
                          .submenu = TEXT("&Direction")};
    };
    std::vector<ActionInfo> rows = {
        row("picture.flow_automatic", TEXT("Direction: &automatic"),
            TEXT("Edges run the way that makes the picture larger in its view.")),
        row("picture.flow_down", TEXT("Direction: &top-down"), TEXT("Edges run from top to bottom.")),
        row("picture.flow_right", TEXT("Direction: &left to right"), TEXT("Edges run from left to right.")),
    };
    rows.front().separator = true;
    return rows;
}

// What the heat map shows: one at a time, or nothing.
std::vector<ActionInfo> heat_actions() {
    const auto row = [](const char* id, const char* text, const char* help, std::vector<const char*> keys = {}) {
        return ActionInfo{.id = id, .menu = TEXT("&View"), .text = text, .help = help,
                          .keys = std::move(keys), .checkable = true, .submenu = TEXT("Heat &map")};
    };
    std::vector<ActionInfo> rows = {
        row("heat.moved", TEXT("Heat map: bytes mo&ved"),
            TEXT("Colours operators, edges and lines by the bytes they move."), {"H"}),
        row("heat.inputs", TEXT("Heat map: &inputs"),
            TEXT("Colours edges and lines by the bytes of inputs that they move.")),
        row("heat.outputs", TEXT("Heat map: o&utputs"),
            TEXT("Colours edges and lines by the bytes of outputs that they move.")),
        row("heat.intermediates", TEXT("Heat map: i&ntermediates"),
            TEXT("Colours edges and lines by the bytes of intermediates that they move.")),
        row("heat.operations", TEXT("Heat map: o&perations"), TEXT("Colours operators and lines by their arithmetic."),
            {"Shift+H"}),
        row("heat.alive", TEXT("Heat map: local memor&y"),
            TEXT("Colours operators and lines by what is alive in local memory while they run.")),
        row("heat.predicted", TEXT("Heat map: predicted &time"),
            TEXT("Colours operators, edges and lines by the time that the model gives them.")),
        row("heat.measured", TEXT("Heat map: mea&sured time"),
            TEXT("Colours the operators of the top level, one kernel each, by their measured time.")),
        row("heat.replication", TEXT("Heat map: &replicated work"),
            TEXT("Colours operators and maps by how many times over they do the unfused program's work.")),
        row("heat.intensity", TEXT("Heat map: int&ensity"),
            TEXT("Colours operators and maps by their operations per byte loaded and stored.")),
        row("heat.launches", TEXT("Heat map: &launches"),
            TEXT("Colours the operators of the top level, one launch each.")),
        row("heat.tasks", TEXT("Heat map: parallel tas&ks"),
            TEXT("Colours the operators of the top level by their parallel tasks.")),
    };
    rows.front().separator = true;
    rows.push_back({.id = "heat.derive", .menu = TEXT("&View"), .text = TEXT("W&here a number comes from"),
                    .help = TEXT("Opens the formula of the heat map's number of what is selected, else of the whole state."),
                    .keys = {"="}, .separator = true, .submenu = TEXT("Heat &map")});
    return rows;
}

std::vector<ActionInfo> theme_actions() {
    const char* menu = TEXT("&View");
    return {
        {.id = "view.theme_light", .menu = menu, .text = TEXT("Li&ght theme"),
         .help = TEXT("Dark text on a light ground."), .checkable = true, .separator = true},
        {.id = "view.theme_dark", .menu = menu, .text = TEXT("&Dark theme"),
         .help = TEXT("Light text on a dark ground."), .checkable = true},
        {.id = "view.theme_system", .menu = menu, .text = TEXT("Follo&w the system"),
         .help = TEXT("Light or dark as the desktop is."), .checkable = true},
        {.id = "view.presentation", .menu = menu, .text = TEXT("&Presentation"),
         .help = TEXT("Large type and nothing but the picture; Esc ends it."), .keys = {"F5"},
         .icon = "present", .toolbar = true, .checkable = true, .separator = true},
        {.id = "present.questions", .menu = menu, .text = TEXT("&Questions about the next step"),
         .help = TEXT("Asks before every step which edge vanishes, how many bytes are moved or which rule comes; digits answer."),
         .keys = {"Q"}, .checkable = true},
        {.id = "present.pointer", .menu = menu, .text = TEXT("Large p&ointer"),
         .help = TEXT("In a presentation: a red dot that the last row sees."), .keys = {"X"},
         .checkable = true},
        {.id = "present.spotlight", .menu = menu, .text = TEXT("Spotlig&ht"),
         .help = TEXT("In a presentation: everything but a circle around the pointer is dark."),
         .keys = {"I"}, .checkable = true},
        {.id = "present.blank", .menu = menu, .text = TEXT("&Blank screen"),
         .help = TEXT("In a presentation: nothing is seen until the next key. B and the full stop do the same."),
         .checkable = true},
        {.id = "view.full_screen", .menu = menu, .text = TEXT("Full s&creen"),
         .help = TEXT("The window covers the whole screen."), .keys = {"F11"}, .checkable = true},
    };
}

std::vector<ActionInfo> picture_actions() {
    const char* menu = TEXT("Pict&ure");
    const KeyScope here = KeyScope::Picture;
    const auto row = [&](const char* id, const char* text, const char* help, const char* key, bool line = false) {
        return ActionInfo{.id = id, .menu = menu, .text = text, .help = help, .keys = {key},
                          .separator = line, .scope = here};
    };
    return {
        row("picture.left", TEXT("Select to the &left"), TEXT("Selects the next block to the left."), "Left"),
        row("picture.right", TEXT("Select to the &right"), TEXT("Selects the next block to the right."), "Right"),
        row("picture.up", TEXT("Select &above"), TEXT("Selects the next block above."), "Up"),
        row("picture.down", TEXT("Select &below"), TEXT("Selects the next block below."), "Down"),
        row("picture.outer", TEXT("Select the &map around"), TEXT("Selects the map that holds the selection."), "Alt+Up"),
        row("picture.inner", TEXT("Select the &first inside"), TEXT("Selects the first block in the selected map."),
            "Alt+Down"),
        row("picture.open", TEXT("&Fold or unfold here"), TEXT("Folds or unfolds the selected map."), "Return"),
        row("picture.move_left", TEXT("Put the block farther &left"), TEXT("Moves the selected block; Ctrl and the mouse drag it."), "Ctrl+Left", true),
        row("picture.move_right", TEXT("Put the block farther &right"), TEXT("Moves the selected block to the right."), "Ctrl+Right"),
        row("picture.move_up", TEXT("Put the block &higher"), TEXT("Moves the selected block up."), "Ctrl+Up"),
        row("picture.move_down", TEXT("Put the block lo&wer"), TEXT("Moves the selected block down."), "Ctrl+Down"),
        row("picture.pin", TEXT("Pin a &note..."), TEXT("Pins a note to the selected block; saved with the document."), "Ctrl+M", true),
        row("picture.pan_left", TEXT("Move &left"), TEXT("Moves the view to the left."), "Shift+Left", true),
        row("picture.pan_right", TEXT("Move &right"), TEXT("Moves the view to the right."), "Shift+Right"),
        row("picture.pan_up", TEXT("Move &up"), TEXT("Moves the view up."), "Shift+Up"),
        row("picture.pan_down", TEXT("Move &down"), TEXT("Moves the view down."), "Shift+Down"),
    };
}

// Their buttons are in the timeline.
std::vector<ActionInfo> step_actions() {
    const char* menu = TEXT("Ste&p");
    return {
        {.id = "step.home", .menu = menu, .text = TEXT("To the &initial program"),
         .help = TEXT("Goes to the initial program."), .keys = {"Home"}, .icon = "home"},
        {.id = "step.previous_snapshot", .menu = menu, .text = TEXT("Previous s&napshot"),
         .help = TEXT("Goes back to the snapshot before."), .keys = {"Shift+P"},
         .icon = "previous-snapshot"},
        {.id = "step.back", .menu = menu, .text = TEXT("&Back"), .help = TEXT("Goes one step back."),
         .keys = {"P", "Backspace", "PgUp"}, .icon = "back"},
        {.id = "step.play", .menu = menu, .text = TEXT("&Play"),
         .help = TEXT("Steps on by itself until the end."), .keys = {"Ctrl+Space"}, .icon = "play",
         .checkable = true},
        {.id = "step.forward", .menu = menu, .text = TEXT("&Next step"),
         .help = TEXT("Goes one step on; at the end of a branch the algorithm's next."),
         .keys = {"N", "Space", "PgDown"}, .icon = "forward"},
        {.id = "step.next_snapshot", .menu = menu, .text = TEXT("Next &snapshot"),
         .help = TEXT("Goes to the next snapshot."), .keys = {"Shift+N"}, .icon = "next-snapshot"},
        {.id = "step.end", .menu = menu, .text = TEXT("To the &end"),
         .help = TEXT("Goes to the last step of the branch; from there, runs the algorithm to its end."),
         .keys = {"End"}, .icon = "end"},
        {.id = "step.best", .menu = menu, .text = TEXT("To the b&est state"),
         .help = TEXT("Goes to the state with the least of the objective: the one that is worth building."),
         .keys = {"B"}, .icon = "best"},
        {.id = "step.faster", .menu = menu, .text = TEXT("Play &faster"),
         .help = TEXT("Halves the time between two steps."), .keys = {">"}, .separator = true},
        {.id = "step.slower", .menu = menu, .text = TEXT("Play s&lower"),
         .help = TEXT("Doubles the time between two steps."), .keys = {"<"}},
        {.id = "step.fold", .menu = menu, .text = TEXT("F&old steps that move no bytes"),
         .help = TEXT("Shows steps in a row that change no bytes as one cell of the timeline."),
         .checkable = true, .separator = true},
        {.id = "step.algorithm", .menu = menu, .text = TEXT("Back to the al&gorithm"),
         .help = TEXT("Goes to where this branch left the algorithm's steps; the branch stays in the history."),
         .keys = {"Shift+B"}},
        {.id = "step.rename", .menu = menu, .text = TEXT("Rena&me the step..."),
         .help = TEXT("Calls the current step as you like, in the timeline and the caption."),
         .keys = {"F2"}},
        {.id = "step.group", .menu = menu, .text = TEXT("Gro&up steps..."),
         .help = TEXT("Gives steps in a row a name together: a chapter of your own above the timeline."),
         .keys = {"Shift+F2"}},
        {.id = "step.compare", .menu = menu, .text = TEXT("&Compare with the step before"),
         .help = TEXT("Shows the step before and this one side by side; once more ends it."), .keys = {"C"},
         .icon = "compare", .separator = true},
        {.id = "step.run", .menu = menu, .text = TEXT("&Run the algorithm from here"),
         .help = TEXT("Runs the fusion algorithm on from this state."), .keys = {"Ctrl+Return"},
         .icon = "run", .separator = true},
    };
}

// Which rules the algorithm tries: one set at a time.
std::vector<ActionInfo> rule_actions() {
    const auto row = [](const char* id, const char* text, const char* help) {
        return ActionInfo{.id = id, .menu = TEXT("Ste&p"), .text = text, .help = help, .checkable = true,
                          .submenu = TEXT("R&ules of the algorithm")};
    };
    return {
        row("rules.extended", TEXT("Rules: with &additions"),
            TEXT("Runs the algorithm anew with the paper's rules and those additions that keep every value.")),
        row("rules.paper", TEXT("Rules: the &paper's"), TEXT("Runs the algorithm anew with the paper's rules alone.")),
        row("rules.rounding", TEXT("Rules: with &rounding"),
            TEXT("Runs the algorithm anew with all additions, also those after which values are rounded elsewhere.")),
    };
}

std::vector<ActionInfo> circuit_actions() {
    const char* menu = TEXT("Dia&gram");
    return {
        {.id = "circuit.steps", .menu = menu, .text = TEXT("The circuit &step by step"),
         .help = TEXT("Shows the circuit whose axes you group and stream: click a wire."),
         .keys = {"Alt+Shift+I"}},
        {.id = "circuit.beside", .menu = menu, .text = TEXT("Picture and circuit &beside each other"),
         .help = TEXT("Shows the picture and the circuit side by side instead of behind tabs."),
         .keys = {"Alt+S"}, .checkable = true},
        {.id = "circuit.group", .menu = menu, .text = TEXT("&Group the axis"),
         .help = TEXT("Splits the chosen axis among processors."), .keys = {"Shift+G"}, .separator = true},
        {.id = "circuit.stream", .menu = menu, .text = TEXT("St&ream the axis"),
         .help = TEXT("Takes the parts of the chosen axis one after the other."), .keys = {"Shift+S"}},
        {.id = "circuit.join", .menu = menu, .text = TEXT("Put the axis &together"),
         .help = TEXT("The chosen axis is not split any more."), .keys = {"Shift+J"}},
        {.id = "circuit.rename", .menu = menu, .text = TEXT("Re&name the axis..."),
         .help = TEXT("Gives the chosen axis another name, or another size."), .keys = {"Shift+R"}},
        {.id = "circuit.back", .menu = menu, .text = TEXT("One step of the circuit bac&k"),
         .help = TEXT("Goes to the circuit's state before."), .keys = {"Alt+Z"}, .separator = true},
        {.id = "circuit.on", .menu = menu, .text = TEXT("One step of the circuit &on"),
         .help = TEXT("Goes to the circuit's next state."), .keys = {"Alt+Shift+Z"}},
        {.id = "circuit.samples", .menu = menu, .text = TEXT("Sam&ple circuits..."),
         .help = TEXT("Opens one of the circuits that come with the program, such as FlashAttention-3."),
         .separator = true},
        {.id = "circuit.export", .menu = menu, .text = TEXT("&Export the circuit..."),
         .help = TEXT("Writes the circuit that is shown to a file: SVG, PDF, PNG, TikZ or JSON.")},
    };
}

std::vector<ActionInfo> lesson_actions() {
    const char* menu = TEXT("Learn");
    return {
        {.id = "lesson.list", .menu = menu, .text = TEXT("&Lessons..."),
         .help = TEXT("Shows the lessons, with what is done of each."), .keys = {"Ctrl+Shift+L"}},
        {.id = "lesson.tour", .menu = menu, .text = TEXT("&Tour (90 seconds)"),
         .help = TEXT("Shows the window on a program of three lines.")},
        {.id = "lesson.predict", .menu = menu, .text = TEXT("Predict, then &reveal"),
         .help = TEXT("Asks before every step: which rule, which edge, how many bytes; then shows it, and counts."),
         .keys = {"Ctrl+Shift+I"}, .checkable = true},
        {.id = "lesson.next", .menu = menu, .text = TEXT("&Next part"),
         .help = TEXT("Goes to the lesson's next part."), .keys = {"Alt+Right"}, .separator = true},
        {.id = "lesson.back", .menu = menu, .text = TEXT("&Part before"),
         .help = TEXT("Goes back to the part before, as it was."), .keys = {"Alt+Left"}},
        {.id = "lesson.hint", .menu = menu, .text = TEXT("&Hint"),
         .help = TEXT("Gives a hint to the task."), .keys = {"Ctrl+Shift+H"}},
        {.id = "lesson.show_me", .menu = menu, .text = TEXT("&Show me"),
         .help = TEXT("Does the task, or says the answer."), .keys = {"Ctrl+Shift+M"}},
        {.id = "lesson.again", .menu = menu, .text = TEXT("Set this part &up again"),
         .help = TEXT("Brings the program and the state back that this part is about."),
         .keys = {"Ctrl+Shift+U"}},
        {.id = "lesson.restart", .menu = menu, .text = TEXT("From the &beginning"),
         .help = TEXT("Forgets what was done of this lesson, and begins it anew.")},
        {.id = "lesson.leave", .menu = menu, .text = TEXT("L&eave the lesson"),
         .help = TEXT("Puts the panels back where they were; the lesson goes on where it was left.")},
        {.id = "lesson.export", .menu = menu, .text = TEXT("E&xport my progress..."),
         .help = TEXT("Writes what was done of all lessons to a small file, for a teacher."),
         .separator = true},
        {.id = "lesson.learner", .menu = menu, .text = TEXT("&Who is learning..."),
         .help = TEXT("Keeps the progress of somebody else from now on.")},
    };
}

std::vector<ActionInfo> other_actions() {
    const char* window = TEXT("&Window");
    const char* help = TEXT("&Help");
    return {
        {.id = "help.palette", .menu = help, .text = TEXT("Command &palette..."),
         .help = TEXT("Finds any action, step, sample or recent file by name."),
         .keys = {"Ctrl+K", "Ctrl+Shift+P"}, .icon = "search", .toolbar = true},
        {.id = "help.shortcuts", .menu = help, .text = TEXT("&Shortcuts"),
         .help = TEXT("Lists all actions and their keys."), .keys = {"?", "F1"}},
        {.id = "help.glossary", .menu = help, .text = TEXT("G&lossary..."),
         .help = TEXT("Explains the words that the window and its pages use.")},
        {.id = "help.term", .menu = help, .text = TEXT("Explain &words here"),
         .help = TEXT("Explains the glossary's words in what has the focus; hovering over a word does the same."),
         .keys = {"Shift+F1"}},
        {.id = "help.diagnostics", .menu = help, .text = TEXT("&Graphics cards..."),
         .help = TEXT("Says which graphics cards are there, and how to install what is missing to use them.")},
        {.id = "help.about", .menu = help, .text = TEXT("&About Blockscope"),
         .help = TEXT("Version and licences."), .separator = true},
        {.id = "window.picture", .menu = window, .text = TEXT("Go to the p&icture"),
         .help = TEXT("Gives the picture the focus."), .keys = {"Ctrl+J"}},
        {.id = "window.arrangements", .menu = window, .text = TEXT("&Arrangements..."),
         .help = TEXT("Keeps the arrangement of the panels under a name, and brings one back."),
         .keys = {"Ctrl+Shift+A"}},
        {.id = "window.reset", .menu = window, .text = TEXT("&Reset the arrangement"),
         .help = TEXT("Puts all panels back where they were at first."), .keys = {"Ctrl+Shift+R"}},
    };
}

// clang-format on

std::vector<ActionInfo> panel_actions() {
    std::vector<ActionInfo> rows;
    for (const PanelInfo& panel : panel_table()) {
        ActionInfo info{.id = panel.id,
                        .menu = TEXT("&Window"),
                        .text = panel.title,
                        .help = panel.help,
                        .keys = panel.keys};
        info.checkable = true;
        info.separator = rows.empty();
        rows.push_back(info);
    }
    return rows;
}

std::vector<ActionInfo> make_table() {
    std::vector<ActionInfo> table;
    add(table, file_actions());
    add(table, edit_actions());
    add(table, zoom_actions());
    add(table, fold_actions());
    add(table, look_actions());
    add(table, heat_actions());
    add(table, theme_actions());
    add(table, picture_actions());
    add(table, flow_actions());
    add(table, step_actions());
    add(table, rule_actions());
    add(table, circuit_actions());
    add(table, lesson_actions());
    add(table, other_actions());
    add(table, panel_actions());
    return table;
}

}  // namespace

const std::vector<ActionInfo>& action_table() {
    static const std::vector<ActionInfo> table = make_table();
    return table;
}

}  // namespace blockscope

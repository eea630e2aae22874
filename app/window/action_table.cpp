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
        {"file.new", menu, TEXT("&New program"), TEXT("Starts a new program in the text language."), {"Ctrl+N"}, "new"},
        {"file.open", menu, TEXT("&Open..."), TEXT("Opens a program, a trace or a document."), {"Ctrl+O"}, "open", true},
        {"file.start", menu, TEXT("Start &page"), TEXT("Shows the samples and the files that were open last."),
         {"Ctrl+Shift+O"}, "start", true},
        {"file.save", menu, TEXT("&Save"), TEXT("Saves the program, all branches and notes as one document."),
         {"Ctrl+S"}, "save", false, false, true},
        {"file.save_as", menu, TEXT("Save &as..."), TEXT("Saves the document under another name."), {"Ctrl+Shift+S"}},
        {"file.export", menu, TEXT("&Export..."),
         TEXT("Writes the picture, the whole derivation or the program to a file."), {"Ctrl+Shift+E"}, "export", true},
        {"file.close", menu, TEXT("&Close"), TEXT("Closes the document and shows the start page."), {"Ctrl+W"}, "", false,
         false, true},
        {"file.quit", menu, TEXT("&Quit"), TEXT("Ends the program."), {"Ctrl+Q"}},
    };
}

std::vector<ActionInfo> edit_actions() {
    const char* menu = TEXT("&Edit");
    return {
        {"edit.undo", menu, TEXT("&Undo"), TEXT("Takes the last change back."), {"Ctrl+Z"}, "undo", true},
        {"edit.redo", menu, TEXT("&Redo"), TEXT("Does again what was undone."), {"Ctrl+Shift+Z", "Ctrl+Y"}, "redo", true},
        {"edit.find_next", menu, TEXT("Find ne&xt"), TEXT("Goes to the next node that was found."), {"F3"}, "", false, false, true},
        {"edit.find_previous", menu, TEXT("Find pre&vious"), TEXT("Goes to the node that was found before."), {"Shift+F3"}},
        {"edit.deselect", menu, TEXT("Select &nothing"), TEXT("Ends selections, previews and the presentation."), {"Esc"},
         "", false, false, true},
        {"edit.copy_picture", menu, TEXT("&Copy the picture"), TEXT("Copies the whole picture to the clipboard."),
         {"Ctrl+Shift+C"}},
        {"edit.copy_link", menu, TEXT("Copy lin&k to this state"),
         TEXT("Copies the command that opens the file at this step: blockscope FILE --step N."), {"Ctrl+Shift+K"}},
        {"edit.settings", menu, TEXT("S&ettings..."), TEXT("Theme, animations, speed and saving."), {"Ctrl+,"}, "settings",
         false, false, true},
    };
}

std::vector<ActionInfo> zoom_actions() {
    const char* menu = TEXT("&View");
    return {
        {"view.fit", menu, TEXT("&Fit everything"), TEXT("Zooms so that the whole picture is visible."), {"F"}, "fit", true},
        {"view.fit_selection", menu, TEXT("Fit the &selection"), TEXT("Zooms to what is selected."), {"Z"}},
        {"view.actual_size", menu, TEXT("&Original size"), TEXT("Shows one unit of the picture as one pixel."),
         {"1", "Ctrl+0"}},
        {"view.zoom_in", menu, TEXT("Zoom &in"), TEXT("Shows the picture larger."), {"Ctrl++", "Ctrl+="}, "zoom-in", true},
        {"view.zoom_out", menu, TEXT("Zoom &out"), TEXT("Shows the picture smaller."), {"Ctrl+-"}, "zoom-out", true},
    };
}

std::vector<ActionInfo> fold_actions() {
    const char* menu = TEXT("&View");
    return {
        {"view.toggle_fold", menu, TEXT("Fold or &unfold"), TEXT("Folds the selected map to a cloud, or unfolds it."),
         {"T"}, "fold", false, false, true},
        {"view.fold_all", menu, TEXT("Fold &all"), TEXT("Folds every map."), {"Shift+T"}},
        {"view.unfold_all", menu, TEXT("Unfo&ld all"), TEXT("Unfolds every map."), {"U"}},
        {"view.fold_depth_1", menu, TEXT("Show &one level"), TEXT("Unfolds the outermost maps only."), {"Ctrl+1"}},
        {"view.fold_depth_2", menu, TEXT("Show &two levels"), TEXT("Unfolds two levels of maps."), {"Ctrl+2"}},
        {"view.fold_depth_3", menu, TEXT("Show t&hree levels"), TEXT("Unfolds three levels of maps."), {"Ctrl+3"}},
        {"view.fold_depth", menu, TEXT("Fold to &depth..."), TEXT("Unfolds as many levels of maps as you say."), {"Ctrl+4"}},
        {"view.tidy", menu, TEXT("Lay out a&fresh"),
         TEXT("Lays this state out anew instead of keeping blocks where they were."), {"Ctrl+L"}},
    };
}

std::vector<ActionInfo> look_actions() {
    const char* menu = TEXT("&View");
    return {
        {"view.edge_labels", menu, TEXT("Types on &edges"), TEXT("Writes the type of its value on every edge that has room for it: zoom in."), {"L"},
         "", false, true, true},
        {"view.minimap", menu, TEXT("&Minimap"), TEXT("Shows the whole picture small in a corner."), {"M"}, "", false, true},
        {"view.legend", menu, TEXT("Le&gend"),
         TEXT("Explains all shapes and colours beside the picture; without it a row below explains what occurs."), {"G"},
         "", false, true},
        {"view.safe", menu, TEXT("Numerically &safe form"),
         TEXT("Picture and listing show the state as it runs without overflow: attention as online softmax."), {"S"}, "",
         false, true},
        {"view.paper_loops", menu, TEXT("Loops as in the pape&r"),
         TEXT("The listing shows the paper's loops, one for each map, instead of those that are built."), {}, "", false, true},
        {"view.compact", menu, TEXT("Com&pact timeline"),
         TEXT("Shows the steps as one row. Small windows do so by themselves, until you choose."), {"V"}, "", false,
         true},
    };
}

// One of them holds.
std::vector<ActionInfo> flow_actions() {
    const auto row = [](const char* id, const char* text, const char* help) {
        return ActionInfo{id,   TEXT("Pict&ure"), text,  help, {}, "", false,
                          true, false,            KeyScope::Window, TEXT("&Direction")};
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
        return ActionInfo{id,   TEXT("&View"), text,  help, std::move(keys), "", false,
                          true, false,         KeyScope::Window, TEXT("Heat &map")};
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
    rows.push_back({"heat.derive", TEXT("&View"), TEXT("W&here a number comes from"),
                    TEXT("Opens the formula of the heat map's number of what is selected, else of the whole state."),
                    {"="}, "", false, false, true, KeyScope::Window, TEXT("Heat &map")});
    return rows;
}

std::vector<ActionInfo> theme_actions() {
    const char* menu = TEXT("&View");
    return {
        {"view.theme_light", menu, TEXT("Li&ght theme"), TEXT("Dark text on a light ground."), {}, "", false, true, true},
        {"view.theme_dark", menu, TEXT("&Dark theme"), TEXT("Light text on a dark ground."), {}, "", false, true},
        {"view.theme_system", menu, TEXT("Follo&w the system"), TEXT("Light or dark as the desktop is."), {}, "", false,
         true},
        {"view.presentation", menu, TEXT("&Presentation"), TEXT("Large type and nothing but the picture; Esc ends it."),
         {"F5"}, "present", true, true, true},
        {"present.questions", menu, TEXT("&Questions about the next step"),
         TEXT("Asks before every step which edge vanishes, how many bytes are moved or which rule comes; digits answer."),
         {"Q"}, "", false, true},
        {"present.pointer", menu, TEXT("Large p&ointer"), TEXT("In a presentation: a red dot that the last row sees."), {"X"},
         "", false, true},
        {"present.spotlight", menu, TEXT("Spotlig&ht"), TEXT("In a presentation: everything but a circle around the pointer is dark."),
         {"I"}, "", false, true},
        {"present.blank", menu, TEXT("&Blank screen"), TEXT("In a presentation: nothing is seen until the next key. B and the full stop do the same."),
         {}, "", false, true},
        {"view.full_screen", menu, TEXT("Full s&creen"), TEXT("The window covers the whole screen."), {"F11"}, "", false,
         true},
    };
}

std::vector<ActionInfo> picture_actions() {
    const char* menu = TEXT("Pict&ure");
    const KeyScope here = KeyScope::Picture;
    const auto row = [&](const char* id, const char* text, const char* help, const char* key, bool line = false) {
        return ActionInfo{id, menu, text, help, {key}, "", false, false, line, here};
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
        {"step.home", menu, TEXT("To the &start"), TEXT("Goes to the program before the first step."), {"Home"}, "home"},
        {"step.previous_snapshot", menu, TEXT("Previous s&napshot"), TEXT("Goes back to the snapshot before."), {"Shift+P"},
         "previous-snapshot"},
        {"step.back", menu, TEXT("&Back"), TEXT("Goes one step back."), {"P", "Backspace", "PgUp"}, "back"},
        {"step.play", menu, TEXT("&Play"), TEXT("Steps on by itself until the end."), {"Ctrl+Space"}, "play", false, true},
        {"step.forward", menu, TEXT("&Next step"), TEXT("Goes one step on; at the end of a branch the algorithm's next."),
         {"N", "Space", "PgDown"}, "forward"},
        {"step.next_snapshot", menu, TEXT("Next &snapshot"), TEXT("Goes to the next snapshot."), {"Shift+N"},
         "next-snapshot"},
        {"step.end", menu, TEXT("To the &end"), TEXT("Goes to the last step of the branch; from there, runs the algorithm to its end."), {"End"}, "end"},
        {"step.best", menu, TEXT("To the b&est state"),
         TEXT("Goes to the state with the least of the objective: the one that is worth building."), {"B"}, "best"},
        {"step.faster", menu, TEXT("Play &faster"), TEXT("Halves the time between two steps."), {">"}, "", false, false,
         true},
        {"step.slower", menu, TEXT("Play s&lower"), TEXT("Doubles the time between two steps."), {"<"}},
        {"step.fold", menu, TEXT("F&old steps that move no bytes"),
         TEXT("Shows steps in a row that change no bytes as one cell of the timeline."), {}, "", false, true, true},
        {"step.algorithm", menu, TEXT("Back to the al&gorithm"),
         TEXT("Goes to where this branch left the algorithm's steps; the branch stays in the history."), {"Shift+B"}},
        {"step.rename", menu, TEXT("Rena&me the step..."), TEXT("Calls the current step as you like, in the timeline and the caption."), {"F2"}},
        {"step.group", menu, TEXT("Gro&up steps..."), TEXT("Gives steps in a row a name together: a chapter of your own above the timeline."), {"Shift+F2"}},
        {"step.compare", menu, TEXT("&Compare with the step before"),
         TEXT("Shows the step before and this one side by side; once more ends it."), {"C"}, "compare", false, false, true},
        {"step.run", menu, TEXT("&Run the algorithm from here"), TEXT("Runs the fusion algorithm on from this state."),
         {"Ctrl+Return"}, "run", false, false, true},
    };
}

// Which rules the algorithm tries: one set at a time.
std::vector<ActionInfo> rule_actions() {
    const auto row = [](const char* id, const char* text, const char* help) {
        return ActionInfo{id,   TEXT("Ste&p"), text,  help, {}, "", false,
                          true, false,         KeyScope::Window, TEXT("R&ules of the algorithm")};
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
        {"circuit.steps", menu, TEXT("The circuit &step by step"),
         TEXT("Shows the circuit whose axes you group and stream: click a wire."), {"Alt+Shift+I"}},
        {"circuit.beside", menu, TEXT("Picture and circuit &beside each other"),
         TEXT("Shows the picture and the circuit side by side instead of behind tabs."), {"Alt+S"}, "", false, true},
        {"circuit.group", menu, TEXT("&Group the axis"), TEXT("Splits the chosen axis among processors."), {"Shift+G"},
         "", false, false, true},
        {"circuit.stream", menu, TEXT("St&ream the axis"), TEXT("Takes the parts of the chosen axis one after the other."),
         {"Shift+S"}},
        {"circuit.join", menu, TEXT("Put the axis &together"), TEXT("The chosen axis is not split any more."), {"Shift+J"}},
        {"circuit.rename", menu, TEXT("Re&name the axis..."), TEXT("Gives the chosen axis another name, or another size."),
         {"Shift+R"}},
        {"circuit.back", menu, TEXT("One step of the circuit bac&k"), TEXT("Goes to the circuit's state before."), {"Alt+Z"},
         "", false, false, true},
        {"circuit.on", menu, TEXT("One step of the circuit &on"), TEXT("Goes to the circuit's next state."),
         {"Alt+Shift+Z"}},
        {"circuit.samples", menu, TEXT("Sam&ple circuits..."),
         TEXT("Opens one of the circuits that come with the program, such as FlashAttention-3."), {}, "", false, false,
         true},
        {"circuit.export", menu, TEXT("&Export the circuit..."),
         TEXT("Writes the circuit that is shown to a file: SVG, PDF, PNG, TikZ or JSON."), {}},
    };
}

std::vector<ActionInfo> lesson_actions() {
    const char* menu = TEXT("Learn");
    return {
        {"lesson.list", menu, TEXT("&Lessons..."), TEXT("Shows the lessons, with what is done of each."), {"Ctrl+Shift+L"}},
        {"lesson.tour", menu, TEXT("&Tour (90 seconds)"), TEXT("Shows the window on a program of three lines."), {}},
        {"lesson.predict", menu, TEXT("Predict, then &reveal"),
         TEXT("Asks before every step: which rule, which edge, how many bytes; then shows it, and counts."),
         {"Ctrl+Shift+I"}, "", false, true},
        {"lesson.next", menu, TEXT("&Next part"), TEXT("Goes to the lesson's next part."), {"Alt+Right"}, "", false, false,
         true},
        {"lesson.back", menu, TEXT("&Part before"), TEXT("Goes back to the part before, as it was."), {"Alt+Left"}},
        {"lesson.hint", menu, TEXT("&Hint"), TEXT("Gives a hint to the task."), {"Ctrl+Shift+H"}},
        {"lesson.show_me", menu, TEXT("&Show me"), TEXT("Does the task, or says the answer."), {"Ctrl+Shift+M"}},
        {"lesson.again", menu, TEXT("Set this part &up again"),
         TEXT("Brings the program and the state back that this part is about."), {"Ctrl+Shift+U"}},
        {"lesson.restart", menu, TEXT("From the &beginning"), TEXT("Forgets what was done of this lesson, and begins it anew."),
         {}},
        {"lesson.leave", menu, TEXT("L&eave the lesson"),
         TEXT("Puts the panels back where they were; the lesson goes on where it was left."), {}},
        {"lesson.export", menu, TEXT("E&xport my progress..."),
         TEXT("Writes what was done of all lessons to a small file, for a teacher."), {}, "", false, false, true},
        {"lesson.learner", menu, TEXT("&Who is learning..."), TEXT("Keeps the progress of somebody else from now on."), {}},
    };
}

std::vector<ActionInfo> other_actions() {
    const char* window = TEXT("&Window");
    const char* help = TEXT("&Help");
    return {
        {"help.palette", help, TEXT("Command &palette..."), TEXT("Finds any action, step, sample or recent file by name."),
         {"Ctrl+K", "Ctrl+Shift+P"}, "search", true},
        {"help.shortcuts", help, TEXT("&Shortcuts"), TEXT("Lists all actions and their keys."), {"?", "F1"}},
        {"help.glossary", help, TEXT("G&lossary..."), TEXT("Explains the words that the window and its pages use."), {}},
        {"help.term", help, TEXT("Explain &words here"),
         TEXT("Explains the glossary's words in what has the focus; hovering over a word does the same."), {"Shift+F1"}},
        {"help.diagnostics", help, TEXT("&Graphics cards..."),
         TEXT("Says which graphics cards are there, and how to install what is missing to use them."), {}},
        {"help.about", help, TEXT("&About Blockscope"), TEXT("Version and licences."), {}, "", false, false, true},
        {"window.picture", window, TEXT("Go to the p&icture"), TEXT("Gives the picture the focus."), {"Ctrl+J"}},
        {"window.arrangements", window, TEXT("&Arrangements..."),
         TEXT("Keeps the arrangement of the panels under a name, and brings one back."), {"Ctrl+Shift+A"}},
        {"window.reset", window, TEXT("&Reset the arrangement"), TEXT("Puts all panels back where they were at first."),
         {"Ctrl+Shift+R"}},
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

// blockscope [FILE]: the window.
#include <QApplication>
#include <QCommandLineParser>
#include <QFontDatabase>
#include <QIcon>
#include <QStyleFactory>
#include <cstdio>
#include <cstdlib>

#include "app/window/main_window.h"
#include "app/words/words.h"

using namespace blockscope;

namespace {

constexpr int kNoDisplay = 3;  // exit status
constexpr int kWrongUse = 2;   // another one

// What needs no display.
bool answered_without_window(const QStringList& arguments) {
    if (arguments.contains(QStringLiteral("--version"))) {
        std::puts("blockscope " BLOCKSCOPE_VERSION);
        return true;
    }
    if (arguments.contains(QStringLiteral("--list-actions"))) {
        std::fputs(action_markdown().toUtf8().constData(), stdout);
        return true;
    }
    return false;
}

// Where no window can be opened Qt ends the program with a core dump; one sentence says the same.
void without_display(QtMsgType type, const QMessageLogContext&, const QString&) {
    if (type != QtFatalMsg) return;
    std::fputs(
        "blockscope: there is no display to open a window on; `blockscope-cli fuse FILE` shows the same in "
        "the terminal.\n",
        stderr);
    std::_Exit(kNoDisplay);
}

struct Main {
    Q_DECLARE_TR_FUNCTIONS(Main)
};

// What to open, and at which state of its run.
struct ToOpen {
    QStringList files;
    std::optional<StateChoice> state;
};

ToOpen parse(const QApplication& app, Settings& settings) {
    QCommandLineParser parser;
    parser.setApplicationDescription(Main::tr("See AI operator fusion, step by step."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption list(QStringLiteral("list-actions"),
                                  Main::tr("Print all actions and their keys as Markdown."));
    const QCommandLineOption reset(QStringLiteral("reset-settings"), Main::tr("Forget all settings first."));
    const QCommandLineOption step(
        QStringLiteral("step"),
        Main::tr("Show this state: a number of steps, last, 'snapshot 1', 'Branch 2: step 3'."),
        QStringLiteral("STATE"));
    parser.addOptions({list, reset, step});
    parser.addPositionalArgument(QStringLiteral("file"),
                                 Main::tr("A program, a trace or a document; or a sample by its name."),
                                 QStringLiteral("[FILE]"));
    parser.process(app);
    if (parser.isSet(reset)) settings.clear();
    ToOpen open{parser.positionalArguments(), {}};
    if (!parser.isSet(step)) return open;
    const Result<StateChoice> state = parse_state_choice(parser.value(step).toStdString());
    if (!state) {
        std::fprintf(stderr, "blockscope: --step: %s\n", qPrintable(translated(state.problems().front())));
        std::exit(kWrongUse);
    }
    open.state = *state;
    return open;
}

}  // namespace

int main(int argc, char** argv) {
    QStringList plain;
    for (int i = 1; i < argc; ++i) plain << QString::fromLocal8Bit(argv[i]);
    if (answered_without_window(plain)) return 0;

    qInstallMessageHandler(without_display);
    QApplication app(argc, argv);
    qInstallMessageHandler(nullptr);
    QApplication::setApplicationName(QStringLiteral("blockscope"));
    QApplication::setApplicationVersion(QStringLiteral(BLOCKSCOPE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("io.github.blockscope.Blockscope"));
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    Settings settings;
    install_translations(settings.language());
    const ToOpen open = parse(app, settings);
    Appearance appearance(settings);
    MainWindow window(settings, appearance);
    window.show();
    if (!open.files.isEmpty()) window.open_link(open.files.front(), open.state);
    return QApplication::exec();
}

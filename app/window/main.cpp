// blockscope [FILE]: the window.
#include <QApplication>
#include <QCommandLineParser>
#include <QFontDatabase>
#include <QIcon>
#include <QStyleFactory>
#include <QTimer>
#include <cstdio>
#include <cstdlib>

#include "app/scene/canvas.h"
#include "app/window/main_window.h"
#include "app/window/picture_view.h"
#include "app/window/pseudo_locale.h"

using namespace blockscope;

namespace {

constexpr int kNoDisplay = 3;  // exit status

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

// For measuring how long it takes: ends the program once the start page, or the picture of the file, is
// painted.
void exit_when_shown(MainWindow& window, bool file) {
    const auto leave = [] { QTimer::singleShot(0, qApp, [] { QApplication::exit(0); }); };
    if (!file) return leave();
    QObject::connect(&window.view().canvas(), &Canvas::picture_changed, qApp, [&window, leave] {
        window.view().canvas().repaint();
        leave();
    });
    QObject::connect(&window.opener(), &Opener::refused, qApp, leave);
}

struct Options {
    QStringList files;
    bool exit_when_shown = false;
};

Options parse(const QApplication& app, Settings& settings) {
    QCommandLineParser parser;
    parser.setApplicationDescription(Main::tr("See AI operator fusion, step by step."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption list(QStringLiteral("list-actions"),
                                  Main::tr("Print all actions and their keys as Markdown."));
    const QCommandLineOption reset(QStringLiteral("reset-settings"), Main::tr("Forget all settings first."));
    const QCommandLineOption leave(QStringLiteral("exit-when-shown"),
                                   Main::tr("End once the first picture is there."));
    parser.addOptions({list, reset, leave});
    parser.addPositionalArgument(QStringLiteral("file"), Main::tr("A program, a trace or a document."),
                                 QStringLiteral("[FILE]"));
    parser.process(app);
    if (parser.isSet(reset)) settings.clear();
    return {parser.positionalArguments(), parser.isSet(leave)};
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
    install_translations();
    Settings settings;
    const Options options = parse(app, settings);
    Appearance appearance(settings);
    MainWindow window(settings, appearance);
    window.show();
    if (!options.files.isEmpty()) window.open_file(options.files.front());
    if (options.exit_when_shown) exit_when_shown(window, !options.files.isEmpty());
    return QApplication::exec();
}

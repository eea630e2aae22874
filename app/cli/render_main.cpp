// blockscope-render: blockscope-cli with the commands that make pictures. blockscope-cli runs it for them.
#include <QHashSeed>
#include <cstdio>

#include "app/cli/arguments.h"
#include "app/cli/picture_commands.h"

namespace blockscope::cli {
namespace {

// What Qt has to say about its surroundings is no business of those who read stderr.
void only_failures(QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type == QtCriticalMsg || type == QtFatalMsg) std::fprintf(stderr, "%s\n", qUtf8Printable(text));
}

}  // namespace

QGuiApplication& gui_application() {
    static int count = 1;
    static char name[] = "blockscope-render";
    static char* words[] = {name, nullptr};
    QHashSeed::setDeterministicGlobalSeed();  // the fonts of PDF files come in the order of a hash table
    qInstallMessageHandler(only_failures);
    qputenv("QT_QPA_PLATFORM", "offscreen");  // never a display, even if there is one
    static QGuiApplication application(count, words);
    return application;
}

}  // namespace blockscope::cli

int main(int argc, char** argv) {
    const blockscope::cli::PictureCommands pictures{blockscope::cli::render_command,
                                                    blockscope::cli::export_command};
    return blockscope::cli::run(argc, argv, &pictures);
}

// blockscope-render is blockscope-cli with the commands that make pictures. blockscope-cli runs it for them.
#include "app/cli/command.h"
#include "app/cli/picture_files.h"
#include "app/cli/pictures.h"

int main(int argc, char** argv) {
    const blockscope::cli::PictureCommands pictures{
        blockscope::cli::render_command, blockscope::cli::export_command, blockscope::cli::pdf_of_page};
    return blockscope::cli::run(argc, argv, &pictures);
}

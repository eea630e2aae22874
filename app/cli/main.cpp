#include "app/cli/command.h"

int main(int argc, char** argv) {
    return blockscope::cli::run(argc, argv);
}

// fuzz_seeds TABLE FOLDER: the input of every case of TABLE (tests/support/text_cases.h) as a file in FOLDER.
#include <fstream>
#include <iostream>

#include "tests/support/text_cases.h"

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: fuzz_seeds TABLE FOLDER\n";
        return 2;
    }
    for (const blockscope::test::TextCase& text_case : blockscope::test::text_cases(argv[1]))
        std::ofstream(std::filesystem::path(argv[2]) / text_case.name, std::ios::binary) << text_case.input;
}

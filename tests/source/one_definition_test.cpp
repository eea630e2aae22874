// Two types of one name in two sources of one program break it without a word from compiler or linker.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "tests/source/definitions.h"

namespace blockscope::test {
namespace {

namespace fs = std::filesystem;

TEST(Definitions, OfNamespacesAreFound) {
    EXPECT_THAT(
        defined_types("struct A {}; namespace b { class C final : public A {}; enum class D : char { x }; }"
                      "namespace b::c { union E { int i; }; template <class T> struct F { T t; }; }"),
        testing::ElementsAre("A", "b::C", "b::D", "b::c::E", "b::c::F"));
}

TEST(Definitions, WhatIsNoneIsLeftOut) {
    EXPECT_THAT(defined_types(
                    "struct A; class B* b; namespace { struct C {}; } struct D f() { struct E {}; }\n"
                    "// struct F {};\n/* struct G {}; */ const char* s = \"struct H {\";\n"
                    "#define I \\\n struct J {};\n auto k = R\"(struct K {)\"; template <> struct L<int> {};"
                    "template <class M> void m() {} enum class N : int; char c = '{'; int n = 1'000;"
                    "struct [[nodiscard]] O { struct P {}; };"),
                testing::ElementsAre("O"));
}

TEST(Definitions, EveryTypeHasOne) {
    std::map<std::string, std::set<std::string>> places;
    const fs::path root = BLOCKSCOPE_SOURCE_DIR;
    for (const char* part : {"core", "gpu", "app"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / part)) {
            if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
            std::ostringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            for (const std::string& name : defined_types(text.str()))
                places[name].insert(entry.path().lexically_relative(root));
        }
    ASSERT_GT(places.size(), 300U);
    for (const auto& [name, files] : places)
        EXPECT_EQ(files.size(), 1U) << name << " is defined in " << testing::PrintToString(files);
}

}  // namespace
}  // namespace blockscope::test

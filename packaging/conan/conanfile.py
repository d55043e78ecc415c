"""Terrane as a Conan 2 package: conan create packaging/conan"""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir
from conan.tools.gnu import PkgConfigDeps

# What terrane::save needs: SQLite, zstd and xxHash for worlds, the others for imports.
SAVE_REQUIRES = ("sqlite3/[>=3.45 <4]", "zstd/[>=1.5 <2]", "xxhash/[>=0.8.2 <1]", "zlib/[>=1.2.11 <2]", "lz4/[>=1.9.4 <2]",
                 "libspng/[>=0.7.4 <1]")


class TerraneConan(ConanFile):
    name = "terrane"
    description = "Voxel terrain chunk manager"
    license = "MIT"
    topics = ("voxel", "game-development", "terrain")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "save": [True, False]}
    default_options = {"shared": False, "fPIC": True, "save": False}
    languages = "C"
    implements = ["auto_shared_fpic"]

    def _root(self):
        return os.path.join(self.recipe_folder, os.pardir, os.pardir)

    def set_version(self):
        header = load(self, os.path.join(self._root(), "chunks/include/terrane/base.h"))
        self.version = ".".join(re.findall(r"^#define TRN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md",
                        "assets/blocks/*", "assets/imports/*", "assets/terrain/*", "chunks/*", "cmake/*",
                        "docs/*.md", "examples/*", "mesher/*", "save/*"):
            copy(self, pattern, self._root(), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        if self.options.save:
            for library in SAVE_REQUIRES:
                self.requires(library)

    def build_requirements(self):
        if self.options.save:
            self.tool_requires("pkgconf/[>=2.1 <3]")

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("BENCH", "EXAMPLES", "TESTS", "TOOLS", "VIEWER"):
            toolchain.cache_variables[f"TERRANE_BUILD_{part}"] = False
        toolchain.cache_variables["TERRANE_BUILD_SAVE"] = bool(self.options.save)
        toolchain.generate()
        PkgConfigDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):  # Conan writes its own
            rmdir(self, os.path.join(self.package_folder, folder))

    def package_info(self):
        chunks = self.cpp_info.components["chunks"]
        chunks.libs = ["terrane_chunks"]
        chunks.set_property("cmake_target_name", "terrane::chunks")
        chunks.set_property("pkg_config_name", "terrane-chunks")
        if self.options.shared:
            chunks.defines = ["TRN_SHARED"]
        elif self.settings.os in ("Linux", "FreeBSD"):
            chunks.system_libs = ["m", "pthread"]
        mesher = self.cpp_info.components["mesher"]
        mesher.libs = ["terrane_mesher"]
        mesher.requires = ["chunks"]
        mesher.set_property("cmake_target_name", "terrane::mesher")
        mesher.set_property("pkg_config_name", "terrane")
        if self.options.save:
            save = self.cpp_info.components["save"]
            save.libs = ["terrane_save"]
            save.requires = ["chunks"] + ["{0}::{0}".format(library.split("/")[0]) for library in SAVE_REQUIRES]
            save.set_property("cmake_target_name", "terrane::save")
            save.set_property("pkg_config_name", "terrane-save")

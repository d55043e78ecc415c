"""Terrane as a Conan 2 package: conan create packaging/conan"""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir


class TerraneConan(ConanFile):
    name = "terrane"
    description = "Voxel terrain chunk manager"
    license = "MIT"
    topics = ("voxel", "game-development", "terrain")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    languages = "C"
    implements = ["auto_shared_fpic"]

    def _root(self):
        return os.path.join(self.recipe_folder, os.pardir, os.pardir)

    def set_version(self):
        header = load(self, os.path.join(self._root(), "chunks/include/terrane/base.h"))
        self.version = ".".join(re.findall(r"^#define TRN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md",
                        "assets/blocks/*", "assets/terrain/*", "chunks/*", "cmake/*", "docs/*.md",
                        "examples/*", "mesher/*"):
            copy(self, pattern, self._root(), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("BENCH", "EXAMPLES", "SAVE", "TESTS", "TOOLS", "VIEWER"):
            toolchain.cache_variables[f"TERRANE_BUILD_{part}"] = False
        toolchain.generate()

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

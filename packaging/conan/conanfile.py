"""Terrane as a Conan 2 package: conan create packaging/conan

Builds the checkout that it lies in. Next to a conandata.yml, which tools/release.sh writes, it builds the release's tarball.
"""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, load, rmdir
from conan.tools.gnu import PkgConfigDeps

# What terrane::save, terrane::shared and terrane::import link. The options save, save_shared and save_import build them.
REQUIRES = {
    "save": ("sqlite3/[>=3.45 <4]", "zstd/[>=1.5 <2]", "xxhash/[>=0.8.2 <1]"),
    "shared": ("libpq/[>=14 <18]",),
    "import": ("sqlite3/[>=3.45 <4]", "zstd/[>=1.5 <2]", "xxhash/[>=0.8.2 <1]", "zlib/[>=1.2.11 <2]", "lz4/[>=1.9.4 <2]",
               "libspng/[>=0.7.4 <1]"),
}


class TerraneConan(ConanFile):
    name = "terrane"
    description = "Voxel terrain chunk manager"
    license = "MIT"
    topics = ("voxel", "game-development", "terrain")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "save": [True, False],
               "save_shared": [True, False], "save_import": [True, False]}
    default_options = {"shared": False, "fPIC": True, "save": False, "save_shared": False, "save_import": False}
    languages = "C"
    implements = ["auto_shared_fpic"]

    def _root(self):
        return os.path.join(self.recipe_folder, os.pardir, os.pardir)

    def _parts(self):
        """The libraries of save/ that are built."""
        return [part for part in REQUIRES if self.options.get_safe("save" if part == "save" else f"save_{part}")]

    def validate(self):
        if not self.options.save and self._parts():
            raise ConanInvalidConfiguration("save_shared and save_import need the option save")

    def set_version(self):
        if self.version:
            return
        header = load(self, os.path.join(self._root(), "chunks/include/terrane/base.h"))
        self.version = ".".join(re.findall(r"^#define TRN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M))

    def source(self):
        if self.conan_data:
            get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def export_sources(self):
        if self.conan_data:
            return
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md",
                        "assets/blocks/*", "assets/imports/*", "assets/terrain/*", "chunks/*", "cmake/*",
                        "docs/*.md", "examples/*", "mesher/*", "save/*"):
            copy(self, pattern, self._root(), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        for library in sorted({library for part in self._parts() for library in REQUIRES[part]}):
            self.requires(library)

    def build_requirements(self):
        if self.options.save:
            self.tool_requires("pkgconf/[>=2.1 <3]")

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("BENCH", "EXAMPLES", "TESTS", "TOOLS", "VIEWER"):
            toolchain.cache_variables[f"TERRANE_BUILD_{part}"] = False
        for part in REQUIRES:
            toolchain.cache_variables[f"TERRANE_BUILD_{part.upper()}"] = part in self._parts()
        toolchain.cache_variables["TERRANE_WITH_NATS"] = False
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
        for part in self._parts():
            library = self.cpp_info.components[part]
            library.libs = [f"terrane_{part}"]
            library.requires = ["chunks" if part == "save" else "save"]
            library.requires += ["{0}::{0}".format(each.split("/")[0]) for each in REQUIRES[part]]
            library.set_property("cmake_target_name", f"terrane::{part}")
            library.set_property("pkg_config_name", f"terrane-{part}")

# SPDX-License-Identifier: BSD-3-Clause
"""A recipe for Spack: put it into a repository of your own, as
packages/drmperf/package.py, with your copy of drmperf as git, which may be
file:///path/to/drmperf."""

from spack.package import *


class Drmperf(MakefilePackage):
    """Hardware counters of AMD and Intel GPUs, straight from the Linux DRM
    drivers: a library, a command line tool, a component for PAPI, and
    simulated GPUs."""

    # of no site: names below .invalid never exist (RFC 2606)
    homepage = "https://drmperf.invalid"
    git = "https://drmperf.invalid/drmperf.git"

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("simulator", default=True, description="What drmsim needs to run")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("libdrm")
    depends_on("expat")
    depends_on("libpfm4")
    depends_on("umockdev", type="run", when="+simulator")

    conflicts("platform=darwin", msg="It speaks to Linux' DRM drivers")
    conflicts("platform=windows", msg="It speaks to Linux' DRM drivers")

    def flag_handler(self, name, flags):
        # the makefile takes CFLAGS and LDFLAGS from the environment
        return (None, flags, None)

    @property
    def build_targets(self):
        return ["all", "PREFIX={0}".format(self.prefix), "CC={0}".format(spack_cc)]

    @property
    def install_targets(self):
        return [
            "install",
            "PREFIX={0}".format(self.prefix),
            "CC={0}".format(spack_cc),
        ]

    @run_after("install")
    def install_component(self):
        """The sources of PAPI's component, for a PAPI that is built with it."""
        install_tree("components/drm", join_path(self.prefix.src, "papi", "drm"))

    def setup_dependent_run_environment(self, env, dependent_spec):
        # PAPI opens the library at run time
        env.prepend_path("LD_LIBRARY_PATH", self.prefix.lib)

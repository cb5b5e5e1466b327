"""Confinement: what a command may change, read and reach, enforced by the kernel.

settings + places  ->  Policy  ->  a short prefix in front of a command

The guard reads commands; what it cannot read (a build, a script, a package's installer) runs under a
policy made from the same classes of paths. ``native/sandbox.c`` applies it on Linux, ``sandbox-exec``
on macOS; on Windows there is nothing.
"""

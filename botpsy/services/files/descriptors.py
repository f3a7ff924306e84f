"""Files by descriptor: every component is opened in its parent, and no link is ever followed.

A path that is checked and then opened by name can be swapped in between. Here each step holds the
folder it has reached, so what was reached is what is used, whatever happens to the names.

Source: openat(2), rename(2), renameat2(2); "Symlink attacks", CWE-367 and CWE-59.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator, Sequence

from botpsy.errors import ServiceError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK = 1 << 20
_NOT_SUPPORTED = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)


@contextlib.contextmanager
def folder(root: str, parts: Sequence[str]) -> Iterator[int]:
    """A descriptor of the folder ``root/parts...``.

    Raises:
        ServiceError: a component is a link or not a folder.
        OSError: it cannot be opened.
    """
    fd = os.open(root, _FOLDER)
    try:
        for part in parts:
            try:
                child = os.open(part, _FOLDER, dir_fd=fd)
            except OSError as error:
                if error.errno in (errno.ELOOP, errno.ENOTDIR):
                    raise ServiceError(
                        f"{part} is a link or not a folder; links are not followed."
                    ) from None
                raise
            os.close(fd)
            fd = child
        yield fd
    finally:
        os.close(fd)


def status(parent: int, name: str) -> os.stat_result | None:
    """The entry itself, not what it links to; None when there is none."""
    try:
        return os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None


@contextlib.contextmanager
def reading(parent: int, name: str) -> Iterator[int]:
    """A descriptor of a regular file, for reading.

    Raises:
        ServiceError: it is a link, a folder or something special (pipe, device, socket).
    """
    # Opening some devices does something, so the kind is looked at before as well as after.
    before = os.stat(name, dir_fd=parent, follow_symlinks=False)
    _check_regular(before, name)
    try:
        fd = os.open(name, _READ, dir_fd=parent)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise ServiceError(f"{name} is a link; links are not followed.") from None
        raise
    try:
        _check_regular(os.fstat(fd), name)
        yield fd
    finally:
        os.close(fd)


def _check_regular(found: os.stat_result, name: str) -> None:
    if stat.S_ISLNK(found.st_mode):
        raise ServiceError(f"{name} is a link; links are not followed.")
    if stat.S_ISDIR(found.st_mode):
        raise ServiceError(f"{name} is a folder.")
    if not stat.S_ISREG(found.st_mode):
        raise ServiceError(f"{name} is not an ordinary file.")


def names(parent: int) -> list[str]:
    """What is in a folder, in order."""
    with os.scandir(parent) as entries:
        return sorted(entry.name for entry in entries)


def read_all(fd: int, limit: int) -> bytes:
    """Up to ``limit`` bytes from the start."""
    data = bytearray()
    while len(data) < limit and (chunk := os.read(fd, min(_CHUNK, limit - len(data)))):
        data += chunk
    return bytes(data)


def temporary_name() -> str:
    """A hidden name that nobody has."""
    return f".botpsy-{secrets.token_hex(8)}.tmp"


@contextlib.contextmanager
def temporary(parent: int) -> Iterator[str]:
    """A name to build something under; whatever is left there at the end is removed."""
    name = temporary_name()
    try:
        yield name
    finally:
        remove(parent, name)


def remove(parent: int, name: str) -> None:
    """Remove what is there, a folder with all it holds; links in it are removed, not followed."""
    found = status(parent, name)
    if found is None:
        return
    if stat.S_ISDIR(found.st_mode):
        shutil.rmtree(name, dir_fd=parent)
    else:
        os.unlink(name, dir_fd=parent)


def write(parent: int, name: str, data: bytes, mode: int | None = None) -> None:
    """A new file, synced to the disk."""
    fd = os.open(name, _CREATE, 0o666 if mode is None else mode, dir_fd=parent)
    with os.fdopen(fd, "wb") as file:
        file.write(data)
        file.flush()
        if mode is not None:
            os.fchmod(file.fileno(), mode)
        os.fsync(file.fileno())


def rename(source: int, name: str, target: int, new: str) -> None:
    """Rename without ever replacing anything.

    Raises:
        FileExistsError: the new name is taken.
    """
    try:
        _rename_exclusively(source, name, target, new)
    except OSError as error:
        if error.errno not in _NOT_SUPPORTED:
            raise
    else:
        return
    # A file system without exclusive rename: claim the name, then rename over the claim.
    is_folder = stat.S_ISDIR(os.stat(name, dir_fd=source, follow_symlinks=False).st_mode)
    if is_folder:
        os.mkdir(new, dir_fd=target)
    else:
        os.close(os.open(new, _CREATE, 0o600, dir_fd=target))
    try:
        os.rename(name, new, src_dir_fd=source, dst_dir_fd=target)
    except BaseException:
        (os.rmdir if is_folder else os.unlink)(new, dir_fd=target)
        raise


def _rename_exclusively(source: int, name: str, target: int, new: str) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    # RENAME_NOREPLACE of Linux, RENAME_EXCL of macOS
    call, flag = ("renameatx_np", 4) if sys.platform == "darwin" else ("renameat2", 1)
    function = getattr(library, call, None)
    if function is None:
        raise OSError(errno.ENOSYS, call)
    if function(source, os.fsencode(name), target, os.fsencode(new), ctypes.c_uint(flag)) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), name)


def copy(source: int, name: str, target: int, new: str) -> None:
    """Copy a file, a folder or a link (as a link), with permissions and times, synced.

    Raises:
        ServiceError: there is something special in it.
    """
    found = os.stat(name, dir_fd=source, follow_symlinks=False)
    if stat.S_ISLNK(found.st_mode):
        os.symlink(os.readlink(name, dir_fd=source), new, dir_fd=target)
    elif stat.S_ISDIR(found.st_mode):
        os.mkdir(new, 0o700, dir_fd=target)
        with folder_in(source, name) as inside, folder_in(target, new) as outside:
            for child in names(inside):
                copy(inside, child, outside, child)
            os.fchmod(outside, found.st_mode & 0o777)
    else:
        with reading(source, name) as fd:
            copy_bytes(fd, target, new, found.st_mode & 0o777, found.st_mtime_ns)


def copy_bytes(source: int, target: int, new: str, mode: int, modified_ns: int) -> None:
    """The rest of an open file into a new file."""
    fd = os.open(new, _CREATE, 0o600, dir_fd=target)
    with os.fdopen(fd, "wb") as file:
        while chunk := os.read(source, _CHUNK):
            file.write(chunk)
        file.flush()
        os.fchmod(file.fileno(), mode)
        os.utime(file.fileno(), ns=(modified_ns, modified_ns))
        os.fsync(file.fileno())


@contextlib.contextmanager
def folder_in(parent: int, name: str) -> Iterator[int]:
    """A descriptor of a folder in a folder."""
    fd = os.open(name, _FOLDER, dir_fd=parent)
    try:
        yield fd
    finally:
        os.close(fd)


def transfer(source: int, name: str, target: int, new: str) -> None:
    """Move, also from one disk to another; never replaces anything.

    Raises:
        FileExistsError: the new name is taken.
    """
    try:
        rename(source, name, target, new)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        with temporary(target) as built:
            copy(source, name, target, built)
            rename(target, built, target, new)
        os.fsync(target)
        try:
            remove(source, name)
        except OSError as error:
            raise ServiceError(
                f"{name} was copied, but the original could not be removed: {error.strerror}."
            ) from None
    os.fsync(target)
    os.fsync(source)

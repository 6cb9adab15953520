import errno
import functools
import io
import os
import re
import zipfile

import numpy as np
import pytest

from divergent.persistence._files import (
    parse_npz,
    read_bytes,
    read_npz,
    read_object,
    read_sealed_npz,
    read_text,
    seal,
    write_sealed_npz,
    write_whole,
)

read_some_npz = functools.partial(read_npz, arrays=2, most=100)


def npz_of(*, compressed=False, **arrays):
    buffer = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(buffer, **arrays)
    return buffer.getvalue()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("reader", [read_bytes, read_text, read_object, read_some_npz, read_sealed_npz])
def test_readers_of_a_missing_file_a_folder_or_a_pipe_name_it(tmp_path, reader):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name, reason in (("nothing", "No such file"), ("folder", "not a regular file"), ("pipe", "not a regular file")):
        with pytest.raises(ValueError, match=rf"{tmp_path / name}: cannot be read: {reason}"):
            reader(tmp_path / name)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[]", "must be a JSON object, got \\[\\]"),
        (b"", "truncated or damaged, not JSON; the text must be a JSON object"),
        (b'{"seconds": 1', "truncated or damaged, not JSON; the text must be a JSON object"),
        (b"[" * 100_000, "truncated or damaged, nested too deeply; the text must be a JSON object"),
        (b'{"a":' * 100_000, "truncated or damaged, nested too deeply; the text must be a JSON object"),
        (b"9" * 5000, "truncated or damaged, not JSON; the text must be a JSON object"),
        (b"\xff{}", "damaged, must be UTF-8 text, got an invalid byte at position 0"),
    ],
)
def test_read_object_of_other_content_names_the_file(tmp_path, content, reason):
    path = tmp_path / "machine.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"{re.escape(str(path))}: {reason}"):
        read_object(path)


def test_readers_of_npz_files_return_the_arrays(tmp_path):
    path = tmp_path / "some.npz"
    for content, reader in ((npz_of(a=np.arange(3)), read_some_npz), (seal(npz_of(a=np.arange(3))), read_sealed_npz)):
        path.write_bytes(content)
        assert reader(path)["a"].tolist() == [0, 1, 2]


def test_write_sealed_npz_replaces_the_file_and_creates_its_folder(tmp_path):
    path = tmp_path / "new" / "some.npz"
    for number in range(2):
        write_sealed_npz(path, a=np.array([number]))
        assert read_sealed_npz(path)["a"].tolist() == [number]
    assert list(path.parent.iterdir()) == [path]


def test_write_whole_that_fails_leaves_no_files(tmp_path):
    with pytest.raises(TypeError):
        write_whole(tmp_path / "file", None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EFBIG, errno.EIO])
def test_write_whole_names_the_file_of_a_failed_fsync(tmp_path, monkeypatch, number):
    def fail(file):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match=re.escape(f"{os.strerror(number)}: '{tmp_path / 'file'}'")) as caught:
        write_whole(tmp_path / "file", b"some")
    assert caught.value.errno == number
    assert list(tmp_path.iterdir()) == []


def test_write_whole_beyond_the_limit_of_file_sizes_names_the_file(tmp_path):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(OSError, match=re.escape(f"File too large: '{tmp_path / 'file'}'")):
            write_whole(tmp_path / "file", bytes(2000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []


def test_sealed_file_is_a_valid_npz_file(tmp_path):
    path = tmp_path / "some.npz"
    path.write_bytes(seal(npz_of(a=np.arange(3))))
    with np.load(path) as arrays:
        assert arrays["a"].tolist() == [0, 1, 2]
    with zipfile.ZipFile(path) as archive:
        assert len(archive.comment) == 64


def test_parse_npz_of_other_formats_raises():
    buffer = io.BytesIO()
    np.save(buffer, np.arange(3))
    pickled = npz_of(a=np.array([print], dtype=object))
    for content in (buffer.getvalue(), pickled, b"", b"PK\3\4", b"noise", npz_of(a=np.zeros(9))[:-30]):
        with pytest.raises(ValueError, match=r"curves\.npz: truncated or damaged, not an npz file: .+"):
            parse_npz(content, "curves.npz", arrays=2, most=100)


def test_read_sealed_npz_with_any_changed_bit_raises(tmp_path):
    path = tmp_path / "some.npz"
    content = seal(npz_of(a=np.arange(3)))
    for place in range(0, len(content), 3):
        changed = bytearray(content)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        with pytest.raises(ValueError, match="truncated or damaged"):
            read_sealed_npz(path)


def test_parse_npz_with_any_changed_bit_raises_or_returns_the_same_arrays():
    arrays = {"a": np.arange(3), "b": np.ones((2, 2))}
    content = npz_of(**arrays)
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 1 << place % 8
        try:
            read = parse_npz(bytes(changed), "some.npz", arrays=2, most=100)
        except ValueError:
            continue
        assert read.keys() == arrays.keys()
        assert all(np.array_equal(read[name], arrays[name]) for name in arrays)


def test_archive_with_too_many_bytes_is_rejected_before_it_is_decompressed():
    content = bytearray(npz_of(compressed=True, a=np.zeros(1_000_000)))
    content[200:300] = bytes(100)  # decompressing it would find this damage
    with pytest.raises(
        ValueError, match=r"bomb\.npz: .* the total size of the arrays must be at most 1,124 bytes, got 8,000,128"
    ):
        parse_npz(bytes(content), "bomb.npz", arrays=1, most=100)


def test_archive_with_too_many_arrays_is_rejected():
    content = npz_of(**{f"a{number}": np.zeros(0) for number in range(3)})
    with pytest.raises(ValueError, match=r"many\.npz: .* the number of arrays in the file must be at most 2, got 3"):
        parse_npz(content, "many.npz", arrays=2, most=100)


def test_archive_with_another_compression_is_rejected():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("a.npy", bytes(100))
    with pytest.raises(ValueError, match="arrays must be uncompressed or deflated, got compression type 12"):
        parse_npz(buffer.getvalue(), "some.npz", arrays=1, most=100)


def test_array_with_a_larger_shape_in_its_header_is_rejected_before_it_is_allocated():
    buffer, array = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(array, {"descr": "<f8", "fortran_order": False, "shape": (10**15,)})
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.npy", array.getvalue())
    expected = r"the size of array a\.npy must be as its header specifies, 8,000,000,000,000,128 bytes, got 128 bytes"
    with pytest.raises(ValueError, match=expected):
        parse_npz(buffer.getvalue(), "some.npz", arrays=1, most=100)


def test_sealed_file_that_decompresses_to_more_than_its_size_is_rejected(tmp_path):
    path = tmp_path / "run.checkpoint.npz"
    path.write_bytes(seal(npz_of(compressed=True, a=np.zeros(1_000_000))))
    with pytest.raises(ValueError, match=r"the total size of the arrays must be at most [\d,]+ bytes, got 8,000,128"):
        read_sealed_npz(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_write_whole_to_a_pipe_writes_into_it_and_leaves_it_in_place(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"content")
    assert os.read(reader, 100) == b"content"
    os.close(reader)
    assert pipe.is_fifo()

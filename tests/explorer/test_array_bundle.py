import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divergent.explorer._array_bundle import Bundle


def unpacked(bundle):
    """Unpack the arrays of a bundle as the browser does."""
    content = gzip.decompress(bundle.content())
    kinds = {"Int8Array": "i1", "Uint8Array": "u1", "Uint16Array": "<u2", "Int32Array": "<i4", "Float32Array": "<f4"}
    arrays, offset = {}, 0
    for name, entry in bundle.table.items():
        kind = np.dtype(kinds[entry["type"]])
        array = np.frombuffer(content, kind, entry["length"], offset)
        offset += -(-array.nbytes // 4) * 4
        if "low" in entry:
            scale = (entry["high"] - entry["low"]) / 65534
            array = np.where(array == 65535, np.nan, entry["low"] + array * scale)
        arrays[name] = array
    assert offset == len(content)
    return arrays


def test_bundle_of_integers_restores_them():
    bundle = Bundle()
    bundle.add("bytes", [1, 2, 3], np.uint8)
    bundle.add("parents", [-1, 70000], np.int32)
    bundle.add("nothing", [], np.int32)
    arrays = unpacked(bundle)
    assert arrays["bytes"].tolist() == [1, 2, 3]
    assert arrays["parents"].tolist() == [-1, 70000]
    assert arrays["nothing"].size == 0


@given(st.lists(st.one_of(st.floats(-1e6, 1e6), st.just(np.nan)), max_size=50))
def test_bundle_of_measurements_restores_them_to_one_part_in_sixty_thousand(numbers):
    bundle = Bundle()
    values = np.array(numbers, dtype=float)
    bundle.add_measured("values", values)
    restored = unpacked(bundle)["values"]
    assert np.array_equal(np.isnan(restored), np.isnan(values))
    known = values[~np.isnan(values)]
    if len(known):
        assert np.abs(restored[~np.isnan(values)] - known).max() <= max(np.ptp(known), 1e-9) / 60000


def test_bundle_of_the_same_arrays_has_the_same_content():
    contents = []
    for _ in range(2):
        bundle = Bundle()
        bundle.add("numbers", np.arange(100), np.int32)
        contents.append(bundle.content())
    assert contents[0] == contents[1]


def test_bundle_of_huge_measurements_clips_them():
    bundle = Bundle()
    bundle.add_measured("values", np.array([-1e308, 0.0, 1e308, np.inf]))
    restored = unpacked(bundle)["values"]
    assert restored[:3] == pytest.approx([-1e30, 0.0, 1e30])
    assert np.isnan(restored[3])
